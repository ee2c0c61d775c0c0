"""Closer looks of the page "One person, many pictures": people's pictures side by side, PATE, the
table.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from dpviz.formatting import METRIC_WORDS, budget_text, plain
from dpviz.lazy_imports import pandas as pd
from dpviz.plots.kit.png import data_url, smoothed
from dpviz.plots.settings import RecordsCurve
from dpviz.run import reproduce
from dpviz.types import Dataset
from dpviz.ui.frame import detail_level
from dpviz.ui.many_pictures.answer import Cost, Runs
from dpviz.ui.many_pictures.controls import PersonsView
from dpviz.ui.widgets import cards, export
from dpviz.views import persons_in_words

SHOWN, PICTURES = 4, 8
"""People whose pictures are shown, and pictures of each."""
PATE = (
    "**Why PATE does not care how many pictures a person sent.** All of them go to one teacher, so"
    " whoever leaves takes one teacher's vote along, and the noise that hides one teacher hides the"
    " whole person. What it loses, it loses because these pictures then teach one teacher instead"
    " of many, so that fewer teachers know enough to agree. A linear teacher has one weight for"
    " each number of a picture's features and each class."
)


def explained(view: PersonsView, metric: str) -> str:
    """What the lines are, and what All means."""
    return (
        f"Accuracy: {METRIC_WORDS[metric]}, at {budget_text(view.budget)}."
        f" {detail_level.bands(view.seeds)}"
        " Few pictures of each person: data are lost. Many: the noise grows with their"
        " number, but not with PATE, nor where each person's summed gradient is clipped."
        " Dotted: the same method, promised to each picture. All: how many that is was read off"
        " the private data, which the promise does not cover, where a method needs it."
    )


def persons_text(data: Dataset) -> None:
    """How many people's pictures are private, and how uneven they are."""
    if data.persons is None:
        return
    cards.private_view()
    sent = np.unique(data.persons, return_counts=True)[1]
    what = f"{len(data.persons):,} pictures that are private here"
    st.markdown(
        f"{persons_in_words.sentence(sent.tolist(), what)} Who else is in the set sent test or"
        " public pictures, or is left out by the settings."
    )


def people(data: Dataset) -> None:
    """A few people's pictures side by side."""
    if data.thumbnails is None or data.persons is None or data.rows is None:
        return
    st.header("A second picture tells about the first")
    cards.private_view()
    st.markdown(
        "One person's pictures often lie on the same floor or bedspread. Leave one of them out, and"
        " the others still tell of it: a promise to each picture by itself does not speak of that."
    )
    for number, mine in enumerate(example_rows(data.persons), start=1):
        pictures = data.thumbnails("train", data.rows[mine[:PICTURES]])
        names = [data.class_names[c] for c in data.y[mine[:PICTURES]]]
        row = "".join(
            f'<img src="{data_url(picture)}" alt="Person {number}: {plain(name)}" width="72"'
            f' height="72" style="margin:2px;border-radius:4px;{smoothed(picture)}">'
            for picture, name in zip(pictures, names, strict=True)
        )
        st.html(f"<div>Person {number}, {len(mine)} pictures<br>{row}</div>")


def example_rows(persons: np.ndarray) -> list[np.ndarray]:
    """Rows of the people with the next more pictures than ``PICTURES``, or with the most where
    there are too few of those: enough to see, and not those who sent half of all.
    """
    whose, counts = np.unique(persons, return_counts=True)
    order = np.lexsort((counts, counts < PICTURES))
    few = order[:SHOWN] if (counts >= PICTURES).sum() >= SHOWN else np.argsort(-counts)[:SHOWN]
    return [np.flatnonzero(persons == whose[i]) for i in few]


def downloads(shown: RecordsCurve, commands: str, code: str, key: str) -> None:
    """The chart as a table and CSV, and what gives the numbers again: commands for those of the
    chart, Python for how well features tell senders.
    """
    rows = pd.DataFrame(shown.table()).astype({shown.counted: str})
    export.table(rows, key, "The chart")
    st.caption(
        "All runs behind the sentence again, from a shell: each line at its number of pictures, and"
        " its method promised to each picture. The sentence tells means over seeds."
    )
    export.code_block(commands)
    if code:
        st.caption("How well features tell the sender again, in Python in the project's folder:")
        export.code_block(code, "python")


def commands(results: Runs, costs: Sequence[Cost]) -> str:
    """A command for the runs of each line at its number of pictures, then one for those of each
    method that are promised to each picture.
    """
    of_lines: list[tuple[str, int | None]] = [(one.title, one.bound) for one in costs]
    names = dict.fromkeys(of_lines + [(one.method, None) for one in costs])
    return "\n".join(reproduce.run_commands([r.spec for r in results[name]]) for name in names)
