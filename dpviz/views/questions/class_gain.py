"""What a class gained, question by question and as a whole, with what can be told from so many.

Source: gain of the mean person, Hake 1998 (why of the mean: Navarrete et al. 2024, arXiv
2407.07730); exact test of paired shares, McNemar 1947; Holm 1979; discrimination as the correlation
of a question with the rest of the score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.lazy_imports import special
from dpviz.stats import Difference, difference, holm, interval
from dpviz.views.questions import QUESTIONS
from dpviz.views.questions.class_files import Answer
from dpviz.views.questions.model import AFTER, BEFORE, LETTERS, SURE, Choice

#: Persons with both times below which nothing is told: neither of the class, nor of anyone in it.
MIN_PEOPLE = 5
#: Persons below which a correlation says nothing.
MIN_CORRELATION_PEOPLE = 20


@dataclass(frozen=True, eq=False)
class Pairs:
    """Those who answered every question both times.

    Attributes:
        people: their ids; before, after: (n, questions) bool, right or not; sure_before,
            sure_after: (n, questions), expected share right; partly: how many others there are.
    """

    people: tuple[str, ...]
    before: np.ndarray
    after: np.ndarray
    sure_before: np.ndarray
    sure_after: np.ndarray
    partly: int


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
    for one in answers:
        by_person.setdefault(one.person, {})[one.when, one.item] = one
    places = [(when, item) for when in (BEFORE, AFTER) for item in range(len(QUESTIONS))]
    whole = {
        person: [answers_of_person[p] for p in places]
        for person, answers_of_person in by_person.items()
        if len(answers_of_person) == len(places)
    }
    shape = (len(whole), 2, len(QUESTIONS))
    right = np.array([[a.right for a in row] for row in whole.values()], bool).reshape(shape)
    sure = np.array([[a.sure / 100 for a in row] for row in whole.values()]).reshape(shape)
    return Pairs(
        tuple(whole),
        right[:, 0],
        right[:, 1],
        sure[:, 0],
        sure[:, 1],
        len(by_person) - len(whole),
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
    one, rest = right[:, item].astype(float), np.delete(right, item, axis=1).mean(1)
    if len(one) < MIN_CORRELATION_PEOPLE or one.std() == 0 or rest.std() == 0:
        return None
    return float(np.corrcoef(one, rest)[0, 1])


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
                        "right": "yes" if at == form.right else "",
                        BEFORE: counts[i, name, BEFORE, LETTERS[at]],
                        AFTER: counts[i, name, AFTER, LETTERS[at]],
                    }
                    for at, option in enumerate(form.options)
                ]
    return rows


def calibration(sure: np.ndarray, right: np.ndarray) -> list[tuple[int, int, float]]:
    """Of each confidence that was given: its key in SURE, how many answers, and the share right."""
    points = []
    for level in SURE:
        at = np.isclose(sure, level / 100)
        if at.any():
            points.append((level, int(at.sum()), float(right[at].mean())))
    return points


def by_order(answers: Sequence[Answer], both: Pairs) -> dict[str, tuple[int, float, float]]:
    """By the form that came first: how many people, and their mean share right before and after."""
    first = {a.person: a.form for a in answers if a.when == BEFORE and a.item == 0}
    rows = {}
    for form in ("A", "B"):
        at = np.array([first[person] == form for person in both.people], bool)
        if at.any():
            means = float(both.before[at].mean()), float(both.after[at].mean())
            rows[form] = (int(at.sum()), *means)
    return rows
