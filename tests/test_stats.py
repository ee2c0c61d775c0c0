"""Intervals and comparisons: by hand, against test records drawn anew, where the truth is known."""

import dataclasses
import math
from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import beta

from dpviz import stats
from dpviz.stats import (
    Interval,
    band,
    best,
    difference,
    holm,
    interval,
    significant_differences,
    within_noise,
)
from dpviz.types import Budget, Hits, Result, RunSpec, Scores

CLASSES, TESTED, SEEDS = 8, 25, 5
LABELS = np.repeat(np.arange(CLASSES), TESTED)
SMALL = (1, 6)


def scored(right: np.ndarray, labels: np.ndarray = LABELS) -> Scores:
    """Scores of these records right; the minority is SMALL."""
    totals = np.bincount(labels, minlength=CLASSES)
    per = np.bincount(labels, right, CLASSES) / np.maximum(totals, 1)
    hits = Hits.from_labels(right, labels, CLASSES, SMALL)
    minority = float(per[list(SMALL)].mean())
    balanced = float(per[totals > 0].mean())
    return Scores(float(right.mean()), balanced, minority, tuple(per.tolist()), hits)


EASY = np.linspace(-0.5, 1.5, CLASSES)
"""How easy the records of each class are, mean; their sd is 1, that of a seed's push is NOISE."""


def runs(
    rng: np.random.Generator,
    records: np.ndarray,
    noise: float,
    own: float = 0.5,
    seeds: int = SEEDS,
) -> list[Scores]:
    """Runs of a setting on test records of this ease: a record is right where its ease, the push of
    the seed, and what the setting makes of this record are together above 0.
    """
    setting = own * rng.normal(size=len(records))
    return [scored(records + setting + noise * rng.normal() > 0) for _ in range(seeds)]


def truth(noise: float, own: float = 0.5) -> float:
    """Balanced accuracy over all records and all seeds."""
    spread = math.sqrt(1 + noise**2 + own**2)
    return float(np.mean([NormalDist().cdf(ease / spread) for ease in EASY]))


def beta_ends(share: float, trials: float) -> tuple[float, float]:
    """Clopper and Pearson's interval by the beta distribution."""
    hits = share * trials
    low = beta.ppf(0.025, hits, trials - hits + 1)
    return float(low), float(beta.ppf(0.975, hits + 1, trials - hits))


def drawn(rng: np.random.Generator) -> np.ndarray:
    return EASY[LABELS] + rng.normal(size=len(LABELS))


def seeds_alone(some: list[Scores]) -> Interval:
    """The twin that takes the test set for the world, as 0.2.0 did."""
    return interval([s.balanced for s in some])


# -------------------------------------------------------------------------------------------- bands


def test_interval_is_binomial_at_the_effective_trials():
    # two runs: 12.7062 * 0.01 from t(0.975, 1); .2499 * (1.95996 / .127062)^2 = 59.4600 trials
    found = interval([0.5, 0.52])
    assert found.mean == pytest.approx(0.51) and found.runs == 2
    assert (found.low, found.high) == pytest.approx(beta_ends(0.51, 59.4600), abs=1e-6)
    assert found.high - found.mean == pytest.approx(0.127, abs=0.006), "about the t interval"
    # far from 0 and 1 relative to its spread, it is the t interval: t(0.975, 4) = 2.776445
    close = interval([0.5, 0.5001, 0.4999, 0.5002, 0.4998])
    assert close.high - close.mean == pytest.approx(2.776445 * math.sqrt(2.5e-8 / 5), rel=1e-3)
    assert interval([0.0, 0.02]).low == pytest.approx(0) and interval([1.0, 0.98]).high <= 1
    assert interval([0.4]) == Interval(0.4, 0.4, 0.4, 1, math.inf), "its spread is not known"


@pytest.mark.parametrize("metric", ["overall", "balanced", "minority", 3])
def test_record_variance_matches_redrawn_test_sets(metric):
    rng = np.random.default_rng(0)
    labels = np.sort(rng.integers(CLASSES, size=400))
    some = [scored(rng.random(400) < 0.3 + 0.08 * labels / CLASSES, labels) for _ in range(3)]
    right = np.mean([s.hits.right for s in some], axis=0)
    anew = []
    for _ in range(4000):
        means, sizes = [], []
        for c in range(CLASSES):
            mine = right[labels == c]
            means.append(rng.choice(mine, len(mine)).mean())
            sizes.append(len(mine))
        part = {"minority": list(SMALL), 3: [3]}.get(metric, list(range(CLASSES)))
        weight = np.array(sizes)[part] if metric == "overall" else None
        anew.append(np.average(np.array(means)[part], weights=weight))
    assert band(some, metric).by_records == pytest.approx(np.var(anew), rel=0.12)


@pytest.mark.parametrize("seeds", [2, SEEDS])
@pytest.mark.parametrize("noise", [0.02, 0.15, 0.6])
def test_bands_have_95_percent_coverage_seeds_alone_fail(noise, seeds):
    rng, times = np.random.default_rng(1), 600
    held = twin = 0
    for _ in range(times):
        some = runs(rng, drawn(rng), noise, seeds=seeds)
        found, old = band(some, "balanced"), seeds_alone(some)
        held += found.low <= truth(noise) <= found.high
        twin += old.low <= truth(noise) <= old.high
    assert 0.93 <= held / times <= 0.99
    assert noise > 0.1 or twin / times < 0.6
    assert noise > 0.2 or seeds < SEEDS or twin / times < 0.9


def test_quiet_method_interval_reflects_test_set_size():
    # 1,000 test records of 10 classes, 96 % right whatever the seed: 1.96 * sqrt(.96 * .04 / 1000)
    labels = np.repeat(np.arange(10), 100)
    right = np.tile(np.arange(100) < 96, 10)
    hits = Hits.from_labels(right, labels, 10, (0, 1, 2))
    same = Scores(0.96, 0.96, 0.96, (0.96,) * 10, hits)
    found = band([same] * 5, "balanced")
    assert 100 * (found.high - found.low) == pytest.approx(2 * 1.22, abs=0.12)
    assert (found.low, found.high) == pytest.approx(beta_ends(0.96, 1000 - 10), abs=2e-5)
    old = interval([0.96] * 5)
    assert old.high == old.low, "seeds alone are sure of it"


def test_unknown_uncertainty_is_not_shown_as_known():
    right = np.arange(len(LABELS)) % 3 > 0
    one = scored(right)
    assert band([one], "balanced") == Interval(one.balanced, *[one.balanced] * 2, 1, math.inf)
    quiet = band([one], "balanced", noisy=False)
    assert quiet.low < quiet.mean < quiet.high and quiet.sd == 0, "without noise one run says all"
    all_right = band([scored(right | True)] * 3, "balanced")
    # 200 of 200: the least share that shows them with a chance of 2.5 %
    assert all_right.low == pytest.approx(0.025 ** (1 / 200)) and all_right.high == 1
    single = scored(np.array([True, False, True]), np.array([0, 0, 1]))
    assert band([single] * 4, "balanced").sd == math.inf, "one record a class says nothing"
    assert band([single] * 4, 0).sd == 0, "a class with two says something"
    untested = Scores(0.5, 0.5, math.nan, (0.5, 0.0), Hits("", (0, 0), (1,)))
    assert math.isnan(band([untested] * 3, "minority").mean)
    assert math.isnan(band([untested] * 3, 1).mean), "and not 0% right"
    unknown = Scores(0.5, 0.5, 0.5, (0.5,))
    assert band([unknown] * 3, "balanced") == interval([0.5] * 3)
    assert within_noise(band([one], "balanced"), all_right)


def test_errors_have_same_bands_as_accuracies():
    some = band(runs(np.random.default_rng(0), drawn(np.random.default_rng(1)), 0.2), "balanced")
    wrong = some.wrong
    assert (wrong.low, wrong.high) == pytest.approx((1 - some.high, 1 - some.low))
    other = interval([0.3, 0.35, 0.32])
    assert difference(wrong, other.wrong).p == pytest.approx(difference(some, other).p)


# -------------------------------------------------------------------------------------- differences


def test_unpaired_comparison_uses_welch_test():
    close, far = interval([0.50, 0.52, 0.54]), interval([0.90, 0.91, 0.92])
    assert within_noise(close, interval([0.51, 0.53, 0.55])) and not within_noise(close, far)
    assert within_noise(interval([0.1]), interval([0.9])), "a single run tells nothing of noise"
    assert within_noise(interval([0.5, 0.5]), interval([0.5, 0.5]))
    assert not within_noise(interval([0.5, 0.5]), interval([0.6, 0.6]))
    # Welch by hand: variances 4e-4/3 and 1e-4/3, 2.94 degrees of freedom, t = 3.221
    assert difference(close, far).half == pytest.approx(3.2175 * math.sqrt(5e-4 / 3), rel=2e-3)


def test_differences_are_paired_record_by_record():
    rng = np.random.default_rng(0)
    hard = np.arange(len(LABELS)) % 2 == 0
    one, other = (scored(hard | (rng.random(len(hard)) < p)) for p in (0.02, 0.14))
    a, b = band([one] * 3, "balanced"), band([other] * 3, "balanced")
    assert not within_noise(a, b)
    apart = math.sqrt(a.by_records + b.by_records)
    assert abs(b.mean - a.mean) < 1.96 * apart, "two test sets could not have told them apart"


def test_shared_seed_runs_are_paired_by_seed():
    one, other = interval([0.1, 0.3, 0.5, 0.7]), interval([0.12, 0.33, 0.52, 0.73])
    assert within_noise(one, other) and not within_noise(one, other, paired=True)


def test_holm_by_hand():
    # .01 * 3; max(.03, .02 * 2); max(.04, .03 * 1)
    assert holm([0.02, 0.01, 0.03]) == pytest.approx([0.04, 0.03, 0.04])
    assert holm([0.5, 0.9]) == [1.0, 1.0] and holm([]) == []


def alike(rng: np.random.Generator, count: int) -> list[list[Scores]]:
    """Settings that are equally good on the same test records, each in its own way."""
    records = drawn(rng)
    return [runs(rng, records, 0.05) for _ in range(count)]


def test_false_alarms_are_rare_except_in_faulty_variants():
    rng, times = np.random.default_rng(2), 400
    alarms = dict.fromkeys(("best", "one by one", "against the best alone", "seeds alone"), 0)
    for _ in range(times):
        groups = alike(rng, 5)
        points = dict(enumerate(band(some, "balanced") for some in groups))
        top, told = best(points)
        alarms["best"] += bool(told)
        rest = [difference(points[top], points[k]) for k in points if k != top]
        alarms["one by one"] += any(one.p <= 0.05 for one in rest)
        alarms["against the best alone"] += any(significant_differences(rest))
        old = dict(enumerate(seeds_alone(some) for some in groups))
        alarms["seeds alone"] += bool(best(old)[1])
    share = {name: count / times for name, count in alarms.items()}
    assert share["best"] <= 0.05
    assert share["one by one"] > 0.1, "what is picked and not corrected alarms"
    assert share["against the best alone"] > share["best"]
    assert share["seeds alone"] > 0.3


def test_planned_comparisons_rarely_give_false_alarms():
    rng, times = np.random.default_rng(3), 400
    alarms = twin = 0
    for _ in range(times):
        records = [drawn(rng) for _ in range(6)]
        pairs = [[band(runs(rng, one, 0.1), "balanced") for _ in range(2)] for one in records]
        found = [difference(*pair) for pair in pairs]
        alarms += any(significant_differences(found))
        twin += any(one.p <= 0.05 for one in found)
    assert alarms / times <= 0.06 and twin / times > 0.12


def test_best_is_identified_only_where_better():
    rng = np.random.default_rng(4)
    records = drawn(rng)
    points = {name: band(runs(rng, records + ease, 0.05), "balanced") for name, ease in MOVED}
    top, told = best(points)
    assert top == "easy" and told == {"hard", "harder"}
    clear = stats.clear_pairs(points)
    assert {"easy", "hard"} in clear and {"easy", "nearly"} not in clear
    assert best({"alone": points["hard"]}) == ("alone", frozenset())
    assert stats.LEVEL == 0.95


MOVED = [("hard", -0.9), ("easy", 0.5), ("nearly", 0.42), ("harder", -1.5)]


# --------------------------------------------------------------------------------------- data draws


def result(draw: int, seed: int, scores: Scores, method: str = "dppl-mean") -> Result:
    spec = RunSpec("mnist5k", "glyphnet", draw=draw, seed=seed, method=method, budget=Budget(1.0))
    return Result(spec, scores, None, (), (), 0.0, {})


def over_draws(rng, draws=5, seeds=5, shared=0.0, moved=0.08) -> list[Result]:
    """Runs of a setting whose accuracy depends on the draw, on the seed in all draws (``shared``)
    and on the seed within the draw.
    """
    push = shared * rng.normal(size=seeds)
    found = []
    for draw in range(draws):
        level = 0.6 + moved * rng.normal()
        for seed in range(seeds):
            share = min(1.0, max(0.0, level + push[seed] + 0.02 * rng.normal()))
            found.append(result(draw, seed, Scores(share, share, share, (share,))))
    return found


@pytest.mark.parametrize("shared", [0.0, 0.05])
@pytest.mark.parametrize("draws", [3, 5, 10])
def test_interval_covers_draws_and_seeds_pooled_does_not(draws, shared):
    rng, times = np.random.default_rng(5), 300
    held = pooled = 0
    for _ in range(times):
        some = over_draws(rng, draws, shared=shared)
        found = stats.accuracy(some, "balanced")
        held += found.low <= 0.6 <= found.high
        twin = interval([r.scores.balanced for r in some])
        pooled += twin.low <= 0.6 <= twin.high
    assert held / times >= 0.93
    assert pooled / times < 0.85


def test_draws_by_hand():
    # draws .5 and .7: variance .02 / 2 = .01; the seeds' means are alike
    scores = {0: 0.5, 1: 0.7}
    some = [
        result(draw, seed, Scores(v, v, v, (v,))) for draw, v in scores.items() for seed in (0, 1)
    ]
    found = stats.accuracy(some, "balanced")
    assert found.mean == pytest.approx(0.6) and found.draws == ((0, 0.5), (1, 0.7))
    assert found.by_draws == pytest.approx(0.01) and found.by_seeds == 0 and found.runs == 2
    assert found.wrong.by_draws == pytest.approx(0.01)
    one = stats.accuracy(some[:2], "balanced")
    assert not one.draws and one == band([r.scores for r in some[:2]], "balanced")


def test_one_seed_across_draws_leaves_noise_unknown():
    score = lambda v: Scores(v, v, v, (v,))
    shared = [result(draw, 0, score(0.5 + 0.1 * draw)) for draw in range(3)]
    assert stats.accuracy(shared, "balanced").sd == math.inf
    nested = [result(draw, draw, score(0.5 + 0.1 * draw)) for draw in range(3)]
    found = stats.accuracy(nested, "balanced")
    assert found.sd == 0 and found.low < 0.5 and found.high > 0.7


def test_equal_draws_are_compared_pairwise():
    score = lambda v: Scores(v, v, v, (v,))
    sides = [
        [result(d, s, score(0.3 + 0.1 * d + up + 0.001 * s)) for d in range(4) for s in (0, 1, 2)]
        for up in (0.0, 0.05)
    ]
    a, b = (stats.accuracy(some, "balanced") for some in sides)
    assert not within_noise(a, b), "each draw has the same difference"
    other = dataclasses.replace(b, draws=tuple((d + 9, v) for d, v in b.draws))
    assert within_noise(a, other), "other draws are not paired"


def test_draws_with_own_minorities_weight_own_records():
    rng = np.random.default_rng(6)
    right = rng.random(len(LABELS)) < 0.6
    runs_of = {}
    for draw, minority in enumerate([(0, 1), (6, 7)]):
        hits = Hits.from_labels(right, LABELS, CLASSES, minority)
        share = float(right[np.isin(LABELS, minority)].mean())
        runs_of[draw] = [Scores(0.6, 0.6, share, (0.6,) * CLASSES, hits)] * 2
    some = [result(d, s, scores) for d, each in runs_of.items() for s, scores in enumerate(each)]
    found = stats.accuracy(some, "minority")
    alone = [band(each, "minority").by_records for each in runs_of.values()]
    assert found.by_records == pytest.approx(sum(alone) / 4), "no record is in both"
