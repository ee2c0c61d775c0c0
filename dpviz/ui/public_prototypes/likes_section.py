"""The closer look of the page "Public prototypes" at classes that have no like in the public
set.
"""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from dpviz.diagnostics import public_set_similarity
from dpviz.diagnostics.public_set_similarity import Similarities
from dpviz.formatting import literal
from dpviz.plots.kit.drawing import class_order
from dpviz.plots.prototypes import ClassSimilarity, similarity_html
from dpviz.run import experiment
from dpviz.types import Dataset, RunSpec
from dpviz.ui.live import page_caches
from dpviz.ui.public_prototypes.answer import Choices, listed
from dpviz.ui.public_prototypes.pictures import name_of
from dpviz.ui.public_prototypes.setting_sections import Rows
from dpviz.ui.widgets import cards


def show(shown: Choices) -> Rows:
    """The choice without noise for each class, whether it bears its name, and how like it is."""
    data = shown.data
    best = shown.draws.chosen[shown.draws.budgets.index(math.inf), 0]
    likes = _similarities(shown.any_budget, tuple(best.tolist()))
    lacking = public_set_similarity.without_like(data)
    cards.private_view()
    st.markdown(_answer(data, lacking, likes))
    pictures = data.thumbnails("public", best) if data.thumbnails else [None] * len(best)
    rows = [
        ClassSimilarity(
            data.class_names[c],
            c in shown.exact.minority_classes,
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


@page_caches.of_content(20)
def _similarities(spec: RunSpec, best: tuple[int, ...]) -> Similarities:
    return public_set_similarity.similarities(experiment.prepared(spec), np.array(best))


def _answer(data: Dataset, lacking: tuple[int, ...] | None, likes: Similarities) -> str:
    c = likes.farthest
    name, two = literal(data.class_names[c]), likes.among[c]
    beside = (
        "" if math.isnan(two) else f", two of its own records are to each other by **{two:.2f}**"
    )
    return (
        f"{_by_name(data, lacking)} Farthest from what it stands for is the picture for"
        f" **{name}**: it is like its records by **{likes.nearest[c]:.2f}**{beside}."
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
