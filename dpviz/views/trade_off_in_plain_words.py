"""What the page "Trade-off" says to someone who knows no statistics."""

from __future__ import annotations

from collections.abc import Sequence

from dpviz.types import Material
from dpviz.views.whole_numbers import (
    named,
)


def recognised(metric: str, rare: Sequence[str], of: Material) -> str:
    """Whose accuracy a score is: ``the rare digits 3, 7 and 9 are recognised``."""
    what = "pictures" if of.encoder else "records"
    if metric == "minority" and rare:
        kind = "digits" if all(name.isdigit() for name in rare) else "classes"
        return f"the rare {kind} {named(rare)} are recognised"
    if metric == "minority":
        return f"{what} of the classes counted as smallest, though all are as large, are recognised"
    return f"{what} are recognised{', every class counting alike,' * (metric == 'balanced')}"
