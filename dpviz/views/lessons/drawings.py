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
from dpviz.text import lessons as text
from dpviz.text.template import render_text
from dpviz.types import DELTA, Exponential, Guarantee, RunSpec
from dpviz.views.lessons import Drawing, Step, Verdict, runs

#: Mean distance in points up to which a drawing is right, and above which it is far off.
NEAR_POINTS, FAR_POINTS = 5, 15
#: Value in a link for a curve that was shown without a drawing.
SKIPPED = "skipped"
#: Names of the runs' settings in links.
LINK_KEYS = {"eps": "eps", "ir": "ir", "records": "records", "per_person": "k"}
LOGARITHMIC = frozenset({"eps", "ir", "records", "per_person"})


# ------------------------------------------------------------------------------------ by a formula


def _posterior(step: Step, axis: str, value: float) -> float:
    """Return an attacker's largest belief after any pure ε-DP release: the odds grow by e^ε."""
    prior = value if axis == "prior" else float(step.link.get("prior", "50"))
    epsilon = value if axis == "eps" else float(step.link.get("eps", "1"))
    return attack_bound.odds(_pure(epsilon), prior / 100).posterior


def _truth(step: Step, axis: str, value: float) -> float:
    """Return the share of true answers in randomized response: e^ε / (1 + e^ε)."""
    return attack_bound.success_bound(_pure(value))


def _releases(step: Step, axis: str, value: float) -> float:
    """Return the best attacker's success after so many releases.

    Each release has Gaussian noise for the step's ε and ``DELTA``. The result is exact for this
    noise and lower than the sum of the ε gives.
    """
    guarantee = _gaussian(float(step.link.get("eps", "1")), round(value))
    return attack_bound.success_bound(guarantee)


def _misses(step: Step, axis: str, value: float) -> float:
    """Return the lowest miss rate that one release allows at a rate of false alarms in percent.

    The release has Gaussian noise for the claimed ε and ``DELTA``.
    """
    guarantee = _gaussian(float(step.link["promise"]))
    return 1 - float(trade_off.true_positive_bound(guarantee, np.array([value / 100]))[0])


def _gaussian(epsilon: float, releases: int = 1) -> Guarantee:
    """Return the guarantee of releases whose Gaussian noise gives ε at ``DELTA`` each."""
    mu = privacy.gdp_mu(epsilon, DELTA)
    events = {str(k): privacy.gaussian(1.0, mu) for k in range(releases)}
    facts = {"adjacency": privacy.ADD_REMOVE, "public": "the number of releases", "source": ""}
    return privacy.guarantee(events, DELTA, **facts)


def _pure(epsilon: float) -> Guarantee:
    """Return a pure guarantee, which randomized response reaches exactly."""
    event = {"answer": Exponential(1.0, epsilon)}
    facts = {"adjacency": privacy.ADD_REMOVE, "public": "the question", "source": ""}
    return replace(privacy.guarantee(event, DELTA, **facts), bounded_range=False)


#: Formula of the share at a value of the horizontal axis, by curve.
FORMULAS: dict[str, Callable[[Step, str, float], float]] = {
    "posterior": _posterior,
    "two-releases": _releases,
    "fewest-misses": _misses,
    "randomised-response": _truth,
}


# ------------------------------------------------------------------------------------- by real runs


def groups(step: Step, ask: Drawing) -> list[tuple[RunSpec, ...]]:
    """Return the runs behind each value of the true curve; none for a formula."""
    if ask.curve != "runs":
        return []
    key = LINK_KEYS[ask.over]
    unit = {"unit": "person"} if ask.over == "per_person" else {}
    links = [dict(step.link) | unit | {key: f"{value:g}"} for value in ask.values]
    return [runs(replace(step, link=link), ask.method) for link in links]


def by_formula(step: Step, ask: Drawing) -> list[Interval]:
    """Return the true curve of a formula, without random variation."""
    formula = FORMULAS[ask.curve]
    shares = [formula(step, ask.over, value) for value in ask.values]
    return [Interval(share, share, share, 1) for share in shares]


def titles(ask: Drawing) -> tuple[str, str]:
    """Return the titles of the horizontal and the vertical axis."""
    if ask.curve != "runs":
        return text.AXES.get(ask.over, ask.over), text.CURVES[ask.curve]
    return text.AXES[ask.over], render_text(text.ACCURACY, score=METRICS[ask.score].lower())


def places(ask: Drawing) -> list[float]:
    """Return the position of each value on the horizontal axis, from 0 to 1."""
    far = [math.log(v) for v in ask.values] if ask.over in LOGARITHMIC else list(ask.values)
    return [(value - far[0]) / (far[-1] - far[0]) for value in far]


# ----------------------------------------------------------------------------------- what was drawn


def link_text(points: Sequence[int]) -> str:
    """Return percentages as a link keeps them: ``96.90.40``."""
    return ".".join(map(str, points))


def read(text: str, ask: Drawing) -> list[int] | None:
    """Return the percentages of a link: none for a skipped drawing, None for a wrong number."""
    if text == SKIPPED:
        return []
    if not re.fullmatch(r"\d{1,3}(\.\d{1,3})*", text):
        return None
    points = [int(part) for part in text.split(".")]
    fits = len(points) == len(ask.values) and all(value <= 100 for value in points)
    return points if fits else None


def scale(ask: Drawing) -> str:
    """Return the note on a logarithmic axis."""
    return text.LOG_SCALE if ask.over in LOGARITHMIC else ""


def verdict(ask: Drawing, truth: Sequence[Interval], drawn: Sequence[int]) -> Verdict:
    """Return where a drawn curve is too high or too low, and its largest gap.

    In a lesson's file, ``ui/assets/drawn_verdict.js`` computes the same.
    """
    if not drawn:
        return Verdict(f"{_skipped(ask, truth)} {ask.gap}".strip())
    gaps = [said - 100 * true.mean for said, true in zip(drawn, truth, strict=True)]
    signs = [sign(gap, true, said) for gap, true, said in zip(gaps, truth, drawn, strict=True)]
    mean = sum(map(abs, gaps)) / len(gaps)
    came_text = render_text(text.VERDICTS["came"], mean=_points(mean))
    if not any(signs):
        words = _sentence("well", near=str(NEAR_POINTS))
        return Verdict(f"{words} {ask.gap}".strip(), "right", result=came_text)
    mark = _mark(mean, max(map(abs, gaps)))
    largest = max((i for i in range(len(signs)) if signs[i]), key=lambda i: abs(gaps[i]))
    noisier = max(map(abs, gaps)) > abs(gaps[largest])
    interval = spread(truth[largest])
    sentences = [
        _sentence(mark, mean=_points(mean)),
        *(
            _sentence(name, at=_points_text(ask, [i for i in range(len(signs)) if signs[i] == way]))
            for way, name in ((1, "high"), (-1, "low"))
            if way in signs
        ),
        _sentence(
            "outside" if noisier else "largest",
            most=_points(abs(gaps[largest])),
            at=_points_text(ask, [largest]),
        ),
        _sentence(
            "drew_interval" if interval else "drew",
            drawn=str(drawn[largest]),
            true=percent(truth[largest]),
            spread=interval,
        ),
        ask.gap,
    ]
    return Verdict(" ".join(filter(None, sentences)), mark, result=came_text)


def _sentence(name: str, **fields: str) -> str:
    """Return a sentence of the verdict; its fields are the project's own words and numbers."""
    return render_text(text.VERDICTS[name], **fields)


def _mark(mean: float, largest: float) -> str:
    """Return the mark of a curve by its mean and its largest distance in points."""
    if round(mean) <= NEAR_POINTS and round(largest) <= FAR_POINTS:
        return "right"
    return "near" if round(mean) <= FAR_POINTS else "gap"


def _points(gap: float) -> str:
    return "1 point" if round(gap) == 1 else f"{gap:.0f} points"


def facts(ask: Drawing, truth: Sequence[Interval]) -> dict[str, Any]:
    """Return the data from which a browser computes the same as ``verdict`` for any curve."""
    return {
        "says": text.VERDICTS | {"skipped": verdict(ask, truth, ()).words},
        "near": NEAR_POINTS,
        "far": FAR_POINTS,
        "truth": [(true.mean, true.low, true.high) for true in truth],
        "percents": [percent(true) for true in truth],
        "spreads": [spread(true) for true in truth],
        "names": numbers(ask.values),
        "named": text.PLACES.get(ask.over, ("{at}", "{at}")),
        "gap": ask.gap,
    }


def sign(gap: float, true: Interval, drawn: int) -> int:
    """Return 1 for too high, -1 for too low, 0 within ``NEAR_POINTS`` or the interval."""
    if abs(gap) <= NEAR_POINTS or 100 * true.low <= drawn <= 100 * true.high:
        return 0
    return 1 if gap > 0 else -1


def _points_text(ask: Drawing, places: Sequence[int]) -> str:
    """Return the names of some values, such as ``ε = 0.1 and 1``."""
    names = listed([numbers(ask.values)[i] for i in places])
    one, several = text.PLACES.get(ask.over, ("{at}", "{at}"))
    return render_text(one if names == "1" else several, at=names)


def _skipped(ask: Drawing, truth: Sequence[Interval]) -> str:
    """Return the ends of the true curve in a sentence."""
    return render_text(
        text.SKIPPED,
        first=percent(truth[0]),
        start=_points_text(ask, [0]),
        last=percent(truth[-1]),
        end=_points_text(ask, [len(truth) - 1]),
    )
