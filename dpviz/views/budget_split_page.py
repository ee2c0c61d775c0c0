"""Sentences and rows of a plan that splits a budget over releases."""

from __future__ import annotations

from typing import Any

from dpviz.formatting import number_down, number_up
from dpviz.privacy import budget_split
from dpviz.privacy.budget_split import BudgetSplit, Share
from dpviz.text import budget_split as text
from dpviz.text.template import render, render_text
from dpviz.types import DpvizError
from dpviz.types.checks import quoted


def shares(lines: str) -> list[Share]:
    """Return the releases of a text, one ``NAME`` or ``NAME = WEIGHT`` per line.

    Raises:
        DpvizError: for a line that is neither, or a text that is too long.
    """
    if len(lines) > budget_split.MAX_BYTES:
        fields = {"size": len(lines), "most": budget_split.MAX_BYTES}
        raise DpvizError(render_text(text.LARGE_FILE, **fields))
    return [share(line) for line in lines.splitlines() if line.strip()]


def share(words: str) -> Share:
    """Return the release of ``NAME`` or ``NAME = WEIGHT``.

    Raises:
        DpvizError: for a missing name, or a weight that is no number in its range.
    """
    name, equals, weight = words.rpartition("=")
    if not equals:
        return Share(words.strip())
    if not name.strip():
        raise DpvizError(render_text(text.NO_WEIGHT, given=quoted(words.strip())))
    return Share(name.strip(), weight.strip())  # type: ignore[arg-type]  # checked there


def finding(plan: BudgetSplit, precise: bool) -> str:
    """Return what planning together saves, in Markdown."""
    return text.FINDING.fill(
        precise,
        releases=len(plan.releases),
        epsilon=number_up(plan.epsilon),
        added=number_up(plan.added),
        delta=plan.total.delta,
    )


def caption(plan: BudgetSplit, precise: bool) -> str:
    """Return how to read the table, in Markdown."""
    return text.CAPTION.fill(precise, delta=plan.total.delta)


def analysts(plan: BudgetSplit, count: int) -> str:
    """Return what several analysts who each spend the plan cost together, in Markdown."""
    together = budget_split.combined_epsilon([plan] * count, plan.total.delta)
    return render(text.ANALYSTS_SENTENCE, analysts=count, epsilon=number_up(together))


def rows(plan: BudgetSplit) -> list[dict[str, Any]]:
    """Return a row for each release; rho is what it may spend."""
    return [
        {
            text.COLUMNS["name"]: release.name,
            text.COLUMNS["rho"]: number_down(release.rho),
            text.COLUMNS["epsilon"]: number_up(release.epsilon),
            text.COLUMNS["spent"]: number_up(release.spent),
            text.COLUMNS["left"]: number_down(release.left),
        }
        for release in plan.releases
    ]
