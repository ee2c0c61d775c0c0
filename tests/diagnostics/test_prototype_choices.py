"""What the exponential mechanism picks: against sums written out, the plain runs, and the figures
of the paper's slips.
"""

import dataclasses
import itertools
import math

import numpy as np
import pytest

from dpviz import mechanisms
from dpviz.diagnostics import paper_errata, prototype_budgets, prototype_choices
from dpviz.experiments import experiment
from dpviz.methods import dppl_publick
from dpviz.methods.components import public_scores
from dpviz.stats import interval
from dpviz.types import Budget, Dataset, DpvizError, Exponential, RunSpec
from tests.kit.toys import toy_data

SEEDS = (0, 1, 2)


@pytest.fixture
def own(tmp_path):
    """A spec on a small file of features with a labelled public set."""
    data = toy_data(per_class=30, public=120)
    arrays = {"X_train": data.x, "y_train": data.y, "X_test": data.x_test, "y_test": data.y_test}
    path = tmp_path / "own.npz"
    np.savez(path, **arrays, X_public=data.x_public, y_public=data.y_public)
    return RunSpec(str(path), None, "dppl-public", Budget(1.0), ir=5.0)


def small(x, y, public, y_public=None) -> Dataset:
    x, public = np.array(x, np.float32), np.array(public, np.float32)
    return Dataset(
        "small",
        None,
        x,
        np.array(y),
        x,
        np.array(y),
        ("a",),
        repr((x, public)),
        public,
        y_public,
        "p",
    )


# ----------------------------------------------------------------------------- grid of running sums


@pytest.mark.parametrize("d_min, d_max", [(1.3, 1.9), (0.0, 1.15), (0.45, 2.0), (1.0, 1.05)])
def test_grid_equals_the_direct_sum_bit_for_bit(d_min, d_max):
    public_scores._grids.cache_clear()
    data = toy_data(
        per_class=700, classes=3, public=60
    )  # more records a class than one block of rows
    alone = public_scores._clipped(data, d_min, d_max)
    assert public_scores.keep_grid(data)
    assert np.array_equal(public_scores._clipped(data, d_min, d_max), alone)
    x, p = (
        a / np.linalg.norm(a, axis=1, keepdims=True)
        for a in (data.x.astype(float), data.x_public.astype(float))
    )
    direct = np.clip(1 + x @ p.T, d_min, d_max) - d_min
    sums = np.stack([direct[data.y == c].sum(0) for c in range(data.classes)])
    assert alone == pytest.approx(sums, abs=700 * 5e-4)  # features and scores are kept to a grid


def test_second_window_keeps_its_ends_for_the_next_ones(monkeypatch):
    public_scores._grids.cache_clear()
    data = toy_data(per_class=700, classes=3, public=60, seed=5)
    windows = [(1.3, 1.9), (1.0, 1.9), (1.0, 1.6)]
    direct = [
        public_scores.clipped_sums(data.x, data.y, data.classes, data.public, *window)
        for window in windows
    ]
    first, second = (public_scores._clipped(data, *window) for window in windows[:2])
    assert set(public_scores._grids.get(public_scores._grid_key(data))) == {1.0, 1.9}
    monkeypatch.setattr(public_scores, "clipped_sums", lambda *a: pytest.fail("summed again"))
    third = public_scores._clipped(data, *windows[2])
    assert all(map(np.array_equal, (first, second, third), direct))


def test_windows_of_large_public_set_are_summed_one_by_one(monkeypatch):
    public_scores._grids.cache_clear()
    monkeypatch.setattr(public_scores, "GRID_BYTES", 1000)
    data = toy_data(per_class=20, public=40, seed=6)
    for window in [(1.3, 1.9), (1.0, 1.9)]:
        public_scores._clipped(data, *window)
    assert not public_scores._grids.values()


def test_grid_answers_without_reading_records(monkeypatch):
    public_scores._grids.cache_clear()
    data = toy_data(per_class=20, public=40)
    public_scores.keep_grid(data)
    monkeypatch.setattr(
        public_scores, "map_blocks", lambda *a: pytest.fail("records were read again")
    )
    assert public_scores._clipped(data, 0.7, 1.45).shape == (4, 40)


def test_grid_is_not_reused_for_other_data():
    public_scores._grids.cache_clear()
    one, other = toy_data(per_class=20, public=40), toy_data(per_class=20, public=40, seed=1)
    public_scores.keep_grid(one)
    alone = public_scores._clipped(other, 1.3, 1.9)
    public_scores.keep_grid(other)
    assert (
        np.array_equal(public_scores._clipped(other, 1.3, 1.9), alone)
        and len(public_scores._grids.values()) == 1
    )


def test_grid_that_would_not_fit_is_not_kept(monkeypatch):
    public_scores._grids.cache_clear()
    monkeypatch.setattr(public_scores, "GRID_BYTES", 1000)
    assert not public_scores.keep_grid(toy_data()) and not public_scores._grids.values()


# -------------------------------------------------------------------------------------------- draws


@pytest.mark.parametrize("params", [(), (("d_min", 1.0), ("d_max", 1.6))])
def test_draws_match_plain_runs(own, params):
    spec = dataclasses.replace(own, params=params)
    budgets = (0.01, 0.5, 3.0, 100.0, math.inf)
    found = prototype_choices.draws(spec, budgets, SEEDS)
    for b, s in itertools.product(range(len(budgets)), SEEDS):
        plain = experiment.run(dataclasses.replace(spec, budget=Budget(budgets[b]), seed=s))
        assert found.results[b][s].scores == plain.scores
        assert found.results[b][s].guarantee == plain.guarantee
    assert found.chosen.shape == (5, 3, 4) and found.own.shape == (5, 3, 4)


def test_front_winners_match_all_candidates(own):
    _data, u = prototype_choices.scene(own)
    events = [Exponential(0.6, e) for e in (1e-4, 0.01, 0.3, 1.0, 10.0)]
    for seed in range(20):
        every = [
            mechanisms.exponential(u, e, prototype_choices.gumbel(seed, u.shape)) for e in events
        ]
        assert np.array_equal(
            prototype_choices._winners(u, prototype_choices.ranking(u), events, seed), every
        )


def test_own_class_names_need_labels_and_shared_names():
    data = toy_data(public=40)
    own = prototype_choices.own_kind(data)
    assert own.shape == (4, 40) and own.sum() == 40
    assert prototype_choices.own_kind(dataclasses.replace(data, y_public=None)) is None
    assert (
        prototype_choices.own_kind(dataclasses.replace(data, y_public=data.y_public + 100)) is None
    )


# --------------------------------------------------------------------------------------------- odds


def test_effective_number_of_images_by_hand():
    assert prototype_choices.effective(np.array([[1.0, 0, 0, 0], [0.25] * 4])) == pytest.approx(
        [1, 4]
    )
    p = mechanisms.exponential_probabilities(np.array([3, 2, 1, 0.5]), Exponential(0.5, 1.0))
    told = math.exp(-sum(v * math.log(v) for v in (0.861780, 0.116629, 0.015784, 0.005807)))
    assert prototype_choices.effective(p) == pytest.approx(told, abs=1e-4)


def test_odds_of_a_tiny_public_set(monkeypatch):
    data = small(
        [(1, 0), (0, 1), (3, 4)],
        [0, 0, 0],
        [(1, 0), (0, 2), (1, 1), (-1, 0)],
        np.zeros(4, np.int64),
    )
    u = public_scores.utilities(data, 1.0, 1.8)
    monkeypatch.setattr(prototype_choices, "scene", lambda spec: (data, u))
    monkeypatch.setattr(prototype_choices, "event_of", lambda spec: Exponential(0.8, 1.0))
    found = prototype_choices.odds(None)
    assert found.probability[0] == pytest.approx([0.191395, 0.245756, 0.529591, 0.033259], abs=1e-4)
    assert found.curve[0] == pytest.approx([0.529591, 0.245756, 0.191395, 0.033259], abs=1e-4)
    assert found.ranks.tolist() == [1, 2, 3, 4] and found.own == pytest.approx([1.0])


def test_score_counts_and_clipped_shares():
    data = small([(1, 0), (0, 1)], [0, 0], [(1, 0), (1, 1), (-1, 0)])
    counts = prototype_choices.histogram(data)
    scores = [1 + v for v in (1, math.sqrt(0.5), -1, 0, math.sqrt(0.5), 0)]
    assert counts.sum() == 6 and counts[0, 199] == 1 and counts[0, 0] == 1 and counts[0, 170] == 2
    assert prototype_choices.clipped_shares(counts, 0.5, 1.5)[0] == pytest.approx(
        [
            sum(s < 0.5 for s in scores) / 6,
            sum(0.5 <= s < 1.5 for s in scores) / 6,
            sum(s >= 1.5 for s in scores) / 6,
        ]
    )


# ----------------------------------------------------------------- what the settings do to accuracy


def test_map_cells_match_plain_runs(own):
    *_, accuracy = prototype_choices.window_map(own, (1.0, 1.3, 1.6), (1.3, 1.9), SEEDS, "balanced")
    assert (
        np.isnan(accuracy[1, 0]) and np.isnan(accuracy[2, 0]) and np.isfinite(accuracy).sum() == 4
    )
    runs = [
        experiment.run(dataclasses.replace(own, params=(("d_min", 1.0), ("d_max", 1.3)), seed=s))
        for s in SEEDS
    ]
    assert accuracy[0, 0] == pytest.approx(np.mean([r.scores.balanced for r in runs]))


def test_full_set_and_single_image_match_plain_run(own):
    plain = [experiment.run(dataclasses.replace(own, seed=s)).scores for s in SEEDS]
    *_, by_size = prototype_choices.size_curve(own, (5, 120), SEEDS)
    *_, by_k = prototype_choices.k_curve(own, (1, 3), SEEDS)
    assert by_size[120] == plain and by_k[1] == plain
    three = [
        experiment.run(dataclasses.replace(prototype_choices.publick(own, 3), seed=s)).scores
        for s in SEEDS
    ]
    assert by_k[3] == three and prototype_choices.publick(own, 3).method == dppl_publick.KEY


def test_missing_public_set_is_refused_with_message(own, tmp_path):
    content = dict(np.load(own.dataset))
    np.savez(tmp_path / "none.npz", **{k: v for k, v in content.items() if "public" not in k})
    with pytest.raises(DpvizError, match="needs a public set"):
        prototype_choices.scene(dataclasses.replace(own, dataset=str(tmp_path / "none.npz")))


# -------------------------------------------------------------------------------- the printed slips


def every_set(u, k, t, printed_sets):
    """Log probabilities of all k-sets, written out from the two-step draw."""
    order = list(np.argsort(-u, kind="stable"))
    weight = {
        y: (
            math.comb(y if printed_sets else y - 1, k if printed_sets else k - 1)
            * math.exp(t * u[order[y - 1]])
        )
        for y in range(k, len(u) + 1)
    }
    total = sum(weight.values())
    sets = itertools.combinations(range(len(u)), k)
    worst = {s: max(order.index(i) for i in s) + 1 for s in sets}
    return {s: math.log(weight[y] / total / math.comb(y - 1, k - 1)) for s, y in worst.items()}


@pytest.mark.parametrize("printed_sets", [False, True])
def test_set_probabilities_match_enumeration(printed_sets):
    u = np.array([5.0, 4, 2, 2, 1, 0])
    every = every_set(u, 2, 1.0, printed_sets)
    assert sum(map(math.exp, every.values())) == pytest.approx(1)
    for members, value in every.items():
        assert paper_errata.set_log_probability(u, members, 1.0, printed_sets) == pytest.approx(
            value
        )


@pytest.mark.parametrize("t, expected", [(1.0, 0.508284), (0.5, 0.226830)])
def test_set_probability_of_six_images_uses_factor_two(t, expected):
    u = np.array([5.0, 4, 2, 2, 1, 0])
    assert math.exp(paper_errata.set_log_probability(u, (0, 1), t, printed=False)) == pytest.approx(
        expected, abs=1e-6
    )


def test_printed_sets_exceed_guarantee_corrected_sets_do_not():
    slip = paper_errata.example()
    assert (slip.claimed_epsilon, slip.pictures, slip.k) == (0.1, 60, 2)
    assert slip.printed == pytest.approx(3.35, abs=0.005)
    assert slip.right <= slip.claimed_epsilon
    assert paper_errata.example(k=1).printed > 3.9 > 0.1 >= paper_errata.example(k=1).right, (
        "even one picture leaks its rank"
    )


def test_leaving_out_a_record_of_the_data():
    data = toy_data(per_class=12, public=60)
    event = Exponential(public_scores.window_width(1.3, 1.9), 0.05)
    u = public_scores.utilities(data, 1.3, 1.9)
    slip = paper_errata.worst_record(data, u[1], 1, 3, event, 1.3, 1.9)
    assert slip.right <= event.epsilon + 1e-6 < slip.printed
    added = paper_errata.record_scores(data, 1, 1.3, 1.9)
    assert added.min() >= 0 and added.max() <= public_scores.window_width(1.3, 1.9)
    assert np.array_equal(added.sum(axis=0), u[1])


def test_halving_epsilon_spreads_the_choice():
    u = np.array([[3, 2, 1, 0.5]])
    half = paper_errata.halved(u, Exponential(0.5, 1.0))
    assert (half.full, half.half) == pytest.approx((0.861780, 0.630796), abs=1e-6)
    assert half.candidates_half > half.candidates_full > 1


def test_swapped_clip_gives_constant_scores():
    assert set(paper_errata.swapped_clip(np.linspace(0, 2, 50), 1.3, 1.9)) == {1.3}


def test_exact_accounting_helps_at_large_budget_only(own):
    budgets = [Budget(10, "zcdp"), Budget(0.5, "zcdp"), Budget(1.0), Budget(1.0, "paper")]
    found = dict(zip(budgets, paper_errata.wasted(own, budgets, range(3), "balanced"), strict=True))
    spent = [(w.printed, w.exact) for w in found.values()]
    assert spent[0] == pytest.approx((math.sqrt(80), 13.6108519362), rel=1e-8)
    assert spent[1] == pytest.approx((2.0, 2.05596711126), rel=1e-8)
    assert spent[2] == (1.0, 1.0), "pure epsilon is more than either conversion gives"
    assert spent[3] == pytest.approx((2.0, 2.05596711126), rel=1e-8)
    small = found[Budget(1.0)]
    assert small.with_printed == small.with_exact
    for budget in budgets[:2]:
        runs = [
            experiment.run(dataclasses.replace(own, budget=budget, seed=seed)).scores.balanced
            for seed in range(3)
        ]
        assert found[budget].with_exact == pytest.approx(runs, abs=1e-12)


# ------------------------------------------------------------------------------------------- charts


# --------------------------------------------------------------------------------- over all budgets


def test_settings_by_budget_match_plain_runs(own):
    *_, ks = prototype_budgets.of_ks(own, (0.1, 3.0), (1, 2), SEEDS)
    *_, sizes = prototype_budgets.of_sizes(own, (0.1, 3.0), (20, 120), SEEDS)
    plain = prototype_choices.draws(own, (0.1, 3.0), SEEDS)
    for budget in (0.1, 3.0):
        known = [r.scores.overall for r in plain.results_at(budget)]
        assert [s.overall for s in sizes[120][budget]] == known
        two = dataclasses.replace(
            prototype_choices.publick(own, 2), budget=Budget(budget), seed=SEEDS[1]
        )
        assert ks[2][budget][1].overall == experiment.run(two).scores.overall


def test_candidates_for_best_exclude_significantly_worse_ones():
    points = {1: interval([0.5, 0.52, 0.51]), 2: interval([0.9, 0.8]), 5: interval([0.91, 0.9])}
    top, may_be = prototype_budgets.perhaps_best(points)
    assert top == 5 and 1 not in may_be and may_be == (2, 5)
