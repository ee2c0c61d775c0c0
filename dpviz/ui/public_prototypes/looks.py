"""The closer looks of the page "Public prototypes"; each draws its chart, says what it shows, and
returns its table.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import streamlit as st

from dpviz.diagnostics import prototype_choices
from dpviz.methods.parts import prototypes
from dpviz.plots import accuracy_by_window, class_choices, score_histogram, selection_odds
from dpviz.plots.kit.classes import order
from dpviz.types import RunSpec
from dpviz.ui.live import page_caches
from dpviz.ui.public_prototypes import controls as page
from dpviz.ui.public_prototypes import knobs, paper_slips
from dpviz.ui.public_prototypes.knobs import KEY, Rows
from dpviz.ui.widgets import cards, charts, text
from dpviz.ui.widgets.choices import choice
from dpviz.views.view import View
from dpviz.words import METRIC_WORDS, at

LOOKS = {
    "scores": "Scores and odds",
    "window": "Score window",
    "k": "K pictures a class",
    "size": "Size of the public set",
    "set": "Which public set",
    "paper": "Where the paper errs",
}
LOWS = tuple(round(0.5 + 0.1 * k, 1) for k in range(14))
HIGHS = tuple(round(0.6 + 0.1 * k, 1) for k in range(15))
MAP_SEEDS = 5


def choose() -> str:
    """Which closer look: a key of ``LOOKS``."""
    return choice(
        st.segmented_control,
        "A closer look",
        LOOKS,
        "scores",
        "see",
        required=True,
        label_visibility="collapsed",
    )


def show(look: str, found: page.Scene, view: View) -> Rows:
    """The chosen look; returns its table."""
    looks = {
        "scores": scores,
        "window": windows,
        "k": knobs.several,
        "size": knobs.sizes,
        "set": knobs.sets,
        "paper": paper_slips.show,
    }
    return looks[look](found, view)


# ---------------------------------------------------------------------------------- scores and odds


@page_caches.remembered(20, "Counting scores …")
def _counts(spec: RunSpec, content: str) -> np.ndarray:
    return prototype_choices.histogram(prototype_choices.scene(spec)[0])


def scores(found: page.Scene, view: View) -> Rows:
    """The histogram of scores with the window, the share cut off a class, and the odds that follow."""
    data, names = found.data, found.data.class_names
    plain = dataclasses.replace(
        found.spec, params=(), budget=dataclasses.replace(found.spec.budget, value=1.0), seed=0
    )
    counts = _counts(plain, page.mark(found.spec))
    shares = prototype_choices.clipped_shares(counts, *page.window(found.spec))
    cards.private_view()
    st.markdown(_scores_answer(found, counts, shares))
    left, right = st.columns(2)
    with left:
        titles = {"all": "all classes"} | {str(c): name for c, name in enumerate(names)}
        of = choice(st.selectbox, "Scores of the records of", titles, "all", "of")
        mine = counts.sum(axis=0) if of == "all" else counts[int(of)]
        kept = prototype_choices.clipped_shares(mine[None], *page.window(found.spec))[0]
        chart = score_histogram.info(mine, page.window(found.spec), kept)
        charts.show(score_histogram.figure(chart), score_histogram.alt(chart), f"{KEY}-scores")
        st.caption(
            f"Every record of the class against every public picture: {100 * chart.below:.1f} % of"
            f" the pairs score below d_min and count as nothing, {100 * chart.above:.2f} % above"
            " d_max and count as d_max. Only what lies between tells pictures apart."
        )
    with right:
        odds = found.odds
        ranked = order(data.counts)
        chart = selection_odds.info(
            odds.ranks,
            odds.curve,
            odds.candidates,
            odds.public,
            names,
            found.exact.minority_classes,
            ranked,
        )
        charts.show(
            selection_odds.figure(chart),
            selection_odds.alt(chart),
            f"{KEY}-odds",
            "How likely the best, second best, … picture of a class is picked",
        )
        st.caption(
            "A steep line is a choice, a flat one a lottery among all public pictures. A class with"
            " few records has little to outvote the noise with."
        )
    rows = [_choice(found, c, shares[c]) for c in ranked]
    st.markdown(
        "What the window leaves of each class's scores, and how sure its choice is; largest class"
        " first, the minority underlined"
    )
    st.html(class_choices.html(rows))
    return [vars(row) for row in rows]


def _choice(found: page.Scene, c: int, shares: np.ndarray) -> class_choices.ClassChoice:
    odds = found.odds
    own = None if odds.own is None else float(odds.own[c])
    sure = float(odds.candidates[c]), float(odds.curve[c, 0]), own
    return class_choices.ClassChoice(
        found.data.class_names[c],
        found.data.counts[c],
        c in found.exact.minority_classes,
        *map(float, shares),
        *sure,
    )


def _scores_answer(found: page.Scene, counts: np.ndarray, shares: np.ndarray) -> str:
    names, odds = found.data.class_names, found.odds
    sure, unsure = int(np.argmin(odds.candidates)), int(np.argmax(odds.candidates))
    low, high = page.window(found.spec)
    total = prototype_choices.clipped_shares(counts.sum(axis=0)[None], low, high)[0]

    def told(c: int) -> str:
        return (
            f"class {text.literal(names[c])} ({found.data.counts[c]:,} records) in effect chooses"
            f" among **{odds.candidates[c]:,.0f}**"
        )

    return (
        f"The window {low:g} to {high:g} cuts off **{100 * (total[0] + total[2]):.0f} %** of all"
        f" scores; of {odds.public:,} public pictures {told(sure)}, {told(unsure)}."
    )


# --------------------------------------------------------------------------------- the score window


def windows(found: page.Scene, view: View) -> Rows:
    """The heat map of accuracy over (d_min, d_max)."""
    with st.spinner("Summing up the scores for every window …"):
        prototypes.keep_grid(found.data)
    seeds = found.draws.seeds[:MAP_SEEDS]
    default = page.window(dataclasses.replace(found.spec, params=()))
    cards.private_view()
    answer, place = st.empty(), st.empty()

    def chart(accuracy: np.ndarray) -> accuracy_by_window.WindowMap:
        return accuracy_by_window.info(
            LOWS, HIGHS, accuracy, found.metric, page.window(found.spec), default
        )

    def draw(accuracy: np.ndarray, stage: str) -> None:
        shown = chart(accuracy)
        charts.show(
            accuracy_by_window.figure(shown), accuracy_by_window.alt(shown), f"{KEY}-window{stage}"
        )

    spec = dataclasses.replace(found.spec, params=())
    steps = prototype_choices.window_map(spec, LOWS, HIGHS, seeds, found.metric)
    accuracy = knobs.grow(
        knobs.key_of("window", dataclasses.replace(found, spec=spec), seeds),
        steps,
        len(LOWS),
        place,
        draw,
    )
    shown = chart(accuracy)
    answer.markdown(_window_answer(shown, found))
    st.caption(
        f"Accuracy in %, {METRIC_WORDS[found.metric]}, mean over {len(seeds)} noise seeds at"
        f" {at(view.budget)}, IR {view.ir:g}. The best of many means is"
        " partly luck, and choosing the best cell by looking at this map is not paid for: the map"
        " is made of test accuracies of private releases. An honest choice uses the default,"
        " public data or a share of the budget."
    )
    return [
        {"d_min": a, "d_max": b, "accuracy": accuracy[i, j]}
        for i, a in enumerate(LOWS)
        for j, b in enumerate(HIGHS)
        if a < b
    ]


def _window_answer(shown: accuracy_by_window.WindowMap, found: page.Scene) -> str:
    best, default = shown.at(shown.best), shown.at(shown.default)
    here = float(np.mean(found.values(found.spec.budget.value)))
    return (
        f"The best of {int(np.sum(~np.isnan(shown.accuracy)))} windows is {shown.best[0]:g} to"
        f" {shown.best[1]:g} with **{100 * best:.0f} %**; the default {shown.default[0]:g} to"
        f" {shown.default[1]:g} gives **{100 * default:.0f} %**, the one now **{100 * here:.0f}"
        " %**."
    )
