"""One person, many pictures: accuracy where persons are promised what pictures are promised."""

import streamlit as st

from dpviz.data import persons_known
from dpviz.plots import accuracy_by_records
from dpviz.run import experiment
from dpviz.ui.frame import about_numbers, page_parts
from dpviz.ui.live import long_work, page_turns
from dpviz.ui.many_pictures import answer, attacker, controls, looks
from dpviz.ui.widgets import charts, export, shared_controls

KEY = "many-pictures"
view = controls.sidebar()

sentence = page_parts.question(
    "How much does a promise to the person cost more than a promise to the picture?"
)
if persons_known(view.dataset) is False:
    with sentence:
        controls.nobody()
    st.stop()
status = st.empty()
metric = shared_controls.metric("overall")
main = charts.Slot(page_parts.picture(), KEY)
refused, said = sentence.container(), page_parts.OneAnswer(sentence)
wanted = answer.wanted(view)


def draw(job):
    """The chart as far as it goes, and what its whole lines say."""
    some = answer.curve(answer.there(job, wanted), view, metric)
    if costs := answer.costs(some, view):
        page_parts.answer(said, answer.answer(costs, view))
    main.plot(accuracy_by_records, some)


groups = list(wanted.values())
job = long_work.collect(
    *(KEY, groups, status, draw),
    begin=lambda: main.first(lambda: draw(long_work.blank(groups))),
)
results = answer.there(job, wanted)
with refused:
    page_parts.refusals(job.errors.values())
shown = answer.curve(results, view, metric)
costs = answer.costs(shown, view)
page_parts.answer(said, answer.answer(costs, view))
if not results:
    st.stop()

main.plot(accuracy_by_records, shown)
page_turns.breathe()
st.caption(looks.explained(view, metric))
st.caption(page_parts.origin([run for some in results.values() for run in some]))
st.header("What is promised to a person, and to a picture")
answer.cards_row(costs, results)
st.markdown(looks.PATE)

looks.people(experiment.prepared(view.any_run))
code = attacker.show(view)
looks.who_pays(view, results)
again = looks.commands(results, [(one.title, one.bound) for one in costs])
if fold := export.fold():
    with fold:
        looks.downloads(shown, again, code, KEY)
page_parts.now().again = again
about_numbers.fold(view)
