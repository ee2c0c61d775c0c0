"""Public prototypes: what the exponential mechanism picks, and when it turns to nonsense."""

import dataclasses

import streamlit as st

from dpviz.plots import prototype_grid
from dpviz.types import DpvizError
from dpviz.ui.frame import about_numbers, page_record, pinned
from dpviz.ui.live import long_work, page_turns, price_of_looking
from dpviz.ui.public_prototypes import controls, looks
from dpviz.ui.widgets import cards, export, live_budget, shared_controls, text

KEY = "public-prototypes"
text.style()
view = controls.sidebar()

answer = page_record.question("What does the mechanism pick, and when is it nonsense?")
status = st.empty()
wanted = view.groups()[:1]
job = long_work.collect(KEY, wanted, status, lambda job: None, begin=lambda: None)
text.refusals(job.errors.values())
if not job.complete:
    st.stop()
metric = shared_controls.metric()
try:
    found = controls.scene(view, job.done[wanted[0]][0], metric)
except DpvizError as error:
    text.refusals([str(error)])
    st.stop()

page_record.answer(answer, controls.answer(found, view))
price_of_looking.count(found.now, found.spec.budget)
still = (
    dataclasses.replace(found.spec, budget=dataclasses.replace(view.budget, value=1.0)),
    found.draws.budgets,
    found.draws.seeds,
    metric,
)


def draw(budget):
    """The grid at a budget."""
    with st.container(key=f"{KEY}-grid"):
        st.html(controls.by_seed(found, view, budget))
    return f"{KEY}-grid"


with page_record.picture():
    cards.private_view()
    live_budget.show(
        KEY,
        still,
        controls.budgets(found),
        view.budget.value,
        draw,
        lambda budget: controls.answer_at(found, view, budget),
        slider=True,
    )
    page_record.html(
        KEY, controls.legend(found), lambda: controls.by_seed(found, view, view.budget.value)
    )
page_turns.breathe()
st.caption(controls.legend(found))
st.caption(text.origin(found.now))
pinned.show(KEY, view, [*found.now, found.exact], metric)
controls.cards_row(found, view)

st.header("The same draw as the budget grows")
st.html(prototype_grid.underline(found.row))
st.html(
    prototype_grid.html(
        controls.by_budget(found),
        "The picture picked for each class at each budget, with the first noise seed.",
        small=True,
    )
)
st.caption(controls.strip_words(found, view))

st.header("A closer look")
rows = looks.show(looks.choose(), found, view)
if fold := export.fold():
    with fold:
        export.table(rows, f"{KEY}-look", "The closer look")
        export.block(view, found.now, found.now, KEY)
about_numbers.fold(view)
controls.prepare_moves(found.data)
