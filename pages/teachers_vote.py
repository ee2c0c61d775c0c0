"""Teachers vote: how an ensemble labels public records privately, what each answer costs, and who
is not heard.
"""

import streamlit as st

from dpviz.diagnostics import pate_votes
from dpviz.plots import vote_histogram
from dpviz.ui.frame import about_numbers, detail_level, page_parts
from dpviz.ui.live import public_runs, rerun_scheduling
from dpviz.ui.teachers_vote import answer, controls, sections
from dpviz.ui.widgets import cards, export
from dpviz.ui.widgets.choices import section_choice
from dpviz.views import teachers_vote_page

KEY = controls.KEY
request = controls.sidebar()

place = page_parts.question("What can teachers say without telling on their pictures?")
shown = answer.vote(request, st.empty())
if shown is None:
    page_parts.end()

public = public_runs.alone_accuracy(KEY, request.view, "overall")
told = public_runs.public_only_text({}, public)
words = answer.answer(shown), answer.plain(shown)
page_parts.answer(place, *public_runs.joined(words, told))
with page_parts.picture():
    cards.private_view()
    chart = answer.chart(shown)
rerun_scheduling.flush_page(brief=True)
if unreached := answer.unreached(shown):
    st.markdown(unreached)
page_parts.caption(detail_level.at_level(answer.caption(shown), teachers_vote_page.HOW_TO_READ))
answer.cards_row(shown)

st.header("A closer look")
rows = section_choice(sections.SECTIONS)(shown)
code = pate_votes.python(request.poll, request.setting, request.queries)
if fold := export.fold("code"):
    with fold:
        export.table(vote_histogram.table(chart), f"{KEY}-histogram", "The histogram")
        export.table(rows, f"{KEY}-{st.session_state['look']}", "The closer look")
        export.code(code, "python")
page_parts.current_page().reproduction = code
about_numbers.fold(request.view)
