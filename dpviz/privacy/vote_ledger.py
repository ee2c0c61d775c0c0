"""What a table of votes costs, by every way to count: private views, to be read with
``vote_costs.RELEASE``.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.formatting import number_up
from dpviz.privacy import smooth_sensitivity, vote_costs
from dpviz.privacy.smooth_sensitivity import Sanitised, Settings
from dpviz.privacy.vote_costs import Undercount

ROWS = 4_000
"""Rows of costs at every order that are held at once."""


@dataclass(frozen=True)
class Setting:
    """How votes are aggregated: T (-inf: answer everything), its noise (inf then), the votes'
    noise, delta.
    """

    threshold: float
    sigma1: float
    sigma2: float
    delta: float

    @property
    def tests(self) -> bool:
        """Whether a query is tested before it is answered."""
        return self.threshold > -math.inf


@dataclass(frozen=True)
class Account:
    """Epsilons of a table of votes at the setting's delta.

    Attributes:
        teachers, queries, classes: of the table.
        answered: expected number of answers.
        independent: the tests of all queries and ``answered`` noisy winners; all_answered: were
            every query answered.
        expected: data-dependent, each answer weighted by its probability; order: the Rényi order
            that gives it.
        proof: the same answers by the Prom-PATE paper's proof.
        sanitised: the expected cost with settings picked on the votes; beforehand: every query
            answered, with settings from public numbers alone. None where left out, or where the
            conditions of smooth sensitivity hold at no order.
    """

    teachers: int
    queries: int
    classes: int
    answered: float
    independent: float
    all_answered: float
    expected: float
    order: float
    proof: Undercount
    sanitised: Sanitised | None = None
    beforehand: Sanitised | None = None


def account(
    votes: np.ndarray,
    by: Setting,
    sanitise: bool = True,
    tick: Callable[[int, int], None] = lambda *_: None,
) -> Account:
    """Account of votes (q, C), counts of equal sum; ``tick(done, all)`` is called while
    sanitising.
    """
    queries, classes = votes.shape
    chunks = [
        vote_costs.costs(votes[at : at + ROWS], by.threshold, by.sigma1, by.sigma2)
        for at in range(0, queries, ROWS)
    ]
    spent = sum(chunk.spent().sum(axis=0) for chunk in chunks)
    answer = np.concatenate([chunk.answer for chunk in chunks])
    answered, orders = float(answer.sum()), vote_costs.ORDERS
    expected, order = vote_costs.epsilon(spent, orders, by.delta)
    sigmas = by.sigma1, by.sigma2, by.delta
    sanitised = (
        (_picked(votes, by, answer, spent, tick), _beforehand(votes, by, tick))
        if sanitise
        else (None, None)
    )
    return Account(
        int(votes[0].sum()),
        queries,
        classes,
        answered,
        vote_costs.data_independent(queries, answered, *sigmas).epsilon_delta,
        vote_costs.data_independent(queries, queries, *sigmas).epsilon_delta,
        float(expected),
        float(order),
        vote_costs.undercount(queries, answered, *sigmas),
        *sanitised,
    )


def _picked(
    votes: np.ndarray,
    by: Setting,
    answer: np.ndarray,
    spent: np.ndarray,
    tick: Callable[[int, int], None],
) -> Sanitised | None:
    """The expected cost sanitised with the settings that suit these votes best."""
    order = smooth_sensitivity.valid_order(
        spent, vote_costs.ORDERS, by.sigma2, votes.shape[1], by.delta
    )
    if order is None:
        return None
    cost, local = _total(votes, by, answer, order, tick)
    return smooth_sensitivity.release(
        cost, local, by.delta, smooth_sensitivity.pick(cost, local, order, by.delta)
    )


def _beforehand(
    votes: np.ndarray, by: Setting, tick: Callable[[int, int], None]
) -> Sanitised | None:
    """The cost were every query answered, sanitised with settings that read no votes."""
    settings = settings_for(votes, by)
    if settings is None:
        return None
    cost, local = releasable(votes, by, settings.order, tick)
    return smooth_sensitivity.release(cost, local, by.delta, settings)


def releasable(
    votes: np.ndarray, by: Setting, order: float, tick: Callable[[int, int], None] = lambda *_: None
) -> tuple[float, np.ndarray]:
    """Return the data-dependent cost of votes (q, C) at an order, were every query answered, and
    the bounds on its local sensitivity (teachers + 1,).

    The chance of an answer is as private as the votes: a cost weighted by it moves with it, further
    than ``smooth_sensitivity`` bounds.
    """
    return _total(votes, by, np.ones(len(votes)), order, tick)


def settings_for(votes: np.ndarray, by: Setting) -> Settings | None:
    """``smooth_sensitivity.beforehand`` for a table of this shape and number of teachers."""
    queries, classes = votes.shape
    return smooth_sensitivity.beforehand(
        int(votes[0].sum()), classes, queries, by.threshold, by.sigma1, by.sigma2, by.delta
    )


def _total(
    votes: np.ndarray,
    by: Setting,
    answer: np.ndarray,
    order: float,
    tick: Callable[[int, int], None],
) -> tuple[float, np.ndarray]:
    weights = np.stack([np.ones_like(answer), answer], axis=1)[None]
    spent, local = smooth_sensitivity.totals(
        votes, by.threshold, by.sigma1, by.sigma2, order, weights, tick
    )
    return float(spent[0]), local[0]


# ------------------------------------------------------------------------------------------- output

EXPECTED_COUNT = (
    "not a guarantee: the number of answers comes from the votes, not from a limit chosen"
    " beforehand"
)
RULE = {
    "picked": (
        "not releasable: order, beta and sigma_s are chosen on the votes, as in the papers, and"
        " the probabilities of an answer are held fixed"
    ),
    "beforehand": (
        "one draw is releasable, its mean and spread are not: order, beta and sigma_s come from the"
        " options and the table's shape, and every query counts as answered"
    ),
}


def to_json(found: Account, by: Setting) -> dict[str, Any]:
    """The object that ``pate --json`` prints; what may not leave the room stands under
    ``private_view``.
    """
    return {
        "queries": found.queries,
        "teachers": found.teachers,
        "classes": found.classes,
        **dataclasses.asdict(by),
        "epsilon_all_answered": found.all_answered,
        "adjacency": (
            "change the vote of one teacher: add or remove one record, or one person whose"
            " records all belong to one teacher"
        ),
        "private_view": {
            "answered_expected": found.answered,
            "epsilon_data_independent": found.independent,
            "epsilon_expected": found.expected,
            "order": found.order,
            "epsilon_sanitized": _sanitised_json(found.sanitised),
            "epsilon_sanitized_beforehand": _sanitised_json(found.beforehand),
            "paper_proof": dataclasses.asdict(found.proof),
            "why": {
                "answered_expected": vote_costs.RELEASE["expected"],
                "epsilon_data_independent": EXPECTED_COUNT,
                "epsilon_expected": vote_costs.RELEASE["expected"],
                "epsilon_sanitized": RULE["picked"],
                "epsilon_sanitized_beforehand": RULE["beforehand"],
            },
        },
    }


def _sanitised_json(found: Sanitised | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {"mean": found.mean, "std": found.std, **dataclasses.asdict(found.settings)}


def sentence(found: Account, by: Setting) -> str:
    """What ``pate`` prints without ``--json``; what reads the votes stands under a private view."""
    p = found.proof
    lines = [
        f"{found.teachers:,} teachers, {found.queries:,} queries. At delta {number_up(by.delta)}:",
        f"  epsilon {number_up(found.all_answered)} if every query is answered (needs no votes).",
        "Private view, not covered by the guarantee:",
        (f"  about {found.answered:.1f} answered queries ({vote_costs.RELEASE['expected']})"),
        (
            f"  epsilon {number_up(found.independent)}, data-independent, for this number of"
            f" answers ({EXPECTED_COUNT})"
        ),
        (
            f"  epsilon {number_up(found.expected)}, expected, data-dependent, at order"
            f" {found.order:g} ({vote_costs.RELEASE['expected']})"
        ),
    ]
    for rule, one in (("picked", found.sanitised), ("beforehand", found.beforehand)):
        if one is not None:
            lines.append(
                f"  epsilon {one.mean:.4g} +- {one.std:.2g}, sanitized, including the cost of its"
                f" noise ({RULE[rule]})"
            )
    lines.append(
        f"  epsilon {p.labels:.4g} by the proof in the Prom-PATE paper for the same answers. The"
        f" proof counts 1/{p.ratio:.2f} of the cost, or 1/{p.query_ratio:.2f} if it charges every"
        f" query. The full cost by the same conversion is epsilon {number_up(p.epsilon)}."
    )
    return "\n".join(lines)
