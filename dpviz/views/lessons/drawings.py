"""Curves that are drawn by hand: the runs or formula behind the true curve, and the verdict."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dpviz import privacy
from dpviz.diagnostics import attack_bound
from dpviz.formatting import METRICS, listed, numbers, percent, spread
from dpviz.privacy import trade_off
from dpviz.stats import Interval
from dpviz.types import DELTA, Exponential, Guarantee, RunSpec
from dpviz.views.lessons import Drawing, Step, Verdict, runs

#: Points within which a hand is as good as right, and beyond which it is far off, on average.
NEAR_POINTS, FAR_POINTS = 5, 15
#: What a link keeps where the true curve was asked for without drawing.
SKIPPED = "skipped"
#: Settings of runs, as a link writes them.
LINK_KEYS = {"eps": "eps", "ir": "ir", "records": "records", "per_person": "k"}
#: What a value along the chart is; the words themselves for what is not here.
AXES = {
    "eps": "ε",
    "ir": "imbalance ratio",
    "records": "records of each class, at most",
    "per_person": "pictures of a person, at most",
    "prior": "how likely the attacker thought it before, %",
    "releases": "releases",
    "alarms": "false alarms, %",
}
#: The same with its values, in a sentence.
PLACE_TEXTS = {
    "eps": "ε = {}",
    "ir": "IR {}",
    "records": "{} record{s} a class",
    "per_person": "{} picture{s} a person",
    "prior": "a belief of {} in 100",
    "releases": "{} release{s}",
    "alarms": "{}% false alarms",
}
LOGARITHMIC = frozenset({"eps", "ir", "records", "per_person"})
#: Words of a verdict, the first three by its mark.
VERDICT_TEXTS = {
    "right": "Well drawn",
    "near": "Roughly so",
    "gap": "Far off",
    "well": (
        "**Well drawn: your curve lies within {near} points of the true one, or within its noise,"
        " everywhere.**"
    ),
    "off": (
        "**{judged}: {mean} off on average**, {where}. The largest gap{outside}, **{most}**, is at"
        " {at}: you drew {drawn}%, it is {true}{sure}."
    ),
    "high": "too high at {at}",
    "low": "too low at {at}",
    "outside": " outside the band of other noise",
    "sure": " (95% interval {spread})",
    "came": "Your curve was {mean} off on average",
}


# ------------------------------------------------------------------------------------ by a formula


def _posterior(step: Step, axis: str, value: float) -> float:
    """What an attacker may come to believe under pure ε-DP, whatever is released: its odds move by
    e^ε at most.
    """
    prior = value if axis == "prior" else float(step.link.get("prior", "50"))
    epsilon = value if axis == "eps" else float(step.link.get("eps", "1"))
    return attack_bound.odds(_pure(epsilon), prior / 100).posterior


def _truth(step: Step, axis: str, value: float) -> float:
    """How often randomised response tells the truth: e^ε / (1 + e^ε)."""
    return attack_bound.success_bound(_pure(value))


def _releases(step: Step, axis: str, value: float) -> float:
    """How often the best attacker can be right after so many releases, each with Gaussian noise
    for the step's ε and ``DELTA``: exact for that noise, below the sum of the ε.
    """
    guarantee = _gaussian(float(step.link.get("eps", "1")), round(value))
    return attack_bound.success_bound(guarantee)


def _misses(step: Step, axis: str, value: float) -> float:
    """The fewest misses that one release, with Gaussian noise for the promised ε and ``DELTA``,
    allows a test with so many false alarms, in percent.
    """
    guarantee = _gaussian(float(step.link["promise"]))
    return 1 - float(trade_off.true_positive_bound(guarantee, np.array([value / 100]))[0])


def _gaussian(epsilon: float, releases: int = 1) -> Guarantee:
    """What releases promise whose Gaussian noise gives ε at ``DELTA`` each."""
    mu = privacy.gdp_mu(epsilon, DELTA)
    events = {str(k): privacy.gaussian(1.0, mu) for k in range(releases)}
    facts = {"adjacency": privacy.ADD_REMOVE, "public": "the number of releases", "source": ""}
    return privacy.guarantee(events, DELTA, **facts)


def _pure(epsilon: float) -> Guarantee:
    """Any pure promise, of which randomised response reaches all."""
    event = {"answer": Exponential(1.0, epsilon)}
    facts = {"adjacency": privacy.ADD_REMOVE, "public": "the question", "source": ""}
    return replace(privacy.guarantee(event, DELTA, **facts), bounded_range=False)


#: Formula of a share at a value of what is drawn over, and what stands beside the chart.
CURVES: dict[str, tuple[Callable[[Step, str, float], float], str]] = {
    "posterior": (_posterior, "what an attacker may come to believe at most, %"),
    "two-releases": (_releases, "how often the best attacker can be right (Gaussian noise), %"),
    "fewest-misses": (_misses, "the fewest misses that the promise allows, %"),
    "randomised-response": (_truth, "answers that are the truth, %"),
}


# ------------------------------------------------------------------------------------- by real runs


def groups(step: Step, ask: Drawing) -> list[tuple[RunSpec, ...]]:
    """The runs behind each value of the true curve; none for a formula."""
    if ask.curve != "runs":
        return []
    key = LINK_KEYS[ask.over]
    unit = {"unit": "person"} if ask.over == "per_person" else {}
    links = [dict(step.link) | unit | {key: f"{value:g}"} for value in ask.values]
    return [runs(replace(step, link=link), ask.method) for link in links]


def by_formula(step: Step, ask: Drawing) -> list[Interval]:
    """The true curve of a formula, which no seed moves."""
    formula, _ = CURVES[ask.curve]
    shares = [formula(step, ask.over, value) for value in ask.values]
    return [Interval(share, share, share, 1) for share in shares]


def titles(ask: Drawing) -> tuple[str, str]:
    """What stands below the chart and beside it."""
    if ask.curve != "runs":
        return AXES.get(ask.over, ask.over), CURVES[ask.curve][1]
    return AXES[ask.over], f"{METRICS[ask.score].lower()} accuracy, %"


def places(ask: Drawing) -> list[float]:
    """Where each value stands along the chart, from 0 to 1, as on the real one."""
    far = [math.log(v) for v in ask.values] if ask.over in LOGARITHMIC else list(ask.values)
    return [(value - far[0]) / (far[-1] - far[0]) for value in far]


# ----------------------------------------------------------------------------------- what was drawn


def link_text(points: Sequence[int]) -> str:
    """Percentages as a link keeps them: ``96.90.40``."""
    return ".".join(map(str, points))


def read(text: str, ask: Drawing) -> list[int] | None:
    """The percentages of a link, none where the drawing was skipped; None where these are not as
    many as are asked for.
    """
    if text == SKIPPED:
        return []
    if not re.fullmatch(r"\d{1,3}(\.\d{1,3})*", text):
        return None
    points = [int(part) for part in text.split(".")]
    fits = len(points) == len(ask.values) and all(value <= 100 for value in points)
    return points if fits else None


def scale(ask: Drawing) -> str:
    """How the places along the chart are to be read, where it is not by their distance."""
    return "every doubling is equally wide" if ask.over in LOGARITHMIC else ""


def verdict(ask: Drawing, truth: Sequence[Interval], drawn: Sequence[int]) -> Verdict:
    """Where the drawn curve lies too high or too low, by how much, and where most; in a file
    ``ui/assets/drawn_verdict.js`` says the same.
    """
    if not drawn:
        return Verdict(f"The true curve: {_ends(ask, truth)}. {ask.gap}".strip())
    gaps = [said - 100 * true.mean for said, true in zip(drawn, truth, strict=True)]
    signs = [sign(gap, true, said) for gap, true, said in zip(gaps, truth, drawn, strict=True)]
    mean = sum(map(abs, gaps)) / len(gaps)
    came_text = VERDICT_TEXTS["came"].format(mean=_points(mean))
    if not any(signs):
        return Verdict(
            f"{VERDICT_TEXTS['well'].format(near=NEAR_POINTS)} {ask.gap}".strip(),
            "right",
            result=came_text,
        )
    mark = _mark(mean, max(map(abs, gaps)))
    largest = max(
        (place for place in range(len(signs)) if signs[place]), key=lambda place: abs(gaps[place])
    )
    parts = [
        VERDICT_TEXTS[name].format(
            at=_points_text(ask, [place for place in range(len(signs)) if signs[place] == way])
        )
        for way, name in ((1, "high"), (-1, "low"))
        if way in signs
    ]
    noisier = max(map(abs, gaps)) > abs(gaps[largest])
    words = VERDICT_TEXTS["off"].format(
        judged=VERDICT_TEXTS[mark],
        mean=_points(mean),
        where=" and ".join(parts),
        outside=VERDICT_TEXTS["outside"] if noisier else "",
        most=_points(abs(gaps[largest])),
        at=_points_text(ask, [largest]),
        drawn=drawn[largest],
        true=percent(truth[largest]),
        sure=VERDICT_TEXTS["sure"].format(spread=spread(truth[largest]))
        if spread(truth[largest])
        else "",
    )
    return Verdict(f"{words} {ask.gap}".strip(), mark, result=came_text)


def _mark(mean: float, largest: float) -> str:
    """The mark of a curve so many points off on average and at most."""
    if round(mean) <= NEAR_POINTS and round(largest) <= FAR_POINTS:
        return "right"
    return "near" if round(mean) <= FAR_POINTS else "gap"


def _points(gap: float) -> str:
    return "1 point" if round(gap) == 1 else f"{gap:.0f} points"


def facts(ask: Drawing, truth: Sequence[Interval]) -> dict[str, Any]:
    """What says the same as ``verdict`` for any curve, in a browser."""
    return {
        "says": VERDICT_TEXTS | {"skipped": verdict(ask, truth, ()).words},
        "near": NEAR_POINTS,
        "far": FAR_POINTS,
        "truth": [(true.mean, true.low, true.high) for true in truth],
        "percents": [percent(true) for true in truth],
        "spreads": [spread(true) for true in truth],
        "names": numbers(ask.values),
        "named": PLACE_TEXTS.get(ask.over, "{}"),
        "gap": ask.gap,
    }


def sign(gap: float, true: Interval, drawn: int) -> int:
    """1 for drawn too high, -1 for too low, 0 for within ``NEAR`` points or the interval."""
    if abs(gap) <= NEAR_POINTS or 100 * true.low <= drawn <= 100 * true.high:
        return 0
    return 1 if gap > 0 else -1


def _points_text(ask: Drawing, place: Sequence[int]) -> str:
    names = listed([numbers(ask.values)[i] for i in place])
    return PLACE_TEXTS.get(ask.over, "{}").format(names, s="" if names == "1" else "s")


def _ends(ask: Drawing, truth: Sequence[Interval]) -> str:
    first, last = percent(truth[0]), percent(truth[-1])
    return f"{first} at {_points_text(ask, [0])}, {last} at {_points_text(ask, [len(truth) - 1])}"
