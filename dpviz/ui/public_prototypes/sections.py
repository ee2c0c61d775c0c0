"""Tabs of the Public prototypes page; each draws its chart and returns its table."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

import numpy as np
import streamlit as st

from dpviz.diagnostics import prototype_choices, public_set_similarity
from dpviz.diagnostics.prototype_choices import window
from dpviz.diagnostics.public_set_similarity import Similarities
from dpviz.experiments import experiment
from dpviz.formatting import abridged, percent
from dpviz.methods import METHODS
from dpviz.plots.kit.drawing import class_order
from dpviz.plots.prototypes import (
    ClassChoice,
    ClassSimilarity,
    ScoreHistogram,
    SelectionOdds,
    choices_html,
    similarity_html,
)
from dpviz.stats import Interval, accuracy, over_classes
from dpviz.text import public_prototypes as text
from dpviz.text.template import render, render_text
from dpviz.types import Dataset, RunSpec
from dpviz.ui.frame import detail_level
from dpviz.ui.live import page_caches, public_runs
from dpviz.ui.public_prototypes import paper_errata_section, pictures, setting_sections
from dpviz.ui.public_prototypes.answer import KEY, METHOD, Choices
from dpviz.ui.public_prototypes.pictures import name_of
from dpviz.ui.public_prototypes.setting_sections import Rows
from dpviz.ui.widgets import cards, charts
from dpviz.ui.widgets.choices import choice
from dpviz.views import method_tiles

# ---------------------------------------------------------------------------- guarantee and cost


def cost(choices: Choices, public: Interval | None) -> Rows:
    """Draw the guarantee, the accuracies, and among how many images each class chooses."""
    with cards.row("choice"):
        cards.result_card(choices.current_results[0], METHODS[METHOD].title, METHOD)
        with cards.titled(text.ACCURACY_CARD):
            cards.private_view()
            st.html(cards.definition(_accuracies(choices, public)))
            private = {METHOD: accuracy(choices.current_results, choices.metric)}
            compared = detail_level.at_level(*public_runs.public_only_text(private, public))
            st.caption(f"{text.LOST_NOTE} {compared}".strip())
        with cards.titled(text.CHOICE_CARD):
            cards.private_view()
            st.html(cards.definition(_candidates(choices)))
            st.caption(text.RELEASED)
    return [{"term": term, "value": value} for term, value in _accuracies(choices, public)]


def _accuracies(choices: Choices, public: Interval | None) -> list[tuple[str, str]]:
    runs, small = choices.current_results, choices.exact.minority_classes
    rest = [c for c in range(choices.data.classes) if c not in small]
    here = accuracy(runs, choices.metric)
    values = {
        "private": render_text(text.ACCURACY_RUNS, accuracy=here, runs=here.runs),
        "quiet": percent(choices.without_noise),
        "exact": percent(accuracy([choices.exact], choices.metric)),
        "chance": render_text("{chance:percent}", chance=choices.chance),
    }
    if choices.rare:
        rare = over_classes(runs, small)
        values["rare"] = render_text(text.RARE_ACCURACY, accuracy=rare, classes=choices.rare)
        values["others"] = render_text("{rest:percent}", rest=over_classes(runs, rest))
    else:
        values["rare"] = text.EQUAL_SIZES
    if public:
        gap = method_tiles.difference_text(public, here)
        values["public"] = render_text(text.PUBLIC_ACCURACY, public=public, difference=gap)
    values["lost"] = abridged(_mostly_wrong(choices)) or text.NO_CLASS
    return [(label, values[row]) for row, label in text.ACCURACY_ROWS.items() if row in values]


def _mostly_wrong(choices: Choices) -> Sequence[str]:
    """Return the classes with an accuracy below 50% in at least half of the runs."""
    scores = np.array([r.scores.per_class for r in choices.current_results])
    failed = (scores < 0.5).mean(axis=0)
    names = choices.data.class_names
    return [names[c] for c in np.argsort(-failed, kind="stable") if failed[c] >= 0.5]


def _candidates(choices: Choices) -> list[tuple[str, str]]:
    odds = choices.odds
    counts = {"sure": odds.candidates.min(), "unsure": odds.candidates.max()}
    values = {"public": f"{odds.public:,}"} | {
        row: render_text(text.CANDIDATES, n=round(float(count))) for row, count in counts.items()
    }
    return [(label, values[row]) for row, label in text.CHOICE_ROWS.items()]


# ------------------------------------------------------------------------------------ similarity


def similarity(choices: Choices) -> Rows:
    """Draw the choice without noise for each class, its label, and how similar it is."""
    data = choices.data
    best = choices.draws.chosen[choices.draws.budgets.index(math.inf), 0]
    similarities = _similarities(choices.any_budget, tuple(best.tolist()))
    lacking = public_set_similarity.without_like(data)
    cards.private_view()
    st.markdown(f"{_names_text(data, lacking)} {_farthest_text(data, similarities)}")
    images = data.thumbnails("public", best) if data.thumbnails else [None] * len(best)
    rows = [
        ClassSimilarity(
            data.class_names[c],
            c in choices.exact.minority_classes,
            None if lacking is None else c not in lacking,
            images[c],
            name_of(data, int(best[c])),
            float(similarities.nearest[c]),
            float(similarities.among[c]),
        )
        for c in class_order(data.counts)
    ]
    st.html(similarity_html(rows))
    st.caption(text.SIMILARITY_CAPTION)
    return [
        {
            "class": row.name,
            "public class of the same name": row.named,
            "best public image": int(best[c]),
            "called": row.called,
            "similarity to its images": row.nearest,
            "similarity within the class": row.among,
        }
        for c, row in zip(class_order(data.counts), rows, strict=True)
    ]


@page_caches.cached_by_content(20)
def _similarities(spec: RunSpec, best: tuple[int, ...]) -> Similarities:
    return public_set_similarity.similarities(experiment.prepared(spec), np.array(best))


def _names_text(data: Dataset, lacking: tuple[int, ...] | None) -> str:
    """Return which classes have public images of their name."""
    if lacking is None:
        return text.NAMES["unlabeled"]
    case = "none" if len(lacking) == data.classes else "some" if lacking else "all"
    return render(text.NAMES[case], classes=[data.class_names[c] for c in lacking])


def _farthest_text(data: Dataset, similarities: Similarities) -> str:
    """Return the class whose public image is least similar."""
    c = similarities.farthest
    among = float(similarities.among[c])
    case = "single" if math.isnan(among) else "pairs"
    return render(
        text.FARTHEST[case],
        name=data.class_names[c],
        nearest=round(float(similarities.nearest[c]), 2),
        among=round(among, 2),
    )


# ---------------------------------------------------------------------------- pick probabilities


def scores(choices: Choices) -> Rows:
    """Draw the scores with their range, the clipped share of each class, and the probabilities."""
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
    st.markdown(text.CHOICES_TITLE)
    st.html(choices_html(rows))
    return [vars(row) for row in rows]


@page_caches.cached_by_content(20, text.SCORES_SPINNER)
def _counts(spec: RunSpec) -> np.ndarray:
    return prototype_choices.histogram(prototype_choices.scene(spec)[0])


def _histogram(choices: Choices, counts: np.ndarray) -> None:
    names = enumerate(choices.data.class_names)
    titles = {"all": text.ALL_CLASSES} | {str(c): name for c, name in names}
    class_key = choice(st.selectbox, text.SCORES_LABEL, titles, "all", "of")
    class_counts = counts.sum(axis=0) if class_key == "all" else counts[int(class_key)]
    kept = prototype_choices.clipped_shares(class_counts[None], *window(choices.spec))[0]
    info = ScoreHistogram.from_counts(class_counts, window(choices.spec), kept)
    charts.plot(info, f"{KEY}-scores")
    st.caption(render(text.HISTOGRAM, below=info.share_below, above=info.share_above))


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
    charts.plot(info, f"{KEY}-odds", caption=text.ODDS_TITLE)
    st.caption(text.ODDS_CAPTION)


def _choice(choices: Choices, c: int, shares: np.ndarray) -> ClassChoice:
    data, odds = choices.data, choices.odds
    small = c in choices.exact.minority_classes
    own = None if odds.own is None else float(odds.own[c])
    sure = float(odds.candidates[c]), float(odds.curve[c, 0]), own
    below, inside, above = map(float, shares)
    return ClassChoice(data.class_names[c], data.counts[c], small, below, inside, above, *sure)


def _scores_answer(choices: Choices, counts: np.ndarray) -> str:
    """Return the clipped share, and the most and the least certain class."""
    data, odds = choices.data, choices.odds
    low, high = window(choices.spec)
    total = prototype_choices.clipped_shares(counts.sum(axis=0)[None], low, high)[0]
    sentences = [render(text.SCORES, low=low, high=high, clipped=float(total[0] + total[2]))]
    counted = [round(float(n)) for n in odds.candidates]
    if min(counted) == max(counted):
        return " ".join([*sentences, render(text.CERTAINTY["same"], n=counted[0])])
    for case, c in (("sure", np.argmin(odds.candidates)), ("unsure", np.argmax(odds.candidates))):
        sentences.append(
            render(
                text.CERTAINTY[case],
                name=data.class_names[c],
                images=int(data.counts[c]),
                n=counted[c],
            )
        )
    return " ".join(sentences)


def budgets(choices: Choices) -> Rows:
    """Draw the images of the first seed at every budget."""
    return pictures.draw_budgets(choices)


#: What draws each tab; the tabs "cost" and "table" are drawn by the page.
SECTIONS: dict[str, Callable[[Choices], Rows]] = {
    "scores": scores,
    "budgets": budgets,
    "like": similarity,
    "window": setting_sections.windows,
    "k": setting_sections.top_k,
    "size": setting_sections.sizes,
    "set": setting_sections.sets,
    "paper": paper_errata_section.show,
}
