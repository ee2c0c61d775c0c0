"""Lessons from ``dpviz/content/lessons``: their model, and the verdicts on predictions.

A step sets the controls of a page by its link, explains the chart, and may ask for a prediction.
The result is computed from the settings of the step and the next one; a test compares it with the
text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from dpviz.content import LazyDict, read
from dpviz.data import DATASETS, suiting_encoder
from dpviz.formatting import METRICS, percent, points
from dpviz.methods import METHODS
from dpviz.stats import Interval, difference, significant_differences
from dpviz.text import lessons as text
from dpviz.text.template import render, render_text
from dpviz.types import Budget, RunSpec


@dataclass(frozen=True)
class Outcome:
    """A prediction of how accuracy changes with the next step.

    Attributes:
        text: the question.
        method: the method whose accuracy is compared.
        score: the kind of accuracy, a key of ``METRICS``.
        then: the method of the next step, if it differs.
        comes: the result that the next step's text assumes, a key of ``CHANGES``.
    """

    text: str
    method: str
    score: str = "minority"
    then: str | None = None
    comes: str = ""


@dataclass(frozen=True)
class Reason:
    """A question for a cause, with options.

    Attributes:
        text: the question.
        options: whole sentences to choose from.
        right: index of the right option.
        why: the explanation after every choice.
    """

    text: str
    options: tuple[str, ...]
    right: int
    why: str


@dataclass(frozen=True)
class Drawing:
    """A curve to draw by hand, before the true curve is drawn over it.

    Attributes:
        text: the question.
        over: the quantity on the horizontal axis: a setting of the runs ("eps", "ir", "records",
            "per_person"), or the argument of the formula.
        values: the increasing values at which the curve is drawn.
        method: the method whose accuracy is drawn, for ``curve`` "runs".
        score: the kind of accuracy, a key of ``METRICS``.
        curve: "runs", computed with this step's other settings, or a key of ``drawings.FORMULAS``.
        gap: the explanation of the usual errors.
    """

    text: str
    over: str
    values: tuple[float, ...]
    method: str = ""
    score: str = "minority"
    curve: str = "runs"
    gap: str = ""


Ask = Outcome | Reason | Drawing


@dataclass(frozen=True)
class Step:
    """One view of a lesson.

    Attributes:
        page: address of the page.
        link: settings of the page as in its link.
        look: the explanation, in Markdown.
        ask: the prediction before the next step, if any.
        covered: whether the chart is hidden because it shows the result.
        at: key of the element that the text speaks of; it is scrolled into view.
        control: key of the side bar's control that the text names; all others are hidden.
        class_look: the explanation in a live class, if ``look`` names what only the page shows.
    """

    page: str
    link: Mapping[str, str]
    look: str
    ask: Ask | None = None
    covered: bool = False
    at: str = ""
    control: str = ""
    class_look: str = ""

    @property
    def look_in_class(self) -> str:
        """The explanation for phones and projectors in a live class."""
        return self.class_look or self.look


@dataclass(frozen=True)
class TeacherNote:
    """What a teacher needs to know about a lesson, for the teacher alone.

    Attributes:
        aim: what students can do afterward; takeaway: the right conclusion.
        misunderstanding: a usual error, with its answer; ask: a question for discussion.
    """

    aim: str
    takeaway: str
    misunderstanding: str
    ask: str


@dataclass(frozen=True)
class Lesson:
    """Steps about one question.

    Attributes:
        key: name in links.
        title: the question.
        gist: one sentence for the list, without the result.
        steps: the steps in their order.
        says: sentences that sum the lesson up at its end.
        teacher: the note for the teacher.
    """

    key: str
    title: str
    gist: str
    steps: tuple[Step, ...] = field(repr=False)
    says: tuple[str, ...] = field(default=(), repr=False)
    teacher: TeacherNote | None = field(default=None, repr=False)


#: Lessons in their order, by chapter, a key of ``text.CHAPTERS``.
CHAPTERS = {
    "basics": ("promise", "epsilon", "minorities"),
    "accuracy": ("encoder", "clipping", "coinpress", "public"),
    "guarantees": ("composition", "person", "sure"),
    "practice": ("teachers", "tuning", "broken", "caught"),
}
PATH = tuple(key for chapter in CHAPTERS.values() for key in chapter)


def _step(table: dict[str, Any]) -> Step:
    ask: Ask | None = None
    if outcome := table.pop("outcome", None):
        ask = Outcome(**outcome)
    elif reason := table.pop("reason", None):
        ask = Reason(**reason | {"options": tuple(reason["options"])})
    elif drawing := table.pop("drawing", None):
        ask = Drawing(**drawing | {"values": tuple(drawing["values"])})
    return Step(**table, ask=ask)


def _lesson(key: str) -> Lesson:
    table = read(f"lessons/{key}.toml")
    lists = {
        "steps": tuple(_step(step) for step in table.pop("step")),
        "says": tuple(table["says"]),
    }
    teacher = TeacherNote(**table.pop("teacher"))
    return Lesson(key, **table | lists, teacher=teacher)


LESSONS: LazyDict[str, Lesson] = LazyDict(lambda: {key: _lesson(key) for key in PATH})


#: Answers to an ``Outcome``.
CHANGES = text.CHANGES
#: Noise seeds behind each number of a lesson.
SEEDS = 5
#: Words that people read per minute, and minutes per step to look at the chart.
PACE, LOOK = 180, 0.5


@dataclass(frozen=True)
class Verdict:
    """A prediction beside the result.

    Attributes:
        words: sentences in Markdown.
        mark: "right", "open" if the runs cannot decide, "near" or "gap" for a drawn curve, "wrong",
            or empty without a prediction.
        prediction: the prediction in a few words, for the end of a lesson; empty for a drawn curve.
        result: the result in a few words.
    """

    words: str
    mark: str = ""
    prediction: str = ""
    result: str = ""


def address(lesson: Lesson, place: int, prediction: str = "", **parts: str) -> str:
    """Return the link of a step (counted from 0), relative to any page; parts: more of the link."""
    step = lesson.steps[place]
    own = (
        {"lesson": lesson.key, "step": str(place + 1)}
        | ({"said": prediction} if prediction else {})
        | parts
    )
    return f"./{step.page}?{urlencode(dict(step.link) | own)}"


def end_link(lesson: Lesson, **parts: str) -> str:
    """Return the link of a lesson's end; parts: more of the link."""
    return f"./lessons?{urlencode({'ended': lesson.key} | parts)}"


def minutes(lesson: Lesson) -> int:
    """Return the approximate minutes that a lesson takes."""
    words = sum(len(f"{s.look} {s.ask.text if s.ask else ''}".split()) for s in lesson.steps)
    return round(words / PACE + LOOK * len(lesson.steps)) or 1


def spec(step: Step, method: str, seed: int) -> RunSpec:
    """Return the run of a method that a step's link shows."""
    link = step.link
    params = tuple(
        (key.partition(".")[2], value)
        for key, value in link.items()
        if key.startswith(f"{method}.")
    )
    dataset = link.get("data", next(iter(DATASETS)))
    encoder = link.get("enc", suiting_encoder(dataset))
    images_per_person = (
        link.get("k", link.get("kept", "5")) if link.get("unit") == "person" else "0"
    )
    return RunSpec(
        dataset,
        encoder,
        method,
        Budget(float(link.get("eps", "1"))),
        ir=float(link.get("ir", "1")),
        params=params,
        seed=seed,
        public=link.get("pub"),
        records=_link_bound(link.get("records", "all")),
        unit=link.get("unit", "picture"),
        per_person=_link_bound(images_per_person),
    )


def _link_bound(word: str) -> int:
    """Return a bound from a link; 0 for none."""
    return 0 if word == "all" else int(word)


def runs(step: Step, method: str) -> tuple[RunSpec, ...]:
    """Return the runs behind one number of a lesson."""
    return tuple(spec(step, method, seed) for seed in range(SEEDS))


def groups(before: Step, ask: Outcome, after: Step) -> list[tuple[RunSpec, ...]]:
    """Return the runs before and after a prediction."""
    return [runs(before, ask.method), runs(after, ask.then or ask.method)]


def change(apart: float) -> str:
    """Return the key of ``CHANGES`` for a difference of accuracies (a fraction)."""
    return (
        "up" if apart > 0.05 else "same" if apart >= -0.05 else "down" if apart >= -0.2 else "lost"
    )


def verdict(ask: Outcome, before: Interval, after: Interval, prediction: str) -> Verdict:
    """Return the result beside a prediction: a key of ``CHANGES``, or anything else for none."""
    gap = difference(before, after)
    true = change(gap.gap)
    score, start, end = METRICS[ask.score], percent(before), percent(after)
    numbers = render(
        text.OTHER_METHOD if ask.then else text.SAME_METHOD,
        score=score,
        method=METHODS[ask.method].title,
        before=start,
        after=end,
        other=METHODS[ask.then].title if ask.then else "",
    )
    apart = render(
        text.DIFFERENCE if significant_differences([gap])[0] else text.NO_DIFFERENCE,
        difference=points(gap.gap, gap.half),
        runs=before.runs,
    )
    outcome = f"{numbers} {apart}"
    if prediction not in CHANGES:
        return Verdict(outcome)
    if prediction == true:
        mark, reply = "right", text.RIGHT
    elif prediction in _possible(gap.gap, gap.half):
        mark, reply = "open", text.OPEN
    else:
        mark, reply = "wrong", text.NOT_QUITE[true]
    short = render_text(text.SHORT_RESULT, score=score, before=start, after=end)
    return Verdict(f"{reply} {outcome}", mark, CHANGES[prediction], short)


def _possible(apart: float, half: float) -> list[str]:
    """Return the keys of ``CHANGES`` that the interval of a difference reaches."""
    order = list(CHANGES)
    first, last = (order.index(change(apart + far)) for far in (half, -half))
    return order[first : last + 1]


def reason_verdict(ask: Reason, prediction: str) -> Verdict:
    """Return the right reason beside a chosen one: its index as text, or anything else for none."""
    right = ask.options[ask.right]
    if prediction not in map(str, range(len(ask.options))):
        return Verdict(render(text.REASON, right=right, why=ask.why))
    chosen = ask.options[int(prediction)]
    is_right = int(prediction) == ask.right
    template = text.REASON_RIGHT if is_right else text.REASON_WRONG
    words = render(template, right=right, chosen=chosen, why=ask.why)
    return Verdict(words, "right" if is_right else "wrong", chosen, right)
