"""What the page "Attacker's view" says to someone who knows no statistics."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dpviz.diagnostics import attack_bound
from dpviz.diagnostics.attack_statistics import SHARE, Informed
from dpviz.diagnostics.membership_attack import Attack
from dpviz.types import DataConfig, Guarantee
from dpviz.views.natural_frequencies import at_most, guess, limit, out_of_100, times

LOSS_ATTACK_CAPTION = (
    "The higher a line, the more used pictures are found; the straight dotted line is a coin. No"
    " attack on a private method, however clever, gets above the line named so. What is drawn is"
    " one attack of many, and its average hides whom it works best on. Move **Budget ε** first."
)
CHANCE_TEXT = "no more often than a coin, as far as luck lets us tell"


def loss_attack_answer(
    promises: Sequence[Guarantee],
    of: DataConfig,
    prior: float,
    title: str,
    noisy: Attack | None,
    quiet: Attack | None,
    titles: Sequence[str] = (),
) -> str:
    """The limit for every attack, and what the one tried here does and does not show.

    Args:
        promises: of the methods drawn; prior: what an attacker holds beforehand.
        titles: of the methods that promise; title: of the one that was attacked, with
            noise and without; None for what is not there.
    """
    limit = f"{guess(promises, titles)}."
    parts = (limit, _prior_text(promises, prior), _attack_text(of, title, noisy, quiet))
    return " ".join(filter(None, parts))


def _prior_text(promises: Sequence[Guarantee], prior: float) -> str:
    """The limit for someone who knew something beforehand."""
    if prior == 0.5:
        return ""
    right = max(attack_bound.most_right(promise, prior) for promise in promises)
    return (
        f"Someone who held it for {100 * prior:.0f} in 100 likely beforehand {limit(right)};"
        f" without the result, {at_most(max(prior, 1 - prior))}."
    )


def _attack_text(of: DataConfig, title: str, noisy: Attack | None, quiet: Attack | None) -> str:
    """One attack on the method without noise, first on those it works best on, whom its average
    hides; and on those with noise.
    """
    if quiet is None:
        return ""
    one = "picture" if of.unit == "picture" else "person"
    if quiet.everyone is None or quiet.easiest is None:
        return (
            "The attack drawn is one of many, and an average: it does not tell how easily the"
            f" strangest {one} is found."
        )
    best = _success_text(quiet.easiest)
    start = (
        f"Without noise there is no such limit: one attack on {title} is right {best}"
        f" about the one {one} in {round(1 / SHARE)} that it works best on{_average_text(quiet)}."
    )
    if noisy is None or noisy.easiest is None:
        return start
    return (
        f"{start} With noise, about those that it works best on then, the same attack is right"
        f" {_success_text(noisy.easiest)}."
    )


def _average_text(quiet: Attack) -> str:
    """What the same attack reaches on average, and whether that hides those it works best on."""
    all_of_them, best = quiet.everyone, quiet.easiest
    assert all_of_them is not None and best is not None
    if best.right - all_of_them.right > 2 * math.hypot(best.unsure, all_of_them.unsure):
        return f", though its average over all, {out_of_100(all_of_them.right)} in 100, hides them"
    return f", and {out_of_100(all_of_them.right)} in 100 on average over all"


def _success_text(found: Informed) -> str:
    """How often an attack is right, or that luck lets nobody tell it from a coin."""
    return CHANCE_TEXT if found.right - 0.5 <= 2 * found.unsure else times(found.right)
