"""The closer looks of the page "Teachers vote"; each draws its chart, says what it shows, and
returns its table.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from dpviz.diagnostics import vote_answers
from dpviz.diagnostics.vote_answers import Answers
from dpviz.methods.parts import teachers
from dpviz.methods.pate import ENSEMBLES
from dpviz.plots import (
    accuracy_by_budget,
    class_answers,
    ensemble_grid,
    epsilon_growth,
    query_votes,
    vote_histogram,
)
from dpviz.privacy import vote_costs
from dpviz.run import result_files
from dpviz.stats import within_noise
from dpviz.ui.frame import page_record, presentation
from dpviz.ui.live import long_work
from dpviz.ui.teachers_vote import controls as page
from dpviz.ui.teachers_vote.controls import Asked, Ballot, Poll
from dpviz.ui.widgets import charts, text
from dpviz.ui.widgets.choices import choice
from dpviz.views.view import View
from dpviz.words import at, number, percent

KEY = "teachers-vote"
LOOKS = {
    "query": "One query",
    "classes": "Who is heard",
    "growth": "ε, query by query",
    "tables": "The paper's tables",
    "student": "Students against budget",
}
Rows = list[dict[str, Any]]
HEADCOUNTS = (20, 50, 100, 250)
RATIOS = (0.5, 0.75, 0.9)
PROMPTED = 4
"""Teachers of each prompted ensemble: a processor needs most of a minute for them."""
STUDENTS = tuple(ENSEMBLES)
RIVALS = ("dppl-public", "noisy-gd", "class-mean")


def choose() -> str:
    """Which closer look: a key of ``LOOKS``."""
    looks = {key: title for key, title in LOOKS.items() if key != "student" or STUDENTS}
    return choice(
        st.segmented_control,
        "A closer look",
        looks,
        "query",
        "look",
        required=True,
        label_visibility="collapsed",
    )


def show(look: str, found: Ballot, made: Answers, truth: np.ndarray, asked: Asked) -> Rows:
    """The chosen look; returns its table."""
    return {
        "query": query,
        "classes": classes,
        "growth": growth,
        "tables": tables,
        "student": student,
    }[look](found, made, truth, asked)


def histogram(made: Answers, truth: np.ndarray) -> vote_histogram.VoteHistogram:
    """The main chart; a click on a bar chooses a query of that bar."""
    chart, key = page.histogram(made, truth), f"{KEY}-bars"
    bars = vote_histogram.bin_of(made.votes.max(axis=1), made.teachers)
    figure, words = vote_histogram.figure(chart), vote_histogram.alt(chart)
    page_record.now().pictures[key] = page_record.Picture(words, figure)
    st.plotly_chart(
        presentation.enlarged(figure),
        width="stretch",
        key=key,
        on_select=lambda: _clicked(key, bars),
        selection_mode="points",
        config={"displaylogo": False, "displayModeBar": False},
        alt=words,
    )
    return chart


def _clicked(key: str, bars: np.ndarray) -> None:
    """A click chooses the next query of the bar; a click beside all bars changes nothing."""
    points = [
        p
        for p in st.session_state[key]["selection"]["points"]
        if p.get("curve_number", 0) < len(vote_histogram.KINDS)
    ]
    here = np.flatnonzero(bars == int(points[0]["point_index"])) if points else []
    if len(here):
        now = int(st.session_state.get("q", 1)) - 1
        later = here[here > now]
        st.session_state["q"] = int(later[0] if len(later) else here[0]) + 1
        st.session_state["look"] = "query"


# -------------------------------------------------------------------------------------------- query


def query(found: Ballot, made: Answers, truth: np.ndarray, asked: Asked) -> Rows:
    """One query: its picture, its votes, the noisy outcome, its own cost."""
    total = len(made.labels)
    if st.session_state.get("q", 1) > total:
        st.session_state["q"] = total
    left, right = st.columns([1, 4])
    with left:
        at = (
            int(
                st.number_input(
                    f"Query, 1 to {total}",
                    1,
                    total,
                    1,
                    key="q",
                    help=(
                        "In the order of asking. A click on a bar above chooses one of its queries."
                    ),
                    bind="query-params",
                )
            )
            - 1
        )
        _picture(found, at)
    names, by = found.data.class_names, made.by
    chart = query_votes.info(
        names,
        made.votes[at],
        made.noisy[at],
        int(truth[at]),
        int(made.labels[at]),
        by.threshold,
        by.sigma2,
    )
    with right:
        charts.show(query_votes.figure(chart), query_votes.alt(chart), f"{KEY}-query")
    st.markdown(_outcome(made, at, names, int(truth[at])))
    return query_votes.table(chart)


def _picture(found: Ballot, at: int) -> None:
    row = int(found.votes.rows[at])
    if found.data.thumbnails is None:
        st.caption(f"Public record {row}; this data brings no pictures.")
    else:
        st.image(
            found.data.thumbnails("public", np.array([row]))[0],
            width=140,
            caption=f"public record {row}",
            alt=f"public record {row}, a query",
        )


def _outcome(made: Answers, at: int, names: Sequence[str], truth: int) -> str:
    cost, by = vote_answers.one(made, at), made.by
    top = int(made.votes[at].max())
    test = (
        ""
        if by.threshold == -math.inf
        else (
            f"The test saw **{made.noisy_top[at]:.0f}** where the winner has {top} votes; T ="
            f" {number(by.threshold)}, so the chance of an answer was {100 * cost.chance:.0f} %. "
        )
    )
    label = int(made.labels[at])
    known = (
        ""
        if truth < 0
        else (
            ", which is right"
            if label == truth
            else f"; its true class is {text.literal(names[truth])}"
        )
    )
    said = (
        "It was **refused**"
        if label < 0
        else f"It was answered with **{text.literal(names[label])}**{known}"
    )
    total, free = cost.test + cost.vote, cost.test_any + cost.vote_any
    own = (
        f"Of the run's ε it adds **{_small(free)}** counted whatever the votes and {_small(total)}"
        f" by its votes ({_small(cost.test)} for the test, {_small(cost.vote)} for the answer; not"
        " releasable), both at the order that the run is counted at"
    )
    return f"{test}{said}. {own}."


def _small(value: float) -> str:
    return number(float(f"{value:.2g}"))


# ------------------------------------------------------------------------------------------ classes


def classes(found: Ballot, made: Answers, truth: np.ndarray, asked: Asked) -> Rows:
    """Which classes are heard."""
    chart = page.say(found, made, truth)
    (small, small_right), (rest, rest_right) = (
        class_answers.share(chart, True),
        class_answers.share(chart, False),
    )
    if math.isnan(small) or math.isnan(rest):
        st.info(
            "No query bears the name of a class of each kind; choose queries whose class bears a"
            " private class's name."
        )
    else:
        st.markdown(
            f"Of the minority's queries **{100 * small:.0f} %** are answered and"
            f" {100 * small_right:.0f} % rightly; of the others' "
            f"**{100 * rest:.0f} %** and {100 * rest_right:.0f} %:"
            f" {'the minority loses its say' if small_right < rest_right else 'the minority keeps its say here'}."
        )
    charts.show(class_answers.figure(chart), class_answers.alt(chart), f"{KEY}-classes")
    st.caption(
        "Classes by private records, the minority shaded. Marked against the true class of each"
        " query, which neither teachers nor students see."
    )
    return class_answers.table(chart)


# ------------------------------------------------------------------------------------------- growth


def growth(found: Ballot, made: Answers, truth: np.ndarray, asked: Asked) -> Rows:
    """Epsilon as it grows, by every way to count."""
    grown = page.grown(found, asked, made)
    chart = epsilon_growth.info(grown, made.by.delta)
    last = {way: values[-1] for way, values in chart.lines}
    told = (
        f"After {grown.queries[-1]} queries ε is **{last['independent']:.3g}** whatever the votes;"
        f" counted on the votes {last['dependent']:.3g}"
    )
    if grown.sanitised:
        told += (
            f", and **{grown.sanitised[-1]:.3g} ± {grown.spread[-1]:.2g}** once that count is made"
            " releasable"
        )
        cheaper = last["independent"] <= grown.sanitised[-1]
        told += (
            ": looking at the votes does not pay here"
            if cheaper
            else ": looking at the votes pays here"
        )
    st.markdown(f"{told}.")
    charts.show(epsilon_growth.figure(chart), epsilon_growth.alt(chart), f"{KEY}-growth")
    if not grown.sanitised:
        st.info(
            "Nothing sanitised is shown: the conditions under which smooth sensitivity is known (C5"
            " and C6 of Papernot et al. 2018) hold at no order for this σ₂."
        )
    st.caption(_ways(grown, made))
    return epsilon_growth.table(chart)


def _ways(grown: vote_answers.Growth, made: Answers) -> str:
    """What each line may be used for."""
    told = (
        f"Data-independent: {vote_costs.RELEASE['independent']}; exact for Gaussian noise, while"
        " all other lines use the papers' looser conversion. Data-dependent (these answers) and"
        f" expected (each answer by its chance): {vote_costs.RELEASE['dependent']}. "
    )
    by = made.by
    asked = vote_costs.undercount(
        len(made.labels), grown.answered[-1], by.sigma1, by.sigma2, by.delta
    ).queries
    told += (
        "The paper's proof is drawn as a charge for each answer; read as a charge for each query"
        f" asked it would say ε = {asked:.3g}. "
    )
    if grown.settings is None:
        return told
    s = grown.settings
    return (
        told
        + f"Sanitised: one draw may be released, at order {number(s.order)}, β = {s.beta:.2g}, σ_s"
        f" = {s.sigma_s:.2g}, which follow from T, σ₁, σ₂, teachers and queries alone; its mean"
        " and spread, drawn here, may not."
    )


# ------------------------------------------------------------------------------- the paper's tables


def tables(found: Ballot, made: Answers, truth: np.ndarray, asked: Asked) -> Rows:
    """Teachers, mapping, rescale ratio and mask, each varied alone, on this data."""
    prompts = st.toggle(
        f"Visual prompts as well: {len(RATIOS) + 1} ensembles of {PROMPTED} teachers, minutes on a"
        " processor",
        key="prompts",
        bind="query-params",
    )
    wanted = dict(_panels(asked.poll, prompts).items())
    status, slot = st.empty(), charts.Slot(st.container(), f"{KEY}-tables")

    def chart(job: Any) -> ensemble_grid.EnsembleGrid:
        cells = {
            title: [
                _cell(name, job, poll, asked)
                for name, poll in polls.items()
                if page.found(job, poll)
            ]
            for title, polls in wanted.items()
        }
        return ensemble_grid.info(cells)

    def draw(job: Any) -> None:
        slot.draw(ensemble_grid.figure(chart(job)), ensemble_grid.alt(chart(job)))

    groups = list(dict.fromkeys((poll,) for polls in wanted.values() for poll in polls.values()))
    job = long_work.collect(f"{KEY}-tables", groups, status, draw, on=page.board())
    text.refusals(job.errors.values())
    draw(job)
    st.caption(
        f"T, σ₁ and σ₂ at the same shares of the teachers, noise seed {asked.view.first_seed}, up"
        f" to {asked.queries} queries; ε moves with the number of teachers, since noise in votes"
        " does. Mappings read the encoder's own scores. Prompts, ratio (side of the picture inside"
        f" the frame) and mask: {PROMPTED} teachers each, too few for privacy to mean much: look at"
        " the answers, not at ε."
    )
    if prompts:
        st.caption(
            _times(
                [ballot for group, (ballot,) in job.done.items() if ballot.poll.kind == "prompt"]
            )
        )
    return ensemble_grid.table(chart(job))


def _times(found: Sequence[Ballot]) -> str:
    """How long prompts took, as measured."""
    if not found:
        return "No prompted ensemble is done yet."
    longest, total = (round(part(ballot.seconds for ballot in found)) for part in (max, sum))
    return (
        f"The {len(found)} prompted ensembles shown took this server {total} s, the longest"
        f" {longest} s; those it had stored took no time."
    )


def _panels(poll: Poll, prompts: bool) -> dict[str, dict[str, Poll]]:
    """Ensembles by panel and name; one choice varies a panel."""
    found = {
        "Teachers": {str(count): dataclasses.replace(poll, teachers=count) for count in HEADCOUNTS},
        "What they learn": {_SHORT[kind]: dataclasses.replace(poll, kind=kind) for kind in _SHORT},
    }
    if prompts:
        one = dataclasses.replace(poll, kind="prompt", teachers=PROMPTED)
        found["Rescale ratio"] = {
            f"{ratio:g}": dataclasses.replace(one, ratio=ratio) for ratio in RATIOS
        }
        found["Mask"] = {"frame": one, "over all": dataclasses.replace(one, framed=False)}
    return found


_SHORT = {
    "linear": "linear",
    "random-map": "random map",
    "fc1": "1 FC",
    "fc2": "2 FC",
    "scratch": "scratch",
}


def _cell(name: str, job: Any, poll: Poll, asked: Asked) -> ensemble_grid.Cell:
    """One ensemble's shares under the page's aggregation, noise scaled to its number of teachers."""
    ballot, scale = page.found(job, poll), poll.teachers / asked.poll.teachers
    by = dataclasses.replace(
        asked.by,
        threshold=asked.by.threshold * scale,
        sigma1=asked.by.sigma1 * scale,
        sigma2=asked.by.sigma2 * scale,
    )
    made = page.aggregated(ballot, dataclasses.replace(asked, poll=poll, by=by))
    truth = ballot.votes.truth[: len(made.labels)]
    return ensemble_grid.Cell(
        name,
        float(made.answered.mean()),
        page.accuracy(made, truth),
        made.guarantee().epsilon_delta,
        len(made.labels),
    )


# ----------------------------------------------------------------------------------------- students


def student(found: Ballot, made: Answers, truth: np.ndarray, asked: Asked) -> Rows:
    """Students of private votes against the budget, next to other methods."""
    settings = (("teachers", asked.poll.teachers), ("pool", asked.poll.pool))
    view = dataclasses.replace(
        asked.view,
        methods=(*STUDENTS, *RIVALS),
        seeds=3,
        params=tuple((key, settings) for key in STUDENTS),
    )
    wanted, words, status = view.groups(), st.empty(), st.empty()
    slot = charts.Slot(st.container(), f"{KEY}-students")

    def chart(job: Any) -> accuracy_by_budget.BudgetCurve:
        return accuracy_by_budget.info(
            [r for group in wanted for r in job.done.get(group, ())],
            view.titles,
            "balanced",
            view.budget.axis,
            view.budget.delta,
        )

    def draw(job: Any) -> None:
        slot.draw(
            accuracy_by_budget.figure(chart(job), view.budget.value),
            accuracy_by_budget.alt(chart(job)),
        )

    job = long_work.collect(f"{KEY}-students", wanted, status, draw)
    text.refusals(job.errors.values())
    draw(job)
    words.markdown(_students(chart(job), view))
    st.caption(
        "Balanced accuracy on the test set, N = 3 noise seeds. Here T, σ₁, σ₂ and the number of"
        " queries follow from the budget by the method's rule, which reads no votes, not from the"
        " sliders on the left."
    )
    return [result_files.row(r) for group in wanted for r in job.done.get(group, ())]


def _students(curve: accuracy_by_budget.BudgetCurve, view: View) -> str:
    """The best student at the budget looked at, and the best other private method."""
    points = curve.at(view.budget.value)
    mine, others = ([key for key in points if (key in STUDENTS) == own] for own in (True, False))
    if not mine or not others:
        return "Nothing to compare yet."
    one, other = (max(keys, key=lambda key: points[key].mean) for keys in (mine, others))
    tied = ", within noise" if within_noise(points[one], points[other]) else ""
    return (
        f"At {at(view.budget)} the best student, {view.titles[one]}, gets"
        f" the average class right **{percent(points[one])}** of the time, {view.titles[other]}"
        f" **{percent(points[other])}**{tied}."
    )


# ------------------------------------------------------------------------------------------- export


def snippet(asked: Asked) -> str:
    """Python that writes these votes to a file, and the command that accounts for them."""
    p, by, queries = asked.poll, asked.by, asked.queries
    test = (
        "" if by.threshold == -math.inf else f"--threshold {by.threshold:g} --sigma1 {by.sigma1:g} "
    )
    return (
        "import numpy as np\n\nfrom dpviz.methods.parts import teachers\nfrom dpviz.run import"
        " experiment\nfrom dpviz.types import Material\n\n"
        f"data = {p.material!r}\nfound = teachers.votes(experiment.prepared(data), {p.kind!r},"
        f" {p.teachers}, {p.seed}, pool={p.pool!r})\n"
        f'np.savez_compressed("votes.npz", votes=found.counts)  # as private as the records\n'
        f"# python -m dpviz pate --votes votes.npz {test}--sigma2 {by.sigma2:g} --queries"
        f" {min(queries, teachers.QUERIES)} --delta {by.delta:g} --json"
    )
