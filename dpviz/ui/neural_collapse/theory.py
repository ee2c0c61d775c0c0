"""Theory of one step for two classes: the shift map, records needed, theorems, exact errors."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dpviz import privacy
from dpviz.diagnostics import collapse_draws, collapse_exact, collapse_runs, collapse_theory
from dpviz.diagnostics import collapse_measures as measures
from dpviz.diagnostics.collapse_exact import CASES, DIMENSIONS
from dpviz.diagnostics.collapse_theory import FAILS, TABLE, THEOREMS, Bound, Setting
from dpviz.formatting import budget_text, number, percent, spread
from dpviz.plots.collapse import CollapseMap, MeasuredShift, RecordsNeeded
from dpviz.plots.kit.style import BLUE, GREY, RIGHT, WRONG, LineStyle
from dpviz.plots.settings import MIN_ERROR
from dpviz.run import experiment
from dpviz.run.jobs import Group
from dpviz.stats import Interval, accuracy
from dpviz.types import Result, RunSpec
from dpviz.ui.live import long_work
from dpviz.ui.neural_collapse.answer import Features
from dpviz.ui.neural_collapse.changed_features import (
    KEY,
    NOISY_MOVED_STYLE,
    NOISY_STYLE,
    Rows,
    chosen,
    draw,
    errors,
    per_record_note,
)
from dpviz.ui.neural_collapse.controls import METHOD, CollapseView
from dpviz.ui.widgets import cards, charts
from dpviz.ui.widgets.choices import choice
from dpviz.views import neural_collapse_page

SIZES = (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
SIZE_HELP = "Records of the two classes together, a public setting of the theory."
EXACT, NO_NOISE, PRINTED, PROVED = "Exact", "Exact, no noise", "As printed", "By a proved bound"
LINE_STYLES = {
    EXACT: LineStyle(BLUE, "solid", "circle"),
    NO_NOISE: LineStyle(GREY, "solid", "circle-open"),
    PRINTED: LineStyle(WRONG, "dash", "x"),
    PROVED: LineStyle(RIGHT, "dot", "diamond"),
}
SHIFT_CURVES = {
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
ERROR_LEVELS = {"10": "10%", "1": "1%", "0.1": "0.1%", "0.001": "0.001%"}
MIN_DIMENSION = 4
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
        return "< 1e-10%"
    return f"{min(100 * value, 100):.0f}%" if value >= 0.095 else f"{100 * value:.2g}%"


def snippet(code: str) -> None:
    """What gives a number of the look again."""
    st.caption("One of these numbers again, from Python in the project's folder:")
    st.code(code, language="python", wrap_lines=True)


# ---------------------------------------------------------------------------------------------- map


def shift_map(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Error of one step over p and beta, with the curve beta = p^(-1/2)."""
    n, rho = records("20", "mn"), rho_of(view)
    errors = collapse_exact.over_map(n, rho)
    places = [p for p in DIMENSIONS if p >= MIN_DIMENSION]
    curve = [collapse_exact.error("signs", n, p, p**-0.5, rho) for p in places]
    steady = [collapse_exact.error("signs", n, p, 0.1, rho) for p in places]
    st.markdown(neural_collapse_page.dimension_map(n, places, curve, steady))
    measured = [
        MeasuredShift(kind.source.title, kind.measures.p, kind.measures.typical) for kind in kinds
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


def needed(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
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
        shifts = {key: title for key, (title, _) in SHIFT_CURVES.items()}
        along = choice(st.selectbox, "Shift β", shifts, "0.1", "along")
    with right:
        wanted = float(choice(st.selectbox, "Error at most", ERROR_LEVELS, "1", "err")) / 100
    rho, shift = rho_of(view), SHIFT_CURVES[along][1]
    lines = needed_lines(moved, wanted, rho, shift)
    st.markdown(neural_collapse_page.records_needed(lines, titles[moved], wanted))
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
    moved_text: str, wanted: float, rho: float, shift: Callable[[int], float]
) -> dict[str, dict[int, float | None]]:
    """Records by line and dimension."""
    places = [p for p in DIMENSIONS if p >= MIN_DIMENSION]
    free = math.inf
    lines: dict[str, dict[int, float | None]] = {
        EXACT: {p: collapse_exact.needed(moved_text, wanted, p, shift(p), rho) for p in places},
        NO_NOISE: {p: collapse_exact.needed(moved_text, wanted, p, shift(p), free) for p in places},
        PRINTED: {p: TABLE[moved_text].printed(wanted, p, shift(p), rho) for p in places},
    }
    if moved_text == "signs":
        bound = THEOREMS["3.2-apart"].proved
        lines[PROVED] = {
            p: collapse_theory.records_for(bound, wanted, p, shift(p), rho) for p in places
        }
    return lines


THEOREM_STYLES = {
    "Exact error": LineStyle(BLUE, "solid", "circle"),
    "Drawn error": LineStyle(BLUE, "solid", "circle"),
    "Printed bound": LineStyle(WRONG, "dash", "x"),
    "Proved bound": LineStyle(RIGHT, "dot", "diamond"),
}
DIMS = {str(2**k): f"{2**k:,}" for k in range(2, 15)}
SHIFTS = {key: key for key in ("0", "0.01", "0.03", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7")}
DRAWS = 5000
OFFSET = 0.01
"""By how much a coordinate of Theorem 4.1's public direction is off."""
STEPS, PROJECTED = "3.4", "4.1"
RECORD_CHARTS = {key: one.place for key, one in THEOREMS.items()} | {
    STEPS: "Theorem 3.4, several projected steps",
    PROJECTED: "Theorem 4.1, projected features",
}
"""Those that are drawn against the number of records."""


def theorems(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """A row a theorem, and one of them against the number of records."""
    first, second, third = st.columns(3)
    with first:
        n = records("50", "tn")
    with second:
        p = int(choice(st.select_slider, "Dimension p", DIMS, "64", "tp"))
    with third:
        beta = float(choice(st.select_slider, "Shift β", SHIFTS, "0.1", "tb"))
    setting = Setting(n, p, beta, rho_of(view))
    rows = [
        *(_theorem_row(key, setting) for key in THEOREMS),
        _steps_row(setting),
        _projected_row(setting),
    ]
    counts = Counter(row["verdict"] for row in rows)
    failing = [row["theorem"] for row in rows if row["verdict"] == FAILS]
    st.markdown(neural_collapse_page.theorems(counts, failing, setting.t))
    st.html(cards.wide_table(rows))
    key = _against_records(setting)
    st.caption(
        f"One step at {budget_text(view.budget)} (ρ = {number(setting.rho)}), β²p ="
        f" {setting.t:.2g}. Exact"
        " errors: an integral, nothing drawn, the worst of the cases that meet the theorem's"
        f" assumptions. Theorem 3.4: {DRAWS:,} draws with their {collapse_draws.CONFIDENCE:.0%}"
        " interval,"
        " 10 steps in a ball of radius 1, t = 12. Theorem 4.1: its number of records turned into"
        " an error, its unnamed constant taken as 1, β₀ = 0.01. Noise is scaled as the paper does"
        " it, to √(1 + β²p); a shift along the line between the classes makes a record as long as"
        " √((1 + β)² + (p − 1)β²), so as printed the step promises less than ρ. The"
        " paper also offers records shrunk to (e₁ + v)/√(1 + |v|²), with a length of at most √2."
        " Theorem 3.3 lacks a factor ½ alone; its rate and its threshold β²p < 1 stay. Cannot be"
        " told:"
        " the bound is 100% and says nothing, both are too small, or the interval holds the bound."
    )
    again = SNIPPETS.get(
        key, f'one = THEOREMS["{key}"]\none.error(s), one.printed(s), one.proved(s)'
    )
    snippet(
        "from dpviz.diagnostics import collapse_draws, collapse_theory\n"
        "from dpviz.diagnostics.collapse_theory import THEOREMS, Setting\n"
        f"s = Setting(n={n}, p={p}, beta={beta:g}, rho={setting.rho:.6g})\n{again}"
    )
    return rows


SNIPPETS = {
    STEPS: (
        "how = collapse_draws.Steps()\n"
        f"collapse_draws.several_steps(s, how, {DRAWS}).ends, collapse_draws.printed_steps(s, how)"
    ),
    PROJECTED: (
        f"collapse_theory.projected_error(s, {OFFSET}), collapse_theory.projected_printed(s,"
        f" {OFFSET})"
    ),
}


def _theorem_cells(
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


def _theorem_row(key: str, s: Setting) -> dict[str, Any]:
    theorem = THEOREMS[key]
    if key == "3.3" and s.t >= 1:
        return _unmet_row(theorem.place)
    error = theorem.error(s)
    return _theorem_cells(
        theorem.place, theorem.printed(s), error, error, theorem.proved(s), theorem.wrong
    )


def _unmet_row(place: str) -> dict[str, Any]:
    """A theorem whose condition is not met."""
    row = _theorem_cells(place, 1.0, 0.0, 0.0, None, "its condition, β²p < 1, is not met")
    return row | {"verdict": collapse_theory.CANNOT_TELL, "error": "–", "printed bound": "–"}


def _steps_row(s: Setting) -> dict[str, Any]:
    if s.t >= 1:
        return _unmet_row(RECORD_CHARTS[STEPS])
    how = collapse_draws.Steps()
    low, high = collapse_draws.several_steps(s, how, DRAWS).ends
    printed = collapse_draws.printed_steps(s, how)
    return _theorem_cells(
        RECORD_CHARTS[STEPS], printed, low, high, None, "nothing found; it is loose"
    )


def _projected_row(s: Setting) -> dict[str, Any]:
    error = collapse_theory.projected_error(s, OFFSET)
    printed, proved = (
        bound(s, OFFSET)
        for bound in (collapse_theory.projected_printed, collapse_theory.projected_proved)
    )
    wrong = "ρ, and that β₀p alone need not be small"
    return _theorem_cells(RECORD_CHARTS[PROJECTED], printed, error, error, proved, wrong)


def _against_records(s: Setting) -> str:
    """Draws one theorem against n; gives its key."""
    key = choice(st.selectbox, "Against records", RECORD_CHARTS, "3.3", "thm")
    if key in ("3.3", STEPS) and s.t >= 1:
        st.info(f"Theorem {key} says nothing from β²p = 1 on; choose a smaller β or p.")
        return key
    error, printed, proved = _laws(key)
    shrinking = printed if proved is None else proved
    last = collapse_theory.records_for(shrinking, MIN_ERROR, s.p, s.beta, s.rho) or SIZES[-1]
    places = sorted({round(n) for n in np.geomspace(1, last, 12)})
    laws = {"Drawn error" if key == STEPS else "Exact error": error}
    laws["Printed bound"] = _exact_law(printed)
    if proved is not None:
        laws["Proved bound"] = _exact_law(proved)
    lines = {
        name: {
            n: value
            for n in places
            if (value := law(Setting(n, s.p, s.beta, s.rho))).mean >= MIN_ERROR
        }
        for name, law in laws.items()
    }
    draw("theorem", f"records n, p = {s.p:,}, β = {s.beta:g}", lines, THEOREM_STYLES, log_y=True)
    return key


def _laws(key: str) -> tuple[Callable[[Setting], Interval], Bound, Bound | None]:
    """A theorem's error, its printed bound, and a proved one where there is one."""
    if key == STEPS:
        how = collapse_draws.Steps()
        return _simulated_error, partial(collapse_draws.printed_steps, how=how), None
    if key == PROJECTED:
        error, printed, proved = (
            partial(law, beta0=OFFSET)
            for law in (
                collapse_theory.projected_error,
                collapse_theory.projected_printed,
                collapse_theory.projected_proved,
            )
        )
        return _exact_law(error), printed, proved
    theorem = THEOREMS[key]
    return _exact_law(theorem.error), theorem.printed, theorem.proved


def _exact_law(law: Bound) -> Callable[[Setting], Interval]:
    """A law as a line without intervals."""

    def line(s: Setting) -> Interval:
        value = law(s)
        return Interval(value, value, value, 1)

    return line


def _simulated_error(s: Setting) -> Interval:
    """The error of several steps, with the interval of its draws."""
    share_drawn = collapse_draws.several_steps(s, collapse_draws.Steps(), DRAWS)
    return Interval(share_drawn.mean, *share_drawn.ends, DRAWS)


THEORY_STYLES = {
    "Exact": (LineStyle(GREY, "solid", "circle-open"), measures.binary_error),
    "Printed as Theorem 3.3": (LineStyle(WRONG, "dash", "x"), measures.printed_bound),
    "With the missing ½": (LineStyle(RIGHT, "dot", "diamond"), measures.halved_bound),
}
CLASS_STYLES = {
    2: LineStyle(GREY, "solid", "circle-open"),
    3: LineStyle(BLUE, "dash", "square"),
    10: LineStyle(WRONG, "dot", "diamond"),
}
"""Numbers of classes whose exact errors are compared."""
TARGET_ERROR = 0.01
RECORDS_TEXT = (
    "For an exact error of at most {wanted} one noisy step needs **{few}** records of two classes,"
    " **{some}** of three and **{many}** of ten."
)
MORE_CLASSES = (
    "The exact error with K equal classes is 1 − E[Φ(Z + n/((K − 1)s))^(K − 1)], where Z is"
    " standard normal and s² = (1 − 1/K)/(2ρ). It does not depend on the dimension. The"
    " paper treats more classes at perfect collapse in its Appendix D.1, which is not among the"
    " texts that we have. The proof here for K classes is in the docstring of `frame_error`."
)
MEASURED_STYLES = {8: NOISY_MOVED_STYLE, 512: NOISY_STYLE}
"""Dimensions of two classes that are measured."""


def step(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """The exact error of one step beside measurement and the printed bound, for two classes; and on
    this data.
    """
    features, mu = chosen(kinds), privacy.mu_for(view.budget)
    sizes, rho = collapse_runs.sizes(mu), mu**2 / 2
    if not sizes:
        st.info(
            "At this budget two classes need more than 5,000 records each step; choose a larger"
            " one."
        )
        return []
    groups = {
        (f"Measured, p = {p}", n): _binary(view, n, p) for p in MEASURED_STYLES for n in sizes
    }
    classes = experiment.prepared(features.quiet[0].spec).classes
    group = view.pair(features.source, params=collapse_runs.one_step(classes))[1]
    results = long_work.results(f"{KEY}-step", groups | {("here", 0): group})
    lines: dict[str, dict[float, Interval]] = {
        name: {n: _exact(error(n, rho)) for n in sizes}
        for name, (_, error) in THEORY_STYLES.items()
    }
    runs_here = results.pop(("here", 0), [])
    lines |= errors(results, "balanced")
    st.markdown(_step_answer(sizes, rho) + _data_text(features, runs_here))
    styles = {name: style for name, (style, _) in THEORY_STYLES.items()}
    styles |= {f"Measured, p = {p}": style for p, style in MEASURED_STYLES.items()}
    title = "records n of two collapsed classes (β = 0)"
    rows = draw("step", title, lines, styles, log_y=True, chance=0.5)
    st.caption(
        f"One step from zero at {budget_text(view.budget)}; the exact error is"
        f" Φ(−n√(2ρ)), whatever the dimension. Measured: {collapse_runs.DRAWS} seeds a point, each"
        " run either right or wrong on all records, so 0 of them is drawn at the foot. The exponent"
        " printed in Theorem 3.3 lacks a factor ½. Corrected, the bound is proved and its rate"
        f" stays. The look Theorems tries it beside the others.{per_record_note(view)}"
    )
    return rows + _more_classes(mu)


def _more_classes(mu: float) -> Rows:
    """The exact error of one step for two, three and ten classes."""
    rho = mu**2 / 2
    error = lambda classes, n: measures.frame_error([n / classes] * classes, rho)
    lines: dict[str, dict[float, Interval]] = {
        _class_title(k): {n: _exact(error(k, n)) for n in collapse_runs.equal_classes(mu, k)}
        for k in CLASS_STYLES
    }
    few, medium, many = (measures.records_needed(k, TARGET_ERROR, rho) for k in CLASS_STYLES)
    st.markdown(
        RECORDS_TEXT.format(
            wanted=f"{100 * TARGET_ERROR:.0f}%",
            few=_count_text(few),
            some=_count_text(medium),
            many=_count_text(many),
        )
    )
    styles = {_class_title(k): style for k, style in CLASS_STYLES.items()}
    rows = draw(
        "step-classes", "records n in equal collapsed classes (β = 0)", lines, styles, log_y=True
    )
    st.caption(MORE_CLASSES)
    return rows


def _exact(value: float) -> Interval:
    return Interval(value, value, value, 1)


def _class_title(count: int) -> str:
    return f"Exact, K = {count}"


def _count_text(count: int | None) -> str:
    return "too many" if count is None else f"{count:,}"


def _binary(view: CollapseView, n: int, p: int) -> Group:
    name, params = collapse_runs.two_classes(n, p), tuple(collapse_runs.one_step(2).items())
    seeds = range(view.first_seed, view.first_seed + collapse_runs.DRAWS)
    return tuple(
        RunSpec(name, None, method=METHOD, budget=view.budget, params=params, seed=seed)
        for seed in seeds
    )


def _step_answer(sizes: Sequence[int], rho: float) -> str:
    first, last = (measures.binary_error(n, rho) for n in (sizes[0], sizes[-1]))
    below = [n for n in sizes if measures.printed_bound(n, rho) < measures.binary_error(n, rho)]
    note = (
        f"the bound printed as Theorem 3.3 falls below it at n = {', '.join(map(str, below))}, as"
        " print lacks a **factor ½**, with which it is a bound of the same rate"
        if below
        else "the printed Theorem 3.3 lies above it at these n, and falls below it at larger ones"
    )
    return (
        f"With two perfectly collapsed classes one noisy step errs on exactly **{100 * first:.3g}"
        f"%** with n = {sizes[0]} records and **{100 * last:.3g}%** with {sizes[-1]}; {note}. "
    )


def _data_text(kind: Features, runs: Sequence[Result]) -> str:
    if not runs:
        return ""
    data = experiment.prepared(runs[0].spec)
    if data.adversary is not None:
        return "For an adversarial test set no exact error is known here."
    mu = collapse_runs.step_mu(runs[0].spec)
    if mu is None:
        return "Where each person's summed gradient is clipped no exact error is known here."
    subject = ", promised to persons," if runs[0].spec.unit == "person" else ""
    seen = accuracy(runs, "balanced").wrong
    return (
        f"On {kind.source.title}{subject} the exact one-step error is"
        f" **{100 * measures.one_step_error(data, mu):.3g}%**, measured **{percent(seen)}**"
        f" {f'({spread(seen)})' if spread(seen) else ''}, mean over classes."
    )
