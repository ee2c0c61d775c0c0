"""Results of a sweep as a table, a chart and a rich display of notebooks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dpviz import publication
from dpviz.experiments import repeated, result_files
from dpviz.methods import METHODS
from dpviz.plots.budget_curves import BudgetCurve
from dpviz.stats import accuracy
from dpviz.types import DpvizError, Result

if TYPE_CHECKING:
    import pandas
    import plotly.graph_objects as go


class Results(list[Result]):
    """Results of ``sweep``, in the order of its specs."""

    def to_frame(self) -> pandas.DataFrame:
        """Return one row per result: settings, accuracies (shares), guarantee, private view."""
        import pandas

        return pandas.DataFrame([result_files.row(result) for result in self])

    def summary(self) -> pandas.DataFrame:
        """Return one row per setting: mean, low and high of its accuracies over draws and seeds.

        Intervals have 95% confidence.
        """
        import pandas

        rows = []
        for spec, group in repeated.settings(self).items():
            row = {"dataset": spec.dataset, "method": spec.method, "budget": spec.budget.value}
            row |= {"budget_axis": spec.budget.axis, "n": len(group), **dict(spec.params)}
            for metric in ("balanced", "minority"):
                point = accuracy(group, metric)
                row |= {
                    metric: point.mean,
                    f"{metric}_low": point.low,
                    f"{metric}_high": point.high,
                }
            rows.append(row)
        return pandas.DataFrame(rows)

    def plot(self, metric: str = "balanced") -> go.Figure:
        """Return accuracy against the budget, a line per method with its 95% interval.

        Args:
            metric: ``balanced``, ``minority`` or ``overall``.

        Raises:
            DpvizError: for results of several data sets or axes, or no result.
        """
        import plotly.graph_objects as go

        first = self[0].spec if self else None
        same = {(r.spec.dataset, r.spec.encoder, r.spec.budget.axis) for r in self}
        if first is None or len(same) != 1:
            raise DpvizError(
                f"A chart needs results of one data set and one budget axis, got {len(same)}."
            )
        titles = {key: method.title for key, method in METHODS.items()}
        curve = BudgetCurve.from_results(self, titles, metric, first.budget)
        moving = curve.figure(max(curve.budgets, default=first.budget.value))
        return go.Figure(moving.data, moving.layout)

    def to_latex(self, metric: str = "balanced") -> str:
        """Return a booktabs table: a row per method, a column per budget."""
        return publication.file(self, "tex", metric).decode()

    def save(self, path: str | Path, metric: str = "balanced", width: str = "column") -> None:
        """Write a figure (``.pdf``, ``.svg``) or a table (``.tex``, ``.csv``) for a paper.

        Args:
            metric: ``balanced``, ``minority`` or ``overall``; width: ``column`` or ``page``.

        Raises:
            DpvizError: for another ending, metric or width.
        """
        kind = Path(path).suffix.removeprefix(".").lower()
        Path(path).write_bytes(publication.file(self, kind, metric, width))

    def _repr_html_(self) -> str:
        return str(self.summary().to_html(index=False, float_format="%.3g"))
