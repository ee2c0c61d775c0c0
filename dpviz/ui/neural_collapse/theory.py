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
from dpviz.experiments import experiment
from dpviz.experiments.jobs import Group
from dpviz.formatting import budget_text, listed
from dpviz.plots.collapse import CollapseMap, MeasuredShift, RecordsNeeded
from dpviz.plots.kit.style import BLUE, GREY, RIGHT, WRONG, LineStyle
from dpviz.plots.settings import MIN_ERROR
from dpviz.stats import Interval, accuracy
from dpviz.text import neural_collapse as text
from dpviz.text.template import render, render_text
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
EXACT, NO_NOISE, PRINTED, PROVED = (
    text.NEEDED_LINES[key] for key in ("exact", "quiet", "printed", "proved")
)
LINE_STYLES = {
    EXACT: LineStyle(BLUE, "solid", "circle"),
    NO_NOISE: LineStyle(GREY, "solid", "circle-open"),
    PRINTED: LineStyle(WRONG, "dash", "x"),
    PROVED: LineStyle(RIGHT, "dot", "diamond"),
}
#: Shift at a dimension, by key of its title.
SHIFT_CURVES: dict[str, Callable[[int], float]] = {
    "0": lambda p: 0.0,
    "0.01": lambda p: 0.01,
    "0.03": lambda p: 0.03,
    "0.05": lambda p: 0.05,
    "0.1": lambda p: 0.1,
    "0.2": lambda p: 0.2,
    "half": lambda p: p**-0.5,
    "quarter": lambda p: p**-0.25,
}
ERROR_LEVELS = {"10": "10%", "1": "1%", "0.1": "0.1%", "0.001": "0.001%"}
#: First dimension of the lines: below it, beta = p^(-1/2) is not a small shift.
MIN_DIMENSION = 4


def rho_of(view: CollapseView) -> float:
    """Return the zCDP of one Gaussian step at the page's budget."""
    return privacy.mu_for(view.budget) ** 2 / 2


def records(default: str, key: str) -> int:
    """Draw the control of n; return its value."""
    titles = {str(n): f"{n:,}" for n in SIZES}
    return int(
        choice(st.select_slider, text.RECORDS_N, titles, default, key, help=text.RECORDS_N_HELP)
    )


def share(value: float) -> str:
    """Return an error in percent, without more digits than it has."""
    if value <= collapse_exact.TINY:
        return "< 1e-10%"
    return f"{min(100 * value, 100):.0f}%" if value >= 0.095 else f"{100 * value:.2g}%"


def snippet(code: str) -> None:
    """Draw code for a number of the view."""
    st.caption(text.CODE_AGAIN)
    st.code(code, language="python", wrap_lines=True)


# ---------------------------------------------------------------------------------------------- map


def shift_map(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Draw the error of one step over p and beta, with the curve beta = p^(-1/2)."""
    n, rho = records("20", "mn"), rho_of(view)
    errors = collapse_exact.over_map(n, rho)
    places = [p for p in DIMENSIONS if p >= MIN_DIMENSION]
    curve = [collapse_exact.error("signs", n, p, p**-0.5, rho) for p in places]
    steady = [collapse_exact.error("signs", n, p, 0.1, rho) for p in places]
    st.markdown(neural_collapse_page.dimension_map(places, curve, steady))
    measured = [
        MeasuredShift(kind.source.title, kind.measures.p, kind.measures.typical) for kind in kinds
    ]
    chart = CollapseMap.from_errors(DIMENSIONS, collapse_exact.SHIFTS, errors, measured, n)
    cards.private_view()
    charts.plot(chart, f"{KEY}-map")
    st.caption(
        render(
            text.MAP_NOTE,
            budget=budget_text(view.budget),
            rho=rho,
            n=n,
            case=CASES["signs"].words,
        )
    )
    snippet(
        "from dpviz.diagnostics import collapse_exact\n"
        f'collapse_exact.error("signs", n={n}, p=1024, beta=0.1, rho={rho:.6g})'
    )
    return chart.table()


# ------------------------------------------------------------------------------------------ records


def needed(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Draw the records that an error needs, against dimension: exact, printed and proved."""
    left, middle, right = st.columns(3)
    titles = text.MOVED_TITLES
    with left:
        moved = choice(st.selectbox, text.MOVED_LABEL, titles, "signs", "moved")
    with middle:
        along = choice(st.selectbox, text.ALONG, text.SHIFT_TITLES, "0.1", "along")
    with right:
        level = choice(st.selectbox, text.WANTED, ERROR_LEVELS, "1", "err")
    wanted = float(level) / 100
    rho, shift = rho_of(view), SHIFT_CURVES[along]
    lines = needed_lines(moved, wanted, rho, shift)
    st.markdown(neural_collapse_page.records_needed(lines, titles[moved], wanted))
    chart = RecordsNeeded.from_records(lines, LINE_STYLES, wanted)
    charts.plot(chart, f"{KEY}-needed")
    note = render(
        text.NEEDED_NOTE,
        budget=budget_text(view.budget),
        rho=rho,
        case=CASES[moved].words,
        place=TABLE[moved].place,
    )
    st.caption(f"{note} {text.NEEDED_PROVED}" if moved == "signs" else note)
    snippet(
        "from dpviz.diagnostics import collapse_exact\n"
        f'collapse_exact.needed("{moved}", {wanted:g}, p=1024, beta={shift(1024):.6g},'
        f" rho={rho:.6g})"
    )
    return chart.table()


def needed_lines(
    moved_text: str, wanted: float, rho: float, shift: Callable[[int], float]
) -> dict[str, dict[int, float | None]]:
    """Return records by line and dimension."""
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
    text.THEOREM_LINES["exact"]: LineStyle(BLUE, "solid", "circle"),
    text.THEOREM_LINES["drawn"]: LineStyle(BLUE, "solid", "circle"),
    text.THEOREM_LINES["printed"]: LineStyle(WRONG, "dash", "x"),
    text.THEOREM_LINES["proved"]: LineStyle(RIGHT, "dot", "diamond"),
}
DIMS = {str(2**k): f"{2**k:,}" for k in range(2, 15)}
SHIFTS = {key: key for key in ("0", "0.01", "0.03", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7")}
DRAWS = 5000
#: Distance per coordinate of Theorem 4.1's public direction from the true one.
OFFSET = 0.01
STEPS, PROJECTED = "3.4", "4.1"
#: Theorems that can be drawn against the number of records.
RECORD_CHARTS = {key: one.place for key, one in THEOREMS.items()} | text.THEOREM_TITLES


def theorems(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Draw a row per theorem, and one of them against the number of records."""
    first, second, third = st.columns(3)
    with first:
        n = records("50", "tn")
    with second:
        p = int(choice(st.select_slider, text.DIMENSION_P, DIMS, "64", "tp"))
    with third:
        beta = float(choice(st.select_slider, text.SHIFT_BETA, SHIFTS, "0.1", "tb"))
    setting = Setting(n, p, beta, rho_of(view))
    rows = [
        *(_theorem_row(key, setting) for key in THEOREMS),
        _steps_row(setting),
        _projected_row(setting),
    ]
    heads = text.THEOREM_HEADS
    counts = Counter(row["verdict"] for row in rows)
    failing = [row["theorem"] for row in rows if row["verdict"] == FAILS]
    st.markdown(neural_collapse_page.theorems(counts, failing))
    shown = [
        {heads[key]: text.THEOREM_VERDICTS.get(cell, cell) for key, cell in row.items()}
        for row in rows
    ]
    st.html(cards.wide_table(shown))
    key = _against_records(setting)
    notes = [
        render(
            text.THEOREMS_NOTE,
            budget=budget_text(view.budget),
            rho=setting.rho,
            t=float(f"{setting.t:.2g}"),
        ),
        render(text.THEOREMS_34, draws=DRAWS, confidence=collapse_draws.CONFIDENCE),
        text.THEOREMS_41,
        text.THEOREMS_SCALE,
    ]
    st.caption(" ".join(notes))
    again = SNIPPETS.get(
        key, f'one = THEOREMS["{key}"]\none.error(s), one.printed(s), one.proved(s)'
    )
    snippet(
        "from dpviz.diagnostics import collapse_draws, collapse_theory\n"
        "from dpviz.diagnostics.collapse_theory import THEOREMS, Setting\n"
        f"s = Setting(n={n}, p={p}, beta={beta:g}, rho={setting.rho:.6g})\n{again}"
    )
    return shown


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
    theorem: str, printed: float, low: float, high: float, proved: float | None, missing: str
) -> dict[str, Any]:
    return {
        "theorem": theorem,
        "verdict": collapse_theory.judged(printed, low, high),
        "error": share(low) if low == high else f"{share(low)} to {share(high)}",
        "printed": share(printed),
        "proved": "–" if proved is None else share(proved),
        "missing": missing,
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
    """Return the row of a theorem whose condition is not met."""
    row = _theorem_cells(place, 1.0, 0.0, 0.0, None, text.THEOREM_UNMET)
    return row | {"verdict": collapse_theory.CANNOT_TELL, "error": "–", "printed": "–"}


def _steps_row(s: Setting) -> dict[str, Any]:
    if s.t >= 1:
        return _unmet_row(RECORD_CHARTS[STEPS])
    how = collapse_draws.Steps()
    low, high = collapse_draws.several_steps(s, how, DRAWS).ends
    printed = collapse_draws.printed_steps(s, how)
    return _theorem_cells(RECORD_CHARTS[STEPS], printed, low, high, None, text.THEOREM_LOOSE)


def _projected_row(s: Setting) -> dict[str, Any]:
    error = collapse_theory.projected_error(s, OFFSET)
    printed, proved = (
        bound(s, OFFSET)
        for bound in (collapse_theory.projected_printed, collapse_theory.projected_proved)
    )
    missing = text.THEOREM_PROJECTED
    return _theorem_cells(RECORD_CHARTS[PROJECTED], printed, error, error, proved, missing)


def _against_records(s: Setting) -> str:
    """Draw one theorem against n; return its key."""
    key = choice(st.selectbox, text.AGAINST, RECORD_CHARTS, "3.3", "thm")
    if key in ("3.3", STEPS) and s.t >= 1:
        st.info(render(text.THEOREM_SILENT, name=key))
        return key
    error, printed, proved = _laws(key)
    shrinking = printed if proved is None else proved
    last = collapse_theory.records_for(shrinking, MIN_ERROR, s.p, s.beta, s.rho) or SIZES[-1]
    places = sorted({round(n) for n in np.geomspace(1, last, 12)})
    names = text.THEOREM_LINES
    laws = {names["drawn" if key == STEPS else "exact"]: error}
    laws[names["printed"]] = _exact_law(printed)
    if proved is not None:
        laws[names["proved"]] = _exact_law(proved)
    lines = {
        name: {
            n: value
            for n in places
            if (value := law(Setting(n, s.p, s.beta, s.rho))).mean >= MIN_ERROR
        }
        for name, law in laws.items()
    }
    title = render_text(text.THEOREM_AXIS, p=s.p, beta=s.beta)
    draw("theorem", title, lines, THEOREM_STYLES, log_y=True)
    return key


def _laws(key: str) -> tuple[Callable[[Setting], Interval], Bound, Bound | None]:
    """Return a theorem's error, its printed bound, and a proved one if known."""
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
    """Return a law as a line without intervals."""

    def line(s: Setting) -> Interval:
        value = law(s)
        return Interval(value, value, value, 1)

    return line


def _simulated_error(s: Setting) -> Interval:
    """Return the error of several steps, with the interval of its draws."""
    share_drawn = collapse_draws.several_steps(s, collapse_draws.Steps(), DRAWS)
    return Interval(share_drawn.mean, *share_drawn.ends, DRAWS)


THEORY_STYLES = {
    text.STEP_LINES["exact"]: (LineStyle(GREY, "solid", "circle-open"), measures.binary_error),
    text.STEP_LINES["printed"]: (LineStyle(WRONG, "dash", "x"), measures.printed_bound),
    text.STEP_LINES["halved"]: (LineStyle(RIGHT, "dot", "diamond"), measures.halved_bound),
}
#: Styles by number of classes, whose exact errors are compared.
CLASS_STYLES = {
    2: LineStyle(GREY, "solid", "circle-open"),
    3: LineStyle(BLUE, "dash", "square"),
    10: LineStyle(WRONG, "dot", "diamond"),
}
TARGET_ERROR = 0.01
#: Styles by dimension of two classes, whose error is measured.
MEASURED_STYLES = {8: NOISY_MOVED_STYLE, 512: NOISY_STYLE}


def step(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Draw the exact error of one step, its measurement and the printed bound, for two classes; and
    on this data.
    """
    features, mu = chosen(kinds), privacy.mu_for(view.budget)
    sizes, rho = collapse_runs.sizes(mu), mu**2 / 2
    if not sizes:
        st.info(text.STEP_BUDGET)
        return []
    groups = {(_measured_title(p), n): _binary(view, n, p) for p in MEASURED_STYLES for n in sizes}
    classes = experiment.prepared(features.quiet[0].spec).classes
    group = view.pair(features.source, params=collapse_runs.one_step(classes))[1]
    results = long_work.results(f"{KEY}-step", groups | {("here", 0): group})
    lines: dict[str, dict[float, Interval]] = {
        name: {n: _exact(error(n, rho)) for n in sizes}
        for name, (_, error) in THEORY_STYLES.items()
    }
    runs_here = results.pop(("here", 0), [])
    lines |= errors(results, "balanced")
    sentences = [*_step_sentences(sizes, rho), *_data_sentences(features, runs_here)]
    st.markdown(" ".join(sentences))
    styles = {name: style for name, (style, _) in THEORY_STYLES.items()}
    styles |= {_measured_title(p): style for p, style in MEASURED_STYLES.items()}
    rows = draw("step", text.STEP_AXIS, lines, styles, log_y=True, chance=0.5)
    note = render(text.STEP_NOTE, budget=budget_text(view.budget), draws=collapse_runs.DRAWS)
    st.caption(" ".join([note, *per_record_note(view)]))
    return rows + _more_classes(mu)


def _more_classes(mu: float) -> Rows:
    """Draw the exact error of one step for two, three and ten classes."""
    rho = mu**2 / 2
    error = lambda classes, n: measures.frame_error([n / classes] * classes, rho)
    lines: dict[str, dict[float, Interval]] = {
        _class_title(k): {n: _exact(error(k, n)) for n in collapse_runs.equal_classes(mu, k)}
        for k in CLASS_STYLES
    }
    few, medium, many = (measures.records_needed(k, TARGET_ERROR, rho) for k in CLASS_STYLES)
    st.markdown(
        render(
            text.STEP_CLASSES,
            wanted=TARGET_ERROR,
            few=_count_text(few),
            some=_count_text(medium),
            many=_count_text(many),
        )
    )
    styles = {_class_title(k): style for k, style in CLASS_STYLES.items()}
    rows = draw("step-classes", text.STEP_CLASSES_AXIS, lines, styles, log_y=True)
    st.caption(text.STEP_CLASSES_NOTE)
    return rows


def _exact(value: float) -> Interval:
    return Interval(value, value, value, 1)


def _class_title(count: int) -> str:
    return render_text(text.STEP_CLASSES_LINE, classes=count)


def _measured_title(p: int) -> str:
    return render_text(text.STEP_MEASURED, p=p)


def _count_text(count: int | None) -> str:
    return text.STEP_TOO_MANY if count is None else f"{count:,}"


def _binary(view: CollapseView, n: int, p: int) -> Group:
    name, params = collapse_runs.two_classes(n, p), tuple(collapse_runs.one_step(2).items())
    seeds = range(view.first_seed, view.first_seed + collapse_runs.DRAWS)
    return tuple(
        RunSpec(name, None, method=METHOD, budget=view.budget, params=params, seed=seed)
        for seed in seeds
    )


def _step_sentences(sizes: Sequence[int], rho: float) -> list[str]:
    first, last = (measures.binary_error(n, rho) for n in (sizes[0], sizes[-1]))
    below = [n for n in sizes if measures.printed_bound(n, rho) < measures.binary_error(n, rho)]
    errors = render(
        text.STEP,
        first=f"{100 * first:.3g}",
        last=f"{100 * last:.3g}",
        few=f"{sizes[0]:,}",
        many=f"{sizes[-1]:,}",
    )
    if not below:
        return [errors, text.STEP_ABOVE]
    return [errors, render(text.STEP_BELOW, places=listed([f"{n:,}" for n in below]))]


def _data_sentences(kind: Features, runs: Sequence[Result]) -> list[str]:
    if not runs:
        return []
    data = experiment.prepared(runs[0].spec)
    if data.adversary is not None:
        return [text.STEP_ADVERSARY]
    mu = collapse_runs.step_mu(runs[0].spec)
    if mu is None:
        return [text.STEP_PERSON]
    template = text.STEP_DATA_PERSON if runs[0].spec.unit == "person" else text.STEP_DATA
    exact = f"{100 * measures.one_step_error(data, mu):.3g}"
    error = accuracy(runs, "balanced").wrong
    return [render(template, title=kind.source.title, exact=exact, measured=error)]
