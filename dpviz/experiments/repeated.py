"""Intervals of runs that differ in noise seed and data draw, as text and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dpviz.experiments.result_files import PRIVATE
from dpviz.formatting import ratio_reached, subset
from dpviz.stats import Interval, accuracy
from dpviz.text import cli as text
from dpviz.text.template import render_text
from dpviz.types import Result, RunSpec

#: Largest number of noise seeds, or data draws, of one command.
MAX_RUNS = 1000


def settings(results: Sequence[Result]) -> dict[RunSpec, list[Result]]:
    """Return results by setting, without noise seed and data draw."""
    groups: dict[RunSpec, list[Result]] = {}
    for result in results:
        groups.setdefault(replace(result.spec, seed=0, draw=0), []).append(result)
    return groups


def counts(results: Sequence[Result]) -> tuple[int, int]:
    """Return the numbers of data draws and of noise seeds."""
    return len({r.spec.draw for r in results}), len({r.spec.seed for r in results})


def lines(results: Sequence[Result]) -> list[str]:
    """Return the intervals of one setting as text; that of the minority is a private view."""
    spec = replace(results[0].spec, draw=0)
    draws, seeds = counts(results)
    return [
        render_text(
            text.REPEATED["head"],
            method=spec.method,
            budget=str(spec.budget),
            data=subset(spec),
            draws=draws,
            seeds=seeds,
        ),
        render_text(
            text.REPEATED["balanced"], accuracy=_interval_text(accuracy(results, "balanced"))
        ),
        render_text(
            text.REPEATED["private"],
            minority=_interval_text(accuracy(results, "minority")),
            ratio=ratio_reached([result.ratio for result in results]),
        ),
    ]


def _interval_text(interval: Interval) -> str:
    if not interval.is_measured:
        return "untested"
    if interval.low == interval.high:
        return render_text(text.REPEATED["one_seed"], mean=f"{interval.mean:.1%}")
    return f"{interval.mean:.1%} ({100 * interval.low:.1f}–{100 * interval.high:.1f})"


def summary(results: Sequence[Result]) -> dict[str, Any]:
    """Return the intervals of one setting as an object; PRIVATE holds those without a guarantee."""
    draws, seeds = counts(results)
    ratios = [result.ratio for result in results]
    return {
        "draws": draws,
        "seeds": seeds,
        "accuracy": {m: _ends(accuracy(results, m)) for m in ("overall", "balanced")},
        PRIVATE: {
            "minority": _ends(accuracy(results, "minority")),
            "ratio_reached": {"low": min(ratios), "high": max(ratios)},
        },
    }


def _ends(interval: Interval) -> dict[str, float]:
    return {"mean": interval.mean, "low": interval.low, "high": interval.high}
