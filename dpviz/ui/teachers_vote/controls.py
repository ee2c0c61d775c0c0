"""The page "Teachers vote": its controls, the votes it needs, its sentence and its cards."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np
import streamlit as st

from dpviz.data.imbalance import minority_classes
from dpviz.diagnostics import vote_answers
from dpviz.diagnostics.vote_answers import Answers
from dpviz.methods.parts import teachers
from dpviz.methods.parts.teachers import Votes
from dpviz.plots import class_answers, vote_histogram
from dpviz.plots.kit.style import ACCENT
from dpviz.privacy import vote_costs
from dpviz.privacy.ledger import Setting
from dpviz.run import experiment
from dpviz.run.jobs import Board, Job
from dpviz.types import Budget, Dataset, Material
from dpviz.ui.live import long_work, page_caches
from dpviz.ui.widgets import cards, shared_controls
from dpviz.ui.widgets.choices import choice
from dpviz.views.view import View
from dpviz.words import number, unbroken

RULES = {"confident": "Confident-GNMax", "gnmax": "GNMax"}
FEWEST, MOST = 10, 1000
QUERIES = (10, 20, 50, 100, 200, 300, 500, 1000)
TEACHERS = (10, 20, 50, 100, 150, 250, 500, 750, 1000)
RATIO = 5
"""The imbalance ratio at first: one at which a hundred teachers still know something."""


@dataclass(frozen=True)
class Poll:
    """One ensemble on one data set: what decides the votes."""

    material: Material
    kind: str
    teachers: int
    pool: str
    seed: int
    mapping: str = "fc1"
    ratio: float = 0.75
    framed: bool = True

    @property
    def method(self) -> str:
        """What the board calls it in its log."""
        return f"{self.teachers} {self.kind} teachers"


@dataclass(frozen=True)
class Asked:
    """What the controls say: data as every page has it, the ensemble, and how its votes are
    aggregated.
    """

    view: View
    poll: Poll
    by: Setting
    queries: int


# ----------------------------------------------------------------------------------------- controls


def sidebar() -> Asked:
    """All controls; data under the keys they have on the other pages."""
    with st.sidebar:
        st.header("Data")
        material = shared_controls.data(RATIO)
        st.header("Privacy")
        rule = choice(
            st.segmented_control,
            "Aggregator",
            RULES,
            "confident",
            "rule",
            required=True,
            help=_RULE_HELP,
        )
        shares = _noise(rule)
        queries = st.select_slider(
            "Queries asked", QUERIES, 100, key="asked", help=_QUERIES_HELP, bind="query-params"
        )
        st.header("Method")
        kind, count = _ensemble()
        pool, delta, seed = _more("all" if material.encoder is None else "named")
        shared_controls.reset_link()
    threshold, sigma1, sigma2 = (share * count for share in shares)
    by = (
        Setting(threshold, sigma1, sigma2, delta)
        if rule == "confident"
        else Setting(-math.inf, math.inf, sigma2, delta)
    )
    view = View(
        **material.facts,
        budget=Budget(1.0, delta=delta),
        first_seed=seed,
        seeds=1,
        methods=("class-mean",),
    )
    return Asked(view, Poll(material, kind, count, pool, 0), by, int(queries))


def _noise(rule: str) -> tuple[float, float, float]:
    """T, sigma1 and sigma2 as shares of the teachers."""
    threshold = sigma1 = 0
    if rule == "confident":
        threshold = st.slider(
            "Threshold T, % of teachers", 0, 120, 80, key="T", help=_T_HELP, bind="query-params"
        )
        sigma1 = st.slider(
            "Test noise σ₁, % of teachers",
            1,
            100,
            40,
            key="s1",
            help=_S1_HELP,
            bind="query-params",
        )
    sigma2 = st.slider(
        "Vote noise σ₂, % of teachers", 1, 100, 20, key="s2", help=_S2_HELP, bind="query-params"
    )
    shared_controls.ends("more accurate", "more private")
    return threshold / 100, sigma1 / 100, sigma2 / 100


def _ensemble() -> tuple[str, int]:
    kinds = {key: title for key, title in teachers.KINDS.items() if key != "prompt"}
    kind = choice(st.selectbox, "Teachers learn", kinds, "linear", "teach", help=_KIND_HELP)
    st.caption(teachers.KINDS[kind])  # the box cuts it short
    count = st.select_slider(
        "Teachers", TEACHERS, 100, key="M", help=_TEACHERS_HELP, bind="query-params"
    )
    return kind, int(count)


def _more(usual: str) -> tuple[str, float, int]:
    """Pool, delta and noise seed; ``usual``: the pool at first, every record where own data may
    bring no names.
    """
    with st.expander("Pool, δ, noise seed"):
        pool = choice(st.radio, "Queries come from", teachers.POOLS, usual, "pool", help=_POOL_HELP)
        delta = st.number_input(
            "δ",
            1e-12,
            0.1,
            1e-5,
            1e-6,
            format="%.1e",
            key="delta",
            help=_DELTA_HELP,
            bind="query-params",
        )
        seed = st.number_input(
            "Noise seed", 0, 2**31, 0, key="seed", help=_SEED_HELP, bind="query-params"
        )
    return pool, float(delta), int(seed)


_RULE_HELP = (
    "Confident-GNMax first tests, with noise, whether enough teachers agree; if not, it refuses and"
    " spends little. GNMax answers every query."
)
_QUERIES_HELP = (
    "Public records that the teachers are asked to label, in an order drawn without looking at"
    " votes."
)
_T_HELP = (
    "A query is answered if its winner has this many votes, as far as the test can tell through its"
    " noise."
)
_S1_HELP = "Paid on every query asked, answered or not."
_S2_HELP = "Paid on every query answered."
_KIND_HELP = (
    "What each teacher trains on its own share of the private records. Visual prompts are compared"
    " further down: they need minutes."
)
_TEACHERS_HELP = (
    "Each has a share of its own, which no other sees. More teachers drown more noise, but know"
    " less each."
)
_POOL_HELP = (
    "The names of public records choose the queries and mark the answers; students do not see them."
)
_DELTA_HELP = (
    "The chance with which the promise may fail. Choose it well below 1 / number of records."
)
_SEED_HELP = "The same seed gives the same noise, whatever the settings."

# -------------------------------------------------------------------------------------------- votes


@dataclass(frozen=True, eq=False)
class Ballot:
    """Votes of a poll, the data they are about, and how long they took; next to nothing where they
    were stored.
    """

    poll: Poll
    data: Dataset
    votes: Votes
    seconds: float


@st.cache_resource(show_spinner=False)
def board() -> Board:
    """The one board of polls on this server."""
    return Board(lambda group, progress: [ballot(group[0], progress)], 60, there=long_work.there)


def ballot(poll: Poll, progress: experiment.Progress) -> Ballot:
    """Train, or recall, the teachers and count their votes."""
    data, p = experiment.prepared(poll.material, progress), poll
    started = time.perf_counter()
    more = {"pool": p.pool, "mapping": p.mapping, "ratio": p.ratio, "framed": p.framed}
    told = (
        ""
        if p.kind != "prompt"
        else (
            f"Visual prompts {'in a frame, ratio ' + number(p.ratio) if p.framed else 'over all'}. "
        )
    )
    votes = teachers.votes(
        data,
        p.kind,
        p.teachers,
        p.seed,
        **more,
        progress=lambda what, *count: progress(told + what, *count),
    )
    return Ballot(poll, data, votes, time.perf_counter() - started)


def found(job: Job, poll: Poll) -> Ballot | None:
    """The ballot, if it is there."""
    done = job.done.get((poll,))
    return done[0] if done else None


@page_caches.remembered(60)
def _aggregated(mark: str, by: Setting, queries: int, seed: int, _votes: np.ndarray) -> Answers:
    return vote_answers.answer(_votes[:queries], by, seed)


def aggregated(ballot_: Ballot, asked: Asked) -> Answers:
    """The answers to the queries asked, kept by settings and content."""
    return _aggregated(
        mark(ballot_), asked.by, asked.queries, asked.view.first_seed, ballot_.votes.counts
    )


def mark(ballot_: Ballot) -> str:
    """Changes with the votes."""
    return f"{ballot_.data.fingerprint} {ballot_.poll}"


@page_caches.remembered(60)
def _grown(mark: str, by: Setting, queries: int, seed: int, _found: Answers) -> vote_answers.Growth:
    return vote_answers.growth(_found)


def grown(ballot_: Ballot, asked: Asked, made: Answers) -> vote_answers.Growth:
    """``answers.growth``, kept."""
    return _grown(mark(ballot_), asked.by, asked.queries, asked.view.first_seed, made)


def kinds(made: Answers, truth: np.ndarray) -> np.ndarray:
    """What became of each query: (q,) keys of ``vote_histogram.KINDS``."""
    right = np.where(truth < 0, "unknown", np.where(made.labels == truth, "right", "wrong"))
    return np.where(made.answered, right, "refused")


def histogram(made: Answers, truth: np.ndarray) -> vote_histogram.VoteHistogram:
    """The main chart's data."""
    chance = np.exp(
        vote_costs.log_answer(np.arange(made.teachers + 1), made.by.threshold, made.by.sigma1)
    )
    return vote_histogram.info(
        made.votes.max(axis=1),
        kinds(made, truth),
        made.teachers,
        made.by.threshold,
        made.by.sigma1,
        chance,
    )


# --------------------------------------------------------------------------------------- the answer


def accuracy(made: Answers, truth: np.ndarray) -> float:
    """Share of the answers that are right, of those whose truth is known; nan for none."""
    known = made.answered & (truth >= 0)
    return float(np.mean(made.labels[known] == truth[known])) if known.any() else math.nan


def answer(ballot_: Ballot, made: Answers, truth: np.ndarray) -> str:
    """One sentence in Markdown: who answers how much, how rightly, at which promise."""
    votes, count = ballot_.votes, int(made.answered.sum())
    size = votes.sizes.mean()
    by = made.by
    test = (
        ""
        if by.threshold == -math.inf
        else f"T = {number(by.threshold)} ± {number(by.sigma1)} and "
    )
    start = (
        f"With {test}noise {number(by.sigma2)} on the votes, **{made.teachers} teachers** of about"
        f" {size:.0f} records answer **{count} of {len(made.labels)} queries**"
    )
    right = accuracy(made, truth)
    middle = "" if math.isnan(right) else f", **{100 * right:.0f} %** of them rightly"
    promise = made.guarantee()
    return (
        f"{start}{middle}, for **({number(float(f'{promise.epsilon_delta:.3g}'))},"
        f" {number(made.by.delta)})-DP** whatever the votes; each teacher alone is right on"
        f" {100 * votes.right.mean():.0f} % of test records."
    )


def cards_row(
    ballot_: Ballot, made: Answers, truth: np.ndarray, chart: class_answers.ClassSay
) -> None:
    """The promise, what was spent on what, who is heard."""
    with st.container(horizontal=True, wrap=True):
        with st.container(border=True, width=312, key="card-votes"):
            cards.promise(
                RULES["confident" if made.by.threshold > -math.inf else "gnmax"],
                ACCENT,
                made.guarantee(),
            )
            st.caption(
                unbroken(
                    f"Holds if {int(made.answered.sum())} answers were the cap set beforehand. Were"
                    " every query answered: ε ="
                    f" {number(float(f'{made.promise(len(made.labels), len(made.labels)).epsilon_delta:.3g}'))}."
                )
            )
        _spent(made)
        _heard(ballot_, made, truth, chart)


def _spent(made: Answers) -> None:
    asked, answered, by = len(made.labels), int(made.answered.sum()), made.by
    with st.container(border=True, width=312):
        st.html('<div class="dp-card-title">What it is spent on</div>')
        tests, labels = asked / (2 * by.sigma1**2), answered / by.sigma2**2
        share = tests / (tests + labels) if tests + labels else 0.0
        rows = [
            (
                "noise",
                (
                    f"T = {number(by.threshold)}, σ₁ = {number(by.sigma1)}, σ₂ ="
                    f" {number(by.sigma2)} votes"
                    if by.threshold > -math.inf
                    else f"σ₂ = {number(by.sigma2)} votes, no test"
                ),
            ),
            (
                "tests",
                f"{asked if by.threshold > -math.inf else 0} asked: {100 * share:.0f} % of ρ",
            ),
            ("answers", f"{answered} answered: {100 - 100 * share:.0f} % of ρ"),
        ]
        st.html(cards.definition(rows))
        _warning(made)


def _warning(made: Answers) -> None:
    """How far the Prom-PATE paper's proof falls short here."""
    by, answered = made.by, int(made.answered.sum())
    if not answered:
        return
    short = vote_costs.undercount(len(made.labels), answered, by.sigma1, by.sigma2, by.delta)
    st.warning(
        f"The Prom-PATE paper's proof counts α/2σ₂² an answer and no test: ε = {short.labels:.2f}"
        f" where {short.epsilon:.2f} is spent (both by its own conversion); in ρ that is"
        f" **1/{short.ratio:.1f} of the cost**.",
        icon=":material/warning:",
    )


def _heard(
    ballot_: Ballot, made: Answers, truth: np.ndarray, chart: class_answers.ClassSay
) -> None:
    with st.container(border=True, width=312):
        st.html('<div class="dp-card-title">Who is heard</div>')
        rows = []
        for who, small in (("the minority", True), ("the others", False)):
            answered, right = class_answers.share(chart, small)
            rows.append(
                (
                    who,
                    (
                        "no query"
                        if math.isnan(answered)
                        else f"{100 * answered:.0f} % answered, {100 * right:.0f} % rightly"
                    ),
                )
            )
        sizes = ballot_.votes.sizes
        rows.append(
            (
                "a teacher has",
                f"{sizes.min()} to {sizes.max()} records"
                + (f"; {int(np.sum(sizes == 0))} have none" if np.any(sizes == 0) else ""),
            )
        )
        st.html(cards.definition(rows))
        cards.private_view()


def say(ballot_: Ballot, made: Answers, truth: np.ndarray) -> class_answers.ClassSay:
    """Which classes are heard."""
    data = ballot_.data
    return class_answers.info(
        made.labels, truth, data.counts, minority_classes(data.counts), data.class_names
    )


def caption(ballot_: Ballot, made: Answers, asked: Asked) -> str:
    """What the chart shows and how much of it there is."""
    fewer = (
        f" There are only {len(made.labels)} such records."
        if len(made.labels) < asked.queries
        else ""
    )
    band = (
        " The shaded band is one standard deviation of the test's noise."
        if made.by.threshold > -math.inf
        else ""
    )
    return (
        f"Votes of the winning class on each query, noise seed {asked.view.first_seed}. Click a bar"
        f" to look at one of its queries.{band}{fewer}"
    )
