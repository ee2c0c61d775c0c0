"""The closer looks of the page "Public prototypes", and the one at scores and odds; each draws its
chart, says what it shows, and returns its table.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import streamlit as st

from dpviz.diagnostics import prototype_choices
from dpviz.diagnostics.prototype_choices import window
from dpviz.formatting import literal
from dpviz.plots.kit.drawing import class_order
from dpviz.plots.prototypes import ClassChoice, ScoreHistogram, SelectionOdds, choices_html
from dpviz.types import RunSpec
from dpviz.ui.live import page_caches
from dpviz.ui.public_prototypes import likes_section, paper_errata_section, setting_sections
from dpviz.ui.public_prototypes.answer import Choices
from dpviz.ui.public_prototypes.controls import KEY
from dpviz.ui.public_prototypes.setting_sections import Rows
from dpviz.ui.widgets import cards, charts
from dpviz.ui.widgets.choices import choice


def scores(shown: Choices) -> Rows:
    """Scores with the window, the share cut off each class, and the odds that follow."""
    counts = _counts(dataclasses.replace(shown.any_budget, params=()))
    shares = prototype_choices.clipped_shares(counts, *window(shown.spec))
    cards.private_view()
    st.markdown(_scores_answer(shown, counts))
    left, right = st.columns(2)
    with left:
        _histogram(shown, counts)
    with right:
        _odds(shown)
    rows = [_choice(shown, c, shares[c]) for c in class_order(shown.data.counts)]
    st.markdown(
        "What the window leaves of each class's scores, and how sure its choice is; largest class"
        " first, the minority underlined"
    )
    st.html(choices_html(rows))
    return [vars(row) for row in rows]


@page_caches.of_content(20, "Counting scores …")
def _counts(spec: RunSpec) -> np.ndarray:
    return prototype_choices.histogram(prototype_choices.scene(spec)[0])


def _histogram(shown: Choices, counts: np.ndarray) -> None:
    names = enumerate(shown.data.class_names)
    titles = {"all": "all classes"} | {str(c): name for c, name in names}
    of = choice(st.selectbox, "Scores of the records of", titles, "all", "of")
    mine = counts.sum(axis=0) if of == "all" else counts[int(of)]
    kept = prototype_choices.clipped_shares(mine[None], *window(shown.spec))[0]
    info = ScoreHistogram.from_counts(mine, window(shown.spec), kept)
    charts.plot(info, f"{KEY}-scores")
    st.caption(
        f"Every record of the class against every public picture: {100 * info.below:.1f} % of the"
        f" pairs score below d_min and count as nothing, {100 * info.above:.2f} % above d_max and"
        " count as d_max. Only what lies between tells pictures apart."
    )


def _odds(shown: Choices) -> None:
    odds, data = shown.odds, shown.data
    info = SelectionOdds.from_curves(
        odds.ranks,
        odds.curve,
        odds.candidates,
        odds.public,
        data.class_names,
        shown.exact.minority_classes,
        class_order(data.counts),
    )
    words = "How likely the best, second best, … picture of a class is picked"
    charts.plot(info, f"{KEY}-odds", caption=words)
    st.caption(
        "A steep line is a choice, a flat one a lottery among all public pictures. A class with few"
        " records has little to outvote the noise with."
    )


def _choice(shown: Choices, c: int, shares: np.ndarray) -> ClassChoice:
    data, odds = shown.data, shown.odds
    small = c in shown.exact.minority_classes
    own = None if odds.own is None else float(odds.own[c])
    sure = float(odds.candidates[c]), float(odds.curve[c, 0]), own
    below, inside, above = map(float, shares)
    return ClassChoice(data.class_names[c], data.counts[c], small, below, inside, above, *sure)


def _scores_answer(shown: Choices, counts: np.ndarray) -> str:
    data, odds = shown.data, shown.odds
    sure, unsure = int(np.argmin(odds.candidates)), int(np.argmax(odds.candidates))
    low, high = window(shown.spec)
    total = prototype_choices.clipped_shares(counts.sum(axis=0)[None], low, high)[0]

    def told(c: int) -> str:
        return (
            f"class {literal(data.class_names[c])} ({data.counts[c]:,} records) in effect"
            f" chooses among **{odds.candidates[c]:,.0f}**"
        )

    return (
        f"The window {low:g} to {high:g} cuts off **{100 * (total[0] + total[2]):.0f} %** of all"
        f" scores; of {odds.public:,} public pictures {told(sure)}, {told(unsure)}."
    )


SECTIONS = {
    "scores": ("Scores and odds", scores),
    "like": ("Classes without a like", likes_section.show),
    "window": ("Score window", setting_sections.windows),
    "k": ("K pictures a class", setting_sections.top_k),
    "size": ("Size of the public set", setting_sections.sizes),
    "set": ("Which public set", setting_sections.sets),
    "paper": ("Slips in the printed selection", paper_errata_section.show),
}
