"""CoinPress step by step: its radius, the verdict on every class, and one run."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import streamlit as st

from dpviz.diagnostics import coinpress_steps
from dpviz.diagnostics.coinpress_steps import Moment, Schedule, Verdict
from dpviz.formatting import abridged, class_named, number
from dpviz.plots.coinpress import CoinpressRadii, CoinpressStep
from dpviz.plots.kit.drawing import class_order
from dpviz.text import dp_means as text
from dpviz.text.template import render, render_text
from dpviz.ui.dp_means.answer import KEY, Content, schedules
from dpviz.ui.frame import detail_level
from dpviz.ui.live import page_caches
from dpviz.ui.widgets import bounded, cards, charts, export
from dpviz.views.page_config import PageConfig

STARTS = (0.1, 0.3, 0.5, 1.0, 2.0, 3.0, 10.0, 30.0)
Rows = list[dict[str, Any]]
#: What sizes and budget decide, and what happened to the images, empty without a public set.
Runs = Sequence[tuple[coinpress_steps.Schedule, tuple[Moment, ...]]]
_by_budget = page_caches.cached_by_content(100)(coinpress_steps.by_budget)


def steps(content: Content) -> Rows:
    """Draw the radii of CoinPress, their causes, and one run."""
    results, view, names = content.results, content.view, content.names
    ranked = [names[c] for c in class_order(results.exact.class_counts)]
    place = st.container()
    subject, start = _controls(ranked)
    every = schedules(results.spec, start)
    verdicts = [coinpress_steps.judge(run) for run, _ in every]
    with place:
        _summary(every, verdicts, names)
    if subject == text.ALL_CLASSES:
        table = _charts(every, names, verdicts, None, "class")
    else:
        budgets = tuple(dataclasses.replace(view.budget, value=value) for value in view.budgets)
        runs = _by_budget(results.spec, budgets, names.index(subject), start)
        bad = [coinpress_steps.judge(run) for run, _ in runs]
        now = view.budgets.index(view.budget.value)
        table = _charts(runs, [number(value) for value in view.budgets], bad, now, "budget")
    st.caption(_facts(every, view, start))
    verdict = st.expander(text.VERDICTS, key="verdicts", on_change="rerun")
    if verdict.open:
        with verdict:
            export.draw(_verdict_rows(every, verdicts, names), 240)
    _one_run(every, names, subject if subject != text.ALL_CLASSES else ranked[-1], view.first_seed)
    return table


def _controls(ranked: Sequence[str]) -> tuple[str, float]:
    """Draw the choice of a class, or of all, and the start radius."""
    left, right = st.columns(2)
    class_name = left.selectbox(
        text.CLASS_LABEL,
        [text.ALL_CLASSES, *ranked],
        key="cls",
        help=text.CLASS_HELP,
        bind="query-params",
    )
    with right:
        start = bounded.select_slider(
            *(text.START_LABEL, STARTS, 1.0),
            format_func=number,
            key="start",
            help=text.START_HELP,
            bind="query-params",
        )
    return (class_name if class_name in ranked else text.ALL_CLASSES), start


def _summary(runs: Runs, verdicts: Sequence[Verdict], names: Sequence[str]) -> None:
    """Draw for how many classes CoinPress diverges, why, and the verdicts by class."""
    bad = sum(v.diverges for v in verdicts)
    finding = text.STEPS["some" if bad else "none"].fill(
        detail_level.precise(), diverging=bad, classes=len(runs)
    )
    st.markdown(f"{finding} {needed_text([run for run, _ in runs])}")
    if bad:
        worst = max(range(len(runs)), key=lambda c: runs[c][0].radii[-1] / runs[c][0].radii[0])
        name = class_named(names[worst], start=True)
        st.warning(
            render(text.WORST, name=name, reason=verdicts[worst].reason),
            icon=":material/call_split:",
        )
    members = {
        kind: abridged([names[c] for c, v in enumerate(verdicts) if v.kind == kind])
        for kind in coinpress_steps.WORDS
    }
    lines = [
        render(text.VERDICT, verdict=coinpress_steps.WORDS[kind], classes=classes)
        for kind, classes in members.items()
        if classes
    ]
    st.markdown("\n".join(lines))


def needed_text(schedules: Sequence[Schedule]) -> str:
    """Return which class sizes step 1 cannot shrink: from any start radius, and from this one."""
    needed = math.floor(schedules[0].steps[0].needed)
    sentences = [render(text.NEEDED, needed=needed)]
    largest = max((run.n for run in schedules if run.steps[0].grows), default=0)
    if largest > needed:
        sentences.append(render(text.NEEDED_HERE, largest=largest))
    return " ".join(sentences)


def _facts(runs: Runs, view: PageConfig, start: float) -> str:
    """Return where the verdicts come from, and the units."""
    case = "image" if view.unit == "picture" else "limit" if view.per_person else "person"
    source = render(text.VERDICT_SOURCES[case], d=runs[0][0].d, limit=view.per_person)
    other = "" if start == 1 else render(text.OTHER_START, start=start)
    return " ".join(filter(None, (source, text.LOOSER_START, other, text.UNITS)))


def _charts(
    runs: Runs,
    labels: Sequence[str],
    verdicts: Sequence[Verdict],
    current: int | None,
    line_kind: str,
) -> Rows:
    """Draw what sizes and budget decide beside what happened to the images."""
    lines = (runs, labels, [v.diverges for v in verdicts], current, line_kind)
    known = CoinpressRadii.from_schedules(*lines)
    table = known.table()
    left, right = st.columns(2)
    with left:
        charts.plot(known, f"{KEY}-schedule", caption=text.SCHEDULE_TITLES[line_kind])
    with right:
        if not runs[0][1]:
            st.info(text.NO_RUN)
            return table
        seen = CoinpressRadii.from_schedules(*lines, walked=True)
        most = max(moment.clipped for _, walk in runs for moment in walk)
        title = render(text.CLIPPED, share=most) if most else text.NOT_CLIPPED
        charts.plot(seen, f"{KEY}-trace", caption=title)
        cards.private_view()
    return table + seen.table()


def _verdict_rows(runs: Runs, verdicts: Sequence[Verdict], names: Sequence[str]) -> Rows:
    rows = [
        (
            name,
            run.n,
            round(run.radii[0], 3),
            round(run.radii[-1], 3),
            coinpress_steps.WORDS[verdict.kind],
            verdict.reason,
        )
        for name, (run, _), verdict in zip(names, runs, verdicts, strict=True)
    ]
    return [dict(zip(text.VERDICT_COLUMNS, row, strict=True)) for row in rows]


def _one_run(runs: Runs, names: Sequence[str], subject: str, seed: int) -> None:
    """Draw one step of one class's run, with its lengths."""
    walk = runs[names.index(subject)][1]
    if not walk:
        return
    st.markdown(render(text.ONE_RUN, name=class_named(subject), seed=seed))
    left, right = st.columns([3, 2])
    with right:
        at_step = st.segmented_control(
            text.STEP_LABEL, [1, 2, 3], default=1, required=True, key="cstep", bind="query-params"
        )
        moment = walk[at_step - 1]
        step = CoinpressStep.from_moment(moment, at_step)
        st.html(cards.definition(_lengths(moment)))
        st.caption(step.caption())
        cards.private_view()
    with left:
        charts.plot(step, f"{KEY}-step")
    st.caption(text.STEP_CAPTION)


def _lengths(moment: Moment) -> list[tuple[str, str]]:
    step = moment.step
    values = {
        "radius": render_text(text.STEP_RADIUS, before=step.r, after=step.r_next),
        "clip": number(step.clip),
        "clipped": render_text("{share:percent}", share=moment.clipped),
        "sd": render_text(text.STEP_NOISE, sd=step.sd),
        "norm": number(moment.norm),
        "needed": render_text(text.STEP_NEEDED, needed=math.floor(step.needed)),
    }
    return [(label, values[name]) for name, label in text.STEP_ROWS.items()]
