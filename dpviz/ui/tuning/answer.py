"""The answer of the page "Tuning": the study, its sentence, and the price of choosing its best."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpviz.formatting import METRICS, budget_text, number, percent, spread
from dpviz.machine.fair_queue import VISITORS, Progress
from dpviz.methods import METHODS
from dpviz.run import cleanup, tuning, tuning_again, tuning_report
from dpviz.run.jobs import Group, Work
from dpviz.run.tuning import Tuned
from dpviz.run.tuning_again import Merit
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards


def _study(group: Group, progress: Progress) -> list[Tuned]:
    study = tuning.run(group[0], progress, long_work.POOL.sweep)
    cleanup.keep_study(group[0], VISITORS.get()())
    return [study]


STUDIES = Work(_study, max_groups=30, private_runs=lambda study: [study])
"""What they found is kept in the cache folder as well. Long runs go to a process that can be
stopped.
"""


def rerun_best(study: Tuned, status: Any) -> Merit | None:
    """What the winner gives on fresh noise; None where the best alone is what may be shown, as each
    of these runs would be one more.
    """
    if study.best is None or study.costs.holds:
        return None
    groups = tuning_again.winner_again(study), tuning_again.default_again(study)
    job = long_work.collect("tuning-again", list(dict.fromkeys(groups)), status)
    page_parts.refusals(job.errors.values())
    if any(group not in job.done for group in groups):
        return None
    return tuning_again.merit(study, *(job.done[group] for group in groups))


def answer(study: Tuned, merit: Merit | None = None) -> str:
    """One sentence: the best, what it gives on fresh noise, and what showing it costs."""
    search, costs = study.search, study.costs
    if study.best is None:
        return tuning_report.nothing(study)
    best, budget = study.trials[study.best], search.budget
    many = "a secret number of" if costs.holds else len(study.trials)
    paid = "having looked at all of them costs"
    if search.scores_privately:
        paid = "the releases of all of them, without the scores, cost"
    if costs.holds:
        paid = "showing this one alone, and nothing of the others, costs"
    return (
        f"The best of {many} runs of {METHODS[search.method].title} at"
        f" {budget_text(budget)} each is right **{100 * best.score:.0f}%**"
        f" of the time ({METRICS[search.metric].lower()}) with"
        f" {tuning_report.setting(best.params)}{_merit_text(merit)}; {paid} **ε ="
        f" {number(study.cost)}**"
        f" at δ = {number(budget.delta)}, not the ε = {number(costs.one)} of one run that papers"
        " print."
    )


def _merit_text(merit: Merit | None) -> str:
    """How much of the best was luck."""
    if merit is None:
        return ""
    comparisons = {1: "better than", -1: "worse than", 0: "within noise of"}[merit.sign]
    return (
        f"; on {merit.winner.runs} other draws of noise this setting gives"
        f" **{percent(merit.winner)}** ({spread(merit.winner)}), {comparisons} the defaults'"
        f" **{percent(merit.default)}** ({spread(merit.default)}) on these test records"
    )


def caption(study: Tuned) -> str:
    """What the chart holds, in words."""
    return (
        "One run a trial, each with noise of its own, so equal settings differ, and the best of"
        " many is partly the luckiest. A setting that its plan refuses is drawn again, which costs"
        " nothing."
    )


def prices(study: Tuned) -> None:
    """The readings of the cost that may be shown, side by side."""
    with cards.row("price"):
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
    if study.trials:
        guarantee = study.trials[0].guarantee
        st.caption(
            f"Every ε here: {guarantee.adjacency}; {guarantee.unit}; taken as public:"
            f" {guarantee.public}, the test set."
        )


def all_shown(study: Tuned) -> None:
    """The price of looking at all trials."""
    with cards.titled("All trials shown: composition", key="price-all"):
        _price(study, study.costs.composed)
        st.caption(
            f"Composition of {len(study.trials)} runs, however their settings were chosen. With the"
            f" {2 * tuning_again.REPEATED_RUNS} runs that tell luck from merit:"
            f" ε = {number(tuning_again.cost(study))}."
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
