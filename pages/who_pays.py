"""Per-record loss: the share of the privacy limit that each image or person uses, by method."""

import streamlit as st

from dpviz.experiments import experiment
from dpviz.text import who_pays as text
from dpviz.ui.frame import about_numbers, page_parts
from dpviz.ui.who_pays import answer, controls, main_chart, sections
from dpviz.ui.widgets.choices import tabs
from dpviz.ui.widgets.late_place import LatePlace

KEY = "who-pays"
OLD_TABS = {"band": "images", "by": "images", "order": "images", "table": "table"}
view = controls.sidebar()
page_parts.current_page().view = view

place, tiles = page_parts.OneAnswer(page_parts.question(text.TITLE)), LatePlace()
page_parts.await_tiles(tiles)
groups = answer.groups(view)
say = lambda run: main_chart.say(run, view, place)
runs = answer.runs(groups, KEY, st.empty(), say) if groups else []
if not runs:
    page_parts.answer(place, text.ANSWERS["none"].plain)
    page_parts.end()

data = experiment.prepared(runs[0].result.spec)
main_chart.tiles(runs[0], view, data, KEY, tiles)
loss_charts, chosen = main_chart.show(runs, view, data, KEY)
page_parts.current_page().reproduction = code = answer.snippet(runs[0].result.spec)
page_parts.current_page().guarantees |= {run.title: run.result.guarantee for run in runs}
origin = sections.origin(runs)
match tabs(text.TABS_PERSON if view.unit == "person" else text.TABS, old=OLD_TABS):
    case "images":
        sections.by_loss(runs, view, data, loss_charts, chosen)
    case "classes":
        sections.by_class(runs, view, data)
    case "spread":
        answer.spread_card(runs, view)
        st.markdown(answer.limit_and_accuracy(runs[0], view))
        st.caption(origin)
    case "guarantees":
        answer.guarantee_cards(runs)
    case "about":
        st.caption(answer.unit_caption(runs, view))
        st.markdown(answer.explained())
    case "table":
        sections.all_losses(runs, view, data, code)
    case _:
        about_numbers.draw(view)
