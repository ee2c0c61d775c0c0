"""Who pays: how much of the promise each private record spends, by two methods side by side."""

import streamlit as st

from dpviz.plots import privacy_loss_by_record
from dpviz.run import experiment
from dpviz.ui.frame import about_numbers, page_record
from dpviz.ui.live import page_turns
from dpviz.ui.who_pays import controls, looks
from dpviz.ui.widgets import cards, charts, export, text

KEY = "who-pays"
text.style()
asked = controls.sidebar()

answer = page_record.question("Whose privacy is spent?")
status = st.empty()
found = controls.sides(asked, KEY, status)
if not found:
    st.stop()

data = experiment.prepared(found[0].result.spec)
page_record.answer(answer, controls.answer(found, asked))
who = controls.whose(data)
shown = controls.charts(found, asked, who, data.class_names)
with page_record.picture():
    cards.private_view()
    charts.show(
        privacy_loss_by_record.figure(shown), privacy_loss_by_record.alt(shown), f"{KEY}-sorted"
    )
page_turns.breathe()
st.caption(
    f"{controls.notions(found, asked)} Sensitive itself, and true of this realised run alone; the"
    " line is what holds for every record and every run."
)
st.caption(looks.origin(found))
controls.cards_row(found, asked)

st.header("Pick a bar and see whose it is")
bars = st.container()
side, rows = looks.chosen(found, asked)
with bars:
    looks.histograms(found, shown)
st.markdown(looks.words(found, side, rows, data.thumbnails is not None))
cards.private_view()
looks.show(found, asked, data, rows)
st.caption(looks.legend(found))

st.header("Class by class")
looks.by_class(found, asked, data)

with st.expander("What this promises, and what it does not"):
    st.markdown(controls.explained(controls.without_formula()))
if fold := export.fold("code"):
    with fold:
        looks.downloads(found, asked, data, rows, controls.snippet(found[0].result.spec))
page_record.now().again = controls.snippet(found[0].result.spec)
about_numbers.fold(asked.view)
