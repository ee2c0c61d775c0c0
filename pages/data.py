"""Data: which pictures there are, where each set stands, and what is embedded."""

import streamlit as st

from dpviz.data.imbalance import minority_classes
from dpviz.plots import class_sizes
from dpviz.ui import cards, charts, data_page, data_parts, record, text

text.style()
asked = data_page.sidebar()

place = record.question("Which pictures are there, and which are ready?")
status = st.empty()
row = data_page.row_of(asked)
if row is None:
    st.stop()

held = data_page.seen(asked, status) if row.there() else None
embedded = data_page.embedding(asked, row, status) if held or not row.there() else False
record.answer(place, data_page.answer(row, held, embedded, asked.encoder))
if held:
    equal = len(set(held.train)) == 1
    sizes = class_sizes.info(held.train, () if equal else minority_classes(held.train), held.names)
    with record.picture():
        cards.private_view()
        charts.show(
            class_sizes.figure(sizes),
            class_sizes.alt(sizes),
            data_page.KEY,
            "Training pictures a class;"
            f" {'all classes have the same number' if equal else 'the smallest quarter of the classes is hatched'}.",
        )
    st.html(data_parts.samples(held))
    data_parts.refusals(held.refused)
st.header("Where they come from")
data_page.cards_row(row, asked)
data_parts.upload()
data_parts.tables(asked, held)
