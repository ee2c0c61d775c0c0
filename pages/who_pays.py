"""Who pays: how much of the promise each private record, or person, spends, by two methods side by
side.
"""

import streamlit as st

from dpviz.plots.losses import SortedLosses
from dpviz.run import experiment
from dpviz.ui.frame import about_numbers, detail_level, page_parts
from dpviz.ui.live import public_runs, rerun_scheduling
from dpviz.ui.who_pays import answer, controls, sections
from dpviz.ui.widgets import cards, charts, export
from dpviz.views import who_pays_page

KEY = "who-pays"
view = controls.sidebar()

sentence = page_parts.question("Whose privacy is spent?")
status = st.empty()
runs = answer.runs(view, KEY, status)
if not runs:
    page_parts.end()

data = experiment.prepared(runs[0].result.spec)
public_words = answer.beside_public(runs, public_runs.alone_accuracy(KEY, view, "minority"))
words = answer.answer(runs, view), answer.plain(runs, view)
page_parts.answer(sentence, *public_runs.join_texts(words, public_words))
loss_charts = answer.charts(runs, view, controls.groups(runs[0].losses, data.class_names))
cards.private_answer()
with page_parts.picture():
    cards.private_view()
    charts.plot(SortedLosses(tuple(loss_charts)), f"{KEY}-sorted")
rerun_scheduling.flush_page()
page_parts.caption(detail_level.at_level(answer.caption(runs, view), who_pays_page.HOW_TO_READ))
st.caption(sections.origin(runs))
answer.cards_row(runs, view)

st.header("Pick a bar and see whose it is")
cards.private_view()
bars = st.container()
group, rows = controls.band(runs, view)
with bars:
    sections.histograms(runs, loss_charts)
st.markdown(sections.words(runs, group, rows, view, data.thumbnails is not None))
sections.show(runs, view, data, rows)
st.caption(sections.legend(runs, view, data.thumbnails is not None))

st.header("Class by class")
cards.private_view()
sections.by_class(runs, view, data)

code = answer.snippet(runs[0].result.spec)
with st.expander("What this promises, and what it does not"):
    st.markdown(answer.explained())
if fold := export.fold("code"):
    with fold:
        sections.downloads(sections.table(runs, view, data, rows), code)
page_parts.current_page().reproduction = code
about_numbers.fold(view)
