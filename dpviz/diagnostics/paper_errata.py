"""Where the DPPL paper's printed selection errs, and what each slip would cost: computed, on an
example or the data.

Source: DPPL (first version), Algorithms 1 and 2 and App. C.3, against Gillenwater et al. 2022; for
the price of the draw arXiv 2510.25746.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.diagnostics import prototype_choices
from dpviz.lazy_imports import special
from dpviz.methods.components import public_scores
from dpviz.methods.components.public_scores import window_width
from dpviz.types import Budget, Dataset, Exponential, RunSpec

TRIED_RECORDS = 24
"""Records of a class tried as the one that is left out: more would find a loss that is at least as
large.
"""


def _ln_choose(n: np.ndarray | int, k: int) -> np.ndarray:
    return (
        special.gammaln(np.add(n, 1))
        - special.gammaln(k + 1)
        - special.gammaln(np.subtract(n, k) + 1)
    )


def _ranks(u: np.ndarray) -> np.ndarray:
    """1-based rank of each item, 1 the best; ties in item order."""
    ranks = np.empty(len(u), np.int64)
    ranks[np.argsort(-u, kind="stable")] = np.arange(1, len(u) + 1)
    return ranks


def _rank_logits(u: np.ndarray, k: int, t: float, printed: bool) -> np.ndarray:
    """Normalised log probability of each lowest rank y = k..m, in order of y."""
    y = np.arange(k, len(u) + 1)
    sets = _ln_choose(y, k) if printed else mechanisms.log_sets(len(u), k)
    logits = sets + t * -np.sort(-u)[k - 1 :]
    return logits - special.logsumexp(logits)


def set_log_probability(u: np.ndarray, members: Sequence[int], t: float, printed: bool) -> float:
    """Log probability that the members are the set drawn from utilities u (m,) at exp(t u).

    Args:
        printed: with the paper's C(y, K) sets of lowest rank y instead of the C(y-1, K-1) there
            are.
    """
    k, worst = len(members), int(_ranks(u)[list(members)].max())
    return float(_rank_logits(u, k, t, printed)[worst - k] - _ln_choose(worst - 1, k - 1))


def loss(u: np.ndarray, v: np.ndarray, members: Sequence[int], t: float, printed: bool) -> float:
    """Privacy loss of drawing the members, between two neighbours' utilities: at most epsilon if
    the promise holds.
    """
    return abs(
        set_log_probability(u, members, t, printed) - set_log_probability(v, members, t, printed)
    )


# ------------------------------------------------------------------------------------- multiplicity


@dataclass(frozen=True)
class Slip:
    """A privacy loss that was promised and the one that is had.

    Attributes:
        claimed_epsilon: epsilon; right: loss of the corrected draw; printed: loss of the printed
            one;
            pictures, k: sizes; record: which record of the class was left out, None in the example.
    """

    claimed_epsilon: float
    right: float
    printed: float
    pictures: int
    k: int
    record: int | None = None


def example(epsilon: float = 0.1, pictures: int = 60, k: int = 2) -> Slip:
    """All pictures equally good until one record raises k of them by its full say.

    Both follow what they print: exp(epsilon u / Delta) for ours, exp(epsilon u / 2 Delta) for the
        paper's.
    """
    members = range(pictures - k, pictures)  # among equals these stand last
    before, after = np.zeros(pictures), np.r_[np.zeros(pictures - k), np.ones(k)]
    printed = loss(before, after, members, epsilon / 2, printed=True)
    return Slip(epsilon, loss(before, after, members, epsilon, printed=False), printed, pictures, k)


def worst_record(
    data: Dataset,
    utility: np.ndarray,
    c: int,
    k: int,
    event: Exponential,
    d_min: float,
    d_max: float,
) -> Slip:
    """The largest loss found by leaving out one record of class c and drawing one well-chosen set.

    Args:
        utility: (m,) of the class, with all its records.

    Returns:
        A lower bound on the loss of the printed draw; an exact loss of one output.
    """
    t = event.epsilon / event.sensitivity
    slip = Slip(event.epsilon, 0.0, 0.0, len(utility), k, 0)
    ranks = _ranks(utility)
    log_p = _rank_logits(utility, k, t / 2, printed=True)
    for i, own in enumerate(record_scores(data, c, d_min, d_max)[:TRIED_RECORDS]):
        without_record = utility - own
        members = _telling_set(
            ranks,
            log_p,
            _ranks(without_record),
            _rank_logits(without_record, k, t / 2, printed=True),
            k,
        )
        printed = loss(utility, without_record, members, t / 2, printed=True)
        if printed > slip.printed:
            slip = Slip(
                event.epsilon,
                loss(utility, without_record, members, t, printed=False),
                printed,
                len(utility),
                k,
                i,
            )
    return slip


def record_scores(data: Dataset, c: int, d_min: float, d_max: float) -> np.ndarray:
    """What each of the first records of class c adds to the utility of each picture: (<= RECORDS,
    m) float64.
    """
    window_width(d_min, d_max)
    return public_scores.clipped_scores(
        data.x[data.y == c][:TRIED_RECORDS], data.public, d_min, d_max
    )


def _telling_set(
    ranks: np.ndarray, log_p: np.ndarray, ranks_less: np.ndarray, log_p_less: np.ndarray, k: int
) -> list[int]:
    """A set whose worst member is the same in both and whose probability moves the most."""
    both = np.flatnonzero((ranks >= k) & (ranks_less >= k))
    one, other = ranks[both], ranks_less[both]
    moved = (
        log_p[one - k]
        - _ln_choose(one - 1, k - 1)
        - log_p_less[other - k]
        + _ln_choose(other - 1, k - 1)
    )
    worst = int(both[np.argmax(np.abs(moved))])
    best = np.argsort(np.maximum(ranks, ranks_less), kind="stable")
    return [worst, *[int(j) for j in best if j != worst][: k - 1]] if k > 1 else [worst]


# -------------------------------------------------------------------- factor two, order of the clip


@dataclass(frozen=True)
class Halved:
    """Mean over classes of what exp(epsilon u / Delta) gives and what exp(epsilon u / 2 Delta)
    leaves of it.

    Attributes:
        full, half: probability of the pictures asked about; candidates_full, candidates_half:
            geometric means of the effective number of pictures.
    """

    full: float
    half: float
    candidates_full: float
    candidates_half: float


def halved(utility: np.ndarray, event: Exponential, wanted: np.ndarray | None = None) -> Halved:
    """What the needless factor two costs for utilities (C, m).

    Args:
        wanted: (C, m) bool, the pictures asked about; the best one of each class by default.
    """
    wanted = utility == utility.max(axis=1, keepdims=True) if wanted is None else wanted
    mass, candidates = [], []
    for epsilon in (event.epsilon, event.epsilon / 2):
        p = mechanisms.exponential_probabilities(utility, Exponential(event.sensitivity, epsilon))
        mass.append(float((p * wanted).sum(axis=1).mean()))
        entropy = -(p * np.log(np.maximum(p, 1e-300))).sum(axis=1)
        candidates.append(float(np.exp(entropy.mean())))
    return Halved(*mass, *candidates)


def swapped_clip(scores: np.ndarray, d_min: float, d_max: float) -> np.ndarray:
    """The paper's clip(x, d_max, d_min), as numpy reads it."""
    return np.clip(scores, d_max, d_min)


# --------------------------------------------------------------------------- the price of the draw


@dataclass(frozen=True)
class Wasted:
    """What one budget buys by epsilon^2/8 and by the exact price.

    Attributes:
        budget; printed, exact: epsilon that the draw may spend.
        with_printed, with_exact: accuracies of DPPL-Public that spends it, a seed each.
    """

    budget: Budget
    printed: float
    exact: float
    with_printed: tuple[float, ...]
    with_exact: tuple[float, ...]


def wasted(
    spec: RunSpec, budgets: Sequence[Budget], seeds: Sequence[int], metric: str
) -> list[Wasted]:
    """What each budget would lose by epsilon^2/8; the same noise in both, and on all budgets."""
    pairs = [_allowed(budget) for budget in budgets]
    rhos = sorted({privacy.bounded_range_rho(epsilon) for pair in pairs for epsilon in pair})
    draws = prototype_choices.draws(replace(spec, budget=Budget(1.0, "zcdp")), rhos, seeds)

    def accuracies(epsilon: float) -> tuple[float, ...]:
        return tuple(draws.values(privacy.bounded_range_rho(epsilon), metric))

    return [
        Wasted(budget, *pair, *(accuracies(epsilon) for epsilon in pair))
        for budget, pair in zip(budgets, pairs, strict=True)
    ]


def _allowed(budget: Budget) -> tuple[float, float]:
    """Epsilon of the draw by epsilon^2/8 and exactly; for an (epsilon, delta) at least its own
    epsilon, which is pure.
    """
    rho = privacy.rho_for(budget)
    pure = budget.value if budget.axis == "approx" else 0.0
    return max(pure, math.sqrt(8 * rho)), max(pure, privacy.bounded_range_epsilon(rho))
