"""The tab Private questions: how precisely a class learns about itself, and who learns what."""

from __future__ import annotations

import math

import streamlit as st

from dpviz import privacy
from dpviz.classroom import LIVE_CLASSES, Snapshot
from dpviz.diagnostics import attack_bound
from dpviz.formatting import number
from dpviz.plots.classroom import YesPrecision
from dpviz.text import live_class as text
from dpviz.text.template import render_text
from dpviz.ui.frame import detail_level, page_parts, visitor
from dpviz.ui.widgets import budget_control, cards, charts, export, live_budget
from dpviz.ui.widgets.live_budget import BudgetFrames
from dpviz.views import live_class_page
from dpviz.views.live_class_page import BUDGETS, SIZES, WAYS
from dpviz.views.page_as_shown import Tile

KEY = "class-known"
ANSWER_KEY = "class-known-says"
#: People without a live class.
DEFAULT_PEOPLE = 30
CODE = """from dpviz.views.live_class_page import half_width

print([half_width(way, {epsilon:g}, {people}) for way in ("coin", "server")])"""


def side_bar() -> float:
    """Draw the control of a private question's budget, and return it."""
    with st.sidebar:
        epsilon = budget_control.choose_value("approx", BUDGETS)
        st.caption(text.BUDGET_NOTE)
        st.html(f'<a class="dp-button" href="?" target="_self">{text.RESET}</a>')
    return epsilon


def draw(epsilon: float) -> None:
    """Draw the sentence, tiles, chart and cards."""
    live_class = LIVE_CLASSES.find_by_owner(visitor.visitor_name())
    shot = live_class.snapshot() if live_class else None
    people_here = max(shot.joined, shot.answered) if shot else 0
    people = people_here or DEFAULT_PEOPLE
    chart = _chart(people_here)
    precise, plain = (
        lambda budget, level=level: live_class_page.class_text(budget, people, level)
        for level in (True, False)
    )
    st.subheader(text.PRIVATE_TITLE)
    with st.container(key=ANSWER_KEY):
        st.markdown(detail_level.at_level(precise, plain)(epsilon))
    page_parts.tiles(_tiles(epsilon, people))
    with page_parts.picture():
        page_parts.chart_title(text.PRIVATE_CHART)
        first_epsilon, _ = live_budget.first_drawn(KEY, chart, epsilon)
        live_budget.follow(
            charts.plot(chart, KEY, first_epsilon),
            BudgetFrames(KEY, chart.budgets, epsilon, precise, plain, answer=ANSWER_KEY),
        )
    st.caption(text.PRIVATE_CAPTION)
    _cards(epsilon, shot)
    with st.expander(text.FORMULAS, key="formulas"):
        st.markdown(text.ANATOMY)
    code = CODE.format(epsilon=epsilon, people=people)
    if fold := export.fold("code"):
        with fold:
            export.table(chart.table(), KEY, text.CHART_TABLE)
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


def _tiles(epsilon: float, people: int) -> list[Tile]:
    """Return the half-widths, the share of own answers, and the attacker's best guess."""
    halves = {way: live_class_page.half_width(way, epsilon, people) for way in WAYS}
    honesty = privacy.coin_threshold(epsilon) / privacy.COIN_STEPS
    guess = attack_bound.success_bound(privacy.one_answer("server", epsilon))
    tiles = [
        Tile(
            text.TILES[way],
            render_text("±{half:percent}", half=half / people),
            render_text(text.TILE_NOTES["people"], half=f"{half:.1f}", people=people),
            text.TILE_HELP[way],
        )
        for way, half in halves.items()
    ]
    share = render_text("{share:percent}", share=math.floor(1000 * honesty) / 1000)
    tiles.append(Tile(text.TILES["own"], share, text.TILE_NOTES["own"], text.TILE_HELP["own"]))
    limit = render_text("{guess:at_most}", guess=guess)
    tiles.append(
        Tile(text.TILES["guess"], limit, text.TILE_NOTES["guess"], text.TILE_HELP["guess"])
    )
    return tiles


def _cards(epsilon: float, shot: Snapshot | None) -> None:
    """Draw who learns what by each way, and the guarantee of both."""
    with cards.row("class"):
        for way in WAYS:
            with cards.titled(text.CARDS[way], 330, f"class-{way}"):
                st.html(cards.definition(text.WHO_KNOWS[way]))
        with cards.titled(text.CARDS["guarantee"], 330, "class-promise"):
            claim = privacy.one_answer("server", epsilon)
            rows = [
                ("each answer", f"ε = {number(epsilon)}, δ = 0"),
                ("neighbors", claim.adjacency),
                ("unit", claim.unit),
                ("treated as public", claim.public),
                (text.ASKED_AGAIN, text.COSTS_AGAIN),
            ]
            if shot:
                rows.append((text.SPENT_HERE, live_class_page.spent_text(shot.spent)))
            st.html(cards.definition(rows))
