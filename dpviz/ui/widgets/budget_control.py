"""The budget: a box for any value, which holds it, and a slider over the stops that charts draw,
which moves it; and to whom the guarantee is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz import privacy
from dpviz.data import persons_known
from dpviz.formatting import SYMBOLS, numbers, plain
from dpviz.text import controls as text
from dpviz.text.template import render
from dpviz.types import DELTA, Budget
from dpviz.types.budget import AXES, LARGEST_BUDGET
from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.widgets import bounded, side_bar
from dpviz.ui.widgets.choices import choice, segments
from dpviz.views.page_config import STOPS

MIN_DELTA, MAX_DELTA = 1e-12, 0.1
RANGES = dict.fromkeys(AXES, (1e-6, 1e6, 1.0))
RANGES["guess"] = (50.0001, LARGEST_BUDGET["guess"], 60.0)
"""Smallest and largest budget of the box on each axis, and the first."""
#: Keys; that of the box is in the link.
BOX, SLIDER, PHONE = "eps", "budget-slider", "budget-slider-phone"
#: Key of the choice of the axis next to a chart.
CHART_AXIS = "axis-at-chart"
LAST_BUDGET = "budget-shown"
"""Key of the last budget that was looked at."""
#: Keys: best guess at which a page compares methods, with its budget; and budgets to go back to.
EQUAL_GUESS, BEFORE_GUESS = "budget-equal-guess", "budget-before-guess"
HTML = """<div class="dp-budget">
<input class="own-slider" type="range" min="0" step="1"><output></output>
<div><span></span><span></span></div></div>"""

#: Keys in the link: privacy unit, and bound on the records of a person.
UNIT, BOUND = "unit", "k"
BOUNDS = (1, 2, 3, 5, 10, 20, 50)
FIRST_BOUND, ALL_RECORDS = "5", "all"


def choose_budget(
    no_choice_note: str = "",
    only: Callable[[str], Sequence[float]] = lambda axis: (),
    epsilon: float = 1.0,
) -> Budget:
    """The budget: a slider over round stops and a box for any value, its axis and its delta.

    Args:
        no_choice_note: why the privacy unit cannot be chosen; only: the budgets of an axis that can
            be looked at, where not all can; epsilon: at which the page opens.
    """
    with side_bar.extra():
        axis = choice(
            *(st.segmented_control, text.AXIS, _axes(), "approx", "axis"),
            required=True,
            help=text.AXIS_HELP[detail_level.precise()],
            on_change=convert,
        )
    slot = st.container(key="budget")
    fold_label = text.DELTA_NOTE.get(axis, text.DELTA_NOTE["other"])
    with side_bar.fold(render(fold_label, delta=_delta_shown()), text.DELTA_PART, "delta-fold"):
        delta = choose_delta()
        if no_choice_note:
            st.caption(no_choice_note)
    with slot:
        value = choose_value(axis, only(axis), epsilon)
        st.session_state[LAST_BUDGET] = Budget(value, axis, delta)
        draw_ends(*text.ENDS)
    return Budget(value, axis, delta)


def _axes() -> dict[str, str]:
    """Return the axes to choose from.

    The plain level offers ρ and paper ε only while one of them is chosen.
    """
    chosen = st.session_state.get("axis") or st.query_params.get("axis")
    if detail_level.precise() or chosen in text.PRECISE_AXES:
        return text.AXES
    return {key: label for key, label in text.AXES.items() if key not in text.PRECISE_AXES}


def chart_axis() -> None:
    """Draw the choice between the attacker's best guess and the other axis next to a chart."""
    axis = st.session_state["axis"]
    before, _ = st.session_state.get(BEFORE_GUESS) or (None, 0.0)
    other = axis if axis != "guess" else before.axis if before else "approx"
    titles = {other: SYMBOLS[other], "guess": text.AXES["guess"]}
    st.session_state[CHART_AXIS] = axis
    st.segmented_control(
        text.AXIS,
        list(titles),
        format_func=lambda each: titles[each],
        key=CHART_AXIS,
        required=True,
        label_visibility="collapsed",
        on_change=_take_axis,
    )


def _take_axis() -> None:
    """Settle on the axis chosen next to the chart, from a callback."""
    st.session_state["axis"] = st.session_state[CHART_AXIS]
    convert()


def _delta_shown() -> float:
    """Return δ as its box in the fold shows it, before the box is drawn."""
    value = st.session_state.get("delta", st.query_params.get("delta", DELTA))
    try:
        return min(max(float(value), MIN_DELTA), MAX_DELTA)
    except (TypeError, ValueError):
        return DELTA


def choose_delta() -> float:
    """The box of δ."""
    kind: dict[str, Any] = {"format": "%.1e", "help": text.DELTA_HELP, "bind": "query-params"}
    limits = MIN_DELTA, MAX_DELTA, DELTA, 1e-6
    return float(bounded.number_input(text.DELTA, *limits, key="delta", **kind))


def draw_ends(left: str, right: str) -> None:
    """What the ends of the slider above mean."""
    st.html(f'<div class="dp-ends"><span>← {left}</span><span>{right} →</span></div>')


def choose_value(axis: str, only: Sequence[float] = (), epsilon: float = 1.0) -> float:
    """The budget looked at, on this axis.

    Args:
        only: the budgets that can be looked at; the nearest to the box's is, which keeps its own.
            Any can where there are none; epsilon: at which the page opens, on that axis.
    """
    label = text.BUDGET.format(symbol=SYMBOLS[axis])
    if axis == "guess":
        label = text.GUESS_BUDGET
    label_column, box_column = st.columns([3, 2], vertical_alignment="center")
    label_column.markdown(label, help=text.BUDGET_HELP)
    with box_column:
        budget = bounded.number_input(
            text.TYPED_BUDGET,
            *RANGES[axis][:2],
            epsilon if axis == "approx" else RANGES[axis][2],
            0.1,
            format="%g",
            key=BOX,
            label_visibility="collapsed",
            bind="query-params",
        )
    if only:
        budget = min(only, key=lambda stop: abs(math.log(stop / budget)))
    stops = only or sorted({*STOPS[axis], budget})
    # tuples, since Streamlit asks pandas whether a list is a table
    data = {"label": label, "stops": tuple(stops), "names": tuple(numbers(stops)), "now": budget}
    _slider(SLIDER, data)
    page_parts.current_page().phone_slider = lambda: _phone_slider(label, data)
    page = page_parts.current_page()
    page.slider_label, page.slider_symbol = label, SYMBOLS[axis]
    return budget


def _slider(key: str, data: Mapping[str, Any]) -> None:
    slider = st.components.v2.component(
        "dpviz.budget",
        html=HTML,
        css=asset("own_slider.css") + asset("budget_slider.css"),
        js=asset("budget_slider.js"),
        isolate_styles=False,
    )
    slider(key=key, data=data, on_budget_change=lambda: take(key, move))


def _phone_slider(label: str, data: Mapping[str, Any]) -> None:
    """Draw the slider once more, for phones, where the side bar is closed."""
    st.html(f'<p class="dp-label">{plain(label)}</p>')
    _slider(PHONE, data)
    draw_ends(*text.ENDS)


def take(key: str, settle: Callable[[float], None]) -> None:
    """Settle at the budget that a component in the browser, called ``key``, was moved to."""
    moved = st.session_state[key]["budget"]
    low, high, _ = RANGES[st.session_state.get("axis") or "approx"]
    if isinstance(moved, int | float) and low <= moved <= high:
        settle(float(moved))


def remember_equal_guess(budget: Budget, share: float) -> None:
    """Remember the best guess at which a page compares methods at this budget, as a share."""
    st.session_state[EQUAL_GUESS] = budget, 100 * share


def convert() -> None:
    """Convert the budget when another axis is chosen.

    To best guesses: the guess at which the page compares methods, else the one of Gaussian noise.
    From them: the budget before, where the guess was not moved, else the same Gaussian noise.
    Between ρ and the papers' ε = √(2ρ): the same ρ. Else the number is kept.
    """
    before, axis = st.session_state.get(LAST_BUDGET), st.session_state.get("axis")
    if before is None or axis not in RANGES:
        return
    if "guess" not in (axis, before.axis) and {axis, before.axis} != {"zcdp", "paper"}:
        return
    budget, guess = st.session_state.get(EQUAL_GUESS) or (None, 0.0)
    if axis == "guess" and budget == before:
        st.session_state[BOX] = float(f"{guess:.4g}")
        st.session_state[BEFORE_GUESS] = before, st.session_state[BOX]
        return
    last_budget, guess = st.session_state.get(BEFORE_GUESS) or (None, 0.0)
    if last_budget is not None and (axis, guess) == (last_budget.axis, before.value):
        st.session_state[BOX] = last_budget.value
        return
    mu = privacy.mu_for(before)
    converted = {
        "approx": lambda: privacy.gdp_epsilon(mu, before.delta),
        "guess": lambda: 100 * privacy.guess_of_mu(mu),
        "zcdp": lambda: mu**2 / 2,
        "paper": lambda: mu,
    }
    low, high, _ = RANGES[axis]
    st.session_state[BOX] = min(max(float(f"{converted[axis]():.4g}"), low), high)
    if axis == "guess":
        st.session_state[BEFORE_GUESS] = before, st.session_state[BOX]


def move(budget: float) -> None:
    """Move the budget, from a callback."""
    st.session_state[BOX] = budget


def unit_fields(dataset: str) -> dict[str, Any]:
    """Unit and bound as fields of a DataConfig; none where the data name no persons."""
    known = persons_known(dataset)
    if known is None:  # data not read yet: as the link has it
        known = st.session_state.get(UNIT, st.query_params.get(UNIT)) == "person"
    if not known:
        return {}
    units = text.RECORD_UNITS if dataset.endswith(".npz") else text.UNITS
    with side_bar.extra():
        unit = segments(text.UNIT, units, "picture", UNIT, help=text.UNIT_HELP)
        return {} if unit == "picture" else {"unit": unit, "per_person": _person_bound()}


def _person_bound() -> int:
    """Draw the most records of a person that are kept; 0 for all."""
    titles = {str(bound): f"{bound}" for bound in BOUNDS} | {ALL_RECORDS: ALL_RECORDS}
    bound_help = text.BOUND_HELP
    chosen = choice(st.select_slider, text.BOUND, titles, FIRST_BOUND, BOUND, help=bound_help)
    return 0 if chosen == ALL_RECORDS else int(chosen)


def no_persons_note(dataset: str) -> str:
    """Why there is no choice; empty where there is one or it is not known yet."""
    return text.NO_PERSONS if persons_known(dataset) is False else ""
