"""What a lesson's links show, and what came true of a prediction."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from dpviz.data import DATASETS, suiting_encoder
from dpviz.formatting import METRICS, percent, points
from dpviz.methods import METHODS
from dpviz.stats import Interval, difference, significant_differences
from dpviz.types import Budget, RunSpec
from dpviz.views.accuracy_sentence import title_in_sentence
from dpviz.views.lessons.model import Lesson, Outcome, Reason, Step

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
    """A prediction beside what came.

    Attributes:
        words: Markdown; mark: "right", "open" where the runs cannot tell, "near" and "gap" of a
            drawn curve, "wrong", or empty where nothing was said; said, came: in a few words, for
            the list at a lesson's end; a drawn curve has no ``said``.
    """

    words: str
    mark: str = ""
    said: str = ""
    came: str = ""


def address(lesson: Lesson, at: int, said: str = "", **more: str) -> str:
    """Link of a step (counted from 0), relative to any page; more: further parts of the link."""
    step = lesson.steps[at]
    own = {"lesson": lesson.key, "step": str(at + 1)} | ({"said": said} if said else {}) | more
    return f"./{step.page}?{urlencode(dict(step.link) | own)}"


def end_link(lesson: Lesson, **more: str) -> str:
    """Link of a lesson's end; more: further parts of the link."""
    return f"./lessons?{urlencode({'ended': lesson.key} | more)}"


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


def verdict(ask: Outcome, before: Interval, after: Interval, said: str) -> Verdict:
    """What came true beside what was said (a key of ``CHANGES``, or anything else for nothing)."""
    gap = difference(before, after)
    true = change(gap.apart)
    subject = f"{METRICS[ask.score]} accuracy of {title_in_sentence(METHODS[ask.method].title)}"
    to = f" to {title_in_sentence(METHODS[ask.then].title)}'s" if ask.then else " to"
    apart = points(gap.apart, gap.half) + (
        "" if significant_differences([gap])[0] else ", within noise"
    )
    came = (
        f"{subject}: from **{percent(before)}**{to} **{percent(after)}**, {apart} (95 % interval"
        f" from {before.runs} noise seeds and the test records together)."
    )
    if said not in CHANGES:
        return Verdict(came)
    if said == true:
        mark, right = "right", "That is what happened."
    elif said in _possible(gap.apart, gap.half):
        mark = "open"
        right = f"It {_words(true)}, but these runs cannot rule out what you said."
    else:
        mark, right = "wrong", f"What happened: it {_words(true)}."
    words = f"You said: *it {_words(said)}*. **{right}** {came}"
    short = f"{percent(before)} to {percent(after)}: {_words(true)}"
    return Verdict(words, mark, _words(said), short)


def _possible(apart: float, half: float) -> list[str]:
    """The keys of ``CHANGES`` that the interval of a difference reaches into."""
    order = list(CHANGES)
    first, last = (order.index(change(apart + far)) for far in (half, -half))
    return order[first : last + 1]


def reason_verdict(ask: Reason, said: str) -> Verdict:
    """Which reason is the right one, beside the one that was chosen: its place from 0, as text."""
    right = ask.options[ask.right]
    if said not in map(str, range(len(ask.options))):
        return Verdict(f"The reason: *{right}* {ask.why}")
    chosen = ask.options[int(said)]
    if int(said) == ask.right:
        return Verdict(f"You said: *{chosen}* **So it is.** {ask.why}", "right", chosen, right)
    return Verdict(
        f"You said: *{chosen}* **The reason is another: {right}** {ask.why}", "wrong", chosen, right
    )


def _words(key: str) -> str:
    return CHANGES[key].removeprefix("It ")
