"""The lower half of "Attacker's view": areas against the budget on demand, explanations, downloads."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dpviz.diagnostics import attack_bound
from dpviz.plots import attack_auc
from dpviz.run.jobs import Job
from dpviz.ui.attackers_view import controls
from dpviz.ui.attackers_view.controls import Asked, Done
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, charts, export, text
from dpviz.views.view import STOPS

TEXT = """
**The attack.** The attacker sees the release and asks for each record how well it fits: where the loss is at most a threshold, it says
"this one was used". Sliding the threshold gives the curve; the area under it is how often a record that was used has a smaller loss
than one that was not (ties count half; 0.5 is blind guessing). All runs share one threshold and are pooled.

**The bound.** Whoever knows all other records and any rule, this one included, stays below the line: it is computed from the guarantee
alone. A weak attack proves nothing about safety; an attack above the line, beyond its error bar, would prove the guarantee wrong.
The bound is about one record fixed beforehand, hence about the average over records; a rare record may be found more easily than the
average, but no more easily than the line.

**Error bars** are two standard errors of the area over the draw of records and of runs (DeLong's placements, clustered both ways).

Source: Yeom et al. 2018 (loss threshold); Golatkar et al. 2022, Figure 1; Dong, Roth & Su 2019 and Kairouz, Oh & Viswanath 2015 (bounds).
"""


def explained(asked: Asked) -> str:
    """The design in a sentence, what the numbers are."""
    return (
        f"{controls.DESIGN_WORDS[asked.design]} Area ± two standard errors, pooled over N ="
        f" {asked.view.seeds} runs."
    )


def against_budget(asked: Asked, found: Sequence[Done], key: str) -> list[Done]:
    """The chart over budgets if it is asked for; all attacks that are there."""
    count = len(asked.curve) - len(asked.now)
    wanted = st.toggle(
        f"Attack at every budget ({count} more attacks on {asked.view.seeds} runs each)",
        key="auc",
        bind="query-params",
    )
    if not wanted:
        st.caption(
            "Shows the area under the attack's curve for each method as the budget grows, against"
            " the most that each guarantee allows."
        )
        return list(found)
    status, answer = st.empty(), st.empty()
    cards.private_view()
    slot = charts.Slot(st.container(), f"{key}-auc")

    def draw(job: Job) -> None:
        shown = controls.auc_chart(controls.done(job, asked.curve), asked)
        slot.draw(
            attack_auc.figure(shown, asked.view.budget.value, _ends(asked)), attack_auc.alt(shown)
        )

    job = long_work.collect(
        f"{key}-auc", asked.curve, status, draw, on=controls.board(asked.design)
    )
    text.refusals(job.errors.values())
    draw(job)
    every = controls.done(job, asked.curve)
    answer.markdown(_answer(controls.auc_chart(every, asked)))
    st.caption(
        f"{explained(asked)} Dotted: the most that any attack reaches. Grey: without privacy."
        f" {origin(every)}."
    )
    return every


def _ends(asked: Asked) -> tuple[float, float]:
    stops = (*STOPS[asked.view.budget.axis], asked.view.budget.value)
    return min(stops), max(stops)


def _answer(chart: attack_auc.AucCurve) -> str:
    """Whether any attack crossed its line, and where the attack comes nearest to it."""
    points = [p for line in chart.lines for p in line]
    if not points:
        return ""
    best = max(points, key=lambda p: p.auc)
    start = (
        f"The attack gets furthest at budget {cards.number(best.budget)} ({best.title}): area"
        f" **{best.auc:.3f} ± {attack_auc.ERRORS * best.error:.3f}** where {best.most:.3f} is"
        " possible"
    )
    if not chart.above:
        return (
            f"{start}; **none of {len(points)} attacks** lies above its line beyond its error bar."
        )
    return (
        f"{start}; **{len(chart.above)} of {len(points)} attacks** lie above their line beyond"
        f" their error bar, which by chance about {0.023 * len(points):.1f} could if all lay at it."
    )


def downloads(found: Sequence[Done], asked: Asked, key: str) -> None:
    """Table and CSV of the attacks, and Python that gives one again."""
    export.table(table(found), key, "These attacks")
    st.caption("The first private method again, in Python in the project's folder:")
    st.code(snippet(asked), language="python", wrap_lines=True)


def table(found: Sequence[Done]) -> pd.DataFrame:
    """A row an attack."""
    names = (
        "method",
        "budget",
        "auc",
        "standard_error",
        "bound",
        "runs",
        "design",
        "temperature",
        "seconds",
    )
    return pd.DataFrame([_row(one) for one in found], columns=names)


def _row(one: Done) -> tuple:
    spec, a = one.spec, one.attack
    most = attack_bound.most_auc(one.guarantee)
    return (
        spec.method,
        spec.budget.value,
        a.auc,
        a.error,
        most,
        len(a.per_run),
        a.design,
        a.temperature,
        one.seconds,
    )


def snippet(asked: Asked) -> str:
    """Python that gives the first private method's numbers, or a reference's."""
    key, v = (asked.private or list(asked.view.methods))[0], asked.view
    return (
        "from math import inf\n\nfrom dpviz.diagnostics import attack_bound, membership_attack\nfrom"
        f" dpviz.types import Budget, RunSpec\n\nspec = {asked.spec(key, v.budget.value)!r}\nfound ="
        f" membership_attack.attack(spec, range({v.first_seed}, {v.first_seed + v.seeds}),"
        f" {asked.design!r})\nprint(found.auc, found.error,"
        " attack_bound.most_auc(found.guarantee))\nprint(attack_bound.odds(found.guarantee,"
        f" {asked.prior!r}).sentence)"
    )


def origin(found: Sequence[Done]) -> str:
    """How many attacks, on how many runs, in what time."""
    return (
        f"{len(found)} attacks on {sum(len(one.attack.per_run) for one in found)} runs, made since"
        f" this server started, in {sum(one.seconds for one in found):.1f} s"
    )
