"""Mixed privacy: AdaMix, its ablations, and what public examples are worth."""

import streamlit as st

from dpviz.plots import error_by_budget
from dpviz.ui.frame import about_numbers, page_record
from dpviz.ui.live import long_work, page_turns
from dpviz.ui.mixed_privacy import controls, looks
from dpviz.ui.widgets import charts, export, live_budget, text
from dpviz.ui.widgets.choices import choice
from dpviz.words import METRIC_WORDS

KEY = "mixed-privacy"
text.style()
now = controls.sidebar()

answer = page_record.question("What do a few public examples buy?")
status = st.empty()
with st.container(horizontal=True, vertical_alignment="bottom"):
    metric = controls.metric()
    log = (
        choice(
            st.segmented_control, "Error axis", controls.SCALES, "linear", "scale", required=True
        )
        == "log"
    )
    st.caption(f"Error: 100 % minus records {METRIC_WORDS[metric]}.", width="content")
main = charts.Slot(page_record.picture(), KEY)
wanted = controls.groups(now)
queue = controls.queue(wanted)


def curve(job):
    """What is there of the chart so far."""
    found = controls.results(job, wanted)
    waiting = [name for name, mine in wanted.items() if not found[name] and mine[0] in job.missing]
    return found, error_by_budget.info(
        found, metric, now.view.budget.axis, now.view.budget.delta, waiting
    )


def draw(job):
    """The chart as far as it goes."""
    shown = curve(job)[1]
    main.draw(error_by_budget.figure(shown, now.view.budget.value, log), error_by_budget.alt(shown))


job = long_work.collect(
    KEY, queue, status, draw, begin=lambda: main.first(lambda: draw(long_work.blank(queue)))
)
found, shown = curve(job)
here = controls.at_now(found, now)
with answer:
    text.refusals(job.errors.values())
    if job.errors:
        controls.refusal_hint(now)
    page_record.answer(st, controls.answer(here, now, metric))
if job.errors or not here:
    st.stop()

live_budget.show(
    KEY,
    (shown, log),
    shown.budgets,
    now.view.budget.value,
    lambda budget: main.plot(error_by_budget, shown, budget, log),
    lambda budget: controls.answer_at(found, now, budget, metric),
)
page_turns.breathe()
st.caption(
    f"Bands: 95 % t-interval over N = {now.view.seeds} seeds of noise and of public shots. Where a"
    f" line lies below Only-Public, the private records have paid off. {controls.where(shown, now)}"
)
st.caption(text.origin([r for mine in found.values() for r in mine]))
controls.cards_row(here, now, metric)

st.header("A closer look")
rows = looks.show(looks.choose(), now, metric)
if fold := export.fold():
    with fold:
        export.table(rows, f"{KEY}-look", "The closer look")
        looks.block(found, here)
looks.about(now)
about_numbers.fold(now.view)
