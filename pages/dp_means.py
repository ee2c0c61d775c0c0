"""DP means: what noise does to a class mean, and when CoinPress falls apart."""

import dataclasses

import streamlit as st

from dpviz.plots import means_map
from dpviz.ui import (
    about,
    cards,
    charts,
    controls,
    export,
    hand,
    means,
    means_parts,
    pinned,
    record,
    swift,
    text,
    work,
)

KEY = "dp-means"
text.style()
view = means.sidebar()

answer = record.question("What does noise do to a class mean, and when does CoinPress fall apart?")
status = st.empty()
wanted = means.groups(view)
job = work.collect(KEY, wanted, status, lambda job: None, begin=lambda: None)
text.refusals(job.errors.values())
found = means.runs(job, wanted, view)
if found is None:
    st.stop()

names = controls.class_names(found.spec)
metric = controls.metric()
turned = means.turns(found.spec, [r.spec.seed for r in found.now])
record.answer(answer, means.answer_at(found, view, view.budget, metric))

picture = record.picture()
with picture:
    cards.private_view()
drawn_budgets = means.budgets(view)
drawn = means.means_map(found.spec, drawn_budgets)
if drawn is None:
    st.info(
        "The map of means needs a public set, which its plane is fitted on; this data has none."
        " Everything below works without, unless it says otherwise."
    )
else:
    chart = means_map.info(drawn, names, metric, view.axis, view.delta, view.first_seed)
    still = dataclasses.replace(found.spec, budget=drawn_budgets[0])
    drawn_at = hand.steady(KEY, (still, means.mark(still), drawn_budgets, metric), view.budget)
    with picture:
        charts.show(means_map.figure(chart, drawn_at), means_map.alt(chart), f"{KEY}-map")
    st.caption(means.map_caption(chart, view))
swift.breathe()
if drawn is not None:
    hand.tie(
        f"{KEY}-map",
        chart.budgets,
        view.budget,
        lambda budget: means.answer_at(found, view, budget, metric),
    )
st.caption(text.origin(found.every))
pinned.show(KEY, view, [*found.now, found.exact], metric)
means.cards_row(found, view, names, turned)

st.header("A closer look")
rows = means_parts.show(means_parts.choose(), found, view, names, metric)
if fold := export.fold():
    with fold:
        if drawn is not None:
            export.table(means_map.table(chart, view.budget), f"{KEY}-map", "The map")
        export.table(rows, f"{KEY}-look", "The closer look")
        export.block(view, found.every, found.now, KEY)
about.fold(view)
