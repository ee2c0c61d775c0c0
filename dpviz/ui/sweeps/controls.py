"""Controls of the Sweeps page: the sweep, its lines, and the form of a new one."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.data import DATASETS, largest_class, persons_known, suiting_encoder, uploads
from dpviz.encoders import availability
from dpviz.experiments.sweep_files import Status
from dpviz.formatting import SYMBOLS, number
from dpviz.methods import METHODS
from dpviz.text import controls as control_text
from dpviz.text import sweeps as text
from dpviz.text.controls import AXES, HEADERS
from dpviz.text.template import render, render_text
from dpviz.types import DELTA, UNITS, Param, Result, RunSpec
from dpviz.ui.frame import visitor
from dpviz.ui.widgets import bounded, shared_controls
from dpviz.ui.widgets.budget_control import BOUNDS
from dpviz.ui.widgets.choices import choice, requested_value, segments
from dpviz.views import settings_in_words, sweep_form, sweeps_page
from dpviz.views.page_config import STOPS
from dpviz.views.sweep_form import SweepForm, Values
from dpviz.views.sweeps_page import SettingComparison, SweepLines

#: Session key of a sweep that was just started, and key of the budget's control.
STARTED, BUDGET = "sweeps:begun", "seps"
#: Budgets of each axis that the form starts with, and imbalance ratios that it offers.
FORM_BUDGETS = {
    "approx": (0.1, 0.3, 1.0, 3.0, 10.0),
    "guess": (51.0, 53.0, 60.0, 70.0, 80.0),
    "zcdp": (0.001, 0.01, 0.1, 1.0),
    "paper": (0.1, 0.3, 1.0, 3.0, 10.0),
}
FORM_RATIOS = (1.0, 5.0, 10.0, 20.0, 50.0, 100.0)
FORM_METHODS = ("dppl-mean", "dppl-public", "noisy-gd")
#: Largest numbers of seeds, data draws, and values of a setting.
MAX_SEEDS, MAX_DRAWS, MAX_VALUES = 100, 20, 20


def pick(sweeps: Sequence[Status]) -> Status:
    """Draw the choice of a sweep, in the link, and return it."""
    with st.sidebar:
        st.header("Data")
        if STARTED in st.session_state:
            st.session_state["sweep"] = st.session_state.pop(STARTED)
        titles = {status.key: title(status) for status in sweeps}
        key = choice(st.selectbox, text.SWEEP, titles, sweeps[0].key, "sweep", always=True)
    return next(status for status in sweeps if status.key == key)


def title(status: Status) -> str:
    """Return state, name and age of a sweep."""
    return render_text(
        text.TITLE_OF,
        sign=text.SIGNS[status.current_state],
        name=status.name,
        age=age_text(status.started),
    )


def age_text(then: float) -> str:
    """Return the age of a time in seconds since 1970."""
    seconds = max(0.0, time.time() - then)
    unit = next((size for size in text.AGES if seconds >= size), 1)
    return render(text.AGES[unit], n=round(seconds / unit))


def lines(results: Sequence[Result]) -> SweepLines:
    """Draw the controls that select one line per method, and return the lines."""
    with st.sidebar:
        several = list(results)
        for fact in (fact for fact in text.LABELS if fact != "records"):
            several = _one_value(several, fact)
        kept = _one_value(several, "records")
        st.header("Privacy")
        budget = _budget(kept)
        kept = _one_setting_each(kept)
        spec = kept[0].spec
        line = settings_in_words.phone_line(spec.dataset, spec.ir, spec.budget.with_value(budget))
        shared_controls.reset_link(results[0].spec.budget.delta, line=line)
    settings = {(r.spec.method, r.spec.params) for r in kept}
    beside = (r for r in several if (r.spec.method, r.spec.params) in settings)
    return SweepLines(tuple(kept), budget, tuple(beside))


def compared(results: Sequence[Result], shown: SweepLines) -> SettingComparison | RunSpec | None:
    """Draw the choice of a method and of its settings to compare.

    Returns:
        A comparison of one or two settings; a run, for all settings at once; None where no method
        has several values of a setting.
    """
    several = {key: sweeps_page.varied_settings(results, key) for key in shown.titles}
    titles = {key: shown.titles[key] for key, names in several.items() if names}
    if not titles:
        return None
    first = max(titles, key=lambda key: len(several[key]))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        method = choice(st.selectbox, text.COMPARE, titles, first, "cm")
        spec = next(r.spec for r in shown.results if r.spec.method == method)
        if segments(text.CHART_KIND, text.CHARTS, "two", "cas") == "all":
            return spec
        names = several[method]
        rows = choice(st.selectbox, text.ROWS, names, next(iter(names)), "crow")
        others = {name: title for name, title in names.items() if name != rows}
        beside = others | {"": text.BUDGET_COLUMN}
        columns = choice(st.selectbox, text.OTHER_ROWS, beside, next(iter(beside)), "ccol")
    return sweeps_page.comparison_of(results, spec, shown.budget, rows, columns)


def _one_value(results: Sequence[Result], fact: str) -> list[Result]:
    """Return the results with one value of a fact; draw its choice where there are several."""
    value_text = lambda r: settings_in_words.value_text(fact, getattr(r.spec, fact))
    titles = {value_text(r): value_text(r) for r in results}
    first = chosen = next(iter(titles))
    if len(titles) > 1:
        chosen = choice(st.selectbox, text.LABELS[fact], titles, first, f"s{fact}")
    return [r for r in results if value_text(r) == chosen]


def _budget(results: Sequence[Result]) -> float:
    values = sorted({r.spec.budget.value for r in results if r.spec.budget.private})
    if not values:
        return 1.0
    stops = {f"{value:g}": number(value) for value in values}
    middle = list(stops)[len(stops) // 2]
    symbol = SYMBOLS[results[0].spec.budget.axis]
    label = render_text(text.BUDGET, symbol=symbol)
    return float(choice(st.select_slider, label, stops, middle, BUDGET))


def set_budget(value: float) -> None:
    """Move the budget, from a callback."""
    st.session_state[BUDGET] = f"{value:g}"


def _one_setting_each(results: list[Result]) -> list[Result]:
    heading = st.empty()
    for key in dict.fromkeys(r.spec.method for r in results):
        settings = {_setting(r.spec): _setting(r.spec) for r in results if r.spec.method == key}
        if len(settings) > 1:
            heading.header("Method")
            words = render_text(text.SETTINGS_HELP, count=len(settings))
            first, method = next(iter(settings)), METHODS[key].title
            chosen = choice(st.selectbox, method, settings, first, f"set.{key}", help=words)
            results = [r for r in results if r.spec.method != key or _setting(r.spec) == chosen]
    return results


def _setting(spec: RunSpec) -> str:
    words = [
        f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"
        for name, value in spec.params
    ]
    return ", ".join(words) or "no settings"


# ------------------------------------------------------------------------------------ new sweep


def form(narrow: bool = False) -> tuple[SweepForm, str, list[str]]:
    """Draw the form of a new sweep; return it, its name, and its errors.

    Args:
        narrow: whether the form is in the side bar.
    """
    keys = [key for key, row in DATASETS.items() if "private" in row.roles and row.is_on_disk()]
    titles = {key: DATASETS[key].title for key in keys}
    titles |= {upload: uploads.title(upload) for upload in visitor.my_uploads()}
    places = _side_bar_places() if narrow else _wide_places()
    with places["data"]:
        data = choice(st.selectbox, text.FORM_DATA, titles, next(iter(titles)), "nd")
    with places["encoders"]:
        encoders = _encoders(data)
    all_methods = {key: method.title for key, method in METHODS.items()}
    with places["methods"]:
        chosen = choice(st.multiselect, text.FORM_METHODS, all_methods, FORM_METHODS, "nm")
    grid_places = [places[name] for name in ("axis", "budgets", "ratios", "seeds")]
    axis, budgets, ratios, seeds, errors = _grid(grid_places)
    unnamed = data if data in DATASETS else text.UPLOAD_NAME
    placeholder = render_text(text.FORM_NAME_EXAMPLE, name=unnamed)
    name = places["name"].text_input(
        text.FORM_NAME, placeholder=placeholder, max_chars=60, key="nname"
    )
    dataset = data if data in DATASETS else shared_controls.upload_dataset(data)
    methods: dict[str, dict[str, Values]] = {key: {} for key in METHODS if key in chosen}
    facts: dict[str, Values] = {"ir": ratios}
    with places["more"]:
        draws = _more_axes(dataset, methods, facts)
    form = SweepForm(dataset, encoders, methods, axis, budgets, facts, draws, seeds)
    return form, name or unnamed, errors


def _wide_places() -> dict[str, DeltaGenerator]:
    """Return the place of each field where the form has the width of the page."""
    data, encoders, name = st.columns(3)
    methods = st.container()
    axis, budgets, ratios, seeds = st.columns([1, 2, 2, 1])
    first = {"data": data, "encoders": encoders, "name": name, "methods": methods}
    grid = {"axis": axis, "budgets": budgets, "ratios": ratios, "seeds": seeds}
    return first | grid | {"more": st.container()}


def _side_bar_places() -> dict[str, DeltaGenerator]:
    """Return the place of each field in the side bar: some of them in a fold."""
    visible: dict[str, DeltaGenerator] = {}
    for header, names in (
        ("data", ("data", "ratios")),
        ("method", ("methods",)),
        ("privacy", ("budgets",)),
    ):
        st.header(HEADERS[header])
        visible |= {name: st.container() for name in names}
    with st.expander(text.FORM_MORE):
        folded = {name: st.container() for name in ("encoders", "axis", "seeds", "name", "more")}
    return visible | folded


def _encoders(data: str) -> tuple[str, ...]:
    """Draw the choice of encoders; none for features."""
    if not (data in DATASETS or uploads.pictures(data)):
        return ()
    titles, suiting = availability.titles(), suiting_encoder(data)
    first = suiting if suiting in titles else next(iter(titles))
    return choice(st.multiselect, text.FORM_ENCODERS, titles, (first,), "ne")


def _grid(
    columns: Sequence[DeltaGenerator],
) -> tuple[str, tuple[float, ...], tuple[float, ...], int, list[str]]:
    """Draw axis, budgets, imbalance ratios and number of seeds; return them, and errors.

    Args:
        columns: place of each, in this order.
    """
    with columns[0]:
        axis = choice(st.selectbox, text.FORM_AXIS, AXES, "approx", "na")
    with columns[1]:
        key = "nb" if axis == "approx" else f"nb.{axis}"
        label = render_text(text.FORM_BUDGETS, symbol=SYMBOLS[axis])
        words = render_text(text.FORM_BUDGETS_HELP, delta=DELTA)
        offered = tuple(sorted({*STOPS[axis], *FORM_BUDGETS[axis]}))
        budgets, errors = _numbers(label, key, offered, FORM_BUDGETS[axis], words)
    with columns[2]:
        words = text.FORM_RATIOS_HELP
        ratios, more = _numbers(text.FORM_RATIOS, "nr", FORM_RATIOS, (50.0,), words)
    with columns[3]:
        limits = 1, MAX_SEEDS, 5
        more_options: dict[str, Any] = {"help": text.FORM_SEEDS_HELP, "bind": "query-params"}
        seeds = bounded.number_input(text.FORM_SEEDS, *limits, key="ns", **more_options)
    return axis, budgets, ratios, int(seeds), errors + more


def _more_axes(dataset: str, methods: dict[str, dict[str, Values]], facts: dict) -> int:
    """Draw the choice of more settings and their values; return the number of data draws.

    Args:
        methods, facts: take the values.
    """
    params = {f"{key}.{p.name}": (key, p) for key in methods for p in METHODS[key].params}
    titles = text.DATA_AXES | {
        name: render_text(text.METHOD_AXIS, method=METHODS[key].title, label=param.label)
        for name, (key, param) in params.items()
    }
    if persons_known(dataset) is False:
        titles = {name: t for name, t in titles.items() if name not in ("unit", "per_person")}
    help_text, draws = text.FORM_AXES_HELP, 1
    for axis in choice(st.multiselect, text.FORM_AXES, titles, (), "nx", help=help_text):
        if axis in params:
            key, param = params[axis]
            methods[key][param.name] = _param_values(param, titles[axis], axis)
        elif axis == "draws":
            limits = 1, MAX_DRAWS, 5
            number = bounded.slider(titles[axis], *limits, key="nx.draws", bind="query-params")
            draws = int(number)
        elif axis == "unit":
            facts[axis] = choice(
                st.multiselect, titles[axis], control_text.UNITS, tuple(UNITS), "nx.unit"
            )
        else:
            facts[axis] = _counts(axis, titles[axis], dataset)
    return draws


def _counts(axis: str, label: str, dataset: str) -> Values:
    """Draw numbers of images to choose from, with all of them as the last."""
    largest = largest_class(dataset) or shared_controls.DEFAULT_LARGEST_CLASS
    numbers = BOUNDS if axis == "per_person" else shared_controls.RECORDS
    stops = {str(n): f"{n:,}" for n in numbers if axis == "per_person" or n < largest}
    titles = stops | {"0": text.ALL_VALUES}
    chosen = choice(st.multiselect, label, titles, tuple(titles)[-2:], f"nx.{axis}")
    return tuple(map(int, chosen))


def _param_values(param: Param, label: str, axis: str) -> Values:
    """Draw the values of a method's setting: some texts, or a number of steps in a range."""
    values = sweep_form.stops(param)
    key = f"nx.{axis}"
    if param.choices:
        titles = {value: value for value in values}
        return choice(st.multiselect, label, titles, values, key, help=param.help)
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    with left:
        low, high = bounded.select_slider(
            label,
            values,
            sweep_form.first_range(values, param.default),
            format_func=number,
            key=key,
            help=param.help,
            bind="query-params",
        )
    with right:
        kind: dict[str, Any] = {"key": f"{key}.n", "bind": "query-params"}
        count = bounded.number_input(text.VALUES, 1, MAX_VALUES, 3, help=text.VALUES_HELP, **kind)
    found = sweep_form.spread(values, low, high, int(count))
    words = text.RANGE_VALUES if len(found) == count else text.RANGE_HAS_NO_MORE
    st.caption(render(words, values=", ".join(map(number, found))))
    return found


def _numbers(
    label: str, key: str, stops: Sequence[float], first: Sequence[float], words: str
) -> tuple[tuple[float, ...], list[str]]:
    """Draw a choice of numbers to which more can be typed; return them, and errors."""
    default = tuple(f"{value:g}" for value in first)
    asked = requested_value(key, default)
    typed = [value for value in asked if value not in {f"{stop:g}" for stop in stops}]
    good = [value for value in typed if _positive(value)]
    titles = {f"{stop:g}": number(stop) for stop in stops} | {value: value for value in good}
    chosen = choice(
        *(st.multiselect, label, titles, default, key), accept_new_options=True, help=words
    )
    errors = [render_text(text.BAD_NUMBER, text=value) for value in typed if value not in good]
    return tuple(sorted(map(float, chosen))), errors


def _positive(value: str) -> bool:
    try:
        return 0 < float(value) < math.inf
    except ValueError:
        return False
