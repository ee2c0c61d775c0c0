"""Figures and tables of results for papers: vector PDF and SVG, LaTeX and CSV."""

from __future__ import annotations

import io
import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from dpviz import __version__
from dpviz.experiments import repeated
from dpviz.experiments.result_files import rows_as_csv
from dpviz.formatting import number_up
from dpviz.methods import METHODS
from dpviz.plots.kit.style import line_style
from dpviz.stats import accuracy
from dpviz.text import publication as text
from dpviz.text.template import render_text
from dpviz.types import AXES, DpvizError, Result

#: Width of a figure in inches: one column, or the page, of a two-column paper.
WIDTHS = {"column": 3.35, "page": 6.9}
#: Height of a figure as a share of its width, at most ``MAX_HEIGHT`` inches.
ASPECT, MAX_HEIGHT = 0.75, 3.2
FONT_SIZE = 8
METRICS = ("balanced", "minority", "overall")
FORMATS = ("pdf", "svg", "tex", "csv")
#: Plotly's names of dashes and markers, and matplotlib's.
DASHES = {"solid": "-", "dash": "--", "dot": ":", "dashdot": "-."}
MARKERS = {
    "circle": "o",
    "square": "s",
    "diamond": "D",
    "cross": "P",
    "x": "X",
    "star": "*",
    "triangle-up": "^",
    "triangle-down": "v",
    "pentagon": "p",
    "hexagon": "h",
}


def file(
    results: Sequence[Result], kind: str, metric: str = "balanced", width: str = "column"
) -> bytes:
    """Return a file of results.

    Args:
        results: of one data set and budget axis; several seeds and draws of a setting make a mean
            and its 95% interval.
        kind: one of FORMATS; metric: one of METRICS; width: a key of WIDTHS, of figures.

    Raises:
        DpvizError: for another kind, metric or width, no results, or results on several axes.
    """
    for name, value, allowed in (
        ("Format", kind, FORMATS),
        ("Metric", metric, METRICS),
        ("Width", width, tuple(WIDTHS)),
    ):
        if value not in allowed:
            fields = {"name": name, "allowed": ", ".join(allowed), "got": repr(value)}
            raise DpvizError(render_text(text.NOT_ALLOWED, **fields))
    if not fits(results):
        raise DpvizError(text.MIXED_RESULTS)
    if kind == "csv":
        return rows_as_csv(rows(results, metric)).encode()
    if kind == "tex":
        return latex(results, metric).encode()
    return _figure(results, metric, width, kind)


def fits(results: Sequence[Result]) -> bool:
    """Whether results have one data set, one encoder and one finite budget axis."""
    places = {(r.spec.dataset, r.spec.encoder, r.spec.budget.axis) for r in results}
    return len(places) == 1 and any(r.spec.budget.private for r in results)


def rows(results: Sequence[Result], metric: str) -> list[dict[str, Any]]:
    """Return one row per method and budget: mean, low, high (shares), n, and the guarantee."""
    found = []
    for spec, group in repeated.settings(results).items():
        point, guarantee = accuracy(group, metric), group[0].guarantee
        found.append(
            {
                "method": spec.method,
                **dict(spec.params),
                "budget": spec.budget.value,
                "budget_axis": spec.budget.axis,
                "metric": metric,
                "mean": point.mean,
                "low": point.low,
                "high": point.high,
                "n": len(group),
                "notion": guarantee.notion,
                "value": guarantee.value,
                "epsilon": guarantee.epsilon_delta,
                "delta": guarantee.delta,
                "unit": guarantee.unit,
                "adjacency": guarantee.adjacency,
            }
        )
    return found


def latex(results: Sequence[Result], metric: str) -> str:
    """Return a booktabs table: a row per method, a column per budget, percent with intervals."""
    cells: dict[str, dict[float, list[Result]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        cells[result.spec.method][result.spec.budget.value].append(result)
    budgets = sorted({budget for row in cells.values() for budget in row})
    head = " & ".join(["Method", *(_budget(budget) for budget in budgets)])
    lines = [
        f"\\begin{{tabular}}{{l{'r' * len(budgets)}}}",
        "\\toprule",
        f"{head} \\\\",
        "\\midrule",
    ]
    for method, row in cells.items():
        values = [_cell(row.get(budget, ()), metric) for budget in budgets]
        lines.append(" & ".join([_escaped(METHODS[method].title), *values]) + " \\\\")
    return "\n".join([_comment(results, metric), *lines, "\\bottomrule", "\\end{tabular}", ""])


def _comment(results: Sequence[Result], metric: str) -> str:
    first, guarantee = results[0].spec, results[0].guarantee
    source = render_text(
        text.TABLE,
        metric=text.METRICS[metric],
        axis=AXES[first.budget.axis],
        delta=number_up(guarantee.delta),
        source=_source(results),
        unit=guarantee.unit,
        neighbors=guarantee.adjacency,
    )
    return f"% {source}"


def _budget(value: float) -> str:
    return "$\\infty$" if math.isinf(value) else f"{value:g}"


def _cell(results: Sequence[Result], metric: str) -> str:
    if not results:
        return "--"
    point = accuracy(results, metric)
    half = 100 * (point.high - point.low) / 2
    return f"{100 * point.mean:.1f}" + (f" $\\pm$ {half:.1f}" if half > 0 else "")


def _escaped(title: str) -> str:
    for character in "&%#_":
        title = title.replace(character, f"\\{character}")
    return title


def _source(results: Sequence[Result]) -> str:
    first, (draws, seeds) = results[0].spec, repeated.counts(results)
    return render_text(
        text.SOURCE,
        version=__version__,
        data=first.dataset,
        encoder=first.encoder or text.FEATURES,
        seeds=seeds,
        draws=draws,
    )


def _figure(results: Sequence[Result], metric: str, width: str, kind: str) -> bytes:
    """Return lines with 95% bands against the budget as a vector file."""
    import matplotlib
    from matplotlib.figure import Figure

    inches = WIDTHS[width]
    settings: Any = {
        "font.size": FONT_SIZE,
        "pdf.fonttype": 42,
        "svg.fonttype": "none",
        "svg.hashsalt": "dpviz",
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
    with matplotlib.rc_context(settings):
        figure = Figure((inches, min(MAX_HEIGHT, ASPECT * inches)), layout="constrained")
        axes = figure.add_subplot()
        cells: dict[str, dict[float, list[Result]]] = defaultdict(lambda: defaultdict(list))
        for result in results:
            cells[result.spec.method][result.spec.budget.value].append(result)
        for method, row in cells.items():
            style, budgets = line_style(method), sorted(row)
            points = [accuracy(row[budget], metric) for budget in budgets]
            look: dict[str, Any] = {"color": style.colour, "label": METHODS[method].title}
            mean, low, high = (
                [100 * getattr(p, n) for p in points] for n in ("mean", "low", "high")
            )
            if budgets == [math.inf]:
                axes.axhline(mean[0], linewidth=1, linestyle=DASHES.get(style.dash, "--"), **look)
                continue
            marker = MARKERS.get(style.marker.removesuffix("-open"), "o")
            dash = DASHES.get(style.dash, "-")
            axes.plot(
                budgets, mean, marker=marker, markersize=3, linewidth=1, linestyle=dash, **look
            )
            axes.fill_between(budgets, low, high, color=style.colour, alpha=0.15, linewidth=0)
        axes.set_xscale("log")
        ticks = sorted({budget for row in cells.values() for budget in row if budget < math.inf})
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.minorticks_off()
        axes.set_xlabel(render_text(text.BUDGET_AXIS, axis=AXES[results[0].spec.budget.axis]))
        axes.set_ylabel(render_text(text.METRIC_AXIS, metric=text.METRICS[metric]))
        axes.set_ylim(0, 100)
        axes.legend(frameon=False, fontsize=FONT_SIZE - 1)
        figure.supxlabel(_source(results), fontsize=FONT_SIZE - 3, color="0.4")
        out = io.BytesIO()
        dates = {"CreationDate": None} if kind == "pdf" else {"Date": None}
        figure.savefig(out, format=kind, metadata=dates)
    return out.getvalue()
