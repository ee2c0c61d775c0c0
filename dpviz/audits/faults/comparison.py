"""Accuracies of a method on real data, without and with a fault.

Both use the same data, split and seeds. Releases with a fault are not private.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.audits import faults
from dpviz.audits.faults.model import Make
from dpviz.data.imbalance import minority_classes
from dpviz.experiments import experiment
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods import METHODS
from dpviz.types import RunSpec, Scores


@dataclass(frozen=True)
class Pair:
    """Scores of the same seeds without and with a fault."""

    reference: tuple[Scores, ...]
    faulty: tuple[Scores, ...]


@dataclass(frozen=True)
class OutputError:
    """Errors of releases that are no classifiers, without and with a fault, for the same seeds.

    Attributes:
        unit: unit of the errors.
    """

    reference: tuple[float, ...]
    faulty: tuple[float, ...]
    unit: str


def output_error(
    spec: RunSpec, mistake: str, seeds: int, progress: experiment.Progress
) -> OutputError:
    """Return the errors of ``seeds`` releases without and with a fault, at the budget of a spec.

    Args:
        spec: of any method; mistake: key of a fault with ``output_error``.

    Raises:
        DpvizError: For settings that are not valid.
    """
    fault, data = faults.get(mistake), experiment.prepared(spec, progress)
    assert fault.output_error is not None
    method = faults.subject(fault.methods[0])
    plan = method.plan(data.sizes, spec.budget, method.check({}))
    drawn = list(range(spec.seed, spec.seed + seeds))
    reference, faulty = (
        tuple(fault.output_error(release, data) for release in make(method)(data, plan, drawn))
        for make in (fault.make_right, fault.make)
    )
    return OutputError(reference, faulty, fault.error_unit)


def accuracies(spec: RunSpec, mistake: str, seeds: int, progress: experiment.Progress) -> Pair:
    """Return the scores of ``seeds`` runs without and with a fault, from the seed of a spec on.

    Args:
        mistake: key of the fault; progress: called before each run, may raise ``Cancelled``.

    Raises:
        DpvizError: For settings that are not valid.
    """
    data, plan = experiment.prepared(spec, progress), experiment.planned(spec)
    method, minority = METHODS[spec.method], minority_classes(data.counts, data.draw)
    done = 0

    def scored(make: Make, what: str) -> tuple[Scores, ...]:
        nonlocal done
        results = []
        for seed in range(spec.seed, spec.seed + seeds):
            progress(f"{method.title} {what}", done, 2 * seeds)
            with one_numeric_thread():
                (release,) = make(data, plan, [seed])
            results.append(experiment.score(release, data, minority))
            done += 1
        return tuple(results)

    fault = faults.get(mistake)
    reference = scored(fault.make_right(method), "without the fault")
    return Pair(reference, scored(fault.make(method), "with the fault"))
