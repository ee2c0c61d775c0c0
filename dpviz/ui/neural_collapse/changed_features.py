"""Error against changes of features: dimension, public PCA, imbalance and offset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.data import perturbation, preparation, synthetic
from dpviz.diagnostics import collapse_runs
from dpviz.diagnostics.collapse_runs import moves
from dpviz.experiments import experiment
from dpviz.experiments.jobs import Group
from dpviz.formatting import budget_text
from dpviz.plots.kit.style import GREY, RED, RIGHT, LineStyle
from dpviz.plots.settings import ErrorLines
from dpviz.stats import Interval, accuracy, within_noise
from dpviz.text import neural_collapse as text
from dpviz.text.template import render
from dpviz.types import Result
from dpviz.ui.frame import detail_level
from dpviz.ui.live import long_work
from dpviz.ui.neural_collapse.answer import Features
from dpviz.ui.neural_collapse.controls import CollapseView, Source
from dpviz.ui.widgets import bounded, charts
from dpviz.ui.widgets.choices import choice, segments

KEY = "neural-collapse"
MOVES = {kind: kind.capitalize() for kind in perturbation.KINDS if kind != "none"}
QUIET_STYLE, QUIET_MOVED_STYLE = (
    LineStyle(GREY, "solid", "circle-open"),
    LineStyle(GREY, "dash", "square-open"),
)
NOISY_STYLE, NOISY_MOVED_STYLE = (
    LineStyle(RED, "solid", "triangle-up"),
    LineStyle(RED, "dash", "triangle-down"),
)
Rows = list[dict[str, Any]]
#: By line and place.
Runs = dict[tuple[str, float], Group]
#: Test errors by line and place.
Lines = Mapping[str, Mapping[float, Interval]]
QUIET, NOISY = text.LINES["quiet"], text.LINES["noisy"]


def per_record_note(view: CollapseView) -> list[str]:
    """Return that the guarantee of generated records is per record, where the page's is per
    person.
    """
    return [] if view.unit == "picture" else [text.PER_RECORD]


def chosen(kinds: Sequence[Features]) -> Features:
    """Draw the choice of one kind of features."""
    titles = {str(i): kind.source.title for i, kind in enumerate(kinds)}
    return kinds[int(choice(st.selectbox, text.FEATURES_OF, titles, "0", "of"))]


def errors(
    results: Mapping[tuple[str, float], Sequence[Result]], metric: str
) -> dict[str, dict[float, Interval]]:
    """Return test errors from results by line and place."""
    lines: dict[str, dict[float, Interval]] = {}
    for (name, place), runs in results.items():
        lines.setdefault(name, {})[place] = accuracy(runs, metric).wrong
    return lines


def draw(
    name: str, title: str, lines: Lines, styles: Mapping[str, LineStyle], **chart: Any
) -> Rows:
    """Draw the computed lines, in the order of ``styles``; return the table."""
    shown = ErrorLines.from_points(title, lines, styles, **chart)
    if shown.lines:
        charts.plot(shown, f"{KEY}-{name}")
    return shown.table()


def _line_styles(change: str) -> dict[str, LineStyle]:
    """Return styles of the lines without and with a change."""
    changed = text.LINES_CHANGED[change]
    return {
        QUIET: QUIET_STYLE,
        changed["quiet"]: QUIET_MOVED_STYLE,
        NOISY: NOISY_STYLE,
        changed["noisy"]: NOISY_MOVED_STYLE,
    }


def _slider(label: str, minimum: float, value: float, key: str, words: str) -> float:
    return bounded.slider(
        label, minimum, 0.5, value, 0.01, key=key, help=words, bind="query-params"
    )


def _pair(
    view: CollapseView,
    source: Source,
    place: float,
    names: Mapping[str, str] = text.LINES,
    **changes: Any,
) -> Runs:
    """Return the runs of both lines at a place; names: of the lines without and with noise."""
    quiet, noisy = view.pair(source, **changes)
    return {(names["quiet"], place): quiet, (names["noisy"], place): noisy}


def _collected(name: str, wanted: Runs, metric: str) -> dict[str, dict[float, Interval]]:
    return errors(long_work.results(f"{KEY}-{name}", wanted), metric)


def _setting_text(view: CollapseView, metric: str, *notes: str) -> str:
    budget = budget_text(view.budget)
    setting = render(text.SETTING, group=text.GROUPS[metric], budget=budget)
    return " ".join([setting, detail_level.bands(view.seeds), *notes])


def course(lines: Lines, name: str, template: str, change: str = "") -> str:
    """Return a line from its first place to its last, and whether the two differ significantly.

    Args:
        name: of the line; template: a key of ``COURSES``; change: of the features.
    """
    line = lines[name]
    return render(
        text.COURSES[template][moves(lines)[name] != 0],
        first=line[min(line)],
        last=line[max(line)],
        change=change,
    )


# ---------------------------------------------------------------------------------------- dimension


def dimension(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Draw the error against dimension with and without a test perturbation (Figure 3)."""
    features = chosen(kinds)
    kind = segments(text.MOVE, MOVES, "stochastic", "move", help=perturbation.TEST.help)
    size = _slider(text.SIZE, 0.01, 0.1, "by", perturbation.SIZE.help)
    lines = _collected("dim", _dimension_runs(features, view, {"test": kind, "size": size}), metric)
    styles, dataset = _line_styles("perturbed"), features.source.dataset
    made = synthetic.is_synthetic(dataset)
    if len(lines) == len(styles):
        collapsed = made and synthetic.parse(dataset)["beta"] == 0
        st.markdown(_dimension_answer(lines, kind, collapsed))
    chance = 1 - 1 / len(features.measures.cosines)
    rows = draw("dim", text.AXIS_DIMENSION, lines, styles, chance=chance)
    notes = [text.HOW_MADE if made else text.HOW_COPIED]
    if kind == "adversarial":
        notes.append(text.ADVERSARIAL)
    notes.append(render(text.DIMENSION_NOTE, size=size))
    st.caption(_setting_text(view, metric, *notes))
    return rows


def _dimension_runs(features: Features, view: CollapseView, test: dict[str, Any]) -> Runs:
    dataset, have = features.source.dataset, collapse_runs.raw_dimension(features.quiet[0].spec)
    runs: Runs = {}
    for p in collapse_runs.dimensions(dataset, have, len(features.measures.y)):
        for names, move in ((text.LINES, {}), (text.LINES_CHANGED["perturbed"], test)):
            changes = collapse_runs.at_dimension(dataset, view.features, have, p, move)
            runs |= _pair(view, features.source, p, names, **changes)
    return runs


def _dimension_answer(lines: Lines, kind: str, collapsed: bool) -> str:
    changed, change = text.LINES_CHANGED["perturbed"], text.CHANGES[kind]
    grown = {name: sign > 0 for name, sign in moves(lines).items()}
    sentences = [
        course(lines, NOISY, "private"),
        course(lines, changed["noisy"], "private-changed", change),
        course(lines, QUIET, "quiet"),
        course(lines, changed["quiet"], "quiet-changed", change),
    ]
    if collapsed:
        sentences.append(text.COLLAPSED_FAILS if grown[NOISY] else text.COLLAPSED_HOLDS)
    against = kind == "adversarial"
    sentences.append(text.AGAINST_ADVERSARY if against else text.ONCE_PERTURBED)
    sentences.append(
        claim_verdict(grown[changed["noisy"]], grown[changed["quiet"]] and not against)
    )
    return " ".join(sentences)


def claim_verdict(private_grows: bool, quiet_grows: bool) -> str:
    """Return whether only the private error grows."""
    if not private_grows:
        return text.CLAIM_UNSEEN
    return text.CLAIM_BOTH if quiet_grows else text.CLAIM_HOLDS


# ---------------------------------------------------------------------------------------------- pca


def pca(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Draw the error against the number of public directions kept (Figure 4)."""
    features = chosen(kinds)
    shift = _slider(text.PCA_SHIFT, 0.0, 0.1, "noise", preparation.SHIFT.help)
    spec = features.quiet[0].spec
    data = experiment.prepared(spec)
    have, corner = collapse_runs.raw_dimension(spec), data.classes - 1
    if not data.has_public:
        st.info(text.NO_PUBLIC)
        return []
    wanted: Runs = {}
    for k in collapse_runs.ranks(data.classes, have):
        kept = {"shift": shift, "pca": 0 if k == have else k}
        prepared = collapse_runs.preparation_with(view.features, **kept)
        wanted |= _pair(view, features.source, k, features=prepared)
    lines = _collected("pca", wanted, metric)
    points = lines.get(NOISY, {})
    if corner in points and have in points:
        st.markdown(_pca_answer(points, corner, have))
    rows = draw(
        "pca",
        text.PCA_AXIS,
        lines,
        {QUIET: QUIET_STYLE, NOISY: NOISY_STYLE},
        chance=1 - 1 / data.classes,
        mark=(corner, text.PCA_MARK),
        words=((have, text.PCA_ALL),),
    )
    st.caption(_setting_text(view, metric, render(text.PCA_NOTE, shift=shift)))
    return rows


def _pca_answer(points: Mapping[float, Interval], corner: int, have: int) -> str:
    full, cut = points[have], points[corner]
    best = min(points, key=lambda k: points[k].mean)
    sign = 0 if within_noise(full, cut) else 1 if cut.mean < full.mean else -1
    fields = {"corner": corner, "have": have, "few": cut, "all": full}
    least = text.PCA_BEST_ALL if best == have else text.PCA_BEST
    return " ".join(
        [
            render(text.PCA, **fields),
            text.PCA_VERDICTS[sign],
            render(least, k=best, error=points[best]),
        ]
    )


# ---------------------------------------------------------------------------------------- imbalance


def skew(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Draw the error against imbalance with and without an offset, and with public centering, on
    synthetic features.
    """
    sources = [kind.source for kind in kinds if synthetic.is_synthetic(kind.source.dataset)]
    source = sources[0] if sources else Source(text.SYNTHETIC_TITLE, synthetic.KEY, None, None)
    offset = _slider(text.OFFSET, 0.0, 0.1, "off", text.OFFSET_HELP)
    lines = _collected("skew", _skew_runs(source, view, offset), metric)
    styles = _line_styles("offset") | {text.CENTERED_LINE: LineStyle(RIGHT, "dot", "diamond")}
    if len(lines) == len(styles):
        st.markdown(_skew_answer(lines))
    chance = 1 - 1 / synthetic.parse(source.dataset)["classes"]
    rows = draw("skew", text.SKEW_AXIS, lines, styles, log_x=False, chance=chance)
    note = render(text.SKEW_NOTE, title=source.title)
    st.caption(_setting_text(view, metric, note, *per_record_note(view)))
    return rows


def _skew_runs(source: Source, view: CollapseView, offset: float) -> Runs:
    frame = synthetic.parse(source.dataset)
    centered = collapse_runs.preparation_with(view.features, centre="yes")
    runs: Runs = {}
    for alpha in collapse_runs.ALPHAS:
        settings: list[dict[str, Any]] = [
            {"dataset": synthetic.name(**frame | {"alpha": alpha, "offset": by}), "ir": 1.0}
            for by in (0.0, offset)
        ]
        plain, moved = settings
        runs |= _pair(view, source, alpha, **plain)
        runs |= _pair(view, source, alpha, text.LINES_CHANGED["offset"], **moved)
        runs[text.CENTERED_LINE, alpha] = view.pair(source, **moved, features=centered)[1]
    return runs


def _skew_answer(lines: Lines) -> str:
    moved, offset = moves(lines), text.LINES_CHANGED["offset"]["noisy"]
    return " ".join(
        [
            course(lines, NOISY, "private"),
            course(lines, offset, "private-changed", text.CHANGES["offset"]),
            course(lines, text.CENTERED_LINE, "private-changed", text.CHANGES["centered"]),
            text.SKEW_CLAIM,
            text.SKEW_VERDICTS[moved[NOISY] == 0, moved[offset] == 0],
        ]
    )
