"""What a class gained, question by question and as a whole, with what can be told from so many.

Source: gain of the mean person, Hake 1998 (why of the mean: Navarrete et al. 2024, arXiv
2407.07730); exact test of paired shares, McNemar 1947; Holm 1979; discrimination as the correlation
of a question with the rest of the score.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.formatting import points
from dpviz.lazy_imports import special
from dpviz.stats import Difference, difference, holm, interval
from dpviz.views.questions import AFTER, BEFORE, LETTERS, QUESTIONS, SURE, Choice
from dpviz.views.questions.class_files import Answer

#: Persons with both times below which nothing is told: neither of the class, nor of anyone in it.
MIN_PEOPLE = 5
#: Persons below which a correlation says nothing.
MIN_CORRELATION_PEOPLE = 20


@dataclass(frozen=True, eq=False)
class Pairs:
    """Those who answered every question both times.

    Attributes:
        people: their ids; before, after: (n, questions) bool, right or not; sure_before,
            sure_after: (n, questions), expected share right; incomplete: how many others there are.
    """

    people: tuple[str, ...]
    before: np.ndarray
    after: np.ndarray
    sure_before: np.ndarray
    sure_after: np.ndarray
    incomplete: int


@dataclass(frozen=True)
class Item:
    """One question.

    Attributes:
        key, gist: its own; before, after: share right; won, lost: how many came to know it, or no
            longer did; p: of won against lost, for all questions together (Holm);
            discrimination: correlation with the rest of the score after the lessons, None where it
            cannot be told.
    """

    key: str
    gist: str
    before: float
    after: float
    won: int
    lost: int
    p: float
    discrimination: float | None

    @property
    def significant(self) -> bool:
        """Whether the gain, or loss, is more than chance."""
        return self.p <= 0.05


def pairs(answers: Sequence[Answer]) -> Pairs:
    """Who can be compared with themselves."""
    by_person: dict[str, dict[tuple[str, int], Answer]] = {}
    for answer in answers:
        by_person.setdefault(answer.person, {})[answer.when, answer.item] = answer
    places = [(when, item) for when in (BEFORE, AFTER) for item in range(len(QUESTIONS))]
    complete = {
        person: [answers_of_person[p] for p in places]
        for person, answers_of_person in by_person.items()
        if len(answers_of_person) == len(places)
    }
    shape = (len(complete), 2, len(QUESTIONS))
    right = np.array([[a.right for a in row] for row in complete.values()], bool).reshape(shape)
    sure = np.array([[a.sure / 100 for a in row] for row in complete.values()]).reshape(shape)
    return Pairs(
        tuple(complete),
        right[:, 0],
        right[:, 1],
        sure[:, 0],
        sure[:, 1],
        len(by_person) - len(complete),
    )


def gain(both: Pairs) -> Difference:
    """Mean share right after less before, person by person, with Student's t."""
    return _paired(both.before.mean(1), both.after.mean(1))


def overconfidence(sure: np.ndarray, right: np.ndarray) -> Difference:
    """Mean expected share right less the share that was, person by person: above 0 is too sure."""
    return _paired(right.mean(1), sure.mean(1))


def _paired(first: np.ndarray, second: np.ndarray) -> Difference:
    return difference(interval(first.tolist()), interval(second.tolist()), paired=True)


def normalised(both: Pairs) -> float | None:
    """Gain of the mean person, of what was left to gain; None where nothing was."""
    before, after = float(both.before.mean()), float(both.after.mean())
    return None if before == 1 else (after - before) / (1 - before)


def items(both: Pairs) -> tuple[Item, ...]:
    """Each question."""
    won = (~both.before & both.after).sum(0)
    lost = (both.before & ~both.after).sum(0)
    p = holm([sign_test(int(w), int(x)) for w, x in zip(won, lost, strict=True)])
    return tuple(
        Item(
            question.key,
            question.gist,
            float(both.before[:, i].mean()),
            float(both.after[:, i].mean()),
            int(won[i]),
            int(lost[i]),
            p[i],
            discrimination(both.after, i),
        )
        for i, question in enumerate(QUESTIONS.values())
    )


def sign_test(won: int, lost: int) -> float:
    """Two-sided p-value of so many changes for the better and for the worse, by fair coins: exact
    (McNemar).
    """
    return min(1.0, 2 * float(special.bdtr(min(won, lost), won + lost, 0.5))) if won + lost else 1.0


def discrimination(right: np.ndarray, item: int) -> float | None:
    """Correlation (n, questions) of one with the score in the others."""
    item_right, rest = right[:, item].astype(float), np.delete(right, item, axis=1).mean(1)
    if len(item_right) < MIN_CORRELATION_PEOPLE or item_right.std() == 0 or rest.std() == 0:
        return None
    return float(np.corrcoef(item_right, rest)[0, 1])


def chosen(answers: Sequence[Answer], people: Sequence[str]) -> list[dict[str, object]]:
    """Rows of how often each option was chosen, by question, form and time, with what it says."""
    in_pairs = set(people)
    counts = Counter((a.item, a.form, a.when, a.answer) for a in answers if a.person in in_pairs)
    rows: list[dict[str, object]] = []
    for i, question in enumerate(QUESTIONS.values()):
        for name in ("A", "B"):
            form = question.form(name)
            if isinstance(form, Choice):
                rows += [
                    {
                        "question": question.gist,
                        "form": name,
                        "option": option,
                        "right": "yes" if place == form.right else "",
                        BEFORE: counts[i, name, BEFORE, LETTERS[place]],
                        AFTER: counts[i, name, AFTER, LETTERS[place]],
                    }
                    for place, option in enumerate(form.options)
                ]
    return rows


def calibration(sure: np.ndarray, right: np.ndarray) -> list[tuple[int, int, float]]:
    """Of each confidence that was given: its key in SURE, how many answers, and the share right."""
    points = []
    for level in SURE:
        place = np.isclose(sure, level / 100)
        if place.any():
            points.append((level, int(place.sum()), float(right[place].mean())))
    return points


def by_order(answers: Sequence[Answer], both: Pairs) -> dict[str, tuple[int, float, float]]:
    """By the form that came first: how many people, and their mean share right before and after."""
    first = {a.person: a.form for a in answers if a.when == BEFORE and a.item == 0}
    rows = {}
    for form in ("A", "B"):
        place = np.array([first[person] == form for person in both.people], bool)
        if place.any():
            means = float(both.before[place].mean()), float(both.after[place].mean())
            rows[form] = (int(place.sum()), *means)
    return rows


NOTHING = (
    "From so few nothing can be told of a class, and too much of those in it; from"
    f" {MIN_PEOPLE} people on, this page says what they gained."
)


def too_few(both: Pairs) -> str:
    """Why there is nothing to see, or ""."""
    n = len(both.people)
    if n >= MIN_PEOPLE:
        return ""
    count = {0: "Nobody", 1: "One person"}.get(n, f"{n} people")
    return f"**{count} answered all questions both times.** {NOTHING}{_other_pairs(both)}"


def _other_pairs(both: Pairs) -> str:
    if not both.incomplete:
        return ""
    single = both.incomplete == 1
    return (
        f" {both.incomplete} more {'has' if single else 'have'} answered once, or not all"
        f" questions, and {'is' if single else 'are'} left out."
    )


def plainly(both: Pairs) -> str:
    """The gain in whole numbers."""
    total, difference = both.before.shape[1], gain(both)
    before, after = (total * float(each.mean()) for each in (both.before, both.after))
    start = (
        f"Of {total} questions these **{len(both.people)} people** had **{before:.1f}** right"
        f" before the lessons and **{after:.1f}** after."
    )
    if difference.p > 0.05:
        return (
            f"{start} So small a difference can be chance in a class of this size."
            f"{_other_pairs(both)}"
        )
    if difference.half == 0:
        return f"{start}{_other_pairs(both)}"
    ends = sorted(abs(total * (difference.gap + sign * difference.half)) for sign in (-1, 1))
    addition = "more" if difference.gap > 0 else "fewer"
    return (
        f"{start} For a class like this that is between {ends[0]:.1f} and {ends[1]:.1f} {addition}."
        f"{_other_pairs(both)}"
    )


def precisely(both: Pairs) -> str:
    """The same with its interval, its p-value and the normalised gain."""
    difference, left = gain(both), normalised(both)
    share = (
        ""
        if left is None or left <= 0
        else f" Of what was left to gain, the mean person gained {left:.0%}"
    )
    if share:
        share = f"{share} (normalised gain)."
    return (
        f"Gain {_with_interval(difference)}, the 95% interval from {len(both.people)} people"
        f" paired with themselves (Student's t, p {_p(difference.p)}).{share} {kinds(both)}"
    )


def kinds(both: Pairs) -> str:
    """Facts and new situations, each with its gain."""
    texts = []
    for transfer, name in ((False, "Facts"), (True, "new situations")):
        place = [
            i for i, question in enumerate(QUESTIONS.values()) if question.transfer == transfer
        ]
        difference = gain(
            dataclasses.replace(both, before=both.before[:, place], after=both.after[:, place])
        )
        texts.append(f"{name} ({len(place)} questions): {_with_interval(difference)}")
    return f"{'; '.join(texts)}."


def _with_interval(difference: Difference) -> str:
    if math.isinf(difference.half) or difference.half == 0:
        return (
            f"{points(difference.gap, math.inf)} (the same for all, so that its interval is open)"
        )
    return points(difference.gap, difference.half)


def _p(p: float) -> str:
    return "below 0.001" if p < 0.001 else f"= {p:.2g}"


def sureness(both: Pairs) -> str:
    """Whether the class knew what it knew."""
    texts = [
        _sureness("before", both.sure_before, both.before),
        _sureness("after", both.sure_after, both.after),
    ]
    return " ".join(texts)


def _sureness(when: str, sure: np.ndarray, right: np.ndarray) -> str:
    difference = overconfidence(sure, right)
    start = (
        f"{when.capitalize()} the lessons the mean answer was expected to be right"
        f" {100 * float(sure.mean()):.0f} times in 100 and was {100 * float(right.mean()):.0f}"
    )
    if difference.p > 0.05:
        return f"{start}: about as sure as right."
    return f"{start}: {'too sure' if difference.gap > 0 else 'not sure enough'}."


def changed_questions(items: tuple[Item, ...]) -> str:
    """Which questions gained for certain."""
    up = [item.gist for item in items if item.significant and item.after > item.before]
    down = [item.gist for item in items if item.significant and item.after < item.before]
    if not up and not down:
        return (
            "No single question moved by more than chance, all looked at together (exact test of"
            " paired answers, Holm)."
        )
    texts = [f"more right: {', '.join(up)}"] * bool(up) + [f"less right: {', '.join(down)}"] * bool(
        down
    )
    return (
        f"By more than chance, all looked at together (exact test of paired answers, Holm):"
        f" {'; '.join(texts)}."
    )
