"""Tiles and noun phrases that Maps, Sweeps and Tuning share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from dpviz.diagnostics import attack_bound
from dpviz.stats import Interval
from dpviz.text import experiments as text
from dpviz.text.template import render_text
from dpviz.types import Guarantee
from dpviz.views import public_only
from dpviz.views.page_as_shown import Tile
from dpviz.views.phrases import guess_basis


def guess_tile(guarantees: Sequence[Guarantee]) -> Tile:
    """Return the tile of the best guess under the weakest of some guarantees."""
    weakest = max(guarantees, key=attack_bound.success_bound)
    guess = attack_bound.success_bound(weakest)
    value = text.NO_GUESS if guess == 1 else render_text("{guess:at_most}", guess=guess)
    basis = guess_basis(weakest)
    return Tile(text.GUESS, value, text.GUESS_NOTE, text.GUESS_HELP, runs=basis)


def public_tiles(
    private: Mapping[Any, Interval],
    public: Interval | None,
    notes: Mapping[int | None, str] = MappingProxyType(text.PUBLIC_NOTES),
) -> list[Tile]:
    """Return the tile of public images alone; [] while it is computed or unknown.

    Args:
        private: points of which the best is compared with it; notes: by the sign of that.
    """
    if public is None or not public.is_measured:
        return []
    sign = public_only.sign(private, public)
    value = render_text("{public:percent}", public=public)
    return [Tile(text.PUBLIC, value, notes[sign], text.PUBLIC_HELP[sign])]


def group(metric: str, rare: Sequence[str], precise: bool) -> str:
    """Return the images that an accuracy counts, as a noun phrase.

    Args:
        rare: names of the rare classes, where they are known.
    """
    if metric == "minority" and rare:
        return render_text(text.RARE_GROUP if precise else text.RARE_GROUP_PLAIN, classes=rare)
    return (text.GROUPS if precise else text.GROUPS_PLAIN)[metric]
