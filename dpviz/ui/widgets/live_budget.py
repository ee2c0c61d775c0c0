"""A picture that follows the budget in the browser: dragged or played there, settled here when the
hand lets go.

Such a picture holds a frame for each budget and is otherwise the same at all of them. The page
draws it at the budget at which it drew the same content first, so that a move of the budget sends
no new picture: Plotly would draw one anew, with a flash and without its zoom. Which frame is shown
is chosen in one place, the browser (``assets/live_budget.js``), always that of the budget looked
at. Only this module and that script know that the two budgets may differ; what leaves the page
takes the frame that ``page_parts`` names.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from dpviz.formatting import numbers, unbroken
from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level, page_parts, presentation
from dpviz.ui.widgets import budget_control
from dpviz.views import deployments
from dpviz.views.deployments import Deployment

HTML = """<div class="hand">
<div class="rail"><i></i><input class="own-slider" type="range" step="any"
 aria-label="Budget in the picture"></div>
<button type="button" title="Play all budgets, from the largest to the smallest">▶ play</button>
<span></span>
<div class="promises" hidden><div class="row" role="group" aria-label="Promises in use"></div>
<div class="beyond"></div>
<small>↑ Promises that are in use: touch one to read to whom it is, and where that was read.</small>
<div class="told" hidden aria-live="polite"><div></div><p></p></div></div></div>"""
SCRIPTS = ("plotly_internals.js", "live_budget.js", "drawn_frames.js", "real_promises.js")
STYLES = ("own_slider.css", "live_budget.css", "real_promises.css")


def show(
    key: str,
    content: Hashable,
    budgets: Sequence[float],
    now: float,
    draw: Callable[[float], str],
    words: Callable[[float], str],
    slides: bool = False,
    control: str = budget_control.SLIDER,
    move: Callable[[float], None] = budget_control.move,
    plain: Callable[[float], str] | None = None,
    marks: Sequence[tuple[float, Deployment]] = (),
    answer: str = page_parts.ANSWER,
    refined: Callable[[float], go.Figure] | None = None,
) -> bool:
    """Draw a picture and let it and the page's answer follow the budget's control, and the control
    follow the picture; whether the browser had them at hand already.

    Args:
        key: of the page; content: equal whenever everything but the budget is; budgets: those that
            the picture has frames for; now: the one looked at.
        draw: draws the picture, standing at a budget; gives the key of its element.
        words: the answer (Markdown with bold as its only mark) at one of ``budgets``.
        slides: a picture that is no chart: an element ``.frames``, a child a budget.
        control, move: key of the budget's own slider, and what sets it.
        plain: as ``words``, in the plain voice; marks: promises in use, at their budgets.
        answer: key of the container whose words follow; refined: the chart at a budget with newer
            numbers, which the browser puts into the one drawn, so that its zoom stays.
    """
    first, stands = _first_seen(key, content, now)
    chart = draw(first)
    news = _refined(key, refined(first)) if refined else ""
    if now not in budgets or len(budgets) < 2:
        return False
    names, place = numbers(budgets), list(budgets).index(now)
    page_parts.current_page().frame = names[place]
    key = f"slide-{chart}"
    # tuples, since Streamlit asks pandas whether a list is a table
    data = {"chart": chart, "control": control, "slides": slides, "now": place}
    data |= {"budgets": tuple(budgets), "frames": tuple(names)}
    said = detail_level.at_level(words, plain)
    data |= {"answer": answer, "words": tuple(unbroken(said(b)) for b in budgets)}
    # what they tell would push sentence and way back off a presentation's screen
    told = () if presentation.on() else marks
    data |= {"marks": tuple(map(_mark, told)), "why": deployments.WHY, "refined": news}
    script = "".join(map(asset, SCRIPTS))
    part = st.components.v2.component(
        "dpviz.slide", html=HTML, css="".join(map(asset, STYLES)), js=script
    )
    part(key=key, data=data, on_budget_change=lambda: budget_control.take(key, move))
    return stands


def _refined(key: str, figure: go.Figure) -> str:
    """A chart as JSON for the browser; what leaves the page takes it as well."""
    pictures = page_parts.current_page().pictures
    if key in pictures:
        pictures[key] = replace(pictures[key], figure=figure)
    return figure.to_json()


def _mark(mark: tuple[float, Deployment]) -> dict[str, Any]:
    """A promise in use as the script takes it."""
    value, one = mark
    told = {"at": value, "title": one.title, "rows": tuple(deployments.rows(one))}
    return told | {"source": one.source, "address": one.address}


def _first_seen(key: str, content: Hashable, now: float) -> tuple[float, bool]:
    """The budget at which a page first drew this content, and whether an earlier run did."""
    kept = st.session_state.get(f"{key}:first-seen")
    if kept is not None and kept[0] == content:
        return kept[1], True
    st.session_state[f"{key}:first-seen"] = (content, now)
    return now, False
