"""Neural collapse: why good features make privacy cheap, and what breaks that."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dpviz.run.jobs import Job
from dpviz.ui.frame import about_numbers, page_parts
from dpviz.ui.live import long_work, rerun_scheduling
from dpviz.ui.neural_collapse import answer, controls, sections
from dpviz.ui.widgets import charts, choices, export

KEY = "neural-collapse"
view = controls.sidebar()

sentence = page_parts.question("Why is privacy cheap where pictures are described well?")
status = st.empty()
refusals = st.container()
metric = controls.metric(view)
main = charts.Slot(page_parts.picture(), KEY)
cards_place, section_place = st.container(), st.container()
pairs = {source: view.pair(source) for source in view.sources}
rows: list[Any] = []


def draw(job: Job) -> None:
    """The chart as far as it goes."""
    features = answer.features(job, pairs)
    if features:
        main.plot(answer.rows(features, metric))


def draw_section(features: Sequence[Any]) -> None:
    """The chosen look, below all else."""
    with section_place:
        st.header("A closer look")
        rows.extend(choices.section_choice(sections.SECTIONS)(features, view, metric))


def begin() -> None:
    """A look that needs no features does not wait for them."""
    if choices.requested_value("look", "") in sections.WITHOUT_FEATURES:
        draw_section([])


groups = [group for pair in pairs.values() for group in pair]
job = long_work.collect(KEY, groups, status, draw, begin, near=lambda spec: 0.0)  # all at once
with refusals:
    page_parts.refusals(job.errors.values())
features = answer.features(job, pairs)
with sentence:
    facts = features, view, metric
    page_parts.answer(st, answer.answer(*facts), answer.plain(*facts))
if not features:
    page_parts.end()
draw(job)
rerun_scheduling.flush_page(brief=True)

with cards_place:
    sections.caption(view)
    answer.cards_row(features, metric)
if not rows:
    draw_section(features)
if fold := export.fold():
    with fold:
        shifts = answer.rows(features, metric).table()
        export.table(shifts, f"{KEY}-features", "Features side by side")
        export.table(rows, f"{KEY}-look", "The closer look")
        sections.commands(features)
about_numbers.fold(view)
