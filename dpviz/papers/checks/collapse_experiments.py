"""Tries of the experiments with neural collapse, on data as they come: Figures 2, 3 (b) and 4.

Training is as printed, (1, 1e-4)-DP from zero; a change is told with seeds and test records
together. That one error is below another: all such changes of one claim at once (Holm). That two
are nearly equal, or that an error rises much or hardly: by the whole 95 % interval of the change
within or beyond SAME; what is needed for both is told on one side each, so two of them together
err once in twenty claims at most.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from dpviz import encoders
from dpviz.diagnostics import collapse_measures
from dpviz.formatting import percent, spread
from dpviz.papers import rules
from dpviz.papers.checks.margins import SAME, outcome_of
from dpviz.papers.model import CANNOT_TELL, Ground, Verdict
from dpviz.run import experiment
from dpviz.stats import Interval, accuracy, difference, signs
from dpviz.types import Budget, RunSpec

SEEDS = rules.protocol("collapse").seeds
PRINTED = Budget(1.0, delta=1e-4)
QUIET = Budget(math.inf, delta=1e-4)
MOVED_BY = 0.32
#: Of variance 0.1.
NOISE = f"test=gaussian,size={MOVED_BY}"
#: An error that changes by more changed much.
MARGIN = f"hardly is up to {100 * SAME:g} points here"
#: Of different dimensions p, so that β alone does not compare them: β²p, by which the paper says
#: what is near collapse, is looked at as well.
ENCODERS = ("glyphnet", "lite0-128")


def errors(runs: Mapping[str, RunSpec], seeds: int = SEEDS) -> dict[str, Interval]:
    """Test error, mean over classes, of each run: one seed without noise, else ``seeds``."""
    specs = [
        RunSpec(**{**vars(spec), "seed": seed})
        for spec in runs.values()
        for seed in range(seeds if spec.budget.private else 1)
    ]
    results = experiment.sweep(specs)
    intervals, start = {}, 0
    for name, spec in runs.items():
        count = seeds if spec.budget.private else 1
        intervals[name] = accuracy(results[start : start + count], "balanced").wrong
        start += count
    return intervals


def interval_text(value: Interval) -> str:
    """A figure with its interval."""
    return f"{percent(value)} ({spread(value)})" if spread(value) else percent(value)


def clearly(changes: Iterable[int]) -> str:
    """The outcome of changes that a claim wants all of: 1 as it says, -1 the other way round, 0
    within noise; of no change nothing can be told.
    """
    seen = tuple(changes)
    return outcome_of(seen.count(1), seen.count(-1), len(seen))


def rise(before: Interval, after: Interval) -> int:
    """1 where an error rises by more than SAME with its whole interval, -1 where by less, else
    0.
    """
    gap = difference(before, after)
    return (gap.apart - gap.half > SAME) - (gap.apart + gap.half < SAME)


def similarity_sign(one: Interval, other: Interval) -> int:
    """1 where two errors differ by less than SAME with the whole interval, -1 where by more."""
    gap = difference(one, other)
    return (abs(gap.apart) + gap.half < SAME) - (abs(gap.apart) - gap.half > SAME)


def change_text(before: Interval, after: Interval) -> str:
    """By how many points an error changes, with its interval."""
    gap = difference(before, after)
    return f"{100 * gap.apart:+.1f} ± {100 * gap.half:.1f} points"


# ----------------------------------------------------------------------------------- Figure 2


def better_encoder_smaller_shift(ground: Ground) -> Verdict:
    """Whether of two encoders the one that is right more often has the smaller median shift."""
    shifts: dict[str, tuple[float, float, float]] = {}
    wrong: dict[str, Interval] = {}
    for encoder in ENCODERS:
        material = ground.material(encoder=encoder)
        shifts[encoder] = median(collapse_measures.measure(experiment.prepared(material)).beta)
        runs = {encoder: experiment.specs(material, "logistic", [QUIET], [0])[0]}
        wrong |= errors(runs)
    sizes = {name: encoders.get(name).dim for name in ENCODERS}
    because = " and ".join(
        f"{name}, {sizes[name]:,} dimensions, has a median β of {shifts[name][1]:.3f} (95 %"
        f" interval {shifts[name][0]:.3f} to {shifts[name][2]:.3f}), a β²p of"
        f" {shifts[name][1] ** 2 * sizes[name]:.2g}, and errs on {interval_text(wrong[name])}"
        " without noise"
        for name in ENCODERS
    )
    plain = [shifts[name] for name in ENCODERS]
    scaled = [tuple(math.sqrt(sizes[name]) * end for end in shifts[name]) for name in ENCODERS]
    return shifts_verdict(plain, scaled, better(wrong), because)


def shifts_verdict(
    plain: Sequence[Sequence[float]], scaled: Sequence[Sequence[float]], sign: int, because: str
) -> Verdict:
    """From β and from β√p of two encoders, each a median between its interval's ends, and which of
    the two is better (1 the first, -1 the second): where the two measures say the opposite nothing
    can be told.
    """
    sides = [smaller(*pair) * sign for pair in (plain, scaled)]
    apart = set(sides) == {1, -1}
    more = (
        f" The better one has the smaller {'β²p' if sides[1] > 0 else 'β'} alone." if apart else ""
    )
    return Verdict(
        CANNOT_TELL if apart else clearly(sides),
        f"{because}. A largest coordinate falls with dimension alone, so both are compared.{more}"
        " All training records; neither encoder is one of the paper's, and two are no trend.",
    )


def median(values: np.ndarray) -> tuple[float, float, float]:
    """A median between the ends of its 95 % interval, by the ranks of records; (n,) values."""
    ordered, count = np.sort(values), len(values)
    half = 0.98 * math.sqrt(count)
    ends = max(0, math.floor(count / 2 - half)), min(count - 1, math.ceil(count / 2 + half))
    return float(ordered[ends[0]]), float(np.median(ordered)), float(ordered[ends[1]])


def smaller(first: Sequence[float], second: Sequence[float]) -> int:
    """1 if the first interval lies below the second, -1 if above, 0 if they meet."""
    return (first[2] < second[0]) - (first[0] > second[2])


def better(wrong: Mapping[str, Interval]) -> int:
    """1 if the first of ENCODERS clearly errs less, -1 if more."""
    return signs({"": (wrong[ENCODERS[0]], wrong[ENCODERS[1]])})[""]


# --------------------------------------------------------------------- Figures 3 (b) and 4, real


def _real(ground: Ground, budget: Budget, features: str, method: str = "noisy-sgd") -> RunSpec:
    return RunSpec(**ground.material(features=features).facts, method=method, budget=budget)


def _features(p: int, *changes: str) -> str:
    return ",".join(part for part in (f"dim={p}", *changes) if part)


#: Of both data sets.
CLASSES = 10
#: By how much subsets are smaller and copies larger; dimensions at which directions are kept.
TIMES, LEAST = 4, 512


def widths(ground: Ground) -> tuple[int, int, int]:
    """Dimensions by a subset of coordinates, as they are, and by copies."""
    own = encoders.get(ground.encoder).dim
    return own // TIMES, own, own * TIMES


def dimension_alone(ground: Ground) -> Verdict:
    """Whether NoisySGD errs hardly more on all coordinates than on a quarter of them, and on four
    copies than on one.
    """
    places = small, own_size, large = widths(ground)
    intervals = errors({str(p): _real(ground, PRINTED, _features(p)) for p in places})
    few, own, copies = (intervals[str(p)] for p in places)
    return Verdict(
        clearly([-rise(few, own), -rise(own, copies)]),
        f"NoisySGD at {PRINTED}, {SEEDS} seeds and the test records together, nothing moved: the"
        f" error is {interval_text(few)} at p = {small:,}, a random subset, which also knows less;"
        f" {interval_text(own)} at p = {own_size:,}, {change_text(few, own)};"
        f" {interval_text(copies)} at p = {large:,},"
        f" copies, which know no more, {change_text(own, copies)}; {MARGIN}.",
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
        clearly([rise(*private), -rise(*quiet)]),
        f"NoisySGD at {PRINTED}, {SEEDS} seeds and the test records together, test features with"
        f" normal noise of variance 0.1: from p = {small:,}, a subset, to"
        f" {large:,}, copies, the error goes from"
        f" {interval_text(private[0])} to {interval_text(private[1])}, {change_text(*private)};"
        " without noise from"
        f" {interval_text(quiet[0])} to {interval_text(quiet[1])}, {change_text(*quiet)};"
        f" {MARGIN}, much is more, and a guess errs on {100 * (1 - 1 / CLASSES):.0f} %.",
    )


def moves_hurt_both(ground: Ground) -> Verdict:
    """Whether noise on test features hurts training with noise and without it."""
    runs = {
        f"{name}{moved}": _real(ground, budget, moved)
        for name, budget in (("private ", PRINTED), ("quiet ", QUIET))
        for moved in ("", NOISE)
    }
    intervals = errors(runs)
    pairs = {n: (intervals[n], intervals[f"{n}{NOISE}"]) for n in ("private ", "quiet ")}
    texts = [
        f"{interval_text(before)} to {interval_text(after)}, {change_text(before, after)}"
        for before, after in pairs.values()
    ]
    return Verdict(
        clearly(signs(pairs).values()),
        f"NoisySGD at {PRINTED}, {SEEDS} seeds and the test records together, normal noise of"
        f" variance 0.1 on test features: the error goes from {texts[0]}; without noise from"
        f" {texts[1]}.",
    )


def few_directions_help(ground: Ground) -> Verdict:
    """Whether with noise on all features 10 public directions beat 50 and 100, and 100 hardly
    help.
    """
    p, intervals = _projected_errors(ground, ("", "pca=100", "pca=50", "pca=10"))
    whole, many, fifty, few = intervals
    beaten = signs({"50": (few, fifty), "100": (few, many)})
    return Verdict(
        clearly([*beaten.values(), -rise(many, whole)]),
        f"{_noisy(p)}: the error is {interval_text(few)} with 10 public directions,"
        f" {interval_text(fifty)} with 50,"
        f" {interval_text(many)} with 100, {interval_text(whole)} with all coordinates, {GUESS};"
        f" with 10 it is clearly lower than with {_direction_list(beaten, 1)} and clearly higher"
        f" than with {_direction_list(beaten, -1)}; from 100 to all coordinates it goes"
        f" {change_text(many, whole)}: 100 help where it rises by more than {100 * SAME:g} points.",
    )


def ten_directions_beat_all(ground: Ground) -> Verdict:
    """Whether with noise on all features 10 public directions beat all coordinates."""
    p, intervals = _projected_errors(ground, ("", "pca=10"))
    whole, few = intervals
    return Verdict(
        clearly(signs({"": (few, whole)}).values()),
        f"{_noisy(p)}: the error is {interval_text(whole)} with all coordinates and"
        f" {interval_text(few)} with 10 public directions, {change_text(whole, few)}; {GUESS}.",
    )


def dimension_with_directions(ground: Ground) -> Verdict:
    """Whether with noise on all features and 10 public directions the error hardly rises from a
    quarter of the coordinates to all, and from one copy to four.
    """
    places = widths(ground)
    moved = f"{NOISE},where=both"
    intervals = errors(
        {
            f"{p} {keep}": _real(ground, PRINTED, _features(p, moved, keep))
            for p in places
            for keep in ("pca=10", "")
        }
    )
    small, own, large = (intervals[f"{p} pca=10"] for p in places)
    whole = [intervals[f"{p} "] for p in places]
    sizes = ", ".join(f"{p:,}" for p in places)
    return Verdict(
        clearly([-rise(small, own), -rise(own, large)]),
        f"NoisySGD at {PRINTED}, {SEEDS} seeds and the test records together, normal noise of"
        f" variance 0.1 on all features, p = {sizes} (a subset, all coordinates, copies): with 10"
        f" public directions the error is {interval_text(small)}, {interval_text(own)} and"
        f" {interval_text(large)},"
        f" {change_text(small, own)} and {change_text(own, large)}; with all coordinates"
        f" {', '.join(map(interval_text, whole))}; {MARGIN}; {GUESS}.",
    )


GUESS = f"a guess errs on {100 * (1 - 1 / CLASSES):.0f} %"


def _projected_errors(ground: Ground, directions: Sequence[str]) -> tuple[int, list[Interval]]:
    """The dimension, and errors with noise on all features and these directions kept."""
    moved, p = f"{NOISE},where=both", max(LEAST, widths(ground)[1])
    intervals = errors(
        {
            direction: _real(ground, PRINTED, _features(p, moved, direction))
            for direction in directions
        }
    )
    return p, list(intervals.values())


def _noisy(p: int) -> str:
    return (
        f"NoisySGD at {PRINTED}, {SEEDS} seeds and the test records together, p = {p:,}, normal"
        " noise of variance 0.1 on all features"
    )


def _direction_list(signed: Mapping[str, int], side: int) -> str:
    return " and ".join(name for name, sign in signed.items() if sign == side) or "neither"
