"""Tuning: the best setting of a method, and what finding it costs."""

import dataclasses

import streamlit as st

from dpviz.plots import study
from dpviz.plots.style import METRIC_WORDS
from dpviz.ui import about, cards, charts, controls, export, record, text, tuning, work

KEY = "tuning"
text.style()
view, wish = tuning.sidebar()

answer = record.question("What does choosing the settings cost?")
status = st.empty()
metric = controls.metric()
wish = dataclasses.replace(wish, metric=metric)
job = work.collect(KEY, [(wish,)], status, lambda job: None, on=tuning.board())
text.refusals(job.errors.values())
if not job.complete:
    st.stop()
found = job.done[(wish,)][0]

record.answer(answer, tuning.answer(found))
record.now().again = tuning.command(wish)
if found.best is not None:
    with record.picture():
        cards.private_view()
        charts.show(
            study.history(found.study, metric, wish.method),
            study.history_alt(METRIC_WORDS[metric]),
            KEY,
        )
    st.caption(tuning.caption(found))
tuning.prices(found)
if found.best is not None:
    tuning.closer(found, KEY)
with st.expander("What each price assumes"):
    st.markdown(tuning.TEXT)
if fold := export.fold():
    with fold:
        tuning.downloads(found, KEY)
about.fold(view)
