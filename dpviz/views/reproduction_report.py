"""A reproduced figure as files: table, picture, and a short report in Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import dpviz
from dpviz.experiments.result_files import rows_as_csv
from dpviz.formatting import literal, number
from dpviz.papers.figures.computing import Computed
from dpviz.papers.figures.model import Figure, Number, Printed
from dpviz.papers.model import PAPERS
from dpviz.plots.kit.drawing import copy_figure, white_template
from dpviz.plots.papers import FigurePoint, ReproducedFigure
from dpviz.text import papers as text
from dpviz.text.template import render_text
from dpviz.views.guarantee_in_words import headline

COMMAND = "dpviz reproduce {key} --scale {scale}"
STYLE = "body{font-family:sans-serif;margin:1.5rem}h1{font-size:1.2rem}"
FIELDS = ("epsilon_delta", "delta", "rho", "adjacency", "unit", "public")


def table(done: Computed) -> str:
    """Return the figure as CSV: a row per number, with its guarantee or source."""
    return rows_as_csv(
        [_computed_row(done, item) for item in done.numbers]
        + [_printed_row(done.figure, item) for item in done.figure.printed]
    )


def _computed_row(done: Computed, item: Number) -> dict[str, Any]:
    row: dict[str, Any] = {"figure": done.figure.key, "kind": "computed", "scale": done.scale}
    row |= {"panel": item.panel, "line": item.line, "x": item.x}
    row |= {"value": item.mean, "low": item.low, "high": item.high, "runs": item.runs}
    if guarantee := item.guarantee:
        row |= {"notion": guarantee.notion, "guarantee_value": guarantee.value}
        row |= {name: getattr(guarantee, name) for name in FIELDS}
    return row | {"source": f"dpviz {dpviz.__version__}"}


def _printed_row(figure: Figure, item: Printed) -> dict[str, Any]:
    row: dict[str, Any] = {"figure": figure.key, "kind": "printed", "scale": "paper"}
    row |= {"panel": item.panel, "line": item.line, "x": item.x, "value": item.value}
    spread = 0.0 if math.isnan(item.spread) else item.spread
    return row | {
        "low": item.value - spread,
        "high": item.value + spread,
        "source": source(figure, item),
    }


def source(figure: Figure, item: Printed) -> str:
    """Return paper, place and page of a printed number."""
    facts = {"paper": PAPERS[figure.paper].short, "place": item.place}
    if not item.page:
        return render_text(text.STAR_PLACE, **facts)
    return render_text(text.PRINTED_PAGE, page=str(item.page), **facts)


# ------------------------------------------------------------------------------------------ picture


def picture(done: Computed) -> str:
    """Return the chart as a self-contained HTML page."""
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
    """Return the data of the chart."""
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
    """Return the report in Markdown: setting, differences, numbers, guarantees."""
    figure, paper = done.figure, PAPERS[done.figure.paper]
    command = COMMAND.format(key=figure.key, scale=done.scale)
    addition = f" --encoder {done.encoder}" if done.encoder else ""
    lines = [
        f"# {paper.short}, {figure.place}",
        "",
        f"{figure.title}.",
        "",
        f"{paper.authors}: {paper.title}, {paper.venue}.",
        "",
        render_text(text.MADE_BY, command=f"{command}{addition}", version=dpviz.__version__),
        "",
        f"## {text.SETTING}",
        "",
        figure.settings[done.scale].words,
        "",
        f"## {text.DIFFERENCES}",
        "",
        *(f"- {line}" for line in differences(done)),
        "",
        f"## {text.NUMBERS}",
        "",
    ]
    if figure.unprinted:
        lines += [render_text(text.NOTHING_PRINTED, why=figure.unprinted), ""]
    panel, line, *columns = text.FIGURE_COLUMNS
    lines += _rows((panel, line, figure.x, *columns), _comparison_rows(done))
    lines += ["", f"## {text.GUARANTEES}", "", *(f"- {line}" for line in guarantees(done))]
    return "\n".join(lines) + "\n"


def differences(done: Computed) -> list[str]:
    """Return what differs from the paper, and what is missing."""
    replaced = [render_text(text.OTHER_ENCODER, encoder=done.encoder)] if done.encoder else []
    return [*done.figure.settings[done.scale].differs, *replaced, *map(literal, done.missing)]


def _rows(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a table in Markdown, without empty columns."""
    columns = [column for column in zip(head, *rows, strict=True) if any(column[1:])]
    lines = ["| " + " | ".join(cells) + " |" for cells in zip(*columns, strict=True)]
    return [lines[0], "|" + " --- |" * len(columns), *lines[1:]]


def _comparison_rows(done: Computed) -> list[tuple[str, ...]]:
    """Return a row per number: computed, printed, and source."""
    figure = done.figure
    computed_numbers = {(n.panel, n.line, n.x): n for n in done.numbers}
    printed_numbers = {(n.panel, n.line, n.x): n for n in figure.printed}
    rows: list[tuple[str, ...]] = []
    for key in dict.fromkeys((*computed_numbers, *printed_numbers)):
        panel, line, x = key
        computed = _computed(figure, computed_numbers[key]) if key in computed_numbers else "–"
        printed, place = "–", ""
        if key in printed_numbers:
            printed, place = (
                _printed(figure, printed_numbers[key]),
                source(figure, printed_numbers[key]),
            )
        rows.append((panel, line, x if isinstance(x, str) else number(x), computed, printed, place))
    return rows


def _value(figure: Figure, value: float, places: int = 2) -> str:
    return f"{100 * value:.{places}f}%" if figure.share else f"{value:.4g}"


def _computed(figure: Figure, item: Number) -> str:
    if item.low == item.high:
        return _value(figure, item.mean, 1)
    low, high = (_value(figure, end, 1).removesuffix("%") for end in (item.low, item.high))
    return f"{_value(figure, item.mean, 1)} ({low}–{high})"


def _printed(figure: Figure, item: Printed) -> str:
    value = _value(figure, item.value)
    return value if math.isnan(item.spread) else f"{value} ± {100 * item.spread:.2f}"


def guarantees(done: Computed) -> list[str]:
    """Return the guarantee of each line."""
    by_line: dict[str, list[Number]] = {}
    for item in done.numbers:
        by_line.setdefault(item.line, []).append(item)
    return [f"**{line}**: {_guarantee(numbers)}" for line, numbers in by_line.items()]


def _guarantee(numbers: list[Number]) -> str:
    given = [item.guarantee for item in numbers if item.guarantee]
    if not given:
        return text.NOT_PRIVATE
    first = given[0]
    several = len({(item.notion, item.value) for item in given}) > 1
    facts = {"epsilon": first.epsilon_delta, "delta": first.delta}
    notion = render_text(
        text.AND_ABOVE if several else text.EXACT, headline=headline(first), **facts
    )
    return render_text(
        text.GUARANTEE_RANGE if several else text.GUARANTEE,
        notion=notion,
        adjacency=first.adjacency,
        unit=first.unit,
        public=first.public,
    )
