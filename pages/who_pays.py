"""Who pays: how much of the promise each private record spends, by two methods side by side."""

import streamlit as st

from dpviz import experiment
from dpviz.plots import record_loss
from dpviz.ui import about, cards, charts, export, record, swift, text, who_pays, who_pays_records

KEY = "who-pays"
text.style()
asked = who_pays.sidebar()

answer = record.question("Whose privacy is spent?")
status = st.empty()
found = who_pays.sides(asked, KEY, status)
if not found:
    st.stop()

data = experiment.prepared(found[0].result.spec)
record.answer(answer, who_pays.answer(found, asked))
who = who_pays.whose(data)
shown = who_pays.charts(found, asked, who, data.class_names)
with record.picture():
    cards.private_view()
    charts.show(record_loss.figure(shown), record_loss.alt(shown), f"{KEY}-sorted")
swift.breathe()
st.caption(
    f"{who_pays.notions(found, asked)} Sensitive itself, and true of this realised run alone; the"
    " line is what holds for every record and every run."
)
st.caption(who_pays_records.origin(found))
who_pays.cards_row(found, asked)

st.header("Pick a bar and see whose it is")
bars = st.container()
side, rows = who_pays_records.chosen(found, asked)
with bars:
    who_pays_records.histograms(found, shown)
st.markdown(who_pays_records.words(found, side, rows, data.thumbnails is not None))
cards.private_view()
who_pays_records.show(found, asked, data, rows)
st.caption(who_pays_records.legend(found))

st.header("Class by class")
who_pays_records.by_class(found, asked, data)

with st.expander("What this promises, and what it does not"):
    st.markdown(who_pays.explained(who_pays.without_formula()))
if fold := export.fold("code"):
    with fold:
        who_pays_records.downloads(found, asked, data, rows, who_pays.snippet(found[0].result.spec))
record.now().again = who_pays.snippet(found[0].result.spec)
about.fold(asked.view)
