"""Sweeps: how far they are, and what they found."""

import streamlit as st

from dpviz.plots.budget_curves import BudgetCurve
from dpviz.ui.frame import about_numbers, page_parts
from dpviz.ui.live import session_cost
from dpviz.ui.sweeps import answer, controls, sections, side_by_side
from dpviz.ui.widgets import cards, charts, export, live_budget, shared_controls
from dpviz.ui.widgets.live_budget import BudgetFrames
from dpviz.views import public_only

KEY = "sweeps"

place = page_parts.question("How far are the experiments, and what did they find?")
sweeps = sections.visible_sweeps()
if not sweeps:
    gone_note = answer.GONE if "sweep" in st.query_params else ""
    page_parts.answer(place, gone_note + answer.NONE)
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

lines = controls.lines(results)
budget = results[0].spec.budget
session_cost.count(result.spec for result in results)
metric = shared_controls.metric()
public = answer.public_alone(KEY, lines)
drawn_results = [*lines.drawable, *public]
titles = lines.titles | {result.spec.method: public_only.TITLE for result in public}
curve = BudgetCurve.from_results(drawn_results, titles, metric, budget)


def say(budget: float) -> str:
    """The answer at a budget."""
    words = answer.in_precise_words(lines, curve, budget)
    return f"{answer.state(status)} {words}{answer.compares(results, lines, True)}"


def say_plainly(budget: float) -> str:
    """The same in the plain voice."""
    words = answer.in_plain_words(lines, curve, budget)
    return f"{answer.state(status)} {words}{answer.compares(results, lines, False)}"


page_parts.answer(place, say(lines.budget), say_plainly(lines.budget))
with page_parts.picture():
    first_budget, _ = live_budget.first_drawn(KEY, curve, lines.budget)
    live_budget.follow(
        charts.plot(curve, KEY, first_budget),
        BudgetFrames(
            KEY,
            curve.budgets,
            lines.budget,
            say,
            say_plainly,
            control=controls.BUDGET,
            move=controls.set_budget,
        ),
    )
page_parts.caption(curve.caption())
st.caption(page_parts.origin(results))
page_parts.current_page().again = f"# {KEY}.toml for: {sections.command(KEY)}\n{status.text}"
compared = sections.compared(results, lines, metric, KEY)
sections.by_records(lines, metric, KEY)
side_by_side.grid(results, lines, metric, KEY)

st.header("What each method promises here")
cards.guarantees(lines.now, lines.titles)
cards.cost(curve, lines.budget, lines.drawable)

st.header("All sweeps")
sections.panel(sweeps)
sections.start_form()
if fold := export.fold():
    with fold:
        sections.downloads(lines, results, status, KEY, compared)
about_numbers.fold(lines.view)
