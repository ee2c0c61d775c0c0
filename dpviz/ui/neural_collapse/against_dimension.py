"""Error against dimension: under moves of test or training records, with imbalance and an offset,
and with fewer public directions kept.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.data import perturbation, synthetic
from dpviz.diagnostics import collapse_runs
from dpviz.diagnostics.collapse_runs import moves
from dpviz.formatting import METRIC_WORDS, budget_text, percent
from dpviz.methods import METHODS
from dpviz.plots.kit.style import BLUE, GREEN, ORANGE, PURPLE, RED, RIGHT, LineStyle
from dpviz.run import experiment
from dpviz.run.jobs import Group
from dpviz.stats import Interval, within_noise
from dpviz.ui.frame import detail_level
from dpviz.ui.live import long_work
from dpviz.ui.neural_collapse.answer import Features
from dpviz.ui.neural_collapse.changed_features import (
    AGAINST_ADVERSARY,
    KEY,
    NOISY_MOVED_STYLE,
    NOISY_STYLE,
    QUIET_MOVED_STYLE,
    QUIET_STYLE,
    Rows,
    chosen,
    draw,
    errors,
    per_record_note,
)
from dpviz.ui.neural_collapse.controls import METHOD, CollapseView, Source
from dpviz.ui.widgets import bounded
from dpviz.ui.widgets.choices import segments

TRAINING = {"noisy-gd": "Full batch", "noisy-sgd": "NoisySGD"}
MOVES = {kind: kind.capitalize() for kind in perturbation.KINDS if kind != "none"}
MOVED_RECORDS = {"test": "Test", "training": "Training", "both": "Both"}
PAPER_SIZE = 0.32
"""Standard deviation of the paper's noise of variance 0.1."""
METHOD_HELP = "NoisySGD: a fresh random tenth of the records at each step, at its default settings."


def pair(
    view: CollapseView, source: Source, place: float, by: str, words: str, **changes: Any
) -> dict[tuple[str, float], Group]:
    """Runs without noise and with it at a place of the chart, by a method of BY."""
    groups = view.pair(source, **changes)
    if by != METHOD:
        params = tuple(dict(dict(view.params).get(by, ())).items())
        changed = [
            tuple(dataclasses.replace(spec, method=by, params=params) for spec in group)
            for group in groups
        ]
        groups = changed[0], changed[1]
    quiet, noisy = groups
    return {(f"Gradient descent{words}", place): quiet, (f"Private{words}", place): noisy}


def _chosen_training() -> str:
    return segments("Private training", TRAINING, METHOD, "by-method", help=METHOD_HELP)


def _collected(name: str, wanted: Mapping, metric: str) -> dict[str, dict[float, Interval]]:
    return errors(long_work.results(f"{KEY}-{name}", wanted), metric)


def _course_text(lines: Mapping[str, Mapping[float, Interval]], name: str) -> str:
    """A line from its first place to its last, in words."""
    line = lines[name]
    text = f"from **{percent(line[min(line)])}** to **{percent(line[max(line)])}**"
    return text if moves(lines)[name] else f"{text} (within noise)"


def _setting_text(view: CollapseView, metric: str, by: str) -> str:
    return (
        f"Error: 100% minus records {METRIC_WORDS[metric]}, by"
        f" {METHODS[by].title.lower()} at {budget_text(view.budget)}."
        f" {detail_level.bands(view.seeds)}"
    )


# -------------------------------------------------------------------------- who is moved


def perturbed_errors(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Error against dimension where test records, training ones or both are moved (Figure 3b)."""
    features, left, right = chosen(kinds), *st.columns(2)
    with left:
        kind = segments("Moved by", MOVES, "gaussian", "moved-by", help=perturbation.TEST.help)
    with right:
        place_text = segments(
            "Who", MOVED_RECORDS, "test", "moved-who", help=perturbation.MOVED_RECORDS.help
        )
    size = bounded.slider(
        "How far", 0.01, 0.5, PAPER_SIZE, 0.01, key="moved-far", bind="query-params"
    )
    by = _chosen_training()
    if kind == "adversarial" and place_text != "test":
        st.info("An adversary moves test records alone; choose Test.")
        return []
    move = {"test": kind, "size": size, "where": place_text}
    runs: dict[tuple[str, float], Group] = {}
    for p, plain, changed in _at_each(features, view, move):
        runs |= pair(view, features.source, p, by, "", **plain)
        runs |= pair(view, features.source, p, by, ", moved", **changed)
    lines = _collected("moved", runs, metric)
    styles = {
        "Gradient descent": QUIET_STYLE,
        "Gradient descent, moved": QUIET_MOVED_STYLE,
        "Private": NOISY_STYLE,
        "Private, moved": NOISY_MOVED_STYLE,
    }
    if len(lines) == len(styles):
        st.markdown(_moved_answer(lines, place_text, kind))
    rows = draw(
        "moved", "dimension p", lines, styles, chance=1 - 1 / len(features.measures.cosines)
    )
    st.caption(
        f"{_setting_text(view, metric, by)} The paper's Figure 3(b): normal noise of variance 0.1"
        " (standard deviation 0.32) on test records of CIFAR-10 under NoisySGD. Coordinates are"
        f" copied, or a random subset is kept.{per_record_note(view)}"
    )
    return rows


def _at_each(
    features: Features, view: CollapseView, move: dict[str, Any]
) -> Iterator[tuple[int, dict[str, Any], dict[str, Any]]]:
    dataset, have = features.source.dataset, collapse_runs.raw_dimension(features.quiet[0].spec)
    for p in collapse_runs.dimensions(dataset, have, len(features.measures.y)):
        both = (
            collapse_runs.at_dimension(dataset, view.features, have, p, by) for by in ({}, move)
        )
        plain, moved = both
        yield p, plain, moved


def _moved_answer(lines: Mapping[str, Mapping[float, Interval]], place_text: str, kind: str) -> str:
    grown = {name: sign > 0 for name, sign in moves(lines).items()}
    against = kind == "adversarial"
    verdict = {
        (True, False): "**holds here**",
        (True, True): "does **not** hold here: training without noise suffers too",
    }.get(
        (grown["Private, moved"], grown["Gradient descent, moved"] and not against),
        "is **not seen here**: the private error does not rise beyond the noise",
    )
    records = {"test": "test", "training": "training", "both": "all"}[place_text]
    return (
        f"With {records} records moved, the private error goes"
        f" {_course_text(lines, 'Private, moved')} as the"
        f" dimension grows, and without noise {_course_text(lines, 'Gradient descent, moved')}."
        f" {(AGAINST_ADVERSARY if against else ONLY_PRIVATE).format(paper=verdict)}"
    )


ONLY_PRIVATE = "That moves make private training alone depend on the dimension {paper}."


# ------------------------------------------------------------------ imbalance and an offset

IMBALANCED: dict[str, tuple[LineStyle, dict[str, Any]]] = {
    "Private": (NOISY_STYLE, {}),
    "Private, imbalanced": (LineStyle(BLUE, "dash", "square"), {"alpha": 0.9}),
    "Private, offset": (LineStyle(GREEN, "dot", "diamond"), {"offset": 0.1}),
    "Private, imbalanced, offset": (
        LineStyle(ORANGE, "dashdot", "x"),
        {"alpha": 0.9, "offset": 0.1},
    ),
    "Private, test moved": (NOISY_MOVED_STYLE, {"test": "stochastic", "size": 0.1}),
}
PERFECT = synthetic.name(beta=0.0)


def imbalanced(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Error against dimension on collapsed features: imbalance, offset, both, moves (Figure 3a)."""
    sources = [kind.source for kind in kinds if synthetic.is_synthetic(kind.source.dataset)]
    source = sources[0] if sources else Source("Synthetic, β = 0", PERFECT, None, None)
    frame = synthetic.parse(source.dataset)
    runs: dict[tuple[str, float], Group] = {}
    for p in collapse_runs.dimensions(source.dataset, frame["dim"], frame["n"]):
        for name, (_, changed) in IMBALANCED.items():
            dataset = synthetic.name(**frame | {"dim": p} | changed)
            runs[name, p] = view.pair(source, dataset=dataset, ir=1.0)[1]
    lines = _collected("imbalanced", runs, metric)
    styles = {name: style for name, (style, _) in IMBALANCED.items()}
    if len(lines) == len(styles):
        st.markdown(_imbalanced_answer(lines))
    rows = draw("imbalanced", "dimension p", lines, styles, chance=1 - 1 / frame["classes"])
    st.caption(
        f"{_setting_text(view, metric, METHOD)} The paper's Figure 3(a) has β = 0, 10,000 records"
        " and"
        " (1, 1e-4)-DP, and names neither steps, learning rate nor α. Imbalanced: the first half of"
        " the classes weigh α = 0.9 against 0.1; offset:"
        " ±0.1 in each coordinate, the same for all; moved: test records by ±0.1."
        f"{per_record_note(view)}"
    )
    return rows


def _imbalanced_answer(lines: Mapping[str, Mapping[float, Interval]]) -> str:
    grown = {name: sign > 0 for name, sign in moves(lines).items()}
    alone, both = grown["Private, imbalanced"], grown["Private, imbalanced, offset"]
    verdict = {
        (False, True): "**holds here**",
        (True, True): "does **not** hold: alone it does too",
    }
    text = verdict.get(
        (alone, both), "is **not seen here**: with the offset, too, it does not rise"
    )
    return (
        "As the dimension grows the private error goes"
        f" {_course_text(lines, 'Private, imbalanced')} with"
        f" imbalance, {_course_text(lines, 'Private, imbalanced, offset')} with an offset as well"
        f" and {_course_text(lines, 'Private, test moved')} with test records moved. That imbalance"
        f" makes the error grow with dimension only beside an offset {text}."
    )


# ---------------------------------------------------------------------------- directions kept

PROJECTIONS: dict[str, tuple[LineStyle, dict[str, Any]]] = {
    "All": (QUIET_STYLE, {}),
    "k = 10": (LineStyle(RED, "solid", "triangle-up"), {"pca": 10}),
    "k = 50": (LineStyle(BLUE, "dash", "square"), {"pca": 50}),
    "k = 100": (LineStyle(PURPLE, "dot", "diamond"), {"pca": 100}),
    "Class means": (LineStyle(RIGHT, "dashdot", "star"), {"means": "yes"}),
}


def projected_errors(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Error against dimension with the public directions kept that the paper keeps (Figure 4)."""
    kind = chosen(kinds)
    size = bounded.slider(
        "Noise on all records", 0.0, 0.5, PAPER_SIZE, 0.01, key="kept-noise", bind="query-params"
    )
    by = _chosen_training()
    data = experiment.prepared(kind.quiet[0].spec)
    if not data.has_public:
        st.info("Public PCA needs a public set; this data has none. Add X_public to the file.")
        return []
    have = collapse_runs.raw_dimension(kind.quiet[0].spec)
    runs: dict[tuple[str, float], Group] = {}
    for p in collapse_runs.dimensions(kind.source.dataset, have, len(kind.measures.y)):
        for name, (_, keep) in PROJECTIONS.items():
            if keep.get("pca", 0) < min(p, data.sizes.public) and (
                data.y_public is not None or name != "Class means"
            ):
                move = {"test": "gaussian", "size": size, "where": "both"} if size else {}
                moved = collapse_runs.at_dimension(
                    kind.source.dataset, view.features, have, p, move
                )
                before = moved.pop("features", view.features)
                moved["features"] = collapse_runs.preparation_with(before, **keep)
                runs[name, p] = pair(view, kind.source, p, by, "", **moved)["Private", p]
    lines = _collected("kept", runs, metric)
    if all(name in lines for name in ("All", "k = 10")):
        st.markdown(_projected_answer(lines))
    styles = {name: style for name, (style, _) in PROJECTIONS.items()}
    rows = draw("kept", "dimension p", lines, styles, chance=1 - 1 / data.classes)
    st.caption(
        f"{_setting_text(view, metric, by)} Normal noise of standard deviation {size:g} on all"
        " records,"
        " public ones too. Directions and means come from the public set; the paper's Figure 4"
        " takes them from private records and pays nothing for it, so what it shows is not private."
    )
    return rows


def _projected_answer(lines: Mapping[str, Mapping[float, Interval]]) -> str:
    p = max(lines["k = 10"])
    unprojected, projected = lines["All"][p], lines["k = 10"][p]
    verdict = "**holds here**" if projected.mean < unprojected.mean else "does **not** hold here"
    if within_noise(unprojected, projected):
        verdict = "cannot be told here: the difference is within noise"
    others = {name: line[p] for name, line in lines.items() if p in line}
    best = min(others, key=lambda name: others[name].mean)
    return (
        f"At dimension {p:,} the private error is **{percent(projected)}** with 10 public"
        f" directions and **{percent(unprojected)}** with all: that few directions help"
        f" {verdict}. Least:"
        f" {best if best.startswith('k') else best.lower()}, {percent(others[best])}."
    )
