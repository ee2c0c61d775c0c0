"""Tuning: the best setting of a method, and what finding it costs."""

import dataclasses

import streamlit as st

from dpviz.run import experiment, fair_tuning, reproduce
from dpviz.ui.frame import about_numbers, page_parts
from dpviz.ui.live import long_work, public_runs
from dpviz.ui.tuning import answer, controls, sections
from dpviz.ui.widgets import export, shared_controls, tuned_control
from dpviz.views import tuning_page
from dpviz.views.phrases import rare_class_names

KEY = "tuning"
search = controls.sidebar()

place = page_parts.question("What does choosing the settings cost?")
status = st.empty()
tuned_control.tune_if_requested(search, search.budget, status)
metric = shared_controls.metric(search, "balanced")  # no theorem covers the minority score
search = dataclasses.replace(search, metric=metric)
study = long_work.run_one(KEY, search, answer.STUDIES, status)
if study is None:
    page_parts.end()

merit = answer.rerun_best(study, status)
data = experiment.prepared(search.spec())
public = public_runs.alone_accuracy(KEY, controls.view_of(search), metric)
public_words = public_runs.public_only_text({search.method: merit.winner} if merit else {}, public)
rare_classes = rare_class_names(data.class_names, data.counts)
words = answer.answer(study, merit), tuning_page.sentence(study, merit, rare_classes)
page_parts.answer(place, *public_runs.join_texts(words, public_words))
page_parts.current_page().reproduction = reproduce.tune_command(search)
if study.costs.holds:
    answer.prices(study)
    sections.curtain(study, KEY)
elif study.best is not None:
    trials = sections.trials(study, KEY)
    answer.prices(study)
    sections.importance_fold(trials, KEY)
else:
    answer.prices(study)
with st.expander("All methods with equal effort"):
    tuned_control.button(search, fair_tuning.METHODS, search.budget)
    tuned_control.table(search)
with st.expander("What each price assumes"):
    st.markdown(sections.ASSUMPTIONS)
if not study.costs.holds and (fold := export.fold()):
    with fold:
        sections.downloads(study, KEY)
about_numbers.fold(controls.view_of(search))
