"""Gain of a class between two tests, per question and in total, with its uncertainty.

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
from dpviz.text import questions as text
from dpviz.text.template import render, render_text
from dpviz.views.questions import AFTER, BEFORE, LETTERS, QUESTIONS, SURE, Choice
from dpviz.views.questions.class_files import Answer

#: Minimum number of people with both tests for any result, to protect each of them.
MIN_PEOPLE = 5
#: Minimum number of people for a correlation.
MIN_CORRELATION_PEOPLE = 20


@dataclass(frozen=True, eq=False)
class Pairs:
    """People who completed both tests.

    Attributes:
        people: their ids.
        before, after: whether each answer is right, bool of shape (n, questions).
        sure_before, sure_after: expected shares of right answers, (n, questions).
        incomplete: number of other people.
    """

    people: tuple[str, ...]
    before: np.ndarray
    after: np.ndarray
    sure_before: np.ndarray
    sure_after: np.ndarray
    incomplete: int


@dataclass(frozen=True)
class Item:
    """Results of one question.

    Attributes:
        key, gist: of the question.
        before, after: shares of right answers.
        won, lost: people who changed to a right or to a wrong answer.
        p: Holm-adjusted p-value of ``won`` against ``lost``.
        discrimination: correlation with the rest of the second score, None for too few people.
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
        """Whether the change is significant."""
        return self.p <= 0.05


def pairs(answers: Sequence[Answer]) -> Pairs:
    """Return the people who completed both tests."""
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
    """Return the mean change of the share right, with Student's paired t."""
    return _paired(both.before.mean(1), both.after.mean(1))


def overconfidence(sure: np.ndarray, right: np.ndarray) -> Difference:
    """Return the mean expected share right minus the actual one: above 0 is too sure."""
    return _paired(right.mean(1), sure.mean(1))


def _paired(first: np.ndarray, second: np.ndarray) -> Difference:
    return difference(interval(first.tolist()), interval(second.tolist()), paired=True)


def normalised(both: Pairs) -> float | None:
    """Return the gain of the mean person divided by the possible gain; None if nothing was left."""
    before, after = float(both.before.mean()), float(both.after.mean())
    return None if before == 1 else (after - before) / (1 - before)


def items(both: Pairs) -> tuple[Item, ...]:
    """Return the results of each question."""
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
    """Return the exact two-sided p-value of McNemar's test."""
    return min(1.0, 2 * float(special.bdtr(min(won, lost), won + lost, 0.5))) if won + lost else 1.0


def discrimination(right: np.ndarray, item: int) -> float | None:
    """Return the correlation of one question with the score in the others."""
    item_right, rest = right[:, item].astype(float), np.delete(right, item, axis=1).mean(1)
    if len(item_right) < MIN_CORRELATION_PEOPLE or item_right.std() == 0 or rest.std() == 0:
        return None
    return float(np.corrcoef(item_right, rest)[0, 1])


def chosen(answers: Sequence[Answer], people: Sequence[str]) -> list[dict[str, object]]:
    """Return a table of how often each option was chosen, by question, form and time."""
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
    """Return for each level of ``SURE`` its key, the number of answers, and the share right."""
    points = []
    for level in SURE:
        place = np.isclose(sure, level / 100)
        if place.any():
            points.append((level, int(place.sum()), float(right[place].mean())))
    return points


def by_order(answers: Sequence[Answer], both: Pairs) -> dict[str, tuple[int, float, float]]:
    """Return by first form the number of people and their mean shares right."""
    first = {a.person: a.form for a in answers if a.when == BEFORE and a.item == 0}
    rows = {}
    for form in ("A", "B"):
        place = np.array([first[person] == form for person in both.people], bool)
        if place.any():
            means = float(both.before[place].mean()), float(both.after[place].mean())
            rows[form] = (int(place.sum()), *means)
    return rows


@dataclass(frozen=True)
class GainText:
    """The sentences and tiles of a class's gain.

    Attributes:
        plain, precise: the answer at both levels of detail, in Markdown.
        notes: further sentences, in Markdown.
        tiles: label, value, note and help of each tile.
    """

    plain: str
    precise: str
    notes: tuple[str, ...]
    tiles: tuple[tuple[str, str, str, str], ...]


def too_few(both: Pairs) -> str:
    """Return why there are no results for so few people; empty if there are enough."""
    if len(both.people) >= MIN_PEOPLE:
        return ""
    counts = {"people": len(both.people), "least": MIN_PEOPLE}
    return _joined([text.ANSWERS["few"].fill(False, **counts), *_left_out(both)])


def gain_text(both: Pairs) -> GainText:
    """Return how a class's score changed."""
    total, change = both.before.shape[1], gain(both)
    before, after = (total * float(each.mean()) for each in (both.before, both.after))
    same = math.isinf(change.half) or change.half == 0
    case = "equal_gain" if same else "gain" if change.p <= 0.05 else "no_gain"
    fields = {
        "questions": total,
        "people": len(both.people),
        "before": f"{before:.1f}",
        "after": f"{after:.1f}",
        "gain": points(change.gap, math.inf if same else change.half),
        "p": _p(change.p),
    }
    plain, precise = (text.ANSWERS[case].fill(level, **fields) for level in (False, True))
    notes = kinds(both)
    if case == "gain":
        low, high = (total * (change.gap + sign * change.half) for sign in (-1, 1))
        notes.insert(0, render(text.GAIN_RANGE, low=_signed(low), high=_signed(high)))
    return GainText(plain, precise, (*notes, *_left_out(both)), _tiles(both, before, after))


def _tiles(both: Pairs, before: float, after: float) -> tuple[tuple[str, str, str, str], ...]:
    labels, notes = text.TILES, text.TILE_NOTES
    questions = render_text(notes["questions"], questions=both.before.shape[1])
    left = normalised(both)
    share = "–" if left is None else render_text("{share:percent}", share=left)
    return (
        (labels["before"], f"{before:.1f}", questions, ""),
        (labels["after"], f"{after:.1f}", questions, ""),
        (labels["gain"], share, notes["gain"], text.TILE_HELP["gain"]),
        (labels["people"], str(len(both.people)), notes["people"], ""),
    )


def _left_out(both: Pairs) -> list[str]:
    return [render(text.INCOMPLETE, people=both.incomplete)] if both.incomplete else []


def _joined(sentences: Sequence[str]) -> str:
    return " ".join(sentences)


def kinds(both: Pairs) -> list[str]:
    """Return the gain in facts and in new situations."""
    sentences = []
    for transfer, template in ((False, text.FACTS), (True, text.NEW_SITUATIONS)):
        place = [
            i for i, question in enumerate(QUESTIONS.values()) if question.transfer == transfer
        ]
        change = gain(
            dataclasses.replace(both, before=both.before[:, place], after=both.after[:, place])
        )
        sentences.append(render(template, questions=len(place), gain=_with_interval(change)))
    return sentences


def _with_interval(change: Difference) -> str:
    if math.isinf(change.half) or change.half == 0:
        return render_text(text.OPEN_INTERVAL, gain=points(change.gap, math.inf))
    return points(change.gap, change.half)


def _signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", "−")


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.2g}"


def sureness(both: Pairs) -> str:
    """Return whether the class's certainty matched its answers, before and after."""
    times = ((BEFORE, both.sure_before, both.before), (AFTER, both.sure_after, both.after))
    return _joined([_sureness(*time) for time in times])


def _sureness(when: str, sure: np.ndarray, right: np.ndarray) -> str:
    change = overconfidence(sure, right)
    case = "equal" if change.p > 0.05 else "over" if change.gap > 0 else "under"
    return render(text.SURENESS[when, case], expected=float(sure.mean()), right=float(right.mean()))


def changed_questions(items: tuple[Item, ...]) -> str:
    """Return which questions changed significantly."""
    up = [item.gist for item in items if item.significant and item.after > item.before]
    down = [item.gist for item in items if item.significant and item.after < item.before]
    sentences = [render(text.IMPROVED, questions=up)] if up else []
    sentences += [render(text.WORSENED, questions=down)] if down else []
    return _joined(sentences or [text.NO_CHANGE])
