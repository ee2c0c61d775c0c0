"""The bounds that the paper prints for two classes, each beside one that is proved, and whether
they hold where they are tried.

A proved bound uses that signs and Gaussians are sub-Gaussian together (Hoeffding's lemma: a
symmetric variable within [-r, r] has proxy r^2), so P(S < 0) <= exp(-mean^2 / (2 proxy)), and that
a test record may itself be moved by -beta along the line between the classes, which the printed
proofs leave out. Source: Wang et al. 2024, Theorems 3.1 to 3.3 and 4.1 and Table 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from dpviz.diagnostics import collapse_exact as exact
from dpviz.diagnostics.collapse_exact import Mode, printed_length

HOLDS, FAILS, CANNOT_TELL = "holds here", "fails here", "undecided"


@dataclass(frozen=True)
class Setting:
    """Where a theorem is tried: n records, p dimensions, shift beta, one step of rho-zCDP."""

    n: int
    p: int
    beta: float
    rho: float

    @property
    def t(self) -> float:
        """beta^2 p, which the paper wants below 1."""
        return self.beta**2 * self.p

    @property
    def variance(self) -> float:
        """Of the noise as the paper scales it: G^2 / (2 rho) with G^2 = 1 + beta^2 p."""
        return (1 + self.t) / (2 * self.rho)


Bound = Callable[[Setting], float]


@dataclass(frozen=True)
class Theorem:
    """A bound on the error of one step.

    Attributes:
        place: as printed; cases: keys of ``exact.CASES`` that meet its assumptions; private:
            whether noise is added; printed: the bound; proved: one that is true in these cases;
            wrong: what the printed one leaves out.
    """

    place: str
    cases: tuple[str, ...]
    private: bool
    printed: Bound
    proved: Bound
    wrong: str

    def error(self, s: Setting) -> float:
        """The greatest exact error of its cases, noise scaled as the paper scales it."""
        rho, length = (s.rho, printed_length(s.p, s.beta)) if self.private else (math.inf, None)
        return max(exact.error(case, s.n, s.p, s.beta, rho, length) for case in self.cases)


def judged(bound: float, low: float, high: float) -> str:
    """Whether errors between ``low`` and ``high``, the same where they are exact, keep to a bound;
    one of 1 says nothing.
    """
    if bound >= 1:
        return CANNOT_TELL
    if low > bound * (1 + 1e-9) + exact.TINY:
        return FAILS
    return HOLDS if high <= bound else CANNOT_TELL


def exp(exponent: float) -> float:
    """exp, of what may be minus infinity, and never above 1."""
    return math.exp(min(exponent, 0.0))


# ------------------------------------------------------------------------------------ data alone


def _bernstein(variance: float, largest: float, n: float) -> float:
    return exp(-n / (2 * (variance + largest / 3))) if variance else 0.0


def _spread(s: Setting, apart: bool) -> float:
    """Proxy of what one record adds to what is said of the worst test record, by that record's
    own 1 - beta: all p products independent, or moving together.
    """
    if s.beta >= 1:
        return math.inf
    if apart:
        return s.beta**2 + (s.p - 1) * s.beta**4 / (1 - s.beta) ** 2
    return (s.beta + (s.p - 1) * s.beta**2 / (1 - s.beta)) ** 2


def _reach(s: Setting) -> float:
    """Squared length of the worst test record over its own (1 - beta)^2."""
    return 1 + (s.p - 1) * s.beta**2 / (1 - s.beta) ** 2 if s.beta < 1 else math.inf


def proved_error(s: Setting, apart: bool, private: bool) -> float:
    """exp(-n^2 / (2 (n proxy + sigma^2 reach^2))): at most this, for shifts that are symmetric,
    drawn anew for each record and, if ``apart``, independent in each coordinate.
    """
    noise = s.variance * _reach(s) if private else 0.0
    proxy = s.n * _spread(s, apart) + noise
    return exp(-(s.n**2) / (2 * proxy)) if proxy else 0.0


def _printed_noise(s: Setting) -> float:
    return exp(-(s.n**2) * s.rho / (2 * (1 + s.t) ** 2))


def error_is_zero(p: int, beta: float) -> bool:
    """Whether gradient descent can never err on shifts within beta: (1 - beta)^2 >= (p - 1) beta^2,
    the least that two moved records of a class can have in common. The paper has beta^2 p <= 1.
    """
    return beta <= 1 / (1 + math.sqrt(p - 1))


OMITTED_SHIFT = "a test record's own −β along e₁"
THEOREMS = {
    "3.1": Theorem(
        "Theorem 3.1, any symmetric shifts",
        ("signs", "together"),
        False,
        lambda s: _bernstein(s.t**2, s.t, s.n),
        lambda s: proved_error(s, False, False),
        OMITTED_SHIFT,
    ),
    "3.1-apart": Theorem(
        "Theorem 3.1, independent coordinates",
        ("signs", "across"),
        False,
        lambda s: _bernstein(s.beta**4 * s.p, s.beta**2, s.n),
        lambda s: proved_error(s, True, False),
        OMITTED_SHIFT,
    ),
    "3.2": Theorem(
        "Theorem 3.2, any symmetric shifts",
        ("signs", "together"),
        True,
        lambda s: _printed_noise(s) + _bernstein(4 * s.t**2, 4 * s.t, s.n),
        lambda s: proved_error(s, False, True),
        f"{OMITTED_SHIFT} and a ½ in its first exponent",
    ),
    "3.2-apart": Theorem(
        "Theorem 3.2, independent coordinates",
        ("signs", "across"),
        True,
        lambda s: _printed_noise(s) + _bernstein(4 * s.beta**4 * s.p, 4 * s.beta**2, s.n),
        lambda s: proved_error(s, True, True),
        f"{OMITTED_SHIFT} and a ½ in its first exponent",
    ),
    "3.3": Theorem(
        "Theorem 3.3, fixed shifts with β²p < 1",
        ("fixed",),
        True,
        lambda s: _fixed_bound(s, 1.0),
        lambda s: _fixed_bound(s, 0.5),
        "a ½ in its exponent: Φ(−z) ≤ exp(−z²/2)",
    ),
}


def _fixed_bound(s: Setting, constant: float) -> float:
    if s.t >= 1:
        return 1.0
    return exp(-constant * s.n**2 * (1 - s.t) ** 2 / ((1 + s.t) * s.variance))


# ----------------------------------------------------------------------------- projected features


def projected_length(p: int, beta: float, beta0: float) -> float:
    """The longest record after projection on e_1 + Delta, |Delta_j| <= beta0: its sensitivity."""
    return (1 + beta0) * (1 + beta) + (p - 1) * beta * beta0


def projected_error(s: Setting, beta0: float) -> float:
    """Exact error of one step on the single feature (e_1 + Delta)'x, with Delta = -beta0 along e_1
    and beta0 across, shifts of +-beta in each coordinate (Theorem 4.1).
    """
    along, cross = 1 - beta0, s.beta * beta0
    noise = projected_length(s.p, s.beta, beta0) / math.sqrt(2 * s.rho)
    own = ((along * s.beta, s.n), (cross, s.n * (s.p - 1)))
    turned = exact.probability_below_zero(Mode(1.0, s.n * along, own, 1.0), noise)
    wrong = sum(
        exact.probability_below_zero(
            Mode(0.5, along * (1 + sign * s.beta), ((cross, s.p - 1),), 1.0), 0.0
        )
        / 2
        for sign in (-1, 1)
    )
    return wrong + turned - 2 * wrong * turned


def projected_printed(s: Setting, beta0: float, rho: float = 1.0) -> float:
    """exp(-rho n^2 M / G^2), of which Theorem 4.1's number of records is the inverse, its O(.)
    taken as 1; 1 where M is not above 0. The theorem prints no rho, which is a rho of 1.
    """
    cross, t0 = s.beta * beta0 * s.p, s.beta + beta0 * s.p
    margin = (1 - beta0) ** 2 - cross - (1 + beta0) * t0 - t0 * (1 + s.beta + beta0 + cross)
    length = 1 + s.beta * (1 + beta0 + s.p * beta0)
    return exp(-rho * s.n**2 * margin / length**2) if margin > 0 else 1.0


def projected_proved(s: Setting, beta0: float) -> float:
    """exp(-rho n^2 m^2 / G^2), m = (1 - beta0)(1 - beta) - (p - 1) beta beta0, the least that a
    record keeps of its side; 1 where m is not above 0.
    """
    margin = (1 - beta0) * (1 - s.beta) - (s.p - 1) * s.beta * beta0
    length = projected_length(s.p, s.beta, beta0)
    return exp(-s.rho * (s.n * margin / length) ** 2) if margin > 0 else 1.0


# ----------------------------------------------------------------------------------- records needed


def records_for(bound: Bound, wanted: float, p: int, beta: float, rho: float) -> int | None:
    """Records at which a bound comes down to ``wanted``; None where it never does."""
    enough = lambda n: bound(Setting(n, p, beta, rho)) <= wanted
    return exact.smallest_count(enough, exact.MAX_RECORDS)


def printed_records(wanted: float, p: int, beta: float, rho: float, apart: bool = True) -> float:
    """Records that Theorem 3.2 and Table 1 print, their O(.) taken as 1: the first part goes by
    1 / rho, where its own bound goes by 1 / sqrt(rho).
    """
    log, t = math.log(1 / wanted), beta**2 * p
    data = 4 * p * beta**4 * log if apart else t * log
    return (1 + t) ** 2 * math.sqrt(log) / (2 * rho) + data


def printed_records_fixed(wanted: float, p: int, beta: float, rho: float) -> float:
    """Records that Theorem 3.3 prints; infinite from beta^2 p = 1 on."""
    t = beta**2 * p
    return (1 + t) * math.log(1 / wanted) / (2 * rho * (1 - t) ** 2) if t < 1 else math.inf


@dataclass(frozen=True)
class Needed:
    """What Table 1 prints for one way of moving features: ``printed`` gives the records for (wanted
    error, p, beta, rho), its O(.) taken as 1.
    """

    place: str
    case: str
    printed: Callable[[float, int, float, float], float]


def _scaled(size: Callable[[int, float], float], twice: bool) -> Callable[..., float]:
    """max(size, 1) sqrt(log(1/gamma)) / sqrt(rho), or 2 rho."""
    return lambda wanted, p, beta, rho: (
        max(size(p, beta), 1.0) * math.sqrt(math.log(1 / wanted) / ((1 + twice) * rho))
    )


TABLE = {
    "signs": Needed("Theorem 3.2", "signs", printed_records),
    "train": Needed(
        "section 3.2.1, training", "train", _scaled(lambda p, b: b * math.sqrt(p), False)
    ),
    "test": Needed("section 3.2.1, testing", "test", _scaled(lambda p, b: b * math.sqrt(p), True)),
    "offset": Needed("section 3.2.2, offset", "offset", _scaled(lambda p, b: b**2 * p, False)),
}
"""Rows of Table 1 on NoisyGD whose exact number of records is known."""
