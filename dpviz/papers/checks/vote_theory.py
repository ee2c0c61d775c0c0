"""Tries of what the Prom-PATE paper defines, proves and prints, exactly: no data are read."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

import numpy as np

from dpviz import privacy
from dpviz.data import DATASETS
from dpviz.lazy_imports import stats
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, Verdict
from dpviz.privacy import smooth_sensitivity, vote_costs
from dpviz.types import DELTA

#: Of printed rows: queries, answered, σ₁, σ₂, the ε that is printed.
ROWS = (
    ("Table 5, Prom-PATE", 1000, 455, 150, 20, 1.973),
    ("Table 6, 100 teachers", 1000, 18, 150, 50, 1.095),
    ("Table 6, 250 teachers", 1000, 46, 150, 100, 1.095),
    ("Table 6, 500 teachers", 1000, 90, 150, 100, 1.04),
    ("Table 6, 1000 teachers", 1000, 684, 200, 50, 1.019),
    ("Table 7, ResNet50", 1000, 461, 200, 50, 1.081),
    ("Table 9, without mask", 1000, 675, 200, 50, 1.017),
    ("Table 10, two layers", 1000, 336, 200, 50, 1.026),
    ("Table 11, 64 × 64", 1000, 408, 200, 50, 1.028),
    ("Table 13, SVHN", 2000, 105, 50, 10, 3.022),
    ("Table 16, TissueMNIST", 2000, 842, 100, 50, 2.008),
    ("Table 17, DermaMNIST", 1000, 806, 100, 200, 1.861),
    ("Table 18, Swin, 1000 teachers", 1000, 707, 100, 200, 1.555),
    ("Table 18, Swin, 2000 teachers", 1000, 794, 1000, 500, 1.528),
)
#: Data-dependent and sanitised ε of Tables 4, 5 and 21.
PRINTED_SANITISED = (
    (1.019, 1.209),
    (1.505, 1.670),
    (1.943, 2.250),
    (1.973, 2.521),
    (1.983, 2.508),
    (4.089, 5.043),
    (8.078, 10.026),
)
#: Table 12 and Section 4.1: pictures for teachers, for the student, for the test.
SIZES = {
    "svhn": (73_257, 25_032, 1_000),
    "eurosat": (10_000, 16_000, 1_000),
    "pathmnist": (89_996, 6_180, 1_000),
    "tissuemnist": (165_466, 46_280, 1_000),
    "dermamnist": (7_007, 1_505, 500),
    "celeba-gender": (162_770, 18_962, 1_000),
    "celeba-hair": (108_358, 10_668, 1_000),
    "cifar100": (50_000, 9_000, 1_000),
    "bloodmnist": (11_959, 2_421, 1_000),
}
#: Classes, and points by which Prom-PATE is above Transfer-PATE in each column of Tables 3, 5 and
#: 13 to 20.
GAINS = {
    "CelebA-Gender": (2, (0.30, 0.40, 0.20, 0.37, 0.60, 0.00)),
    "FFHQ-Gender": (2, (0.86, 1.66, 1.04, 0.30, 0.97, 1.53)),
    "CelebA-Hair": (3, (0.67, 2.96, 0.77, -1.00, 3.10, 0.17)),
    "DermaMNIST": (7, (0.74,)),
    "TissueMNIST": (8, (0.57,)),
    "Blood-MNIST": (8, (8.60,)),
    "PathMNIST": (9, (4.50,)),
    "SVHN": (10, (6.56,)),
    "EuroSAT": (10, (0.50,)),
    "CIFAR-10": (10, (0.97, 5.27)),
}


def renyi_as_printed() -> Verdict:
    """Definition 2: the exponent and the expectation do not go together."""
    x, shift, order = np.linspace(-12, 12, 200_001), 1.0, 2.0
    density = lambda m: np.exp(-((x - m) ** 2) / 2) / math.sqrt(2 * math.pi)
    p, q = density(shift), density(0.0)
    step = x[1] - x[0]
    printed = math.log(float((q * (p / q) ** (order - 1)).sum() * step)) / (order - 1)
    right = math.log(float((q * (p / q) ** order).sum() * step)) / (order - 1)
    return Verdict(
        DOES_NOT if abs(printed - right) > 1e-6 else HOLDS,
        "A misprint: no printed number depends on this exponent. The expectation over the"
        " neighbor needs the exponent α, not α − 1. Between N(1, 1) and N(0, 1) at α = 2 the"
        f" printed formula gives {abs(printed):.4f}, as it would for any mechanism, where the"
        f" Rényi divergence is {right:.4f} (α/2σ² = 1).",
    )


def conversion_is_safe() -> Verdict:
    """Theorems 1 and 2 against the exact epsilon of two releases with Gaussian noise."""
    loosest, safe = 0.0, True
    costs = (0.005, 0.05, 0.25, 1.0)
    for first, second in itertools.combinations_with_replacement(costs, 2):
        simple = privacy.zcdp_epsilon_simple(first + second, DELTA)
        exact = privacy.gdp_epsilon(math.hypot(math.sqrt(2 * first), math.sqrt(2 * second)), DELTA)
        safe, loosest = safe and simple >= exact, max(loosest, simple / exact)
    return Verdict(
        HOLDS if safe else DOES_NOT,
        "For two releases with Gaussian noise, each of ρ from 0.005 to 1, the added and converted ε"
        f" at δ = 1e-5 is never below the exact one of both, and up to {loosest:.2f} times as"
        " large."
        if safe
        else "Two releases with Gaussian noise cost more than what is added and converted.",
    )


def answer_costs_twice() -> Verdict:
    """Theorem 3's α/(2σ²) an answer, and nothing for a test."""
    sigma, order = 50.0, 10.0
    vote_change = np.array([1.0, -1.0])
    exact = order * float(vote_change @ vote_change) / (2 * sigma**2)
    claimed = order / (2 * sigma**2)
    short = vote_costs.undercount(1000, 684, 200.0, 50.0, DELTA)
    place, queries, answered, s1, s2, printed = next(
        row for row in ROWS if row[0].startswith("Table 17")
    )
    derma = vote_costs.undercount(queries, answered, s1, s2, DELTA)
    return Verdict(
        DOES_NOT if exact > claimed else HOLDS,
        f"A teacher that changes its vote moves two counts by one each: at σ = {sigma:g} and α ="
        f" {order:g} the Rényi divergence of the noisy votes is {exact:.4g}, {exact / claimed:.2g}"
        f" times the printed {claimed:.4g}, and the tests cost budget as well. For 1,000 queries"
        f" and 684 answers at σ = (200, 50) the proof charges 1/{short.ratio:.2f} of the cost if"
        f" it charges per answer, and 1/{short.query_ratio:.2f} if it charges per query. The"
        " guarantee holds with α/σ² per answer and the tests counted. The printed ε are from the"
        f" accountant of Papernot et al., not from this proof: {place} prints {printed:g}. The"
        f" proof gives {derma.labels:.2f} per answer or {derma.queries:.2f} per query, and the"
        f" corrected cost is {derma.epsilon:.3f}.",
    )


def printed_epsilons() -> Verdict:
    """The epsilons of the tables, against what holds for any votes."""
    spent = {
        place: vote_costs.data_independent(queries, answered, s1, s2, DELTA).epsilon_delta / printed
        for place, queries, answered, s1, s2, printed in ROWS
    }
    costlier = [place for place, ratio in spent.items() if ratio > 1]
    worst = max(spent, key=lambda place: spent[place])
    return Verdict(
        CANNOT_TELL if costlier else HOLDS,
        f"For any votes, {len(spent) - len(costlier)} of {len(spent)} rows cost no more than they"
        f" print, with the printed number of answers. The other {len(costlier)} could cost more,"
        f" {worst} up to {spent[worst]:.1f} times as much: their ε depends on votes that are not"
        " published. An ε that depends on the votes may not be released. Tables 4, 5 and 21 print"
        f" a sanitized ε beside it, such as {PRINTED_SANITISED[3][1]:g} for"
        f" {PRINTED_SANITISED[3][0]:g} in Table 5.",
    )


def release_cost_as_printed() -> Verdict:
    """Theorem 23 of Papernot et al. 2018 against the divergence of two neighbors' releases."""
    order, product, sigma_s = 9.5, 0.49, 4.63
    beta = product / order
    printed = order * math.exp(2 * beta) / sigma_s**2 + (
        product - math.log(1 - 2 * product) / 2
    ) / (order - 1)
    true = smooth_sensitivity.release_cost(beta, sigma_s, order)
    return Verdict(
        DOES_NOT if true > printed else HOLDS,
        f"At order {order:g}, βα = {product:g} and σ_s = {sigma_s:g} the printed cost is"
        f" {printed:.3f}. Two neighbors may release N(0, σ_s²) and N(e^(−β), e^(−2β)σ_s²), in units"
        f" of the larger smooth sensitivity. Their Rényi divergence is {true:.2f}.",
    )


def gains_by_classes(gains: Mapping[str, tuple[int, tuple[float, ...]]] = GAINS) -> Verdict:
    """Whether prompts gain more on sets of three classes or more than on sets of two: the exact
    test of Mann and Whitney over data sets, each with the mean of its columns.
    """
    two_classes, more_classes = (
        [
            sum(points) / len(points)
            for classes, points in gains.values()
            if (classes > 2) == is_larger
        ]
        for is_larger in (False, True)
    )
    p = {
        alternative: float(
            stats.mannwhitneyu(
                more_classes, two_classes, alternative=alternative, method="exact"
            ).pvalue
        )
        for alternative in ("greater", "less")
    }
    # one-sided at 2.5% each: 5% in both directions together
    outcome = HOLDS if p["greater"] <= 0.025 else DOES_NOT if p["less"] <= 0.025 else CANNOT_TELL
    fewer = sum(gain <= max(two_classes) for gain in more_classes)
    return Verdict(
        outcome,
        f"{len(more_classes)} sets of three classes or more gain"
        f" {sum(more_classes) / len(more_classes):.1f} points on average, {len(two_classes)} sets"
        f" of two {sum(two_classes) / len(two_classes):.1f} (p = {p['greater']:.2f}, one-sided,"
        f" exact), each set with the mean of its columns. {fewer} of the {len(more_classes)} gain"
        f" no more than the {max(two_classes):.1f} points of a set of two. Sets, networks and"
        " budgets differ as well.",
    )


def sizes_add_up() -> Verdict:
    """Table 12 against what the sets' sources publish."""
    wrong = [
        key
        for key, (_, student, test) in SIZES.items()
        if f"{student + test:,}" not in DATASETS[key].size
        and f"{sum(SIZES[key]):,}" not in DATASETS[key].size
    ]
    return Verdict(
        DOES_NOT if wrong else HOLDS,
        "The numbers of student and test images add up to the published test set, or all three"
        f" numbers to the whole set, in {len(SIZES) - len(wrong)} of the {len(SIZES)} sets whose"
        " sources state the number of labeled images. FFHQ, the tenth, states none: its three"
        " numbers add up to 69,471 of its 70,000 images, and no labels are mentioned for the rest.",
    )
