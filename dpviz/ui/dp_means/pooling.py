"""Pooling: accuracy and noise against k_pool, and the rehearsal on public data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dpviz.diagnostics import mean_errors
from dpviz.formatting import METRICS, budget_text, literal, percent
from dpviz.plots.settings import Pooling
from dpviz.run import experiment
from dpviz.stats import best
from dpviz.types import DpvizError, RunSpec
from dpviz.ui.dp_means.answer import Results
from dpviz.ui.frame import detail_level
from dpviz.ui.live import page_caches
from dpviz.ui.widgets import bounded, cards, charts
from dpviz.views.natural_frequencies import untested
from dpviz.views.page_config import PageConfig

LARGEST = (20, 50, 100, 200, 400)
RATIOS = (1, 5, 10, 20, 50)
REHEARSAL_HELP = "A choice of yours, not the private class sizes: those would have to be paid for."


def pools(
    results: Results, view: PageConfig, names: Sequence[str], metric: str
) -> list[dict[str, Any]]:
    """Accuracy and noise against k_pool, and the rehearsal on public data."""
    spec, k = results.spec, results.settings["k_pool"]
    seeds = tuple(r.spec.seed for r in results.now)
    left, right = st.columns(2)
    largest = _rehearsal(left, "records of the largest class", LARGEST, 100, "rn")
    ratio = _rehearsal(right, "imbalance ratio", RATIOS, 10, "rir")
    rows, public, counts, refusal = _pools(spec, seeds, largest, float(ratio))
    chart = Pooling.from_rows(rows, public, metric)
    st.markdown(_sentence(chart, k, view))
    if refusal:
        st.info(literal(refusal))
    else:
        persons = ", the noise of a promise to persons" if view.unit == "person" else ""
        st.markdown(
            f"**Best k on the public set: {chart.best_public}.** Rehearsed with public records"
            f" alone, {len(names)} public kinds playing the classes, {max(counts)} records in the"
            f" largest and {min(counts)} in the smallest, same form, budget and number of"
            f" seeds{persons}:"
            " choosing k this way costs no privacy."
        )
    cards.private_view()
    charts.plot(chart, "dp-means-pooling", k)
    st.caption(
        f"{METRICS[metric]} accuracy. {detail_level.bands(len(seeds))} Noise ÷"
        " signal: root mean square length of the noise over the length of the exact pooled mean,"
        " median over classes (dotted: equal). Whoever reads the best k off the blue line has"
        " looked at private data."
    )
    return chart.table()


def _rehearsal(column: Any, what: str, options: Sequence[int], value: int, key: str) -> int:
    label, link = f"Rehearsal: {what}", "query-params"
    with column:
        return bounded.select_slider(label, options, value, key=key, help=REHEARSAL_HELP, bind=link)


def _sentence(chart: Pooling, k: int, view: PageConfig) -> str:
    if not chart.noisy[0].known:
        return untested()
    one, top, now, last = (chart.ks.index(v) for v in (1, chart.best, k, chart.ks[-1]))
    where = (
        f"At {budget_text(view.budget)} with k = {k}, {100 * chart.quiet[now]:.0f} %"
        f" are right without noise and **{percent(chart.noisy[now])}** with it."
    )
    shorter = f"{chart.signal[one] / chart.signal[last]:.3g}"
    trade = f"Pooling by {chart.ks[-1]} makes the mean {shorter} times shorter"
    if chart.noise[last] > 0:
        trade = (
            f"Pooling by {chart.ks[-1]} makes the noise {chart.noise[one] / chart.noise[last]:.3g}"
            f" times shorter and the mean {shorter} times"
        )
        trade += ", so it buys nothing here" if chart.ratios[last] >= chart.ratios[one] else ""
    if chart.best == 1:
        return f"{where} {trade}; no k does better than 1 (private view)."
    gap = 100 * (chart.noisy[top].mean - chart.noisy[one].mean)
    gain = (
        f"{gap:.1f} points above no pooling"
        if 1 in best(dict(zip(chart.ks, chart.noisy, strict=True)))[1]
        else "which is within noise of no pooling"
    )
    return f"{where} {trade}; k = {chart.best} does best, {gain} (private view)."


@page_caches.of_content(100, "Trying each k_pool …")
def _pools(
    spec: RunSpec, seeds: tuple[int, ...], largest: int, ratio: float
) -> tuple[tuple, tuple, tuple, str]:
    data = experiment.prepared(spec)
    ks = mean_errors.pool_sizes(data.x.shape[1], dict(spec.params)["k_pool"])
    rows = mean_errors.pooling(data, spec, ks, seeds)
    try:
        stage = mean_errors.rehearsal(data, largest, ratio)
    except DpvizError as error:
        return rows, (), (), str(error)
    public = mean_errors.pooling(stage, spec, ks, seeds)
    return rows, public, stage.counts, ""
