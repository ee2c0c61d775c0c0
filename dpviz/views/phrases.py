"""Phrases that the answers of several pages share: natural frequencies, metrics, methods."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from dpviz import privacy
from dpviz.data.imbalance import minority_classes
from dpviz.diagnostics import attack_bound
from dpviz.formatting import listed, literal
from dpviz.privacy.trade_off import one_choice
from dpviz.stats import Interval
from dpviz.text import guarantee as text
from dpviz.text.template import render, render_text
from dpviz.types import Guarantee

MAX_NAMES = 4
"""Classes that are named one by one."""


def hundredths(share: float) -> int:
    """A share in whole hundredths; all and nothing are kept for what is exactly so."""
    nearest = math.floor(100 * share + 0.5)
    if 0 < share < 1:
        return min(max(nearest, 1), 99)
    return nearest


def out_of_100(share: float) -> str:
    """A share in whole hundredths for a sentence: ``70``, or ``less than 1``."""
    return "less than 1" if 0 < share < 0.005 else str(hundredths(share))


def score_text(score: Interval, precise: bool) -> str:
    """Return the value of a tile: ``70%``, with its interval in precise wording."""
    return render_text("{score:interval}" if precise else "{score:percent}", score=score)


def times(share: float) -> str:
    """``**70 times in 100**``, ``**once in 100**`` or less, in Markdown."""
    if 0 < share < 0.005:
        return "**less than once in 100**"
    often = hundredths(share)
    return "**once in 100**" if often == 1 else f"**{often} times in 100**"


def guess(guarantees: Sequence[Guarantee]) -> str:
    """Return the attacker's best guess after the weakest of some guarantees, in Markdown.

    The sentence has no full stop.
    """
    weakest = max(guarantees, key=attack_bound.success_bound)
    share = attack_bound.success_bound(weakest)
    case = "none" if share == 1 else "nearly" if share > 0.999 else "limited"
    return render(text.GUESS[case], subject=subject_text(weakest), guess=share)


def bounded_range(guarantee: Guarantee, method: str) -> str:
    """Return why the best guess is lower than pure DP alone allows, as plain text; "" otherwise.

    Args:
        method: title of the method, in a sentence.
    """
    if not one_choice(guarantee):
        return ""
    pure = replace(guarantee, bounded_range=False)
    return render_text(
        text.BOUNDED_RANGE,
        method=method,
        guess=attack_bound.success_bound(guarantee),
        pure=attack_bound.success_bound(pure),
    )


def guess_basis(guarantee: Guarantee) -> str:
    """Return the kind of guarantee and its δ, on which the best guess depends; "" without one."""
    if math.isinf(guarantee.value):
        return ""
    case = "one_choice" if one_choice(guarantee) else guarantee.notion
    if guarantee.sampled is not None:
        case = "sampled"
    return render_text(text.GUESS_BASIS[case], delta=guarantee.delta)


def subject_text(guarantee: Guarantee) -> str:
    """Return what a guess is about: ``whether your image was used``."""
    key = {
        privacy.ADD_REMOVE_PERSON: "person",
        privacy.REPLACE_PERSON: "person_replaced",
        privacy.REPLACE_IN_CLASS: "image_in_class",
    }.get(guarantee.adjacency, "image")
    return text.SUBJECTS[key]


def class_list(names: Sequence[str]) -> str:
    """Classes in a sentence: ``3, 7 and 9``, or how many they are."""
    escaped = [literal(name) for name in names]
    if len(escaped) > MAX_NAMES:
        return f"{', '.join(escaped[: MAX_NAMES - 1])} and {len(escaped) - MAX_NAMES + 1} more"
    return listed(escaped)


def group_text(metric: str, rare: Sequence[str]) -> str:
    """Whose accuracy a score is: ``pictures of the rare classes (3, 7 and 9) are recognized``."""
    if metric == "minority":
        classes = f"rare classes ({class_list(rare)})" if rare else "classes counted as smallest"
        return f"pictures of the {classes} are recognized"
    subject = "a picture of the average class" if metric == "balanced" else "a picture"
    return f"{subject} is recognized"


def untested(rare: Sequence[str] = ()) -> str:
    """Say, in Markdown, that no test record is of the rare classes, whose accuracy is asked for."""
    classes = f" ({class_list(rare)})" if rare else ""
    return (
        f"The rare classes{classes} have no test records, so their accuracy is **not known**."
        " Choose another value of **Accuracy on**."
    )


def rare_class_names(names: Sequence[str], counts: Sequence[int], draw: int = 0) -> tuple[str, ...]:
    """Names of the smallest quarter of the classes; none where all are as large.

    Args:
        draw: the data draw whose class order decides between classes of one size.
    """
    if len(set(counts)) < 2:
        return ()
    return tuple(names[c] for c in minority_classes(tuple(counts), draw))


RIVAL = "noisy-gd"
"""What a method is compared with where it is drawn: the usual way to train privately."""


def title_in_sentence(title: str) -> str:
    """A title inside a sentence: names stay, a description such as "Private linear probe" gets its
    article.
    """
    first = title.split()[0]
    return f"the {title[0].lower()}{title[1:]}" if first[1:].islower() and " " in title else title


def guesses(points: Sequence[Interval], chance: float) -> bool:
    """Whether noise lets us tell none of these from guessing, or from less than that."""
    return all(point.runs > 1 and point.low <= chance for point in points)
