"""Text that is safe to show, the few lines of style that themes cannot say, and where numbers came
from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from dpviz.types import Result
from dpviz.ui.frame import page_record
from dpviz.words import literal, plain  # noqa: F401

STYLE = """
<style>
.stApp { font-variant-numeric: tabular-nums lining-nums; }
.dp-card-title { font-weight: 600; border-left: 4px solid rgba(128,136,150,.5); padding-left: .5rem; margin-bottom: .2rem; }
.stMainBlockContainer { padding-top: 4rem; padding-bottom: 3rem; max-width: 1240px; }
.stMainBlockContainer h1 { font-size: 2.1rem; padding-top: 0; }
.stMainBlockContainer h2 { font-size: 1.6rem; } .stSidebar h2 { font-size: 1.25rem; padding: .4rem 0; }
dl.dp-rows { padding: 0 !important; margin: 0 !important; display: grid; grid-template-columns: max-content 1fr; gap: .15rem .7rem; font-size: .85rem; }
dl.dp-rows dt { opacity: .8; margin: 0 !important; } dl.dp-rows dd { margin: 0 !important; overflow-wrap: anywhere; }
.dp-headline { font-weight: 600; margin: .8rem 0; } .dp-ends { display: flex; justify-content: space-between; font-size: .875rem; opacity: .8; }
.dp-terms dl.dp-rows { font-size: 1rem; grid-template-columns: minmax(8rem, 14rem) 1fr; gap: .6rem 1.2rem; } .dp-terms dt { opacity: 1 !important; font-weight: 600; }
.dp-table { width: 100%; border-collapse: collapse; font-size: .88rem; }
.dp-table th { font-weight: 400; text-align: right; } .dp-table thead > tr > * { opacity: .8; } .dp-table tbody th { opacity: 1; } .dp-table td { text-align: right; padding: .15rem 0; white-space: nowrap; }
.dp-table tr > * { padding: .15rem 0 .15rem .6rem !important; vertical-align: bottom; } .dp-table tr > :first-child { text-align: left; padding-left: 0 !important; }
.dp-button { display: block; text-align: center; padding: .4rem .75rem; border-radius: .5rem; text-decoration: none !important;
  color: inherit !important; border: 1px solid rgba(128,136,150,.35); }
.dp-button.dp-inline { display: inline-block; margin-right: .6rem; }
.dp-button:hover { border-color: currentColor; }
[class*="st-key-hand-"], [data-ahead] > :not(.dp-ahead) { display: none; }
.stMarkdown p { text-wrap: pretty; } .dp-phone { display: none; font-size: .875rem; opacity: .8; margin: 0; }
/* what a move leaves behind stays as it is; only while work goes on is the old picture dimmed */
[data-testid="stElementContainer"], [data-testid="stExpander"] > details, [data-testid="stExpander"] > details > * { transition: none !important; opacity: 1 !important; }
.stApp:has([data-testid="stProgress"]:not(.st-key-all-sweeps *)) .st-key-picture { opacity: .6; }
[data-testid="stCaptionContainer"], [data-testid="stCaptionContainer"] p { color: inherit; } [data-testid="stCaptionContainer"] { opacity: .8; } [data-testid="stCaptionContainer"] a { color: inherit !important; }
.stMarkdownBadge { white-space: normal; }
/* Streamlit's own Stop halts the page, not the work, and leaves a bar that no longer moves */
[data-testid="stStatusWidget"] button { display: none; }
[data-variant="segmented_control"][data-selected="true"], [data-testid="stSliderThumbValue"], [data-testid="stSliderThumbValue"] * { color: inherit !important; }
.js-plotly-plot :is(.xtick, .ytick, .x2tick, .y2tick, .x3tick, .cbaxis, .heatmap-label, .textpoint, .annotation-text-g, [class^="g-"]) text, .js-plotly-plot :is(.legendtext, .slider-label, .updatemenu-item-text, .bartext-outside) { fill: currentColor !important; }
.js-plotly-plot .updatemenu-item-rect { fill: rgba(128,136,150,.12) !important; }
.js-plotly-plot .updatemenu-button:hover .updatemenu-item-rect { fill: rgba(109,93,211,.3) !important; }
@media (max-width: 640px) {
  .dp-phone { display: block; } .stMainBlockContainer h1 { font-size: 1.6rem; } .stMainBlockContainer h2 { font-size: 1.35rem; }
  .stMainBlockContainer [data-testid="stLayoutWrapper"][width$="px"]:has(.dp-card-title) { flex: 1 1 100% !important; }
  .dp-terms dl.dp-rows { grid-template-columns: 1fr; gap: 0; } .dp-terms dl.dp-rows dd { margin-bottom: .9rem !important; }
}
</style>
"""


def style() -> None:
    """Put the style on the page."""
    st.html(STYLE)


def refusals(sentences: Iterable[str]) -> None:
    """Each different sentence once, as an error."""
    for sentence in dict.fromkeys(sentences):
        st.error(literal(sentence), icon=":material/error:")


def origin(results: Sequence[Result]) -> str:
    """How the numbers came about: how many computed and in what time, how many stored, by which
    versions.
    """
    page_record.now().results = page_record.now().results or results
    fresh = [r.seconds for r in results if r.origin == "computed"]
    parts = [
        (
            f"{len(fresh)} of {len(results)} runs computed since this server started, in"
            f" {sum(fresh):.1f} s"
            if fresh
            else ""
        )
    ]
    parts.append(
        f"{len(results) - len(fresh)} runs from the store" if len(fresh) < len(results) else ""
    )
    versions = (
        ", ".join(f"{name} {value}" for name, value in results[0].versions.items())
        if results
        else ""
    )
    return " · ".join(part for part in [*parts, versions] if part)
