"""Neural collapse: why good features make privacy cheap, and what breaks that."""

import streamlit as st

from dpviz.plots import feature_shifts
from dpviz.ui.frame import about_numbers, page_record
from dpviz.ui.live import long_work, page_turns
from dpviz.ui.neural_collapse import controls, looks
from dpviz.ui.widgets import charts, export, text

KEY = "neural-collapse"
text.style()
view, beside = controls.sidebar()

answer = page_record.question("Why do good features make privacy cheap?")
status = st.empty()
refusals = st.container()
metric = controls.metric()
main = charts.Slot(page_record.picture(), KEY)
wanted = controls.groups(view, beside)
queue = [group for pair in wanted.values() for group in pair]


def draw(job):
    """The chart as far as it goes."""
    found = controls.shown(job, wanted)
    if found:
        chart = controls.rows(found, metric)
        main.draw(feature_shifts.figure(chart), feature_shifts.alt(chart))


job = long_work.collect(KEY, queue, status, draw)
with refusals:
    text.refusals(job.errors.values())
found = controls.shown(job, wanted)
with answer:
    page_record.answer(st, controls.answer(found, view, metric))
if not found:
    st.stop()
draw(job)
page_turns.breathe()

looks.caption(view)
controls.cards_row(found, view, metric)

st.header("A closer look")
rows = looks.show(looks.choose(), found, view, metric)
if fold := export.fold():
    with fold:
        export.table(
            feature_shifts.table(controls.rows(found, metric)),
            f"{KEY}-features",
            "Features side by side",
        )
        export.table(rows, f"{KEY}-look", "The closer look")
        looks.commands(found)
about_numbers.fold(view)
