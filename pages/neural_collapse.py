"""Neural collapse: why good features make privacy cheap, and what breaks that."""

import streamlit as st

from dpviz.plots import shift_rows
from dpviz.ui import about, charts, collapse, collapse_parts, export, record, swift, text, work

KEY = "neural-collapse"
text.style()
view, beside = collapse.sidebar()

answer = record.question("Why do good features make privacy cheap?")
status = st.empty()
refusals = st.container()
metric = collapse.metric()
main = charts.Slot(record.picture(), KEY)
wanted = collapse.groups(view, beside)
queue = [group for pair in wanted.values() for group in pair]


def draw(job):
    """The chart as far as it goes."""
    found = collapse.shown(job, wanted)
    if found:
        chart = collapse.rows(found, metric)
        main.draw(shift_rows.figure(chart), shift_rows.alt(chart))


job = work.collect(KEY, queue, status, draw)
with refusals:
    text.refusals(job.errors.values())
found = collapse.shown(job, wanted)
with answer:
    record.answer(st, collapse.answer(found, view, metric))
if not found:
    st.stop()
draw(job)
swift.breathe()

collapse_parts.caption(view)
collapse.cards_row(found, view, metric)

st.header("A closer look")
rows = collapse_parts.show(collapse_parts.choose(), found, view, metric)
if fold := export.fold():
    with fold:
        export.table(
            shift_rows.table(collapse.rows(found, metric)),
            f"{KEY}-features",
            "Features side by side",
        )
        export.table(rows, f"{KEY}-look", "The closer look")
        collapse_parts.commands(found)
about.fold(view)
