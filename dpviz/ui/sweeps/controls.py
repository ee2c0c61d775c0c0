"""The controls of the page "Sweeps": which sweep, and which of its lines."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpviz.formatting import SYMBOLS, number
from dpviz.methods import METHODS
from dpviz.run.sweep_files import LIST_FACTS, Status
from dpviz.types import DATA_FIELDS, Result, RunSpec
from dpviz.ui.sweeps.answer import SIGNS, age_text
from dpviz.ui.widgets import shared_controls
from dpviz.ui.widgets.choices import choice, segments
from dpviz.views import settings_in_words, sweeps_page
from dpviz.views.sweeps_page import SettingComparison, SweepLines

CHART_TITLES = {"two": "One or two", "all": "All at once"}
"""Of the settings that differ: a map or lines, or parallel coordinates."""
BEGUN_KEY, BUDGET = "sweeps:begun", "seps"
LABELS = {
    fact.name: fact.metadata["title"].capitalize()
    for fact in DATA_FIELDS
    if fact.name in LIST_FACTS
}
LABELS["ir"] = "Imbalance ratio (IR)"


def pick(sweeps: Sequence[Status]) -> Status:
    """The sweep to look at, in the link."""
    with st.sidebar:
        st.header("Data")
        if BEGUN_KEY in st.session_state:
            st.session_state["sweep"] = st.session_state.pop(BEGUN_KEY)
        titles = {
            s.key: f"{SIGNS[s.current_state]} {s.name} ({age_text(s.started)} ago)" for s in sweeps
        }
        key = choice(st.selectbox, "Sweep", titles, sweeps[0].key, "sweep", always=True)
    return next(s for s in sweeps if s.key == key)


def lines(results: Sequence[Result]) -> SweepLines:
    """The controls that choose one line a method."""
    with st.sidebar:
        several = list(results)
        for fact in (fact for fact in LABELS if fact != "records"):
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
    """What is compared, from boxes: a method with several values of its settings, and one or two
    of these, or for all of them at once its run looked at; nothing where no method has several.
    """
    several = {key: sweeps_page.varied_settings(results, key) for key in shown.titles}
    titles = {key: shown.titles[key] for key, names in several.items() if names}
    if not titles:
        return None
    first = max(titles, key=lambda key: len(several[key]))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        method = choice(st.selectbox, "Compare settings of", titles, first, "cm")
        spec = next(r.spec for r in shown.results if r.spec.method == method)
        if segments("Drawn", CHART_TITLES, "two", "cas") == "all":
            return spec
        names = several[method]
        rows = choice(st.selectbox, "By", names, next(iter(names)), "crow")
        others = {name: title for name, title in names.items() if name != rows}
        beside = others | {"": "budget"}
        columns = choice(st.selectbox, "and", beside, next(iter(beside)), "ccol")
    return sweeps_page.comparison_of(results, spec, shown.budget, rows, columns)


def _one_value(results: Sequence[Result], fact: str) -> list[Result]:
    """The results with one value of a fact, which is chosen where there are several."""
    value_text = lambda r: settings_in_words.value_text(fact, getattr(r.spec, fact))
    titles = {value_text(r): value_text(r) for r in results}
    first = chosen = next(iter(titles))
    if len(titles) > 1:
        chosen = choice(st.selectbox, LABELS[fact], titles, first, f"s{fact}")
    return [r for r in results if value_text(r) == chosen]


def _budget(results: Sequence[Result]) -> float:
    values = sorted({r.spec.budget.value for r in results if r.spec.budget.private})
    if not values:
        return 1.0
    stops = {f"{value:g}": number(value) for value in values}
    middle = list(stops)[len(stops) // 2]
    label = f"Budget {SYMBOLS[results[0].spec.budget.axis]}"
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
            words = f"{len(settings)} settings in this sweep"
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
