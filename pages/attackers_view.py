"""Attacker's view: how far an attack by loss gets, and how far the guarantee lets any attack get."""

import streamlit as st

from dpviz.plots import attack_roc
from dpviz.ui.attackers_view import controls, looks
from dpviz.ui.frame import about_numbers, page_record
from dpviz.ui.live import long_work, page_turns
from dpviz.ui.widgets import cards, charts, export, text
from dpviz.ui.widgets.choices import choice

KEY = "attackers-view"
text.style()
asked = controls.sidebar()

answer = page_record.question("What can an attacker tell?")
status = st.empty()
with st.container(horizontal=True, vertical_alignment="bottom"):
    scale = choice(st.segmented_control, "Axes", attack_roc.SCALES, "linear", "axes", required=True)
    st.caption(
        "The attack reads private records, so its curve is not for release; the bound follows from"
        " the guarantee alone and is public.",
        width="stretch",
    )
picture = page_record.picture()
with picture:
    cards.private_view()
main = charts.Slot(picture, KEY)


def draw(job):
    """The chart as far as it goes."""
    shown = controls.roc_chart(controls.done(job, asked.now), asked, scale)
    main.draw(attack_roc.figure(shown), attack_roc.alt(shown))


job = long_work.collect(KEY, asked.now, status, draw, on=controls.board(asked.design))
text.refusals(job.errors.values())
found = controls.done(job, asked.now)
if not found:
    st.stop()
draw(job)
page_record.answer(answer, controls.answer(found, asked))
page_turns.breathe()
st.caption(looks.explained(asked))
st.caption(looks.origin(found))
controls.cards_row(found, asked)

st.header("Against the budget")
found = looks.against_budget(asked, found, KEY)
with st.expander("What this attack is, and what the bound says"):
    st.markdown(looks.TEXT)
if fold := export.fold("code"):
    with fold:
        looks.downloads(found, asked, KEY)
page_record.now().again = looks.snippet(asked)
about_numbers.fold(asked.view)
