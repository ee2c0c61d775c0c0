"""Trade-off: accuracy against budget, for all methods at once."""

import streamlit as st

from dpviz.plots import accuracy_by_budget, class_accuracy, class_sizes
from dpviz.ui.frame import about_numbers, page_record, pinned
from dpviz.ui.live import long_work, page_turns
from dpviz.ui.trade_off import looks
from dpviz.ui.widgets import cards, charts, export, live_budget, shared_controls, text
from dpviz.views import accuracy_sentence

KEY = "trade-off"
text.style()
view = shared_controls.sidebar()

answer = page_record.question("What does privacy cost, and who pays?")
status = st.empty()
metric = shared_controls.metric()
main = charts.Slot(page_record.picture(), KEY)


def curve(job):
    """What is there of the chart so far."""
    results = [r for group in job.groups for r in job.done.get(group, ())]
    missing = {group[0].method for group in job.missing}
    waiting = [title for key, title in view.titles.items() if key in missing]
    return results, accuracy_by_budget.info(
        results, view.titles, metric, view.budget.axis, view.budget.delta, waiting
    )


def draw(job):
    """The chart as far as it goes."""
    shown = curve(job)[1]
    main.draw(accuracy_by_budget.figure(shown, view.budget.value), accuracy_by_budget.alt(shown))


job = long_work.collect(
    KEY,
    view.groups(),
    status,
    draw,
    begin=lambda: main.first(lambda: draw(long_work.blank(view.groups()))),
)
results, shown = curve(job)
with answer:
    text.refusals(job.errors.values())
    page_record.answer(
        st,
        accuracy_sentence.answer(shown, view.ir, view.budget.value)
        if results
        else "Nothing is drawn yet.",
    )
if not results:
    st.stop()

live_budget.show(
    KEY,
    shown,
    shown.budgets,
    view.budget.value,
    lambda budget: main.plot(accuracy_by_budget, shown, budget),
    lambda budget: accuracy_sentence.answer(shown, view.ir, budget),
)
page_turns.breathe()
st.caption(accuracy_by_budget.caption(shown))
st.caption(text.origin(results))
at_now = view.at_now(results)
references = [r for r in results if not r.spec.budget.private]
pinned.show(KEY, view, at_now + references, metric)

names = shared_controls.class_names(results[0].spec)
st.header("What each method promises here")
cards.guarantees(at_now, view.titles)
with st.container(horizontal=True):
    cards.cost(shown, view.budget.value, results)
    cards.hurt(at_now, view.titles, names)

st.header("Who is in the data, and who is right")
cards.private_view()
left, right = st.columns([2, 3])
with left:
    sizes = class_sizes.info(results[0].class_counts, results[0].minority_classes, names)
    charts.show(
        class_sizes.figure(sizes),
        class_sizes.alt(sizes),
        f"{KEY}-sizes",
        "Class sizes as they are now; the minority is hatched.",
    )
with right:
    each = class_accuracy.info(results, view.titles, names, view.budget.value)
    charts.show(
        class_accuracy.figure(each),
        class_accuracy.alt(each),
        f"{KEY}-classes",
        "Accuracy of each class at this budget; the minority is shaded.",
    )

looks.fold(shown, view.ir)
if fold := export.fold():
    with fold:
        export.block(view, results, at_now, KEY)
about_numbers.fold(view)
