"""DP means: what noise does to a class mean, and where CoinPress diverges."""

import streamlit as st

from dpviz.text import dp_means as text
from dpviz.text.method_tiles import TABS
from dpviz.ui.dp_means import answer, map_of_means, sections
from dpviz.ui.dp_means.answer import KEY, Content
from dpviz.ui.frame import about_numbers, detail_level, page_parts, pinned
from dpviz.ui.live import draw_runs, public_runs, rerun_scheduling
from dpviz.ui.widgets import choices, export, section_table, shared_controls

view = answer.sidebar()
place = page_parts.question(text.TITLE)
status, tiles = st.empty(), st.empty()
page_parts.await_tiles(tiles)
results = answer.results(view, status)
if results is None:
    page_parts.end()
shared_controls.need_every_class(results.spec)
with st.container(horizontal=True, vertical_alignment="bottom", key="chart-head"):
    finding = st.empty()
    metric = shared_controls.metric()
noisy = [run for run in results.all_budgets if run.spec.method == answer.MEAN]
draws = draw_runs.of_view(KEY, view, answer.MEAN, noisy)
public_here = public_runs.alone_accuracy(KEY, view, metric)
names = shared_controls.class_names(results.spec)
content = Content(results, view, names, metric, draws, public_here)
page_parts.answer(place, *(answer.answer(content, precise) for precise in (True, False)))
page_parts.tiles(answer.tiles(content, detail_level.precise()), tiles)
page_parts.chart_title(answer.finding(content), finding)

means = map_of_means.chart(content)
rerun_scheduling.flush_page(map_of_means.draw(content, means))

page_parts.current_page().view = view
origin = page_parts.origin(results.all_budgets)
match choices.tabs(text.TABS | TABS, "look", old={section_table.KEY: "table"}):
    case "compare":
        pinned.show(KEY, view, [*results.at_budget, results.exact], metric)
    case "table":
        if means:
            map_of_means.table(content, means)
        export.block(view, results.all_budgets, results.at_budget, KEY, draws)
    case "about":
        st.caption(origin)
        about_numbers.draw(view)
    case tab:
        section_table.draw(sections.SECTIONS[tab](content), f"{KEY}-look")
