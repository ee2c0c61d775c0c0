"""Mixed privacy: AdaMix, its ablations, and what public examples are worth."""

import streamlit as st

from dpviz.plots import error_curve
from dpviz.plots.style import METRIC_WORDS
from dpviz.ui import about, charts, export, hand, mixed, mixed_parts, record, swift, text, work
from dpviz.ui.linked import choice

KEY = "mixed-privacy"
text.style()
now = mixed.sidebar()

answer = record.question("What do a few public examples buy?")
status = st.empty()
with st.container(horizontal=True, vertical_alignment="bottom"):
    metric = mixed.metric()
    log = (
        choice(st.segmented_control, "Error axis", mixed.SCALES, "linear", "scale", required=True)
        == "log"
    )
    st.caption(f"Error: 100 % minus records {METRIC_WORDS[metric]}.", width="content")
main = charts.Slot(record.picture(), KEY)
wanted = mixed.groups(now)
queue = mixed.queue(wanted)


def curve(job):
    """What is there of the chart so far."""
    found = mixed.results(job, wanted)
    waiting = [name for name, mine in wanted.items() if not found[name] and mine[0] in job.missing]
    return found, error_curve.info(found, metric, now.view.axis, now.view.delta, waiting)


def draw(job):
    """The chart as far as it goes."""
    shown = curve(job)[1]
    main.draw(error_curve.figure(shown, now.view.budget, log), error_curve.alt(shown))


job = work.collect(
    KEY, queue, status, draw, begin=lambda: main.first(lambda: draw(work.blank(queue)))
)
found, shown = curve(job)
here = mixed.at_now(found, now)
with answer:
    text.refusals(job.errors.values())
    if job.errors:
        mixed.refusal_hint(now)
    record.answer(st, mixed.answer(here, now, metric))
if job.errors or not here:
    st.stop()

drawn_at = hand.steady(KEY, (shown, log), now.view.budget)
main.draw(error_curve.figure(shown, drawn_at, log), error_curve.alt(shown))
hand.tie(
    main.key,
    shown.budgets,
    now.view.budget,
    lambda budget: mixed.answer_at(found, now, budget, metric),
)
swift.breathe()
st.caption(
    f"Bands: 95 % t-interval over N = {now.view.seeds} seeds of noise and of public shots. Where a"
    f" line lies below Only-Public, the private records have paid off. {mixed.where(shown, now)}"
)
st.caption(text.origin([r for mine in found.values() for r in mine]))
mixed.cards_row(here, now, metric)

st.header("A closer look")
rows = mixed_parts.show(mixed_parts.choose(), now, metric)
if fold := export.fold():
    with fold:
        export.table(rows, f"{KEY}-look", "The closer look")
        mixed_parts.block(found, here)
mixed_parts.about(now)
about.fold(now.view)
