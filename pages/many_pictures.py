"""Many images per person: accuracy with a guarantee per person and with one per image."""

import streamlit as st

from dpviz.experiments import experiment
from dpviz.text import many_pictures as text
from dpviz.ui.frame import about_numbers, page_parts
from dpviz.ui.many_pictures import answer, attacker, controls, main_chart, sections
from dpviz.ui.widgets import shared_controls
from dpviz.ui.widgets.choices import tabs
from dpviz.ui.widgets.late_place import LatePlace

KEY = "many-pictures"
OLD_TABS = {"paid": "paid", "table": "table"}
view = controls.sidebar()

place, tiles = page_parts.question(text.TITLE), LatePlace()
page_parts.await_tiles(tiles)
if view is None:
    with place:
        controls.no_persons()
    page_parts.end()
page_parts.current_page().view = view
refusals, answer_place, status = place.empty(), page_parts.OneAnswer(place), st.empty()
with st.container(horizontal=True, vertical_alignment="bottom", key="chart-head"):
    finding = LatePlace()
    metric = shared_controls.metric("overall", above=True)
places = main_chart.Places(answer_place, tiles, finding, refusals, status)
state = main_chart.show(view, metric, KEY, places)

page_parts.current_page().reproduction = commands = sections.commands(state.results, state.costs)
answer.keep_guarantees(state.costs, state.results)
match tabs(text.TABS, old=OLD_TABS):
    case "costs":
        answer.costs_card(state.costs)
        sections.all_lines(state.curve, view.seeds, f"{KEY}-lines")
        st.caption(text.EXPLAINED)
        st.caption(state.origin)
    case "guarantees":
        answer.guarantee_cards(state.costs, state.results)
        st.markdown(text.PATE)
    case "people":
        sections.people(experiment.prepared(view.any_run))
    case "sender":
        attacker.show(view)
    case "paid":
        sections.losses_by_people(state.results, state.costs)
    case "table":
        sections.downloads(state.curve, commands, attacker.snippet(view.any_run), KEY)
    case _:
        about_numbers.draw(view)
