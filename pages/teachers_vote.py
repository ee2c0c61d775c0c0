"""PATE: an ensemble labels public images by a private vote."""

import streamlit as st

from dpviz.text import teachers_vote as text
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import public_runs, rerun_scheduling
from dpviz.ui.teachers_vote import answer, controls, sections, student_sections
from dpviz.ui.widgets import cards
from dpviz.ui.widgets.section_tabs import Place
from dpviz.views import teachers_vote_page

KEY = controls.KEY

answer_place = Place(page_parts.question(text.TITLE))
status = st.empty()
tiles = Place(st.container())
with st.container(horizontal=True, vertical_alignment="bottom", key="chart-head"):
    finding = st.empty()
chart_place = Place(st.container())
with st.container(key="chart-slider"):
    threshold_place = st.container(key=f"under-{'precise' if detail_level.precise() else 'plain'}")
caption, details = (Place(st.container()) for _ in range(2))
request = controls.draw(threshold_place)
page_parts.await_tiles(tiles)


def begin() -> None:
    """Clear what belongs to earlier settings."""
    for place in (answer_place, chart_place, caption, details):
        place.empty()
    finding.empty()
    page_parts.empty_tiles(tiles)


vote = answer.vote(request, status, begin)
if vote is None:
    page_parts.end()

outcome, guarantee = vote.outcome, vote.guarantee
public = public_runs.alone_accuracy(KEY, request.view, "overall")
student = student_sections.accuracy(vote)
words = (
    teachers_vote_page.answer(outcome, guarantee, precise, public, student)
    for precise in (True, False)
)
page_parts.answer(answer_place, *words)
page_parts.tiles(teachers_vote_page.tiles(outcome, guarantee, public, student), tiles)
with chart_place.container():
    cards.private_view()
    page_parts.chart_title(answer.chart_title(vote), finding)
    with page_parts.picture():
        chart = answer.chart(vote)
with caption.container():
    page_parts.caption(answer.caption(vote))
rerun_scheduling.flush_page(brief=True)

with details.container():
    sections.details(vote, chart)
