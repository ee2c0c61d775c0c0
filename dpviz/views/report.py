"""A view as one sheet that stands alone: question, sentence, charts, settings, promises and how to
get the numbers again.

A browser draws the charts: that of whoever takes the HTML, which then holds pictures alone, or the
server's own for a PDF.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from plotly.offline import get_plotlyjs

from dpviz.run import reproduce, result_files
from dpviz.types import Result
from dpviz.views import chart_files, origins, settings_in_words
from dpviz.views.guarantee_in_words import gain, headline, odds, rows_of
from dpviz.views.page_as_shown import Picture, ShownPage
from dpviz.words import SURE

CSS = Path(__file__).with_name("report.css").read_text()
PRIVATE = (
    "Private view, not covered by the guarantee: what is drawn here was computed from private"
    " records. Not for release."
)
CHARTS = 3
"""Most pictures of a sheet: the main one, and two beside each other below it."""
LEFT_OUT = "Further charts of this view leave as pictures of their own."
FIT = """const fit = () => {
  const sheet = document.documentElement.style;
  for (let share = 1; share > 0.3; share -= 0.02) {
    sheet.setProperty("--share", share);
    if (document.body.getBoundingClientRect().height <= 1020) break;
  }
};
addEventListener("load", fit);
addEventListener("beforeprint", fit);"""
"""Letters and pictures as large as one sheet of A4 allows."""
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
    " blob:; font-src data:"
)


def page(shown: ShownPage, link: str) -> str:
    """The report in HTML, with a mark where each chart belongs; equal views give equal files.

    Args:
        link: of the view, without the server.
    """
    title = html.escape(shown.question)
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{CSS}</style><script>{FIT}</script>"
    )
    body = f'<h1>{title}</h1><p class="answer">{prose(shown.answer)}</p>{_pictures(shown)}'
    if shown.promises:
        body += _section("What is promised", _promises(shown))
    if shown.view:
        rows = _table(settings_in_words.words(shown.view).values())
        body += _section("Settings", f'<div class="settings">{rows}</div>')
    body += _section("The same numbers again", _again(shown, link))
    sure = f" {SURE}" if shown.results else ""
    body += f'<p class="foot">{html.escape(origins.report(shown.results))}{sure}</p>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def drawing(shown: ShownPage, link: str) -> str:
    """The report that draws its own charts, with Plotly in it, for a browser that prints it."""
    made = page(shown, link).replace("</head>", f"<script>{get_plotlyjs()}</script></head>", 1)
    for chart in charts(shown):
        size = {key: chart[key] for key in ("width", "height")} | {"format": "svg"}
        # a script's text must not end the script
        spec = chart["spec"].replace("<", "\\u003c")
        script = (
            f"Plotly.toImage({spec}, {json.dumps(size)}).then((file) =>"
            f' Object.assign(document.getElementById("{chart["name"]}"),'
            " { onload: fit, src: file }))"
        )
        picture = f'<img id="{chart["name"]}" alt=""><script>{script}</script>'
        made = made.replace(chart["mark"], picture, 1)
    return made


def charts(shown: ShownPage) -> list[dict[str, Any]]:
    """The charts of the report: name, size, figure, and the mark in its HTML in whose place each
    belongs.
    """
    made = []
    for key, picture in _few(shown):
        if picture.figure is not None:
            figure = chart_files.bare(chart_files.stilled(picture.figure, shown.frame))
            size = {"width": figure.layout.width, "height": figure.layout.height}
            place = {"name": _name(key), "mark": _mark(key)}
            made.append(place | size | {"spec": chart_files.written(figure)})
    return made


def _section(title: str, body: str) -> str:
    return f"<h2>{title}</h2>{body}"


def _promises(shown: ShownPage) -> str:
    heads = (headline,) if shown.precise else (gain, headline)
    cards = "".join(
        f'<div class="card"><b>{html.escape(title)}</b>'
        f"{''.join(f'<br>{html.escape(head(promise))}' for head in heads)}"
        f"{_table(rows_of(promise))}</div>"
        for title, promise in shown.promises.items()
    )
    told = odds(shown.promises, shown.precise)
    return f'<div class="cards">{cards}</div><p>{prose(told)}</p>'


def prose(markdown: str) -> str:
    """Markdown of the pages' sentences as HTML: bold and escaped signs, nothing else; all else
    stays text.
    """
    bare = re.sub(
        r"\\(.)",
        lambda m: "&#42;" if m[1] == "*" else m[1],
        html.escape(markdown).replace("\\&", "&"),
    )
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", bare)


def _few(shown: ShownPage) -> list[tuple[str, Picture]]:
    return list(shown.pictures.items())[:CHARTS]


def _pictures(shown: ShownPage) -> str:
    badge = f'<p class="private">{PRIVATE}</p>' if shown.private else ""
    more = f" {LEFT_OUT}" if len(shown.pictures) > CHARTS else ""
    foot = f'<p class="foot">{html.escape(chart_files.about(shown))}.{more}</p>'
    figures = "".join(
        f"<figure>{picture.html() if picture.html else _mark(key)}"
        f"<figcaption>{html.escape(picture.words)}</figcaption></figure>"
        for key, picture in _few(shown)
    )
    return f'{badge}<div class="pictures">{figures}</div>{foot}'


def _name(key: str) -> str:
    return re.sub(r"[^\w-]", "-", key)


def _mark(key: str) -> str:
    return f"<!--chart {_name(key)}-->"


def _table(rows: Iterable[tuple[str, str]]) -> str:
    cells = (f"<tr><td>{html.escape(a)}</td><td>{html.escape(b)}</td></tr>" for a, b in rows)
    return f"<table>{''.join(cells)}</table>"


def _again(shown: ShownPage, link: str) -> str:
    parts = [f"<p>This view, after the address of any dpviz server:</p>{_code('/' + link)}"]
    if shown.results:
        command = reproduce.run_command(_looked_at(shown).spec)
        parts.append(
            f"<p>One run of it, from a shell in the project's folder"
            f" ({result_files.REPLAY}):</p>{_code(command)}"
        )
    if shown.again:
        parts.append(_code(shown.again))
    return "".join(parts)


def _code(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>"


def _looked_at(shown: ShownPage) -> Result:
    """A private run at the budget looked at, where there is one."""
    fits = shown.view.at_now(shown.results) if shown.view else []
    return (fits or list(shown.results))[0]
