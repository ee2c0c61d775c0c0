"""Runs of one setting on several noise seeds and data draws: their intervals as text and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dpviz.formatting import ratio_reached, subset
from dpviz.run.result_files import PRIVATE, PRIVATE_VIEW
from dpviz.stats import Interval, accuracy
from dpviz.types import Result, RunSpec

#: Noise seeds, or data draws, of one command.
MAX_RUNS = 1000
ONE_SEED_NOTE = "its noise is unknown from one seed"


def settings(results: Sequence[Result]) -> dict[RunSpec, list[Result]]:
    """Results by setting: alike but for noise seed and data draw."""
    groups: dict[RunSpec, list[Result]] = {}
    for result in results:
        groups.setdefault(replace(result.spec, seed=0, draw=0), []).append(result)
    return groups


def counts(results: Sequence[Result]) -> tuple[int, int]:
    """Number of data draws and of noise seeds."""
    return len({r.spec.draw for r in results}), len({r.spec.seed for r in results})


def lines(results: Sequence[Result]) -> list[str]:
    """The intervals of one setting as text. The minority's stands apart, as a private view."""
    spec = replace(results[0].spec, draw=0)
    draws, seeds = counts(results)
    counts_text = f"{draws} data draw{'s' * (draws > 1)} and {seeds} noise seed{'s' * (seeds > 1)}"
    head = f"{spec.method} at {spec.budget}, {subset(spec)}, over {counts_text}"
    ratio = ratio_reached([result.ratio for result in results])
    return [
        f"{head}: {_interval_text(accuracy(results, 'balanced'))} balanced (95% interval).",
        f"{PRIVATE_VIEW}: {_interval_text(accuracy(results, 'minority'))} minority; {ratio}.",
    ]


def _interval_text(interval: Interval) -> str:
    if not interval.is_measured:
        return "untested"
    if interval.low == interval.high:
        return f"{interval.mean:.1%} ({ONE_SEED_NOTE})"
    return f"{interval.mean:.1%} ({100 * interval.low:.1f}–{100 * interval.high:.1f})"


def summary(results: Sequence[Result]) -> dict[str, Any]:
    """The intervals of one setting as an object. What no guarantee covers stands apart."""
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
