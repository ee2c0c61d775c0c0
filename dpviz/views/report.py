"""A view as one page that stands alone: question, sentence, charts, settings, promises and how to
get the numbers again.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from pathlib import Path

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs
from plotly.utils import PlotlyJSONEncoder

from dpviz.run import reproduce, result_files
from dpviz.types import Result
from dpviz.views import chart_files, origins, settings_in_words
from dpviz.views.guarantee_in_words import gain, headline, odds, rows_of
from dpviz.views.page_as_shown import Picture, ShownPage
from dpviz.views.view import View
from dpviz.words import SURE

CSS = Path(__file__).with_name("report.css").read_text()
PRIVATE = (
    "Private view, not covered by the guarantee: what is drawn here was computed from private"
    " records. Not for release."
)
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
    " blob:; font-src data:"
)


def page(shown: ShownPage, link: str) -> str:
    """The report in HTML; equal views give equal files.

    Args:
        link: of the view, without the server.
    """
    title = html.escape(shown.question)
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{CSS}</style><script>{get_plotlyjs()}</script>"
    )
    body = f'<h1>{title}</h1><p class="answer">{prose(shown.answer)}</p>{_pictures(shown)}'
    if shown.promises:
        body += _section("What is promised", _promises(shown))
    if shown.view:
        rows = _table(settings_in_words.words(shown.view).values())
        body += _section("Settings", f'<div class="settings">{rows}</div>')
    body += _section("The same numbers again", _again(shown, link))
    sure = f"<p>{SURE}</p>" if shown.results else ""
    body += _section(
        "Where the numbers come from", f"<p>{html.escape(origins.report(shown.results))}</p>{sure}"
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


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


def _pictures(shown: ShownPage) -> str:
    badge = f'<p class="private">{PRIVATE}</p>' if shown.private else ""
    foot = f'<p class="foot">{html.escape(chart_files.about(shown))}</p>'
    figures = (
        f"<figure>{_picture(key, picture, shown.frame)}"
        f"<figcaption>{html.escape(picture.words)}</figcaption>{foot}</figure>"
        for key, picture in shown.pictures.items()
    )
    return badge + "".join(figures)


def _picture(key: str, picture: Picture, frame: str) -> str:
    if picture.figure is None:
        return picture.html()
    return _drawing(key, chart_files.stilled(picture.figure, frame))


def _drawing(key: str, figure: go.Figure) -> str:
    name = re.sub(r"[^\w-]", "-", key)
    # a script's text must not end the script
    spec = json.dumps(
        figure.to_plotly_json() | {"config": {"displaylogo": False, "responsive": True}},
        cls=PlotlyJSONEncoder,
        sort_keys=True,
    ).replace("<", "\\u003c")
    high = f"--high:{figure.layout.height or 450}px;height:var(--high)"
    script = f'<script>Plotly.newPlot("{name}", {spec})</script>'
    return f'<div id="{name}" style="{high}"></div>{script}'


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
    elif shown.results and isinstance(shown.view, View):
        parts.append(
            "<p>All runs, as <code>view.toml</code> for <code>python -m dpviz sweep"
            f" view.toml</code>:</p>{_code(settings_in_words.toml(shown.view))}"
        )
    return "".join(parts)


def _code(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>"


def _looked_at(shown: ShownPage) -> Result:
    """A private run at the budget looked at, where there is one."""
    fits = shown.view.at_now(shown.results) if shown.view else []
    return (fits or list(shown.results))[0]
