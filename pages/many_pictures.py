"""One person, many pictures: accuracy where persons are promised what pictures are promised."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.plots import accuracy_by_records
from dpviz.run import experiment
from dpviz.run.jobs import Job
from dpviz.ui.frame import about_numbers, page_parts
from dpviz.ui.live import long_work, public_runs, rerun_scheduling
from dpviz.ui.many_pictures import answer, attacker, controls, sections
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
whose = st.container()
main = charts.Slot(page_parts.picture(), KEY)
refused, said = sentence.empty(), page_parts.OneAnswer(sentence)
wanted = answer.wanted(view)
results: dict[Any, Any] = {}
errors: dict[Any, str] = {}
public = None
facts, below = st.container(), st.container()


def tell(costs: list[answer.Cost], errors: Mapping[Any, str]) -> None:
    """The sentence; while lines are missing only how many are there, as it names the best."""
    if any(name not in results and wanted[name] not in errors for name in wanted):
        page_parts.answer(said, answer.so_far(len(costs), view))
        return
    words = answer.answer(costs, view, metric), answer.plainly(costs, view, metric, results) or ""
    page_parts.answer(said, *public_runs.joined(words, answer.beside_public(costs, public)))


def draw(job: Job) -> None:
    """The chart as far as it goes, and what its whole lines say."""
    results.update(answer.finished_runs(job, wanted))
    some = answer.curve(results, view, metric)
    if costs := answer.costs(some, view):
        tell(costs, job.errors)
    main.plot(accuracy_by_records, some)


def collected(key: str, names: Sequence[Any]) -> None:
    """The runs of some lines, in the chart."""
    groups = [wanted[name] for name in names]
    begin = lambda: main.first(lambda: draw(long_work.blank(groups)))
    job = long_work.collect(key, groups, status, draw, begin)
    results.update(answer.finished_runs(job, wanted))
    errors.update(job.errors)
    with refused.container():
        page_parts.refusals(errors.values())


collected(KEY, [name for name in wanted if name[1] is None])
if not results:
    page_parts.answer(said, answer.answer([], view, metric))
    page_parts.end()
with whose:
    sections.persons_text(experiment.prepared(view.any_run))
with below:  # before the long work, which none of it waits for
    sections.people(experiment.prepared(view.any_run))
    code = attacker.show(view)
collected(f"{KEY}-persons", answer.quick_first(wanted, results, view))
public = public_runs.alone_accuracy(KEY, view, metric)
shown = answer.curve(results, view, metric, public)
costs = answer.costs(shown, view)
tell(costs, errors)
main.plot(accuracy_by_records, shown)
rerun_scheduling.flush_page()
with facts:
    page_parts.caption(sections.explained(view, metric))
    st.caption(page_parts.origin([run for some in results.values() for run in some]))
    st.header("What is promised to a person, and to a picture")
    answer.cards_row(costs, results)
    st.markdown(sections.PATE)

sections.losses_by_people(results, costs)
again = sections.commands(results, costs)
if fold := export.fold():
    with fold:
        sections.downloads(shown, again, code, KEY)
page_parts.current_page().reproduction = again
about_numbers.fold(view)
