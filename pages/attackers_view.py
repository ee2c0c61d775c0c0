"""Attacker's view: how far an attack by loss gets, and how far the guarantee lets any attack get."""

import streamlit as st

from dpviz.plots import roc
from dpviz.ui import (
    about,
    attackers,
    attackers_parts,
    cards,
    charts,
    export,
    record,
    swift,
    text,
    work,
)
from dpviz.ui.linked import choice

KEY = "attackers-view"
text.style()
asked = attackers.sidebar()

answer = record.question("What can an attacker tell?")
status = st.empty()
with st.container(horizontal=True, vertical_alignment="bottom"):
    scale = choice(st.segmented_control, "Axes", roc.SCALES, "linear", "axes", required=True)
    st.caption(
        "The attack reads private records, so its curve is not for release; the bound follows from"
        " the guarantee alone and is public.",
        width="stretch",
    )
picture = record.picture()
with picture:
    cards.private_view()
main = charts.Slot(picture, KEY)


def draw(job):
    """The chart as far as it goes."""
    shown = attackers.roc_chart(attackers.done(job, asked.now), asked, scale)
    main.draw(roc.figure(shown), roc.alt(shown))


job = work.collect(KEY, asked.now, status, draw, on=attackers.board(asked.design))
text.refusals(job.errors.values())
found = attackers.done(job, asked.now)
if not found:
    st.stop()
draw(job)
record.answer(answer, attackers.answer(found, asked))
swift.breathe()
st.caption(attackers_parts.explained(asked))
st.caption(attackers_parts.origin(found))
attackers.cards_row(found, asked)

st.header("Against the budget")
found = attackers_parts.against_budget(asked, found, KEY)
with st.expander("What this attack is, and what the bound says"):
    st.markdown(attackers_parts.TEXT)
if fold := export.fold("code"):
    with fold:
        attackers_parts.downloads(found, asked, KEY)
record.now().again = attackers_parts.snippet(asked)
about.fold(asked.view)
