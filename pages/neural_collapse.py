"""Neural collapse: why good features make privacy cheaper, and what breaks that."""

import streamlit as st

from dpviz.experiments.jobs import Job
from dpviz.text import neural_collapse as text
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work, public_runs, rerun_scheduling
from dpviz.ui.neural_collapse import answer, controls, sections
from dpviz.ui.widgets import charts, choices
from dpviz.ui.widgets.section_tabs import Place
from dpviz.views import public_only

KEY = sections.KEY
view = controls.sidebar()

answer_place = Place(page_parts.question(text.TITLE))
status, refusals, tiles = st.empty(), st.container(), Place(st.container())
page_parts.await_tiles(tiles)
with st.container(horizontal=True, vertical_alignment="bottom", key="chart-head"):
    title = Place(st.container(width="content"))
    metric = controls.metric(view)
main = charts.Slot(page_parts.picture(), KEY)
caption, details = st.container(), Place(st.container())
pairs = {source: view.pair(source) for source in view.sources}
drawn_early = False


def show_answer(features: list[answer.Features]) -> None:
    """Draw the answer from all features that can be computed."""
    answers = (answer.answer(features, view, metric, precise) for precise in (True, False))
    page_parts.answer(answer_place, *answers)


def draw(job: Job) -> None:
    """Draw the chart as far as it goes, and the answer before it once all is computed."""
    features = answer.features(job, pairs)
    if job.first_ready.is_set():
        show_answer(features)
    if features:
        main.plot(answer.rows(features, metric), detail_level.precise())


def begin() -> None:
    """Clear what belongs to earlier settings; a view without features does not wait for them."""
    global drawn_early
    for place in (answer_place, title, details):
        place.empty()
    page_parts.empty_tiles(tiles)
    drawn_early = choices.requested_value("look", "") in sections.WITHOUT_FEATURES
    if drawn_early:
        with details.container():
            sections.details([], view, metric)


groups = [group for pair in pairs.values() for group in pair]
job = long_work.collect(KEY, groups, status, draw, begin, near=lambda spec: 0.0)  # all at once
with refusals:
    page_parts.refusals(job.errors.values())
features = answer.features(job, pairs)
show_answer(features)
if not features:
    page_parts.end()
public = public_runs.alone_accuracy(KEY, view, metric) if public_only.spec(view) else None
page_parts.tiles(answer.tiles(features, metric, public), tiles)
page_parts.chart_title(answer.chart_title(features, metric), title)
main.plot(answer.rows(features, metric), detail_level.precise())
with caption:
    sections.caption(view, features)
rerun_scheduling.flush_page(brief=True)
if not drawn_early:
    with details.container():
        sections.details(features, view, metric)
