"""Data: which pictures there are, where each set stands, and what is embedded."""

import streamlit as st

from dpviz.data.imbalance import minority_classes
from dpviz.plots import class_sizes
from dpviz.ui.data import controls, looks
from dpviz.ui.frame import page_record
from dpviz.ui.widgets import cards, charts, text

text.style()
asked = controls.sidebar()

place = page_record.question("Which pictures are there, and which are ready?")
status = st.empty()
row = controls.row_of(asked)
if row is None:
    st.stop()

held = controls.seen(asked, status) if row.there() else None
embedded = controls.embedding(asked, row, status) if held or not row.there() else False
page_record.answer(place, controls.answer(row, held, embedded, asked.encoder))
if held:
    equal = len(set(held.train)) == 1
    sizes = class_sizes.info(held.train, () if equal else minority_classes(held.train), held.names)
    with page_record.picture():
        cards.private_view()
        charts.show(
            class_sizes.figure(sizes),
            class_sizes.alt(sizes),
            controls.KEY,
            "Training pictures a class;"
            f" {'all classes have the same number' if equal else 'the smallest quarter of the classes is hatched'}.",
        )
    st.html(looks.samples(held))
    looks.refusals(held.refused)
st.header("Where they come from")
controls.cards_row(row, asked)
looks.upload()
looks.tables(asked, held)
