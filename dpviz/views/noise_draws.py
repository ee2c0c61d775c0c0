"""Single runs of Trade-off with new noise: their seeds, findings, and steps."""

from __future__ import annotations

from collections.abc import Iterable

from dpviz.diagnostics.training_curve import TrainingCurve
from dpviz.methods import METHODS
from dpviz.plots.noise_draws import MethodDraws, NoiseDraws, TrainingLine
from dpviz.text import redraw as text
from dpviz.text.template import render
from dpviz.types import DataConfig
from dpviz.views import page_config
from dpviz.views.phrases import title_in_sentence
from dpviz.views.trade_off_page import group_text


def next_seed(first_seed: int, used: Iterable[int]) -> int:
    """Return the seed of the next draw: after the last, and after all seeds of the page's curves.

    Args:
        first_seed: of the page; used: seeds of earlier draws at these settings.
    """
    return max(used, default=first_seed + page_config.SEED_STEPS[-1] - 1) + 1


def finding(row: MethodDraws | None, draws: NoiseDraws, view: DataConfig, precise: bool) -> str:
    """Return the draw shown and the last ones of a method, in Markdown.

    Args:
        row: of the method; None before its first draw; view: its data.
    """
    now = row.accuracy(draws.seed) if row else None
    if row is None or now is None:
        return text.FINDINGS["none"].fill(precise)
    fields = {
        "method": title_in_sentence(METHODS[row.method].title),
        "group": group_text(draws.metric, (), view),
        "now": now,
        "draws": len(row.last),
        "low": min(row.last),
        "high": max(row.last),
    }
    return text.FINDINGS["several" if len(row.last) > 1 else "first"].fill(precise, **fields)


def training_line(method: str, title: str, curve: TrainingCurve, metric: str) -> TrainingLine:
    """Return a run's line of the chart by step."""
    accuracies = tuple(scores[metric] for scores in curve.values())
    return TrainingLine(method, title, tuple(curve), accuracies)


def training_finding(line: TrainingLine) -> str:
    """Return the last and the highest accuracy of a run, in Markdown."""
    high = max(line.accuracies)
    return render(
        text.STEPS_FINDING,
        method=line.title,
        now=line.accuracies[-1],
        steps=line.steps[-1],
        high=high,
        place=line.steps[line.accuracies.index(high)],
    )
