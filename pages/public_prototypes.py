"""Public prototypes: what the exponential mechanism picks, and when it turns to nonsense."""

import dataclasses

import streamlit as st

from dpviz.plots import prototype_grid
from dpviz.types import Budget, DpvizError
from dpviz.ui import (
    about,
    cards,
    controls,
    export,
    hand,
    meter,
    pinned,
    prototypes,
    prototypes_parts,
    record,
    swift,
    text,
    work,
)

KEY = "public-prototypes"
text.style()
view = prototypes.sidebar()

answer = record.question("What does the mechanism pick, and when is it nonsense?")
status = st.empty()
wanted = view.groups()[:1]
job = work.collect(KEY, wanted, status, lambda job: None, begin=lambda: None)
text.refusals(job.errors.values())
if not job.complete:
    st.stop()
metric = controls.metric()
try:
    found = prototypes.scene(view, job.done[wanted[0]][0], metric)
except DpvizError as error:
    text.refusals([str(error)])
    st.stop()

record.answer(answer, prototypes.answer(found, view))
meter.count(found.now, found.spec.budget)
still = (
    dataclasses.replace(found.spec, budget=Budget(1.0, view.axis, view.delta)),
    found.draws.budgets,
    found.draws.seeds,
    metric,
)
with record.picture():
    cards.private_view()
    with st.container(key=f"{KEY}-grid"):
        st.html(prototypes.by_seed(found, view, hand.steady(KEY, still, view.budget)))
    record.html(KEY, prototypes.legend(found), lambda: prototypes.by_seed(found, view, view.budget))
    hand.tie(
        f"{KEY}-grid",
        prototypes.budgets(found),
        view.budget,
        lambda budget: prototypes.answer_at(found, view, budget),
        slider=True,
    )
swift.breathe()
st.caption(prototypes.legend(found))
st.caption(text.origin(found.now))
pinned.show(KEY, view, [*found.now, found.exact], metric)
prototypes.cards_row(found, view)

st.header("The same draw as the budget grows")
st.html(prototype_grid.underline(found.row))
st.html(
    prototype_grid.html(
        prototypes.by_budget(found),
        "The picture picked for each class at each budget, with the first noise seed.",
        small=True,
    )
)
st.caption(prototypes.strip_words(found, view))

st.header("A closer look")
rows = prototypes_parts.show(prototypes_parts.choose(), found, view)
if fold := export.fold():
    with fold:
        export.table(rows, f"{KEY}-look", "The closer look")
        export.block(view, found.now, found.now, KEY)
about.fold(view)
prototypes.prepare_moves(found.data)
