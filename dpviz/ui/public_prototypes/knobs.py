"""The closer looks that turn one knob: K of DPPL-PublicK, the size of the public set, which public
set.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import streamlit as st

from dpviz.caches import Kept
from dpviz.data import DATASETS, public_there
from dpviz.diagnostics import prototype_choices
from dpviz.methods.dppl_publick import K
from dpviz.plots import accuracy_by_public_set, accuracy_by_setting
from dpviz.run import reproduce
from dpviz.stats import Interval, interval, within_noise
from dpviz.ui.live import long_work
from dpviz.ui.public_prototypes import controls as page
from dpviz.ui.widgets import charts, params, text
from dpviz.views.view import View
from dpviz.words import METRIC_WORDS, at, percent

KS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
SIZES = (10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000)
KEY = "public-prototypes"
Rows = list[dict[str, Any]]


_grown: Kept[Any] = Kept(__name__, 64)


def grow(
    key: tuple, steps: Iterator[Any], total: int, place, draw: Callable[[Any, str], None]
) -> Any:
    """The last value of ``steps``: kept, or worked out with progress, drawn as it grows; any move
    ends it.
    """
    last = _grown.get(key)
    if last is None:
        bar = st.progress(0.0, "Working it out …")
        for done, last in enumerate(steps, start=1):
            bar.progress(done / total, f"{done} of {total} steps; any move of a control stops this")
            if done % 3 == 1 and done < total:
                with place.container():
                    draw(last, f"-{done}")
        bar.empty()
        _grown.put(key, last)
    with place.container():
        draw(last, "")
    return last


def key_of(name: str, found: page.Scene, seeds: Sequence[int], *more: Any) -> tuple:
    """All that a growing answer depends on."""
    return name, found.spec, found.metric, tuple(seeds), page.mark(found.spec), *more


def _levels(found: page.Scene) -> list[tuple[str, float]]:
    exact = getattr(found.exact.scores, found.metric)
    return [("class means without privacy", exact), ("chance", found.chance)]


def several(found: page.Scene, view: View) -> Rows:
    """Accuracy of DPPL-PublicK against K."""
    k = params.widget(K, "dppl-publick.k")
    if k > found.odds.public:
        text.refusals(
            [f"K is {k} and the public set has {found.odds.public} pictures; use at most as many."]
        )
        return []
    ks = sorted({v for v in (*KS, k) if v <= found.odds.public})
    answer, place = st.empty(), st.empty()

    def chart(curve: prototype_choices.Curve) -> accuracy_by_setting.KnobCurve:
        return accuracy_by_setting.info(
            curve, "K, public pictures a class", "dppl-publick", found.metric, k, _levels(found)
        )

    def draw(curve: prototype_choices.Curve, stage: str) -> None:
        charts.show(
            accuracy_by_setting.figure(chart(curve)),
            accuracy_by_setting.alt(chart(curve)),
            f"{KEY}-k{stage}",
        )

    steps = prototype_choices.k_curve(found.spec, ks, found.draws.seeds, found.metric)
    curve = grow(key_of("k", found, found.draws.seeds, tuple(ks)), steps, len(ks), place, draw)
    shown = chart(curve)
    answer.markdown(_k_answer(shown))
    st.caption(
        _bands(found, view, "DPPL-PublicK with the window on the left; K = 1 is DPPL-Public.")
    )
    st.code(
        reproduce.run_command(prototype_choices.publick(found.spec, k)),
        language="bash",
        wrap_lines=True,
    )
    return _curve_rows("K", curve)


def _k_answer(shown: accuracy_by_setting.KnobCurve) -> str:
    here, one = shown.at(shown.now), shown.at(1)
    said = f"With K = {shown.now} **{percent(here)}** are right, with K = 1 **{percent(one)}**"
    if shown.now != 1:
        said += f" ({_difference(here, one)})"
    best = shown.at(shown.best)
    if shown.best == 1 or within_noise(best, one):
        return (
            f"{said}. No K tried is better than K = 1 beyond the noise of the seeds: here the"
            " paper's gain from several prototypes does not show."
        )
    return (
        f"{said}. The best K tried is {shown.best} with **{percent(best)}**"
        f" ({_difference(best, one)}, compared with K = 1)."
    )


def _difference(a: Interval, b: Interval) -> str:
    if within_noise(a, b):
        return "within noise"
    return f"{100 * (a.mean - b.mean):+.0f} points"


def sizes(found: page.Scene, view: View) -> Rows:
    """Accuracy against the number of public pictures."""
    m = found.odds.public
    values = [*[v for v in SIZES if v < 0.95 * m], m]
    answer, place = st.empty(), st.empty()

    def chart(curve: prototype_choices.Curve) -> accuracy_by_setting.KnobCurve:
        return accuracy_by_setting.info(
            curve, "public pictures to choose from", "dppl-public", found.metric, m, _levels(found)
        )

    def draw(curve: prototype_choices.Curve, stage: str) -> None:
        charts.show(
            accuracy_by_setting.figure(chart(curve)),
            accuracy_by_setting.alt(chart(curve)),
            f"{KEY}-size{stage}",
        )

    steps = prototype_choices.size_curve(found.spec, values, found.draws.seeds, found.metric)
    curve = grow(key_of("size", found, found.draws.seeds), steps, len(values), place, draw)
    answer.markdown(_size_answer(chart(curve)))
    st.caption(
        _bands(
            found,
            view,
            "A seed draws the noise and, before it, the subset; subsets of a seed are nested. The"
            " last point is the whole set.",
        )
    )
    return _curve_rows("public pictures", curve)


def _size_answer(shown: accuracy_by_setting.KnobCurve) -> str:
    whole, best = shown.at(shown.now), shown.at(shown.best)
    enough = min(v for v in shown.values if v == shown.best or within_noise(shown.at(v), best))
    said = (
        f"With all {shown.now:,} public pictures **{percent(whole)}** are right, with"
        f" {shown.values[0]:,} of them **{percent(shown.points[0])}**"
    )
    if shown.best != shown.now and not within_noise(best, whole):
        return (
            f"{said}. More is not always better here: {shown.best:,} give **{percent(best)}**"
            f" ({_difference(best, whole)}, compared with all)."
        )
    return f"{said}; **{enough:,}** are already within noise of the best."


def sets(found: page.Scene, view: View) -> Rows:
    """Accuracy with each public set that goes with the data."""
    if view.encoder is None:
        st.info(
            "This data brings one public set of its own; choose a set of pictures to compare"
            " several."
        )
        return []
    titles = {key: DATASETS[key].title for key in public_there(view.dataset)}
    seeds = found.draws.seeds
    groups = [
        tuple(dataclasses.replace(found.spec, public=key, seed=s) for s in seeds) for key in titles
    ]
    status, answer = st.empty(), st.empty()
    job = long_work.collect(f"{KEY}-sets", groups, status, lambda job: None, begin=lambda: None)
    text.refusals(job.errors.values())
    results = {g[0].public: job.done[g] for g in groups if g in job.done}
    if not results:
        return []
    values = {
        titles[key]: [getattr(r.scores, found.metric) for r in mine]
        for key, mine in results.items()
    }
    chart = accuracy_by_public_set.info(
        values, titles[found.data.public_key], found.metric, _levels(found)
    )
    answer.markdown(_set_answer(chart))
    charts.show(
        accuracy_by_public_set.figure(chart), accuracy_by_public_set.alt(chart), f"{KEY}-sets"
    )
    st.caption(
        _bands(found, view, "The set in use is outlined.")
        + " "
        + text.origin([r for mine in results.values() for r in mine])
    )
    return [
        {"public set": name, "seed": s, "accuracy": v}
        for name, row in values.items()
        for s, v in zip(seeds, row, strict=True)
    ]


def _set_answer(chart: accuracy_by_public_set.PublicBars) -> str:
    ranked = sorted(zip(chart.names, chart.points, strict=True), key=lambda pair: -pair[1].mean)
    best, rest = ranked[0], ranked[1:]
    told = "; ".join(
        f"{name} **{percent(point)}** ({_difference(point, best[1])})" for name, point in rest
    )
    return f"{best[0]} give **{percent(best[1])}**" + (f"; {told}." if rest else ".")


def _bands(found: page.Scene, view: View, more: str) -> str:
    return (
        f"Accuracy, {METRIC_WORDS[found.metric]}, at {at(view.budget)}, IR"
        f" {view.ir:g}. Bands: 95 % t-interval over N = {len(found.draws.seeds)} seeds. {more}"
    )


def _curve_rows(name: str, curve: prototype_choices.Curve) -> Rows:
    def row(value: int, point: Interval) -> dict[str, Any]:
        return {
            name: value,
            "accuracy": point.mean,
            "low": point.low,
            "high": point.high,
            "runs": point.runs,
        }

    return [row(value, interval(seeds)) for value, seeds in curve.items()]
