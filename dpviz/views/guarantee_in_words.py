"""A guarantee in words: its own notion, others, its unit, and the attacker's best guess."""

from __future__ import annotations

import math
from collections.abc import Mapping

from dpviz.data import held_aside
from dpviz.diagnostics import attack_bound
from dpviz.formatting import literal
from dpviz.text import guarantee as text
from dpviz.text.template import render, render_text
from dpviz.types import Guarantee
from dpviz.views.phrases import subject_text, title_in_sentence

#: Share from which on a best guess is as good as certain.
NEARLY = 0.999


def gain(guarantee: Guarantee) -> str:
    """Return the attacker's best guess: the headline of a card in plain mode."""
    share = attack_bound.success_bound(guarantee)
    case = "none" if share == 1 else "nearly" if share > NEARLY else "limited"
    return render_text(text.GAINS[case], guess=share)


def guess_subject(guarantee: Guarantee) -> str:
    """Return what the best guess is about."""
    case = "none" if attack_bound.success_bound(guarantee) == 1 else "limited"
    return render_text(text.GUESS_NOTES[case], subject=subject_text(guarantee))


def right_at_most(guarantee: Guarantee) -> str:
    """Return the largest share of right answers of any attacker with prior 1/2, rounded up."""
    share = attack_bound.success_bound(guarantee)
    return render_text(text.RIGHT_AT_MOST["nearly" if share > NEARLY else "limited"], guess=share)


def headline(guarantee: Guarantee) -> str:
    """Return a guarantee in its own notion."""
    return render_text(text.NOTIONS[guarantee.notion], value=guarantee.value)


def rows_of(guarantee: Guarantee, axis: str = "approx") -> list[tuple[str, str]]:
    """Return a guarantee in the other notions, with its unit, as term and text."""
    epsilon = render_text(
        text.VALUES["epsilon"], epsilon=guarantee.epsilon_delta, delta=guarantee.delta
    )
    values = {
        "guess": right_at_most(guarantee),
        "approx": epsilon,
        "zcdp": render_text(text.VALUES["rho"], rho=guarantee.rho),
        "paper": "",
        "adjacency": guarantee.adjacency,
        "unit": guarantee.unit,
        "record": _of_record(guarantee),
        "public": guarantee.public,
        "held_aside": held_aside.treated(guarantee.held_aside) if guarantee.held_aside else "",
        "steps": guarantee.schedule,
        "starts": guarantee.starts.removeprefix("at "),
        "defaults": guarantee.defaults,
        "source": guarantee.source,
    }
    if axis == "paper" and guarantee.notion == "pure":
        values["paper"] = render_text(
            text.VALUES["paper"], printed=guarantee.value / 2, pure=guarantee.value
        )
    optional = ("paper", "record", "held_aside", "steps")
    return [
        (text.ROWS[key], value) for key, value in values.items() if value or key not in optional
    ]


def _of_record(guarantee: Guarantee) -> str:
    """Return the guarantee for one record, where the guarantee is for a person."""
    if guarantee.of_record is None:
        return ""
    case = "record_weaker" if guarantee.of_record > guarantee.epsilon_delta else "record"
    return render_text(text.VALUES[case], epsilon=guarantee.of_record, delta=guarantee.delta)


def odds(guarantees: Mapping[str, Guarantee], precise: bool = True) -> str:
    """Return what the weakest guarantee leaves to an attacker, in Markdown.

    Args:
        guarantees: by title of the method.
    """
    shares = {title: attack_bound.success_bound(given) for title, given in guarantees.items()}
    title = max(shares, key=lambda title: shares[title])
    guarantee, method = guarantees[title], title
    if not precise:
        method = title_in_sentence(title)
    if min(shares.values()) < shares[title]:
        method = render_text(text.WEAKEST, method=method)
    if not precise:
        case = "plain_none" if shares[title] == 1 else "plain"
        return render(text.ODDS[case], guess=shares[title], method=method)
    sentence = literal(attack_bound.odds(guarantee).sentence)
    case = "precise" if math.isfinite(guarantee.value) else "precise_none"
    right = right_at_most(guarantee)
    return render(text.ODDS[case], odds=sentence, right=right, method=method)
