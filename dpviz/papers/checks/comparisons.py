"""Runs of a claim: accuracies over seeds, compared all at once, and the outcome they decide.

``outcome_of`` is the one rule, which ``verdicts.RULES`` puts in words. A claim of "nearly as good",
"no better" or "far better" is about a size: its check names a margin, and tests differences against
that margin as other checks test them against zero.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from dpviz.experiments import experiment
from dpviz.formatting import percent, spread
from dpviz.papers import rules
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, Ground, Verdict
from dpviz.stats import Difference, Interval, accuracy, difference, signs
from dpviz.types import Budget, Result, RunSpec

Key = TypeVar("Key", bound=Hashable)
#: Difference of accuracies or errors up to which two are called nearly equal.
MARGIN = rules.rule_of("mixed-f1-ends", "mixed").margin
#: Of the smaller of two errors, up to which they are: an error of 3 % cannot fall by 3 points, so
#: that a margin as large would show nothing.
PART = 0.25
NEARLY = (
    f"“Nearly equal” means up to {100 * MARGIN:g} points and a quarter of the smaller error here"
)
#: Two encoders that learned: drawn characters, and ImageNet.
TRAINED_ENCODERS = ("glyphnet", "lite0-128")


# --------------------------------------------------------------------------------------------- runs


def seeded(spec: RunSpec, seeds: Iterable[int]) -> list[RunSpec]:
    """The spec with each of the seeds."""
    return [replace(spec, seed=seed) for seed in seeds]


def results_of(specs: Mapping[Key, Sequence[RunSpec]]) -> dict[Key, list[Result]]:
    """Results of each run, all computed at once."""
    results = iter(experiment.sweep(list(itertools.chain(*specs.values()))))
    return {key: list(itertools.islice(results, len(own))) for key, own in specs.items()}


def accuracies(
    specs: Mapping[Key, Sequence[RunSpec]], metric: str = "balanced"
) -> dict[Key, Interval]:
    """Accuracy of each run, all computed at once."""
    return {key: accuracy(results, metric) for key, results in results_of(specs).items()}


# -------------------------------------------------------------------------------------- comparisons


@dataclass(frozen=True)
class Comparison(Generic[Key]):
    """Pairs of accuracies or errors, compared all at once (Holm).

    Attributes:
        signs: of each pair 1 if the second is clearly higher, -1 if lower, 0 else.
    """

    signs: Mapping[Key, int]

    @property
    def up(self) -> int:
        """How many pairs have the second clearly higher."""
        return list(self.signs.values()).count(1)

    @property
    def down(self) -> int:
        """How many pairs have the second clearly lower."""
        return list(self.signs.values()).count(-1)

    @property
    def outcome(self) -> str:
        """What comes of a claim that every second one is higher."""
        return outcome_of(self.up, self.down, len(self.signs))

    def part(self, keys: Iterable[Key]) -> Comparison[Key]:
        """The signs of some pairs, still corrected for all."""
        return Comparison({key: self.signs[key] for key in keys})


def compare(
    pairs: Mapping[Key, tuple[Interval, Interval]], margin: float = 0.0, paired: bool = False
) -> Comparison[Key]:
    """Compare the second of each pair with the first, raised by ``margin``; ``paired`` as in
    ``stats.difference``.
    """
    return Comparison(signs({key: (raised(a, margin), b) for key, (a, b) in pairs.items()}, paired))


def outcome_of(with_it: int, against: int, total: int) -> str:
    """What comes of a claim that ``total`` comparisons try, each told over seeds and test records,
    all at once: it holds where all go with it, does not hold where one clearly goes against it, and
    is undecided otherwise. A check that decides in another way says so in its sentence.
    """
    return DOES_NOT if against else HOLDS if total and with_it == total else CANNOT_TELL


def raised(value: Interval, amount: float) -> Interval:
    """The same, higher by a fraction in [-1, 1] that is known."""
    if not amount:
        return value
    values = tuple(share + amount for share in value.values)
    interval = value.low + amount, value.high + amount
    return replace(
        value,
        mean=value.mean + amount,
        low=interval[0],
        high=interval[1],
        values=values,
        parts=value.parts,
    )


def nearly(first: Interval, second: Interval) -> float:
    """Difference up to which two errors are nearly equal: MARGIN, and PART of the smaller one."""
    return min(MARGIN, PART * min(first.mean, second.mean))


def best(results: Mapping[Key, Interval], keys: Iterable[Key]) -> Key:
    """The key with the largest mean."""
    return max(keys, key=lambda key: results[key].mean)


@dataclass(frozen=True)
class EncoderOrder:
    """Two encoders by the accuracy of a linear classifier without noise.

    Attributes:
        worse, better: keys of the encoders; "" where neither is clearly better.
        text: the two accuracies.
    """

    worse: str
    better: str
    text: str


def order_encoders(ground: Ground, metric: str, **facts: float) -> EncoderOrder:
    """Which of TRAINED_ENCODERS is better without noise, on ``facts`` of the data."""
    specs = {
        encoder: [
            RunSpec(
                **ground.material(encoder=encoder, **facts).facts,
                method="logistic",
                budget=Budget(math.inf),
            )
        ]
        for encoder in TRAINED_ENCODERS
    }
    quiet = accuracies(specs, metric)
    first, second = TRAINED_ENCODERS
    (side,) = signs({"": (quiet[first], quiet[second])}).values()
    text = " and ".join(f"{accuracy_text(quiet[key])} on {key}" for key in TRAINED_ENCODERS)
    text = f"Without noise, a linear classifier has accuracy {text}"
    if not side:
        return EncoderOrder("", "", text)
    worse, better = (first, second) if side > 0 else (second, first)
    return EncoderOrder(worse, better, text)


# -------------------------------------------------------------------------------------------- words


def accuracy_text(value: Interval) -> str:
    """Such as ``90% (88–92)``."""
    return f"{percent(value)} ({spread(value)})" if spread(value) else percent(value)


def points_text(gap: Difference) -> str:
    """Such as ``+3.5 ± 1.3``, in points."""
    return f"{100 * gap.gap:+.1f} ± {100 * gap.half:.1f}"


def exact_points_text(gap: Difference) -> str:
    """Such as ``+0.43 ± 0.38 points``: one digit, and more where these hide which is the larger."""
    points, half = 100 * gap.gap, 100 * gap.half
    digits = next((n for n in (1, 2, 3) if f"{abs(points):.{n}f}" != f"{half:.{n}f}"), 1)
    return f"{points:+.{digits}f} ± {half:.{digits}f} points"


def difference_text(first: Interval, second: Interval, paired: bool = False) -> str:
    """By how much the second is above the first: ``+3.5 ± 1.3 points``."""
    return f"{points_text(difference(first, second, paired))} points"


def extended(check: Callable[[Ground], Verdict], text: str) -> Callable[[Ground], Verdict]:
    """The check with a sentence after its reason."""

    def extended_check(ground: Ground) -> Verdict:
        verdict = check(ground)
        return Verdict(verdict.outcome, f"{verdict.because} {text}")

    return extended_check
