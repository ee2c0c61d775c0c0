"""Presentation: one sentence, one chart, large type, and what the promise leaves to an attacker;
``present=1`` in the link.
"""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

from dpviz.diagnostics import attack_bound
from dpviz.plots.kit.style import copied
from dpviz.ui.assets import ASSETS
from dpviz.ui.frame.page_record import ANSWER, PICTURE, Drawn
from dpviz.ui.widgets.text import literal

NAME, FOOT = "present", "present-foot"
TYPE, HEIGHT = 17, 500
"""Size of letters (px) and least height of a chart (px)."""
SCRIPT = (ASSETS / "presentation.js").read_text()

_KEPT = (
    f".st-key-{ANSWER}, .st-key-{PICTURE}, .st-key-{FOOT}, [data-testid=stHeading],"
    " [data-testid=stAlertContentError], [data-testid=stProgress]"
)
_INSIDE = ", ".join(f"{one}, {one} *" for one in _KEPT.split(", "))
STYLE = f"""<style>
[data-testid=stSidebar], [data-testid=stExpandSidebarButton], [data-testid=stHeader], .st-key-lesson {{ display: none !important; }}
.stMainBlockContainer [data-testid=stVerticalBlock] > *:not({_INSIDE}):not(:has({_KEPT})),
.stMainBlockContainer [data-testid=stElementContainer]:not({_INSIDE}):not(:has({_KEPT})) {{ display: none; }}
.stMainBlockContainer [data-testid=stHeading] h2, .stMainBlockContainer [data-testid=stHeading] h3 {{ display: none; }}
.stMainBlockContainer {{ max-width: 1500px; padding: 1rem 3vw !important; }}
.stMainBlockContainer [data-testid=stHeading] h1 {{ font-size: clamp(1.1rem, 1.6vw, 1.7rem); opacity: .75; font-weight: 500; padding-bottom: 0; }}
.st-key-{ANSWER} p {{ font-size: clamp(1.3rem, 2.3vw, 2.5rem); line-height: 1.3; }}
.st-key-{FOOT} p {{ font-size: clamp(1.1rem, 1.5vw, 1.6rem); }}
.st-key-{FOOT} [data-testid=stCaptionContainer] p {{ font-size: 1rem; }}
</style>"""


def on() -> bool:
    """True where the link asks for a presentation."""
    return st.query_params.get(NAME) == "1"


def style() -> None:
    """Hide everything but question, answer, picture and foot; whatever went wrong or is under way
    stays in sight.
    """
    if on():
        st.html(STYLE)


def enlarged(figure: go.Figure) -> go.Figure:
    """A chart as it is, or a larger copy for a presentation."""
    if not on():
        return figure
    bigger = copied(figure).update_layout(
        font_size=TYPE, legend_font_size=TYPE, height=max(HEIGHT, figure.layout.height or 0)
    )
    bigger.update_xaxes(tickfont_size=TYPE, title_font_size=TYPE - 2).update_yaxes(
        tickfont_size=TYPE, title_font_size=TYPE
    )
    return bigger.update_annotations(font_size=TYPE).update_traces(
        textfont_size=TYPE, selector=_has_text
    )


def _has_text(trace: go.Trace) -> bool:
    return trace.type in ("scatter", "bar") and trace.text is not None


def button() -> None:
    """The way in."""
    st.button(
        "Present",
        key="present",
        icon=":material/present_to_all:",
        help=HELP,
        on_click=_go,
        args=(True,),
        width="stretch",
    )


HELP = "One sentence, one chart, large type. Esc brings you back."


def foot(drawn: Drawn) -> None:
    """The odds that the weakest promise drawn leaves, and the way back."""
    with st.container(key=FOOT):
        if drawn.promises:
            st.markdown(odds(drawn))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                "Back to all settings",
                key="unpresent",
                icon=":material/arrow_back:",
                on_click=_go,
                args=(False,),
                help="Esc does the same.",
            )
            st.caption(
                f"One record = one image. {WHOSE}" if drawn.promises else "", width="content"
            )
        part = st.components.v2.component("dpviz.present", js=SCRIPT)
        part(key="hand-escape", on_leave_change=lambda: _go(False))


WHOSE = "The odds follow from the guarantee alone, for every attacker, whatever else is known."


def odds(drawn: Drawn) -> str:
    """What the weakest promise leaves to an attacker, in Markdown."""
    title = max(drawn.promises, key=lambda t: attack_bound.most_right(drawn.promises[t]))
    return (
        f"{literal(attack_bound.odds(drawn.promises[title]).sentence)}"
        f" ({literal(title)}{', the weakest promise here' if len(drawn.promises) > 1 else ''})"
    )


def _go(there: bool) -> None:
    if there:
        st.query_params[NAME] = "1"
    else:
        st.query_params.pop(NAME, None)
