"""Sweeps: how far they are, and what they found."""

import dataclasses

import streamlit as st

from dpviz.plots import accuracy_by_budget
from dpviz.run import result_files
from dpviz.run import sweep_files as kept
from dpviz.types import DpvizError
from dpviz.ui.frame import about_numbers, page_record
from dpviz.ui.live import price_of_looking
from dpviz.ui.sweeps import controls
from dpviz.ui.widgets import cards, charts, export, live_budget, shared_controls, text
from dpviz.views import accuracy_sentence

KEY = "sweeps"
text.style()

answer = page_record.question("How far are the sweeps, and what did they find?")
found = kept.statuses()
if not found:
    gone = (
        "The sweep that the link names is not on this server. "
        if "sweep" in st.query_params
        else ""
    )
    page_record.answer(
        answer,
        f"{gone}No sweep has run yet: begin one below, or from a shell with `python -m dpviz sweep"
        " sweep.toml --out results.csv`.",
    )
    controls.start_form(first=True)
    st.stop()

status = controls.pick(found)
try:
    results = controls.read(status)
except DpvizError as error:
    text.refusals([str(error)])
    results = ()
if not results:
    page_record.answer(
        answer,
        f"{controls.state_sentence(status)} Nothing of it is in the store yet, or it was computed by"
        " other code.",
    )
    controls.panel(found)
    controls.start_form()
    st.stop()

shown = controls.narrowed(results)
price_of_looking.count(results, dataclasses.replace(results[0].spec.budget, value=shown.budget))
metric = shared_controls.metric()
first = results[0].spec.budget
curve = accuracy_by_budget.info(
    controls.drawable(shown), shown.titles, metric, first.axis, first.delta
)


def say(budget):
    """The answer at a budget."""
    return f"{controls.state_sentence(status)} {accuracy_sentence.answer(curve, shown.ir, budget)}"


page_record.answer(answer, say(shown.budget))
with page_record.picture():
    live_budget.show(
        KEY,
        curve,
        curve.budgets,
        shown.budget,
        lambda budget: charts.plot(accuracy_by_budget, curve, KEY, budget),
        say,
        control=controls.BUDGET,
        move=controls.set_budget,
    )
st.caption(accuracy_by_budget.caption(curve))
st.caption(text.origin(results))
page_record.now().again = (
    f"# {KEY}.toml for: python -m dpviz sweep {KEY}.toml --out {KEY}.csv\n{status.text}"
)

st.header("What each method promises here")
cards.guarantees(shown.now, shown.titles)
cards.cost(curve, shown.budget, controls.drawable(shown))

st.header("All sweeps")
controls.panel(found)
controls.start_form()
if fold := export.fold():
    with fold:
        export.table(controls.rows(shown.results), f"{KEY}-shown", "What is drawn")
        with st.container(horizontal=True):
            st.download_button(
                "All results as CSV",
                result_files.as_csv(results),
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
about_numbers.fold(shown.view)
