"""The fold that asks what a promise to each person costs more than one to each picture: accuracy
over how many pictures of a person are in, and a few people's pictures side by side.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from dpviz.data import persons_known
from dpviz.methods import METHODS
from dpviz.plots import accuracy_by_records
from dpviz.plots.accuracy_by_records import Line, RecordsCurve
from dpviz.plots.kit.png import data_url, smoothed
from dpviz.run import experiment, reproduce
from dpviz.stats import Interval, accuracy, signs
from dpviz.types import Result
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, export
from dpviz.views.view import Group, View
from dpviz.words import METRIC_WORDS, at, bands, percent, plain, unbroken

KEY = "trade-off-persons"
BOUNDS = (1, 2, 5, 10, 20, 50, 0)
"""Pictures of a person that are in at most; 0: all."""
COUNTED = "pictures a person, at most"
SHOWN, PICTURES = 4, 8
"""People whose pictures are shown, and pictures of each."""
Runs = Mapping[tuple[str, int | None], list[Result]]
"""By line and bound; by method and None: promised to each picture."""
WHY = (
    "Few pictures of each person: data are lost. Many: the noise grows with their number, but not"
    " with PATE, where all of a person's pictures are at one teacher, nor where each person's"
    " summed gradient is clipped. All: how many that is was read off the private data, which the"
    " promise does not cover, where a method needs it. Choosing the best of them by a look is not"
    " paid for. Dotted: the same method, promised to each picture."
)


def fold(view: View, metric: str) -> None:
    """The fold, where the data know persons."""
    if not persons_known(view.dataset):
        return
    folded = st.expander(
        "To each picture or to each person: what does it cost?", key="whom", bind="query-params"
    )
    if not folded.open:
        return
    with folded:
        words, wanted = st.empty(), runs(view)
        if not wanted:
            st.markdown("No private method is chosen.")
            return
        shown = curve(
            long_work.results(
                KEY,
                wanted,
                lambda slot, some: (
                    some and slot.plot(accuracy_by_records, curve(some, view, metric))
                ),
            ),
            view,
            metric,
        )
        words.markdown(unbroken(answer(shown, view)))
        st.caption(
            f"Accuracy: {METRIC_WORDS[metric]}, at {at(view.budget)}. {bands(view.seeds)} {WHY} A"
            " run of each with one picture a person again:"
        )
        firsts = [group[0] for (_, bound), group in wanted.items() if bound == 1]
        export.again("\n".join(map(reproduce.run_command, firsts)))
        people(view)


def lines(view: View) -> dict[str, tuple[str, tuple[tuple[str, Any], ...]]]:
    """Method and settings of each line that promises to persons, by title."""
    found = {}
    for key in view.methods:
        method, own = METHODS[key], dict(dict(view.params).get(key, ()))
        clips = any(param.name == "person" for param in method.params)
        ways = {method.title: {"person": "group"} if clips else {}}
        if clips:
            ways[f"{method.title}, each person clipped"] = {"person": "clip"}
        if method.private:
            found |= {title: (key, tuple((own | way).items())) for title, way in ways.items()}
    return found


def runs(view: View) -> dict[tuple[str, int | None], Group]:
    """What the chart needs, at the budget looked at: each line over the bounds, and each method
    promised to each picture.
    """
    seeds = range(view.first_seed, view.first_seed + view.seeds)
    wanted: dict[tuple[str, int | None], Group] = {}
    for title, (key, params) in lines(view).items():
        for bound in BOUNDS:
            fields = {"unit": "person", "per_person": bound, "params": params}
            wanted[title, bound] = tuple(view.spec(key, seed=s, **fields) for s in seeds)
        wanted[key, None] = tuple(
            view.spec(key, seed=s, unit="picture", per_person=0) for s in seeds
        )
    return wanted


def curve(results: Runs, view: View, metric: str) -> RecordsCurve:
    """The chart's data from what is there of the runs."""
    points: dict[tuple[str, str, bool], dict[int, Interval]] = {}
    for title, (key, _) in lines(view).items():
        points[title, key, False] = {
            bound: accuracy(some, metric)
            for (line, bound), some in results.items()
            if line == title and bound is not None
        }
        if (key, None) in results:
            across = dict.fromkeys(BOUNDS, accuracy(results[key, None], metric))
            points[_of_pictures(key), key, True] = across
    classes = next((len(some[0].class_counts) for some in results.values()), 0)
    now = view.per_person if view.unit == "person" else -1
    return accuracy_by_records.info(points, metric, now, 1 / max(classes, 1), COUNTED)


def _of_pictures(key: str) -> str:
    return f"{METHODS[key].title}, to each picture"


# ----------------------------------------------------------------------------------------- sentence


def answer(shown: RecordsCurve, view: View) -> str:
    """One sentence in Markdown: what the promise to a person costs each method at the number of
    pictures that suits it best; empty until a method is there with all of them.
    """
    levels = {line.method: line.points[0] for line in shown.lines if line.quiet}
    to_persons = [
        line
        for line in shown.lines
        if not line.quiet and len(line.values) == len(BOUNDS) and line.method in levels
    ]
    if not to_persons:
        return ""
    best = {line.title: _best(line) for line in to_persons}
    pairs = {line.title: (levels[line.method], best[line.title][1]) for line in to_persons}
    clear = signs(pairs)
    told = [_told(title, *pairs[title], best[title][0], clear[title]) for title in pairs]
    return (
        f"At {at(view.budget)}, promised to each person instead of each picture, with as many"
        f" pictures a person as suit it best: {'; '.join(told)}."
    )


def _best(line: Line) -> tuple[int, Interval]:
    """The bound with the highest mean, and the accuracy there; all of them are no bound that a
    release may have.
    """
    bounded = [pair for pair in zip(line.values, line.points, strict=True) if pair[0]]
    return max(bounded, key=lambda pair: pair[1].mean)


def _told(title: str, level: Interval, person: Interval, bound: int, sign: int) -> str:
    same = "" if sign else ", within noise"
    return (
        f"{title} is right **{percent(person)}** of the time ({bound}) against"
        f" **{percent(level)}**{same}"
    )


# ----------------------------------------------------------------------------------------- pictures


def people(view: View) -> None:
    """A few people's pictures side by side."""
    ready = experiment.prepared(view.spec(view.methods[0], unit="picture", per_person=0))
    if ready.thumbnails is None or ready.persons is None or ready.rows is None:
        return
    cards.private_view()
    st.markdown(
        "One person's pictures often lie on the same floor or bedspread: a second one tells"
        " about the first:"
    )
    for number, mine in enumerate(several(ready.persons), start=1):
        pictures = ready.thumbnails("train", ready.rows[mine[:PICTURES]])
        names = [ready.class_names[c] for c in ready.y[mine[:PICTURES]]]
        row = "".join(
            f'<img src="{data_url(picture)}" alt="{plain(name)}" width="72" height="72"'
            f' style="margin:2px;border-radius:4px;{smoothed(picture)}">'
            for picture, name in zip(pictures, names, strict=True)
        )
        st.html(f"<div>Person {number}, {len(mine)} pictures<br>{row}</div>")


def several(persons: np.ndarray) -> list[np.ndarray]:
    """Rows of the people with the next more pictures than ``PICTURES``, or with the most where
    there are too few of those: enough to see, and not those who sent half of all.
    """
    whose, counts = np.unique(persons, return_counts=True)
    order = np.lexsort((counts, counts < PICTURES))
    few = order[:SHOWN] if (counts >= PICTURES).sum() >= SHOWN else np.argsort(-counts)[:SHOWN]
    return [np.flatnonzero(persons == whose[i]) for i in few]
