"""Public prototypes: which public image represents each class, and when the pick is random."""

import streamlit as st

from dpviz.text import public_prototypes as text
from dpviz.ui.frame import about_numbers, detail_level, page_parts, pinned
from dpviz.ui.live import public_runs, rerun_scheduling, session_cost
from dpviz.ui.public_prototypes import answer, pictures, sections
from dpviz.ui.public_prototypes.answer import KEY
from dpviz.ui.widgets import choices, export, section_table, shared_controls

view = answer.sidebar()
place = page_parts.question(text.TITLE)
reference = answer.exact(view, st.empty())
if reference is None:
    page_parts.end()
tiles = st.empty()
metric = shared_controls.metric(view)
found = answer.choices(view, reference, metric)
if found is None:
    page_parts.end()
shown: answer.Choices = found

session_cost.count(result.spec for row in shown.draws.results for result in row)
page_parts.answer(place, *(answer.answer(shown, precise) for precise in (True, False)))
public = public_runs.alone_accuracy(KEY, view, metric)
page_parts.tiles(answer.tiles(shown, public, detail_level.precise()), tiles)
rerun_scheduling.flush_page(pictures.draw(shown))

tab = choices.tabs(text.TABS, "see", old={section_table.KEY: "table"})
if tab == "table":
    export.block(view, shown.current_results, shown.current_results, KEY)
else:
    rows = sections.cost(shown, public) if tab == "cost" else sections.SECTIONS[tab](shown)
    section_table.draw(rows, f"{KEY}-look")
st.caption(page_parts.origin(shown.current_results))
pinned.show(KEY, view, [*shown.current_results, shown.exact], metric)
about_numbers.fold(view)
answer.prepare_moves(shown.data)
