"""The answer of the page "Teachers vote": votes and answers, the sentence, the chart, the cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from dpviz import caches
from dpviz.data.imbalance import minority_classes
from dpviz.diagnostics import pate_votes, vote_answers
from dpviz.diagnostics.pate_votes import Ballot, Poll
from dpviz.diagnostics.vote_answers import Answers
from dpviz.formatting import number, unbroken
from dpviz.plots.kit.style import ACCENT
from dpviz.plots.teachers import ANSWER_KINDS, ClassAnswers, VoteHistogram, vote_bins
from dpviz.privacy import vote_costs
from dpviz.privacy.vote_ledger import Setting
from dpviz.run import experiment, units
from dpviz.run.experiment import Progress
from dpviz.run.jobs import Work, no_private_runs
from dpviz.run.session import NoisyVotes
from dpviz.ui.frame import page_parts, presentation
from dpviz.ui.live import long_work, session_cost
from dpviz.ui.teachers_vote.controls import KEY, RULES, Request
from dpviz.ui.widgets import cards, charts
from dpviz.views import teachers_vote_page
from dpviz.views.guarantee_in_words import right_at_most

MAX_CACHED = 60
WIDTH = 312
"""Pixels of a card."""


def _ballot(poll: Poll, progress: Progress) -> Ballot:
    votes, seconds = long_work.POOL.call(
        pate_votes.count_votes, poll.material, poll.ensemble, progress=progress
    )
    return Ballot(poll, experiment.prepared(poll.material, progress), votes, seconds)


# votes are a private view; noisy answers to them are noted where they are shown
POLLS = Work(
    lambda group, progress: [_ballot(group[0], progress)],
    max_groups=MAX_CACHED,
    private_runs=no_private_runs,
)


@dataclass(frozen=True, eq=False)
class Vote:
    """All that the page needs at once: what is asked, the votes, what is answered to them."""

    request: Request
    ballot: Ballot
    answers: Answers

    @property
    def truth(self) -> np.ndarray:
        """(q,) true class of each query, -1 where it is not known."""
        return self.ballot.votes.truth[: len(self.answers.labels)]

    @property
    def class_say(self) -> ClassAnswers:
        """Which classes are heard."""
        data = self.ballot.data
        small = minority_classes(data.counts, data.draw)
        return ClassAnswers.from_labels(
            self.answers.labels, self.truth, data.counts, small, data.class_names
        )


def vote(request: Request, status: Any) -> Vote | None:
    """What the page shows; None, with the reason on the page, where there is nothing to show."""
    ballot = long_work.run_one(KEY, request.poll, POLLS, status)
    if ballot is None:
        return None
    shown, poll = answered(request, ballot), request.poll
    queries = len(shown.answers.labels)
    session_cost.count(
        [NoisyVotes(poll.material, poll.ensemble, request.setting, queries, request.seed)]
    )
    return shown


def answered(request: Request, ballot: Ballot) -> Vote:
    """The answers to the queries asked, kept."""
    return Vote(request, ballot, _answers(ballot, request.setting, request.queries, request.seed))


@caches.cached(MAX_CACHED)
def _answers(ballot: Ballot, setting: Setting, queries: int, seed: int) -> Answers:
    return vote_answers.answer(ballot.votes.counts[:queries], setting, seed)


# ------------------------------------------------------------------------------------- the sentence


def answer(shown: Vote) -> str:
    """One sentence in Markdown: who answers how much, how rightly, at which promise."""
    answers, votes, setting = shown.answers, shown.ballot.votes, shown.answers.setting
    queries = len(answers.labels)
    test = (
        f"T = {number(setting.threshold)} ± {number(setting.sigma1)} and " if setting.tests else ""
    )
    subject = " to each person" if shown.request.view.unit == "person" else ""
    return (
        f"With {test}noise {number(setting.sigma2)} on the votes, **{answers.teachers} teachers**"
        f" of about {votes.sizes.mean():.0f} records answer **{int(answers.answered.sum())} of"
        f" {len(answers.labels)} queries**{_right_text(shown)}, for"
        f" **({number(answers.guarantee_for(queries, queries).epsilon_delta)},"
        f" {number(setting.delta)})-DP**"
        f"{subject} whatever the votes{_cap_text(answers)}; each teacher alone is right on"
        f" {100 * votes.right.mean():.0f}% of test records."
    )


def _cap_text(answers: Answers) -> str:
    """What it would be, had the number of answers been limited beforehand."""
    queries, count = len(answers.labels), int(answers.answered.sum())
    if count == queries:
        return ""
    epsilon = number(answers.guarantee().epsilon_delta)
    return (
        f", all {queries} counted as answered (ε = {epsilon} had {count} been a cap set beforehand)"
    )


def plain(shown: Vote) -> str:
    """The same for someone who knows no statistics."""
    answers, votes = shown.answers, shown.ballot.votes
    became = list(pate_votes.outcomes(answers, shown.truth))
    right = became.count("right")
    outcome = teachers_vote_page.VoteOutcome(
        teachers=answers.teachers,
        records=float(votes.sizes.mean()),
        queries=len(answers.labels),
        answered=int(answers.answered.sum()),
        right=right,
        labeled=right + became.count("wrong"),
        teacher_accuracy=float(votes.right.mean()),
    )
    material = shown.request.poll.material
    guarantee = pate_votes.guarantee_of(material, answers, len(answers.labels))
    return teachers_vote_page.sentence(outcome, guarantee)


def _right_text(shown: Vote) -> str:
    """How many of the answers are right, of those whose true class is known."""
    became = list(pate_votes.outcomes(shown.answers, shown.truth))
    right, known = became.count("right"), became.count("right") + became.count("wrong")
    of_known = f" of the {known} whose class is known" if "unknown" in became else " of them"
    return f", **{right}**{of_known} rightly" if known else ""


def unreached(shown: Vote) -> str:
    """A sentence where no query has as many votes as the threshold; empty elsewhere."""
    setting, most = shown.answers.setting, int(shown.answers.votes.max())
    if not setting.tests or most >= setting.threshold:
        return ""
    return (
        f"No class gets more than **{most} votes** on any query, and the threshold asks for"
        f" T = {number(setting.threshold)}: whatever is answered got past the test by noise alone."
        " Lower T to hear where the teachers agree."
    )


def caption(shown: Vote) -> str:
    """What the chart shows and how much of it there is."""
    count = len(shown.answers.labels)
    fewer = f" There are only {count} such records." if count < shown.request.queries else ""
    band = " The shaded band is one standard deviation of the test's noise."
    return (
        f"Votes of the winning class on each query, noise seed {shown.request.seed}. Click a bar to"
        f" look at one of its queries.{band if shown.answers.setting.tests else ''}{fewer}"
    )


# ---------------------------------------------------------------------------------------- the chart


def histogram(answers: Answers, truth: np.ndarray) -> VoteHistogram:
    """The main chart's data."""
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
    """The main chart; a click on a bar chooses a query of that bar."""
    info, key = histogram(shown.answers, shown.truth), f"{KEY}-bars"
    bars = vote_bins(shown.answers.votes.max(axis=1), shown.answers.teachers)
    figure, words = info.figure(), info.alt()
    page = page_parts.current_page()
    page.pictures[key] = page_parts.Picture(words, figure, private=page.private)
    charts.clickable(presentation.enlarged(figure), words, key, lambda: _clicked(key, bars))
    return info


def _clicked(key: str, bars: np.ndarray) -> None:
    """A click chooses the next query of the bar; a click beside all bars changes nothing."""
    points = [
        p
        for p in st.session_state[key]["selection"]["points"]
        if p.get("curve_number", 0) < len(ANSWER_KINDS)
    ]
    if not points:
        return
    here = np.flatnonzero(bars == int(points[0]["point_index"]))
    if len(here):
        later = here[here >= int(st.session_state.get("q", 1))]
        st.session_state["q"] = int(later[0] if len(later) else here[0]) + 1
        st.session_state["look"] = "query"


# ---------------------------------------------------------------------------------------- the cards


def cards_row(shown: Vote) -> None:
    """The promise, what was spent on what, who is heard."""
    answers, queries = shown.answers, len(shown.answers.labels)
    with cards.row("votes"):
        with st.container(border=True, width=WIDTH, key="card-votes"):
            rule = RULES["confident" if answers.setting.tests else "gnmax"]
            material = shown.request.poll.material
            guarantee = pate_votes.guarantee_of(material, answers, queries)
            protected = units.protected(shown.ballot.data, material.unit)
            cards.guarantee_card(rule, ACCENT, guarantee, protected=protected)
            count = int(answers.answered.sum())
            fewer = pate_votes.guarantee_of(material, answers)
            if_cap = (
                f"It counts all {queries} queries as answered. Had {count} answers been a cap set"
                f" beforehand: {right_at_most(fewer)}, ε = {number(fewer.epsilon_delta)}. "
            ) * (count < queries)
            st.caption(unbroken(f"{if_cap}{_sharded(shown)}"))
        with cards.titled("What it is spent on", WIDTH):
            _spent(answers)
        with cards.titled("Who is heard", WIDTH):
            _answered_text(shown)


def _sharded(shown: Vote) -> str:
    """Who is at which teacher."""
    if shown.request.poll.ensemble.by_person:
        return (
            "All records of a person are at one teacher, which the smallest hash of their contents"
            " names, so that a person moves one vote a query."
        )
    return "Each record's teacher follows from a hash of its content."


def _spent(answers: Answers) -> None:
    queries, count, setting = len(answers.labels), int(answers.answered.sum()), answers.setting
    tests, labels = vote_costs.rho(queries, count, setting.sigma1, setting.sigma2)
    share = tests / (tests + labels) if tests + labels else 0.0
    noise = f"σ₂ = {number(setting.sigma2)} votes"
    test = (
        f"T = {number(setting.threshold)}, σ₁ = {number(setting.sigma1)}, " if setting.tests else ""
    )
    rows = [
        ("noise", f"{test}{noise}" if setting.tests else f"{noise}, no test"),
        ("tests", f"{queries if setting.tests else 0} asked: {100 * share:.0f}% of ρ"),
        ("answers", f"{count} answered: {100 - 100 * share:.0f}% of ρ"),
    ]
    st.html(cards.definition(rows))
    if count:
        _undercount(answers)


UNDERCOUNT = (
    "The Prom-PATE paper's proof charges α/2σ₂² and no test. Per answer, that is **1/{ratio:.1f} of"
    " the cost** in ρ: ε would be {charged} where {spent} is spent. {per_query} The paper's printed"
    " ε come from another accountant, not from this proof. The guarantee holds with α/σ₂² per"
    " answer and all tests counted."
)
PER_QUERY_SHORT = "Charged for all {asked} queries, it is 1/{ratio:.1f} of the cost."
PER_QUERY_ENOUGH = "Charged for all {asked} queries, it covers the cost here."


def _undercount(answers: Answers) -> None:
    """How far the Prom-PATE paper's proof falls short here, by both readings of its charge."""
    queries, count, setting = len(answers.labels), int(answers.answered.sum()), answers.setting
    short = vote_costs.undercount(queries, count, setting.sigma1, setting.sigma2, setting.delta)
    charged = answers.guarantee_for(0, count / 2).epsilon_delta
    template = PER_QUERY_SHORT if short.query_ratio > 1 else PER_QUERY_ENOUGH
    per_query = template.format(asked=queries, ratio=short.query_ratio)
    st.warning(
        UNDERCOUNT.format(
            ratio=short.ratio,
            charged=number(charged),
            spent=number(answers.guarantee().epsilon_delta),
            per_query=per_query,
        ),
        icon=":material/warning:",
    )


def _answered_text(shown: Vote) -> None:
    cards.private_view()
    rows, sizes = [], shown.ballot.votes.sizes
    for group_name, small in (("the minority", True), ("the others", False)):
        queries, answered, right = shown.class_say.query_counts(small)
        text = f"{answered} of {queries} answered{f', {right} rightly' if answered else ''}"
        rows.append((group_name, text if queries else "no query"))
    none = int(np.sum(sizes == 0))
    addition = f"; {none} have none" if none else ""
    rows.append(("a teacher has", f"{sizes.min()} to {sizes.max()} records{addition}"))
    st.html(cards.definition(rows))
