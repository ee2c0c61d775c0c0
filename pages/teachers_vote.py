"""Teachers vote: how an ensemble labels public records privately, what each answer costs, and who
is not heard.
"""

import streamlit as st

from dpviz.plots import vote_histogram
from dpviz.ui import about, cards, export, record, swift, teachers, teachers_parts, text, work

KEY = "teachers-vote"
text.style()
asked = teachers.sidebar()

answer = record.question("What can teachers say without telling on their records?")
status = st.empty()
job = work.collect(KEY, [(asked.poll,)], status, lambda job: None, on=teachers.board())
text.refusals(job.errors.values())
found = teachers.found(job, asked.poll)
if found is None:
    st.stop()

made = teachers.aggregated(found, asked)
truth = found.votes.truth[: len(made.labels)]
record.answer(answer, teachers.answer(found, made, truth))
with record.picture():
    cards.private_view()
    chart = teachers_parts.histogram(made, truth)
swift.breathe()
st.caption(teachers.caption(found, made, asked))
teachers.cards_row(found, made, truth, teachers.say(found, made, truth))

st.header("A closer look")
look = teachers_parts.choose()
rows = teachers_parts.show(look, found, made, truth, asked)
if fold := export.fold("code"):
    with fold:
        export.table(vote_histogram.table(chart), f"{KEY}-histogram", "The histogram")
        export.table(rows, f"{KEY}-{look}", "The closer look")
        st.code(teachers_parts.snippet(asked), language="python", wrap_lines=True)
record.now().again = teachers_parts.snippet(asked)
about.fold(asked.view)
