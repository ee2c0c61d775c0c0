"""The tabs of the Teach page."""

from __future__ import annotations

import streamlit as st

from dpviz.formatting import plain
from dpviz.plots.classroom import Tally
from dpviz.text import teach as text
from dpviz.text.template import render
from dpviz.ui.frame import page_parts
from dpviz.ui.live_class import estimates, live
from dpviz.ui.questions import class_page
from dpviz.ui.teach import plan, question_links, slides
from dpviz.ui.widgets import charts
from dpviz.ui.widgets.choices import tabs

#: Name of the open tab in the link.
TAB = "teach"
#: Widths of the steps and of the example beside them.
COLUMNS = (5, 6)
#: Opacity of bars of made-up answers, and height of their chart in pixels.
EXAMPLE_OPACITY, EXAMPLE_HEIGHT = 0.45, 150


def draw(first_tab: str = "") -> None:
    """Draw the page; ``first_tab`` is open at first, for links of an earlier version."""
    place = page_parts.question(text.TITLE)
    if first_tab and TAB not in st.session_state and TAB not in st.query_params:
        st.session_state[TAB] = first_tab
    tab = tabs(text.TABS, TAB)
    if tab != "live" or not live.is_open():
        page_parts.answer(place, text.ANSWERS["start"].fill(precise=True))
    match tab:
        case "links":
            question_links.draw()
        case "slides":
            slides.draw()
        case "plan":
            plan.draw()
        case "results":
            class_page.draw()
        case "private":
            estimates.draw(estimates.side_bar())
        case _:
            if live.is_open():
                live.draw(place)
                return
            left, right = st.columns(COLUMNS, gap="medium")
            with left:
                live.draw(place)
            if not live.is_open():
                with right.container(border=True, height="stretch", key="class-example"):
                    _example()


def _example() -> None:
    """Draw results as the class sees them, of answers that are made up."""
    answers = tuple(text.WALL_OPTIONS.values())
    st.html(f'<small class="dp-chip">{plain(text.WALL_TAG)}</small>')
    page_parts.chart_title(text.WALL_TITLE)
    counts = Tally.from_counts(tuple(text.WALL_OPTIONS), answers, text.WALL_RIGHT)
    figure = counts.figure()
    figure.update_traces(marker={"opacity": EXAMPLE_OPACITY})
    figure.update_layout(height=EXAMPLE_HEIGHT, margin_b=8)
    st.plotly_chart(
        figure,
        width="stretch",
        key="teach-example",
        config=charts.CONFIG,
        alt=counts.alt(),
    )
    st.caption(render(text.WALL_CAPTION, right=answers[text.WALL_RIGHT], all=sum(answers)))
