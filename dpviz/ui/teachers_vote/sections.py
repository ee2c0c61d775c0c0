"""Sections of the page "Teachers vote"; each draws its chart and returns its table."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import streamlit as st

from dpviz import caches
from dpviz.diagnostics import vote_answers
from dpviz.diagnostics.vote_answers import Answers, Growth
from dpviz.formatting import budget_text, literal, number, percent, rounded
from dpviz.methods.pate import ENSEMBLES
from dpviz.plots.budget_curves import BudgetCurve
from dpviz.plots.teachers import EpsilonGrowth, QueryVotes
from dpviz.privacy import vote_costs
from dpviz.run import result_files
from dpviz.run.jobs import Job
from dpviz.stats import clear_pairs
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work
from dpviz.ui.teachers_vote import student_sections
from dpviz.ui.teachers_vote.answer import Vote
from dpviz.ui.teachers_vote.controls import KEY
from dpviz.ui.widgets import bounded, cards, charts
from dpviz.views.page_config import PageConfig

Rows = list[dict[str, Any]]
STUDENTS = tuple(ENSEMBLES)
RIVALS = ("dppl-public", "noisy-gd", "class-mean")


def students(vote: Vote) -> Rows:
    """Students of private votes against the budget, next to other methods."""
    ensemble = vote.request.poll.ensemble
    settings = (("teachers", ensemble.teachers), ("pool", ensemble.pool))
    params = tuple((key, settings) for key in STUDENTS)
    methods = (*STUDENTS, *RIVALS)
    view = dataclasses.replace(vote.request.view, methods=methods, seeds=3, params=params)
    groups, words, status = view.groups(), st.empty(), st.empty()
    slot = charts.Slot(st.container(), f"{KEY}-students")
    draw = lambda job: slot.plot(_curve(job, view), view.budget.value)
    job = long_work.collect(f"{KEY}-students", groups, status, draw)
    page_parts.refusals(job.errors.values())
    draw(job)
    words.markdown(_best_text(_curve(job, view), view))
    st.caption(
        f"Balanced accuracy on the test set. {detail_level.bands(view.seeds)} Here T, σ₁, σ₂ and"
        " the number of queries follow from the budget by the method's rule, which reads no votes,"
        " not from the sliders of this page."
    )
    return [result_files.row(r) for group in groups for r in job.done.get(group, ())]


def _curve(job: Job, view: PageConfig) -> BudgetCurve:
    results = [r for group in job.groups for r in job.done.get(group, ())]
    return BudgetCurve.from_results(results, view.titles, "balanced", view.budget)


def _best_text(curve: BudgetCurve, view: PageConfig) -> str:
    """The best student at the budget looked at, and the best other private method."""
    points = curve.points_at(view.budget.value)
    own_names, others = (
        [key for key in points if (key in STUDENTS) == own] for own in (True, False)
    )
    if not own_names or not others:
        return "Nothing to compare yet."
    student, rival = (max(keys, key=lambda key: points[key].mean) for keys in (own_names, others))
    tied = "" if {student, rival} in clear_pairs(points) else ", within noise"
    subject = ", for persons," if view.unit == "person" else ""
    return (
        f"At {budget_text(view.budget)}{subject} the best student, {view.titles[student]}, gets the"
        f" average class right **{percent(points[student])}** of the time, {view.titles[rival]}"
        f" **{percent(points[rival])}**{tied}."
    )


# -------------------------------------------------------------------------------------------- query


def query(vote: Vote) -> Rows:
    """One query: its picture, its votes, the noisy outcome, its own cost."""
    cards.private_view()
    left, right = st.columns([1, 4])
    with left:
        place = _chosen_query(len(vote.answers.labels))
        _picture(vote, place)
    answers, names = vote.answers, vote.ballot.data.class_names
    truth, label = int(vote.truth[place]), int(answers.labels[place])
    votes, setting = (answers.votes[place], answers.noisy[place]), answers.setting
    info = QueryVotes.from_votes(names, *votes, truth, label, setting.threshold, setting.sigma2)
    with right:
        charts.plot(info, f"{KEY}-query")
    text = "It was **refused**" if label < 0 else _label_text(names, label, truth)
    st.markdown(f"{_test_text(answers, place)}{text}. {_cost_text(answers, place)}.")
    return info.table()


def _chosen_query(total: int) -> int:
    words = "In the order of asking. A click on a bar above chooses one of its queries."
    chosen = bounded.number_input(
        f"Query, 1 to {total}", 1, total, 1, key="q", help=words, bind="query-params"
    )
    return int(chosen) - 1


def _picture(vote: Vote, place: int) -> None:
    row, thumbnails = int(vote.ballot.votes.rows[place]), vote.ballot.data.thumbnails
    if thumbnails is None:
        st.caption(f"Public record {row}; this data brings no pictures.")
        return
    words = f"public record {row}"
    picture = thumbnails("public", np.array([row]))[0]
    with st.container(width=140):  # narrower beside a lesson
        st.image(picture, width="stretch", caption=words, alt=f"{words}, a query")


def _test_text(answers: Answers, place: int) -> str:
    if not answers.setting.tests:
        return ""
    chance = vote_answers.query_cost(answers, place).chance
    return (
        f"The test saw **{answers.noisy_top[place]:.0f}** where the winner has"
        f" {answers.votes[place].max()} votes; T = {number(answers.setting.threshold)}, so the"
        f" chance of an answer was {100 * chance:.0f}%. "
    )


def _label_text(names: tuple[str, ...], label: int, truth: int) -> str:
    wrong = f"; its true class is {literal(names[truth])}"
    known = "" if truth < 0 else ", which is right" if label == truth else wrong
    return f"It was answered with **{literal(names[label])}**{known}"


def _cost_text(answers: Answers, place: int) -> str:
    cost = vote_answers.query_cost(answers, place)
    total, free = cost.test + cost.vote, cost.test_any + cost.vote_any
    return (
        f"Of the run's ε it adds **{rounded(free, 2)}** counted whatever the votes and"
        f" {rounded(total, 2)} by its votes ({rounded(cost.test, 2)} for the test,"
        f" {rounded(cost.vote, 2)} for the answer; not releasable), both at the order that the run"
        " is counted at"
    )


# ------------------------------------------------------------------------------------------ classes


def classes(vote: Vote) -> Rows:
    """Which classes are heard."""
    cards.private_view()
    info = vote.class_say
    small, rest = (info.query_counts(minority) for minority in (True, False))
    if not (small.queries and rest.queries):
        st.info(
            "No query bears the name of a class of each kind; choose queries whose class bears a"
            " private class's name."
        )
    else:
        fewer = small.right / small.queries < rest.right / rest.queries
        keeps = "loses its say" if fewer else "keeps its say here"
        st.markdown(
            f"Of the minority's queries **{small.answered} of {small.queries}** are answered,"
            f" {small.right} of them rightly; of the others' **{rest.answered} of {rest.queries}**,"
            f" {rest.right} of them rightly: the minority {keeps}."
        )
    charts.plot(info, f"{KEY}-classes")
    st.caption(
        "Classes by private records, the minority shaded. Marked against the true class of each"
        " query, which neither teachers nor students see."
    )
    return info.table()


# ------------------------------------------------------------------------------------------- growth

_growth = caches.cached(60)(vote_answers.growth)


def growth(vote: Vote) -> Rows:
    """Epsilon as it grows, by every way to count."""
    grown = _growth(vote.answers)
    info = EpsilonGrowth.from_growth(grown, vote.answers.setting.delta)
    st.markdown(_growth_text(grown))
    charts.plot(info, f"{KEY}-growth")
    if not grown.sanitised:
        st.info(
            "Nothing sanitised is shown: the conditions under which smooth sensitivity is known (C5"
            " and C6 of Papernot et al. 2018) hold at no order for this σ₂."
        )
    st.caption(_lines_text(grown, vote.answers))
    return info.table()


def _growth_text(grown: Growth) -> str:
    whatever = grown.converted[-1]
    text = (
        f"After {grown.queries[-1]} queries ε is **{grown.independent[-1]:.3g}** whatever the"
        f" votes, counted exactly: that is the promise. By the papers' looser conversion it is"
        f" **{whatever:.3g}** whatever the votes; counted on the votes {grown.dependent[-1]:.3g}"
    )
    if not grown.sanitised:
        return f"{text}."
    text += (
        f", and **{grown.sanitised[-1]:.3g} ± {grown.spread[-1]:.2g}** once that count is made"
        " releasable"
    )
    if whatever <= grown.sanitised[-1]:
        return f"{text}: by one and the same conversion, looking at the votes does not pay here."
    if grown.independent[-1] <= grown.sanitised[-1]:
        return (
            f"{text}: by one and the same conversion, looking at the votes pays; yet the exact"
            " count, which needs no look, is lower still."
        )
    return f"{text}, which is below the exact count too: looking at the votes pays here."


def _lines_text(grown: Growth, answers: Answers) -> str:
    """What each line may be used for."""
    setting, queries = answers.setting, len(answers.labels)
    short = vote_costs.undercount(
        queries, grown.answered[-1], setting.sigma1, setting.sigma2, setting.delta
    )
    text = (
        f"Data-independent: {vote_costs.RELEASE['independent']}; the solid line is exact for"
        " Gaussian noise, all other lines use the papers' looser conversion and can be held only"
        " against one another. Data-dependent (these answers) and"
        f" expected (each answer by its chance): {vote_costs.RELEASE['dependent']}. The paper's"
        " proof is drawn as a charge for each answer; read as a charge for each query asked it"
        f" would say ε = {short.queries:.3g}. "
    )
    if grown.settings is None:
        return text
    s = grown.settings
    return (
        f"{text}Sanitised: one draw may be released, at order {number(s.order)}, β = {s.beta:.2g},"
        f" σ_s = {s.sigma_s:.2g}, which follow from T, σ₁, σ₂, teachers and queries alone; its mean"
        " and spread, drawn here, may not."
    )


SECTIONS = {
    "query": ("One query", query),
    "classes": ("Who is heard", classes),
    "growth": ("ε, query by query", growth),
    "learned": ("From votes to a student", student_sections.learned),
    "tables": ("The paper's tables", student_sections.tables),
    "student": ("Students against budget", students),
}
