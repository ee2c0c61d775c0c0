"""Presentation: one sentence, one chart, large type, and what the promise leaves to an attacker;
``present=1`` in the link.
"""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

from dpviz.plots.kit.drawing import copy_figure
from dpviz.plots.kit.style import FONT, PRESENTATION_LETTERS
from dpviz.text import navigation as text
from dpviz.ui.assets import asset
from dpviz.ui.frame import copy_link, detail_level
from dpviz.views.guarantee_in_words import odds
from dpviz.views.page_as_shown import ShownPage

NAME, FOOT = "present", "present-foot"
FROM, TEACH = "from", "teach"
"""Name and value in a link of slides that were opened on the Teach page."""
LEFT = "present:left"
HEIGHT = 500
"""Height of a chart (px) until the browser has said what it has room for."""
HEIGHT_KEY = "present:room"
FOOT_OF_CHART = 140
"""Pixels of ticks, title and three rows of a legend in such letters."""


def on() -> bool:
    """True where the link asks for a presentation."""
    return st.query_params.get(NAME) == "1"


def style() -> None:
    """Hide everything but question, answer, picture and foot; whatever went wrong or is under way
    stays in sight.
    """
    if on():
        st.html(f"<style>{asset('presentation.css')}</style>")


def enlarged(figure: go.Figure) -> go.Figure:
    """A chart as it is, or a larger copy for a presentation, in letters of the size that its meta
    names as ``letters``; panels without that entry have no room for it.
    """
    meta = figure.layout.meta or {}
    if not on() or ("panels" in meta and "letters" not in meta):
        return figure
    letters = meta.get("letters", PRESENTATION_LETTERS)
    bigger = copy_figure(figure).update_layout(
        font_size=letters, legend_font_size=letters, height=st.session_state.get(HEIGHT_KEY, HEIGHT)
    )
    bigger.update_xaxes(tickfont_size=letters, title_font_size=letters - 2).update_yaxes(
        tickfont_size=letters, title_font_size=letters, automargin=True
    )
    if (figure.layout.legend.y or 0) < 0:  # a share of the plot's height, which is another here
        under = {"yref": "container", "y": 0, "yanchor": "bottom"}
        bigger.update_layout(legend=under, margin_b=max(FOOT_OF_CHART, figure.layout.margin.b or 0))
    if (figure.layout.meta or {}).get("named"):
        wider = round(figure.layout.margin.r * PRESENTATION_LETTERS / FONT)
        bigger.update_layout(margin_r=wider, meta=figure.layout.meta | {"room": wider})
    note_size = max(letters, PRESENTATION_LETTERS)
    return bigger.update_annotations(font_size=note_size).update_traces(
        textfont_size=letters, selector=_has_text
    )


def _has_text(trace: go.Trace) -> bool:
    return trace.type in ("scatter", "bar") and trace.text is not None


def button(label: str = "", note: str = "") -> bool:
    """The way in; ``label`` and ``note`` name it outside the side bar. Return whether
    it was pressed.
    """
    return st.button(
        label or text.PRESENT,
        key="present-here" if label else "present",
        icon=":material/present_to_all:",
        help=note or text.PRESENT_HELP,
        on_click=_go,
        args=(True,),
        width="content" if label else "stretch",
    )


def foot(page: ShownPage) -> None:
    """Draw the odds under the weakest guarantee shown, and the way back."""
    with st.container(key=FOOT):
        if page.stated_guarantees:
            st.markdown(odds(page.stated_guarantees, detail_level.precise()))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                text.BACK_TO_TEACH if st.query_params.get(FROM) == TEACH else text.BACK,
                key="unpresent",
                icon=":material/arrow_back:",
                on_click=_go,
                args=(False,),
                help="Or press Esc.",
            )
            units = dict.fromkeys(
                guarantee.unit.capitalize() for guarantee in page.stated_guarantees.values()
            )
            st.caption(f"{'; '.join(units)}. {ODDS_NOTE}" if units else "", width="content")
            copy_link.show("present-link", 320)
        part = st.components.v2.component("dpviz.present", js=asset("presentation.js"))
        part(
            key="hand-escape",
            data={"room": st.session_state.get(HEIGHT_KEY, HEIGHT)},
            on_leave_change=lambda: _go(False),
            on_room_change=_reserve_height,
        )


ODDS_NOTE = "The limit holds for every attacker with a prior of 50%. It follows from the guarantee."


def _reserve_height() -> None:
    st.session_state[HEIGHT_KEY] = int(st.session_state["hand-escape"].room)


def _go(is_on: bool) -> None:
    if is_on:
        st.query_params[NAME] = "1"
    else:
        st.query_params.pop(NAME, None)
        st.session_state[LEFT] = st.query_params.get(FROM) == TEACH


def link_part() -> dict[str, str]:
    """What the links between slides keep."""
    if not on():
        return {}
    start = {FROM: TEACH} if st.query_params.get(FROM) == TEACH else {}
    return {NAME: "1"} | start


def go_back() -> None:
    """Go to the Teach page if slides that were opened there were just left."""
    if st.session_state.pop(LEFT, False):
        st.switch_page("pages/class.py", query_params={"teach": "slides"})
