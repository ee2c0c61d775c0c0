"""Sweeps: how far they are, and what they found."""

import streamlit as st

from dpviz.plots import accuracy_by_budget
from dpviz.ui.frame import about_numbers, page_parts
from dpviz.ui.live import session_cost
from dpviz.ui.sweeps import answer, controls, sections
from dpviz.ui.widgets import cards, charts, export, live_budget, shared_controls
from dpviz.views import public_only

KEY = "sweeps"

place = page_parts.question("How far are the experiments, and what did they find?")
sweeps = sections.visible_sweeps()
if not sweeps:
    gone = answer.UNKNOWN_SWEEP if "sweep" in st.query_params else ""
    page_parts.answer(place, gone + answer.NO_SWEEPS)
    sections.start_form(first=True)
    page_parts.end()

status = controls.pick(sweeps)
results = answer.results(status)
if not results:
    page_parts.answer(
        place,
        f"{answer.state(status)} Nothing of it is in the store yet, or it was computed by other"
        " code.",
    )
    sections.panel(sweeps)
    sections.start_form()
    page_parts.end()

shown = controls.lines(results)
first = results[0].spec.budget
session_cost.count(result.spec for result in results)
metric = shared_controls.metric()
public = answer.public_alone(KEY, shown)
drawn = [*shown.drawable, *public]
titles = shown.titles | {result.spec.method: public_only.TITLE for result in public}
curve = accuracy_by_budget.info(drawn, titles, metric, first.axis, first.delta)


def say(budget: float) -> str:
    """The answer at a budget."""
    found = answer.in_precise_words(shown, curve, budget)
    return f"{answer.state(status)} {found}{answer.compares(results, shown, True)}"


def say_plainly(budget: float) -> str:
    """The same in the plain voice."""
    found = answer.in_plain_words(shown, curve, budget)
    return f"{answer.state(status)} {found}{answer.compares(results, shown, False)}"


page_parts.answer(place, say(shown.budget), say_plainly(shown.budget))
with page_parts.picture():
    live_budget.show(
        KEY,
        curve,
        curve.budgets,
        shown.budget,
        lambda budget: charts.plot(accuracy_by_budget, curve, KEY, budget),
        say,
        control=controls.BUDGET,
        move=controls.set_budget,
        plain=say_plainly,
    )
page_parts.caption(accuracy_by_budget.caption(curve))
st.caption(page_parts.origin(results))
page_parts.current_page().reproduction = f"# {KEY}.toml for: {sections.command(KEY)}\n{status.text}"
compared = sections.compared(results, shown, metric, KEY)
sections.by_records(shown, metric, KEY)
sections.grid(results, shown, metric, KEY)

st.header("What each method promises here")
cards.guarantees(shown.current_runs, shown.titles)
cards.cost(curve, shown.budget, shown.drawable)

st.header("All sweeps")
sections.panel(sweeps)
sections.start_form()
if fold := export.fold():
    with fold:
        sections.downloads(shown, results, status, KEY, compared)
about_numbers.fold(shown.view)
