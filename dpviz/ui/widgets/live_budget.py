"""The budget in a chart: dragged or played in the browser, settled here when the hand lets go."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import streamlit as st

from dpviz.ui.assets import ASSETS
from dpviz.ui.frame import page_record
from dpviz.ui.widgets import shared_controls
from dpviz.words import number, unbroken

SCRIPT = (ASSETS / "live_budget.js").read_text()
SLIDER = """<div class="hand"><button type="button" title="Play all budgets, from the largest to the smallest">▶ sweep</button>
<input type="range" min="0" step="1" aria-label="Budget in the picture"><span></span></div>"""
LOOK = """.hand { display: flex; gap: .8rem; align-items: center; font-size: .85rem; color: inherit; }
.hand input { flex: 1; min-width: 6rem; accent-color: var(--st-primary-color); color-scheme: light dark; }
.hand span { min-width: 5.5rem; font-variant-numeric: tabular-nums; }
.hand button { font: inherit; color: inherit; padding: .15rem .6rem; border-radius: .4rem; cursor: pointer;
  background: rgba(128,136,150,.12); border: 1px solid rgba(128,136,150,.35); }"""


def steady(key: str, content: Hashable, now: float) -> float:
    """The budget to draw a chart with frames at: the one at which this content was first drawn.

    A chart that stays the same to the letter is neither sent nor drawn anew when the budget moves;
    ``tie`` moves it.

    Args:
        content: equal whenever everything but the budget is.
    """
    kept = st.session_state.get(f"{key}:steady")
    if kept is None or kept[0] != content:
        kept = st.session_state[f"{key}:steady"] = (content, now)
    return kept[1]


def tie(
    chart: str,
    budgets: Sequence[float],
    now: float,
    words: Callable[[float], str],
    slider: bool = False,
    control: str = shared_controls.STOP,
    move: Callable[[float], None] = shared_controls.set_budget,
) -> None:
    """Let a picture and the page's answer follow the budget's control, and the control follow the
    picture.

    Args:
        chart: its key; it has a frame for each of ``budgets``, called by its number.
        words: the answer (Markdown with bold as its only mark) at one of ``budgets``.
        slider: draw one here, for pictures that have none of their own: an element ``.frames``, a
            child a budget.
        control, move: key of the budget's own slider, and what sets it.
    """
    if now not in budgets or len(budgets) < 2:
        return
    page_record.now().frame = number(now)
    key, names = f"{'slide' if slider else 'hand'}-{chart}", [number(b) for b in budgets]
    data = {
        "chart": chart,
        "control": control,
        "frames": names,
        "now": list(budgets).index(now),
        "slider": slider,
    }
    data |= {"answer": page_record.ANSWER, "words": [unbroken(words(b)) for b in budgets]}
    part = (
        st.components.v2.component("dpviz.slide", html=SLIDER, css=LOOK, js=SCRIPT)
        if slider
        else st.components.v2.component("dpviz.hand", js=SCRIPT)
    )
    part(key=key, data=data, on_budget_change=lambda: _settle(key, tuple(budgets), move))


def _settle(key: str, budgets: tuple[float, ...], move: Callable[[float], None]) -> None:
    place = st.session_state[key]["budget"]
    if isinstance(place, int) and 0 <= place < len(budgets):
        move(budgets[place])
