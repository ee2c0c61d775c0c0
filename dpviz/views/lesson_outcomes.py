"""What a lesson's links show, and what came true of a prediction."""

from __future__ import annotations

from urllib.parse import urlencode

from dpviz.data import DATASETS, suiting_encoder
from dpviz.methods import METHODS
from dpviz.stats import Interval, difference, told_apart
from dpviz.types import Budget, RunSpec
from dpviz.views.accuracy_sentence import named
from dpviz.views.lessons.model import Lesson, Outcome, Step
from dpviz.words import METRICS, percent, points

SEEDS = 5
CHANGES = {
    "up": "It rises by more than 5 points",
    "same": "It stays within 5 points",
    "down": "It falls by 5 to 20 points",
    "lost": "It falls by more than 20 points",
}


def address(lesson: Lesson, at: int, said: str = "") -> str:
    """Link of a step (counted from 0), relative to any page."""
    step = lesson.steps[at]
    more = {"lesson": lesson.key, "step": str(at + 1)} | ({"said": said} if said else {})
    return f"./{step.page}?{urlencode(dict(step.link) | more)}"


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
    return RunSpec(
        dataset,
        encoder,
        method,
        Budget(float(link["eps"])),
        ir=float(link["ir"]),
        params=params,
        seed=seed,
        public=link.get("pub"),
    )


def groups(before: Step, after: Step) -> list[tuple[RunSpec, ...]]:
    """The runs on both sides of a prediction."""
    ask = before.ask
    pairs = ((before, ask.method), (after, ask.then or ask.method))
    return [tuple(spec(step, method, seed) for seed in range(SEEDS)) for step, method in pairs]


def change(apart: float) -> str:
    """The key of ``CHANGES`` that a difference of accuracies (a fraction) falls under."""
    return (
        "up" if apart > 0.05 else "same" if apart >= -0.05 else "down" if apart >= -0.2 else "lost"
    )


def verdict(ask: Outcome, before: Interval, after: Interval, said: str) -> str:
    """What came true, in Markdown, beside what was said (a key of ``CHANGES``, or anything else for
    nothing).
    """
    found = difference(before, after)
    true = change(found.apart)
    who = f"{METRICS[ask.score]} accuracy of {named(METHODS[ask.method].title)}"
    to = f" to {named(METHODS[ask.then].title)}'s" if ask.then else " to"
    apart = points(found.apart, found.half) + ("" if told_apart([found])[0] else ", within noise")
    came = (
        f"{who}: from **{percent(before)}**{to} **{percent(after)}**, {apart} (95 % interval from"
        f" {before.runs} noise seeds and the test records together)."
    )
    if said not in CHANGES:
        return came
    right = "That is what happened." if said == true else f"What happened: it {_words(true)}."
    return f"You said: *it {_words(said)}*. **{right}** {came}"


def _words(key: str) -> str:
    return CHANGES[key].removeprefix("It ")
