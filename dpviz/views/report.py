"""A view as one sheet that stands alone: question, sentence, main chart, promises and how to get
the numbers again.

A browser draws the chart: that of whoever takes the HTML, which then holds pictures alone, or the
server's own for a PDF.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from plotly.offline import get_plotlyjs

from dpviz.data import DATASETS
from dpviz.run import reproduce, result_files
from dpviz.types import Result
from dpviz.views import chart_files, origins
from dpviz.views.guarantee_in_words import gain, headline, odds, right_at_most
from dpviz.views.page_as_shown import Picture, ShownPage
from dpviz.words import number

CSS = Path(__file__).with_name("report.css").read_text()
PRIVATE = (
    "Private view, not covered by the guarantee: the chart was computed without noise from {whose}."
    " {release}"
)
TAKEN = {
    True: (
        "{title}: public data, taken here for private to the people in them",
        "With private data in their place, the chart would be for their holder alone.",
    ),
    False: (
        "records that are private to the people in them",
        "For whoever holds the data, not for release.",
    ),
}
"""Which records, and who may see the chart, by whether the data are public."""
WIDTH, HEIGHT, LETTERS = 700, 360, 13
"""Of the chart and the letters in it (px), as on paper."""
HEADS = ("Method", "An attacker", "Promise", "To whom")
FIT = """const fit = () => {
  const sheet = document.documentElement.style;
  const high = () => document.body.getBoundingClientRect().height > 1020;
  for (let chart = 360; chart >= 300 && (sheet.setProperty("--chart", chart + "px"), high());)
    chart -= 10;
  for (let share = 1; share > 0.3 && (sheet.setProperty("--share", share), high());) share -= 0.02;
};
addEventListener("load", fit);
addEventListener("beforeprint", fit);"""
"""The chart gives way to one sheet of A4 first, letters after it."""
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
    " blob:; font-src data:"
)


def page(shown: ShownPage, link: str, day: date) -> str:
    """The report in HTML, with a mark where its chart belongs; equal views give equal files.

    Args:
        link: of the view, with the server where its address is known; day: that it was made.
    """
    title = html.escape(shown.question)
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{CSS}</style><script>{FIT}</script>"
    )
    body = f'<h1>{title}</h1><p class="answer">{prose(shown.answer)}</p>{_picture(shown)}'
    if shown.promises:
        body += _section("What is promised, and to whom", _promises(shown))
    body += _section("The same numbers again", _again(shown, link))
    made = f"{day:%d %B %Y}. {origins.report(shown.results)}"
    body += f'<p class="foot">{html.escape(made)}</p>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def drawing(shown: ShownPage, link: str, day: date) -> str:
    """The report that draws its own chart, with Plotly in it, for a browser that prints it."""
    made = page(shown, link, day).replace("</head>", f"<script>{get_plotlyjs()}</script></head>", 1)
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
    """The chart of the report, or none: name, size, figure, and the mark in its HTML in whose place
    it belongs.
    """
    made = []
    for key, picture in _main(shown):
        if picture.figure is not None:
            figure = chart_files.bare(chart_files.stilled(picture.figure, shown.frame))
            figure.update_layout(width=WIDTH, height=HEIGHT, font_size=LETTERS)
            size = {"width": figure.layout.width, "height": figure.layout.height}
            place = {"name": _name(key), "mark": _mark(key)}
            made.append(place | size | {"spec": chart_files.written(figure)})
    return made


def _section(title: str, body: str) -> str:
    return f"<h2>{title}</h2>{body}"


def _promises(shown: ShownPage) -> str:
    rows = [
        (
            title,
            right_at_most(given) if shown.precise else gain(given),
            f"{headline(given)} (ε = {number(given.epsilon_delta)} at δ = {number(given.delta)})",
            f"{given.unit}; {given.adjacency}; taken as public: {given.public}",
        )
        for title, given in shown.promises.items()
    ]
    told = f"<p>{prose(odds(shown.promises))}</p>" if shown.precise else ""
    return f"{_table([HEADS, *rows])}{told}"


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


def _main(shown: ShownPage) -> list[tuple[str, Picture]]:
    return list(shown.pictures.items())[:1]


def _private(shown: ShownPage) -> str:
    """To whom what is drawn is private."""
    row = DATASETS.get(shown.view.dataset) if shown.view else None
    whose, release = TAKEN[row is not None]
    whose = whose.format(title=row.title if row else "")
    return PRIVATE.format(whose=whose, release=release)


def _picture(shown: ShownPage) -> str:
    badge = f'<p class="private">{html.escape(_private(shown))}</p>' if shown.private else ""
    foot = f'<p class="foot">{html.escape(chart_files.about(shown))}.</p>'
    figures = "".join(
        f"<figure>{picture.html() if picture.html else _mark(key)}"
        f"<figcaption>{html.escape(picture.words)}</figcaption></figure>"
        for key, picture in _main(shown)
    )
    return f"{figures}{badge}{foot}"


def _name(key: str) -> str:
    return re.sub(r"[^\w-]", "-", key)


def _mark(key: str) -> str:
    return f"<!--chart {_name(key)}-->"


def _table(rows: Iterable[Sequence[str]]) -> str:
    cells = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _again(shown: ShownPage, link: str) -> str:
    known = "://" in link
    where = "This view:" if known else "This view, after the address of any dpviz server:"
    parts = [f"<p>{where}</p>{_code(link if known else '/' + link)}"]
    if shown.again:
        parts.append(_code(shown.again))
    elif shown.results:
        command = reproduce.run_command(_looked_at(shown).spec)
        parts.append(
            f"<p>One run of it, from a shell in the project's folder"
            f" ({result_files.REPLAY}):</p>{_code(command)}"
        )
    return "".join(parts)


def _code(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>"


def _looked_at(shown: ShownPage) -> Result:
    """A private run at the budget looked at, where there is one."""
    fits = shown.view.at_now(shown.results) if shown.view else []
    return (fits or list(shown.results))[0]
