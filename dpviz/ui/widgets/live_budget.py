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
from dataclasses import dataclass, replace
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from dpviz.formatting import numbers, unbroken
from dpviz.text import front
from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level, page_parts, presentation
from dpviz.ui.widgets import budget_control
from dpviz.views import deployments
from dpviz.views.deployments import Deployment

HTML = """<div class="hand"><div class="drive"><b></b>
<div class="rail"><i></i><input class="own-slider" type="range" step="any"
 aria-label="Budget in the chart"><span></span></div>
<button type="button" title="Play all budgets, largest first">▶ Play</button></div>
<div class="promises" hidden><div class="row" role="group" aria-label="Real deployments"></div>
<small></small>
<div class="told" hidden aria-live="polite"><div></div><p></p></div></div></div>"""
SCRIPTS = ("plotly_internals.js", "live_budget.js", "drawn_frames.js", "real_promises.js")
STYLES = ("own_slider.css", "live_budget.css", "real_promises.css")


@dataclass(frozen=True)
class BudgetFrames:
    """The frames of a picture over the budget, and the page's answer at each.

    Attributes:
        key: of the page; budgets: those that the picture has frames for; budget: the one looked at.
        precise: the answer (Markdown with bold as its only mark) at one of ``budgets``; plain: the
            same in the plain voice.
        slides: a picture that is no chart: an element ``.frames``, a child a budget.
        control, move: key of the budget's own slider, and what sets it.
        tiles, finding, subtitle: the tiles as HTML, and the title of the chart and its subtitle in
            Markdown, at one of ``budgets``.
        marks: guarantees in use, at their budgets; unit: of the chart, as in ``RunSpec``.
        answer: key of the container whose words follow.
    """

    key: str
    budgets: Sequence[float]
    budget: float
    precise: Callable[[float], str]
    plain: Callable[[float], str] | None = None
    slides: bool = False
    control: str = budget_control.SLIDER
    move: Callable[[float], None] = budget_control.move
    marks: Sequence[tuple[float, Deployment]] = ()
    unit: str = "picture"
    answer: str = page_parts.ANSWER
    tiles: Callable[[float], str] | None = None
    finding: Callable[[float], str] | None = None
    subtitle: Callable[[float], str] = lambda budget: ""


def first_drawn(key: str, content: Hashable, now: float) -> tuple[float, bool]:
    """Return the budget at which the picture is to be drawn: the one at which the page ``key`` drew
    this content first; and whether an earlier run did.

    Args:
        content: equal whenever everything but the budget is.
    """
    previous = st.session_state.get(f"{key}:first-seen")
    if previous is not None and previous[0] == content:
        return previous[1], True
    st.session_state[f"{key}:first-seen"] = (content, now)
    return now, False


def follow(chart: str, frames: BudgetFrames, refined: go.Figure | None = None) -> bool:
    """Let a picture and the page's answer follow the budget's control, and the control follow the
    picture; return False where the picture has no frame to follow with.

    Args:
        chart: key of the picture's element; refined: the chart with newer numbers, which the
            browser puts into the one drawn, so that its zoom stays.
    """
    newer = _as_json(frames.key, refined) if refined else ""
    if frames.budget not in frames.budgets or len(frames.budgets) < 2:
        return False
    names, place = numbers(frames.budgets), list(frames.budgets).index(frames.budget)
    page_parts.current_page().frame = names[place]
    key = f"slide-{chart}"
    words = detail_level.at_level(frames.precise, frames.plain)
    data = {
        "chart": chart,
        "control": frames.control,
        "slides": frames.slides,
        "now": place,
        # tuples, since Streamlit asks pandas whether a list is a table
        "budgets": tuple(frames.budgets),
        "frames": tuple(names),
        "answer": frames.answer,
        "words": tuple(unbroken(words(budget)) for budget in frames.budgets),
        "tiles": tuple(map(frames.tiles, frames.budgets)) if frames.tiles else (),
        "findings": _findings(frames),
        # marks would push the answer and the way back off a presentation's screen
        "marks": () if presentation.on() else _marks(frames),
        "other_unit": front.OTHER_UNIT,
        "marks_key": front.MARKS_KEYS[frames.unit],
        "why": deployments.PURPOSE_TEXT,
        "refined": newer,
        "settings": page_parts.current_page().settings,
        "label": page_parts.current_page().slider_label,
        "symbol": page_parts.current_page().slider_symbol,
    }
    part = st.components.v2.component(
        "dpviz.slide",
        html=HTML,
        css="".join(map(asset, STYLES)),
        js="".join(map(asset, SCRIPTS)),
    )
    part(key=key, data=data, on_budget_change=lambda: budget_control.take(key, frames.move))
    return True


def _findings(frames: BudgetFrames) -> tuple[str, ...]:
    if frames.finding is None:
        return ()
    pairs = ((frames.finding(budget), frames.subtitle(budget)) for budget in frames.budgets)
    return tuple(page_parts.finding_html(title, subtitle=below) for title, below in pairs)


def _as_json(key: str, figure: go.Figure) -> str:
    """A chart for the browser; what leaves the page takes it as well."""
    pictures = page_parts.current_page().pictures
    if key in pictures:
        pictures[key] = replace(pictures[key], figure=figure)
    return figure.to_json()


def _marks(frames: BudgetFrames) -> tuple[dict[str, Any], ...]:
    """Return the guarantees in use as the script takes them."""
    return tuple(
        {
            "at": budget,
            "title": deployment.title,
            "rows": tuple(deployments.rows(deployment, frames.unit)),
            "other": deployments.has_other_unit(deployment, frames.unit),
            "source": deployment.source,
            "address": deployment.address,
        }
        for budget, deployment in frames.marks
    )
