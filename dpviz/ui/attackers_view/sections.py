"""Tabs of the Attacks page for an attack by loss threshold: all budgets, downloads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dpviz.diagnostics import attack_bound
from dpviz.experiments.jobs import Job
from dpviz.formatting import bound
from dpviz.methods import METHODS
from dpviz.plots.attacks import ERRORS, AucCurve, AucPoint
from dpviz.text import attackers_view as text
from dpviz.text.template import render, render_text
from dpviz.ui.attackers_view import answer
from dpviz.ui.attackers_view.answer import AttackRun
from dpviz.ui.attackers_view.controls import AttackView
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, charts, export
from dpviz.views.page_config import STOPS

#: Share of attacks at their limit that are above it by more than two standard errors.
CHANCE_ABOVE = 0.023


def design_caption(view: AttackView) -> str:
    """Return how members are drawn, and what the numbers are, in Markdown."""
    return render(text.DESIGN_CAPTION, design=view.design_text, runs=view.seeds)


def against_budget(view: AttackView, key: str) -> list[AttackRun]:
    """Draw the chart over budgets if it is asked for; return its attacks."""
    more = len(view.curve) - len(view.current_attacks)
    wanted = st.toggle(
        render(text.BUDGETS_TOGGLE, attacks=more, runs=view.seeds), key="auc", bind="query-params"
    )
    if wanted:
        return _areas(view, f"{key}-auc")
    st.caption(text.BUDGETS_HINT)
    return []


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
    st.caption(f"{text.BUDGETS_CAPTION} {design_caption(view)} {origin(attacks)}")
    export.table([_row(case) for case in attacks], key, text.TABLE_TITLE)
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
    """Return the highest area, and whether any attack is above its limit, in Markdown."""
    points = [p for line in chart.lines for p in line]
    if not points:
        return ""
    best = max(points, key=lambda p: p.auc)
    highest = render(
        text.BUDGETS_BEST,
        auc=f"{best.auc:.3f} ± {ERRORS * best.error:.3f}",
        budget=best.budget,
        method=best.title,
        limit=bound(best.limit),
    )
    if not chart.violations:
        return f"{highest} {render(text.BUDGETS_NONE_ABOVE, attacks=len(points))}"
    above = render(
        text.BUDGETS_ABOVE,
        above=len(chart.violations),
        attacks=len(points),
        expected=f"{CHANCE_ABOVE * len(points):.1f}",
    )
    return f"{highest} {above}"


def downloads(view: AttackView, attacks: Sequence[AttackRun], key: str) -> None:
    """Draw table and CSV of the attacks, and Python code for one of them."""
    export.table([_row(case) for case in attacks], key, text.TABLE_TITLE)
    st.caption(text.CODE_CAPTION)
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
    """Return Python code for the first private method, or for a reference."""
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
    """Return how many attacks were computed, on how many runs, in what time."""
    runs = sum(len(case.attack.per_run) for case in attacks)
    seconds = sum(case.seconds for case in attacks)
    return render_text(text.ORIGIN, attacks=len(attacks), runs=runs, seconds=f"{seconds:.1f}")
