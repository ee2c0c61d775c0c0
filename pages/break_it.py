"""Break it: a promise, a mistake that breaks it without a word, and the audit that catches it."""

import streamlit as st

from dpviz.plots.audits import RATE_SCALES
from dpviz.run.jobs import Job
from dpviz.ui.break_it import answer, controls, sections, work
from dpviz.ui.frame import about_numbers, detail_level, page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets import charts, choices, export
from dpviz.views import broken_promise

KEY = "break-it"
view = controls.sidebar()

sentence = page_parts.question("Would you notice a broken promise?")
said = page_parts.OneAnswer(sentence)
wrong, title, told = view.wrong, view.subject.title, None
noticed = controls.noticed() if wrong else controls.noticed_before()
controls.switches()
st.caption(answer.subject_text(view))

if wrong:
    with st.container(key="card-noticed"):
        status = st.empty()
        pair = long_work.run_one(f"{KEY}-noticed", view.accuracy[0], work.ACCURACIES, status)
        if pair and wrong.output_error:
            told = broken_promise.error_question(pair, wrong, title)
        elif pair:
            charts.plot(answer.accuracy(pair, view), f"{KEY}-noticed")
            told = broken_promise.question(pair, wrong, title)
        if pair:
            safe = broken_promise.SAFE_BUT_SPOILT if wrong.safe else broken_promise.NOT_FOR_RELEASE
            st.caption(safe)
    if told and not noticed:
        page_parts.answer(said, *told)

if not wrong or noticed:
    status = st.empty()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = answer.suiting_scale(view)
        scale = choices.segments("Axes of the tests", RATE_SCALES, first, "scale")
        st.caption(detail_level.at_level("", broken_promise.HOW_TO_READ), width="stretch")
    with page_parts.picture():
        left, right = st.columns(2)
    bounds, tests = charts.Slot(left, f"{KEY}-bounds"), charts.Slot(right, f"{KEY}-tests")

    def draw(job: Job) -> None:
        """Both charts as far as the audit has come."""
        found = answer.interim_results(job, view)
        if found:
            last = found[-1]
            page_parts.answer(
                said, *broken_promise.audit_result(last.look, last.claim, wrong, title)
            )
            bounds.plot(answer.progress(found))
            tests.plot(answer.trade_off(found[-1], scale))

    begin = lambda: page_parts.answer(said, broken_promise.BEGINS)
    job = long_work.collect(
        *(KEY, [view.audit], status, draw), begin=begin, work=work.AUDITS, near=work.near
    )
    page_parts.refusals(job.errors.values())
    found = answer.interim_results(job, view)
    if not found:
        page_parts.end()
    draw(job)
    page_parts.caption(answer.caption(found, view))
    answer.cards_row(view, found[-1])
    if fold := export.fold("code"):
        with fold:
            export.table(answer.progress(found).table(), f"{KEY}-bounds", "The audit")
            tests_drawn = answer.trade_off(found[-1], scale).table()
            export.table(tests_drawn, f"{KEY}-tests", "The tests")
            export.code_block(answer.command(view))
    page_parts.current_page().again = answer.command(view)

st.header("A closer look")
choices.section_choice(sections.SECTIONS, "closer")(view)
about_numbers.fold(view)
