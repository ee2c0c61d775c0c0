"""The closer looks of the page "Teachers vote" that need ensembles and methods of their own: the
paper's tables, and students against budget.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.diagnostics import teacher_polls
from dpviz.diagnostics.teacher_polls import Ballot, Poll
from dpviz.methods.pate import ENSEMBLES
from dpviz.plots import accuracy_by_budget, ensemble_grid
from dpviz.run import result_files
from dpviz.run.jobs import Job
from dpviz.stats import clear_pairs
from dpviz.ui.frame import page_parts, voice
from dpviz.ui.live import long_work
from dpviz.ui.teachers_vote import answer
from dpviz.ui.teachers_vote.answer import Vote
from dpviz.ui.teachers_vote.controls import KEY, Request
from dpviz.ui.widgets import charts
from dpviz.views.view import View
from dpviz.words import at, percent

Rows = list[dict[str, Any]]
HEADCOUNTS = (20, 50, 100, 250)
RATIOS = (0.5, 0.75, 0.9)
PROMPTED = 4
"""Teachers of each prompted ensemble: a processor needs most of a minute for them."""
SHORT = {
    "linear": "linear",
    "random-map": "random map",
    "fc1": "1 FC",
    "fc2": "2 FC",
    "scratch": "scratch",
}
STUDENTS = tuple(ENSEMBLES)
RIVALS = ("dppl-public", "noisy-gd", "class-mean")

# ------------------------------------------------------------------------------- the paper's tables


def tables(shown: Vote) -> Rows:
    """Teachers, mapping, rescale ratio and mask, each varied alone, on this data."""
    prompts = st.toggle(
        f"Visual prompts as well: {len(RATIOS) + 1} ensembles of {PROMPTED} teachers, minutes on a"
        " processor",
        key="prompts",
        bind="query-params",
    )
    request, panels = shown.request, _panels(shown.request.poll, prompts)
    status, slot = st.empty(), charts.Slot(st.container(), f"{KEY}-tables")
    draw = lambda job: slot.plot(ensemble_grid, _grid(job, panels, request))
    groups = list(dict.fromkeys((poll,) for polls in panels.values() for poll in polls.values()))
    job = long_work.collect(f"{KEY}-tables", groups, status, draw, work=answer.POLLS)
    page_parts.refusals(job.errors.values())
    draw(job)
    st.caption(
        f"T, σ₁ and σ₂ at the same shares of the teachers, noise seed {request.seed}, up to"
        f" {request.queries} queries; ε moves with the number of teachers, since noise in votes"
        " does. Mappings read the encoder's own scores. Prompts, ratio (side of the picture inside"
        f" the frame) and mask: {PROMPTED} teachers each, too few for privacy to mean much: look at"
        " the answers, not at ε."
    )
    if prompts:
        ballots = [ballot for (ballot,) in job.done.values()]
        st.caption(_times([b for b in ballots if b.poll.ensemble.kind == "prompt"]))
    return ensemble_grid.table(_grid(job, panels, request))


def _panels(poll: Poll, prompts: bool) -> dict[str, dict[str, Poll]]:
    """Ensembles by panel and name; one choice varies a panel."""

    def other(**changes: Any) -> Poll:
        return Poll(poll.material, dataclasses.replace(poll.ensemble, **changes))

    panels = {
        "Teachers": {str(count): other(teachers=count) for count in HEADCOUNTS},
        "What they learn": {title: other(kind=kind) for kind, title in SHORT.items()},
    }
    if prompts:
        prompt = {"kind": "prompt", "teachers": PROMPTED}
        panels["Rescale ratio"] = {f"{r:g}": other(**prompt, ratio=r) for r in RATIOS}
        panels["Mask"] = {"frame": other(**prompt), "over all": other(**prompt, framed=False)}
    return panels


def _grid(
    job: Job, panels: Mapping[str, Mapping[str, Poll]], request: Request
) -> ensemble_grid.EnsembleGrid:
    """The ensembles that are done."""
    return ensemble_grid.info(
        {
            title: [
                _cell(name, job.done[(poll,)][0], request)
                for name, poll in polls.items()
                if (poll,) in job.done
            ]
            for title, polls in panels.items()
        }
    )


def _cell(name: str, ballot: Ballot, request: Request) -> ensemble_grid.Cell:
    """An ensemble's shares under the page's aggregation, noise scaled to its number of teachers."""
    by, scale = request.by, ballot.poll.ensemble.teachers / request.poll.ensemble.teachers
    scaled = {key: getattr(by, key) * scale for key in ("threshold", "sigma1", "sigma2")}
    vote = answer.answered(
        dataclasses.replace(request, by=dataclasses.replace(by, **scaled)), ballot
    )
    return ensemble_grid.Cell(
        name,
        float(vote.answers.answered.mean()),
        teacher_polls.accuracy(vote.answers, vote.truth),
        vote.answers.guarantee().epsilon_delta,
        len(vote.answers.labels),
    )


def _times(ballots: Sequence[Ballot]) -> str:
    """How long prompts took, as measured."""
    if not ballots:
        return "No prompted ensemble is done yet."
    longest, total = (round(part(ballot.seconds for ballot in ballots)) for part in (max, sum))
    return (
        f"The {len(ballots)} prompted ensembles shown took this server {total} s, the longest"
        f" {longest} s; those it had stored took no time."
    )


# ----------------------------------------------------------------------------------------- students


def students(shown: Vote) -> Rows:
    """Students of private votes against the budget, next to other methods."""
    ensemble = shown.request.poll.ensemble
    settings = (("teachers", ensemble.teachers), ("pool", ensemble.pool))
    params = tuple((key, settings) for key in STUDENTS)
    methods = (*STUDENTS, *RIVALS)
    view = dataclasses.replace(shown.request.view, methods=methods, seeds=3, params=params)
    groups, words, status = view.groups(), st.empty(), st.empty()
    slot = charts.Slot(st.container(), f"{KEY}-students")
    draw = lambda job: slot.plot(accuracy_by_budget, _curve(job, view), view.budget.value)
    job = long_work.collect(f"{KEY}-students", groups, status, draw)
    page_parts.refusals(job.errors.values())
    draw(job)
    words.markdown(_best(_curve(job, view), view))
    st.caption(
        f"Balanced accuracy on the test set. {voice.bands(view.seeds)} Here T, σ₁, σ₂ and the"
        " number of queries follow from the budget by the method's rule, which reads no votes, not"
        " from the sliders of this page."
    )
    return [result_files.row(r) for group in groups for r in job.done.get(group, ())]


def _curve(job: Job, view: View) -> accuracy_by_budget.BudgetCurve:
    results = [r for group in job.groups for r in job.done.get(group, ())]
    budget = view.budget
    return accuracy_by_budget.info(results, view.titles, "balanced", budget.axis, budget.delta)


def _best(curve: accuracy_by_budget.BudgetCurve, view: View) -> str:
    """The best student at the budget looked at, and the best other private method."""
    points = curve.at(view.budget.value)
    mine, others = ([key for key in points if (key in STUDENTS) == own] for own in (True, False))
    if not mine or not others:
        return "Nothing to compare yet."
    one, other = (max(keys, key=lambda key: points[key].mean) for keys in (mine, others))
    tied = "" if {one, other} in clear_pairs(points) else ", within noise"
    whom = ", for persons," if view.unit == "person" else ""
    return (
        f"At {at(view.budget)}{whom} the best student, {view.titles[one]}, gets the average class"
        f" right **{percent(points[one])}** of the time, {view.titles[other]}"
        f" **{percent(points[other])}**{tied}."
    )
