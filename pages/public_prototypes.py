"""Public prototypes: what the exponential mechanism picks, and when it turns to nonsense."""

import streamlit as st

from dpviz.plots.prototypes import underlined_column
from dpviz.ui.frame import about_numbers, page_parts, pinned
from dpviz.ui.live import public_runs, rerun_scheduling, session_cost
from dpviz.ui.public_prototypes import answer, pictures, sections
from dpviz.ui.widgets import cards, export, live_budget, shared_controls
from dpviz.ui.widgets.choices import section_choice
from dpviz.ui.widgets.live_budget import BudgetFrames

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
prototypes: answer.Choices = choices

session_cost.count(result.spec for row in prototypes.draws.results for result in row)
sentences = answer.PublicSentences(
    public_runs.alone_accuracy(KEY, view, metric),
    view.budget.value,
    public_runs.other_domain_text(KEY, view, metric),
)
page_parts.answer(place, sentences.precise(prototypes), sentences.plain(prototypes))
cards.private_answer()


def draw(budget: float) -> str:
    """The grid at a budget."""
    with st.container(key=f"{KEY}-grid"):
        st.html(pictures.by_seed(prototypes, budget))
    return f"{KEY}-grid"


with page_parts.picture():
    cards.private_view()
    content = (prototypes.any_budget, prototypes.draws.budgets, prototypes.draws.seeds, metric)
    first_budget, is_kept = live_budget.first_drawn(KEY, content, view.budget.value)
    frames = BudgetFrames(
        KEY,
        prototypes.budgets,
        view.budget.value,
        precise=lambda budget: sentences.precise(prototypes.with_budget(budget)),
        plain=lambda budget: sentences.plain(prototypes.with_budget(budget)),
        slides=True,
    )
    brief = live_budget.follow(draw(first_budget), frames) and is_kept
    page_parts.html(
        KEY, pictures.legend(prototypes), lambda: pictures.by_seed(prototypes, view.budget.value)
    )
rerun_scheduling.flush_page(brief)
page_parts.caption(pictures.legend(prototypes))
st.caption(page_parts.origin(prototypes.current_results))
pinned.show(KEY, view, [*prototypes.current_results, prototypes.exact], metric)
answer.cards_row(prototypes, sentences.public)

st.header("The same draw as the budget grows")
cards.private_view()
st.html(underlined_column(prototypes.row))
st.html(pictures.by_budget(prototypes))
st.caption(pictures.by_budget_words(prototypes))

st.header("A closer look")
rows = section_choice(sections.SECTIONS, "see")(prototypes)
if fold := export.fold():
    with fold:
        export.table(rows, f"{KEY}-look", "The closer look")
        export.block(view, prototypes.current_results, prototypes.current_results, KEY)
about_numbers.fold(view)
answer.prepare_moves(prototypes.data)
