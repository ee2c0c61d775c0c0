"""DP means: what noise does to a class mean, and when CoinPress falls apart."""

import dataclasses

import streamlit as st

from dpviz.plots.mean_maps import MeansMap
from dpviz.run import experiment
from dpviz.ui.dp_means import answer, sections
from dpviz.ui.frame import about_numbers, page_parts, pinned
from dpviz.ui.live import public_runs, rerun_scheduling
from dpviz.ui.widgets import cards, charts, choices, export, live_budget, shared_controls
from dpviz.ui.widgets.live_budget import BudgetFrames

KEY = "dp-means"
view = answer.sidebar()

sentence = page_parts.question(
    "What does noise do to the average of a class, and when does it break?"
)
results = answer.results(KEY, view, st.empty())
if results is None:
    page_parts.end()

shared_controls.need_every_class(results.spec)
names = shared_controls.class_names(results.spec)
metric = shared_controls.metric(view)
public = public_runs.alone_accuracy(KEY, view, metric)
say = lambda budget: answer.answer(results, view, budget, metric, public)
say_plainly = lambda budget: answer.plainly(results, view, budget, metric, names, public)
page_parts.answer(sentence, say(view.budget.value), say_plainly(view.budget.value))

cards.private_answer()
picture = page_parts.picture()
with picture:
    cards.private_view()
budgets = tuple(map(view.budget.with_value, view.budgets))
means = answer.means_map(results.spec, budgets)
brief = False
if means is None:
    st.info(
        "The map of means needs a public set, which its plane is fitted on; this data has none."
        " Everything below works without, unless it says otherwise."
    )
else:
    chart = MeansMap.from_map(
        means, names, metric, view.budget.axis, view.budget.delta, view.first_seed
    )
    first_spec = dataclasses.replace(results.spec, budget=budgets[0])
    content = (first_spec, experiment.prepared(first_spec).fingerprint, budgets, metric)
    with picture:
        first_budget, is_kept = live_budget.first_drawn(KEY, content, view.budget.value)
        frames = BudgetFrames(KEY, chart.budgets, view.budget.value, say, say_plainly)
        key = charts.plot(chart, f"{KEY}-map", first_budget)
        brief = live_budget.follow(key, frames) and is_kept
    page_parts.caption(answer.map_caption(chart, view))
rerun_scheduling.flush_page(brief)
st.caption(page_parts.origin(results.all_budgets))
pinned.show(KEY, view, [*results.at_budget, results.exact], metric)
answer.cards_row(results, view, names, metric, public)

st.header("A closer look")
section = choices.section_choice(sections.SECTIONS)
rows = section(results, view, names, metric)
if fold := export.fold():
    with fold:
        if means is not None:
            export.table(chart.table(view.budget.value), f"{KEY}-map", "The map")
        export.table(rows, f"{KEY}-look", "The closer look")
        export.block(view, results.all_budgets, results.at_budget, KEY)
about_numbers.fold(view)
