"""Per-record loss: the share of the privacy limit that each image or person uses, by method."""

import streamlit as st

from dpviz.plots.losses import SortedLosses
from dpviz.run import experiment
from dpviz.text import who_pays as text
from dpviz.ui.frame import about_numbers, detail_level, page_parts
from dpviz.ui.live import public_runs, rerun_scheduling
from dpviz.ui.who_pays import answer, controls, sections
from dpviz.ui.widgets import cards, charts
from dpviz.ui.widgets.choices import tabs
from dpviz.ui.widgets.late_place import LatePlace
from dpviz.views import who_pays_page
from dpviz.views.phrases import title_in_sentence

KEY = "who-pays"
OLD_TABS = {"band": "images", "by": "images", "order": "images", "table": "table"}
view = controls.sidebar()
page_parts.current_page().view = view

sentence, tiles = page_parts.question(text.TITLE), LatePlace()
status = st.empty()
runs = answer.runs(view, KEY, status)
if not runs:
    page_parts.answer(sentence, text.ANSWERS["none"].plain)
    page_parts.end()

data = experiment.prepared(runs[0].result.spec)
first, losses, spent = runs[0], view.losses(runs[0]), answer.spending(runs, view)
titles, level = [run.title for run in runs], detail_level.precise()
name, accuracies = title_in_sentence(first.title), answer.test_accuracies(first)
public = public_runs.alone_accuracy(KEY, view, "minority")
rare = [data.class_names[c] for c in first.result.minority_classes]
is_full = bool(losses.full.all())
page_parts.answer(
    sentence,
    *(
        who_pays_page.answer(how, spent[0], is_full, view.budget, view.unit)
        for how in (True, False)
    ),
)
tiles.tiles(
    who_pays_page.tiles(first, name, losses, view.scale, accuracies, rare, public, view.unit)
)
with st.container(horizontal=True, vertical_alignment="bottom", key="chart-head"):
    page_parts.chart_title(who_pays_page.finding(level, spent))
    groups, form = controls.groups_and_form(first.losses, data.class_names, view)
loss_charts = answer.charts(runs, view, groups)
with page_parts.picture():
    cards.private_view()
    if form == controls.CURVE:
        charts.plot(SortedLosses(tuple(loss_charts)), f"{KEY}-sorted")
        page_parts.caption(text.CURVE_CAPTION.at(level))
    else:
        panels = who_pays_page.panels(loss_charts, titles, list(groups))
        LatePlace().icon_arrays(panels, text.FIGURES_LEGEND, text.FIGURES_ALT, f"{KEY}-sorted")
        page_parts.caption(text.FIGURES_CAPTION[view.unit_name])
    st.markdown(who_pays_page.equal_protection(name, accuracies))
rerun_scheduling.flush_page()
page_parts.current_page().reproduction = code = answer.snippet(first.result.spec)
match tabs(text.TABS_PERSON if view.unit == "person" else text.TABS, old=OLD_TABS):
    case "images":
        sections.by_loss(runs, view, data, loss_charts)
    case "classes":
        sections.by_class(runs, view, data)
    case "spread":
        answer.spread_card(runs, view)
        st.caption(sections.origin(runs))
    case "guarantees":
        answer.guarantee_cards(runs)
    case "about":
        st.caption(answer.unit_caption(runs, view))
        st.markdown(answer.explained())
    case "table":
        sections.all_losses(runs, view, data, code)
    case _:
        about_numbers.draw(view)
