"""Maps: accuracy over two settings at once, and where among them it is good."""

import streamlit as st

from dpviz.ui.frame import about_numbers, detail_level, page_parts
from dpviz.ui.live import long_work, public_runs
from dpviz.ui.maps import answer
from dpviz.ui.widgets import cards, export, shared_controls
from dpviz.views import maps_page
from dpviz.views.phrases import rare_class_names

KEY = answer.KEY
place = page_parts.question("Which two settings go well together?")
status = st.empty()
request = answer.ask()
metric = shared_controls.metric(None if request.kind == "ir" else request.view)
picture = page_parts.picture()
with picture:
    cards.private_view()
    slot = st.empty()

groups = list(request.groups.values())
chart_of = lambda job: answer.chart(job, request, metric)
job = long_work.collect(
    KEY,
    groups,
    status,
    lambda job: answer.draw(chart_of(job), request, slot, f"{KEY}-{len(job.done)}"),
)
page_parts.refusals(dict.fromkeys(job.errors.values()))
map_shown, results = chart_of(job), answer.results(job)
if not results:
    page_parts.answer(place, maps_page.precise(map_shown, request))
    page_parts.end()
answer.draw(map_shown, request, slot, f"{KEY}-whole")

counts = results[0].class_counts
rare_classes = rare_class_names(shared_controls.class_names(request.spec(request.cell)), counts)
public = public_runs.alone_accuracy(KEY, request.view, metric)
public_words = public_runs.public_only_text(maps_page.candidates(map_shown), public)
words = (
    maps_page.precise(map_shown, request),
    maps_page.plain(map_shown, request, rare_classes),
)
page_parts.answer(place, *public_runs.join_texts(words, public_words))
page_parts.caption(maps_page.caption(map_shown, request.view.seeds, detail_level.precise()))
with st.container(horizontal=True, vertical_alignment="bottom"):
    cell = answer.cell(map_shown)
answer.cell_links(request, cell)
st.caption(page_parts.origin(results))
if fold := export.fold():
    with fold:
        export.table(map_shown.table(), KEY, "The map")
        export.block(request.view, results, request.view.at_now(results), KEY)
about_numbers.fold(request.view)
