"""The four closer looks of the page "DP means"; each draws its chart, says what it shows, and
returns its table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dpviz.diagnostics import coinpress_steps, mean_errors
from dpviz.plots import (
    accuracy_by_pooling,
    class_error_parts,
    coinpress_ball,
    coinpress_radii,
    dppl_mean_forms,
)
from dpviz.plots.class_sizes import order
from dpviz.run import experiment
from dpviz.stats import within_noise
from dpviz.types import Budget, DpvizError, RunSpec
from dpviz.ui.dp_means import controls as page
from dpviz.ui.live import long_work, page_caches
from dpviz.ui.widgets import cards, charts, text
from dpviz.ui.widgets.choices import choice
from dpviz.views.view import View
from dpviz.words import METRICS, at, minus, number, percent

LOOKS = {
    "errors": "Why small classes fail",
    "steps": "CoinPress, step by step",
    "pool": "Pooling",
    "forms": "Three forms",
}
STARTS = (0.1, 0.3, 0.5, 1.0, 2.0, 3.0, 10.0, 30.0)
LARGEST = (20, 50, 100, 200, 400)
RATIOS = (1, 5, 10, 20, 50)
LINK: dict[str, Any] = {"bind": "query-params"}
ALL = "all classes"


def choose() -> str:
    """Which closer look: a key of ``LOOKS``."""
    return choice(
        st.segmented_control,
        "A closer look",
        LOOKS,
        "errors",
        "look",
        required=True,
        label_visibility="collapsed",
    )


def show(
    look: str, found: page.Runs, view: View, names: Sequence[str], metric: str
) -> list[dict[str, Any]]:
    """The chosen look; returns its table."""
    return {"errors": errors, "steps": steps, "pool": pools, "forms": side_by_side}[look](
        found, view, names, metric
    )


# ------------------------------------------------------------------------------------------- errors


def errors(found: page.Runs, view: View, names: Sequence[str], metric: str) -> list[dict[str, Any]]:
    """The error of each class in parts."""
    rows = mean_errors.error_parts(found.full, found.exact, found.quiet, found.now)
    chart = class_error_parts.info(rows, found.exact.minority_classes, names)
    cards.private_view()
    small, rest = class_error_parts.means(chart, True), class_error_parts.means(chart, False)
    st.markdown(
        f"Of the minority's test records **{100 * small['total']:.0f} %** are wrong:"
        f" {100 * small['base']:.0f} % would be even with exact means of all records; noise adds"
        f" **{_points(small['noise'])} points**, having fewer records"
        f" **{_points(small['sampling'])}**, clipping and pooling **{_points(small['clipping'])}**."
        f" Of the other classes' {100 * rest['total']:.0f} % are wrong, to which noise adds"
        f" {_points(rest['noise'])} points."
    )
    charts.show(class_error_parts.figure(chart), class_error_parts.alt(chart), "dp-means-errors")
    st.caption(
        "Parts of the share of test records that are wrong, added from the bottom; their sum is"
        " the total (dash). Grey: exact means of all available records (IR 1). Fewer records:"
        " exact means of the records that this IR leaves, minus that. Clipping and pooling: the"
        " chosen form without noise, minus that. Noise: the form at this budget, mean over"
        f" {len(found.now)} seed{'s' if len(found.now) > 1 else ''}, minus that. A part below zero"
        " helps a class, mostly because another one lost. Minority: shaded."
    )
    return class_error_parts.table(chart)


def _points(share: float) -> str:
    """Points with a true minus and no minus zero."""
    return minus(f"{100 * share:z.0f}")


# -------------------------------------------------------------------------------------------- steps


def steps(found: page.Runs, view: View, names: Sequence[str], metric: str) -> list[dict[str, Any]]:
    """CoinPress's radius and what happens to it."""
    spec, counts = found.spec, found.exact.class_counts
    left, right = st.columns(2)
    with left:
        ranked = [names[c] for c in order(counts)]
        who = st.selectbox(
            "Class",
            [ALL, *ranked],
            key="cls",
            help="One class: a line a budget. All: a line a class.",
            **LINK,
        )
    with right:
        start = st.select_slider(
            "Start radius, in units of √d",
            STARTS,
            1.0,
            format_func=number,
            key="start",
            help=_START_HELP,
            **LINK,
        )
    who = who if who in names else ALL
    everyone = page.schedules(spec, start)
    verdicts = [coinpress_steps.judge(run) for run, _ in everyone]
    _summary(everyone, verdicts, names, start)
    if who == ALL:
        lines, labels, bad, now, of = everyone, list(names), verdicts, None, "class"
    else:
        wanted = page.budgets(view)
        lines = _by_budget(spec, wanted, names.index(who), start, page.mark(spec))
        bad, of = [coinpress_steps.judge(run) for run, _ in lines], "budget"
        labels, now = (
            [number(b.value) for b in wanted],
            [b.value for b in wanted].index(view.budget.value),
        )
    table = _radius_charts(lines, labels, [v.diverges for v in bad], now, of)
    verdict = st.expander(
        "What became of every class at this budget", key="verdicts", on_change="rerun"
    )
    if verdict.open:
        verdict.dataframe(_verdict_rows(everyone, verdicts, names), hide_index=True, height=240)
    _one_run(everyone, names, who if who != ALL else ranked[-1], view.first_seed)
    return table


_START_HELP = (
    "CoinPress assumes that a mean lies within √d of the public mean. Published code also starts at"
    " 3√d. All other numbers on this page start at √d."
)


def _summary(
    runs: Sequence[tuple],
    verdicts: Sequence[coinpress_steps.Verdict],
    names: Sequence[str],
    start: float,
) -> None:
    kinds = {
        kind: [names[c] for c, v in enumerate(verdicts) if v.kind == kind]
        for kind in coinpress_steps.WORDS
    }
    bad = len(kinds["few"]) + len(kinds["tight"])
    worst = max(range(len(runs)), key=lambda c: runs[c][0].radii[-1] / runs[c][0].radii[0])
    if bad:
        st.warning(
            f"**Diverges for {bad} of {len(runs)} classes.**"
            f" {text.literal(page.named(names[worst], start=True))}: {verdicts[worst].reason}",
            icon=":material/call_split:",
        )
    words = [
        f"- **{coinpress_steps.WORDS[kind]}**: {text.literal(', '.join(who))}"
        for kind, who in kinds.items()
        if who
    ]
    st.markdown("\n".join(words))
    st.caption(
        f"Flags come from class sizes, dimension ({runs[0][0].d}) and budget alone: **no record is"
        " read** (class counts are public to CoinPress). A radius grows from any start where a"
        " class has at most γσ records; a looser start never turns shrinking into growing, it only"
        " leaves more noise at the end."
        + ("" if start == 1 else f" Start {number(start)}√d instead of √d, in this look only.")
    )


def _radius_charts(
    lines: Sequence[tuple], labels: Sequence[str], bad: Sequence[bool], now: int | None, of: str
) -> list[dict[str, Any]]:
    known = coinpress_radii.schedules(lines, labels, bad, now, of)
    left, right = st.columns(2)
    with left:
        charts.show(
            coinpress_radii.figure(known),
            coinpress_radii.alt(known),
            "dp-means-schedule",
            f"Decided by sizes and budget; a line a {of}, dashed where it diverges.",
        )
    table = coinpress_radii.table(known)
    with right:
        if not lines[0][1]:
            st.info(
                "CoinPress itself needs a public set, whose mean and spread set its units; this"
                " data has none, so there is no run to look into."
            )
            return table
        seen = coinpress_radii.traces(lines, labels, bad, now, of)
        most = max(m.clipped for _, walk in lines for m in walk)
        never = (
            "No record is ever clipped: the clip radius only sets the noise."
            if most == 0
            else f"Up to {most:.0%} of a class's records are clipped."
        )
        charts.show(
            coinpress_radii.figure(seen),
            coinpress_radii.alt(seen),
            "dp-means-trace",
            f"What happened to the records. {never}",
        )
        cards.private_view()
    return table + coinpress_radii.table(seen)


def _verdict_rows(
    runs: Sequence[tuple], verdicts: Sequence[coinpress_steps.Verdict], names: Sequence[str]
) -> list[dict[str, Any]]:
    return [
        {
            "class": names[c],
            "records": run.n,
            "start": round(run.radii[0], 3),
            "end": round(run.radii[-1], 3),
            "verdict": coinpress_steps.WORDS[v.kind],
            "why": v.reason,
        }
        for c, ((run, _), v) in enumerate(zip(runs, verdicts, strict=True))
    ]


def _one_run(runs: Sequence[tuple], names: Sequence[str], who: str, seed: int) -> None:
    walk = runs[names.index(who)][1]
    if not walk:
        return
    st.markdown(f"**One run, step by step:** {text.literal(page.named(who))}, noise seed {seed}")
    left, right = st.columns([3, 2])
    with right:
        at_step = st.segmented_control(
            "Step", [1, 2, 3], default=1, required=True, key="cstep", **LINK
        )
        moment = walk[at_step - 1]
        step = coinpress_ball.info(moment, at_step)
        st.html(cards.definition(_lengths(moment)))
        st.caption(coinpress_ball.caption(step))
        cards.private_view()
    with left:
        charts.show(coinpress_ball.figure(step), coinpress_ball.alt(step), "dp-means-step")
    st.caption(
        "Lengths from the cross are true, in units of the public set's spread; directions are not,"
        " except that noise stands at a right angle, as it almost does in many dimensions. Records"
        " beyond R are pulled back to it."
    )


def _lengths(moment: coinpress_steps.Moment) -> list[tuple[str, str]]:
    step = moment.step
    return [
        ("radius r", f"{number(step.r)}, afterwards {number(step.r_next)}"),
        ("clip radius R", number(step.clip)),
        ("clipped share", f"{moment.clipped:.0%}"),
        ("noise sd", f"{number(step.sd)} a coordinate"),
        ("‖estimate‖", number(moment.norm)),
        ("can shrink", f"with more than {step.needed:,.0f} records"),
    ]


@page_caches.remembered(100)
def _by_budget(
    spec: RunSpec, wanted: tuple[Budget, ...], c: int, start: float, content: str
) -> list[tuple]:
    return coinpress_steps.by_budget(spec, wanted, c, start)


# ------------------------------------------------------------------------------------------ pooling


def pools(found: page.Runs, view: View, names: Sequence[str], metric: str) -> list[dict[str, Any]]:
    """Accuracy and noise against k_pool, and the rehearsal on public data."""
    spec = found.spec
    k = dict(spec.params)["k_pool"]
    seeds = tuple(r.spec.seed for r in found.now)
    left, right = st.columns(2)
    with left:
        largest = st.select_slider(
            "Rehearsal: records of the largest class",
            LARGEST,
            100,
            key="rn",
            help=_REHEARSAL_HELP,
            **LINK,
        )
    with right:
        ratio = st.select_slider(
            "Rehearsal: imbalance ratio", RATIOS, 10, key="rir", help=_REHEARSAL_HELP, **LINK
        )
    rows, public, counts, refusal = _pools(spec, seeds, largest, float(ratio), page.mark(spec))
    chart = accuracy_by_pooling.info(rows, public, metric)
    st.markdown(_pooling_sentence(chart, k, metric, view))
    if refusal:
        st.info(text.literal(refusal))
    else:
        st.markdown(
            f"**Best k on the public set: {chart.best_public}.** Rehearsed with public records"
            f" alone, {len(names)} public kinds playing the classes, {max(counts)} records in the"
            f" largest and {min(counts)} in the smallest, same form, budget and number of seeds:"
            " choosing k this way costs no privacy."
        )
    cards.private_view()
    charts.show(
        accuracy_by_pooling.figure(chart, k), accuracy_by_pooling.alt(chart), "dp-means-pooling"
    )
    st.caption(
        f"{METRICS[metric]} accuracy; band: 95 % t-interval over {len(seeds)} noise seeds. Noise ÷"
        " signal: root mean square length of the noise over the length of the exact pooled mean,"
        " median over classes (dotted: equal). Whoever reads the best k off the blue line has"
        " looked at private data."
    )
    return accuracy_by_pooling.table(chart)


_REHEARSAL_HELP = "A choice of yours, not the private class sizes: those would have to be paid for."


def _pooling_sentence(chart: accuracy_by_pooling.Pooling, k: int, metric: str, view: View) -> str:
    one, top, now, last = (chart.ks.index(v) for v in (1, chart.best, k, chart.ks[-1]))
    where = (
        f"At {at(view.budget)} with k = {k}, {100 * chart.quiet[now]:.0f} %"
        f" are right without noise and **{percent(chart.noisy[now])}** with it."
    )
    trade = (
        f"Pooling by {chart.ks[-1]} makes the mean {chart.signal[one] / chart.signal[last]:.3g}"
        " times shorter"
    )
    if chart.noise[last] > 0:
        trade = (
            f"Pooling by {chart.ks[-1]} makes the noise {chart.noise[one] / chart.noise[last]:.3g}"
            f" times shorter and the mean {chart.signal[one] / chart.signal[last]:.3g} times"
        )
        trade += ", so it buys nothing here" if chart.ratios[last] >= chart.ratios[one] else ""
    if chart.best == 1:
        return f"{where} {trade}; no k does better than 1 (private view)."
    gap = 100 * (chart.noisy[top].mean - chart.noisy[one].mean)
    gain = (
        "which is within noise of no pooling"
        if within_noise(chart.noisy[one], chart.noisy[top])
        else f"{gap:.1f} points above no pooling"
    )
    return f"{where} {trade}; k = {chart.best} does best, {gain} (private view)."


@page_caches.remembered(100, "Trying each k_pool …")
def _pools(
    spec: RunSpec, seeds: tuple[int, ...], largest: int, ratio: float, content: str
) -> tuple[tuple, tuple, tuple, str]:
    data = experiment.prepared(spec)
    ks, params = (
        mean_errors.pool_sizes(data.x.shape[1], dict(spec.params)["k_pool"]),
        dict(spec.params),
    )
    rows = mean_errors.pooling(data, spec.budget, params, ks, seeds)
    try:
        stage = mean_errors.rehearsal(data, largest, ratio)
    except DpvizError as error:
        return rows, (), (), str(error)
    return rows, mean_errors.pooling(stage, spec.budget, params, ks, seeds), stage.counts, ""


# -------------------------------------------------------------------------------------------- forms


def side_by_side(
    found: page.Runs, view: View, names: Sequence[str], metric: str
) -> list[dict[str, Any]]:
    """The three forms under one budget, with their cards."""
    wanted = {form: page.with_form(view, found, form).groups()[1:] for form in page.FORMS}
    job = long_work.collect(
        "dp-means-forms",
        [g for groups in wanted.values() for g in groups],
        st.empty(),
        lambda job: None,
        begin=lambda: None,
    )
    text.refusals(job.errors.values())
    every = {
        form: view.at_now(r for g in groups for r in job.done.get(g, ()))
        for form, groups in wanted.items()
    }
    results = {form: rows for form, rows in every.items() if rows}
    if not results:
        return []
    st.markdown(page.compare(results))
    st.warning(
        "The promises are not the same: the sum form hides that a record is there at all (**add or"
        " remove one record**); the printed form and CoinPress hide only what it looks like"
        " (**replace one record within its class**) and take the class counts as public.",
        icon=":material/compare_arrows:",
    )
    chart = dppl_mean_forms.info(
        {page.FORMS[form]: rows for form, rows in results.items()}, found.exact
    )
    charts.show(dppl_mean_forms.figure(chart), dppl_mean_forms.alt(chart), "dp-means-forms")
    st.caption(
        f"Same data, budget and noise seeds (N = {len(found.now)}); bars: 95 % t-interval over the"
        " seeds."
    )
    with st.container(horizontal=True, wrap=True):
        for form, rows in results.items():
            cards.one(rows[0], page.FORMS[form], f"form-{form}")
    return [row for form, rows in results.items() for row in _form_rows(form, rows)]


def _form_rows(form: str, rows: Sequence) -> list[dict[str, Any]]:
    return [
        {
            "form": form,
            "seed": r.spec.seed,
            "balanced": r.scores.balanced,
            "minority": r.scores.minority,
            "overall": r.scores.overall,
        }
        for r in rows
    ]
