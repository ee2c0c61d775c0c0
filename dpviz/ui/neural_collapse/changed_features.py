"""Error against what is done to features: their dimension, public PCA, imbalance and offset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.data import perturbation, preparation, synthetic
from dpviz.diagnostics import collapse_runs
from dpviz.diagnostics.collapse_runs import moves
from dpviz.formatting import METRIC_WORDS, budget_text, percent
from dpviz.plots.kit.style import GREY, RED, RIGHT, LineStyle
from dpviz.plots.settings import ErrorLines
from dpviz.run import experiment
from dpviz.run.jobs import Group
from dpviz.stats import Interval, accuracy, within_noise
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
OFFSET_HELP = "One fixed shift of ±offset a coordinate, the same for all records."
Rows = list[dict[str, Any]]
Runs = dict[tuple[str, float], Group]
"""By line and place."""
Lines = Mapping[str, Mapping[float, Interval]]
"""Test errors by line and place."""


def per_record_note(view: CollapseView) -> str:
    """That generated records are promised each by itself, where the page's promise is to
    persons.
    """
    if view.unit == "picture":
        return ""
    return " Generated records are nobody's: with them the promise is to each record."


def chosen(kinds: Sequence[Features]) -> Features:
    """The choice of one kind of features."""
    titles = {str(i): kind.source.title for i, kind in enumerate(kinds)}
    return kinds[int(choice(st.selectbox, "Features", titles, "0", "of"))]


def errors(
    results: Mapping[tuple[str, float], Sequence[Result]], metric: str
) -> dict[str, dict[float, Interval]]:
    """Test errors from results by line and place."""
    lines: dict[str, dict[float, Interval]] = {}
    for (name, place), runs in results.items():
        lines.setdefault(name, {})[place] = accuracy(runs, metric).wrong
    return lines


def draw(
    name: str, title: str, lines: Lines, styles: Mapping[str, LineStyle], **chart: Any
) -> Rows:
    """The chart of those lines that are there, in the order of their looks; returns its table."""
    shown = ErrorLines.from_points(title, lines, styles, **chart)
    if shown.lines:
        charts.plot(shown, f"{KEY}-{name}")
    return shown.table()


def _line_styles(moved_text: str) -> dict[str, LineStyle]:
    """Of lines without and with a change that has this name."""
    return {
        "Gradient descent": QUIET_STYLE,
        f"Gradient descent, {moved_text}": QUIET_MOVED_STYLE,
        "Private": NOISY_STYLE,
        f"Private, {moved_text}": NOISY_MOVED_STYLE,
    }


def _slider(label: str, minimum: float, value: float, key: str, words: str) -> float:
    return bounded.slider(
        label, minimum, 0.5, value, 0.01, key=key, help=words, bind="query-params"
    )


def _pair(
    view: CollapseView, source: Source, place: float, words: str = "", **changes: Any
) -> Runs:
    """The runs of both lines at a place; ``words``: what follows their names."""
    quiet, noisy = view.pair(source, **changes)
    return {(f"Gradient descent{words}", place): quiet, (f"Private{words}", place): noisy}


def _collected(name: str, wanted: Runs, metric: str) -> dict[str, dict[float, Interval]]:
    return errors(long_work.results(f"{KEY}-{name}", wanted), metric)


def _setting_text(view: CollapseView, metric: str) -> str:
    return (
        f"Error: 100% minus records {METRIC_WORDS[metric]}, at"
        f" {budget_text(view.budget)}. {detail_level.bands(view.seeds)}"
    )


def _change_text(lines: Lines) -> dict[str, str]:
    """Each line from its first place to its last, in words: figures, and whether they differ beyond
    the noise.
    """
    return {
        name: f"from **{percent(lines[name][min(lines[name])])}** to"
        f" **{percent(lines[name][max(lines[name])])}**{'' if sign else ' (within noise)'}"
        for name, sign in moves(lines).items()
    }


# ---------------------------------------------------------------------------------------- dimension


def dimension(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Error against dimension with and without a test perturbation (Figure 3)."""
    features = chosen(kinds)
    kind = segments("Test perturbation", MOVES, "stochastic", "move", help=perturbation.TEST.help)
    size = _slider("Its size", 0.01, 0.1, "by", perturbation.SIZE.help)
    lines = _collected("dim", _dimension_runs(features, view, {"test": kind, "size": size}), metric)
    styles, dataset = _line_styles("perturbed"), features.source.dataset
    made = synthetic.is_synthetic(dataset)
    if len(lines) == len(styles):
        collapsed = made and synthetic.parse(dataset)["beta"] == 0
        st.markdown(_dimension_answer(lines, kind, size, collapsed))
    chance = 1 - 1 / len(features.measures.cosines)
    rows = draw("dim", "dimension p", lines, styles, chance=chance)
    how = "A new frame for each p." if made else COORDINATES_TEXT
    against = ADVERSARIAL if kind == "adversarial" else ""
    st.caption(
        f"{_setting_text(view, metric)} {how}{against} Perturbed: test records only, by at most"
        f" {size:g} in each coordinate."
    )
    return rows


COORDINATES_TEXT = (
    "Coordinates are copied, or a random subset is kept; every record has length 1 again before the"
    " test perturbation."
)
ADVERSARIAL = " Adversarial: against each rule that is scored, exactly."


def _dimension_runs(features: Features, view: CollapseView, test: dict[str, Any]) -> Runs:
    dataset, have = features.source.dataset, collapse_runs.raw_dimension(features.quiet[0].spec)
    runs: Runs = {}
    for p in collapse_runs.dimensions(dataset, have, len(features.measures.y)):
        for words, move in (("", {}), (", perturbed", test)):
            changes = collapse_runs.at_dimension(dataset, view.features, have, p, move)
            runs |= _pair(view, features.source, p, words, **changes)
    return runs


def _dimension_answer(lines: Lines, kind: str, size: float, collapsed: bool) -> str:
    places = sorted(lines["Private"])
    grown = {name: sign > 0 for name, sign in moves(lines).items()}
    texts = _change_text(lines)
    clean = ""
    if collapsed:
        verdict = "does **not** hold here" if grown["Private"] else "**holds here**"
        clean = f" That dimension does not matter at β = 0 {verdict}."
    if not grown["Private, perturbed"]:
        paper = (
            "is **not seen here**: at this budget the private error does not rise beyond the noise"
        )
    elif grown["Gradient descent, perturbed"] and kind != "adversarial":
        paper = "does **not** hold here: gradient descent suffers too"
    else:
        paper = "**holds here**"
    template = AGAINST_ADVERSARY if kind == "adversarial" else ONCE_PERTURBED
    return (
        f"From p = {places[0]:,} to {places[-1]:,} the private probe's error goes"
        f" {texts['Private']} on clean and {texts['Private, perturbed']} on {kind}"
        f" test features (±{size:g}); gradient descent's {texts['Gradient descent']} and"
        f" {texts['Gradient descent, perturbed']}.{clean} {template.format(paper=paper)}"
    )


ONCE_PERTURBED = (
    "That dimension hurts private training and not gradient descent once test features are"
    " perturbed {paper}."
)
AGAINST_ADVERSARY = (
    "That dimension hurts private training under an adversary {paper}. The paper claims nothing of"
    " gradient descent against an adversary."
)


# ---------------------------------------------------------------------------------------------- pca


def pca(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Error against the number of public directions kept (Figure 4)."""
    features = chosen(kinds)
    shift = _slider("Shift of every record", 0.0, 0.1, "noise", preparation.SHIFT.help)
    spec = features.quiet[0].spec
    data = experiment.prepared(spec)
    have, corner = collapse_runs.raw_dimension(spec), data.classes - 1
    if not data.has_public:
        st.info("Public PCA needs a public set; this data has none. Add X_public to the file.")
        return []
    wanted: Runs = {}
    for k in collapse_runs.ranks(data.classes, have):
        kept = {"shift": shift, "pca": 0 if k == have else k}
        prepared = collapse_runs.preparation_with(view.features, **kept)
        wanted |= _pair(view, features.source, k, features=prepared)
    lines = _collected("pca", wanted, metric)
    points = lines.get("Private", {})
    if corner in points and have in points:
        st.markdown(_pca_answer(points, corner, have))
    rows = draw(
        "pca",
        "public directions kept, k",
        lines,
        {"Gradient descent": QUIET_STYLE, "Private": NOISY_STYLE},
        chance=1 - 1 / data.classes,
        mark=(corner, "K − 1"),
        words=((have, "all"),),
    )
    st.caption(
        f"{_setting_text(view, metric)} Every record, public ones too, is shifted by ±{shift:g} a"
        " coordinate first. Directions come from the public set; the paper takes them from private"
        " features."
    )
    return rows


def _pca_answer(points: Mapping[float, Interval], corner: int, have: int) -> str:
    unprojected, cut = points[have], points[corner]
    best = min(points, key=lambda k: points[k].mean)
    verdict = (
        "**helps here**" if cut.mean < unprojected.mean else "**hurts** here, against the paper"
    )
    if within_noise(unprojected, cut):
        verdict = "makes no difference beyond the noise"
    least = "all" if best == have else f"k = {best:g}"
    return (
        f"Kept to K − 1 = {corner} public directions the private error is **{percent(cut)}**, with"
        f" all {have:,} coordinates **{percent(unprojected)}**: that {verdict}. Least error:"
        f" {least}, {percent(points[best])}."
    )


# ---------------------------------------------------------------------------------------- imbalance


def skew(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Error against imbalance with and without an offset, and with public centring, on synthetic
    features.
    """
    sources = [kind.source for kind in kinds if synthetic.is_synthetic(kind.source.dataset)]
    source = sources[0] if sources else Source("Synthetic", synthetic.KEY, None, None)
    offset = _slider("Offset", 0.0, 0.1, "off", OFFSET_HELP)
    lines = _collected("skew", _skew_runs(source, view, offset), metric)
    styles = _line_styles("offset") | {
        "Private, offset, centred": LineStyle(RIGHT, "dot", "diamond")
    }
    if len(lines) == len(styles):
        st.markdown(_skew_answer(lines, offset))
    title = "imbalance α: weight of the first half of the classes"
    chance = 1 - 1 / synthetic.parse(source.dataset)["classes"]
    rows = draw("skew", title, lines, styles, log_x=False, chance=chance)
    st.caption(
        f"{_setting_text(view, metric)} Synthetic: {source.title}. The offset is in training,"
        " public and"
        " test records alike; the test set is balanced. Centred: on the public set's mean, which"
        f" is balanced.{per_record_note(view)}"
    )
    return rows


def _skew_runs(source: Source, view: CollapseView, offset: float) -> Runs:
    frame = synthetic.parse(source.dataset)
    centred = collapse_runs.preparation_with(view.features, centre="yes")
    runs: Runs = {}
    for alpha in collapse_runs.ALPHAS:
        settings: list[dict[str, Any]] = [
            {"dataset": synthetic.name(**frame | {"alpha": alpha, "offset": by}), "ir": 1.0}
            for by in (0.0, offset)
        ]
        plain, moved = settings
        runs |= _pair(view, source, alpha, **plain)
        runs |= _pair(view, source, alpha, ", offset", **moved)
        runs["Private, offset, centred", alpha] = view.pair(source, **moved, features=centred)[1]
    return runs


def _skew_answer(lines: Lines, offset: float) -> str:
    least, most = min(lines["Private"]), max(lines["Private"])
    moved, texts = moves(lines), _change_text(lines)
    verdict = {
        (True, False): "**holds here**",
        (True, True): "is **not seen here**: with the offset, too, any rise is within noise",
        (False, False): "does **not** hold here: imbalance alone hurts too",
        (False, True): "does **not** hold here",
    }[moved["Private"] == 0, moved["Private, offset"] == 0]
    return (
        f"From α = {least:g} to {most:g} the private error goes"
        f" {texts['Private']} without and {texts['Private, offset']} with an offset"
        f" of {offset:g}; centred on the public mean,"
        f" {texts['Private, offset, centred']}. That imbalance is harmless by itself and"
        f" harmful with an offset {verdict}."
    )
