"""Teachers vote: how an ensemble labels public records privately, what each answer costs, and who
is not heard.
"""

import streamlit as st

from dpviz.diagnostics import pate_votes
from dpviz.ui.frame import about_numbers, detail_level, page_parts
from dpviz.ui.live import public_runs, rerun_scheduling
from dpviz.ui.teachers_vote import answer, controls, sections
from dpviz.ui.widgets import cards, export
from dpviz.ui.widgets.choices import section_choice
from dpviz.views import votes_in_plain_words

KEY = controls.KEY
request = controls.sidebar()

place = page_parts.question("What can teachers say without telling on their pictures?")
vote = answer.vote(request, st.empty())
if vote is None:
    page_parts.end()

public = public_runs.alone_accuracy(KEY, request.view, "overall")
public_words = public_runs.public_only_text({}, public)
words = answer.answer(vote), answer.plain(vote)
page_parts.answer(place, *public_runs.join_texts(words, public_words))
with page_parts.picture():
    cards.private_view()
    chart = answer.chart(vote)
rerun_scheduling.flush_page(brief=True)
if unreached := answer.unreached(vote):
    st.markdown(unreached)
page_parts.caption(detail_level.at_level(answer.caption(vote), votes_in_plain_words.HOW_TO_READ))
answer.cards_row(vote)

st.header("A closer look")
rows = section_choice(sections.SECTIONS)(vote)
code = pate_votes.python(request.poll, request.by, request.queries)
if fold := export.fold("code"):
    with fold:
        export.table(chart.table(), f"{KEY}-histogram", "The histogram")
        export.table(rows, f"{KEY}-{st.session_state['look']}", "The closer look")
        export.code(code, "python")
page_parts.current_page().again = code
about_numbers.fold(request.view)
