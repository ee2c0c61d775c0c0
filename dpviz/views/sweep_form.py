"""A new sweep as a form describes it: its values, number of runs, TOML and expected time."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from dpviz.methods import METHODS
from dpviz.text import sweeps as text
from dpviz.text.template import render, render_text
from dpviz.types import Param

Values = tuple[Any, ...]
#: Seconds of a sweep's start.
START_SECONDS = 5.0
#: Largest number of equal steps of a scale; longer scales have the stops 1, 2, 5, 10, ….
MAX_STEPS = 200
#: Stops of unbounded scales, in powers of ten around a default.
DECADES = 3


@dataclass(frozen=True)
class SweepForm:
    """A sweep as the form describes it.

    Attributes:
        dataset: as in ``RunSpec``; encoders: none for features.
        methods: the values of each varied setting, by setting and by key of the method.
        axis: of the budgets; budgets: their values.
        facts: values of data settings, by key of the TOML; draws: number of data draws; seeds:
            number of noise seeds.
    """

    dataset: str
    encoders: tuple[str, ...]
    methods: Mapping[str, Mapping[str, Values]]
    axis: str
    budgets: tuple[float, ...]
    facts: Mapping[str, Values]
    draws: int
    seeds: int

    @property
    def settings(self) -> dict[str, int]:
        """Number of settings of each method."""
        return {key: math.prod(map(len, grid.values())) for key, grid in self.methods.items()}

    @property
    def data(self) -> int:
        """Number of settings of the data."""
        return math.prod(map(len, self.facts.values())) * max(1, len(self.encoders)) * self.draws

    @property
    def runs_per_setting(self) -> int:
        """Runs of one setting of one method."""
        return len(self.budgets) * self.data * self.seeds

    @property
    def runs(self) -> int:
        """Number of runs."""
        return sum(self.settings.values()) * self.runs_per_setting

    def plan(self) -> str:
        """Return the factors of the number of runs."""
        settings = sum(self.settings.values())
        is_short = self.data == 1 and settings == len(self.methods)
        return render(
            text.PLAN["methods" if is_short else "settings"],
            settings=settings,
            budgets=len(self.budgets),
            data=self.data,
            seeds=self.seeds,
        )

    def toml(self) -> str:
        """Return the sweep as TOML; JSON values are TOML values here."""
        lines: dict[str, Any] = {"dataset": self.dataset}
        if self.encoders:
            several = len(self.encoders) > 1
            lines["encoder"] = list(self.encoders) if several else self.encoders[0]
        if self.axis != "approx":
            lines["axis"] = self.axis
        lines["budgets"] = list(self.budgets)
        lines |= {name: list(values) for name, values in self.facts.items()}
        if self.draws > 1:
            lines["draws"] = self.draws
        lines["seeds"] = self.seeds
        content = [f"{name} = {json.dumps(value)}" for name, value in lines.items()]
        for key, grid in self.methods.items():
            content.append(f"[methods.{key}]")
            content += [f"{name} = {json.dumps(list(values))}" for name, values in grid.items()]
        return "\n".join([*content, ""])

    def start(self, seconds: Mapping[str, Sequence[float]]) -> str:
        """Return the words of the button: the runs, and the time they take where it is known.

        Args:
            seconds: of stored runs on these data, by method.
        """
        if not self.runs:
            return text.START
        known = [key for key in self.methods if seconds.get(key)]
        if not known:
            return render_text(text.START_RUNS, runs=self.runs)
        settings, each = self.settings, self.runs_per_setting
        total = sum(settings[key] * each * fmean(seconds[key]) for key in known)
        duration = _duration(START_SECONDS + total)
        return render_text(text.START_PLANNED, runs=self.runs, duration=duration)

    def expected_time(self, seconds: Mapping[str, Sequence[float]]) -> str:
        """Return which methods the expected time leaves out, as in ``start``."""
        known = [key for key in self.methods if seconds.get(key)]
        if not known:
            return text.EXPECTED_TIME["unknown"]
        left_out = [METHODS[key].title for key in self.methods if key not in known]
        return render(text.EXPECTED_TIME["partly"], methods=left_out) if left_out else ""


def _duration(seconds: float) -> str:
    if seconds < 60:
        return render_text(text.DURATIONS["seconds"], time=10 * math.ceil(seconds / 10))
    unit, size = ("minutes", 60) if seconds < 5400 else ("hours", 3600)
    return render_text(text.DURATIONS[unit], time=round(seconds / size))


def stops(param: Param) -> Values:
    """Return the values of a setting that the form offers, in order, its default among them."""
    if param.choices:
        return param.choices
    number = int if param.integer else lambda value: float(f"{value:.6g}")
    if param.step and not param.log and (param.high - param.low) / param.step <= MAX_STEPS:
        first, last = (round(end / param.step) for end in (param.low, param.high))
        grid = [param.low, *(place * param.step for place in range(first, last + 1)), param.high]
    else:
        size = abs(param.default) or 1.0
        low = param.low if param.low > 0 else size / 10**DECADES
        high = param.high if math.isfinite(param.high) else size * 10**DECADES
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        grid = [digit * 10.0**power for power in powers for digit in (1, 2, 5)]
    inside = {value for value in map(number, grid) if param.low <= value <= param.high}
    return tuple(sorted(inside | {param.default}))


def first_range(values: Values, default: Any) -> tuple[Any, Any]:
    """Return the stops beside a default."""
    place = values.index(default)
    return values[max(0, place - 1)], values[min(len(values) - 1, place + 1)]


def spread(values: Values, low: Any, high: Any, count: int) -> Values:
    """Return ``count`` of the values from ``low`` to ``high``, both included, evenly apart."""
    inside = values[values.index(low) : values.index(high) + 1]
    count = min(count, len(inside))
    if count < 2:
        return inside[:count]
    places = [round(place * (len(inside) - 1) / (count - 1)) for place in range(count)]
    return tuple(inside[place] for place in places)
