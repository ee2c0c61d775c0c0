"""The AdaMix paper's premise on classes, beside what these data have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dpviz.papers import rules
from dpviz.types import Result

FEW_CLASSES = "The paper's data have many classes; this set has {classes}."


def few_classes(runs: Iterable[Sequence[Result]]) -> str:
    """Return a sentence where the runs' data have fewer classes than the paper's; "" else."""
    counts = {len(result.scores.per_class) for some in runs for result in some[:1]}
    classes = max(counts, default=0)
    premise = rules.premises()["few-images-many-classes"]
    least = next(one.least for one in premise.conditions if one.measure == "classes")
    return FEW_CLASSES.format(classes=classes) if 0 < classes < least else ""
