"""Teachers vote: how an ensemble labels public records privately, what each answer costs, and who
is not heard.
"""

import streamlit as st

from dpviz.plots import vote_histogram
from dpviz.ui.frame import about_numbers, page_record
from dpviz.ui.live import long_work, page_turns
from dpviz.ui.teachers_vote import controls, looks
from dpviz.ui.widgets import cards, export, text

KEY = "teachers-vote"
text.style()
asked = controls.sidebar()

answer = page_record.question("What can teachers say without telling on their records?")
status = st.empty()
job = long_work.collect(KEY, [(asked.poll,)], status, lambda job: None, on=controls.board())
text.refusals(job.errors.values())
found = controls.found(job, asked.poll)
if found is None:
    st.stop()

made = controls.aggregated(found, asked)
truth = found.votes.truth[: len(made.labels)]
page_record.answer(answer, controls.answer(found, made, truth))
with page_record.picture():
    cards.private_view()
    chart = looks.histogram(made, truth)
page_turns.breathe()
st.caption(controls.caption(found, made, asked))
controls.cards_row(found, made, truth, controls.say(found, made, truth))

st.header("A closer look")
look = looks.choose()
rows = looks.show(look, found, made, truth, asked)
if fold := export.fold("code"):
    with fold:
        export.table(vote_histogram.table(chart), f"{KEY}-histogram", "The histogram")
        export.table(rows, f"{KEY}-{look}", "The closer look")
        st.code(looks.snippet(asked), language="python", wrap_lines=True)
page_record.now().again = looks.snippet(asked)
about_numbers.fold(asked.view)
