"""Tries of what the prototypes' papers prove or print, exactly: no data are read."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np

from dpviz import privacy
from dpviz.data.imbalance import class_sizes
from dpviz.papers.model import DOES_NOT, HOLDS, Verdict

RHO, DIMENSION, ORDER = 0.5, 1280, 2.0
#: Largest class, classes, and (median, mean) at IR 10, 50 and 100, from Table 1 of the first
#: version.
PRINTED = {
    "CIFAR10": (5000, 10, ((1594, 2043), (724, 1340), (517, 1241))),
    "CIFAR100": (500, 100, ((158, 196), (71, 127), (50, 109))),
    "FOOD101": (750, 101, ((237, 297), (106, 190), (75, 163))),
    "STL10": (500, 10, ((160, 204), (73, 140), (52, 124))),
}


def scale_divergence(n: int, other_count: int, d: int = DIMENSION, order: float = ORDER) -> float:
    """Renyi divergence between the printed noise on classes of ``n`` and of ``other_count``
    records, whose means agree: its scale goes by 1/n. Infinite where the order is too large.

    Source: Gil, Alajaji and Linder 2013, of two centred Gaussians.
    """
    variance, other_variance = 1 / n**2, 1 / other_count**2
    mixed = order * other_variance + (1 - order) * variance
    if mixed <= 0:
        return math.inf
    return (
        d
        / 2
        * (math.log(other_variance / variance) + math.log(other_variance / mixed) / (order - 1))
    )


def mean_as_printed() -> Verdict:
    """Equation 1 as rho-zCDP when a record is added or removed."""
    divergence, allowed = scale_divergence(5, 6), RHO * ORDER
    return Verdict(
        HOLDS if divergence <= allowed else DOES_NOT,
        f"With d = {DIMENSION}, 5 records in a class against 6, the noise's scale alone gives a"
        f" Rényi divergence of order 2 of {divergence:.1f}, where {RHO:g}-zCDP allows {allowed:g}."
        " The sum form (the default here) has the same cost without this leak. The paper's"
        " form is available for public class sizes, where neighbors replace a record.",
    )


def worst_loss(epsilon: float, monotone: bool, records: int = 200, seed: int = 0) -> float:
    """Greatest change of a log-probability that one record makes to the exponential mechanism
    e^(εu/Δ), over all corners of what a record may add to 6 utilities, added or removed.
    """
    rng = np.random.default_rng(seed)
    lowest, worst = (0.0 if monotone else -1.0), 0.0
    moves = np.array(list(product((lowest, 1.0), repeat=6)))
    for u in rng.uniform(0, 8, (records, 6)):
        base, moved_logits = u * epsilon, (u + moves) * epsilon
        log = lambda x: x - np.logaddexp.reduce(x, axis=-1, keepdims=True)
        worst = max(worst, float(np.abs(log(moved_logits) - log(base)).max()))
    return worst


def _loss(epsilon: float, claimed: float, monotone: bool, words: str) -> Verdict:
    loss = worst_loss(epsilon, monotone)
    return Verdict(
        HOLDS if loss <= claimed * (1 + 1e-9) else DOES_NOT,
        f"{words}: over 200 random utilities and all 64 corners of what one record may add, the"
        f" largest loss is {loss:.4f}, where {claimed:g} is claimed.",
    )


def public_is_pure() -> Verdict:
    """DPPL-Public, whose utilities a record only raises, is ε-DP with e^(εu/Δ)."""
    return _loss(1.0, 1.0, True, "ε = 1, each utility raised by 0 to Δ")


def general_costs_double() -> Verdict:
    """The exponential mechanism e^(εu/Δ) of a general utility is 2ε-DP."""
    return _loss(1.0, 2.0, False, "ε = 1, each utility moved by −Δ to Δ")


def equal_rho() -> Verdict:
    """What is sampled at twice the axis' ε costs no more zCDP than the axis says."""
    rows = [(eps, privacy.bounded_range_rho(2 * eps), eps**2 / 2) for eps in (0.1, 1.0, 10.0)]
    text = ", ".join(f"paper ε {eps:g}: {rho:.4g} of {axis:.4g}" for eps, rho, axis in rows)
    return Verdict(
        HOLDS if all(rho <= axis for _, rho, axis in rows) else DOES_NOT,
        "An exponential mechanism of pure ε = 2·(paper ε) spends this ρ of the budget on the"
        f" axis: {text}. The factor two follows from the first version's ε²/8. The papers call"
        " their ε axis an equivalent; the AAAI paper adds that it is no claim of pure DP.",
    )


def printed_sizes(largest: int, classes: int, ratio: float) -> np.ndarray:
    """Class sizes (C,) by footnote 3 as printed, n·exp(−cλ) with λ = log(IR)/C, c from 0."""
    return largest * np.exp(-np.arange(classes) * math.log(ratio) / classes)


def ratio_as_printed() -> Verdict:
    """Footnote 3 beside its own definition: IR is the largest class over the smallest."""
    target, ratios = 100.0, {}
    for classes in (10, 100):
        sizes = printed_sizes(1, classes, target)
        ratios[classes] = float(sizes[0] / sizes[-1])
    text = ", ".join(f"{ratio:.1f} among {classes} classes" for classes, ratio in ratios.items())
    printed, ours = (len(_cells(sizes)[0]) for sizes in (printed_sizes, class_sizes))
    cells = sum(2 * len(rows) for _, _, rows in PRINTED.values())
    return Verdict(
        HOLDS if all(abs(ratio - target) < 0.5 for ratio in ratios.values()) else DOES_NOT,
        "Classes are numbered from 0 to C − 1, the largest over the smallest is IR, and λ ="
        f" log(IR)/C gives for IR 100: {text}. Of the {cells} cells in Table 1 of the first version"
        f" λ = log(IR)/C fits {cells - printed} to one record, and log(IR)/(C − 1), which is used"
        f" here, {cells - ours}.",
    )


def _cells(sizes: Callable[[int, int, float], np.ndarray]) -> tuple[list[str], int]:
    """The cells of Table 1 that class sizes miss by more than one record, in words, and how many
    cells there are.
    """
    wrong, cells = [], 0
    for name, (largest, classes, rows) in PRINTED.items():
        for ratio, (median, mean) in zip((10, 50, 100), rows, strict=True):
            class_sizes = sizes(largest, classes, ratio)
            for statistic, printed, ours in (
                ("median", median, float(np.median(class_sizes))),
                ("mean", mean, float(class_sizes.mean())),
            ):
                cells += 1
                if abs(printed - ours) > 1:
                    wrong.append(f"{name}, IR {ratio}, {statistic} {printed} (here {ours:.0f})")
    return wrong, cells


def table_of_sizes() -> Verdict:
    """Every cell of Table 1 is what the protocol gives, a median rounded either way."""
    wrong, cells = _cells(class_sizes)
    return Verdict(
        HOLDS if not wrong else DOES_NOT,
        f"{cells - len(wrong)} of {cells} printed cells match n·IR^(−c/(C − 1)) to one record."
        f" Exceptions: {' and '.join(wrong) or 'none'}.",
    )
