"""The answer of the page "Tuning": the study, its sentence, and the price of choosing its best."""

from __future__ import annotations

import streamlit as st

from dpviz.machine.fair_turns import WHOSE, Progress
from dpviz.methods import METHODS
from dpviz.run import leavings, tuning, tuning_report
from dpviz.run.jobs import Group, Work
from dpviz.run.tuning import Tuned
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards
from dpviz.words import METRICS, at, number


def _study(group: Group, progress: Progress) -> list[Tuned]:
    found = tuning.run(group[0], progress, long_work.POOL.sweep)
    leavings.keep_study(group[0], WHOSE.get()())
    return [found]


STUDIES = Work(_study, kept=30)
"""What they found is kept in the cache folder as well. Long runs go to a process that can be
stopped.
"""


def answer(study: Tuned) -> str:
    """One sentence: the best, and what showing it costs."""
    search, costs = study.search, study.costs
    if study.best is None:
        return tuning_report.nothing(study)
    best, budget = study.trials[study.best], search.budget
    many = "a secret number of" if costs.holds else _scored(study)
    paid = "having looked at all of them costs"
    if costs.holds:
        paid = "showing this one alone, and nothing of the others, costs"
    return (
        f"The best of {many} runs of {METHODS[search.method].title} at"
        f" {at(budget)} each is right **{100 * best.score:.0f} %**"
        f" of the time ({METRICS[search.metric].lower()}) with"
        f" {tuning_report.setting(best.params)}; {paid} **ε = {number(study.cost)}** at δ ="
        f" {number(budget.delta)}, not the ε = {number(costs.one)} of one run that papers print."
    )


def _scored(study: Tuned) -> int:
    return sum(trial.score is not None for trial in study.trials)


def caption(study: Tuned) -> str:
    """What the chart holds, in words."""
    refused = len(study.trials) - _scored(study)
    more = f"; {refused} trials were refused from their plans" if refused else ""
    return f"One run a trial, each with noise of its own, so equal settings differ{more}."


def prices(study: Tuned) -> None:
    """The readings of the cost that may be shown, side by side."""
    with st.container(horizontal=True, wrap=True):
        if not study.costs.holds:
            all_shown(study)
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


def all_shown(study: Tuned) -> None:
    """The price of looking at all trials."""
    with cards.titled("All trials shown: composition", key="price-all"):
        _price(study, study.costs.composed)
        st.caption(f"Composition of {_scored(study)} runs, however their settings were chosen.")


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
