"""Tries of the experiments with neural collapse, on data as they come: Figures 2, 3 (b) and 4.

Training is as printed, (1, 1e-4)-DP from zero; a change is told with seeds and test records
together. That one error is below another: all such changes of one claim at once (Holm). That two
are nearly equal, or that an error rises much or hardly: by the whole 95% interval of the change
within or beyond MARGIN; what is needed for both is told on one side each, so two of them together
err once in twenty claims at most.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from dpviz import encoders
from dpviz.diagnostics import collapse_measures
from dpviz.experiments import experiment
from dpviz.papers import rules
from dpviz.papers.checks.comparisons import (
    MARGIN,
    TRAINED_ENCODERS,
    accuracies,
    accuracy_text,
    difference_text,
    outcome_of,
    seeded,
)
from dpviz.papers.model import CANNOT_TELL, Ground, Verdict
from dpviz.stats import Interval, difference, signs
from dpviz.types import Budget, RunSpec

SEEDS = rules.protocol("collapse").seeds
PRINTED = Budget(1.0, delta=1e-4)
QUIET = Budget(math.inf, delta=1e-4)
MOVED_BY = 0.32
#: Of variance 0.1.
NOISE = f"test=gaussian,size={MOVED_BY}"
#: An error that changes by more changed much.
MARGIN_TEXT = f"“hardly” means up to {100 * MARGIN:g} points here"
SETTING_TEXT = f"NoisySGD at {PRINTED}, {SEEDS} seeds and the test records"


def errors(runs: Mapping[str, RunSpec], seeds: int = SEEDS) -> dict[str, Interval]:
    """Test error, mean over classes, of each run: one seed without noise, else ``seeds``."""
    results = accuracies(
        {
            name: seeded(spec, range(seeds if spec.budget.private else 1))
            for name, spec in runs.items()
        }
    )
    return {name: value.wrong for name, value in results.items()}


def outcome_of_signs(changes: Iterable[int]) -> str:
    """The outcome of changes that a claim wants all of: 1 as it says, -1 the other way round, 0
    within noise; of no change nothing can be told.
    """
    signs = tuple(changes)
    return outcome_of(signs.count(1), signs.count(-1), len(signs))


def rise(first: Interval, second: Interval) -> int:
    """1 where an error rises by more than MARGIN with its whole interval, -1 where by less, else
    0.
    """
    gap = difference(first, second)
    return (gap.gap - gap.half > MARGIN) - (gap.gap + gap.half < MARGIN)


def similarity_sign(first: Interval, second: Interval) -> int:
    """1 where two errors differ by less than MARGIN with the whole interval, -1 where by more."""
    gap = difference(first, second)
    return (abs(gap.gap) + gap.half < MARGIN) - (abs(gap.gap) - gap.half > MARGIN)


# ----------------------------------------------------------------------------------- Figure 2


def better_encoder_smaller_shift(ground: Ground) -> Verdict:
    """Whether of two encoders the one that is right more often has the smaller median shift.

    Their dimensions p differ, so β²p, by which the paper says what is near collapse, is compared
    as well.
    """
    shifts: dict[str, tuple[float, float, float]] = {}
    wrong: dict[str, Interval] = {}
    for encoder in TRAINED_ENCODERS:
        material = ground.material(encoder=encoder)
        shifts[encoder] = median(collapse_measures.measure(experiment.prepared(material)).beta)
        runs = {encoder: experiment.specs(material, "logistic", [QUIET], [0])[0]}
        wrong |= errors(runs)
    sizes = {name: encoders.get(name).dim for name in TRAINED_ENCODERS}
    because = " and ".join(
        f"{name}, {sizes[name]:,} dimensions, has a median β of {shifts[name][1]:.3f} (95%"
        f" interval {shifts[name][0]:.3f} to {shifts[name][2]:.3f}), a β²p of"
        f" {shifts[name][1] ** 2 * sizes[name]:.2g}, and errs on {accuracy_text(wrong[name])}"
        " without noise"
        for name in TRAINED_ENCODERS
    )
    plain = [shifts[name] for name in TRAINED_ENCODERS]
    scaled = [
        tuple(math.sqrt(sizes[name]) * end for end in shifts[name]) for name in TRAINED_ENCODERS
    ]
    return shifts_verdict(plain, scaled, better(wrong), because)


def shifts_verdict(
    plain: Sequence[Sequence[float]], scaled: Sequence[Sequence[float]], sign: int, because: str
) -> Verdict:
    """From β and from β√p of two encoders, each a median between its interval's ends, and which of
    the two is better (1 the first, -1 the second): where the two measures say the opposite nothing
    can be told.
    """
    sides = [smaller(*pair) * sign for pair in (plain, scaled)]
    contradict = set(sides) == {1, -1}
    remark = (
        f" The better one has the smaller {'β²p' if sides[1] > 0 else 'β'} alone."
        if contradict
        else ""
    )
    return Verdict(
        CANNOT_TELL if contradict else outcome_of_signs(sides),
        f"{because}. A largest coordinate falls with dimension alone, so both are"
        f" compared.{remark} All training records. Neither encoder is in the paper, and two"
        " encoders show no trend.",
    )


def median(values: np.ndarray) -> tuple[float, float, float]:
    """A median between the ends of its 95% interval, by the ranks of records; (n,) values."""
    ordered, count = np.sort(values), len(values)
    half = 0.98 * math.sqrt(count)
    ranks = max(0, math.floor(count / 2 - half)), min(count - 1, math.ceil(count / 2 + half))
    return float(ordered[ranks[0]]), float(np.median(ordered)), float(ordered[ranks[1]])


def smaller(first: Sequence[float], second: Sequence[float]) -> int:
    """1 if the first interval lies below the second, -1 if above, 0 if they meet."""
    return (first[2] < second[0]) - (first[0] > second[2])


def better(wrong: Mapping[str, Interval]) -> int:
    """1 if the first of TRAINED_ENCODERS clearly errs less, -1 if more."""
    return signs({"": (wrong[TRAINED_ENCODERS[0]], wrong[TRAINED_ENCODERS[1]])})[""]


# --------------------------------------------------------------------- Figures 3 (b) and 4, real


def _real(ground: Ground, budget: Budget, features: str, method: str = "noisy-sgd") -> RunSpec:
    return RunSpec(**ground.material(features=features).facts, method=method, budget=budget)


def _features(p: int, *changes: str) -> str:
    return ",".join(part for part in (f"dim={p}", *changes) if part)


#: Of both data sets.
CLASSES = 10
#: By how much subsets are smaller and copies larger.
WIDTH_FACTOR = 4
#: Dimensions at which directions are kept.
MIN_DIMENSIONS = 512


def widths(ground: Ground) -> tuple[int, int, int]:
    """Dimensions by a subset of coordinates, as they are, and by copies."""
    own = encoders.get(ground.encoder).dim
    return own // WIDTH_FACTOR, own, own * WIDTH_FACTOR


def dimension_alone(ground: Ground) -> Verdict:
    """Whether NoisySGD errs hardly more on all coordinates than on a quarter of them, and on four
    copies than on one.
    """
    places = small, own_size, large = widths(ground)
    intervals = errors({str(p): _real(ground, PRINTED, _features(p)) for p in places})
    subset, own, copies = (intervals[str(p)] for p in places)
    return Verdict(
        outcome_of_signs([-rise(subset, own), -rise(own, copies)]),
        f"{SETTING_TEXT}, no perturbation: the error is {accuracy_text(subset)} at p = {small:,},"
        f" a random subset, which has less information; {accuracy_text(own)} at p = {own_size:,},"
        f" {difference_text(subset, own)}; {accuracy_text(copies)} at p = {large:,}, copies, which"
        f" have no more information, {difference_text(own, copies)}; {MARGIN_TEXT}.",
    )


def dimension_hurts_once_moved(ground: Ground) -> Verdict:
    """Whether with noise on test features dimension hurts NoisySGD, and not the same steps without
    noise.
    """
    small, _, large = widths(ground)
    runs = {
        f"{name} {p}": _real(ground, budget, _features(p, NOISE))
        for name, budget in (("private", PRINTED), ("quiet", QUIET))
        for p in (small, large)
    }
    intervals = errors(runs)
    private, quiet = (
        (intervals[f"{name} {small}"], intervals[f"{name} {large}"])
        for name in ("private", "quiet")
    )
    return Verdict(
        outcome_of_signs([rise(*private), -rise(*quiet)]),
        f"{SETTING_TEXT}, test features with normal noise of variance 0.1: from p = {small:,}, a"
        f" subset, to {large:,}, copies, the error goes from {accuracy_text(private[0])} to"
        f" {accuracy_text(private[1])}, {difference_text(*private)}; without noise from"
        f" {accuracy_text(quiet[0])} to {accuracy_text(quiet[1])}, {difference_text(*quiet)};"
        f" {MARGIN_TEXT}, “much” means more, and chance error is"
        f" {100 * (1 - 1 / CLASSES):.0f}%.",
    )


def moves_hurt_both(ground: Ground) -> Verdict:
    """Whether noise on test features hurts training with noise and without it."""
    runs = {
        f"{name}{features}": _real(ground, budget, features)
        for name, budget in (("private ", PRINTED), ("quiet ", QUIET))
        for features in ("", NOISE)
    }
    intervals = errors(runs)
    pairs = {n: (intervals[n], intervals[f"{n}{NOISE}"]) for n in ("private ", "quiet ")}
    error_texts = [
        f"{accuracy_text(unmoved_error)} to {accuracy_text(moved_error)},"
        f" {difference_text(unmoved_error, moved_error)}"
        for unmoved_error, moved_error in pairs.values()
    ]
    return Verdict(
        outcome_of_signs(signs(pairs).values()),
        f"{SETTING_TEXT}, normal noise of variance 0.1 on test features: the error goes from"
        f" {error_texts[0]}; without noise from {error_texts[1]}.",
    )


def few_directions_help(ground: Ground) -> Verdict:
    """Whether with noise on all features 10 public directions beat 50 and 100, and 100 hardly
    help.
    """
    p, intervals = _projected_errors(ground, ("", "pca=100", "pca=50", "pca=10"))
    whole, hundred, fifty, ten = intervals
    beaten = signs({"50": (ten, fifty), "100": (ten, hundred)})
    return Verdict(
        outcome_of_signs([*beaten.values(), -rise(hundred, whole)]),
        f"{_noisy(p)}: the error is {accuracy_text(ten)} with 10 public directions,"
        f" {accuracy_text(fifty)} with 50, {accuracy_text(hundred)} with 100,"
        f" {accuracy_text(whole)} with all coordinates, {GUESS_TEXT}; with 10 it is clearly lower"
        f" than with {_direction_list(beaten, 1)} and clearly higher than with"
        f" {_direction_list(beaten, -1)}; from 100 to all coordinates it goes"
        f" {difference_text(hundred, whole)}: 100 help where it rises by more than {100 * MARGIN:g}"
        " points.",
    )


def ten_directions_beat_all(ground: Ground) -> Verdict:
    """Whether with noise on all features 10 public directions beat all coordinates."""
    p, intervals = _projected_errors(ground, ("", "pca=10"))
    whole, ten = intervals
    return Verdict(
        outcome_of_signs(signs({"": (ten, whole)}).values()),
        f"{_noisy(p)}: the error is {accuracy_text(whole)} with all coordinates and"
        f" {accuracy_text(ten)} with 10 public directions, {difference_text(whole, ten)};"
        f" {GUESS_TEXT}.",
    )


def dimension_with_directions(ground: Ground) -> Verdict:
    """Whether with noise on all features and 10 public directions the error hardly rises from a
    quarter of the coordinates to all, and from one copy to four.
    """
    places = widths(ground)
    perturbation = f"{NOISE},where=both"
    intervals = errors(
        {
            f"{p} {keep}": _real(ground, PRINTED, _features(p, perturbation, keep))
            for p in places
            for keep in ("pca=10", "")
        }
    )
    small, own, large = (intervals[f"{p} pca=10"] for p in places)
    whole = [intervals[f"{p} "] for p in places]
    sizes = ", ".join(f"{p:,}" for p in places)
    return Verdict(
        outcome_of_signs([-rise(small, own), -rise(own, large)]),
        f"{SETTING_TEXT}, normal noise of variance 0.1 on all features, p = {sizes} (a subset, all"
        f" coordinates, copies): with 10 public directions the error is {accuracy_text(small)},"
        f" {accuracy_text(own)} and {accuracy_text(large)}, {difference_text(small, own)} and"
        f" {difference_text(own, large)}; with all coordinates"
        f" {', '.join(map(accuracy_text, whole))}; {MARGIN_TEXT}; {GUESS_TEXT}.",
    )


GUESS_TEXT = f"chance error is {100 * (1 - 1 / CLASSES):.0f}%"


def _projected_errors(ground: Ground, directions: Sequence[str]) -> tuple[int, list[Interval]]:
    """The dimension, and errors with noise on all features and these directions kept."""
    perturbation, p = f"{NOISE},where=both", max(MIN_DIMENSIONS, widths(ground)[1])
    intervals = errors(
        {
            direction: _real(ground, PRINTED, _features(p, perturbation, direction))
            for direction in directions
        }
    )
    return p, list(intervals.values())


def _noisy(p: int) -> str:
    return f"{SETTING_TEXT}, p = {p:,}, normal noise of variance 0.1 on all features"


def _direction_list(signed: Mapping[str, int], side: int) -> str:
    return " and ".join(name for name, sign in signed.items() if sign == side) or "neither"
