"""Views of the PATE page; each draws its chart and returns its table."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import streamlit as st

from dpviz import caches
from dpviz.diagnostics import pate_votes, vote_answers
from dpviz.diagnostics.vote_answers import Answers, Growth
from dpviz.experiments import result_files
from dpviz.experiments.jobs import Job
from dpviz.formatting import budget_text, unbroken
from dpviz.methods.pate import ENSEMBLES
from dpviz.plots.budget_curves import BudgetCurve
from dpviz.plots.teachers import EpsilonGrowth, QueryVotes, VoteHistogram
from dpviz.privacy import vote_costs
from dpviz.stats import clear_pairs
from dpviz.text import teachers_vote as text
from dpviz.text.template import render, render_text
from dpviz.types import Guarantee
from dpviz.ui.frame import about_numbers, detail_level, page_parts
from dpviz.ui.live import long_work
from dpviz.ui.teachers_vote import student_sections
from dpviz.ui.teachers_vote.answer import Vote, cards_row
from dpviz.ui.teachers_vote.controls import KEY
from dpviz.ui.widgets import bounded, cards, charts, export, section_tabs
from dpviz.views.page_config import PageConfig

Rows = list[dict[str, Any]]
STUDENTS = tuple(ENSEMBLES)
RIVALS = ("dppl-public", "noisy-gd", "class-mean")


def students(vote: Vote) -> Rows:
    """Draw students of private votes against the budget, next to other methods."""
    ensemble = vote.request.poll.ensemble
    settings = (("teachers", ensemble.teachers), ("pool", ensemble.pool))
    params = tuple((key, settings) for key in STUDENTS)
    methods = (*STUDENTS, *RIVALS)
    view = dataclasses.replace(vote.request.view, methods=methods, seeds=3, params=params)
    groups, words, status = view.groups(), st.empty(), st.empty()
    slot = charts.Slot(st.container(), f"{KEY}-students")
    draw = lambda job: slot.plot(_curve(job, view), view.budget.value, detail_level.precise())
    job = long_work.collect(f"{KEY}-students", groups, status, draw)
    page_parts.refusals(job.errors.values())
    draw(job)
    with words:
        _show_sentence(_best_text(_curve(job, view), view))
    note = text.OTHERS_NOTE.fill(detail_level.precise())
    st.caption(f"{note} {detail_level.bands(view.seeds)}")
    return [result_files.row(r) for group in groups for r in job.done.get(group, ())]


def _curve(job: Job, view: PageConfig) -> BudgetCurve:
    results = [r for group in job.groups for r in job.done.get(group, ())]
    return BudgetCurve.from_results(results, view.titles, "balanced", view.budget)


def _best_text(curve: BudgetCurve, view: PageConfig) -> str:
    """Return the best student at the current budget, and the best other private method."""
    points = curve.points_at(view.budget.value)
    own_names, others = (
        [key for key in points if (key in STUDENTS) == own] for own in (True, False)
    )
    if not own_names or not others:
        return text.OTHERS_NONE
    student, rival = (max(keys, key=lambda key: points[key].mean) for keys in (own_names, others))
    budget = budget_text(view.budget)
    if view.unit == "person":
        budget = render(text.PER_PERSON, budget=budget)
    fields = {
        "budget": budget,
        "student": view.titles[student],
        "accuracy": points[student],
        "rival": view.titles[rival],
        "other": points[rival],
    }
    if {student, rival} in clear_pairs(points):
        return text.METHODS_COMPARED.fill(detail_level.precise(), **fields)
    return text.OTHERS_TIED.fill(detail_level.precise(), **fields)


def _show_sentence(words: str) -> None:
    """Draw a sentence, as the title of the view in plain words."""
    if detail_level.precise():
        st.markdown(words)
    else:
        page_parts.view_finding(words)


# ---------------------------------------------------------------------------------------- one query


def query(vote: Vote) -> Rows:
    """Draw one query: its image, votes, noisy outcome and cost."""
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
        if not detail_level.precise():
            page_parts.view_finding(_query_finding(names, place, label, truth))
        charts.plot(info, f"{KEY}-query")
    outcome = [_outcome_sentence(names, label, truth)] if detail_level.precise() else []
    sentences = [*_test_sentences(answers, place), *outcome, _cost_sentence(answers, place)]
    st.markdown(unbroken(" ".join(sentences)))
    return info.table()


def _chosen_query(total: int) -> int:
    title = render_text(text.QUERY, total=total)
    chosen = bounded.number_input(
        title, 1, total, 1, key="q", help=text.QUERY_HELP, bind="query-params"
    )
    return int(chosen) - 1


def _picture(vote: Vote, place: int) -> None:
    row, thumbnails = int(vote.ballot.votes.rows[place]), vote.ballot.data.thumbnails
    if thumbnails is None:
        st.caption(render(text.NO_THUMBNAIL, row=row))
        return
    caption, alt = (
        render_text(template, row=row) for template in (text.THUMBNAIL, text.THUMBNAIL_ALT)
    )
    picture = thumbnails("public", np.array([row]))[0]
    with st.container(width=140):  # narrower beside a lesson
        st.image(picture, width="stretch", caption=caption, alt=alt)


def _test_sentences(answers: Answers, place: int) -> list[str]:
    if not answers.setting.tests:
        return []
    fields = {
        "votes": int(answers.votes[place].max()),
        "seen": round(float(answers.noisy_top[place])),
        "threshold": answers.setting.threshold,
        "chance": vote_answers.query_cost(answers, place).chance,
    }
    return [text.TEST.fill(detail_level.precise(), **fields)]


def _outcome_case(label: int, truth: int) -> str:
    if label < 0:
        return "refused"
    return "unknown" if truth < 0 else "right" if label == truth else "wrong"


def _outcome_sentence(names: tuple[str, ...], label: int, truth: int) -> str:
    case = _outcome_case(label, truth)
    return render(text.OUTCOMES[case], label=names[label], truth=names[truth])


def _query_finding(names: tuple[str, ...], place: int, label: int, truth: int) -> str:
    """Return the answer to a query in plain words."""
    template = text.QUERY_FINDINGS[_outcome_case(label, truth)]
    return render(template, number=place + 1, label=names[label], truth=names[truth])


def _cost_sentence(answers: Answers, place: int) -> str:
    cost = vote_answers.query_cost(answers, place)
    short = lambda value: float(f"{value:.2g}")
    return text.COST.fill(
        detail_level.precise(),
        free=short(cost.test_any + cost.vote_any),
        total=short(cost.test + cost.vote),
        test=short(cost.test),
        vote=short(cost.vote),
    )


# ------------------------------------------------------------------------------------- rare classes


def classes(vote: Vote) -> Rows:
    """Draw the answers by class."""
    cards.private_view()
    info = vote.by_class
    rare, others = (info.query_counts(minority) for minority in (True, False))
    if rare.queries and others.queries and not detail_level.precise():
        shares = {"rare": rare.right / rare.queries, "others": others.right / others.queries}
        case = "fewer" if shares["rare"] < shares["others"] else "same"
        page_parts.view_finding(render(text.CLASSES_FINDINGS[case], **shares))
    elif rare.queries and others.queries:
        counts = render(
            text.CLASSES,
            answered=rare.answered,
            asked=rare.queries,
            right=rare.right,
            other_answered=others.answered,
            other_asked=others.queries,
            other_right=others.right,
        )
        fewer = rare.right / rare.queries < others.right / others.queries
        st.markdown(f"{counts} {text.CLASSES_FEWER if fewer else text.CLASSES_SAME}")
    else:
        st.info(text.CLASSES_NONE)
    charts.plot(info, f"{KEY}-classes")
    st.caption(text.CLASSES_CAPTION.fill(detail_level.precise()))
    return info.table()


# -------------------------------------------------------------------------------------- ε per query

_growth = caches.cached(60)(vote_answers.growth)


def growth(vote: Vote) -> Rows:
    """Draw epsilon as it grows, by every accountant."""
    grown = _growth(vote.answers)
    info = EpsilonGrowth.from_growth(grown, vote.answers.setting.delta)
    if not detail_level.precise():
        _growth_in_plain_words(vote, grown)
        return info.table()
    st.markdown(" ".join(_growth_sentences(grown, vote.guarantee)))
    charts.plot(info, f"{KEY}-growth")
    if not grown.sanitised:
        st.info(text.UNDEFINED)
    st.caption(" ".join(_line_sentences(grown, vote.answers)))
    return info.table()


def _growth_in_plain_words(vote: Vote, grown: Growth) -> None:
    """Draw the line that holds for any votes, with its end as the title."""
    exact = float(f"{grown.independent[-1]:.3g}")
    page_parts.view_finding(
        render(text.GROWTH_FINDING, answered=int(grown.answered[-1]), exact=exact)
    )
    shown = EpsilonGrowth.from_growth(grown, vote.answers.setting.delta, ("independent",))
    charts.plot(shown, f"{KEY}-growth", False)
    fields = {"queries": int(grown.queries[-1]), "guarantee": vote.guarantee.epsilon_delta}
    st.markdown(render(text.GROWTH_UNLIMITED, **fields))


def _growth_sentences(grown: Growth, guarantee: Guarantee) -> list[str]:
    short = lambda value: float(f"{value:.3g}")
    exact, converted = grown.independent[-1], grown.converted[-1]
    promised = render(
        text.GROWTH, queries=int(grown.queries[-1]), guarantee=guarantee.epsilon_delta
    )
    given = render(
        text.GROWTH_GIVEN,
        answered=int(grown.answered[-1]),
        exact=short(exact),
        converted=short(converted),
        dependent=short(grown.dependent[-1]),
    )
    if not grown.sanitised:
        return [promised, given]
    sanitized = grown.sanitised[-1]
    second = render(
        text.GROWTH_SANITIZED,
        sanitized=short(sanitized),
        spread=float(f"{grown.spread[-1]:.2g}"),
    )
    case = "loses" if converted <= sanitized else "exact" if exact <= sanitized else "pays"
    return [promised, given, second, text.GROWTH_VERDICTS[case]]


def _line_sentences(grown: Growth, answers: Answers) -> list[str]:
    """Return what each line may be used for."""
    setting, queries = answers.setting, len(answers.labels)
    short = vote_costs.undercount(
        queries, int(grown.answered[-1]), setting.sigma1, setting.sigma2, setting.delta
    )
    proof = render(text.GROWTH_PROOF, epsilon=float(f"{short.queries:.3g}"))
    if grown.settings is None:
        return [text.GROWTH_LINES, proof]
    smooth = grown.settings
    sanitized = render(
        text.GROWTH_SETTINGS,
        order=smooth.order,
        beta=float(f"{smooth.beta:.2g}"),
        sigma=float(f"{smooth.sigma_s:.2g}"),
    )
    return [text.GROWTH_LINES, proof, sanitized]


#: What draws each view, by its key in the link.
SECTIONS: Mapping[str, Callable[[Vote], Rows]] = {
    "query": query,
    "classes": classes,
    "growth": growth,
    "learned": student_sections.learned,
    "tables": student_sections.tables,
    "student": students,
}
#: Title and views of each tab.
TABS = {key: (title, {key: title}) for key, title in text.TABS.items()} | {
    "students": (text.TABS["students"], text.STUDENT_VIEWS)
}


def details(vote: Vote, chart: VoteHistogram) -> None:
    """Draw the tabs below the main chart, the open one alone."""
    request, page = vote.request, page_parts.current_page()
    page.view = request.view
    code = pate_votes.python(request.poll, request.setting, request.queries)
    page.reproduction = code
    match section_tabs.open_view(TABS, "look", text.VIEW):
        case "cards":
            cards_row(vote)
        case section_tabs.TABLE:
            export.table(chart.table(), f"{KEY}-histogram", text.TABLE_CHART)
            export.code(code, "python")
        case section_tabs.ABOUT:
            about_numbers.draw(request.view)
        case chosen:
            rows = SECTIONS[chosen](vote)
            section_tabs.table_fold(rows, f"{KEY}-{chosen}", text.TABLE_VIEW)
