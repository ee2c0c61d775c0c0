"""The theorems: each printed bound beside the exact or drawn error, and a proved bound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dpviz.diagnostics import collapse_draws, collapse_theory
from dpviz.diagnostics.collapse_theory import FAILS, THEOREMS, Bound, Setting
from dpviz.formatting import budget_text, number
from dpviz.plots.kit.style import BLUE, RIGHT, WRONG, LineStyle
from dpviz.plots.settings import MIN_ERROR
from dpviz.stats import Interval
from dpviz.ui.neural_collapse.answer import Features
from dpviz.ui.neural_collapse.changed_features import Rows, draw
from dpviz.ui.neural_collapse.controls import CollapseView
from dpviz.ui.neural_collapse.theory import SIZES, records, rho_of, share, snippet
from dpviz.ui.widgets import cards
from dpviz.ui.widgets.choices import choice
from dpviz.views import collapse_in_plain_words

LINES = {
    "Exact error": LineStyle(BLUE, "solid", "circle"),
    "Drawn error": LineStyle(BLUE, "solid", "circle"),
    "Printed bound": LineStyle(WRONG, "dash", "x"),
    "Proved bound": LineStyle(RIGHT, "dot", "diamond"),
}
DIMS = {str(2**k): f"{2**k:,}" for k in range(2, 15)}
SHIFTS = {key: key for key in ("0", "0.01", "0.03", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7")}
DRAWS = 5000
OFF = 0.01
"""By how much a coordinate of Theorem 4.1's public direction is off."""
STEPS, PROJECTED = "3.4", "4.1"
AGAINST = {key: one.place for key, one in THEOREMS.items()} | {
    STEPS: "Theorem 3.4, several projected steps",
    PROJECTED: "Theorem 4.1, projected features",
}
"""Those that are drawn against the number of records."""


def theorems(every: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """A row a theorem, and one of them against the number of records."""
    first, second, third = st.columns(3)
    with first:
        n = records("50", "tn")
    with second:
        p = int(choice(st.select_slider, "Dimension p", DIMS, "64", "tp"))
    with third:
        beta = float(choice(st.select_slider, "Shift β", SHIFTS, "0.1", "tb"))
    setting = Setting(n, p, beta, rho_of(view))
    rows = [*(_row(key, setting) for key in THEOREMS), _steps(setting), _projected(setting)]
    counts = Counter(row["verdict"] for row in rows)
    failing = [row["theorem"] for row in rows if row["verdict"] == FAILS]
    st.markdown(collapse_in_plain_words.theorems(counts, failing, setting.t))
    st.html(cards.wide_table(rows))
    key = _against_records(setting)
    st.caption(
        f"One step at {budget_text(view.budget)} (ρ = {number(setting.rho)}), β²p ="
        f" {setting.t:.2g}. Exact"
        " errors: an integral, nothing drawn, the worst of the cases that meet the theorem's"
        f" assumptions. Theorem 3.4: {DRAWS:,} draws with their {collapse_draws.SURE:.0%} interval,"
        " 10 steps in a ball of radius 1, t = 12. Theorem 4.1: its number of records turned into"
        " an error, its unnamed constant taken as 1, β₀ = 0.01. Noise is scaled as the paper does"
        " it, to √(1 + β²p); a shift along the line between the classes makes a record as long as"
        " √((1 + β)² + (p − 1)β²), so as printed the step promises less than ρ. The"
        " paper also offers records shrunk to (e₁ + v)/√(1 + |v|²), with a length of at most √2."
        " Theorem 3.3 lacks a factor ½ alone; its rate and its threshold β²p < 1 stay. Cannot be"
        " told:"
        " the bound is 100 % and says nothing, both are too small, or the interval holds the bound."
    )
    again = AGAIN.get(key, f'one = THEOREMS["{key}"]\none.error(s), one.printed(s), one.proved(s)')
    snippet(
        "from dpviz.diagnostics import collapse_draws, collapse_theory\n"
        "from dpviz.diagnostics.collapse_theory import THEOREMS, Setting\n"
        f"s = Setting(n={n}, p={p}, beta={beta:g}, rho={setting.rho:.6g})\n{again}"
    )
    return rows


AGAIN = {
    STEPS: (
        "how = collapse_draws.Steps()\n"
        f"collapse_draws.several_steps(s, how, {DRAWS}).ends, collapse_draws.printed_steps(s, how)"
    ),
    PROJECTED: (
        f"collapse_theory.projected_error(s, {OFF}), collapse_theory.projected_printed(s, {OFF})"
    ),
}


def _theorem_text(
    theorem: str, printed: float, low: float, high: float, proved: float | None, wrong: str
) -> dict[str, Any]:
    drawn = share(low) if low == high else f"{share(low)} to {share(high)}"
    return {
        "theorem": theorem,
        "verdict": collapse_theory.judged(printed, low, high),
        "error": drawn,
        "printed bound": share(printed),
        "proved bound": "–" if proved is None else share(proved),
        "left out in print": wrong,
    }


def _row(key: str, s: Setting) -> dict[str, Any]:
    one = THEOREMS[key]
    if key == "3.3" and s.t >= 1:
        return _nothing(one.place)
    error = one.error(s)
    return _theorem_text(one.place, one.printed(s), error, error, one.proved(s), one.wrong)


def _nothing(place: str) -> dict[str, Any]:
    """A theorem whose condition is not met."""
    row = _theorem_text(place, 1.0, 0.0, 0.0, None, "its condition, β²p < 1, is not met")
    return row | {"verdict": collapse_theory.CANNOT_TELL, "error": "–", "printed bound": "–"}


def _steps(s: Setting) -> dict[str, Any]:
    if s.t >= 1:
        return _nothing(AGAINST[STEPS])
    how = collapse_draws.Steps()
    low, high = collapse_draws.several_steps(s, how, DRAWS).ends
    printed = collapse_draws.printed_steps(s, how)
    return _theorem_text(AGAINST[STEPS], printed, low, high, None, "nothing found; it is loose")


def _projected(s: Setting) -> dict[str, Any]:
    error = collapse_theory.projected_error(s, OFF)
    printed, proved = (
        bound(s, OFF)
        for bound in (collapse_theory.projected_printed, collapse_theory.projected_proved)
    )
    wrong = "ρ, and that β₀p alone need not be small"
    return _theorem_text(AGAINST[PROJECTED], printed, error, error, proved, wrong)


def _against_records(s: Setting) -> str:
    """Draws one theorem against n; gives its key."""
    key = choice(st.selectbox, "Against records", AGAINST, "3.3", "thm")
    if key in ("3.3", STEPS) and s.t >= 1:
        st.info(f"Theorem {key} says nothing from β²p = 1 on; choose a smaller β or p.")
        return key
    error, printed, proved = _laws(key)
    shrinking = printed if proved is None else proved
    last = collapse_theory.records_for(shrinking, MIN_ERROR, s.p, s.beta, s.rho) or SIZES[-1]
    places = sorted({round(n) for n in np.geomspace(1, last, 12)})
    laws = {"Drawn error" if key == STEPS else "Exact error": error}
    laws["Printed bound"] = _exactly(printed)
    if proved is not None:
        laws["Proved bound"] = _exactly(proved)
    lines = {
        name: {
            n: value
            for n in places
            if (value := law(Setting(n, s.p, s.beta, s.rho))).mean >= MIN_ERROR
        }
        for name, law in laws.items()
    }
    draw("theorem", f"records n, p = {s.p:,}, β = {s.beta:g}", lines, LINES, log_y=True)
    return key


def _laws(key: str) -> tuple[Callable[[Setting], Interval], Bound, Bound | None]:
    """A theorem's error, its printed bound, and a proved one where there is one."""
    if key == STEPS:
        how = collapse_draws.Steps()
        return _simulated_error, partial(collapse_draws.printed_steps, how=how), None
    if key == PROJECTED:
        error, printed, proved = (
            partial(law, beta0=OFF)
            for law in (
                collapse_theory.projected_error,
                collapse_theory.projected_printed,
                collapse_theory.projected_proved,
            )
        )
        return _exactly(error), printed, proved
    one = THEOREMS[key]
    return _exactly(one.error), one.printed, one.proved


def _exactly(law: Bound) -> Callable[[Setting], Interval]:
    """A law as a line without intervals."""

    def line(s: Setting) -> Interval:
        value = law(s)
        return Interval(value, value, value, 1)

    return line


def _simulated_error(s: Setting) -> Interval:
    """The error of several steps, with the interval of its draws."""
    found = collapse_draws.several_steps(s, collapse_draws.Steps(), DRAWS)
    return Interval(found.mean, *found.ends, DRAWS)
