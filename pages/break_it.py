"""Break it: a promise, a mistake that breaks it without a word, and the audit that catches it."""

import streamlit as st

from dpviz.plots.audits import RATE_SCALES
from dpviz.run.jobs import Job
from dpviz.ui.break_it import answer, controls, sections
from dpviz.ui.frame import about_numbers, detail_level, page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets import charts, choices, export
from dpviz.views import break_it_page

KEY = "break-it"
view = controls.sidebar()

sentence = page_parts.question("Would you notice a broken promise?")
answer_place = page_parts.OneAnswer(sentence)
wrong, title, question_words = view.wrong, view.subject.title, None
noticed = controls.noticed() if wrong else controls.noticed_before()
controls.switches()
st.caption(answer.subject_text(view))

if wrong:
    with st.container(key="card-noticed"):
        status = st.empty()
        pair = long_work.run_one(f"{KEY}-noticed", view.accuracy[0], controls.ACCURACIES, status)
        if pair and wrong.output_error:
            question_words = break_it_page.error_question(pair, wrong, title)
        elif pair:
            charts.plot(answer.accuracy(pair, view), f"{KEY}-noticed")
            question_words = break_it_page.accuracy_question(pair, wrong, title)
        if pair:
            safe = break_it_page.SAFE_BUT_SPOILT if wrong.safe else break_it_page.NOT_FOR_RELEASE
            st.caption(safe)
    if question_words and not noticed:
        page_parts.answer(answer_place, *question_words)

if not wrong or noticed:
    status = st.empty()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first_scale = answer.suiting_scale(view)
        scale = choices.segments("Axes of the tests", RATE_SCALES, first_scale, "scale")
        st.caption(detail_level.at_level("", break_it_page.CHART_CAPTION), width="stretch")
    with page_parts.picture():
        left_column, right_column = st.columns(2)
    bounds, tests = (
        charts.Slot(left_column, f"{KEY}-bounds"),
        charts.Slot(right_column, f"{KEY}-tests"),
    )

    def draw(job: Job) -> None:
        """Both charts as far as the audit has come."""
        interim_results = answer.interim_results(job, view)
        if interim_results:
            latest = interim_results[-1]
            page_parts.answer(
                answer_place, *break_it_page.audit_result(latest.result, latest.claim, wrong, title)
            )
            bounds.plot(answer.progress(interim_results))
            tests.plot(answer.trade_off(interim_results[-1], scale))

    begin = lambda: page_parts.answer(answer_place, break_it_page.FIRST_ANSWER)
    job = long_work.collect(
        *(KEY, [view.audit], status, draw),
        begin=begin,
        work=controls.AUDITS,
        near=controls.distance,
    )
    page_parts.refusals(job.errors.values())
    interim_results = answer.interim_results(job, view)
    if not interim_results:
        page_parts.end()
    draw(job)
    page_parts.caption(answer.caption(interim_results, view))
    answer.cards_row(view, interim_results[-1])
    if fold := export.fold("code"):
        with fold:
            export.table(answer.progress(interim_results).table(), f"{KEY}-bounds", "The audit")
            tests_drawn = answer.trade_off(interim_results[-1], scale).table()
            export.table(tests_drawn, f"{KEY}-tests", "The tests")
            export.code_block(answer.command(view))
    page_parts.current_page().reproduction = answer.command(view)

st.header("A closer look")
choices.section_choice(sections.SECTIONS, "closer")(view)
about_numbers.fold(view)
