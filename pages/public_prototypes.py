"""Public prototypes: what the exponential mechanism picks, and when it turns to nonsense."""

import streamlit as st

from dpviz.plots import prototype_grid
from dpviz.ui.frame import about_numbers, page_parts, pinned
from dpviz.ui.live import public_runs, rerun_scheduling, session_cost
from dpviz.ui.public_prototypes import answer, pictures, sections
from dpviz.ui.widgets import cards, export, live_budget, shared_controls
from dpviz.ui.widgets.choices import section_choice

KEY = answer.KEY
view = answer.sidebar()

place = page_parts.question("Which public picture stands for a class, and when is it nonsense?")
reference = answer.exact(view, st.empty())
if reference is None:
    page_parts.end()
metric = shared_controls.metric(view)
choices = answer.choices(view, reference, metric)
if choices is None:
    page_parts.end()
shown: answer.Choices = choices

session_cost.count(result.spec for row in shown.draws.results for result in row)
said = answer.PublicSentences(
    public_runs.alone_accuracy(KEY, view, metric),
    view.budget.value,
    public_runs.other_domain_text(KEY, view, metric),
)
page_parts.answer(place, said.precise(shown), said.plain(shown))
cards.private_answer()


def draw(budget: float) -> str:
    """The grid at a budget."""
    with st.container(key=f"{KEY}-grid"):
        st.html(pictures.by_seed(shown, budget))
    return f"{KEY}-grid"


with page_parts.picture():
    cards.private_view()
    stands = live_budget.show(
        KEY,
        (shown.any_budget, shown.draws.budgets, shown.draws.seeds, metric),
        shown.budgets,
        view.budget.value,
        draw,
        lambda budget: said.precise(shown.at(budget)),
        slides=True,
        plain=lambda budget: said.plain(shown.at(budget)),
    )
    page_parts.html(KEY, pictures.legend(shown), lambda: pictures.by_seed(shown, view.budget.value))
rerun_scheduling.flush_page(stands)
page_parts.caption(pictures.legend(shown))
st.caption(page_parts.origin(shown.now))
pinned.show(KEY, view, [*shown.now, shown.exact], metric)
answer.cards_row(shown, said.public)

st.header("The same draw as the budget grows")
cards.private_view()
st.html(prototype_grid.underline(shown.row))
st.html(pictures.by_budget(shown))
st.caption(pictures.by_budget_words(shown))

st.header("A closer look")
rows = section_choice(sections.SECTIONS, "see")(shown)
if fold := export.fold():
    with fold:
        export.table(rows, f"{KEY}-look", "The closer look")
        export.block(view, shown.now, shown.now, KEY)
about_numbers.fold(view)
answer.prepare_moves(shown.data)
