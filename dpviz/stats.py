"""How sure an accuracy is, and which differences can be told: by noise seeds and test records.

A mean over a few noise seeds on one test set would be another with other noise and with other test
records. The two parts of its variance add:

- Test records: the stratified bootstrap, in which they are drawn anew within each class, the same
  ones for all that is compared, so that differences are paired record by record. A mean is a sum
  over records, so what infinitely many such draws vary by is a sum as well; none needs drawing.
- Seeds: five of them drawn anew would show 4/5 of their variance and none of its tails, so their
  part is s²/S with Student's t. They are not paired, unless asked for.
- Data draws: class order, split and subsample are drawn, and then seeds within each draw. The means
  of the draws leave s²/D. Draws are paired where both sides have the same ones. The same seeds in
  all draws share noise, so the means of the seeds over the draws keep their own part.

What two of them do together is in both parts, which makes bands a little wide. Bands of shares are
skewed near 0 and 1 (``shares``). Where several
differences are told at once, Holm's correction holds the chance of any false one to 5%, whatever
their dependence; and since whoever is best was picked by looking at all, it is told apart from the
others by Holm over *all* pairs, which holds for any pick.

Source: Efron and Tibshirani 1993, chapters 5 and 8; Welch 1947; Zou and Donner 2008; Holm 1979.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TypeVar

import numpy as np

from dpviz.caches import cached
from dpviz.lazy_imports import special
from dpviz.shares import LEVEL, binomial, ends, freedom, quantile
from dpviz.types import Hits, Result, Scores

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Interval:
    """A mean and its 95% interval; ``low == high == mean`` where its spread is not known.

    Attributes:
        mean, low, high: fractions in [0, 1]; runs: how many seeds.
        sd: standard deviation over the seeds: 0 without noise, inf where one run says nothing of
            it.
        values: of the seeds, means over the draws; parts: (n,), how far each test record moves the
            mean, about the mean of its class; None where it is not known which test records are
            right.
        draws: (number, mean over its seeds) of each data draw; empty where there is one.
    """

    mean: float
    low: float
    high: float
    runs: int
    sd: float = 0.0
    values: tuple[float, ...] = field(default=(), compare=False, repr=False)
    parts: np.ndarray | None = field(default=None, compare=False, repr=False)
    draws: tuple[tuple[int, float], ...] = ()

    @property
    def is_measured(self) -> bool:
        """Whether there is a test record to tell."""
        return not math.isnan(self.mean)

    @property
    def wrong(self) -> Interval:
        """The same of the share that is wrong."""
        mean, low, high = 1 - self.mean, 1 - self.high, 1 - self.low
        values = tuple(1 - value for value in self.values)
        parts = None if self.parts is None else -self.parts
        draws = tuple((draw, 1 - value) for draw, value in self.draws)
        return Interval(mean, low, high, self.runs, self.sd, values, parts, draws)

    @property
    def by_seeds(self) -> float:
        """Variance of the mean that the seeds leave."""
        return self.sd**2 / self.runs

    @property
    def by_draws(self) -> float:
        """Variance of the mean that the data draws leave; 0 where there is one."""
        return _sd([value for _, value in self.draws]) ** 2 / max(len(self.draws), 1)

    @property
    def by_records(self) -> float:
        """Variance of the mean that the test records leave; 0 where it is not known."""
        return _variance(self.parts)


@dataclass(frozen=True)
class Difference:
    """A difference of means, the half-width of its 95% interval (inf where nothing can be told),
    and its two-sided p-value.
    """

    gap: float
    half: float
    p: float


# -------------------------------------------------------------------------------------------- bands


def interval(
    values: Sequence[float],
    noisy: bool = True,
    parts: np.ndarray | None = None,
    records: int = 0,
    draws: Sequence[tuple[int, float]] = (),
) -> Interval:
    """Mean and 95% interval of accuracies, cut to [0, 1].

    Args:
        values: of the seeds; noisy: False where no noise was drawn, so that one run says all.
        parts, draws: as in ``Interval``; without parts, over seeds and draws alone.
        records: that count; all of them right, or none, still leaves some open (Clopper and Pearson
            1934), and nothing is known where there are some and no ``parts``.
    """
    # a handful of numbers, hundreds of times a page: arrays cost ten times as much
    runs, mean = len(values), sum(values) / len(values)
    sd = math.inf if noisy and runs == 1 else _sd(values)
    if records and parts is None:
        sd = math.inf
    result = Interval(mean, mean, mean, runs, sd, tuple(values), parts, tuple(draws))
    low, high = _ends(result, records)
    return dataclasses.replace(result, low=max(0.0, low), high=min(1.0, high))


def _ends(result: Interval, records: int) -> tuple[float, float]:
    """The ends of an interval, its mean where its spread is not known."""
    mean, samples = result.mean, _samples(result)
    if not math.isfinite(mean + sum(variance for variance, _ in samples)):
        return mean, mean
    if 0 < mean < 1 and min(result.values) >= 0 and max(result.values) <= 1:
        return ends(mean, result.by_records, samples) or (mean, mean)
    half = _interval_of(mean, result.by_records, samples).half  # of differences, or 0 or 1
    if half == 0 and records and mean in (0, 1):
        return binomial(mean, records)
    return mean - half, mean + half


def _samples(result: Interval) -> list[tuple[float, int]]:
    """Variances of a mean that seeds and draws leave, and how many of each there are."""
    samples = [(result.by_seeds, result.runs)]
    return [*samples, (result.by_draws, len(result.draws))] if result.draws else samples


def measured(values: Sequence[float]) -> Interval:
    """Mean and 95% interval, by the seeds alone, of numbers that are no shares."""
    runs, mean = len(values), sum(values) / len(values)
    sd = _sd(values) if runs > 1 else math.inf
    half = _interval_of(mean, 0.0, [(sd**2 / runs, runs)]).half
    half = half if math.isfinite(half) else 0.0
    return Interval(mean, mean - half, mean + half, runs, sd, tuple(values))


def _sd(values: Sequence[float]) -> float:
    """Standard deviation of a sample; 0 of a single number."""
    mean = sum(values) / max(len(values), 1)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1))


def _variance(parts: np.ndarray | None) -> float:
    return 0.0 if parts is None else float(parts @ parts)


def band(runs: Sequence[Scores], metric: str | int, noisy: bool = True) -> Interval:
    """Mean and interval of runs that are alike but for the noise seed.

    Args:
        metric: ``overall``, ``balanced``, ``minority`` or a class; noisy: as in ``interval``.
    """
    values, hits = tuple(_value(s, metric) for s in runs), tuple(s.hits for s in runs)
    return _band(values, hits, metric, noisy)


def accuracy(results: Sequence[Result], metric: str | int) -> Interval:
    """Mean and interval of results of one setting, over its data draws and noise seeds; without a
    finite budget no noise was drawn.
    """
    noisy = results[0].spec.budget.private
    by_draw: dict[int, dict[int, Scores]] = {}
    for result in results:
        by_draw.setdefault(result.spec.draw, {})[result.spec.seed] = result.scores
    if len(by_draw) < 2:
        return band([r.scores for r in results], metric, noisy)
    return _over_draws(by_draw, metric, noisy)


def _over_draws(
    by_draw: Mapping[int, Mapping[int, Scores]], metric: str | int, noisy: bool
) -> Interval:
    """Mean and interval over draws, each with the scores of its seeds.

    Noise seeds that are in every draw have their own part; others are within the draws' part.
    """
    interval_by_draw = {
        d: band([*group.values()], metric, noisy) for d, group in sorted(by_draw.items())
    }
    draw_means = tuple((draw, of_draw.mean) for draw, of_draw in interval_by_draw.items())
    mean = sum(of_draw.mean for of_draw in interval_by_draw.values()) / len(interval_by_draw)
    scores = [*by_draw.values()]
    shared = [seed for seed in scores[0] if all(seed in group for group in scores)]
    values = [sum(_value(s[seed], metric) for s in scores) / len(scores) for seed in shared]
    alone = not shared or not noisy
    sd = 0.0 if alone else _sd(values) if len(values) > 1 else math.inf
    parts = _mean_parts([of_draw.parts for of_draw in interval_by_draw.values()])
    runs = max(len(values), 1) if shared else max(map(len, scores))
    whole = Interval(mean, mean, mean, runs, sd, tuple(values or [mean]), parts, draw_means)
    hits = scores[0][next(iter(scores[0]))].hits
    low, high = _ends(whole, sum(hits.tested[c] for c in _classes(hits, metric)) if hits else 0)
    return dataclasses.replace(whole, low=max(0.0, low), high=min(1.0, high))


def _mean_parts(parts: Sequence[np.ndarray | None]) -> np.ndarray | None:
    """How far each test record moves the mean over draws; None where that is not known."""
    available = [values for values in parts if values is not None]
    if len(available) < len(parts) or len({len(values) for values in available}) > 1:
        return None
    return np.mean(available, axis=0)


def pooled(points: Sequence[Interval]) -> Interval:
    """Mean of settings with the same seeds and test records, seed by seed."""
    values = np.mean([point.values for point in points], axis=0).tolist()
    return interval(values, parts=_mean_parts([point.parts for point in points]))


def over_classes(results: Sequence[Result], classes: Sequence[int]) -> float:
    """Mean accuracy over those of some classes that have test records; nan where none has."""
    available = [
        share
        for result in results
        for share in (result.scores.per_class[c] for c in classes)
        if not math.isnan(share)
    ]
    return sum(available) / len(available) if available else math.nan


@cached(2048)
def _band(
    values: tuple[float, ...], hits: tuple[Hits | None, ...], metric: str | int, noisy: bool
) -> Interval:
    available = tuple(hit for hit in hits if hit is not None)
    if len(available) < len(hits):
        return interval(values, noisy)
    classes = _classes(available[0], metric)
    if not classes:
        values = (math.nan,) * len(values)
    counts = [available[0].tested[c] for c in classes]
    parts = _parts(available, classes, metric) if min(counts, default=0) > 1 else None
    return interval(values, noisy, parts, sum(counts))


def _value(scores: Scores, metric: str | int) -> float:
    return scores.per_class[metric] if isinstance(metric, int) else getattr(scores, metric)


def _classes(hits: Hits, metric: str | int) -> list[int]:
    """The classes that a metric counts."""
    some: Sequence[int] = range(len(hits.tested))
    some = [metric] if isinstance(metric, int) else hits.minority if metric == "minority" else some
    return [c for c in some if hits.tested[c]]


def _parts(hits: Sequence[Hits], classes: Sequence[int], metric: str | int) -> np.ndarray:
    """(n,) float32, how far each test record moves the mean, about the mean of its class.

    The sum of their squares is the variance that test records drawn anew leave, brought to that of
    a sample: m records drawn from themselves show (m - 1)/m of it.
    """
    tested = np.array(hits[0].tested)
    share = np.zeros(len(tested))
    share[classes] = tested[classes] / tested.sum() if metric == "overall" else 1 / len(classes)
    class_of = np.repeat(np.arange(len(tested)), tested)
    right = np.mean([hit.right for hit in hits], axis=0)
    about = np.bincount(class_of, right, len(tested)) / np.maximum(tested, 1)
    scale = share / np.sqrt(np.maximum(tested * (tested - 1.0), 1))
    return ((right - about[class_of]) * scale[class_of]).astype(np.float32)


def accuracy_loss(quiet: Interval, noisy: Interval) -> Interval:
    """What noise takes off an accuracy: that of a run without noise less that of runs with it."""
    change = difference(noisy, quiet)
    half = change.half if math.isfinite(change.half) else 0.0
    values = tuple(quiet.mean - value for value in noisy.values)
    parts = None
    if quiet.parts is not None and noisy.parts is not None:
        parts = quiet.parts - noisy.parts
    sides = change.gap - half, change.gap + half
    return Interval(change.gap, *sides, noisy.runs, noisy.sd, values, parts)


# -------------------------------------------------------------------------------------- differences


def difference(a: Interval, b: Interval, paired: bool = False) -> Difference:
    """Of two settings, b - a.

    Args:
        paired: the runs of a seed share what it draws, so seeds are compared one by one.
    """
    x, y = a.parts, b.parts
    records = a.by_records + b.by_records
    if x is not None and y is not None and len(x) == len(y):
        records = _variance(y - x)
    seeds = [(one.by_seeds, one.runs) for one in (a, b)]
    if paired and len(a.values) == len(b.values) > 1:
        gap = measured([v - u for u, v in zip(a.values, b.values, strict=True)])
        seeds = [(gap.by_seeds, gap.runs)]
    return _interval_of(b.mean - a.mean, records, seeds + _draws_apart(a, b))


def _draws_apart(a: Interval, b: Interval) -> list[tuple[float, int]]:
    """Variances that data draws leave of a difference, and how many draws; the same draws of both
    are compared one by one.
    """
    first, second = dict(a.draws), dict(b.draws)
    if first and first.keys() == second.keys():
        gap = _sd([second[draw] - value for draw, value in first.items()])
        return [(gap**2 / len(first), len(first))]
    return [(side.by_draws, len(side.draws)) for side in (a, b) if side.draws]


def _interval_of(mean: float, records: float, seeds: Sequence[tuple[float, int]]) -> Difference:
    """From the variance that test records leave and those of the means over so many seeds."""
    spread = records + sum(variance for variance, _ in seeds)
    if not math.isfinite(spread + mean):
        return Difference(mean, math.inf, 1.0)
    if spread == 0:
        return Difference(mean, 0.0, float(mean == 0))
    free = freedom(records, seeds)
    half = quantile(free) * math.sqrt(spread)
    return Difference(mean, half, 2 * float(special.stdtr(free, -abs(mean) / math.sqrt(spread))))


def holm(p: Sequence[float]) -> list[float]:
    """p-values, corrected for being told together."""
    corrected, least = [1.0] * len(p), 0.0
    for rank, place in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        least = max(least, (len(p) - rank) * p[place])
        corrected[place] = min(least, 1.0)
    return corrected


def significant_differences(differences: Sequence[Difference]) -> list[bool]:
    """Which of the differences that one view tells are more than noise: all that are called so are,
    but for a chance of 5% (Holm).
    """
    return [p <= 1 - LEVEL + 1e-12 for p in holm([gap.p for gap in differences])]


def within_noise(a: Interval, b: Interval, paired: bool = False) -> bool:
    """True unless two settings can be told apart, where nothing else is compared."""
    return not significant_differences([difference(a, b, paired)])[0]


def signs(pairs: Mapping[Key, tuple[Interval, Interval]], paired: bool = False) -> dict[Key, int]:
    """Of each pair 1 if the second is higher, -1 if it is lower, 0 if they cannot be told apart,
    all pairs looked at together (Holm); ``paired`` as in ``difference``.
    """
    differences = [difference(a, b, paired) for a, b in pairs.values()]
    sides = [1 if gap.gap > 0 else -1 for gap in differences]
    clear = significant_differences(differences)
    return {
        key: side * significant for key, side, significant in zip(pairs, sides, clear, strict=True)
    }


def clear_pairs(points: Mapping[Key, Interval]) -> frozenset[frozenset[Key]]:
    """The pairs of settings that can be told apart when all pairs are looked at (Holm): whichever
    of them is then picked, by whatever it shows.
    """
    pair_signs = signs(
        {pair: (points[pair[0]], points[pair[1]]) for pair in combinations(points, 2)}
    )
    return frozenset(frozenset(pair) for pair, sign in pair_signs.items() if sign)


def best(points: Mapping[Key, Interval]) -> tuple[Key, frozenset[Key]]:
    """The setting with the highest mean, and those that it is told apart from, given that it was
    picked by looking at all.
    """
    top = max(points, key=lambda key: points[key].mean)
    clear = clear_pairs(points)
    return top, frozenset(key for key in points if frozenset((top, key)) in clear)


def not_best(points: Mapping[Key, Interval]) -> tuple[Key, frozenset[Key]]:
    """The setting with the highest mean, and those that are shown not to be the best of all.

    Guarantee: the one that is best in truth is among those shown not to be with a chance of 5% at
        most, although the highest was picked by looking: it would have to lie below one of its
        rivals by chance, and each of them has its share of the 5% (one-sided, Bonferroni).
    Source: comparisons with the best, Hsu 1984.
    """
    top = max(points, key=lambda key: points[key].mean)
    level = (1 - LEVEL) / max(len(points) - 1, 1)
    rivals = {key: difference(points[key], points[top]) for key in points if key != top}
    return top, frozenset(key for key, gap in rivals.items() if gap.p / 2 <= level)
