"""Lessons from ``dpviz/content/lessons``: their model, and the verdicts on predictions.

A step sets the controls by its link, says what to look at, and may ask for a prediction. The result
is computed from the settings of a step and the next one. A test compares it with the words.
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
from dpviz.types import Budget, RunSpec
from dpviz.views.phrases import title_in_sentence


@dataclass(frozen=True)
class Outcome:
    """What does the next step change?

    Attributes:
        text: the question; method, score: whose accuracy of which kind (a key of METRICS) is
            compared;
        then: the method of the next step, where it is another;
        comes: what the next step's words take for granted, a key of ``CHANGES``.
    """

    text: str
    method: str
    score: str = "minority"
    then: str | None = None
    comes: str = ""


@dataclass(frozen=True)
class Reason:
    """Why is it so? Its evidence is what the next step shows.

    Attributes:
        text: the question; options: what may be chosen, each a whole sentence;
        right: the place of the right one, from 0;
        why: said after the choice, whatever was chosen.
    """

    text: str
    options: tuple[str, ...]
    right: int
    why: str


@dataclass(frozen=True)
class Drawing:
    """How does the curve run? It is drawn by hand, then the true one is laid over it.

    Attributes:
        text: the question;
        over: what stands along the chart: a setting of the runs ("eps", "ir", "records",
            "per_person"), or what the formula takes;
        values: the places at which the curve is drawn, increasing;
        method, score: whose accuracy of which kind, for ``curve`` "runs";
        curve: "runs", computed with this step's other settings, or a key of
            ``drawings.CURVES``, a formula;
        gap: explains where people usually draw it wrong.
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
    """One view.

    Attributes:
        page: address of the page; link: its settings as they stand in a link;
        look: Markdown, what to look at; ask: what is predicted before the next step, if anything;
        covered: the chart is not shown, since it would give the answer away;
        at: key of the element that is scrolled into view, a chart's or a fold's.
    """

    page: str
    link: Mapping[str, str]
    look: str
    ask: Ask | None = None
    covered: bool = False
    at: str = ""


@dataclass(frozen=True)
class Lesson:
    """A handful of steps.

    Attributes:
        key: in the link; title: a question; gist: one sentence for the list;
        says: what you can say after it, each a whole sentence.
    """

    key: str
    title: str
    gist: str
    steps: tuple[Step, ...] = field(repr=False)
    says: tuple[str, ...] = field(default=(), repr=False)


PATH = (
    "promise",
    "epsilon",
    "minorities",
    "encoder",
    "clipping",
    "coinpress",
    "public",
    "composition",
    "person",
    "sure",
    "teachers",
    "tuning",
    "broken",
    "caught",
)


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
    return Lesson(key, **table | lists)


LESSONS: LazyDict[str, Lesson] = LazyDict(lambda: {key: _lesson(key) for key in PATH})


SEEDS = 5
CHANGES = {
    "up": "It rises by more than 5 points",
    "same": "It stays within 5 points",
    "down": "It falls by 5 to 20 points",
    "lost": "It falls by more than 20 points",
}
#: Words that are read in a minute, and minutes of looking at a step.
PACE, LOOK = 180, 0.5


@dataclass(frozen=True)
class Verdict:
    """A prediction beside the result.

    Attributes:
        words: sentence in Markdown.
        mark: "right", "open" where the runs cannot tell, "near" and "gap" of a drawn curve,
            "wrong", or empty without a prediction.
        prediction, result: both in a few words, for the list at a lesson's end; a drawn curve has
            no prediction.
    """

    words: str
    mark: str = ""
    prediction: str = ""
    result: str = ""


def address(lesson: Lesson, place: int, prediction: str = "", **parts: str) -> str:
    """Link of a step (counted from 0), relative to any page; parts: further parts of the link."""
    step = lesson.steps[place]
    own = (
        {"lesson": lesson.key, "step": str(place + 1)}
        | ({"said": prediction} if prediction else {})
        | parts
    )
    return f"./{step.page}?{urlencode(dict(step.link) | own)}"


def end_link(lesson: Lesson, **parts: str) -> str:
    """Link of a lesson's end; parts: further parts of the link."""
    return f"./lessons?{urlencode({'ended': lesson.key} | parts)}"


def minutes(lesson: Lesson) -> int:
    """About how long a lesson takes."""
    words = sum(len(f"{s.look} {s.ask.text if s.ask else ''}".split()) for s in lesson.steps)
    return round(words / PACE + LOOK * len(lesson.steps)) or 1


def spec(step: Step, method: str, seed: int) -> RunSpec:
    """The run that a step's link shows for a method."""
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
    """A bound as a link writes it; 0 for none."""
    return 0 if word == "all" else int(word)


def runs(step: Step, method: str) -> tuple[RunSpec, ...]:
    """The runs behind one number of a lesson."""
    return tuple(spec(step, method, seed) for seed in range(SEEDS))


def groups(before: Step, ask: Outcome, after: Step) -> list[tuple[RunSpec, ...]]:
    """The runs on both sides of a prediction."""
    return [runs(before, ask.method), runs(after, ask.then or ask.method)]


def change(apart: float) -> str:
    """The key of ``CHANGES`` that a difference of accuracies (a fraction) falls under."""
    return (
        "up" if apart > 0.05 else "same" if apart >= -0.05 else "down" if apart >= -0.2 else "lost"
    )


def verdict(ask: Outcome, before: Interval, after: Interval, prediction: str) -> Verdict:
    """What came true beside what was said (a key of ``CHANGES``, or anything else for nothing)."""
    gap = difference(before, after)
    true = change(gap.gap)
    subject = f"{METRICS[ask.score]} accuracy of {title_in_sentence(METHODS[ask.method].title)}"
    to = f" to {title_in_sentence(METHODS[ask.then].title)}'s" if ask.then else " to"
    difference_text = points(gap.gap, gap.half) + (
        "" if significant_differences([gap])[0] else ", within noise"
    )
    outcome = (
        f"{subject}: from **{percent(before)}**{to} **{percent(after)}**, {difference_text} (95%"
        f" interval from {before.runs} noise seeds and the test records together)."
    )
    if prediction not in CHANGES:
        return Verdict(outcome)
    if prediction == true:
        mark, right = "right", "That is what happened."
    elif prediction in _possible(gap.gap, gap.half):
        mark = "open"
        right = f"It {_words(true)}, but these runs cannot rule out what you said."
    else:
        mark, right = "wrong", f"What happened: it {_words(true)}."
    words = f"You said: *it {_words(prediction)}*. **{right}** {outcome}"
    short = f"{percent(before)} to {percent(after)}: {_words(true)}"
    return Verdict(words, mark, _words(prediction), short)


def _possible(apart: float, half: float) -> list[str]:
    """The keys of ``CHANGES`` that the interval of a difference reaches into."""
    order = list(CHANGES)
    first, last = (order.index(change(apart + far)) for far in (half, -half))
    return order[first : last + 1]


def reason_verdict(ask: Reason, prediction: str) -> Verdict:
    """Which reason is the right one, beside the one that was chosen: its place from 0, as text."""
    right = ask.options[ask.right]
    if prediction not in map(str, range(len(ask.options))):
        return Verdict(f"The reason: *{right}* {ask.why}")
    chosen = ask.options[int(prediction)]
    if int(prediction) == ask.right:
        return Verdict(f"You said: *{chosen}* **So it is.** {ask.why}", "right", chosen, right)
    return Verdict(
        f"You said: *{chosen}* **The reason is another: {right}** {ask.why}", "wrong", chosen, right
    )


def _words(key: str) -> str:
    return CHANGES[key].removeprefix("It ")
