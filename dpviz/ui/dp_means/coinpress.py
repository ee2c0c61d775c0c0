"""CoinPress, step by step: its radius, what becomes of every class, and one run watched."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import streamlit as st

from dpviz.diagnostics import coinpress_steps
from dpviz.diagnostics.coinpress_steps import Moment, Verdict
from dpviz.formatting import abridged, class_named, literal, number
from dpviz.plots.coinpress import CoinpressRadii, CoinpressStep
from dpviz.plots.kit.drawing import class_order
from dpviz.ui.dp_means.answer import Results, schedules
from dpviz.ui.live import page_caches
from dpviz.ui.widgets import bounded, cards, charts
from dpviz.views.page_config import PageConfig

STARTS = (0.1, 0.3, 0.5, 1.0, 2.0, 3.0, 10.0, 30.0)
ALL_CLASSES = "all classes"
CLASS_HELP = "One class: a line a budget. All: a line a class."
START_HELP = (
    "CoinPress assumes that a mean lies within √d of the public mean. Published code also starts at"
    " 3√d. All other numbers on this page start at √d."
)
UNITS = (
    "CoinPress works here in units of the public set's mean and spread, with a tighter clip. The"
    " paper starts at the origin and clips to r + γ."
)
Rows = list[dict[str, Any]]
Runs = Sequence[tuple[coinpress_steps.Schedule, tuple[Moment, ...]]]
"""What sizes and budget decide, and what happened to the records, empty without a public set."""
_by_budget = page_caches.cached_by_content(100)(coinpress_steps.by_budget)


def steps(results: Results, view: PageConfig, names: Sequence[str], metric: str) -> Rows:
    """CoinPress's radius and what happens to it."""
    ranked = [names[c] for c in class_order(results.exact.class_counts)]
    subject, start = _controls(ranked)
    every = schedules(results.spec, start)
    verdicts = [coinpress_steps.judge(run) for run, _ in every]
    _summary(every, verdicts, names, start, view)
    if subject == ALL_CLASSES:
        table = _charts(every, names, verdicts, None, "class")
    else:
        budgets = tuple(dataclasses.replace(view.budget, value=value) for value in view.budgets)
        runs = _by_budget(results.spec, budgets, names.index(subject), start)
        bad = [coinpress_steps.judge(run) for run, _ in runs]
        now = view.budgets.index(view.budget.value)
        table = _charts(runs, [number(value) for value in view.budgets], bad, now, "budget")
    st.caption(UNITS)
    verdict = st.expander(
        "What became of every class at this budget", key="verdicts", on_change="rerun"
    )
    if verdict.open:
        verdict.dataframe(_verdict_rows(every, verdicts, names), hide_index=True, height=240)
    _one_run(every, names, subject if subject != ALL_CLASSES else ranked[-1], view.first_seed)
    return table


def _controls(ranked: Sequence[str]) -> tuple[str, float]:
    """A class, or all of them, and the start radius."""
    left, right = st.columns(2)
    class_name = left.selectbox(
        "Class", [ALL_CLASSES, *ranked], key="cls", help=CLASS_HELP, bind="query-params"
    )
    with right:
        start = bounded.select_slider(
            *("Start radius, in units of √d", STARTS, 1.0),
            format_func=number,
            key="start",
            help=START_HELP,
            bind="query-params",
        )
    return (class_name if class_name in ranked else ALL_CLASSES), start


def _summary(
    runs: Runs, verdicts: Sequence[Verdict], names: Sequence[str], start: float, view: PageConfig
) -> None:
    bad = sum(v.diverges for v in verdicts)
    worst = max(range(len(runs)), key=lambda c: runs[c][0].radii[-1] / runs[c][0].radii[0])
    if bad:
        st.warning(
            f"**Diverges for {bad} of {len(runs)} classes.**"
            f" {literal(class_named(names[worst], start=True))}: {verdicts[worst].reason}",
            icon=":material/call_split:",
        )
    kinds = {
        kind: abridged([names[c] for c, v in enumerate(verdicts) if v.kind == kind])
        for kind in coinpress_steps.WORDS
    }
    words = [
        f"- **{coinpress_steps.WORDS[kind]}**: {literal(subject)}"
        for kind, subject in kinds.items()
        if subject
    ]
    st.markdown("\n".join(words))
    st.caption(
        f"Flags come from class sizes, dimension ({runs[0][0].d}) and {_public_facts(view)} A"
        " radius"
        " grows from any start where a class has at most γσ records; a looser start never turns"
        " shrinking into growing, it only leaves more noise at the end."
        + ("" if start == 1 else f" Start {number(start)}√d instead of √d, in this look only.")
    )


def _public_facts(view: PageConfig) -> str:
    """What else the flags come from, and what of the records they read."""
    unread = "alone: **no record is read** (class counts are public to CoinPress)."
    if view.unit == "picture":
        return f"budget {unread}"
    if view.per_person:
        return f"budget, for at most {view.per_person} records a person, {unread}"
    return "budget, for as many records as a person has at most, **which is read off the data**."


def _charts(
    runs: Runs,
    labels: Sequence[str],
    verdicts: Sequence[Verdict],
    current: int | None,
    line_noun: str,
) -> Rows:
    lines = (runs, labels, [v.diverges for v in verdicts], current, line_noun)
    known = CoinpressRadii.from_schedules(*lines)
    table = known.table()
    left, right = st.columns(2)
    with left:
        text = f"Decided by sizes and budget; a line a {line_noun}, dashed where it diverges."
        charts.plot(known, "dp-means-schedule", caption=text)
    with right:
        if not runs[0][1]:
            st.info(
                "CoinPress itself needs a public set, whose mean and spread set its units; this"
                " data has none, so there is no run to look into."
            )
            return table
        seen = CoinpressRadii.from_schedules(*lines, walked=True)
        most = max(moment.clipped for _, walk in runs for moment in walk)
        never = (
            "No record is ever clipped: the clip radius only sets the noise."
            if most == 0
            else f"Up to {most:.0%} of a class's records are clipped."
        )
        text = f"What happened to the records. {never}"
        charts.plot(seen, "dp-means-trace", caption=text)
        cards.private_view()
    return table + seen.table()


def _verdict_rows(runs: Runs, verdicts: Sequence[Verdict], names: Sequence[str]) -> Rows:
    return [
        {
            "class": name,
            "records": run.n,
            "start": round(run.radii[0], 3),
            "end": round(run.radii[-1], 3),
            "verdict": coinpress_steps.WORDS[verdict.kind],
            "why": verdict.reason,
        }
        for name, (run, _), verdict in zip(names, runs, verdicts, strict=True)
    ]


def _one_run(runs: Runs, names: Sequence[str], subject: str, seed: int) -> None:
    walk = runs[names.index(subject)][1]
    if not walk:
        return
    text = f"{literal(class_named(subject))}, noise seed {seed}"
    st.markdown(f"**One run, step by step:** {text}")
    left, right = st.columns([3, 2])
    with right:
        at_step = st.segmented_control(
            "Step", [1, 2, 3], default=1, required=True, key="cstep", bind="query-params"
        )
        moment = walk[at_step - 1]
        step = CoinpressStep.from_moment(moment, at_step)
        st.html(cards.definition(_lengths(moment)))
        st.caption(step.caption())
        cards.private_view()
    with left:
        charts.plot(step, "dp-means-step")
    st.caption(
        "Lengths from the cross are true, in units of the public set's spread; directions are not,"
        " except that noise stands at a right angle, as it almost does in many dimensions. Records"
        " beyond R are pulled back to it."
    )


def _lengths(moment: Moment) -> list[tuple[str, str]]:
    step = moment.step
    return [
        ("radius r", f"{number(step.r)}, afterwards {number(step.r_next)}"),
        ("clip radius R", number(step.clip)),
        ("clipped share", f"{moment.clipped:.0%}"),
        ("noise sd", f"{number(step.sd)} a coordinate"),
        ("‖estimate‖", number(moment.norm)),
        ("can shrink", f"with more than {step.needed:,.0f} records"),
    ]
