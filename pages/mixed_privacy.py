"""Mixed privacy: AdaMix, its ablations, and what public examples are worth."""

import streamlit as st

from dpviz.run.jobs import Job
from dpviz.ui.frame import about_numbers, detail_level, page_parts
from dpviz.ui.live import long_work, rerun_scheduling
from dpviz.ui.mixed_privacy import answer, controls, sections
from dpviz.ui.widgets import charts, choices, export, live_budget, shared_controls
from dpviz.views import mixed_in_plain_words

KEY = "mixed-privacy"
view = controls.sidebar()

sentence = page_parts.question("What do a few public examples buy?")
refused, said = (
    sentence.container(),
    page_parts.OneAnswer(sentence, (view.dataset, view.encoder, view.public)),
)
status = st.empty()
with st.container(horizontal=True, vertical_alignment="bottom"):
    metric = controls.metric()
    log = choices.segments("Error axis", controls.SCALES, "linear", "scale") == "log"
    st.caption(
        f"Error: 100 % minus records {shared_controls.group_text(metric, view)}.", width="content"
    )
main = charts.Slot(page_parts.picture(), KEY)
wanted = controls.groups(view)
queue = controls.queue(wanted)


def draw(job: Job) -> None:
    """The chart as far as it goes, and the answer once all that it compares is there."""
    shown = answer.curve(job, wanted, view, metric)
    if job.first_ready.is_set():
        some = answer.results(job, wanted), view, view.budget.value, metric
        page_parts.answer(said, answer.answer(*some), answer.plain(*some))
    if long_work.worth_drawing(job):
        main.plot(shown, view.budget.value, log)


def begin() -> None:
    """The chart and the sentence before anything is computed."""
    said.pending()
    main.first(lambda: draw(long_work.blank(queue)))


job = long_work.collect(*(KEY, queue, status, draw), begin=begin, near=view.near)
beside = answer.public_comparison(KEY, view, metric) if job.complete else answer.NOTHING_BESIDE
results = answer.results(job, wanted)
shown = answer.curve(job, wanted, view, metric, beside.public)
now = answer.at_now(results, view)
say = lambda budget: answer.answer(results, view, budget, metric, beside)
plain = lambda budget: answer.plain(results, view, budget, metric, beside)
with refused:
    page_parts.refusals(job.errors.values())
    if job.errors:
        answer.refusal_hint(view)
page_parts.answer(said, say(view.budget.value), plain(view.budget.value))
if job.errors or not now:
    page_parts.end()

with main.place:
    stands = live_budget.show(
        KEY,
        (shown, log),
        shown.budgets,
        view.budget.value,
        lambda budget: main.plot(shown, budget, log),
        say,
        plain=plain,
    )
rerun_scheduling.flush_page(stands)
page_parts.caption(
    detail_level.at_level(answer.caption(shown, view), mixed_in_plain_words.HOW_TO_READ)
)
st.caption(page_parts.origin([r for runs in results.values() for r in runs] + beside.public))
answer.cards_row(now, view, metric)

st.header("A closer look")
look = choices.section_choice(sections.SECTIONS, "mix")
rows = look(view, metric)
if fold := export.fold():
    with fold:
        export.table(rows, f"{KEY}-look", "The closer look")
        sections.block(results, now)
sections.about(view)
about_numbers.fold(view)
