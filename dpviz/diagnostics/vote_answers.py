"""What an aggregator answers to a table of votes with a seed's noise, and what each answer costs.
Private views.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms
from dpviz.privacy import smooth_sensitivity, vote_costs
from dpviz.privacy.vote_costs import Costs
from dpviz.privacy.vote_ledger import Setting, settings_for
from dpviz.types import Guarantee

TEST_NOISE, VOTE_NOISE = "pate tests", "pate answers"
"""Labels under which a seed's noise is drawn: those of the PATE methods, whose runs it repeats."""
MAX_POINTS = 25
"""Queries at which growth is counted."""


@dataclass(frozen=True, eq=False)
class Answers:
    """One seed's answers to the first queries of a table.

    Attributes:
        votes: (q, C) counts; labels: (q,) int64, -1 where refused; costs: data-dependent, at every
            order.
        noisy_top: (q,) the winner's votes as the test sees them; noisy: (q, C) votes as the answer
            sees them.
        setting: how they were aggregated.
    """

    votes: np.ndarray
    labels: np.ndarray
    costs: Costs
    noisy_top: np.ndarray
    noisy: np.ndarray
    setting: Setting

    @property
    def answered(self) -> np.ndarray:
        """(q,) bool."""
        return self.labels >= 0

    @property
    def teachers(self) -> int:
        """Votes on each query."""
        return int(self.votes[0].sum())

    def guarantee(self, queries: int | None = None) -> Guarantee:
        """Data-independent promise of the first ``queries``, had their number of answers been the
        cap.
        """
        n = len(self.labels) if queries is None else queries
        return self.guarantee_for(n, int(self.answered[:n].sum()))

    def guarantee_for(self, asked: int, answered: float) -> Guarantee:
        """Data-independent promise of so many tests and answers with this noise."""
        return vote_costs.data_independent(
            asked, answered, self.setting.sigma1, self.setting.sigma2, self.setting.delta
        )


def answer(votes: np.ndarray, by: Setting, seed: int) -> Answers:
    """Ask every row of ``votes`` (q, C). A query's noise does not depend on how many are asked or
    on any setting.
    """
    rows, _ = votes.shape
    events = vote_costs.events(rows, rows, by.sigma1, by.sigma2)
    unit1 = mechanisms.standard_normal(seed, TEST_NOISE, (rows,))
    unit2 = mechanisms.standard_normal(seed, VOTE_NOISE, votes.shape)
    tests = (events["threshold tests"], unit1) if by.tests else None
    answers = events["noisy votes"], unit2
    _, labels = mechanisms.confident_gnmax(votes, by.threshold, tests, answers)
    top = votes.max(axis=1)
    return Answers(
        votes,
        labels,
        vote_costs.costs(votes, by.threshold, by.sigma1, by.sigma2),
        mechanisms.add_gaussian(top, *tests) if tests else top,
        mechanisms.add_gaussian(votes, *answers),
        by,
    )


@dataclass(frozen=True)
class Growth:
    """Epsilon after some numbers of queries, by every way to count; each tuple has one entry a
    number.

    Attributes:
        queries: numbers of queries; answered: answers among them.
        independent: exact, as promised; converted: the same cost by the conversion that all below
            use.
        dependent, expected, proof: see ``vote_costs``; order: of the last dependent one.
        sanitised, spread: mean and noise of the sanitised one with settings fixed beforehand; empty
            where the conditions hold at no order, or not asked for.
        settings: of the sanitised one.
    """

    queries: tuple[int, ...]
    answered: tuple[int, ...]
    independent: tuple[float, ...]
    converted: tuple[float, ...]
    dependent: tuple[float, ...]
    expected: tuple[float, ...]
    proof: tuple[float, ...]
    order: float
    sanitised: tuple[float, ...] = ()
    spread: tuple[float, ...] = ()
    settings: smooth_sensitivity.Settings | None = None


def steps(queries: int) -> tuple[int, ...]:
    """At most POINTS numbers of queries, the last one all of them."""
    return tuple(sorted({round(n) for n in np.linspace(1, queries, min(MAX_POINTS, queries))}))


def growth(answers: Answers, sanitise: bool = True) -> Growth:
    """Epsilon as it grows with the queries, in the order of asking."""
    queries_at, by, costs = steps(len(answers.labels)), answers.setting, answers.costs
    ends, counts = np.array(queries_at) - 1, np.cumsum(answers.answered)
    answered = tuple(int(counts[e]) for e in ends)
    dependent, orders = vote_costs.epsilon(
        np.cumsum(costs.spent(answers.answered), axis=0)[ends], costs.orders, by.delta
    )
    expected, _ = vote_costs.epsilon(np.cumsum(costs.spent(), axis=0)[ends], costs.orders, by.delta)
    sigmas = by.sigma1, by.sigma2, by.delta
    independent = tuple(
        answers.guarantee_for(n, a).epsilon_delta for n, a in zip(queries_at, answered, strict=True)
    )
    rates = np.array(
        [sum(vote_costs.rho(n, a, *sigmas[:2])) for n, a in zip(queries_at, answered, strict=True)]
    )
    converted, _ = vote_costs.epsilon(rates[:, None] * costs.orders, costs.orders, by.delta)
    proof = tuple(
        vote_costs.undercount(n, a, *sigmas).labels
        for n, a in zip(queries_at, answered, strict=True)
    )
    shown = _sanitised(answers, queries_at) if sanitise else ((), (), None)
    return Growth(
        queries_at,
        answered,
        independent,
        tuple(converted.tolist()),
        tuple(dependent.tolist()),
        tuple(expected.tolist()),
        proof,
        float(orders[-1]),
        *shown,
    )


def _sanitised(
    answers: Answers, queries_at: Sequence[int]
) -> tuple[tuple[float, ...], tuple[float, ...], smooth_sensitivity.Settings | None]:
    """Mean and spread after each number of queries, each as if it were the one released; which
    queries were answered is released with the answers.
    """
    settings, by = settings_for(answers.votes, answers.setting), answers.setting
    if settings is None:
        return (), (), None
    first = np.arange(len(answers.labels)) < np.array(queries_at)[:, None]
    weights = np.stack([first, first & answers.answered], axis=-1).astype(float)
    spent, local = smooth_sensitivity.totals(
        answers.votes, by.threshold, by.sigma1, by.sigma2, settings.order, weights
    )
    made = [
        smooth_sensitivity.release(s, row, by.delta, settings)
        for s, row in zip(spent, local, strict=True)
    ]
    return tuple(m.mean for m in made), tuple(m.std for m in made), settings


@dataclass(frozen=True)
class QueryCost:
    """A query's own cost: what it adds to the run's Rényi cost at the run's best order, as epsilon.

    Attributes:
        test, vote: data-dependent cost of asking and of answering; test_any, vote_any: the same
            whatever the votes.
        chance: Pr(answer).
    """

    test: float
    vote: float
    test_any: float
    vote_any: float
    chance: float


def query_cost(answers: Answers, query: int) -> QueryCost:
    """The cost of one query at the order that the whole run is counted at."""
    costs, by = answers.costs, answers.setting
    _, order = vote_costs.epsilon(costs.spent(answers.answered).sum(axis=0), costs.orders, by.delta)
    place = int(np.searchsorted(costs.orders, order))
    answered = float(answers.answered[query])
    test, vote = vote_costs.rho(1, answered, by.sigma1, by.sigma2)
    return QueryCost(
        float(costs.test[query, place]),
        answered * float(costs.vote[query, place]),
        float(order) * test,
        float(order) * vote,
        float(costs.answer[query]),
    )
