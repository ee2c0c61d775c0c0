"""AdaMix: private training with a few public examples, against its ablations."""

import streamlit as st

from dpviz.experiments.jobs import Job
from dpviz.text import mixed_privacy as text
from dpviz.text.trade_off import CHART_NOTES
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work, rerun_scheduling
from dpviz.ui.mixed_privacy import answer, controls, sections
from dpviz.ui.widgets import charts, live_budget, side_bar
from dpviz.ui.widgets.live_budget import BudgetFrames
from dpviz.ui.widgets.section_tabs import Place
from dpviz.views import mixed_privacy_page

KEY = sections.KEY
view = controls.sidebar()

question = page_parts.question(text.TITLE)
refusals, answer_place = question.container(), page_parts.OneAnswer(question, view)
status, tiles = st.empty(), Place(st.container())
page_parts.await_tiles(tiles)
with st.container(horizontal=True, vertical_alignment="bottom", key="chart-head"):
    title = Place(st.container(width="content"))
    with st.container(horizontal=True, width="content"):
        metric = controls.metric()
        with side_bar.extra():
            scale = controls.accuracy_scale()
main = charts.Slot(page_parts.picture(), KEY, (view.dataset, view.encoder, view.public))
caption, details = Place(st.container()), Place(st.container())
groups = controls.groups(view)
queue = controls.queue(groups)


def tell(
    results: answer.Results,
    budget: float,
    precise: bool,
    comparison: answer.PublicComparison = answer.NO_COMPARISON,
) -> str:
    """Return the answer at a budget."""
    return answer.answer(results, view, budget, metric, precise, comparison)


def draw(job: Job) -> None:
    """Draw the chart as far as it goes, and the answer once all that it compares is computed."""
    curve = answer.curve(job, groups, view, metric)
    if job.first_ready.is_set():
        results = answer.results(job, groups)
        answers = (tell(results, view.budget.value, precise) for precise in (True, False))
        page_parts.answer(answer_place, *answers)
        page_parts.tiles(answer.tiles(results, view, metric, answer.NO_COMPARISON), tiles)
    if long_work.worth_drawing(job):
        main.plot(curve, view.budget.value, scale, detail_level.precise())


def begin() -> None:
    """Draw the empty chart and clear what belongs to earlier settings."""
    answer_place.pending()
    for place in (title, caption, details):
        place.empty()
    page_parts.empty_tiles(tiles)
    main.first(lambda: draw(long_work.blank(queue)))


job = long_work.collect(*(KEY, queue, status, draw), begin=begin, near=view.near)
comparison = answer.public_comparison(KEY, view) if job.complete else answer.NO_COMPARISON
results = answer.results(job, groups)
runs_now = answer.at_now(results, view)
with refusals:
    page_parts.refusals(job.errors.values())
    if job.errors:
        answer.refusal_hint(view)
answers = (tell(results, view.budget.value, precise, comparison) for precise in (True, False))
page_parts.answer(answer_place, *answers)
if job.errors or not runs_now:
    page_parts.end()
page_parts.tiles(answer.tiles(results, view, metric, comparison), tiles)

curve = answer.curve(job, groups, view, metric, comparison.public)
accuracies = answer.accuracies_by_budget(results, view, curve.budgets, metric)
all_signs = answer.signs_by_budget(accuracies, view)
signs = answer.against_examples(all_signs)
public_signs = answer.against_public(accuracies, view.lead, metric, comparison)
fall = mixed_privacy_page.fall_sentence(curve, view.lead) if view.ir > 1 else ""
reference, shown_signs = answer.reference_signs(public_signs, signs)
curve = answer.with_clear_budgets(curve, reference, shown_signs)
page_parts.chart_title(answer.chart_title(reference, shown_signs, view), title)

with main.place:
    first_budget, is_kept = live_budget.first_drawn(KEY, (curve, scale), view.budget.value)
    chart = main.plot(curve, first_budget, scale, detail_level.precise())
    frames = BudgetFrames(
        *(KEY, curve.budgets, view.budget.value),
        precise=lambda budget: tell(results, budget, True, comparison),
        plain=lambda budget: tell(results, budget, False, comparison),
        tiles=lambda budget: page_parts.tiles_html(
            answer.tiles(results, view.with_budget(budget), metric, comparison)
        ),
    )
    brief = live_budget.follow(chart, frames) and is_kept
with caption.container():
    better = answer.better_than(view.lead, all_signs)
    beaten = mixed_privacy_page.beaten_sentence(better, view.lead, view.budget.axis)
    page_parts.caption(answer.caption(view, beaten))
    with st.expander(CHART_NOTES):
        page_parts.caption(answer.notes(view, reference))
rerun_scheduling.flush_page(brief)

with details.container():
    sections.details(results, view, metric, comparison, fall)
