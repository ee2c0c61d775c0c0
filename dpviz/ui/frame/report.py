"""A view as one page that stands alone: question, sentence, charts, settings, promises and how to
get the numbers again.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st
from plotly.offline import get_plotlyjs
from plotly.utils import PlotlyJSONEncoder

from dpviz.machine import pdf
from dpviz.run import reproduce, store
from dpviz.ui.frame import presentation
from dpviz.ui.frame.page_record import Drawn, Picture
from dpviz.ui.widgets import chart_files, export
from dpviz.ui.widgets.cards import headline, rows_of
from dpviz.views import settings_in_words
from dpviz.views.view import View

STYLE = """
body { font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; color: #1f2430; background: #fff; max-width: 900px; margin: 0 auto; padding: 1.5rem; font-variant-numeric: tabular-nums; }
h1 { font-size: 1.5rem; margin: 0 0 .4rem; } h2 { font-size: 1.05rem; margin: 1.6rem 0 .4rem; } .answer { font-size: 1.15rem; }
.private { border-left: 4px solid #D55E00; padding-left: .6rem; font-size: .9rem; } figure { margin: 1rem 0 1.4rem; break-inside: avoid; } figcaption { font-size: .85rem; } .foot { font-size: .75rem; color: #5b6270; margin: .2rem 0 0; }
table { border-collapse: collapse; font-size: .85rem; width: 100%; } td { padding: .1rem .6rem .1rem 0; vertical-align: top; overflow-wrap: anywhere; } td:first-child { color: #5b6270; white-space: nowrap; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(260px, 1fr)); gap: .8rem; } .card { border: 1px solid #d5d9e0; border-radius: .5rem; padding: .6rem .8rem; break-inside: avoid; }
pre { background: #f4f5f8; padding: .6rem; border-radius: .4rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; }
@page { size: A4; margin: 12mm; }
@media print {
  html, body { font-size: 11px; } body { padding: 0; max-width: none; } h2, p:has(+ pre) { break-after: avoid; } .cards { grid-template-columns: repeat(3, 1fr); }
  .settings { columns: 2; column-gap: 2rem; } .settings td:first-child { white-space: normal; width: 45%; }
  .slider-container, .updatemenu-container, .modebar { display: none !important; } .hand { height: calc(var(--high) - 62px) !important; overflow: hidden; }
}
"""
PRIVATE = (
    "Private view, not covered by the guarantee: what is drawn here was computed from private"
    " records. Not for release."
)
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
    " blob:; font-src data:"
)


def fold(drawn: Drawn, link: str) -> None:
    """The fold with the report's buttons; the report is made when one of them is pressed."""
    folded = st.expander(
        "For a meeting: this view as a one-page report, its charts as pictures",
        key="report",
        on_change="rerun",
    )
    if not folded.open:
        return
    with folded:
        st.markdown(
            "Question, sentence, charts, settings, promises and the command behind the numbers, in"
            " one file that needs no network and no server."
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            name = f"dpviz-{link.partition('?')[0] or 'trade-off'}"
            st.download_button(
                "Report as HTML",
                lambda: page(drawn, link),
                f"{name}.html",
                "text/html",
                on_click="ignore",
                icon=":material/download:",
            )
            if pdf.browser():
                st.download_button(
                    "Report as PDF",
                    lambda: pdf.printed(page(drawn, link)),
                    f"{name}.pdf",
                    "application/pdf",
                    on_click="ignore",
                    icon=":material/picture_as_pdf:",
                )
            else:
                st.caption(
                    "No PDF: this server has no Chromium to print one. Your browser's own “Print”"
                    " makes one of the HTML."
                )
        if any(one.figure for one in drawn.pictures.values()):
            st.markdown(
                "Each chart as a picture, with data, method, guarantee and version at its foot:"
            )
            chart_files.buttons(drawn)


def page(drawn: Drawn, link: str) -> str:
    """The report in HTML; equal views give equal files.

    Args:
        link: of the view, without the server.
    """
    about = chart_files.about(drawn)
    parts = [
        f"<h1>{html.escape(drawn.question)}</h1>",
        f'<p class="answer">{prose(drawn.answer)}</p>',
    ]
    parts += [f'<p class="private">{PRIVATE}</p>'] if drawn.private else []
    parts += [_figure(key, one, about, drawn.frame) for key, one in drawn.pictures.items()]
    if drawn.promises:
        cards = "".join(
            "<div"
            f' class="card"><b>{html.escape(title)}</b><br>{html.escape(headline(promise))}{_table(rows_of(promise))}</div>'
            for title, promise in drawn.promises.items()
        )
        parts.append(
            "<h2>What is promised</h2><div"
            f' class="cards">{cards}</div><p>{prose(presentation.odds(drawn))}</p>'
        )
    if drawn.view:
        parts.append(
            "<h2>Settings</h2><div"
            f' class="settings">{_table(list(settings_in_words.words(drawn.view).values()))}</div>'
        )
    parts.append(f"<h2>The same numbers again</h2>{_again(drawn, link)}")
    parts.append(f"<h2>Where the numbers come from</h2><p>{html.escape(origin(drawn))}</p>")
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}"><meta'
        ' name="viewport" content="width=device-width">'
    )
    head += f"<title>{html.escape(drawn.question)}</title><style>{STYLE}</style><script>{get_plotlyjs()}</script>"
    return (
        "<!doctype html>\n<html"
        f' lang="en"><head>{head}</head><body>{"".join(parts)}</body></html>\n'
    )


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


def _figure(key: str, one: Picture, about: str, frame: str) -> str:
    words = f"<figcaption>{html.escape(one.words)}</figcaption>"
    return (
        f"<figure>{_drawing(key, chart_files.stilled(one.figure, frame)) if one.figure else one.html()}{words}<p"
        f' class="foot">{html.escape(about)}</p></figure>'
    )


def _drawing(key: str, figure: go.Figure) -> str:
    name = re.sub(r"[^\w-]", "-", key)
    # a script's text must not end the script
    spec = json.dumps(
        figure.to_plotly_json() | {"config": {"displaylogo": False, "responsive": True}},
        cls=PlotlyJSONEncoder,
        sort_keys=True,
    ).replace("<", "\\u003c")
    hand = ' class="hand"' if figure.layout.sliders else ""
    return (
        f'<div id="{name}"{hand}'
        f' style="--high:{figure.layout.height or 450}px;height:var(--high)"></div><script>Plotly.newPlot("{name}",'
        f" {spec})</script>"
    )


def _table(rows: Sequence[tuple[str, str]]) -> str:
    return (
        "<table>"
        + "".join(f"<tr><td>{html.escape(a)}</td><td>{html.escape(b)}</td></tr>" for a, b in rows)
        + "</table>"
    )


def _again(drawn: Drawn, link: str) -> str:
    parts = [
        "<p>This view, after the address of any dpviz"
        f" server:</p><pre>{html.escape('/' + link)}</pre>"
    ]
    if drawn.results:
        now = _looked_at(drawn)
        parts.append(
            "<p>One run of it, from a shell in the project's"
            f" folder:</p><pre>{html.escape(reproduce.run_command(now.spec))}</pre>"
        )
    if drawn.again:
        parts.append(f"<pre>{html.escape(drawn.again)}</pre>")
    elif drawn.results and isinstance(drawn.view, View):
        parts.append(
            "<p>All runs, as <code>view.toml</code> for <code>python -m dpviz sweep"
            f" view.toml</code>:</p><pre>{html.escape(export.sweep_toml(drawn.view))}</pre>"
        )
    return "".join(parts)


def _looked_at(drawn: Drawn):
    """A private run at the budget looked at, where there is one."""
    fits = drawn.view.at_now(drawn.results) if drawn.view else []
    return (fits or list(drawn.results))[0]


def origin(drawn: Drawn) -> str:
    """How many runs stand behind the page, and by which versions; no times, so that equal views
    give equal files.
    """
    versions = ", ".join(f"{name} {value}" for name, value in store.versions().items())
    runs = (
        f"{len(drawn.results)} runs computed by dpviz on the data named above; nothing is taken"
        " from a paper unless a figure says so. "
        if drawn.results
        else ""
    )
    return f"{runs}{versions}."
