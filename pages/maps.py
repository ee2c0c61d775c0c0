"""Maps: accuracy over two settings at once, and where among them it is good."""

import streamlit as st

from dpviz.plots import setting_map
from dpviz.ui.frame import about_numbers, detail_level, page_parts
from dpviz.ui.live import long_work, public_runs
from dpviz.ui.maps import answer
from dpviz.ui.widgets import cards, export, shared_controls
from dpviz.views import maps_page
from dpviz.views.phrases import rare

KEY = answer.KEY
place = page_parts.question("Which two settings go well together?")
status = st.empty()
asked = answer.ask()
metric = shared_controls.metric(None if asked.kind == "ir" else asked.view)
picture = page_parts.picture()
with picture:
    cards.private_view()
    slot = st.empty()

groups = list(asked.groups.values())
some = lambda job: answer.chart(job, asked, metric)
job = long_work.collect(
    KEY, groups, status, lambda job: answer.draw(some(job), asked, slot, f"{KEY}-{len(job.done)}")
)
page_parts.refusals(dict.fromkeys(job.errors.values()))
shown, results = some(job), answer.results(job)
if not results:
    page_parts.answer(place, maps_page.precise(shown, asked))
    page_parts.end()
answer.draw(shown, asked, slot, f"{KEY}-whole")

counts = results[0].class_counts
few = rare(shared_controls.class_names(asked.spec(asked.cell)), counts)
public = public_runs.alone_accuracy(KEY, asked.view, metric)
told = public_runs.public_only_text(maps_page.candidates(shown), public)
words = maps_page.precise(shown, asked), maps_page.plain(shown, asked, few)
page_parts.answer(place, *public_runs.joined(words, told))
page_parts.caption(maps_page.caption(shown, asked.view.seeds, detail_level.precise()))
with st.container(horizontal=True, vertical_alignment="bottom"):
    cell = answer.cell(shown)
answer.cell_links(asked, cell)
st.caption(page_parts.origin(results))
if fold := export.fold():
    with fold:
        export.table(setting_map.table(shown), KEY, "The map")
        export.block(asked.view, results, asked.view.at_now(results), KEY)
about_numbers.fold(asked.view)
