"""Error against dimension: with moved records, with imbalance and an offset, and with fewer public
directions.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.data import perturbation, synthetic
from dpviz.diagnostics import collapse_runs
from dpviz.diagnostics.collapse_runs import moves
from dpviz.experiments import experiment
from dpviz.experiments.jobs import Group
from dpviz.formatting import budget_text
from dpviz.methods import METHODS
from dpviz.plots.kit.style import BLUE, GREEN, ORANGE, PURPLE, RED, RIGHT, LineStyle
from dpviz.stats import Interval, within_noise
from dpviz.text import neural_collapse as text
from dpviz.text.template import render
from dpviz.ui.frame import detail_level
from dpviz.ui.live import long_work
from dpviz.ui.neural_collapse.answer import Features
from dpviz.ui.neural_collapse.changed_features import (
    KEY,
    NOISY,
    NOISY_MOVED_STYLE,
    NOISY_STYLE,
    QUIET,
    QUIET_MOVED_STYLE,
    QUIET_STYLE,
    Rows,
    chosen,
    claim_verdict,
    course,
    draw,
    errors,
    per_record_note,
)
from dpviz.ui.neural_collapse.controls import METHOD, CollapseView, Source
from dpviz.ui.widgets import bounded
from dpviz.ui.widgets.choices import segments

TRAINING = text.TRAININGS
MOVES = {kind: kind.capitalize() for kind in perturbation.KINDS if kind != "none"}
MOVED_RECORDS = text.MOVED_RECORDS
#: Standard deviation of the paper's noise of variance 0.1.
PAPER_SIZE = 0.32


def pair(
    view: CollapseView,
    source: Source,
    place: float,
    by: str,
    names: Mapping[str, str] = text.LINES,
    **changes: Any,
) -> dict[tuple[str, float], Group]:
    """Return runs without and with noise at a place of the chart.

    Args:
        by: a key of ``TRAINING``; names: of the lines without and with noise.
    """
    groups = view.pair(source, **changes)
    if by != METHOD:
        params = tuple(dict(dict(view.params).get(by, ())).items())
        changed = [
            tuple(dataclasses.replace(spec, method=by, params=params) for spec in group)
            for group in groups
        ]
        groups = changed[0], changed[1]
    quiet, noisy = groups
    return {(names["quiet"], place): quiet, (names["noisy"], place): noisy}


def _chosen_training() -> str:
    return segments(text.TRAINING, TRAINING, METHOD, "by-method", help=text.TRAINING_HELP)


def _collected(name: str, wanted: Mapping, metric: str) -> dict[str, dict[float, Interval]]:
    return errors(long_work.results(f"{KEY}-{name}", wanted), metric)


def _setting_text(view: CollapseView, metric: str, by: str, *notes: str) -> str:
    setting = render(
        text.SETTING_METHOD,
        group=text.GROUPS[metric],
        method=METHODS[by].title.lower(),
        budget=budget_text(view.budget),
    )
    return " ".join([setting, detail_level.bands(view.seeds), *notes])


# ---------------------------------------------------------------------------- moved records


def perturbed_errors(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Draw the error against dimension where test records, training ones or both are moved (Figure
    3b).
    """
    features, left, right = chosen(kinds), *st.columns(2)
    with left:
        kind = segments(text.MOVED_BY, MOVES, "gaussian", "moved-by", help=perturbation.TEST.help)
    with right:
        where = segments(
            *(text.MOVED_WHO, MOVED_RECORDS, "test", "moved-who"),
            help=perturbation.MOVED_RECORDS.help,
        )
    size = bounded.slider(
        text.MOVED_FAR, 0.01, 0.5, PAPER_SIZE, 0.01, key="moved-far", bind="query-params"
    )
    by = _chosen_training()
    if kind == "adversarial" and where != "test":
        st.info(text.MOVED_ADVERSARY)
        return []
    move, names = {"test": kind, "size": size, "where": where}, text.LINES_CHANGED["moved"]
    runs: dict[tuple[str, float], Group] = {}
    for p, plain, changed in _at_each(features, view, move):
        runs |= pair(view, features.source, p, by, **plain)
        runs |= pair(view, features.source, p, by, names, **changed)
    lines = _collected("moved", runs, metric)
    styles = {
        QUIET: QUIET_STYLE,
        names["quiet"]: QUIET_MOVED_STYLE,
        NOISY: NOISY_STYLE,
        names["noisy"]: NOISY_MOVED_STYLE,
    }
    if len(lines) == len(styles):
        st.markdown(_moved_answer(lines, where, kind))
    chance = 1 - 1 / len(features.measures.cosines)
    rows = draw("moved", text.AXIS_DIMENSION, lines, styles, chance=chance)
    st.caption(_setting_text(view, metric, by, text.MOVED_NOTE, *per_record_note(view)))
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


def _moved_answer(lines: Mapping[str, Mapping[float, Interval]], where: str, kind: str) -> str:
    names, change = text.LINES_CHANGED["moved"], text.CHANGES[where]
    grown = {name: sign > 0 for name, sign in moves(lines).items()}
    against = kind == "adversarial"
    return " ".join(
        [
            course(lines, names["noisy"], "private-changed", change),
            course(lines, names["quiet"], "quiet-changed", change),
            text.AGAINST_ADVERSARY if against else text.ONLY_MOVED,
            claim_verdict(grown[names["noisy"]], grown[names["quiet"]] and not against),
        ]
    )


# ------------------------------------------------------------------ imbalance and an offset

IMBALANCED: dict[str, tuple[LineStyle, dict[str, Any]]] = {
    text.IMBALANCED_LINES["plain"]: (NOISY_STYLE, {}),
    text.IMBALANCED_LINES["imbalanced"]: (LineStyle(BLUE, "dash", "square"), {"alpha": 0.9}),
    text.IMBALANCED_LINES["offset"]: (LineStyle(GREEN, "dot", "diamond"), {"offset": 0.1}),
    text.IMBALANCED_LINES["both"]: (
        LineStyle(ORANGE, "dashdot", "x"),
        {"alpha": 0.9, "offset": 0.1},
    ),
    text.IMBALANCED_LINES["moved"]: (NOISY_MOVED_STYLE, {"test": "stochastic", "size": 0.1}),
}
PERFECT = synthetic.name(beta=0.0)


def imbalanced(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Draw the error against dimension on collapsed features with changes (Figure 3a)."""
    sources = [kind.source for kind in kinds if synthetic.is_synthetic(kind.source.dataset)]
    source = sources[0] if sources else Source(text.PERFECT_TITLE, PERFECT, None, None)
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
    chance = 1 - 1 / frame["classes"]
    rows = draw("imbalanced", text.AXIS_DIMENSION, lines, styles, chance=chance)
    notes = [text.IMBALANCED_NOTE, text.IMBALANCED_LEGEND, *per_record_note(view)]
    st.caption(_setting_text(view, metric, METHOD, *notes))
    return rows


def _imbalanced_answer(lines: Mapping[str, Mapping[float, Interval]]) -> str:
    names = text.IMBALANCED_LINES
    grown = {name: sign > 0 for name, sign in moves(lines).items()}
    alone, both = grown[names["imbalanced"]], grown[names["both"]]
    changes = {"imbalanced": "imbalance", "both": "imbalance-offset", "moved": "moved"}
    courses = [
        course(lines, names[name], "private-changed", text.CHANGES[change])
        for name, change in changes.items()
    ]
    verdicts = text.IMBALANCED_VERDICTS
    verdict = verdicts.get((alone, both), verdicts[None])
    return " ".join([*courses, text.IMBALANCED_CLAIM, verdict])


# ---------------------------------------------------------------------------- directions kept

PROJECTIONS: dict[str, tuple[LineStyle, dict[str, Any]]] = {
    text.KEPT_LINES["all"]: (QUIET_STYLE, {}),
    text.KEPT_LINES["10"]: (LineStyle(RED, "solid", "triangle-up"), {"pca": 10}),
    text.KEPT_LINES["50"]: (LineStyle(BLUE, "dash", "square"), {"pca": 50}),
    text.KEPT_LINES["100"]: (LineStyle(PURPLE, "dot", "diamond"), {"pca": 100}),
    text.KEPT_LINES["means"]: (LineStyle(RIGHT, "dashdot", "star"), {"means": "yes"}),
}
ALL_KEPT, FEW_KEPT, MEANS_KEPT = (text.KEPT_LINES[key] for key in ("all", "10", "means"))


def projected_errors(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Draw the error against dimension with the paper's public directions (Figure 4)."""
    kind = chosen(kinds)
    size = bounded.slider(
        text.KEPT_NOISE, 0.0, 0.5, PAPER_SIZE, 0.01, key="kept-noise", bind="query-params"
    )
    by = _chosen_training()
    data = experiment.prepared(kind.quiet[0].spec)
    if not data.has_public:
        st.info(text.NO_PUBLIC)
        return []
    have = collapse_runs.raw_dimension(kind.quiet[0].spec)
    runs: dict[tuple[str, float], Group] = {}
    for p in collapse_runs.dimensions(kind.source.dataset, have, len(kind.measures.y)):
        for name, (_, keep) in PROJECTIONS.items():
            if keep.get("pca", 0) < min(p, data.sizes.public) and (
                data.y_public is not None or name != MEANS_KEPT
            ):
                move = {"test": "gaussian", "size": size, "where": "both"} if size else {}
                moved = collapse_runs.at_dimension(
                    kind.source.dataset, view.features, have, p, move
                )
                before = moved.pop("features", view.features)
                moved["features"] = collapse_runs.preparation_with(before, **keep)
                runs[name, p] = pair(view, kind.source, p, by, text.LINES, **moved)[NOISY, p]
    lines = _collected("kept", runs, metric)
    if all(name in lines for name in (ALL_KEPT, FEW_KEPT)):
        st.markdown(_projected_answer(lines))
    styles = {name: style for name, (style, _) in PROJECTIONS.items()}
    rows = draw("kept", text.AXIS_DIMENSION, lines, styles, chance=1 - 1 / data.classes)
    st.caption(_setting_text(view, metric, by, render(text.KEPT_NOTE, size=size)))
    return rows


def _projected_answer(lines: Mapping[str, Mapping[float, Interval]]) -> str:
    p = max(lines[FEW_KEPT])
    full, projected = lines[ALL_KEPT][p], lines[FEW_KEPT][p]
    sign = 0 if within_noise(full, projected) else 1 if projected.mean < full.mean else -1
    others = {name: line[p] for name, line in lines.items() if p in line}
    best = min(others, key=lambda name: others[name].mean)
    fields = {"p": int(p), "few": projected, "all": full}
    return " ".join(
        [
            render(text.DIRECTIONS_KEPT, **fields),
            text.KEPT_VERDICTS[sign],
            render(text.KEPT_BEST, name=best, error=others[best]),
        ]
    )
