"""A view as a one-page report: conclusion, key numbers, main chart, guarantees, command.

A browser draws the chart: the reader's own for the HTML file, the server's for the PDF.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from plotly.offline import get_plotlyjs

from dpviz.data import DATASETS, held_aside, uploads
from dpviz.diagnostics import attack_bound
from dpviz.experiments import reproduce, result_files
from dpviz.formatting import number_up, ratio_reached
from dpviz.plots.kit import on_paper
from dpviz.text import report as text
from dpviz.text.template import render_text
from dpviz.types import Guarantee, Result, RunSpec
from dpviz.views import origins, page_as_shown
from dpviz.views.guarantee_in_words import headline, odds
from dpviz.views.page_as_shown import Picture, ShownPage

CSS = Path(__file__).with_name("report.css").read_text()
WIDTH, HEIGHT = 700, 300
"""Of the chart (px), as on paper."""
MAX_TILES = 4
"""Key numbers that a report has room for."""
MAX_COMMANDS = 2
"""Commands that a report has room for."""
HEADS = text.HEADS
PRIVATE_TABLE = f'<p class="private">{text.PRIVATE_VIEW}</p>'
FIT = """const fit = () => {
  const sheet = document.documentElement.style;
  const high = () => document.body.getBoundingClientRect().height > 1020;
  for (let share = 1; share > 0.3 && (sheet.setProperty("--share", share), high());) share -= 0.02;
};
addEventListener("load", fit);
addEventListener("beforeprint", fit);"""
"""Scales text and chart to one A4 page."""
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
    " blob:; font-src data:"
)


def page(shown_page: ShownPage, link: str, day: date, short: str = "") -> str:
    """Return the report in HTML, with a mark for its chart; equal views give equal files.

    Args:
        link: link of the view, with the server where its address is known.
        day: date of the report.
        short: link without settings at their default, to be read and typed.
    """
    title = html.escape(shown_page.question)
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{CSS}</style><script>{FIT}</script>"
    )
    parts = [
        f'<h1>{title}</h1><p class="answer">{prose(shown_page.answer)}</p>',
        _tiles(shown_page),
        _chart(shown_page),
        _questions(shown_page),
    ]
    if shown_page.stated_guarantees:
        parts += [f"<h2>{text.GUARANTEES}</h2>", _guarantees(shown_page)]
    parts += [_tables(shown_page), _small_print(shown_page)]
    parts += [_foot(shown_page, link, short or link, day)]
    body = "".join(parts)
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def _tiles(shown_page: ShownPage) -> str:
    """Return the first key numbers of the page, side by side."""
    cells = (
        f"<div><span>{html.escape(tile.label)}</span><b>{html.escape(tile.value)}</b>"
        f"<span>{html.escape(', '.join(filter(None, (tile.note, tile.aside))))}</span>"
        f"<small>{html.escape(tile.runs)}</small></div>"
        for tile in shown_page.tiles[:MAX_TILES]
    )
    return f'<div class="tiles">{"".join(cells)}</div>' if shown_page.tiles else ""


def _questions(shown_page: ShownPage) -> str:
    """Return what to ask of anyone who offers a guarantee, with the answers of this view."""
    answers = _view_answers(list(shown_page.stated_guarantees.values()))
    items = "".join(
        f"<li>{html.escape(words)}<br><b>{html.escape(answers.get(key, ''))}</b></li>"
        for key, words in text.QUESTIONS.items()
    )
    return f'<section class="ask"><h2>{text.ASK}</h2><ul>{items}</ul></section>'


def _view_answers(guarantees: Sequence[Guarantee]) -> dict[str, str]:
    """Return the answers to ``QUESTIONS`` under these guarantees; {} without any."""
    if not guarantees:
        return {}
    budgets = {(number_up(g.epsilon_delta), number_up(g.delta)) for g in guarantees}
    first = guarantees[0]
    budget = text.ANSWERS["budgets" if len(budgets) > 1 else "budget"]
    is_person = first.unit.startswith("one person")
    data = (words for guarantee in guarantees for words in re.split("[,;] ", guarantee.public))
    public = ", ".join(dict.fromkeys(data))
    return {
        "budget": render_text(budget, epsilon=first.epsilon_delta, delta=first.delta),
        "unit": text.ANSWERS["per_person" if is_person else "per_record"],
        "public": render_text(text.ANSWERS["public"], public=public),
        "noise": text.ANSWERS["noise"],
    }


def drawing(shown_page: ShownPage, link: str, day: date, short: str = "") -> str:
    """Return the report with Plotly inside, which draws its chart: for a browser that prints it."""
    document = page(shown_page, link, day, short)
    document = document.replace("</head>", f"<script>{get_plotlyjs()}</script></head>", 1)
    for chart in charts(shown_page):
        size = {key: chart[key] for key in ("width", "height")} | {"format": "svg"}
        # a script's text must not end the script
        spec = chart["spec"].replace("<", "\\u003c")
        # as part of the page, where its styles hold
        script = (
            f"Plotly.toImage({spec}, {json.dumps(size)}).then((file) => {{"
            f' document.getElementById("{chart["name"]}").outerHTML ='
            ' decodeURIComponent(file.slice(file.indexOf(",") + 1)); fit(); })'
        )
        picture = f'<i id="{chart["name"]}"></i><script>{script}</script>'
        document = document.replace(chart["mark"], picture, 1)
    return document


def charts(shown_page: ShownPage) -> list[dict[str, Any]]:
    """Return the chart of the report, or none: name, size, figure, and its mark in the HTML."""
    charts_data = []
    for key, picture in _main(shown_page):
        if picture.figure is not None:
            figure = page_as_shown.file_figure(
                page_as_shown.still_figure(picture.figure, shown_page.frame)
            )
            on_paper.fit(figure, WIDTH, HEIGHT)
            size = {"width": figure.layout.width, "height": figure.layout.height}
            place = {"name": _name(key), "mark": _mark(key)}
            charts_data.append(place | size | {"spec": page_as_shown.figure_json(figure)})
    return charts_data


def guarantee_rows(shown_page: ShownPage) -> list[tuple[str, str, str]]:
    """Return the table under ``HEADS``: method, attacker's best guess, guarantee."""
    return [
        (title, _best_guess(guarantee), _notion(guarantee))
        for title, guarantee in shown_page.stated_guarantees.items()
    ]


def _best_guess(guarantee: Guarantee) -> str:
    share = attack_bound.success_bound(guarantee)
    return text.NO_LIMIT if share == 1 else render_text(text.GUESS, share=share)


def _notion(guarantee: Guarantee) -> str:
    epsilon, delta = guarantee.epsilon_delta, guarantee.delta
    name = headline(guarantee)
    return render_text(text.NOTION, headline=name, epsilon=epsilon, delta=delta)


def to_whom(shown_page: ShownPage) -> str:
    """Return whom the guarantees protect, and what they take as public."""
    given = shown_page.stated_guarantees
    units = _by_title(given, lambda guarantee: f"{guarantee.unit}, {guarantee.adjacency}")
    public = _by_title(given, lambda guarantee: guarantee.public)
    held = sorted({guarantee.held_aside for guarantee in given.values()} - {0})
    own_images = [
        render_text(text.OWN_IMAGES, images=held_aside.treated(images)) for images in held
    ]
    sentences = [
        render_text(text.PROTECTS, units=units),
        render_text(text.PUBLIC, public=public),
        *own_images,
    ]
    return " ".join(sentences)


def _guarantees(shown_page: ShownPage) -> str:
    odds_text = f" {prose(odds(shown_page.stated_guarantees))}" if shown_page.precise else ""
    table = _table([HEADS, *guarantee_rows(shown_page)])
    return f"{table}<p>{html.escape(to_whom(shown_page))}{odds_text}</p>"


def _by_title(guarantees: Mapping[str, Guarantee], words: Callable[[Guarantee], str]) -> str:
    """Return what guarantees state, each statement once, with the methods that share it."""
    titles: dict[str, list[str]] = {}
    for title, guarantee in guarantees.items():
        titles.setdefault(words(guarantee), []).append(title)
    if len(titles) == 1:
        return next(iter(titles))
    return "; ".join(
        render_text(text.OF_METHODS, words=statement, methods=", ".join(names))
        for statement, names in titles.items()
    )


def _tables(shown_page: ShownPage) -> str:
    """Return the tables of the page's cards, side by side."""
    cells = (
        f"<div><h2>{html.escape(title)}</h2>{PRIVATE_TABLE if table.private else ''}"
        f"{_table([('', *table.head), *table.rows])}"
        f"<p>{prose(table.note)}</p></div>"
        for title, table in shown_page.tables.items()
    )
    return f'<div class="beside">{"".join(cells)}</div>' if shown_page.tables else ""


def _small_print(shown_page: ShownPage) -> str:
    """Return what such guarantees do not cover, and what of the report they do not cover."""
    scopes = (
        render_text(
            text.EACH_PERSON if guarantee.unit.startswith("one person") else text.EACH_RECORD,
            unit=guarantee.unit,
        )
        for guarantee in shown_page.stated_guarantees.values()
    )
    sentences = " ".join([*dict.fromkeys(scopes), *text.LIMITS])
    limits = f"<p>{html.escape(sentences)}</p>"
    return f"<h2>{text.SMALL_PRINT}</h2>{limits}{_private(shown_page)}"


def prose(markdown: str) -> str:
    """Return Markdown of a page's sentence as HTML: bold, and escaped characters as they are."""
    bare = re.sub(
        r"\\(.)",
        lambda m: "&#42;" if m[1] == "*" else m[1],
        html.escape(markdown).replace("\\&", "&"),
    )
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", bare)


def _main(shown_page: ShownPage) -> list[tuple[str, Picture]]:
    key = shown_page.main_picture
    return [(key, shown_page.pictures[key])] if key else []


def not_covered(shown_page: ShownPage, medium: str = text.SHEET) -> str:
    """Return what no guarantee covers and who may see it; empty without numbers from records.

    Args:
        medium: what holds the numbers: ``SHEET`` or ``FILE`` of the texts.
    """
    if not shown_page.private_answer and not shown_page.results:
        return ""
    row = DATASETS.get(shown_page.view.dataset) if shown_page.view else None
    title = row.title if row else ""
    sentences = [text.PRIVATE_VIEW] if shown_page.private_answer else []
    sentences += [text.MINORITY] if shown_page.minority else []
    covered = text.PRIVATE_CHART if shown_page.private_main else text.NOT_COVERED
    sentences += [
        render_text(covered, medium=medium),
        render_text(text.READERS[row is not None], title=title, medium=medium),
    ]
    if shown_page.results:
        ratios = [result.ratio for result in shown_page.results]
        sentences.append(render_text(text.RATIO, ratio=ratio_reached(ratios).capitalize()))
    return " ".join(sentences)


def _private(shown_page: ShownPage) -> str:
    sentence = not_covered(shown_page)
    return f'<p class="private">{html.escape(sentence)}</p>' if sentence else ""


def _chart(shown_page: ShownPage) -> str:
    finding = page_as_shown.plain_finding(shown_page)
    title = f"<h2>{html.escape(finding)}</h2>" if finding else ""
    return title + "".join(
        f"<figure>{picture.html() if picture.html else _mark(key)}"
        f"<figcaption>{html.escape(picture.words)}</figcaption></figure>"
        for key, picture in _main(shown_page)
    )


def _name(key: str) -> str:
    return re.sub(r"[^\w-]", "-", key)


def _mark(key: str) -> str:
    return f"<!--chart {_name(key)}-->"


def _table(rows: Iterable[Sequence[str]]) -> str:
    cells = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _foot(shown_page: ShownPage, link: str, short: str, day: date) -> str:
    """Return settings, link, command and versions."""
    has_address = "://" in link
    here = text.LINK if has_address else text.LINK_WITHOUT_SERVER
    shown_link = html.escape(short if has_address else f"/{short}")
    way = f'<a href="{html.escape(link)}">{shown_link}</a>' if has_address else shown_link
    lines = [html.escape(" · ".join(page_as_shown.settings(shown_page))), f"{here} {way}"]
    if code := all_commands(shown_page):
        is_part = bool(shown_page.reproduction) or shown_page.view is None
        template = text.REPRODUCE_PART if is_part else text.REPRODUCE
        start = html.escape(render_text(template, replay=result_files.REPLAY))
        lines.append(f"{start} <code>{html.escape(_brief(code))}</code>")
    if uploads.PLACEHOLDER in code:
        lines.append(html.escape(uploads.REPLACE))
    lines.append(html.escape(_origin(shown_page, day)))
    return f"<footer>{''.join(f'<p>{line}</p>' for line in lines)}</footer>"


def _origin(shown_page: ShownPage, day: date) -> str:
    runs = len(shown_page.results)
    fields = {"day": f"{day:%d %B %Y}", "versions": origins.versions_now()}
    return render_text(text.ORIGIN_OF_RUNS if runs else text.ORIGIN, runs=runs, **fields)


def command(shown_page: ShownPage) -> str:
    """Return the command that reproduces the view's numbers; empty without numbers."""
    if shown_page.reproduction or not shown_page.results:
        return uploads.without_paths(shown_page.reproduction)
    return uploads.without_paths(reproduce.run_command(_run_at_budget(shown_page).spec))


def all_commands(shown_page: ShownPage) -> str:
    """Return the commands that reproduce all numbers at the selected budget, a line per method."""
    if shown_page.reproduction or not shown_page.results or shown_page.view is None:
        return command(shown_page)
    groups: dict[tuple[str, bool], list[RunSpec]] = {}
    still = [result for result in shown_page.results if not result.spec.budget.private]
    for result in [*shown_page.view.at_now(shown_page.results), *still]:
        groups.setdefault((result.spec.method, result.spec.budget.private), []).append(result.spec)
    lines = [reproduce.run_commands(list(dict.fromkeys(specs))) for specs in groups.values()]
    return uploads.without_paths("\n".join(lines))


def _brief(code: str) -> str:
    """Return the code; of more than ``MAX_COMMANDS`` shell commands, the first."""
    lines = code.strip().splitlines()
    if len(lines) > MAX_COMMANDS and all(
        line.startswith(("python -m", "for s in")) for line in lines
    ):
        return render_text(text.MORE_COMMANDS, command=lines[0], more=len(lines) - 1)
    return code


def _run_at_budget(shown_page: ShownPage) -> Result:
    """Return a private run at the selected budget, or the first run."""
    fits = shown_page.view.at_now(shown_page.results) if shown_page.view else []
    return (fits or list(shown_page.results))[0]
