"""Measure whether a data set meets the premise of a claim, before the claim is tried."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from dpviz.caches import cached
from dpviz.diagnostics import collapse_measures
from dpviz.experiments import experiment
from dpviz.papers import rules
from dpviz.papers.checks import mixed_runs
from dpviz.papers.checks.comparisons import TRAINED_ENCODERS
from dpviz.papers.model import Ground
from dpviz.papers.rules import Condition
from dpviz.stats import difference, signs
from dpviz.types import Budget, Dataset, DpvizError, RunSpec

#: A number, half of its 95% interval (0 where it is exact), and whether it is clearly above 0.
Measured = tuple[float, float, bool]


@cached(16)
def measured(premise: str, dataset: str) -> tuple[bool, str]:
    """Return whether a data set meets a premise, and a sentence with the measured numbers."""
    premise_rule, ground = rules.premises()[premise], Ground(dataset)
    numbers = {
        condition: MEASURES[condition.measure](ground) for condition in premise_rule.conditions
    }
    return decided(premise_rule, numbers)


def decided(premise: rules.Premise, numbers: Mapping[Condition, Measured]) -> tuple[bool, str]:
    """Return whether measured numbers meet a premise, and a sentence with the numbers."""
    met = [
        _meets(condition, number) if condition.decides else None
        for condition, number in numbers.items()
    ]
    texts = "; ".join(
        CONDITION_TEXTS[ok].format(
            number=_number(*number[:2]),
            space="" if condition.says.startswith("%") else " ",
            says=condition.says,
            range=_range(condition),
        )
        for ok, (condition, number) in zip(met, numbers.items(), strict=True)
    )
    deciding = [ok for ok in met if ok is not None]
    return (any if premise.any else all)(deciding), f"Premise: {premise.says} Measured: {texts}."


CONDITION_TEXTS = {
    True: "{number}{space}{says} ({range} required: met)",
    False: "{number}{space}{says} ({range} required: not met)",
    None: "{number}{space}{says}",
}


def _meets(condition: Condition, number: Measured) -> bool:
    value, _, clear = number
    return condition.least <= value <= condition.most and (clear or not condition.significant)


def _number(value: float, half: float) -> str:
    return f"{value:.1f} ± {half:.1f}" if half else f"{value:,.10g}"


def _range(condition: Condition) -> str:
    end = (
        f"at most {condition.most:,g}"
        if condition.most < float("inf")
        else f"at least {condition.least:,g}"
    )
    return f"{end}, significantly above 0" if condition.significant else end


def _data(ground: Ground) -> Dataset:
    facts = ground.material(**PUBLIC.get(ground.dataset, {})).facts
    return experiment.prepared(RunSpec(**facts, method="class-mean", budget=Budget(1.0)))


PUBLIC = {"omniglot-60": {"public": mixed_runs.PUBLIC["omniglot-60"]}}


def _exact(value: float) -> Measured:
    return float(value), 0.0, value > 0


def _classes(ground: Ground) -> Measured:
    return _exact(_data(ground).classes)


def _records(ground: Ground) -> Measured:
    data = _data(ground)
    return _exact(round(len(data.x) / data.classes, 1))


def _accuracy_gain(ground: Ground) -> Measured:
    """Points of accuracy that all records, without privacy, gain over the public shots."""
    runs = [mixed_runs.Run("paragon"), mixed_runs.Run("Only-Public")]
    results = mixed_runs.errors(ground, runs)
    pair = results[runs[0]], results[runs[1]]
    gap = difference(*pair, paired=True)
    return 100 * gap.gap, 100 * gap.half, signs({0: pair}, paired=True)[0] > 0


def _public_share(ground: Ground) -> Measured:
    """Public shots in percent of the private images."""
    data, shots = _data(ground), mixed_runs.SHOTS_ON.get(ground.dataset, mixed_runs.SHOTS)
    return _exact(round(100 * shots * data.classes / len(data.x), 1))


def _public(ground: Ground) -> Measured:
    return _exact(len(_data(ground).public))


def _shared(ground: Ground) -> Measured:
    return _exact(len(np.unique(_data(ground).labelled_public[1])))


def _source(ground: Ground) -> Measured:
    head = _data(ground).head
    return _exact(0 if head is None else len(head().weights))


def _shared_source(ground: Ground) -> Measured:
    """Private classes that a name of the source model has, alone or among look-alikes.

    Raises:
        DpvizError: where the names of the source model's classes are not known.
    """
    data = _data(ground)
    names = [] if data.head is None else [name.lower() for name in data.head().names]
    if not names:
        raise DpvizError(
            "The premise was not measured: the names of the source model's classes are not known."
        )
    sources = {part for name in names for part in (name, *name)}
    return _exact(sum(name.lower() in sources for name in data.class_names))


def _cosines(ground: Ground) -> Measured:
    """Percent of class pairs whose means have a cosine within ±0.2 with the first of the compared
    encoders; means of unit records, nothing taken off, as in the paper.
    """
    material = ground.material(encoder=TRAINED_ENCODERS[0])
    raw = collapse_measures.measure(experiment.prepared(material)).raw
    return _exact(round(100 * np.mean(np.abs(raw[np.triu_indices(len(raw), 1)]) <= 0.2), 1))


MEASURES: dict[str, Callable[[Ground], Measured]] = {
    "classes": _classes,
    "records per class": _records,
    "room": _accuracy_gain,
    "public share": _public_share,
    "public images": _public,
    "shared classes": _shared,
    "source classes": _source,
    "shared source classes": _shared_source,
    "cosines within 0.2": _cosines,
}
