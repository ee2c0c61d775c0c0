"""Sentences of the page "Who pays" in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.types import DataConfig, Guarantee
from dpviz.views.phrases import guess, hundredths, out_of_100

HOW_TO_READ = (
    "Each line is a group, from the one who gives away most to the one who gives away least; the"
    " line across the top is the limit, the same for all. Half of a group give away more than its"
    " middle one, half less. Move **Budget ε** first, or the **Imbalance ratio**: how much rarer"
    " some classes are."
)


@dataclass(frozen=True, eq=False)
class Spending:
    """One method's run: its name in a sentence, and (n,) by record or person: the share of the
    limit that is used up, whether it is of a rare class, and how much of it is recognised.
    """

    title: str
    share: np.ndarray
    rare: np.ndarray
    right: np.ndarray


def sentence(runs: Sequence[Spending], guarantees: Sequence[Guarantee], config: DataConfig) -> str:
    """The limit for everyone, what the middle one of a rare class and of the others gives away,
    and who is recognised.
    """
    unit = "picture" if config.unit == "picture" else "person"
    text = "; ".join(_used(run, unit, place == 0) for place, run in enumerate(runs))
    limit = guess(guarantees, [run.title for run in runs])
    scale = f"A method's limit is the same for all: call what it lets a {unit} give away 100."
    return f"{limit}. {scale} In this run {text}.{_verdict(runs[0])}"


def _used(run: Spending, unit: str, first: bool) -> str:
    if run.rare.any() and not run.rare.all():
        small, rest = (f"**{_share_text(run.share[part])}**" for part in (run.rare, ~run.rare))
        if not first:
            return f"with {run.title}, {small} and {rest}"
        return (
            f"with {run.title} the middle {unit} of a rare class gives away {small} of these 100,"
            f" the middle one of the others {rest}"
        )
    middle = f"**{_share_text(run.share)}**"
    if not first:
        return f"with {run.title}, {middle}"
    return f"with {run.title} the middle {unit} gives away {middle} of these 100"


def _share_text(share: np.ndarray) -> str:
    """The middle share in words: ``20``, or ``less than 1``."""
    return out_of_100(min(1.0, float(np.median(share))))


def _middle(share: np.ndarray) -> int:
    return hundredths(min(1.0, float(np.median(share))))


def _verdict(run: Spending) -> str:
    """Whether who spends more is recognised more often."""
    if not run.rare.any() or run.rare.all():
        return ""
    spent = [_middle(run.share[part]) for part in (run.rare, ~run.rare)]
    shares = [float(run.right[part].mean()) for part in (run.rare, ~run.rare)]
    right = [out_of_100(share) for share in shares]
    records = "the training pictures"
    if spent[0] > spent[1] and hundredths(shares[0]) < hundredths(shares[1]):
        return (
            f" With {run.title} the rare ones pay more and get less: it recognises {right[0]} in"
            f" 100 of them, {right[1]} of the others (of {records})."
        )
    return (
        f" {run.title[0].upper()}{run.title[1:]} recognises {right[0]} in 100 of the rare ones,"
        f" {right[1]} of the others (of {records})."
    )
