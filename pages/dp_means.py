"""DP means: what noise does to a class mean, and when CoinPress falls apart."""

import dataclasses

import streamlit as st

from dpviz.plots import means_map
from dpviz.ui.dp_means import controls, looks
from dpviz.ui.frame import about_numbers, page_record, pinned
from dpviz.ui.live import long_work, page_turns
from dpviz.ui.widgets import cards, charts, export, live_budget, shared_controls, text

KEY = "dp-means"
text.style()
view = controls.sidebar()

answer = page_record.question(
    "What does noise do to a class mean, and when does CoinPress fall apart?"
)
status = st.empty()
wanted = controls.groups(view)
job = long_work.collect(KEY, wanted, status, lambda job: None, begin=lambda: None)
text.refusals(job.errors.values())
found = controls.runs(job, wanted, view)
if found is None:
    st.stop()

names = shared_controls.class_names(found.spec)
metric = shared_controls.metric()
turned = controls.turns(found.spec, [r.spec.seed for r in found.now])
page_record.answer(answer, controls.answer_at(found, view, view.budget.value, metric))

picture = page_record.picture()
with picture:
    cards.private_view()
drawn_budgets = controls.budgets(view)
drawn = controls.means_map(found.spec, drawn_budgets)
if drawn is None:
    st.info(
        "The map of means needs a public set, which its plane is fitted on; this data has none."
        " Everything below works without, unless it says otherwise."
    )
else:
    chart = means_map.info(
        drawn, names, metric, view.budget.axis, view.budget.delta, view.first_seed
    )
    still = dataclasses.replace(found.spec, budget=drawn_budgets[0])
    with picture:
        live_budget.show(
            KEY,
            (still, controls.mark(still), drawn_budgets, metric),
            chart.budgets,
            view.budget.value,
            lambda budget: charts.plot(means_map, chart, f"{KEY}-map", budget),
            lambda budget: controls.answer_at(found, view, budget, metric),
        )
    st.caption(controls.map_caption(chart, view))
page_turns.breathe()
st.caption(text.origin(found.every))
pinned.show(KEY, view, [*found.now, found.exact], metric)
controls.cards_row(found, view, names, turned)

st.header("A closer look")
rows = looks.show(looks.choose(), found, view, names, metric)
if fold := export.fold():
    with fold:
        if drawn is not None:
            export.table(means_map.table(chart, view.budget.value), f"{KEY}-map", "The map")
        export.table(rows, f"{KEY}-look", "The closer look")
        export.block(view, found.every, found.now, KEY)
about_numbers.fold(view)
