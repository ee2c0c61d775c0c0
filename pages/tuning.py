"""Tuning: the best setting of a method, and what finding it costs."""

import dataclasses

import streamlit as st

from dpviz.plots import study_plots
from dpviz.ui.frame import about_numbers, page_record
from dpviz.ui.live import long_work
from dpviz.ui.tuning import controls
from dpviz.ui.widgets import cards, charts, export, shared_controls, text
from dpviz.words import METRIC_WORDS

KEY = "tuning"
text.style()
view, wish = controls.sidebar()

answer = page_record.question("What does choosing the settings cost?")
status = st.empty()
metric = shared_controls.metric()
wish = dataclasses.replace(wish, metric=metric)
job = long_work.collect(KEY, [(wish,)], status, lambda job: None, on=controls.board())
text.refusals(job.errors.values())
if not job.complete:
    st.stop()
found = job.done[(wish,)][0]

page_record.answer(answer, controls.answer(found))
page_record.now().again = controls.command(wish)
if found.best is not None:
    with page_record.picture():
        cards.private_view()
        charts.show(
            study_plots.history(found.study, metric, wish.method),
            study_plots.history_alt(METRIC_WORDS[metric]),
            KEY,
        )
    st.caption(controls.caption(found))
controls.prices(found)
if found.best is not None:
    controls.closer(found, KEY)
with st.expander("What each price assumes"):
    st.markdown(controls.TEXT)
if fold := export.fold():
    with fold:
        controls.downloads(found, KEY)
about_numbers.fold(view)
