"""Sweeps: how far they are, and what they found."""

import dataclasses

import streamlit as st

from dpviz import sweeps as kept
from dpviz.plots import budget_curve
from dpviz.types import DpvizError
from dpviz.ui import (
    about,
    cards,
    charts,
    controls,
    export,
    hand,
    meter,
    record,
    sentence,
    sweeps,
    text,
)

KEY = "sweeps"
text.style()

answer = record.question("How far are the sweeps, and what did they find?")
found = kept.statuses()
if not found:
    gone = (
        "The sweep that the link names is not on this server. "
        if "sweep" in st.query_params
        else ""
    )
    record.answer(
        answer,
        f"{gone}No sweep has run yet: begin one below, or from a shell with `python -m dpviz sweep"
        " sweep.toml --out results.csv`.",
    )
    sweeps.start_form(first=True)
    st.stop()

status = sweeps.pick(found)
try:
    results = sweeps.read(status)
except DpvizError as error:
    text.refusals([str(error)])
    results = ()
if not results:
    record.answer(
        answer,
        f"{sweeps.state_sentence(status)} Nothing of it is in the store yet, or it was computed by"
        " other code.",
    )
    sweeps.panel(found)
    sweeps.start_form()
    st.stop()

shown = sweeps.narrowed(results)
meter.count(results, dataclasses.replace(results[0].spec.budget, value=shown.budget))
metric = controls.metric()
first = results[0].spec.budget
curve = budget_curve.info(sweeps.drawable(shown), shown.titles, metric, first.axis, first.delta)


def say(budget):
    """The answer at a budget."""
    return f"{sweeps.state_sentence(status)} {sentence.answer(curve, shown.ir, budget)}"


record.answer(answer, say(shown.budget))
with record.picture():
    charts.show(
        budget_curve.figure(curve, hand.steady(KEY, curve, shown.budget)),
        budget_curve.alt(curve),
        KEY,
    )
hand.tie(KEY, curve.budgets, shown.budget, say, control=sweeps.BUDGET, move=sweeps.set_budget)
st.caption(budget_curve.caption(curve))
st.caption(text.origin(results))
record.now().again = (
    f"# {KEY}.toml for: python -m dpviz sweep {KEY}.toml --out {KEY}.csv\n{status.text}"
)

st.header("What each method promises here")
cards.guarantees(shown.now, shown.titles)
cards.cost(curve, shown.budget, sweeps.drawable(shown))

st.header("All sweeps")
sweeps.panel(found)
sweeps.start_form()
if fold := export.fold():
    with fold:
        export.table(sweeps.rows(shown.results), f"{KEY}-shown", "What is drawn")
        with st.container(horizontal=True):
            st.download_button(
                "All results as CSV",
                export.table_csv(results),
                f"{KEY}.csv",
                "text/csv",
                on_click="ignore",
                icon=":material/download:",
            )
            st.download_button(
                "The sweep as TOML",
                status.text,
                f"{KEY}.toml",
                "text/plain",
                on_click="ignore",
                icon=":material/download:",
            )
        st.code(f"python -m dpviz sweep {KEY}.toml --out {KEY}.csv", language="bash")
about.fold(shown.view)
