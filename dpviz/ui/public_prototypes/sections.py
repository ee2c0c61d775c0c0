"""Sections of the page "Public prototypes"; each draws its chart and returns its table."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import streamlit as st

from dpviz.diagnostics import prototype_choices, public_set_similarity
from dpviz.diagnostics.prototype_choices import window
from dpviz.diagnostics.public_set_similarity import Similarities
from dpviz.formatting import literal
from dpviz.plots.kit.drawing import class_order
from dpviz.plots.prototypes import (
    ClassChoice,
    ClassSimilarity,
    ScoreHistogram,
    SelectionOdds,
    choices_html,
    similarity_html,
)
from dpviz.run import experiment
from dpviz.types import Dataset, RunSpec
from dpviz.ui.live import page_caches
from dpviz.ui.public_prototypes import paper_errata_section, setting_sections
from dpviz.ui.public_prototypes.answer import KEY, Choices, listed
from dpviz.ui.public_prototypes.pictures import name_of
from dpviz.ui.public_prototypes.setting_sections import Rows
from dpviz.ui.widgets import cards, charts
from dpviz.ui.widgets.choices import choice


def likeness(choices: Choices) -> Rows:
    """The choice without noise for each class, whether it bears its name, and how like it is."""
    data = choices.data
    best = choices.draws.chosen[choices.draws.budgets.index(math.inf), 0]
    likes = _similarities(choices.any_budget, tuple(best.tolist()))
    lacking = public_set_similarity.without_like(data)
    cards.private_view()
    st.markdown(_answer(data, lacking, likes))
    pictures = data.thumbnails("public", best) if data.thumbnails else [None] * len(best)
    rows = [
        ClassSimilarity(
            data.class_names[c],
            c in choices.exact.minority_classes,
            None if lacking is None else c not in lacking,
            pictures[c],
            name_of(data, int(best[c])),
            float(likes.nearest[c]),
            float(likes.among[c]),
        )
        for c in class_order(data.counts)
    ]
    st.html(similarity_html(rows))
    st.caption(
        "The public picture that the mechanism would pick without noise. Likeness is the mean"
        " cosine between features, 1 for the very same. Where a class has no like, no budget buys"
        " one: the mechanism can only pick what is public."
    )
    return [
        {
            "class": row.name,
            "public class of its name": row.named,
            "best public picture": int(best[c]),
            "called": row.called,
            "like its records": row.nearest,
            "two records like each other": row.among,
        }
        for c, row in zip(class_order(data.counts), rows, strict=True)
    ]


@page_caches.cached_by_content(20)
def _similarities(spec: RunSpec, best: tuple[int, ...]) -> Similarities:
    return public_set_similarity.similarities(experiment.prepared(spec), np.array(best))


def _answer(data: Dataset, lacking: tuple[int, ...] | None, likes: Similarities) -> str:
    c = likes.farthest
    name, two = literal(data.class_names[c]), likes.among[c]
    comparison = (
        "" if math.isnan(two) else f", two of its own records are to each other by **{two:.2f}**"
    )
    return (
        f"{_by_name(data, lacking)} Farthest from what it stands for is the picture for"
        f" **{name}**: it is like its records by **{likes.nearest[c]:.2f}**{comparison}."
    )


def _by_name(data: Dataset, lacking: tuple[int, ...] | None) -> str:
    if lacking is None:
        return "The public pictures bear no names, so only likeness tells which class they suit."
    if not lacking:
        return "Every private class has public pictures of its name."
    if len(lacking) == data.classes:
        return "**No private class has a public class of the same name.**"
    verb = "has" if len(lacking) == 1 else "have"
    return f"**{listed(data, lacking)}** {verb} no public class of the same name."


def scores(choices: Choices) -> Rows:
    """Scores with the window, the share cut off each class, and the odds that follow."""
    counts = _counts(dataclasses.replace(choices.any_budget, params=()))
    shares = prototype_choices.clipped_shares(counts, *window(choices.spec))
    cards.private_view()
    st.markdown(_scores_answer(choices, counts))
    left, right = st.columns(2)
    with left:
        _histogram(choices, counts)
    with right:
        _odds(choices)
    rows = [_choice(choices, c, shares[c]) for c in class_order(choices.data.counts)]
    st.markdown(
        "What the window leaves of each class's scores, and how sure its choice is; largest class"
        " first, the minority underlined"
    )
    st.html(choices_html(rows))
    return [vars(row) for row in rows]


@page_caches.cached_by_content(20, "Counting scores …")
def _counts(spec: RunSpec) -> np.ndarray:
    return prototype_choices.histogram(prototype_choices.scene(spec)[0])


def _histogram(choices: Choices, counts: np.ndarray) -> None:
    names = enumerate(choices.data.class_names)
    titles = {"all": "all classes"} | {str(c): name for c, name in names}
    class_key = choice(st.selectbox, "Scores of the records of", titles, "all", "of")
    class_counts = counts.sum(axis=0) if class_key == "all" else counts[int(class_key)]
    kept = prototype_choices.clipped_shares(class_counts[None], *window(choices.spec))[0]
    info = ScoreHistogram.from_counts(class_counts, window(choices.spec), kept)
    charts.plot(info, f"{KEY}-scores")
    st.caption(
        f"Every record of the class against every public picture: {100 * info.share_below:.1f}%"
        " of the"
        f" pairs score below d_min and count as nothing, {100 * info.share_above:.2f}% above"
        " d_max and count as d_max. Only what lies between tells pictures apart."
    )


def _odds(choices: Choices) -> None:
    odds, data = choices.odds, choices.data
    info = SelectionOdds.from_curves(
        odds.ranks,
        odds.curve,
        odds.candidates,
        odds.public,
        data.class_names,
        choices.exact.minority_classes,
        class_order(data.counts),
    )
    words = "How likely the best, second best, … picture of a class is picked"
    charts.plot(info, f"{KEY}-odds", caption=words)
    st.caption(
        "A steep line is a choice, a flat one a lottery among all public pictures. A class with few"
        " records has little to outvote the noise with."
    )


def _choice(choices: Choices, c: int, shares: np.ndarray) -> ClassChoice:
    data, odds = choices.data, choices.odds
    small = c in choices.exact.minority_classes
    own = None if odds.own is None else float(odds.own[c])
    sure = float(odds.candidates[c]), float(odds.curve[c, 0]), own
    below, inside, above = map(float, shares)
    return ClassChoice(data.class_names[c], data.counts[c], small, below, inside, above, *sure)


def _scores_answer(choices: Choices, counts: np.ndarray) -> str:
    data, odds = choices.data, choices.odds
    sure, unsure = int(np.argmin(odds.candidates)), int(np.argmax(odds.candidates))
    low, high = window(choices.spec)
    total = prototype_choices.clipped_shares(counts.sum(axis=0)[None], low, high)[0]

    def told(c: int) -> str:
        return (
            f"class {literal(data.class_names[c])} ({data.counts[c]:,} records) in effect"
            f" chooses among **{odds.candidates[c]:,.0f}**"
        )

    return (
        f"The window {low:g} to {high:g} cuts off **{100 * (total[0] + total[2]):.0f}%** of all"
        f" scores; of {odds.public:,} public pictures {told(sure)}, {told(unsure)}."
    )


SECTIONS = {
    "scores": ("Scores and odds", scores),
    "like": ("Classes without a like", likeness),
    "window": ("Score window", setting_sections.windows),
    "k": ("K pictures a class", setting_sections.top_k),
    "size": ("Size of the public set", setting_sections.sizes),
    "set": ("Which public set", setting_sections.sets),
    "paper": ("Slips in the printed selection", paper_errata_section.show),
}
