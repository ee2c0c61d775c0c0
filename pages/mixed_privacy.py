"""Mixed privacy: AdaMix, its ablations, and what public examples are worth."""

import streamlit as st

from dpviz.run.jobs import Job
from dpviz.ui.frame import about_numbers, detail_level, page_parts
from dpviz.ui.live import long_work, rerun_scheduling
from dpviz.ui.mixed_privacy import answer, controls, sections
from dpviz.ui.widgets import charts, choices, export, live_budget, shared_controls
from dpviz.ui.widgets.live_budget import BudgetFrames
from dpviz.views import mixed_privacy_page

KEY = "mixed-privacy"
view = controls.sidebar()

sentence = page_parts.question("What do a few public examples buy?")
refusals, answer_place = (
    sentence.container(),
    page_parts.OneAnswer(sentence, (view.dataset, view.encoder, view.public)),
)
status = st.empty()
with st.container(horizontal=True, vertical_alignment="bottom"):
    metric = controls.metric()
    log = choices.segments("Error axis", controls.SCALES, "linear", "scale") == "log"
    st.caption(
        f"Error: 100% minus records {shared_controls.group_text(metric, view)}.", width="content"
    )
main = charts.Slot(page_parts.picture(), KEY)
groups = controls.groups(view)
queue = controls.queue(groups)


def draw(job: Job) -> None:
    """The chart as far as it goes, and the answer once all that it compares is there."""
    curve = answer.curve(job, groups, view, metric)
    if job.first_ready.is_set():
        facts = answer.results(job, groups), view, view.budget.value, metric
        page_parts.answer(answer_place, answer.answer(*facts), answer.plain(*facts))
    if long_work.worth_drawing(job):
        main.plot(curve, view.budget.value, log)


def begin() -> None:
    """The chart and the sentence before anything is computed."""
    answer_place.pending()
    main.first(lambda: draw(long_work.blank(queue)))


job = long_work.collect(*(KEY, queue, status, draw), begin=begin, near=view.near)
public_comparison = (
    answer.public_comparison(KEY, view, metric) if job.complete else answer.NO_COMPARISON
)
results = answer.results(job, groups)
curve = answer.curve(job, groups, view, metric, public_comparison.public)
runs_now = answer.at_now(results, view)
say = lambda budget: answer.answer(results, view, budget, metric, public_comparison)
plain = lambda budget: answer.plain(results, view, budget, metric, public_comparison)
with refusals:
    page_parts.refusals(job.errors.values())
    if job.errors:
        answer.refusal_hint(view)
page_parts.answer(answer_place, say(view.budget.value), plain(view.budget.value))
if job.errors or not runs_now:
    page_parts.end()

with main.place:
    first_budget, is_kept = live_budget.first_drawn(KEY, (curve, log), view.budget.value)
    chart = main.plot(curve, first_budget, log)
    frames = BudgetFrames(KEY, curve.budgets, view.budget.value, say, plain)
    brief = live_budget.follow(chart, frames) and is_kept
rerun_scheduling.flush_page(brief)
page_parts.caption(
    detail_level.at_level(answer.caption(curve, view), mixed_privacy_page.HOW_TO_READ)
)
st.caption(
    page_parts.origin([r for runs in results.values() for r in runs] + public_comparison.public)
)
answer.cards_row(runs_now, view, metric)

st.header("A closer look")
section = choices.section_choice(sections.SECTIONS, "mix")
rows = section(view, metric)
if fold := export.fold():
    with fold:
        export.table(rows, f"{KEY}-look", "The closer look")
        sections.block(results, runs_now)
sections.about(view)
about_numbers.fold(view)
