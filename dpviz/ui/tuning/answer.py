"""The answer of the page "Tuning": the study, its sentence, and the price of choosing its best."""

from __future__ import annotations

import streamlit as st

from dpviz.methods import METHODS
from dpviz.run import tuning
from dpviz.run.jobs import Work
from dpviz.run.tuning import Tuned
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards
from dpviz.words import METRICS, at, number

STUDIES = Work(
    lambda group, progress: [tuning.run(group[0], progress, long_work.POOL.sweep)], kept=30
)
"""What they found is kept in the cache folder as well. Long runs go to a process that can be
stopped.
"""


def answer(study: Tuned) -> str:
    """One sentence: the best, and its three prices."""
    search, costs = study.search, study.costs
    if study.best is None:
        if study.trials:
            return f"None of {len(study.trials)} trials could run: {study.trials[-1].refused}"
        return "The number drawn was 0: no trial, nothing to show."
    best, budget = study.trials[study.best], search.budget
    return (
        f"The best of {_scored(study)} runs of {METHODS[search.method].title} at"
        f" {at(budget)} each is right **{100 * best.score:.0f} %**"
        f" of the time ({METRICS[search.metric].lower()}) with {_settings(best.params)}; having"
        f" looked at all of them costs **ε = {number(costs.composed)}** at δ ="
        f" {number(budget.delta)}, not the ε = {number(costs.one)} of one run that papers print."
    )


def _scored(study: Tuned) -> int:
    return sum(trial.score is not None for trial in study.trials)


def _settings(params: dict) -> str:
    return ", ".join(
        f"{name} = {value:.3g}" if isinstance(value, float) else f"{name} = {value}"
        for name, value in params.items()
    )


def caption(study: Tuned) -> str:
    """What the chart holds, in words."""
    refused = len(study.trials) - _scored(study)
    more = f"; {refused} trials were refused from their plans" if refused else ""
    return f"One run a trial, each with noise of its own, so equal settings differ{more}."


def prices(study: Tuned) -> None:
    """The three readings of the cost, side by side."""
    with st.container(horizontal=True, wrap=True):
        with cards.titled("All trials shown: this page", key="price-all"):
            _price(study, study.costs.composed)
            st.caption(f"Composition of {_scored(study)} runs, however their settings were chosen.")
        with cards.titled("Only the best shown, number of trials secret", 340, "price-best"):
            _selected(study)
        with cards.titled("“Tuned for free”: what papers print", key="price-free"):
            _price(study, study.costs.one)
            st.caption(
                ":material/warning: Not the cost of this choice: it is that of one run with"
                " settings fixed beforehand."
            )
    promise = next((t.guarantee for t in study.trials if t.guarantee), None)
    if promise:
        smallest = ", which classes are the smallest" if study.search.metric == "minority" else ""
        st.caption(
            f"Every ε here: {promise.adjacency}; {promise.unit}; taken as public: {promise.public},"
            f" the test set{smallest}."
        )


def _price(study: Tuned, epsilon: float) -> None:
    st.markdown(f"**ε = {number(epsilon)}** at δ = {number(study.search.budget.delta)}")


def _selected(study: Tuned) -> None:
    """What private selection costs by each way to draw the number of trials."""
    costs, delta = study.costs, number(study.search.budget.delta)
    rows = [
        (f"{name.capitalize()}, mean {number(costs.mean)}", f"ε = {number(value)} at δ = {delta}")
        for name, value in costs.selected.items()
    ]
    st.html(cards.definition(rows))
    sign = ":material/check:" if costs.holds else ":material/block:"
    st.caption(f"{sign} {costs.applies} Papernot and Steinke 2021, Theorems 2 and 6.")
