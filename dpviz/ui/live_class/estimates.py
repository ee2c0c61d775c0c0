"""What a room can know about itself at every budget, and who knows what: with a room or without."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpviz import privacy
from dpviz.classroom import Snapshot
from dpviz.formatting import number
from dpviz.plots.classroom import YesPrecision
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.widgets import budget_control, cards, charts, export, live_budget
from dpviz.ui.widgets.live_budget import BudgetFrames
from dpviz.views import live_class_page
from dpviz.views.live_class_page import BUDGETS, SIZES, WAYS

KEY = "class-known"
ANSWER_KEY = "class-known-says"
DEFAULT_PEOPLE = 30
"""People of the sentence where no room is open."""
CAPTION = (
    "Computed by formula for people who answered one yes-or-no question; nothing is simulated."
    " ± 50% is an interval from nobody to all: nothing is learned."
)
TITLES = {
    "coin": "By coins on the phones",
    "server": "By a server that all trust",
}
CODE = """from dpviz.views.live_class_page import half_width

print([half_width(way, {epsilon:g}, {people}) for way in ("coin", "server")])"""


def sidebar() -> float:
    """The budget of a private question."""
    with st.sidebar:
        st.header("Privacy")
        epsilon = budget_control.choose_value("approx", BUDGETS)
        st.caption("ε of each private answer, δ = 0.")
        st.html('<a class="dp-button" href="?" target="_self">↺ Reset everything</a>')
    return epsilon


def show(epsilon: float, shot: Snapshot | None, place: Any) -> None:
    """Sentence, chart, cards and folds.

    Args:
        shot: of the room that is open; place: of the page's answer where none is.
    """
    people_here = max(shot.joined, shot.answered) if shot else 0
    people = people_here or DEFAULT_PEOPLE
    chart = _chart(people_here)
    precise, plain = (
        lambda b, say=say: say(b, people)
        for say in (live_class_page.class_precise, live_class_page.class_plain)
    )
    if shot is None:
        page_parts.answer(place, precise(epsilon), plain(epsilon))
        chart_place, answer_key = page_parts.picture(), page_parts.ANSWER
    else:
        st.header("What can this room know about itself?")
        with st.container(key=ANSWER_KEY):
            st.markdown(detail_level.at_level(precise, plain)(epsilon))
        chart_place, answer_key = st.container(), ANSWER_KEY
    with chart_place:
        key = f"{KEY}-{bool(shot)}"
        first_epsilon, _ = live_budget.first_drawn(key, chart, epsilon)
        live_budget.follow(
            charts.plot(chart, KEY, first_epsilon),
            BudgetFrames(key, chart.budgets, epsilon, precise, plain, answer=answer_key),
        )
    st.caption(CAPTION)
    _cards(epsilon, shot)
    with st.expander("The formulas, and what is taken as public", key="formulas"):
        st.markdown(live_class_page.ANATOMY)
    code = CODE.format(epsilon=epsilon, people=people)
    if fold := export.fold("code"):
        with fold:
            export.table(chart.table(), KEY, "The chart")
            st.code(code, language="python", wrap_lines=True)
    page_parts.current_page().reproduction = code


def _chart(people_here: int) -> YesPrecision:
    sizes = sorted({*SIZES, *([people_here] if people_here else [])})
    halves = {
        (way, n): [live_class_page.half_width(way, b, n) for b in BUDGETS]
        for n in sizes
        for way in WAYS
    }
    return YesPrecision.from_halves(BUDGETS, halves, people_here)


def _cards(epsilon: float, shot: Snapshot | None) -> None:
    """Who knows what in each case, and what is promised in both."""
    with cards.row("class"):
        for way, title in TITLES.items():
            with cards.titled(title, 330, f"class-{way}"):
                st.html(cards.definition(live_class_page.WHO_KNOWS[way]))
        with cards.titled("What is promised in both", 330, "class-promise"):
            claim = privacy.one_answer("server", epsilon)
            rows = [
                ("each answer", f"ε = {number(epsilon)}, δ = 0"),
                ("neighbours", claim.adjacency),
                ("unit", claim.unit),
                ("taken as public", claim.public),
                ("asked again", "costs again: answering twice spends twice"),
            ]
            if shot:
                rows.append(("spent so far in this room", live_class_page.spent_text(shot.spent)))
            st.html(cards.definition(rows))
