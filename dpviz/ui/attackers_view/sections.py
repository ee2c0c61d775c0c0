"""Closer looks of "Attacker's view": areas against the budget, explanations, downloads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dpviz.diagnostics import attack_bound
from dpviz.formatting import bound, number
from dpviz.methods import METHODS
from dpviz.plots.attacks import ERRORS, AucCurve, AucPoint
from dpviz.run.jobs import Job
from dpviz.ui.attackers_view import answer
from dpviz.ui.attackers_view.answer import AttackRun
from dpviz.ui.attackers_view.controls import AttackView
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, charts, export
from dpviz.views.page_config import STOPS

TEXT = """
**The attack.** The attacker sees the release and asks for each record how well it fits: where \
the loss is at most a threshold, it says
"this one was used". Sliding the threshold gives the curve; the area under it is how often a \
record that was used has a smaller loss
than one that was not (ties count half; 0.5 is blind guessing). All runs share one threshold and \
are pooled.

**The bound.** Whoever knows all other records and any rule, this one included, stays below the \
line: it is computed from the guarantee
alone. A weak attack proves nothing about safety; an attack above the line, beyond its error bar, \
would prove the guarantee wrong.
The bound is about one record fixed beforehand, hence about the average over records; a rare \
record may be found more easily than the
average, but no more easily than the line.

**Whom it works best on.** An average over all records can look harmless where a few are found \
almost every time. So a better
informed attack is measured as well: from the *other* runs it knows what a record's loss is with \
it and without it, holds the loss
of this run against the middle of the two, and turns to the twentieth of the records on which the \
two differ most. Without noise that
shows what the average hides; with noise it stays below the same line. It is still one attack: \
neither figure says what the next
one will reach, the line does.

**Where the promise is to each person**, the attacker asks the same about each person: it takes \
the mean of its losses on all of a person's
records that were kept, and the line follows from what is promised to a person. A person's many \
alike pictures are what such an attack
feeds on; a line for single records does not hold against it.

**Error bars** are two standard errors of the area over the draw of records and of runs (DeLong's \
placements, clustered both ways).

Source: Yeom et al. 2018 (loss threshold); Watson et al. 2022 and Carlini et al. 2022 (losses \
held against other runs'); Golatkar et al. 2022, Figure 1; Dong, Roth & Su 2019 \
and Kairouz, Oh & Viswanath 2015 (bounds).
"""


def explained(view: AttackView) -> str:
    """The design in a sentence, what the numbers are."""
    return f"{view.design_text} Area ± two standard errors, pooled over N = {view.seeds} runs."


def against_budget(view: AttackView, attacks: list[AttackRun], key: str) -> list[AttackRun]:
    """The chart over budgets if it is asked for; all attacks that are there."""
    wanted = st.toggle(
        f"Attack at every budget ({len(view.curve) - len(view.current_attacks)} more attacks on"
        f" {view.seeds} runs each)",
        key="auc",
        bind="query-params",
    )
    if wanted:
        return _areas(view, f"{key}-auc")
    st.caption(
        "Shows the area under the attack's curve for each method as the budget grows, against"
        " the most that each guarantee allows."
    )
    return attacks


def _areas(view: AttackView, key: str) -> list[AttackRun]:
    status, place = st.empty(), st.empty()
    cards.private_view()
    slot = charts.Slot(st.container(), key)
    stops = (*STOPS[view.budget.axis], view.budget.value)

    def draw(job: Job) -> AucCurve:
        chart = _curve(answer.finished_attacks(job, view.curve), view)
        slot.plot(chart, view.budget.value, (min(stops), max(stops)))
        return chart

    job = long_work.collect(key, view.curve, status, draw, work=answer.ATTACKS[view.design])
    page_parts.refusals(job.errors.values())
    place.markdown(_furthest(draw(job)))
    attacks = answer.finished_attacks(job, view.curve)
    st.caption(
        f"{explained(view)} Dotted: the most that any attack reaches. Grey: methods that are"
        f" not private. {origin(attacks)}."
    )
    return attacks


def _curve(attacks: Sequence[AttackRun], view: AttackView) -> AucCurve:
    points = [
        AucPoint(
            case.spec.method,
            METHODS[case.spec.method].title,
            case.spec.budget.value,
            case.attack.auc,
            case.attack.error,
            attack_bound.most_auc(case.guarantee),
        )
        for case in attacks
    ]
    return AucCurve.from_points(points, view.budget.axis, view.budget.delta)


def _furthest(chart: AucCurve) -> str:
    """Whether any attack crossed its line, and where the attack comes nearest to it."""
    points = [p for line in chart.lines for p in line]
    if not points:
        return ""
    best = max(points, key=lambda p: p.auc)
    start = (
        f"The attack gets furthest at budget {number(best.budget)} ({best.title}): area"
        f" **{best.auc:.3f} ± {ERRORS * best.error:.3f}** where {bound(best.limit)} is"
        " possible"
    )
    if not chart.violations:
        return (
            f"{start}; **none of {len(points)} attacks** lies above its line beyond its error bar."
        )
    return (
        f"{start}; **{len(chart.violations)} of {len(points)} attacks** lie above their line beyond"
        f" their error bar, which by chance about {0.023 * len(points):.1f} could if all lay at it."
    )


def downloads(attacks: Sequence[AttackRun], view: AttackView, key: str) -> None:
    """Table and CSV of the attacks, and Python that gives one again."""
    export.table([_row(case) for case in attacks], key, "These attacks")
    st.caption("The first private method again, in Python in the project's folder:")
    export.code_block(snippet(view), "python")


def _row(case: AttackRun) -> dict[str, Any]:
    return {
        "method": case.spec.method,
        "budget": case.spec.budget.value,
        "auc": case.attack.auc,
        "standard_error": case.attack.error,
        "bound": attack_bound.most_auc(case.guarantee),
        "auc_of_the_easiest": case.attack.easiest and case.attack.easiest.auc,
        "error_of_the_easiest": case.attack.easiest and case.attack.easiest.error,
        "runs": len(case.attack.per_run),
        "judged": case.attack.judged.number,
        "judged_of": case.attack.judged.of,
        "records_of_the_middle_one": case.attack.judged.records,
        "design": case.attack.design,
        "temperature": case.attack.temperature,
        "seconds": case.seconds,
    }


def snippet(view: AttackView) -> str:
    """Python that gives the first private method's numbers, or a reference's."""
    spec, end = view.spec((view.private or view.methods)[0], seed=0), view.first_seed + view.seeds
    lines = [
        "from math import inf",
        "",
        "from dpviz.diagnostics import attack_bound, membership_attack",
        "from dpviz.types import Budget, RunSpec",
        "",
        f"spec = {spec!r}",
        f"found = membership_attack.attack(spec, range({view.first_seed}, {end}), {view.design!r})",
        "print(found.auc, found.error, attack_bound.most_auc(found.guarantee), found.judged)",
        f"print(attack_bound.odds(found.guarantee, {view.prior!r}).sentence)",
    ]
    return "\n".join(lines)


def origin(attacks: Sequence[AttackRun]) -> str:
    """How many attacks, on how many runs, in what time."""
    return (
        f"{len(attacks)} attacks on {sum(len(case.attack.per_run) for case in attacks)} runs, made"
        f" since this server started, in {sum(case.seconds for case in attacks):.1f} s"
    )
