"""The control "Settings": defaults of the methods, or settings tuned with equal effort.

Tuned settings are written into the controls of the methods, so that the link holds them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.data import public_labels
from dpviz.data.data_set_table import DATASETS
from dpviz.experiments import cleanup, fair_selection, fair_tuning, tuned_settings, tuning
from dpviz.experiments.fair_tuning import FairSearch, FairTuning
from dpviz.experiments.jobs import Group, Work, no_private_runs
from dpviz.experiments.tuned_settings import Params
from dpviz.formatting import literal, number, number_up
from dpviz.lazy_imports import pandas as pd
from dpviz.machine.fair_queue import VISITORS, Progress
from dpviz.methods import METHODS
from dpviz.types import Budget, DataConfig, DpvizError, Result
from dpviz.ui.frame import page_parts, public_demo
from dpviz.ui.live import long_work
from dpviz.ui.widgets import bounded
from dpviz.ui.widgets.choices import segments

KEY, DEFAULTS, TUNED = "settings", "defaults", "tuned"
TITLES = {DEFAULTS: "Defaults", TUNED: "Tuned"}
BUTTON = "Tune all methods fairly"
CENTERING = "f.centre"
RESULTS, PENDING_VALUES, APPLIED_DATA, REQUEST = (
    "fair:held",
    "fair:pending",
    "fair:applied",
    "fair:asked",
)
"""Keys of the session: what was tuned here, values for controls, for which data the controls were
set, and the methods that are to be tuned.
"""
PUBLIC_TEXT = (
    "Settings tuned on public data ({public}): {trials} trials per method, {records} labeled"
    " records, {largest} per class with repeats. No private data were used."
)
OTHER_CLASSES_TEXT = (
    "Settings tuned on other classes of the public data ({public}): {trials} trials per method,"
    " {records} labeled records, {largest} per class with repeats. No private data were used."
)
BUNDLED_TEXT = (
    "Settings tuned on public data ({public}): {trials} trials per method at IR {ir:g}. No"
    " private data were used."
)
SELECTED_TEXT = (
    "Settings chosen by private selection. It costs ε = {epsilon} at δ = {delta} for each of"
    " {methods} methods, on top of the ε of each run. The number of trials is secret."
)
SELECTED_CARD = (
    "chosen by private selection on these data, at an additional cost of ε = {epsilon} at δ ="
    " {delta}; scored on the test set"
)
FREE_HELP = "Tuning uses {trials} trials per method on the labeled public set. It costs no privacy."
FREE_OTHER_HELP = (
    "Tuning uses {trials} trials per method on other classes of the public set. It costs no"
    " privacy."
)
PAID_HELP = (
    "The public set has no labels, so tuning is a private selection. It costs ε = {epsilon} at"
    " δ = {delta} for each method, on top of each run."
)
LARGEST_HELP = (
    "A public guess of the class size, because the true size is private. Tuning repeats public"
    " records up to this size, so that the noise has the same effect as on your data. Default:"
    f" {fair_tuning.LARGEST_PER_TEST} times the number of test records."
)


@dataclass(frozen=True)
class TunedResult:
    """Tuned settings for one data set.

    Attributes:
        params: what differs from the defaults, by method; centered: whether features are centered,
            None where that was not tuned; sentence: number of trials and source; card: how the
            settings were chosen, for guarantee cards; rows: table of scores.
    """

    params: Mapping[str, Params]
    centered: bool | None
    sentence: str
    card: str
    rows: tuple[dict[str, Any], ...] = ()


# ------------------------------------------------------------------------------------- work


def _on_public(group: Group, progress: Progress) -> list[FairTuning]:
    return [fair_tuning.run(group[0], progress)]


def _selected(group: Group, progress: Progress) -> list[tuning.Tuned]:
    study = tuning.run(group[0], progress, long_work.POOL.sweep)
    cleanup.keep_study(group[0], VISITORS.get()())
    return [study]


ON_PUBLIC = Work(_on_public, max_groups=30, private_runs=no_private_runs, feature="tuning")
SELECTIONS = Work(_selected, max_groups=100, private_runs=lambda study: [study], feature="tuning")


def tune_if_requested(material: DataConfig, budget: Budget, status: DeltaGenerator) -> None:
    """Tune the methods that the button asked for, and set the controls to what was found.

    Args:
        budget: private selection costs at most as much for each method, where it is needed.
    """
    methods = st.session_state.get(REQUEST)
    if not methods:
        return
    search = _search(material, methods, budget.delta)
    held = (
        _free(search, status)
        if public_labels.any_classes(material)
        else _paid(search, budget, status)
    )
    if held is None:
        return
    del st.session_state[REQUEST]
    st.session_state[RESULTS] = st.session_state.get(RESULTS, {}) | {
        tuned_settings.place(material): held
    }
    st.session_state[PENDING_VALUES] = control_values(held) | {KEY: TUNED}
    st.session_state[APPLIED_DATA] = tuned_settings.place(material)
    st.rerun()


def _search(material: DataConfig, methods: Sequence[str], delta: float) -> FairSearch:
    largest = st.session_state.get("largest")
    keys = tuple(key for key in methods if METHODS[key].private)
    return FairSearch(**material.facts, methods=keys, largest=largest, delta=delta)


def _free(search: FairSearch, status: DeltaGenerator) -> TunedResult | None:
    group = (search,)
    job = long_work.collect("fair-tuning", [group], status, work=ON_PUBLIC)
    _refuse(job.errors.values())
    return of_tuning(job.done[group][0]) if job.complete else None


def _refuse(sentences: Iterable[str]) -> None:
    """Show why nothing was tuned, once."""
    if sentences := list(sentences):
        st.session_state.pop(REQUEST, None)
        page_parts.refusals(sentences)


def of_tuning(fair: FairTuning) -> TunedResult:
    """What a search on public data found, to be shown and applied."""
    named = {"public": fair.public, "trials": fair.trials}
    sentence = PUBLIC_TEXT if fair.own_classes else OTHER_CLASSES_TEXT
    rows = tuple(
        {
            "Method": METHODS[method.key].title,
            "Defaults, %": round(100 * method.default_score, 1),
            "Tuned, %": round(100 * method.score, 1),
            "Settings": ", ".join(f"{name} {value}" for name, value in method.params) or "defaults",
        }
        for method in fair.tuned
    )
    return TunedResult(
        {method.key: method.params for method in fair.tuned},
        tuned_settings.centered(fair.features),
        sentence.format(records=fair.records, largest=fair.largest, **named),
        tuned_settings.chosen(fair.trials, fair.public),
        rows,
    )


def _paid(search: FairSearch, budget: Budget, status: DeltaGenerator) -> TunedResult | None:
    epsilon = budget.value if budget.axis == "approx" else 1.0
    try:
        studies = fair_selection.studies(search, epsilon)
    except DpvizError as error:
        _refuse([str(error)])
        return None
    groups = [(study,) for study in studies]
    job = long_work.collect("fair-selection", groups, status, work=SELECTIONS)
    _refuse(job.errors.values())
    if not job.complete:
        return None
    tuned = [job.done[group][0] for group in groups]
    params = {
        study.search.method: tuple(study.trials[study.best].params.items())
        for study in tuned
        if study.best is not None
    }
    cost = {"epsilon": number_up(epsilon), "delta": number(search.delta)}
    sentence = SELECTED_TEXT.format(methods=len(params), **cost)
    return TunedResult(params, None, sentence, SELECTED_CARD.format(**cost))


# ---------------------------------------------------------------------------------- controls


def set_pending_values() -> None:
    """Set the controls that were decided on in the run before. Comes before any control."""
    for key, value in st.session_state.pop(PENDING_VALUES, {}).items():
        st.session_state[key] = value


def show(material: DataConfig, methods: Sequence[str], budget: Budget) -> None:
    """Draw the control, its source, and the button that tunes all methods."""
    held = tuned_result(material)
    chosen = DEFAULTS
    if held is not None:
        chosen = segments("Settings", TITLES, DEFAULTS, KEY, on_change=_on_change, args=(material,))
        if chosen == TUNED:
            st.caption(held.sentence)
            _follow(material, held)
    elif st.session_state.get(KEY) == TUNED and st.session_state.get(APPLIED_DATA):
        _set_defaults(material)
    if material.dataset not in DATASETS:
        text = "Records in largest class, guess"
        kind: dict[str, Any] = {"help": LARGEST_HELP, "bind": "query-params"}
        bounded.number_input(text, 1, fair_tuning.MAX_RECORDS, None, 1, key="largest", **kind)
    button(material, methods, budget)


def is_tuned() -> bool:
    """Whether the controls are set to tuned settings."""
    return st.session_state.get(KEY) == TUNED


def button(material: DataConfig, methods: Sequence[str], budget: Budget, key: str = "fair") -> None:
    """The button that tunes all methods, with its cost as help."""
    if public_demo.closed("tuning"):
        return
    epsilon = budget.value if budget.axis == "approx" else 1.0
    cost = {"epsilon": number_up(epsilon), "delta": number(budget.delta)}
    if public_labels.shared(material):
        words = FREE_HELP.format(trials=fair_tuning.TRIALS)
    elif public_labels.any_classes(material):
        words = FREE_OTHER_HELP.format(trials=fair_tuning.TRIALS)
    else:
        words = PAID_HELP.format(**cost)
    st.button(BUTTON, key=key, help=words, on_click=_request, args=(tuple(methods),))


def _request(methods: tuple[str, ...]) -> None:
    st.session_state[REQUEST] = methods


def _on_change(material: DataConfig) -> None:
    held = tuned_result(material)
    assert held is not None
    if st.session_state[KEY] == TUNED:
        st.session_state[APPLIED_DATA] = tuned_settings.place(material)
        st.session_state[PENDING_VALUES] = control_values(held)
    else:
        st.session_state.pop(APPLIED_DATA, None)
        st.session_state[PENDING_VALUES] = _defaults(held.params, held.centered)


def _follow(material: DataConfig, held: TunedResult) -> None:
    """Set the controls to the tuned settings of the data that is chosen now.

    A link that was opened with changed settings keeps those.
    """
    if st.session_state.get(APPLIED_DATA) == tuned_settings.place(material):
        return
    untouched = _defaults(held.params, held.centered)
    changed = any(st.session_state.get(key, value) != value for key, value in untouched.items())
    is_first = APPLIED_DATA not in st.session_state
    st.session_state[APPLIED_DATA] = tuned_settings.place(material)
    if not (is_first and changed):
        st.session_state[PENDING_VALUES] = control_values(held)
        st.rerun()


def _set_defaults(material: DataConfig) -> None:
    """Set the controls to the defaults, as nothing is tuned for the data chosen now."""
    st.session_state.pop(APPLIED_DATA, None)
    st.query_params.pop(KEY, None)
    st.session_state[PENDING_VALUES] = _defaults(METHODS, True) | {KEY: DEFAULTS}
    st.rerun()


def control_values(held: TunedResult) -> dict[str, Any]:
    """Values of the controls for tuned settings, by key."""
    settings = _defaults(held.params, None)
    for method, params in held.params.items():
        settings |= {f"{method}.{name}": value for name, value in params}
    if held.centered is not None:
        settings[CENTERING] = "yes" if held.centered else "no"
    return settings


def _defaults(methods: Iterable[str], centered: bool | None) -> dict[str, Any]:
    defaults = {f"{key}.{p.name}": p.default for key in methods for p in METHODS[key].params}
    return defaults if centered is None else defaults | {CENTERING: "no"}


# ------------------------------------------------------------------------------- what is held


def tuned_result(material: DataConfig) -> TunedResult | None:
    """Tuned settings for a data set: those of this session, else those of the package."""
    if result := st.session_state.get(RESULTS, {}).get(tuned_settings.place(material)):
        return result
    row = tuned_settings.row_of(material)
    if row is None:
        return None
    named = {"public": row.public, "trials": row.trials}
    params = {key: row.params(key) or () for key in row.methods}
    card = tuned_settings.chosen(row.trials, row.public)
    return TunedResult(params, row.centered, BUNDLED_TEXT.format(ir=row.ir, **named), card)


def with_origin(results: Sequence[Result]) -> list[Result]:
    """Results whose guarantees say how this session chose the settings, where it did."""
    return [_with_origin(result) for result in results]


def _with_origin(result: Result) -> Result:
    spec = result.spec
    held = st.session_state.get(RESULTS, {}).get(tuned_settings.place(spec))
    if held is None or spec.method not in held.params:
        return result
    method = METHODS[spec.method]
    is_same = method.check(dict(spec.params)) == method.check(dict(held.params[spec.method]))
    if not is_same or held.centered not in (None, tuned_settings.centered(spec.features)):
        return result
    card = dataclasses.replace(result.guarantee, defaults=held.card)
    return dataclasses.replace(result, guarantee=card)


def table(material: DataConfig) -> None:
    """Scores of defaults and tuned settings that this session computed."""
    held = st.session_state.get(RESULTS, {}).get(tuned_settings.place(material))
    if held is not None:
        st.caption(literal(held.sentence))
        if held.rows:
            st.dataframe(pd.DataFrame(held.rows), hide_index=True)
