"""Controls of the page Sweeps: the sweep, its lines, and the form of a new one."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import streamlit as st

from dpviz.data import DATASETS, suiting_encoder, uploads
from dpviz.experiments.sweep_files import Status
from dpviz.formatting import SYMBOLS, number
from dpviz.methods import METHODS
from dpviz.text import sweeps as text
from dpviz.text.template import render, render_text
from dpviz.types import DELTA, Result, RunSpec
from dpviz.ui.frame import visitor
from dpviz.ui.widgets import bounded, shared_controls
from dpviz.ui.widgets.choices import choice, requested_value, segments
from dpviz.views import settings_in_words, sweeps_page
from dpviz.views.sweeps_page import SettingComparison, SweepForm, SweepLines

#: Session key of a sweep that was just started, and key of the budget's control.
STARTED, BUDGET = "sweeps:begun", "seps"
#: Budgets and imbalance ratios that the form offers.
FORM_BUDGETS = (0.1, 0.3, 1.0, 3.0, 10.0)
FORM_RATIOS = (1.0, 5.0, 10.0, 20.0, 50.0, 100.0)
FORM_METHODS = ("dppl-mean", "dppl-public", "noisy-gd", "class-mean")
MAX_SEEDS = 100


def pick(sweeps: Sequence[Status]) -> Status:
    """Draw the choice of a sweep, in the link, and return it."""
    with st.sidebar:
        st.header("Data")
        if STARTED in st.session_state:
            st.session_state["sweep"] = st.session_state.pop(STARTED)
        titles = {
            status.key: render_text(
                text.TITLE_OF,
                sign=text.SIGNS[status.current_state],
                name=status.name,
                age=age_text(status.started),
            )
            for status in sweeps
        }
        key = choice(st.selectbox, text.SWEEP, titles, sweeps[0].key, "sweep", always=True)
    return next(status for status in sweeps if status.key == key)


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
        shared_controls.reset_link(results[0].spec.budget.delta)
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
            first, title = next(iter(settings)), METHODS[key].title
            chosen = choice(st.selectbox, title, settings, first, f"set.{key}", help=words)
            results = [r for r in results if r.spec.method != key or _setting(r.spec) == chosen]
    return results


def _setting(spec: RunSpec) -> str:
    words = [
        f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"
        for name, value in spec.params
    ]
    return ", ".join(words) or "no settings"


# ------------------------------------------------------------------------------------ new sweep


def form() -> tuple[SweepForm, list[str]]:
    """Draw the form of a new sweep; return it, and its errors."""
    keys = [key for key, row in DATASETS.items() if "private" in row.roles and row.is_on_disk()]
    titles = {key: DATASETS[key].title for key in keys}
    titles |= {name: uploads.title(name) for name in visitor.my_uploads()}
    methods = {key: method.title for key, method in METHODS.items()}
    name = choice(st.selectbox, text.FORM_DATA, titles, next(iter(titles)), "nd")
    chosen = choice(st.multiselect, text.FORM_METHODS, methods, FORM_METHODS, "nm")
    left, middle, right = st.columns([2, 2, 1])
    with left:
        words = render_text(text.FORM_BUDGETS_HELP, delta=DELTA)
        budgets, errors = _numbers(text.FORM_BUDGETS, "nb", FORM_BUDGETS, FORM_BUDGETS, words)
    with middle:
        words = text.FORM_RATIOS_HELP
        ratios, more = _numbers(text.FORM_RATIOS, "nr", FORM_RATIOS, (50.0,), words)
    with right:
        seeds = bounded.number_input(
            *(text.FORM_SEEDS, 1, MAX_SEEDS, 5),
            key="ns",
            help=text.FORM_SEEDS_HELP,
            bind="query-params",
        )
    in_table = name in DATASETS
    encoded = in_table or uploads.pictures(name)
    filled = SweepForm(
        name if in_table else shared_controls.upload_dataset(name),
        suiting_encoder(name) if encoded else None,
        tuple(key for key in METHODS if key in chosen),
        budgets,
        ratios,
        int(seeds),
    )
    return filled, errors + more


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
