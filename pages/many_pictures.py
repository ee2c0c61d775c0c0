"""One person, many pictures: accuracy where persons are promised what pictures are promised."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.run import experiment
from dpviz.run.jobs import Job
from dpviz.ui.frame import about_numbers, page_parts
from dpviz.ui.live import long_work, public_runs, rerun_scheduling
from dpviz.ui.many_pictures import answer, attacker, controls, payers, sections
from dpviz.ui.widgets import charts, export, shared_controls

KEY = "many-pictures"
chosen = controls.sidebar()

sentence = page_parts.question("What does it cost to protect the person, not only each picture?")
if chosen is None:
    with sentence:
        controls.no_persons()
    page_parts.end()
view: controls.PersonsView = chosen
status = st.empty()
metric = shared_controls.metric(view, "overall")
persons_place = st.container()
main = charts.Slot(page_parts.picture(), KEY)
refusals, answer_place = sentence.empty(), page_parts.OneAnswer(sentence)
line_groups = answer.wanted(view)
results: dict[Any, Any] = {}
errors: dict[Any, str] = {}
public = None
facts, people_place = st.container(), st.container()


def give_answer(costs: list[answer.Cost], errors: Mapping[Any, str]) -> None:
    """The sentence; while lines are missing only how many are there, as it names the best."""
    if any(name not in results and line_groups[name] not in errors for name in line_groups):
        page_parts.answer(answer_place, answer.so_far(len(costs), view))
        return
    words = answer.answer(costs, view, metric), answer.plainly(costs, view, metric, results) or ""
    page_parts.answer(
        answer_place, *public_runs.join_texts(words, answer.beside_public(costs, public))
    )


def draw(job: Job) -> None:
    """The chart as far as it goes, and what its whole lines say."""
    results.update(answer.finished_runs(job, line_groups))
    partial_curve = answer.curve(results, view, metric)
    if costs := answer.costs(partial_curve, view):
        give_answer(costs, job.errors)
    main.plot(partial_curve)


def collected(key: str, names: Sequence[Any]) -> None:
    """The runs of some lines, in the chart."""
    groups = [line_groups[name] for name in names]
    begin = lambda: main.first(lambda: draw(long_work.blank(groups)))
    job = long_work.collect(key, groups, status, draw, begin)
    results.update(answer.finished_runs(job, line_groups))
    errors.update(job.errors)
    with refusals.container():
        page_parts.refusals(errors.values())


collected(KEY, [name for name in line_groups if name[1] is None])
if not results:
    page_parts.answer(answer_place, answer.answer([], view, metric))
    page_parts.end()
with persons_place:
    sections.persons_text(experiment.prepared(view.any_run))
with people_place:  # before the long work, which none of it waits for
    sections.people(experiment.prepared(view.any_run))
    code = attacker.show(view)
collected(f"{KEY}-persons", answer.quick_first(line_groups, results, view))
public = public_runs.alone_accuracy(KEY, view, metric)
curve = answer.curve(results, view, metric, public)
costs = answer.costs(curve, view)
give_answer(costs, errors)
main.plot(curve)
rerun_scheduling.flush_page()
with facts:
    page_parts.caption(sections.explained(view, metric))
    st.caption(page_parts.origin([run for runs in results.values() for run in runs]))
    st.header("What is promised to a person, and to a picture")
    answer.cards_row(costs, results)
    st.markdown(sections.PATE)

payers.show(results, costs)
again = sections.commands(results, costs)
if fold := export.fold():
    with fold:
        sections.downloads(curve, again, code, KEY)
page_parts.current_page().again = again
about_numbers.fold(view)
