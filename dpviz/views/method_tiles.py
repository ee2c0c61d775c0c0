"""Tiles that the pages of one method share: accuracy, best guess of an attacker, public images."""

from __future__ import annotations

from collections.abc import Sequence

from dpviz import privacy
from dpviz.diagnostics import attack_bound
from dpviz.stats import Interval
from dpviz.text import method_tiles as text
from dpviz.text.template import render_text
from dpviz.types import Guarantee
from dpviz.views.page_as_shown import Tile

_SUBJECTS = {
    privacy.ADD_REMOVE_PERSON: "person",
    privacy.REPLACE_PERSON: "replaced_person",
    privacy.REPLACE_IN_CLASS: "replaced_image",
}


def group_text(metric: str, rare: Sequence[str]) -> str:
    """Return which test images an accuracy counts, for a caption.

    Args:
        rare: names of the smallest classes, none where all have the same size.
    """
    return text.GROUPS["equal" if metric == "minority" and not rare else metric]


def accuracy_tile(
    metric: str, rare: Sequence[str], private: Interval, quiet: Interval, precise: bool
) -> Tile:
    """Return the accuracy with noise, and without noise below it."""
    kind = metric
    if metric == "minority":
        kind = _rare_kind(rare)
    value = render_text("{private:interval}" if precise else "{private:percent}", private=private)
    note = text.UNTESTED_NOTE
    if private.is_measured:
        note = render_text(text.ACCURACY_NOTE, quiet=quiet)
    return Tile(
        text.ACCURACY[kind], value, note, render_text(text.ACCURACY_HELP[kind], classes=rare)
    )


def _rare_kind(rare: Sequence[str]) -> str:
    if not rare:
        return "equal"
    return "digits" if all(name.isdigit() for name in rare) else "minority"


def guess_tile(guarantee: Guarantee) -> Tile:
    """Return the success of the best possible attacker."""
    value = render_text("{guess:at_most}", guess=attack_bound.success_bound(guarantee))
    subject = _SUBJECTS.get(guarantee.adjacency, "image")
    return Tile(text.GUESS, value, text.GUESS_NOTE, text.GUESS_HELP[subject])


def public_tile(public: Interval | None) -> Tile:
    """Return the accuracy of public images alone; None while it is computed."""
    if public is None:
        return Tile(text.PUBLIC, text.PENDING, text.PENDING_NOTE, text.PUBLIC_HELP)
    value = render_text("{public:percent}", public=public)
    return Tile(text.PUBLIC, value, text.PUBLIC_NOTE, text.PUBLIC_HELP)
