"""Votes and answers of the PATE page: answer, tiles, finding, chart and cards."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from dpviz import caches
from dpviz.data.imbalance import minority_classes
from dpviz.diagnostics import attack_bound, pate_votes, vote_answers
from dpviz.diagnostics.pate_votes import Ballot, Poll
from dpviz.diagnostics.vote_answers import Answers
from dpviz.experiments import experiment, units
from dpviz.experiments.experiment import Progress
from dpviz.experiments.jobs import Work, no_private_runs
from dpviz.experiments.session import NoisyVotes
from dpviz.formatting import unbroken
from dpviz.plots.kit.style import ACCENT
from dpviz.plots.teachers import ClassAnswers, VoteHistogram, vote_bins
from dpviz.privacy import vote_costs
from dpviz.privacy.vote_ledger import Setting
from dpviz.text import teachers_vote as text
from dpviz.text.template import render, render_text
from dpviz.types import Guarantee
from dpviz.ui.frame import detail_level, page_parts, presentation
from dpviz.ui.live import long_work, session_cost
from dpviz.ui.teachers_vote.controls import KEY, Request
from dpviz.ui.widgets import cards, charts
from dpviz.views import teachers_vote_page
from dpviz.views.teachers_vote_page import VoteOutcome

MAX_CACHED = 60
#: Pixels of a card.
WIDTH = 312


def _ballot(poll: Poll, progress: Progress) -> Ballot:
    votes, seconds = long_work.POOL.call(
        pate_votes.count_votes, poll.material, poll.ensemble, progress=progress
    )
    return Ballot(poll, experiment.prepared(poll.material, progress), votes, seconds)


# votes are a private view; noisy answers to them enter the session ledger
POLLS = Work(
    lambda group, progress: [_ballot(group[0], progress)],
    max_groups=MAX_CACHED,
    private_runs=no_private_runs,
)


@dataclass(frozen=True, eq=False)
class Vote:
    """Settings of the page, the votes, and the answers to them."""

    request: Request
    ballot: Ballot
    answers: Answers

    @property
    def truth(self) -> np.ndarray:
        """True class of each query, shape (q,), -1 where it is unknown."""
        return self.ballot.votes.truth[: len(self.answers.labels)]

    @property
    def by_class(self) -> ClassAnswers:
        """Answers by class."""
        data = self.ballot.data
        small = minority_classes(data.counts, data.draw)
        return ClassAnswers.from_labels(
            self.answers.labels, self.truth, data.counts, small, data.class_names
        )

    @property
    def guarantee(self) -> Guarantee:
        """Guarantee for as many answers as queries, which holds for any votes."""
        queries = len(self.answers.labels)
        return pate_votes.guarantee_of(self.request.poll.material, self.answers, queries)

    @property
    def outcomes(self) -> list[str]:
        """Result of each query: ``right``, ``wrong``, ``unknown`` or refused."""
        return list(pate_votes.outcomes(self.answers, self.truth))

    @property
    def outcome(self) -> VoteOutcome:
        """Counts of the vote."""
        answers, votes, outcomes = self.answers, self.ballot.votes, self.outcomes
        right = outcomes.count("right")
        return VoteOutcome(
            teachers=answers.teachers,
            records=float(votes.sizes.mean()),
            queries=len(answers.labels),
            answered=int(answers.answered.sum()),
            right=right,
            labeled=right + outcomes.count("wrong"),
            teacher_accuracy=float(votes.right.mean()),
            most_votes=int(answers.votes.max()),
            threshold=answers.setting.threshold,
        )


def vote(request: Request, status: Any, begin: Callable[[], object]) -> Vote | None:
    """Return the vote; None, with the reason on the page, where there is none.

    Args:
        begin: called once if the votes take time.
    """
    group, poll = (request.poll,), request.poll
    job = long_work.collect(KEY, [group], status, begin=begin, work=POLLS)
    page_parts.refusals(job.errors.values())
    if group not in job.done:
        return None
    shown = answered(request, job.done[group][0])
    queries = len(shown.answers.labels)
    session_cost.count(
        [NoisyVotes(poll.material, poll.ensemble, request.setting, queries, request.seed)]
    )
    return shown


def answered(request: Request, ballot: Ballot) -> Vote:
    """Return the answers to the queries, cached."""
    return Vote(request, ballot, _answers(ballot, request.setting, request.queries, request.seed))


@caches.cached(MAX_CACHED)
def _answers(ballot: Ballot, setting: Setting, queries: int, seed: int) -> Answers:
    return vote_answers.answer(ballot.votes.counts[:queries], setting, seed)


# --------------------------------------------------------------------------------------- main chart


def chart_title(shown: Vote) -> str:
    """Return the finding above the chart."""
    return teachers_vote_page.chart_title(*_winning_votes(shown))


def _winning_votes(shown: Vote) -> tuple[list[int], Sequence[str], float]:
    """Return the votes for the winning class and the outcome of each query, and the threshold."""
    votes = shown.answers.votes.max(axis=1).tolist()
    return votes, shown.outcomes, shown.answers.setting.threshold


def caption(shown: Vote) -> str:
    """Return how to read the chart, and how many queries there are.

    At the level Precise also which queries are answered, and which answers are correct.
    """
    count, votes = len(shown.answers.labels), _winning_votes(shown)
    template = text.CAPTION_TEST if shown.answers.setting.tests else text.CAPTION
    precise = detail_level.precise()
    sentences = [template.fill(precise, seed=shown.request.seed)]
    if precise:
        sentences.append(teachers_vote_page.answered_by_side(*votes))
        sentences.append(teachers_vote_page.correct_by_side(*votes, shown.answers.teachers))
    if count < shown.request.queries:
        sentences.append(render(text.FEWER, available=count))
    return " ".join(filter(None, sentences))


def histogram(answers: Answers, truth: np.ndarray) -> VoteHistogram:
    """Return the main chart's data."""
    setting, votes = answers.setting, np.arange(answers.teachers + 1)
    return VoteHistogram.from_votes(
        answers.votes.max(axis=1),
        pate_votes.outcomes(answers, truth),
        answers.teachers,
        setting.threshold,
        setting.sigma1,
        np.exp(vote_costs.log_answer(votes, setting.threshold, setting.sigma1)),
    )


def chart(shown: Vote) -> VoteHistogram:
    """Draw the main chart; a click on a bar selects a query of that bar."""
    info, key = histogram(shown.answers, shown.truth), f"{KEY}-bars"
    bars = vote_bins(shown.answers.votes.max(axis=1), shown.answers.teachers)
    figure, words = info.figure(detail_level.precise()), info.alt()
    page = page_parts.current_page()
    page.pictures[key] = page_parts.Picture(words, figure, private=page.private)
    clicked = lambda: _clicked(key, bars, len(info.bars()))
    charts.clickable(presentation.enlarged(figure), words, key, clicked)
    return info


def _clicked(key: str, bars: np.ndarray, traces: int) -> None:
    """Select the next query of the clicked bar; a click beside all bars changes nothing.

    Args:
        bars: (q,) bar of each query; traces: how many of the chart's traces are bars.
    """
    points = [
        p for p in st.session_state[key]["selection"]["points"] if p.get("curve_number", 0) < traces
    ]
    if not points:
        return
    here = np.flatnonzero(bars == int(points[0]["point_index"]))
    if len(here):
        later = here[here >= int(st.session_state.get("q", 1))]
        st.session_state["q"] = int(later[0] if len(later) else here[0]) + 1
        st.session_state["look"] = "query"


# -------------------------------------------------------------------------------------------- cards


def cards_row(shown: Vote) -> None:
    """Draw the guarantee, its parts and answers for rare classes, with a warning below."""
    with cards.row("votes"):
        with st.container(border=True, width=WIDTH, key="card-votes"):
            _guarantee(shown)
        with cards.titled(text.SPENT, WIDTH):
            _spent(shown.answers)
        with cards.titled(text.GROUPS, WIDTH):
            _by_group(shown)
    if shown.answers.answered.any():
        _undercount(shown.answers)


def _guarantee(shown: Vote) -> None:
    answers, material = shown.answers, shown.request.poll.material
    asked, count = len(answers.labels), int(answers.answered.sum())
    rule = text.RULES["confident" if answers.setting.tests else "gnmax"]
    protected = units.protected(shown.ballot.data, material.unit)
    cards.guarantee_card(rule, ACCENT, shown.guarantee, protected=protected)
    notes = []
    if count < asked:
        fewer = pate_votes.guarantee_of(material, answers)
        notes.append(
            render(
                text.CAP,
                asked=asked,
                answered=count,
                epsilon=fewer.epsilon_delta,
                guess=attack_bound.success_bound(fewer),
            )
        )
    by_person = shown.request.poll.ensemble.by_person
    notes.append(text.SHARDS_PERSON if by_person else text.SHARDS)
    st.caption(unbroken(" ".join(notes)))


def _spent(answers: Answers) -> None:
    queries, count, setting = len(answers.labels), int(answers.answered.sum()), answers.setting
    tests, labels = vote_costs.rho(queries, count, setting.sigma1, setting.sigma2)
    share = tests / (tests + labels) if tests + labels else 0.0
    noise = text.SPENT_NOISE_TEST if setting.tests else text.SPENT_NOISE
    fields = dataclasses.asdict(setting)
    tested = queries if setting.tests else 0
    basis = text.SPENT_BASIS if count < queries else text.SPENT_BASIS_ALL
    rows = {
        "basis": render_text(basis, answered=count, asked=queries),
        "noise": render_text(noise, **fields),
        "tests": render_text(text.SPENT_TESTS, queries=tested, share=share),
        "answers": render_text(text.SPENT_ANSWERS, answered=count, share=1 - share),
    }
    st.html(cards.definition([(text.SPENT_ROWS[key], value) for key, value in rows.items()]))


def _undercount(answers: Answers) -> None:
    """Draw how far the Prom-PATE paper's proof falls short, by both readings of its charge."""
    queries, count, setting = len(answers.labels), int(answers.answered.sum()), answers.setting
    short = vote_costs.undercount(queries, count, setting.sigma1, setting.sigma2, setting.delta)
    charged = answers.guarantee_for(0, count / 2).epsilon_delta
    ratio, query_ratio = round(short.ratio, 1), round(short.query_ratio, 1)
    first = render(
        text.UNDERCOUNT_SAME if ratio == 1 else text.UNDERCOUNT,
        ratio=ratio,
        charged=charged,
        spent=answers.guarantee().epsilon_delta,
    )
    template = text.ENOUGH_QUERIES
    if short.query_ratio > 1:
        is_same = query_ratio == 1
        template = text.UNDERCOUNT_QUERIES_SAME if is_same else text.UNDERCOUNT_QUERIES
    second = render(template, asked=queries, ratio=query_ratio)
    st.warning(f"{first} {second} {text.UNDERCOUNT_END}", icon=":material/warning:")


def _by_group(shown: Vote) -> None:
    cards.private_view()
    rows, sizes = [], shown.ballot.votes.sizes
    for key, rare in (("rare", True), ("others", False)):
        asked, answered, right = shown.by_class.query_counts(rare)
        template = text.GROUPS_ANSWERED if answered else text.GROUPS_REFUSED
        counts = render_text(template, answered=answered, asked=asked, right=right)
        rows.append((text.GROUPS_ROWS[key], counts if asked else text.GROUPS_NONE))
    empty = int(np.sum(sizes == 0))
    template = text.GROUPS_IMAGES_NONE if empty else text.GROUPS_IMAGES
    images = render_text(template, low=int(sizes.min()), high=int(sizes.max()), empty=empty)
    st.html(cards.definition([*rows, (text.GROUPS_ROWS["images"], images)]))
