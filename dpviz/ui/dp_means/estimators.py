"""How far five private means miss the true one: budget, size, dimension, a wrong prior."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.diagnostics import mean_estimators
from dpviz.diagnostics.mean_estimators import ESTIMATORS, EXACT, PRIOR, EstimatorErrors, Setting
from dpviz.formatting import number
from dpviz.methods.components import friendly_core
from dpviz.plots.kit.style import GREY, LineStyle
from dpviz.plots.settings import ErrorLines
from dpviz.run import experiment
from dpviz.types import Dataset, DpvizError, RunSpec
from dpviz.ui.dp_means.answer import Results
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import page_caches
from dpviz.ui.widgets import bounded, cards, charts, export
from dpviz.ui.widgets.choices import choice, segments
from dpviz.views import dp_means_page
from dpviz.views.page_config import PageConfig

KEY = "dp-means-estimators"
SEEDS = 5
MADE_UP = "made-up"
AXES = {
    "rho": "budget ρ",
    "d": "dimension d",
    "n": "records n",
    "centre": "centre off by, in √d",
    "radius": "believed radius, in √d",
}
HELP = {
    "rho": "ρ of zero-concentrated DP: each estimator spends all of it.",
    "d": "Coordinates of a record; of a class, after pooling.",
    "n": "Records that are averaged.",
    "centre": "How far the true mean lies from where it is believed to be.",
    "radius": "How far the mean is believed to lie from the believed centre, at most. What records"
    " are clipped to follows from it.",
}
LINE_STYLES = {
    **{key: one.look for key, one in ESTIMATORS.items()},
    EXACT: LineStyle(GREY, "solid", "x"),
    PRIOR: LineStyle(GREY, "dash", "cross"),
}
TITLES = {
    **{key: one.title for key, one in ESTIMATORS.items()},
    EXACT: "No noise",
    PRIOR: "The prior alone",
}


def show(
    results: Results, view: PageConfig, names: Sequence[str], metric: str
) -> list[dict[str, Any]]:
    """The look: its controls, a sentence, the chart, what each estimator promises."""
    data = experiment.prepared(results.spec)
    axis = segments("On the axis", AXES, "rho", "maxis")
    whose = {MADE_UP: "made-up records, whose mean is known"}
    if data.has_public:
        whose |= {str(c): f"class {name}" for c, name in enumerate(names)}
    records_key = choice(st.selectbox, "Records", whose, MADE_UP, "mof")
    setting = _setting(data, None if records_key == MADE_UP else int(records_key))
    seeds = tuple(range(view.first_seed, view.first_seed + SEEDS))
    try:
        line_errors = _errors(
            results.spec, setting, axis, seeds, None if records_key == MADE_UP else int(records_key)
        )
    except DpvizError as error:
        page_parts.refusals([str(error)])
        return []
    now = float(getattr(setting, axis))
    st.markdown(
        detail_level.at_level(
            dp_means_page.estimators_precise(line_errors, TITLES, setting, now),
            dp_means_page.estimators_plain(line_errors, TITLES, setting, now),
        )
    )
    if records_key != MADE_UP:
        cards.private_view()
    chart = _chart(line_errors, axis, now)
    charts.plot(chart, KEY)
    st.caption(_caption(setting, axis, records_key != MADE_UP))
    _guarantees(setting)
    export.code_block(_code(setting, axis, seeds, results.spec, records_key), "python")
    return chart.table()


def _setting(data: Dataset, c: int | None) -> Setting:
    """A slider for each; of a class no more records and coordinates than it has."""
    values, start = {}, Setting()
    for column, name in zip(st.columns(len(AXES)), AXES, strict=True):
        places = mean_estimators.AXES[name]
        with column:
            values[name] = bounded.select_slider(
                AXES[name].capitalize(),
                places,
                getattr(start, name),
                format_func=number,
                key=f"m{name}",
                help=HELP[name],
                bind="query-params",
            )
    chosen = Setting(**values)
    if c is None:
        return chosen
    at_most = {"n": int(data.counts[c]), "d": data.x.shape[1]}
    return Setting(**vars(chosen) | {k: min(getattr(chosen, k), v) for k, v in at_most.items()})


@page_caches.cached_by_content(100, "Estimating means …")
def _errors(
    spec: RunSpec, setting: Setting, axis: str, seeds: tuple[int, ...], c: int | None
) -> EstimatorErrors:
    if c is None:
        return mean_estimators.errors(setting, axis, seeds)
    data = experiment.prepared(spec)
    draw = lambda place, seed: mean_estimators.of_class(data, c, place, seed)
    return mean_estimators.errors(setting, axis, seeds, draw)


def _chart(results: EstimatorErrors, axis: str, current: float) -> ErrorLines:
    by_title: Mapping = {TITLES[key]: line for key, line in results.items()}
    styles = {TITLES[key]: style for key, style in LINE_STYLES.items()}
    return ErrorLines.from_points(
        AXES[axis],
        by_title,
        styles,
        mark=(current, "now"),
        measure="L2 error of the mean",
        length=True,
    )


def _caption(setting: Setting, axis: str, real: bool) -> str:
    kinds = (
        "Records of the class in units of the public set's spread, from the public mean, which is"
        " where their mean is believed to be; its exact mean is what is to be found."
        if real
        else "Records drawn from a Gaussian of spread 1 in each coordinate."
    )
    text = dp_means_page.setting_text(setting, axis)
    return (
        f"{kinds} Length of what the private mean is off by, {text}, mean over {SEEDS} seeds with"
        " 95% intervals; both scales are logarithmic. The prior alone: saying where the mean is"
        " believed to be, without looking. Sums are divided by the true n to be compared; the"
        f" friendly core compares all pairs, {friendly_core.MAX_ROWS:,} records at most, and says"
        " the believed centre where it finds too few friends to be sure."
    )


def _guarantees(setting: Setting) -> None:
    fold = st.expander("What each of them promises", key="mpromises", on_change="rerun")
    if not fold.open:
        return
    rows = []
    for key, estimator in ESTIMATORS.items():
        guarantee = estimator.plan(setting).guarantee
        slack = (
            f", and {2 * friendly_core.FAILURE:g}·(1 + e^ε) more in δ" if key == "friendly" else ""
        )
        kept = f"ρ = {number(setting.rho)}{slack}"
        own = {
            "neighbours": guarantee.adjacency,
            "public": guarantee.public,
            "source": guarantee.source,
        }
        rows.append({"estimator": estimator.title, "promise": kept} | own)
    with fold:
        st.html(cards.wide_table(rows))
        st.caption(
            "The promises are not the same: whether a record is there at all is hidden by the sums"
            " alone; the others hide what it looks like and take n as public. Of the friendly core"
            " the paper itself could not be read: its steps here, and the proof that stands with"
            " them in the code, are this project's."
        )


def _code(
    setting: Setting, axis: str, seeds: Sequence[int], spec: RunSpec, records_key: str
) -> str:
    lines = [f"seeds = range({seeds[0]}, {seeds[-1] + 1})"]
    head = ["from dpviz.diagnostics import mean_estimators as means"]
    records = ""
    if records_key != MADE_UP:
        head += ["from dpviz.run import experiment", "from dpviz.types import Budget, RunSpec"]
        lines.append(f"data = experiment.prepared({spec!r})")
        lines.append(f"records = lambda at, seed: means.of_class(data, {records_key}, at, seed)")
        records = ", records"
    lines.append(f"setting = means.{setting!r}")
    lines.append(f"print(means.errors(setting, {axis!r}, seeds{records}))")
    return "\n".join([*head, "", *lines])
