"""Maps: accuracy over two settings at once, and where among them it is high."""

import streamlit as st

from dpviz.text import maps as text
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work, public_runs, rerun_scheduling
from dpviz.ui.maps import answer
from dpviz.ui.widgets import cards, shared_controls
from dpviz.views import maps_page
from dpviz.views.phrases import rare_class_names

KEY = answer.KEY
place = page_parts.question(text.TITLE)
tiles, status = st.empty(), st.empty()
page_parts.await_tiles(tiles)
with st.container(horizontal=True, vertical_alignment="bottom", key="chart-head-rows"):
    finding = st.empty()
    with st.container(width="content", key=f"{page_parts.SWITCHES_ABOVE}-kind"):
        request = answer.ask()
    metric = shared_controls.metric(above=True)
with page_parts.picture():
    cards.private_view()
    slot = st.empty()

groups = list(request.groups.values())
chart_of = lambda job: answer.chart_of(job, request, metric)
job = long_work.collect(
    KEY,
    groups,
    status,
    lambda job: answer.draw(chart_of(job), request, slot, f"{KEY}-{len(job.done)}"),
)
page_parts.refusals(dict.fromkeys(job.errors.values()))
map_chart, results = chart_of(job), answer.results(job)
if not results:
    page_parts.answer(place, *maps_page.answers(map_chart, request))
    page_parts.end()
public = public_runs.alone_accuracy(KEY, request.view, metric)
map_chart = maps_page.with_public(map_chart, public)
names = shared_controls.class_names(request.spec(request.cell))
rare_classes = rare_class_names(names, results[0].class_counts)
page_parts.answer(place, *maps_page.answers(map_chart, request, rare_classes))
current = request.by_cell(results).get(request.cell, [])
page_parts.tiles(maps_page.tiles(map_chart, current, public, detail_level.precise()), tiles)
title = maps_page.chart_title(map_chart, request, detail_level.precise())
page_parts.chart_title(title, finding)
rerun_scheduling.flush_page(brief=True)  # the map takes the browser longer than all above it
answer.draw(map_chart, request, slot, f"{KEY}-whole")
page_parts.caption(maps_page.caption(map_chart, detail_level.precise()))
page_parts.current_page().view = request.view
answer.draw_tabs(map_chart, request, results)
