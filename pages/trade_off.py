"""Trade-off: accuracy against budget, for all methods at once."""

import streamlit as st

from dpviz.plots import accuracy_by_budget
from dpviz.ui.frame import about_numbers, page_parts, pinned, voice
from dpviz.ui.live import long_work, page_turns
from dpviz.ui.trade_off import answer, controls, grid, looks
from dpviz.ui.widgets import (
    cards,
    charts,
    export,
    live_budget,
    panel_controls,
    shared_controls,
)
from dpviz.views import accuracy_sentence, deployments, trade_off_in_plain_words

KEY = "trade-off"
view = controls.sidebar()

sentence = page_parts.question("What does privacy cost, and who pays?")
refused, said = sentence.container(), page_parts.OneAnswer(sentence)
status = st.empty()
metric = shared_controls.metric(view, beside=panel_controls.kind)


def one_chart():
    """All methods in one chart, and what stands below it."""
    main = charts.Slot(page_parts.picture(), KEY)

    def precisely(some, job):
        """The answer at any budget, in the precise voice."""
        rare, given = bool(answer.rare(job)), answer.promises(answer.results(job))
        return lambda budget: accuracy_sentence.answer(some, view, budget, rare, given)

    def plainly(some, job):
        """The same in the plain voice."""
        rare, given = answer.rare(job), answer.promises(answer.results(job))
        return lambda budget: trade_off_in_plain_words.answer(some, view, budget, rare, given)

    voices = precisely, plainly

    def draw(job):
        """The chart as far as it goes, and the answer once all that it compares is there."""
        some = answer.curve(job, view, metric)
        if job.ahead.is_set() and some.lines:
            page_parts.answer(said, *(told(some, job)(view.budget.value) for told in voices))
        if long_work.worth_drawing(job):
            main.plot(accuracy_by_budget, some, view.budget.value)

    groups = view.groups() + view.quiet()
    job = long_work.collect(
        *(KEY, groups, status, draw),
        begin=lambda: main.first(lambda: draw(long_work.blank(groups))),
        near=view.near,
    )
    results, curve = answer.results(job), answer.curve(job, view, metric)
    say, say_plainly = (told(curve, job) for told in voices)
    with refused:
        page_parts.refusals(job.errors.values())
    if not results:
        page_parts.answer(said, "Nothing is drawn yet.")
        st.stop()
    page_parts.answer(said, say(view.budget.value), say_plainly(view.budget.value))

    with main.place:
        live_budget.show(
            KEY,
            curve,
            curve.budgets,
            view.budget.value,
            lambda budget: main.plot(accuracy_by_budget, curve, budget),
            say,
            plain=say_plainly,
            marks=deployments.on_axis(view.budget.axis),
        )
    page_turns.breathe()
    page_parts.caption(accuracy_by_budget.caption(curve, voice.precise()))
    if curve.quiet or curve.references:
        cards.private_view()
    st.caption(page_parts.origin(results + answer.quiet(job)))
    looks.to_maps(view)
    now = view.at_now(results)
    pinned.show(KEY, view, now + [r for r in results if not r.spec.budget.private], metric)

    names = shared_controls.class_names(results[0].spec)
    st.header("What each method promises here")
    answer.cards_row(curve, view, results, names)
    st.header("Who is in the data, and who is right")
    looks.class_by_class(KEY, results, view, names)
    looks.ranked(curve, view.budget.value)
    looks.backwards(curve, view, answer.promises(results))
    looks.to_persons(view)
    if fold := export.fold():
        with fold:
            export.block(view, results + answer.quiet(job), now, KEY)
    about_numbers.fold(view)


if panel_controls.as_grid():
    asked = panel_controls.ask(view)
    grid.below(asked, *grid.show(asked, metric, said, page_parts.picture(), status))
    about_numbers.fold(view)
else:
    one_chart()
