"""Where dimension begins to matter, and how many records an error asks for: exactly, for two
classes and one step.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import streamlit as st

from dpviz import privacy
from dpviz.diagnostics import collapse_exact, collapse_theory
from dpviz.diagnostics.collapse_exact import CASES, DIMENSIONS
from dpviz.diagnostics.collapse_theory import TABLE, THEOREMS
from dpviz.formatting import budget_text, number
from dpviz.plots.collapse import CollapseMap, MeasuredShift, RecordsNeeded
from dpviz.plots.kit.style import BLUE, GREY, RIGHT, WRONG, LineStyle
from dpviz.ui.neural_collapse.answer import Features
from dpviz.ui.neural_collapse.changed_features import KEY, Rows
from dpviz.ui.neural_collapse.controls import CollapseView
from dpviz.ui.widgets import cards, charts
from dpviz.ui.widgets.choices import choice
from dpviz.views import collapse_in_plain_words

SIZES = (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
SIZE_HELP = "Records of the two classes together, a public setting of the theory."
EXACT, FREE, PRINTED, PROVED = "Exact", "Exact, no noise", "As printed", "By a proved bound"
LINE_STYLES = {
    EXACT: LineStyle(BLUE, "solid", "circle"),
    FREE: LineStyle(GREY, "solid", "circle-open"),
    PRINTED: LineStyle(WRONG, "dash", "x"),
    PROVED: LineStyle(RIGHT, "dot", "diamond"),
}
ALONG = {
    "0": ("0, perfect", lambda p: 0.0),
    "0.01": ("0.01", lambda p: 0.01),
    "0.03": ("0.03", lambda p: 0.03),
    "0.05": ("0.05", lambda p: 0.05),
    "0.1": ("0.1", lambda p: 0.1),
    "0.2": ("0.2", lambda p: 0.2),
    "half": ("p^(−1/2)", lambda p: p**-0.5),
    "quarter": ("p^(−1/4)", lambda p: p**-0.25),
}
"""Shifts to go along: title, and the shift at a dimension."""
WANTED = {"10": "10 %", "1": "1 %", "0.1": "0.1 %", "0.001": "0.001 %"}
LEAST = 4
"""Dimensions from which on lines of the answers go: below, beta = p^(-1/2) is no small shift."""


def rho_of(view: CollapseView) -> float:
    """zCDP of one Gaussian step at the page's budget."""
    return privacy.mu_for(view.budget) ** 2 / 2


def records(default: str, key: str) -> int:
    """A control of n."""
    titles = {str(n): f"{n:,}" for n in SIZES}
    return int(choice(st.select_slider, "Records n", titles, default, key, help=SIZE_HELP))


def share(value: float) -> str:
    """An error in percent, without more digits than it has."""
    if value <= collapse_exact.TINY:
        return "< 1e-10 %"
    return f"{min(100 * value, 100):.0f} %" if value >= 0.095 else f"{100 * value:.2g} %"


def snippet(code: str) -> None:
    """What gives a number of the look again."""
    st.caption("One of these numbers again, from Python in the project's folder:")
    st.code(code, language="python", wrap_lines=True)


# ---------------------------------------------------------------------------------------------- map


def shift_map(every: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Error of one step over p and beta, with the curve beta = p^(-1/2)."""
    n, rho = records("20", "mn"), rho_of(view)
    errors = collapse_exact.over_map(n, rho)
    places = [p for p in DIMENSIONS if p >= LEAST]
    curve = [collapse_exact.error("signs", n, p, p**-0.5, rho) for p in places]
    steady = [collapse_exact.error("signs", n, p, 0.1, rho) for p in places]
    st.markdown(collapse_in_plain_words.dimension_map(n, places, curve, steady))
    measured = [
        MeasuredShift(one.source.title, one.measures.p, one.measures.typical) for one in every
    ]
    chart = CollapseMap.from_errors(DIMENSIONS, collapse_exact.SHIFTS, errors, measured, n)
    cards.private_view()
    charts.plot(chart, f"{KEY}-map")
    st.caption(
        f"Exact, by an integral, nothing drawn at random: one step at {budget_text(view.budget)}"
        f" (ρ = {number(rho)}), n = {n:,} records of two classes, {CASES['signs'].words}, noise"
        " scaled to the longest record. Marks: median shift β of the features above, measured on"
        " private records against the class means of the data; those have more classes and other"
        " shifts, so the shade under a mark is not their error."
    )
    snippet(
        "from dpviz.diagnostics import collapse_exact\n"
        f'collapse_exact.error("signs", n={n}, p=1024, beta=0.1, rho={rho:.6g})'
    )
    return chart.table()


# ------------------------------------------------------------------------------------------ records


def needed(every: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Records that a wanted error asks for, against dimension: searched, printed and proved."""
    left, middle, right = st.columns(3)
    titles = {
        "signs": "training and test alike",
        "train": "training records",
        "test": "test records",
        "offset": "training, by one offset",
    }
    with left:
        moved = choice(st.selectbox, "Moved", titles, "signs", "moved")
    with middle:
        shifts = {key: title for key, (title, _) in ALONG.items()}
        along = choice(st.selectbox, "Shift β", shifts, "0.1", "along")
    with right:
        wanted = float(choice(st.selectbox, "Error at most", WANTED, "1", "err")) / 100
    rho, shift = rho_of(view), ALONG[along][1]
    lines = needed_lines(moved, wanted, rho, shift)
    st.markdown(collapse_in_plain_words.records_needed(lines, titles[moved], wanted))
    chart = RecordsNeeded.from_records(lines, LINE_STYLES, wanted)
    charts.plot(chart, f"{KEY}-needed")
    proved = " Proved: the least n at which a bound that is proved comes down to the error."
    st.caption(
        "Exact: the least n whose exact error is small enough, by bisection, at"
        f" {budget_text(view.budget)}"
        f" (ρ = {number(rho)}), {CASES[moved].words}; a line ends where no number of records is"
        f" enough. As printed: Table 1 of the paper, {TABLE[moved].place}, a formula up to an"
        " unnamed constant, here taken as 1: its course can be compared, not its height."
        f"{proved if moved == 'signs' else ''}"
    )
    snippet(
        "from dpviz.diagnostics import collapse_exact\n"
        f'collapse_exact.needed("{moved}", {wanted:g}, p=1024, beta={shift(1024):.6g},'
        f" rho={rho:.6g})"
    )
    return chart.table()


def needed_lines(
    moved: str, wanted: float, rho: float, shift: Callable[[int], float]
) -> dict[str, dict[int, float | None]]:
    """Records by line and dimension."""
    places = [p for p in DIMENSIONS if p >= LEAST]
    free = math.inf
    lines: dict[str, dict[int, float | None]] = {
        EXACT: {p: collapse_exact.needed(moved, wanted, p, shift(p), rho) for p in places},
        FREE: {p: collapse_exact.needed(moved, wanted, p, shift(p), free) for p in places},
        PRINTED: {p: TABLE[moved].printed(wanted, p, shift(p), rho) for p in places},
    }
    if moved == "signs":
        bound = THEOREMS["3.2-apart"].proved
        lines[PROVED] = {
            p: collapse_theory.records_for(bound, wanted, p, shift(p), rho) for p in places
        }
    return lines
