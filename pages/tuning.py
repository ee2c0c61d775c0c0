"""Tuning: the best setting of a method, and the privacy cost of finding it."""

import dataclasses

import streamlit as st

from dpviz.experiments import experiment, reproduce
from dpviz.text import tuning as text
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import public_runs
from dpviz.ui.tuning import answer, controls, sections
from dpviz.ui.widgets import shared_controls, tuned_control
from dpviz.views import tuning_page
from dpviz.views.phrases import rare_class_names

KEY = "tuning"
search = controls.sidebar()

place = page_parts.OneAnswer(page_parts.question(text.TITLE))
tiles, status = st.empty(), st.empty()
page_parts.await_tiles(tiles)
tuned_control.tune_if_requested(search, search.budget, status)
with st.container(horizontal=True, vertical_alignment="bottom", key="chart-head"):
    finding = st.empty()
    # no theorem covers the minority score
    metric = shared_controls.metric("balanced", above=True)
search = dataclasses.replace(search, metric=metric)
study = answer.study(KEY, search, place, status)
if study is None:
    page_parts.end()

merit = answer.rerun_best(study, status)
data = experiment.prepared(search.spec())
rare_classes = rare_class_names(data.class_names, data.counts)
page_parts.answer(place, *tuning_page.answers(study, merit, rare_classes))
public = public_runs.alone_accuracy(KEY, controls.view_of(search), metric)
page_parts.tiles(tuning_page.tiles(study, merit, public, detail_level.precise()), tiles)
page_parts.current_page().reproduction = reproduce.tune_command(search)
trials = None
if study.best is not None and not study.costs.holds:
    subtitle = tuning_page.chart_subtitle(study, detail_level.precise())
    page_parts.chart_title(tuning_page.chart_title(study, merit), finding, subtitle)
    trials = answer.trials(study, KEY, merit, public)
page_parts.current_page().view = controls.view_of(search)
sections.draw(study, trials, KEY)
