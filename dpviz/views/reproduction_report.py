"""A reproduced figure as files: table, picture, and a short report in Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import dpviz
from dpviz.formatting import literal, number
from dpviz.papers.figures.computing import Computed
from dpviz.papers.figures.model import Figure, Number, Printed
from dpviz.papers.model import PAPERS
from dpviz.plots.kit.drawing import copy_figure, white_template
from dpviz.plots.papers import FigurePoint, ReproducedFigure
from dpviz.run.result_files import rows_as_csv
from dpviz.views.guarantee_in_words import headline

COMMAND = "dpviz reproduce {key} --scale {scale}"
NOTHING_PRINTED = "No number of this figure is printed in the paper. {why}"
NOT_PRIVATE = "No guarantee: this line is not private, or is a view of private records."
ENCODER = "The encoder is {encoder} in place of the figure's own."
GUARANTEE = "{notion}; {range}neighbors: {adjacency}; unit: {unit}; public: {public}."
RANGE = "the budget grows along the axis, as the CSV file lists; "
STYLE = "body{font-family:sans-serif;margin:1.5rem}h1{font-size:1.2rem}"
FIELDS = ("epsilon_delta", "delta", "rho", "adjacency", "unit", "public")


def table(done: Computed) -> str:
    """The figure as CSV: a row per number, computed or printed, with its guarantee or source."""
    return rows_as_csv(
        [_computed_row(done, one) for one in done.numbers]
        + [_printed_row(done.figure, one) for one in done.figure.printed]
    )


def _computed_row(done: Computed, one: Number) -> dict[str, Any]:
    row: dict[str, Any] = {"figure": done.figure.key, "kind": "computed", "scale": done.scale}
    row |= {"panel": one.panel, "line": one.line, "x": one.x}
    row |= {"value": one.mean, "low": one.low, "high": one.high, "runs": one.runs}
    if given := one.guarantee:
        row |= {"notion": given.notion, "guarantee_value": given.value}
        row |= {name: getattr(given, name) for name in FIELDS}
    return row | {"source": f"dpviz {dpviz.__version__}"}


def _printed_row(figure: Figure, one: Printed) -> dict[str, Any]:
    row: dict[str, Any] = {"figure": figure.key, "kind": "printed", "scale": "paper"}
    row |= {"panel": one.panel, "line": one.line, "x": one.x, "value": one.value}
    spread = 0.0 if math.isnan(one.spread) else one.spread
    return row | {
        "low": one.value - spread,
        "high": one.value + spread,
        "source": source(figure, one),
    }


def source(figure: Figure, one: Printed) -> str:
    """Paper, place and page of a printed number."""
    page = f", page {one.page}" if one.page else ""
    return f"{PAPERS[figure.paper].short}, {one.place}{page}"


# ------------------------------------------------------------------------------------------ picture


def picture(done: Computed) -> str:
    """The chart as an HTML page that needs no network."""
    drawn = copy_figure(chart(done).figure())
    title = f"{PAPERS[done.figure.paper].short}, {done.figure.place}: {done.figure.title}"
    drawn.update_layout(template=white_template(), title={"text": ""})
    body = drawn.to_html(full_html=False, include_plotlyjs=True)
    lines = (done.figure.settings[done.scale].words, *differences(done))
    about = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><h1>{escape(title)}</h1>{body}"
        f"<ul>{about}</ul></body></html>\n"
    )


def chart(done: Computed) -> ReproducedFigure:
    """The data of the chart."""
    figure = done.figure
    computed = [FigurePoint(n.panel, n.line, n.x, n.mean, n.low, n.high) for n in done.numbers]
    printed = [
        FigurePoint(n.panel, n.line, n.x, n.value, n.value - spread, n.value + spread)
        for n in figure.printed
        for spread in [0.0 if math.isnan(n.spread) else n.spread]
    ]
    return ReproducedFigure.from_points(
        figure.x, figure.y, computed, printed, figure.log_x, figure.share
    )  # fmt: skip


# ------------------------------------------------------------------------------------------- report


def report(done: Computed) -> str:
    """The report in Markdown: setting, differences, numbers, guarantees."""
    figure, paper = done.figure, PAPERS[done.figure.paper]
    command = COMMAND.format(key=figure.key, scale=done.scale)
    more = f" --encoder {done.encoder}" if done.encoder else ""
    lines = [
        f"# {paper.short}, {figure.place}",
        "",
        f"{figure.title}.",
        "",
        f"{paper.authors}: {paper.title}, {paper.venue}.",
        "",
        f"`{command}{more}` made this report with dpviz {dpviz.__version__}.",
        "",
        "## Setting",
        "",
        figure.settings[done.scale].words,
        "",
        "## Differences from the paper",
        "",
        *(f"- {one}" for one in differences(done)),
        "",
        "## Computed and printed numbers",
        "",
    ]
    if figure.unprinted:
        lines += [NOTHING_PRINTED.format(why=figure.unprinted), ""]
    lines += _rows(
        ("Panel", "Line", figure.x, "Computed", "Printed", "Source"), _comparison_rows(done)
    )
    lines += ["", "## Guarantees", "", *(f"- {one}" for one in guarantees(done))]
    return "\n".join(lines) + "\n"


def differences(done: Computed) -> list[str]:
    """What differs from the paper, and what could not be had."""
    replaced = [ENCODER.format(encoder=done.encoder)] if done.encoder else []
    return [*done.figure.settings[done.scale].differs, *replaced, *map(literal, done.missing)]


def _rows(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table in Markdown, without columns that are empty."""
    columns = [column for column in zip(head, *rows, strict=True) if any(column[1:])]
    lines = ["| " + " | ".join(cells) + " |" for cells in zip(*columns, strict=True)]
    return [lines[0], "|" + " --- |" * len(columns), *lines[1:]]


def _comparison_rows(done: Computed) -> list[tuple[str, ...]]:
    """A row per place: the computed number, the printed one, and its source."""
    figure = done.figure
    mine = {(n.panel, n.line, n.x): n for n in done.numbers}
    theirs = {(n.panel, n.line, n.x): n for n in figure.printed}
    rows: list[tuple[str, ...]] = []
    for key in dict.fromkeys((*mine, *theirs)):
        panel, line, x = key
        computed = _computed(figure, mine[key]) if key in mine else "–"
        printed, place = "–", ""
        if key in theirs:
            printed, place = _printed(figure, theirs[key]), source(figure, theirs[key])
        rows.append((panel, line, x if isinstance(x, str) else number(x), computed, printed, place))
    return rows


def _value(figure: Figure, value: float, places: int = 2) -> str:
    return f"{100 * value:.{places}f}%" if figure.share else f"{value:.4g}"


def _computed(figure: Figure, one: Number) -> str:
    if one.low == one.high:
        return _value(figure, one.mean, 1)
    low, high = (_value(figure, end, 1).removesuffix("%") for end in (one.low, one.high))
    return f"{_value(figure, one.mean, 1)} ({low}–{high})"


def _printed(figure: Figure, one: Printed) -> str:
    value = _value(figure, one.value)
    return value if math.isnan(one.spread) else f"{value} ± {100 * one.spread:.2f}"


def guarantees(done: Computed) -> list[str]:
    """The guarantee of each line, one sentence each."""
    by_line: dict[str, list[Number]] = {}
    for one in done.numbers:
        by_line.setdefault(one.line, []).append(one)
    return [f"**{line}**: {_guarantee(some)}" for line, some in by_line.items()]


def _guarantee(numbers: list[Number]) -> str:
    given = [one.guarantee for one in numbers if one.guarantee]
    if not given:
        return NOT_PRIVATE
    first = given[0]
    several = len({(one.notion, one.value) for one in given}) > 1
    exact = f"ε = {number(first.epsilon_delta)} at δ = {number(first.delta)}"
    notion = f"{headline(first)} ({exact})" if not several else f"{headline(first)} and above"
    return GUARANTEE.format(
        notion=notion,
        range=RANGE if several else "",
        adjacency=first.adjacency,
        unit=first.unit,
        public=first.public,
    )
