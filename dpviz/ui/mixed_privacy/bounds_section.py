"""The closer look "What the theorems allow": Theorem 3 of the AdaMix paper, as printed and as it
follows, beside the loss measured on the private records; and why Theorem 4 says nothing of it.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpviz.diagnostics import convergence_on_data
from dpviz.diagnostics.convergence_on_data import FAILS, HOLDS, IDLE, OPEN, ConvergenceRun, OnData
from dpviz.formatting import budget_text, number, subset
from dpviz.plots.kit.style import GREY, RIGHT, WRONG, LineStyle
from dpviz.plots.settings import ErrorLines
from dpviz.stats import Interval, measured
from dpviz.types import DpvizError
from dpviz.ui.frame import page_parts
from dpviz.ui.live import page_caches
from dpviz.ui.mixed_privacy.controls import MixedView
from dpviz.ui.mixed_privacy.curves_section import line_style
from dpviz.ui.widgets import cards, charts, export

KEY = "mixed-privacy-bounds"
SIGMAS = (2.5, 5.0, 10.0, 20.0, 40.0)
RUNS = 4
VERDICT_TEXTS = {
    HOLDS: "**holds**",
    IDLE: "**holds, but says nothing**: it allows more than guessing blindly loses",
    FAILS: "**fails**",
    OPEN: "**cannot be told**",
}
FOURTH = (
    "Theorem 4 asks for a loss that is c-strongly convex. This one is not, on any data: moving the"
    " heads of all classes alike changes no prediction, so c = 0 and its bound is infinite."
)
LINE_STYLES = {
    "Measured, as it follows": line_style(0),
    "Bound as it follows": LineStyle(RIGHT, "dot", "diamond"),
    "Measured, as printed": line_style(1),
    "Bound as printed": LineStyle(WRONG, "dash", "x"),
    "Guessing blindly": LineStyle(GREY, "dot", "line-ew-open"),
}

_tried = page_caches.of_content(30, "Running Theorem 3 on these records …")(
    convergence_on_data.run_convergence
)


def section(view: MixedView, metric: str) -> list[dict[str, Any]]:
    """Excess loss and bounds over sigma, and a verdict on each theorem."""
    cards.private_view()
    spec = view.run("AdaMix", view.first_seed)
    try:
        found = _tried(spec, SIGMAS, RUNS)
    except DpvizError as error:
        page_parts.refusals([str(error)])
        return []
    st.markdown(answer(found, view))
    chart = _chart(found)
    charts.plot(chart, KEY)
    st.html(cards.wide_table(verdicts(found)))
    st.caption(
        f"Of {found.n:,} private records, {subset(view)}, at {budget_text(view.budget)} (ρ ="
        f" {number(found.rho)}): the mean loss of the averaged head less that of a head they could"
        f" have given, which lies {found.distance:.3g} from the start; {RUNS} draws of the noise"
        " with 95 % intervals. T = 2ρσ² steps, so more noise means more of them, and"
        " a smaller bound. The page Papers has σ = 140. As printed:"
        f" λ = √(ρ/(2DdL²)), in a ball of radius B = {found.radius:.3g}; as it follows: λ ="
        " τ√(2d/ρ)/D, no ball. The distance is read from private records, so none of this is for"
        " release. The same again:"
    )
    export.code_block(
        "from dpviz.diagnostics import convergence_on_data\n"
        "from dpviz.types import Budget, RunSpec\n\n"
        f"spec = {spec!r}\n"
        f"print(convergence_on_data.run_convergence(spec, {SIGMAS}, {RUNS}))",
        "python",
    )
    return chart.table()


def _chart(found: OnData) -> ErrorLines:
    exact = lambda value: Interval(value, value, value, 1)
    points = {
        "Measured, as it follows": {one.sigma: measured(one.excess) for one in found.follows},
        "Bound as it follows": {one.sigma: exact(one.bound.total) for one in found.follows},
        "Measured, as printed": {one.sigma: measured(one.excess) for one in found.printed},
        "Bound as printed": {one.sigma: exact(one.bound.total) for one in found.printed},
        "Guessing blindly": {sigma: exact(found.guessing) for sigma in (SIGMAS[0], SIGMAS[-1])},
    }
    measure = "loss above the best head's, nats"
    return ErrorLines.from_points("noise σ", points, LINE_STYLES, measure=measure, length=True)


def answer(found: OnData, view: MixedView) -> str:
    """One sentence: what is measured and allowed with the most steps, and each verdict."""
    one, other = found.follows[-1], found.printed[-1]
    return (
        f"At {budget_text(view.budget)} and σ = {one.sigma:g} ({one.steps:,} steps) the averaged"
        " head loses"
        f" **{one.mean:.2g}** nats a record more than the best, where the bound that follows allows"
        f" **{_size(one.bound.total)}**: it {VERDICT_TEXTS[one.verdict(found.guessing)]}. As"
        " printed, its"
        f" own step size loses **{other.mean:.2g}** and **{_size(other.bound.total)}** is allowed:"
        f" it {VERDICT_TEXTS[other.verdict(found.guessing)]}. Guessing blindly loses"
        f" {found.guessing:.2g}."
    )


def verdicts(found: OnData) -> list[dict[str, Any]]:
    """A row a theorem and sigma."""
    rows = [
        _row(name, one, found.guessing)
        for name, some in (
            ("Theorem 3, as it follows", found.follows),
            ("Theorem 3, as printed", found.printed),
        )
        for one in some
    ]
    gone = {"σ": "–", "steps": "–", "measured": "–", "allowed": "∞", "for noise": "∞"}
    return [*rows, {"theorem": "Theorem 4"} | gone | {"here": IDLE, "why": FOURTH}]


def _row(name: str, one: ConvergenceRun, guessing: float) -> dict[str, Any]:
    verdict = one.verdict(guessing)
    steps = f"{_size(one.bound.steps)} of it is for too few steps"
    why = {
        HOLDS: f"measured below it and it below guessing; {steps}",
        IDLE: f"above the {guessing:.2g} of guessing blindly; {steps}",
        FAILS: "measured above it by more than four standard errors",
        OPEN: "measured above it by no more than four standard errors",
    }[verdict]
    return {
        "theorem": name,
        "σ": number(one.sigma),
        "steps": f"{one.steps:,}",
        "measured": f"{one.mean:.2g} ± {2 * one.unsure:.1g}",
        "allowed": _size(one.bound.total),
        "for noise": _size(one.bound.noise),
        "here": verdict,
        "why": why,
    }


def _size(nats: float) -> str:
    return f"{nats:,.0f}" if nats >= 100 else f"{nats:.2g}"
