"""Whether anyone would notice: accuracies of a method on real data, as promised and with a mistake.

Both have the same data, split and seeds. What is released with the mistake on is no private
release, so these numbers are for a page that says so.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.audit import faults
from dpviz.audit.faults.model import Make
from dpviz.data.imbalance import minority_classes
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods import METHODS
from dpviz.run import experiment
from dpviz.types import RunSpec, Scores


@dataclass(frozen=True)
class Pair:
    """Scores of the same seeds: as promised, and with the mistake."""

    reference: tuple[Scores, ...]
    faulty: tuple[Scores, ...]


@dataclass(frozen=True)
class OutputError:
    """How far releases of the same seeds are off, where they are no heads: as promised, and with
    the mistake.

    Attributes:
        unit: what it is counted in.
    """

    reference: tuple[float, ...]
    faulty: tuple[float, ...]
    unit: str


def output_error(
    spec: RunSpec, mistake: str, seeds: int, progress: experiment.Progress
) -> OutputError:
    """How far ``seeds`` releases of a spec's data are off each way, under its budget.

    Args:
        spec: of any method; mistake: the key of one that says how far a release is off.

    Raises:
        DpvizError: for settings that cannot work.
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
    """Scores of ``seeds`` runs of a spec, from its own seed on, each way.

    Args:
        mistake: its key; progress: is told of each run, and may raise ``Cancelled`` between two.

    Raises:
        DpvizError: for settings that cannot work.
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
    reference = scored(fault.make_right(method), "as promised")
    return Pair(reference, scored(fault.make(method), "with the mistake"))
