"""Selection probabilities by hand, samplers against them, sensitivities at worst-case
neighbours.
"""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from dpviz import mechanisms, privacy
from dpviz.mechanisms import exponential_mechanism
from dpviz.mechanisms.exponential_mechanism import RANK_STEP
from dpviz.methods.components import public_scores
from dpviz.types import Dataset, Exponential, Gaussian
from tests.kit import noisy_votes
from tests.kit.toys import toy_data

FALSE_ALARM = 1e-6
"""Each goodness-of-fit test below raises a false alarm this often over all seeds; the seeds are
fixed.
"""


def small(x, y, public) -> Dataset:
    x, public = np.array(x, np.float32), np.array(public, np.float32)
    return Dataset(
        "small", None, x, np.array(y), x, np.array(y), ("a",), repr((x, public)), public, None, "p"
    )


def test_exponential_mechanism_handles_monotone_and_general_utilities():
    u = np.array([3, 2, 1, 0.5])
    monotone = mechanisms.exponential_probabilities(u, Exponential(0.5, 1.0))
    assert monotone == pytest.approx([0.861780, 0.116629, 0.015784, 0.005807], abs=1e-6)
    general = mechanisms.exponential_probabilities(u, Exponential(0.5, 0.5))
    assert general == pytest.approx([0.630796, 0.232057, 0.085369, 0.051779], abs=1e-6)


@pytest.mark.parametrize(
    "window, expected",
    [
        ((0, 2), [0.263019, 0.290681, 0.393196, 0.053103]),
        ((1, 1.8), [0.191395, 0.245756, 0.529591, 0.033259]),
    ],
)
def test_dppl_public_selection_probabilities(window, expected):
    data = small([(1, 0), (0, 1), (3, 4)], [0, 0, 0], [(1, 0), (0, 2), (1, 1), (-1, 0)])
    u, width = public_scores.utilities(data, *window), public_scores.window_width(*window)
    found = mechanisms.exponential_probabilities(u, Exponential(width, 1.0))
    # three scores, each rounded to a step, of features that have 12 bits
    assert found[0] == pytest.approx(expected, abs=mechanisms.COARSE)
    scores = np.array([[1, 0, 0.7071068, -1], [0, 1, 0.7071068, 0], [0.6, 0.8, 0.9899495, -0.6]])
    direct = (np.clip(1 + scores, *window) - window[0]).sum(axis=0)
    exact = mechanisms.exponential_probabilities(direct, Exponential(window[1] - window[0], 1.0))
    assert exact == pytest.approx(expected, abs=1e-6)


def top_set_probability(u, k, t):
    """P(the true top k) by listing all sets: the utility of a set is its worst member's."""
    sets = list(itertools.combinations(range(len(u)), k))
    weights = [math.exp(t * min(u[i] for i in s)) for s in sets]
    return weights[sets.index(tuple(range(k)))] / sum(weights)


def test_top_k_weights_count_sets():
    u = np.array([5.0, 4, 2, 2, 1, 0])
    for epsilon, expected in ((1.0, 0.508284), (0.5, 0.226830)):
        logits = mechanisms.top_k_logits(u, 2, Exponential(1.0, epsilon))
        probability = np.exp(logits[0] - np.logaddexp.reduce(logits))
        assert probability == pytest.approx(expected, abs=1e-6)
        assert probability == pytest.approx(top_set_probability(u, 2, epsilon))


def test_top_k_samples_sets_with_stated_probability():
    u, k, t, runs = np.array([2.0, 1.5, 1.0, 0.2, 0.0]), 2, 1.0, 20_000
    sets = [frozenset(s) for s in itertools.combinations(range(5), k)]
    weights = np.array([math.exp(t * min(u[list(s)])) for s in sets])
    expected = runs * weights / weights.sum()
    seen = dict.fromkeys(sets, 0)
    ranked = np.argsort(-u)
    for gumbel, order in zip(
        mechanisms.standard_gumbel(3, "g", (runs, 5)),
        mechanisms.standard_uniform(3, "o", (runs, 5)),
        strict=True,
    ):
        seen[
            frozenset(
                mechanisms.top_k(u[ranked], k, Exponential(1.0, t), gumbel, order, ranked).tolist()
            )
        ] += 1
    counts = np.array([seen[s] for s in sets])
    assert stats.chisquare(counts, expected).pvalue > FALSE_ALARM
    wrong = np.array([math.exp(t / 2 * min(u[list(s)])) for s in sets])
    assert stats.chisquare(counts, runs * wrong / wrong.sum()).pvalue < FALSE_ALARM


def test_top_k_returns_set_without_ranking():
    gumbel = mechanisms.UnitNoise(0, "none", (6,), np.zeros(6))
    order = np.arange(6) / 6
    one, other = np.array([3.0, 2.9, 0, 0, 0, 0]), np.array([2.9, 3.0, 0, 0, 0, 0])
    picks = [
        mechanisms.top_k(np.sort(u)[::-1], 2, Exponential(1.0, 50.0), gumbel, order, np.argsort(-u))
        for u in (one, other)
    ]
    assert picks[0].tolist() == picks[1].tolist() == [0, 1]


def test_printed_top_k_multiplicity_would_break_the_guarantee():
    """C(y, K) instead of C(y-1, K-1): one record moves a 60-item example's odds by far more than
    epsilon.
    """
    epsilon, k, m = 0.1, 10, 60
    u = np.zeros(m)

    def log_p(u, log_sets):
        logits = log_sets + epsilon * np.sort(u)[::-1][k - 1 :]
        return logits - np.logaddexp.reduce(logits)

    y = np.arange(k, m + 1)
    right = np.array([math.log(math.comb(v - 1, k - 1)) for v in y])
    printed = np.array([math.log(math.comb(v, k)) for v in y])
    # the set of the first k items: ties put its worst member last among equals or first, as the
    # ranks fall
    best, worst = u + np.r_[np.ones(k), np.zeros(m - k)], u

    def set_log_p(utility, log_sets, last_rank):
        return log_p(utility, log_sets)[last_rank - k] - math.log(math.comb(last_rank - 1, k - 1))

    loss_right = set_log_p(best, right, k) - set_log_p(worst, right, m)
    loss_printed = set_log_p(best, printed, k) - set_log_p(worst, printed, m)
    assert abs(loss_right) <= epsilon + 1e-9
    assert abs(loss_printed) > 10 * epsilon


def test_set_counts_are_accurate_to_last_digits():
    for m, k in ((3000, 10), (30_000, 3), (50, 50), (40, 1)):
        every = mechanisms.log_sets(m, k)
        assert len(every) == m - k + 1
        for y in (k, (k + m) // 2, m):
            exact = math.log(math.comb(y - 1, k - 1))
            assert every[y - k] == pytest.approx(exact, rel=1e-14, abs=1e-13)
    by_gamma = math.lgamma(30_000) - math.lgamma(3) - math.lgamma(29_998)
    assert abs(by_gamma - math.log(math.comb(29_999, 2))) > 1e-11, "logarithms that cancel do not"


@pytest.mark.parametrize("step, kept", [(RANK_STEP, True), (mechanisms.UTILITY_STEP, False)])
def test_rank_rounding_stays_within_guarantee(step, kept, monkeypatch):
    """A record raises a third of 3,000 pictures by its full say: every set's rank moves."""
    monkeypatch.setattr(exponential_mechanism, "RANK_STEP", step)
    m, k, sensitivity, worst = 3000, 10, 205 * mechanisms.UTILITY_STEP, 0.0
    before = np.zeros(m)
    sets = mechanisms.log_sets(m, k)
    for epsilon, seed in itertools.product((0.01, 1.0), range(20)):
        rng, scale = np.random.default_rng(seed), sensitivity / epsilon
        added = exponential_mechanism.rank_constants(m, k, scale)
        after = np.where(rng.random(m) < 1 / 3, sensitivity, 0.0)
        members = np.flatnonzero(after)[-k:]

        def log_p(u, added=added, scale=scale, members=members):
            ranked = np.argsort(-u, kind="stable")
            last = int(np.flatnonzero(np.isin(ranked, members)).max()) - (k - 1)
            logits = (u[ranked][k - 1 :] + added) / scale
            return logits[last] - np.logaddexp.reduce(logits) - sets[last]

        worst = max(worst, abs(log_p(after) - log_p(before)) / epsilon)
    assert bool(worst <= 1 + privacy.PRIVATE_SIDE) == kept
    assert worst > 0.9, "the example moves sets as far as they may go"


@pytest.mark.parametrize("d_min, d_max", [(0, 2), (1.0, 1.9), (1.3, 1.6), (0.5, 1.1)])
def test_utilities_match_explicit_sum(d_min, d_max):
    data = toy_data(per_class=9, public=40)
    x, p = (
        a / np.linalg.norm(a, axis=1, keepdims=True)
        for a in (data.x.astype(float), data.x_public.astype(float))
    )
    direct = np.clip(1 + x @ p.T, d_min, d_max) - d_min
    expected = np.stack([direct[data.y == c].sum(0) for c in range(data.classes)])
    # a number of a feature is off by half a step of COARSE, a row by sqrt(d) of that, of d = 12
    found, of_one = (
        public_scores.utilities(data, d_min, d_max),
        2 * math.sqrt(12) * mechanisms.COARSE,
    )
    assert found == pytest.approx(expected, abs=9 * of_one)
    rows, public = (mechanisms.unit_rows(a).astype(float) for a in (data.x, data.x_public))
    step, ends = (
        mechanisms.UTILITY_STEP,
        np.rint(np.array([d_min, d_max]) / mechanisms.UTILITY_STEP),
    )
    steps = np.clip(np.rint(rows @ public.T / step) + 1 / step, *ends) - ends[0]
    exact = np.stack([steps[data.y == c].sum(0) for c in range(data.classes)]) * step
    assert np.array_equal(found, exact)
    assert np.array_equal(public_scores._clipped(data, d_min, d_max), exact)


def test_one_record_raises_utility_within_sensitivity_never_lowers():
    more = toy_data(per_class=9, public=40)
    less = Dataset(**{**vars(more), "x": more.x[1:], "y": more.y[1:], "fingerprint": "less"})
    change = public_scores.utilities(more, 1.2, 1.7) - public_scores.utilities(less, 1.2, 1.7)
    assert change.min() >= 0 and change.max() <= public_scores.window_width(1.2, 1.7)
    assert not change[np.arange(more.classes) != more.y[0]].any(), "other classes' stay as they are"
    unclipped = public_scores.utilities(more, 0, 2) - public_scores.utilities(less, 0, 2)
    assert unclipped.max() > 0.5, "without the window a record has more say: the test can fail"


def test_clipping_bounds_contribution_and_keeps_short_rows():
    x = np.array([[3.0, 4.0], [0.0, 0.5], [0.0, 0.0]], np.float32)
    clipped = mechanisms.contributions(x, 1.0)
    assert np.linalg.norm(clipped, axis=1) == pytest.approx([1.0, 0.5, 0.0])
    assert np.array_equal(clipped[1:], x[1:])


def noise_variance_ok(sigma: float, runs: int = 4000) -> bool:
    """Accepts sigma: a two-sided chi-square test of the noise added for sigma = 1."""
    noise = mechanisms.standard_normal(11, "v", (runs,))
    released = mechanisms.add_gaussian(np.zeros(runs), Gaussian(1.0, sigma), noise)
    p = stats.chi2.cdf((released**2).sum(), runs)
    return min(p, 1 - p) > FALSE_ALARM / 2


def test_gaussian_noise_has_planned_scale():
    assert noise_variance_ok(1.0)
    assert not noise_variance_ok(2 / 3) and not noise_variance_ok(3 / 2)


def test_noise_streams_differ_by_use_and_seed():
    def drawn(seed, label):
        return mechanisms.standard_normal(seed, label, (50,)).values

    draws = [drawn(seed, label) for seed in (0, 1) for label in ("a", "b")]
    for one, other in itertools.combinations(draws, 2):
        assert abs(np.corrcoef(one, other)[0, 1]) < 0.6
    assert np.array_equal(draws[0], drawn(0, "a"))


VOTES = np.array([[90, 5, 5], [40, 35, 25], [80, 20, 0], [34, 33, 33]])


def test_noiseless_confident_gnmax_answers_above_threshold_until_limit():
    asked, labels = noisy_votes.answers(VOTES, 80, 0.0, 0.0)
    assert asked.all() and labels.tolist() == [0, -1, 0, -1]
    asked, labels = noisy_votes.answers(VOTES, 80, 0.0, 0.0, most=1)
    assert asked.tolist() == [True, False, False, False] and labels.tolist() == [0, -1, -1, -1]
    _, everything = noisy_votes.answers(VOTES, -math.inf, None, 0.0)
    assert everything.tolist() == [0, 0, 0, 0]


def test_unanswered_query_votes_are_not_released():
    answers = Gaussian(math.sqrt(2), 1.0, 4)
    tests = Gaussian(1.0, 1e-9, 4), mechanisms.standard_normal(0, "tests", (4,))
    noise = mechanisms.standard_normal(0, "answers", VOTES.shape)
    with mechanisms.watched({"answers": answers}) as seen:
        mechanisms.confident_gnmax(VOTES, 80, tests, (answers, noise))
    noisy = seen.table("answers", [0]).reshape(VOTES.shape)
    assert np.array_equal(noisy[[1, 3]], noise.values[[1, 3]])
    assert noisy[[0, 2]] == pytest.approx(VOTES[[0, 2]] + noise.values[[0, 2]])


def test_confident_gnmax_answer_rate_matches_normal_tail():
    runs, sigma1 = 4000, 10.0
    _, labels = noisy_votes.answers(np.tile(VOTES[2], (runs, 1)), 90, sigma1, 1.0, 3)
    answered = int(np.sum(labels >= 0))
    assert stats.binomtest(answered, runs, stats.norm.sf(1.0)).pvalue > FALSE_ALARM
    assert stats.binomtest(answered, runs, stats.norm.sf(2.0)).pvalue < FALSE_ALARM, (
        "half the noise is told apart"
    )


def test_release_refuses_utilities_off_the_grid():
    event, noise = Exponential(1.0, 1.0), mechanisms.standard_gumbel(mechanisms.SYSTEM, "a", (2,))
    on_grid = np.array([3, 8]) * mechanisms.UTILITY_STEP
    assert mechanisms.exponential(on_grid, event, noise) in (0, 1)
    with pytest.raises(ValueError, match="whole multiples"):
        mechanisms.exponential(on_grid + mechanisms.UTILITY_STEP / 3, event, noise)
