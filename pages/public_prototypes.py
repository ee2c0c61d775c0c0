"""Public prototypes: which public image represents each class, and when the pick is random."""

import dataclasses

import streamlit as st

from dpviz.text import public_prototypes as text
from dpviz.ui.frame import about_numbers, detail_level, page_parts, pinned
from dpviz.ui.live import rerun_scheduling
from dpviz.ui.public_prototypes import answer, pictures, sections
from dpviz.ui.public_prototypes.answer import KEY
from dpviz.ui.widgets import export, section_table, section_tabs, shared_controls

view = answer.sidebar()
place = page_parts.question(text.TITLE)
status, tiles = st.empty(), st.empty()
page_parts.await_tiles(tiles)
reference = answer.exact(view, status)
if reference is None:
    page_parts.end()
with st.container(horizontal=True, vertical_alignment="bottom", key="chart-head"):
    finding = st.empty()
    with st.container(width="content", key="near-tiles"):
        metric = shared_controls.metric()
possible_choices = answer.choices(view, reference, metric, status)
if possible_choices is None:
    page_parts.end()
prototypes: answer.Choices = possible_choices

page_parts.answer(place, *(answer.answer(prototypes, precise) for precise in (True, False)))
compared = answer.comparisons(prototypes)  # starts what else is computed
prototypes = dataclasses.replace(prototypes, all_draws=compared.draws)
page_parts.tiles(answer.tiles(prototypes, compared, detail_level.precise()), tiles)
page_parts.chart_title(pictures.title(prototypes), finding)
rerun_scheduling.flush_page(pictures.draw(prototypes, compared))

page_parts.current_page().view = view
origin = page_parts.origin(prototypes.current_results)
page_parts.current_page().other_settings.add(section_table.KEY)
match section_tabs.open_view(text.TABS, "see", text.VIEW_LABEL):
    case "compare":
        pinned.show(KEY, view, [*prototypes.current_results, prototypes.exact], metric)
    case "table":
        now = prototypes.current_results
        export.block(view, now, now, KEY, compared.draws)
    case "about":
        st.caption(origin)
        about_numbers.draw(view)
    case "cost":
        section_table.draw(sections.cost(prototypes, compared.public), f"{KEY}-look")
    case tab:
        section_table.draw(sections.SECTIONS[tab](prototypes), f"{KEY}-look")
answer.prepare_moves(prototypes.data)
