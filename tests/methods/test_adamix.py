"""AdaMix against a loop over records written from the formulas; its presets, its steps and its
public shots.
"""

import dataclasses

import numpy as np
import pytest
import torch
from scipy import stats

from dpviz import data as data_package
from dpviz import mechanisms, methods, privacy
from dpviz.data import feature_cache, loading
from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.machine.threads import one_numeric_thread
from dpviz.mechanisms import COARSE
from dpviz.methods import METHODS, adamix
from dpviz.methods.adamix_presets import PRESETS
from dpviz.methods.components import mixed_gradients, public_sets
from dpviz.types import Budget, DpvizError, Gaussian, unit_rows
from dpviz.views.guarantee_in_words import rows_of
from tests.kit.toys import toy_data

SMALL = toy_data(per_class=6, d=5, public=40)


@pytest.fixture(autouse=True)
def _one_thread():
    with one_numeric_thread():
        yield


def settings(**changes):
    return adamix.METHOD.check(changes)


def record_gradient(w, row, label):
    """Autograd's gradient of one record's loss, d x C as in the paper."""
    leaf = w.clone().requires_grad_()
    torch.nn.functional.cross_entropy(row @ leaf, label).backward()
    return leaf.grad


def private_records(task):
    """Features (d,) float64 and label of each."""
    count, labels = task.problem.count, task.problem.onehot.argmax(0)
    return list(zip(task.problem.x[:count].double(), labels[:count], strict=True))


def on_the_grid(w):
    """The head d x C as private records see it."""
    rounded, scale = mechanisms.rounded_rows(w.T.float())
    return (rounded * scale).double().T


def by_the_book(task, event, seed):
    """Algorithm 2, record by record in float64; the noise of P directions is the seed's own, seen
    in them.
    """
    p, public, private = task.params, task.shots, private_records(task)
    shots = [
        (torch.tensor(row), torch.tensor(label))
        for row, label in zip(public.x, public.y, strict=True)
    ]
    w, centre, stream = (
        task.start.double().T,
        task.centre.double().T,
        mechanisms.normal_steps(seed, "adamix", tuple(task.start.shape)),
    )
    for _ in range(event.times):
        seen = [record_gradient(w, row, label) for row, label in shots]
        tau = p["clip"]
        if p["clip_mode"] == "adaptive":
            tau = max(float(np.quantile([float(g.norm()) for g in seen], 0.9)), p["floor"])
        u = torch.eye(len(w), dtype=torch.float64)
        if p["rank"]:
            u = torch.linalg.svd(sum(seen))[0][:, : min(p["rank"], w.shape[1] - 1)]
        total = u.T @ (torch.from_numpy(next(stream).values).double().T * event.sigma * tau)
        for row, label in private:
            g = record_gradient(on_the_grid(w), row, label)
            total = total + u.T @ (g * min(1.0, tau / float(g.norm())))
        gradient = u @ total + p["weight_decay"] * (w - centre)
        if p["public_use"] == "exact":
            gradient = gradient + sum(seen)
        w = w - p["lr"] * gradient
    return w.T.numpy()


@pytest.mark.parametrize(
    "changes",
    [
        {"rank": 2},
        {"rank": 0, "centre": "init"},
        {"rank": 2, "init": "none", "public_use": "none"},
        {"rank": 3, "clip_mode": "fixed", "clip": 0.3, "lr": 0.02},
        {
            "rank": 0,
            "clip_mode": "fixed",
            "clip": 0.3,
            "lr": 0.02,
            "init": "label-prototypes",
            "beta": 3.0,
            "weight_decay": 1.0,
        },
    ],
)
def test_batched_steps_match_algorithm_2_per_record(changes):
    task = adamix.prepare(SMALL, settings(shots=4, **changes))
    event = Gaussian(1.0, 0.5, 6)
    found, _ = mixed_gradients.descend(task, event, 3)
    # six steps of 24 records, each within some steps of the grid in thresholds of at most 1
    off = 6 * 24 * task.params["lr"] * COARSE / 4
    assert found == pytest.approx(by_the_book(task, event, 3), abs=off)


def test_gradient_norms_agree_with_autograd():
    task, steps = adamix.prepare(SMALL, settings()), []
    mixed_gradients.descend(
        task, Gaussian(1.0, 0.5, 3), 0, lambda s: steps.append((s.norms.copy(), s.weights.copy()))
    )
    for norms, w in steps:
        w = on_the_grid(torch.from_numpy(w).T)
        book = [
            float(record_gradient(w, row, label).norm() / row.norm())
            for row, label in private_records(task)
        ]
        assert norms == pytest.approx(book, abs=1e-5)


def test_start_is_stationary_point_of_public_loss():
    shots = public_sets.draw_shots(SMALL, 3, 0)
    w = public_sets.converge(shots.x, shots.y, shots.classes, 0.01)
    slope = mixed_gradients.residuals([shots], w[None])[0].T @ shots.x + 0.01 * w
    assert np.abs(slope).max() < 1e-3
    assert np.array_equal(np.argmax(shots.x @ w.T, axis=1), shots.y)


# ---------------------------------------------------------------------------------- steps and noise


@pytest.mark.parametrize("epsilon, steps", [(1, 28), (3, 206), (8, 1110)])
def test_steps_follow_budget(epsilon, steps):
    budget = Budget(epsilon)
    assert adamix.steps(privacy.mu_for(budget), 20) == steps
    plan = adamix.plan(SMALL.sizes, budget, settings())
    event = plan.events["gradients"]
    assert event.times == steps and event.sensitivity == 1
    assert 20 * (1 - 1 / steps) < event.sigma <= 20
    assert 0.999999 * epsilon < plan.guarantee.epsilon_delta <= epsilon


def test_budget_below_one_step_gives_noisier_step():
    plan = adamix.plan(SMALL.sizes, Budget(0.01), settings())
    event = plan.events["gradients"]
    assert event.times == 1 and event.sigma > 20
    assert "does not cover one step" in plan.notes["why"]


def test_step_limit_lowers_noise():
    plan = adamix.plan(SMALL.sizes, Budget(8), settings(max_steps=100))
    event = plan.events["gradients"]
    assert event.times == 100 and event.sigma == pytest.approx(20 * np.sqrt(100 / 1110), rel=1e-3)
    assert plan.guarantee.epsilon_delta == pytest.approx(8, rel=1e-6)


def test_guarantee_states_step_ceiling():
    told = adamix.plan(SMALL.sizes, Budget(100), settings()).guarantee.schedule
    assert told == (
        "The budget covers 44,630 steps at σ = 20. The limit is 5,000, so the run used 5,000 steps"
        " at σ = 6.694."
    )
    assert ("steps", told) in rows_of(adamix.plan(SMALL.sizes, Budget(100), settings()).guarantee)


def test_defaults_match_paper_protocol():
    assert adamix.RATES == (5e-4, 1e-3, 2.5e-3, 5e-3)
    own = settings()
    assert (own["sigma"], own["weight_decay"], own["centre"]) == (20, 0.01, "zero")
    assert own["init"] == "few-shot" and own["clip_mode"] == "adaptive"
    for preset in PRESETS.values():
        lr = methods.get(preset.method).check(dict(preset.params)).get("lr")
        assert lr in (None, adamix.RATES[-1])


def test_projected_noise_has_planned_scale():
    """A chi-square test at 1e-6."""
    task, event, rank = adamix.prepare(SMALL, settings(rank=2, lr=1e-4)), Gaussian(1.0, 7.0, 100), 2
    _, path = mixed_gradients.descend(task, event, 1)
    total = np.sum((path.noise / (event.sigma * path.threshold)) ** 2)
    low, high = stats.chi2.ppf([5e-7, 1 - 5e-7], 100 * rank * SMALL.classes)
    assert low < total < high


# -------------------------------------------------------------------------------------- sensitivity


def longest_share(task):
    """The most that any one record adds to a released sum, in thresholds."""
    found = []
    mixed_gradients.descend(
        task,
        Gaussian(1.0, 2.0, 5),
        0,
        lambda step: found.append(max(block.lengths(step.basis).max() for block in step.blocks)),
    )
    return max(found)


@pytest.mark.parametrize("rank", [0, 2])
def test_contributions_stay_below_threshold_unless_clipping_is_dropped(rank, monkeypatch):
    hard = dataclasses.replace(SMALL, y=(SMALL.y + 1) % SMALL.classes)
    task = adamix.prepare(hard, settings(rank=rank))
    assert 0.5 < longest_share(task) <= 1
    monkeypatch.setattr(torch, "maximum", lambda norms, most: most)
    assert longest_share(task) > 1.5


def test_threshold_and_directions_ignore_private_records():
    steps = {}
    for name, mine in (
        ("all", SMALL),
        ("one", dataclasses.replace(SMALL, x=SMALL.x[:1], y=SMALL.y[:1])),
    ):
        task = adamix.prepare(mine, settings())
        mixed_gradients.descend(
            task,
            Gaussian(1.0, 1.0, 1),
            0,
            lambda s, name=name: steps.update({name: (s.threshold, s.basis)}),
        )
    assert steps["all"][0] == steps["one"][0] and np.array_equal(steps["all"][1], steps["one"][1])


def test_threshold_is_90th_percentile_with_floor():
    norms = np.random.default_rng(0).random(37)
    assert mixed_gradients.thresholds(norms[None], 0.01) == pytest.approx(np.quantile(norms, 0.9))
    assert mixed_gradients.thresholds(norms[None] / 1e6, 0.01) == [0.01]


# ------------------------------------------------------------------------------------------ presets


@pytest.mark.parametrize("name", list(PRESETS))
def test_every_paper_method_is_a_preset(name, toy):
    preset = PRESETS[name]
    method = METHODS[preset.method]
    plan = method.plan(toy.sizes, Budget(3.0), method.check(preset.params))
    release = method.fit(toy, [plan], [0]).releases[0][0]
    assert np.mean(release.predict(toy.x_test) == toy.y_test) > 0.6


def test_only_public_spends_and_reads_nothing(toy):
    method = METHODS["only-public"]
    plan = method.plan(toy.sizes, Budget(1.0), method.check({}))
    card = plan.guarantee
    assert not plan.events and (card.notion, card.value, card.epsilon_delta, card.rho) == (
        "pure",
        0,
        0,
        0,
    )
    other = dataclasses.replace(toy, x=toy.x[:3] * 0, y=toy.y[:3] * 0)
    one, two = (method.fit(d, [plan], [0]).releases[0][0].weights for d in (toy, other))
    assert np.array_equal(one, two)


def test_public_start_and_private_shots_match_presets():
    only = METHODS["only-public"]
    release = only.fit(SMALL, [only.plan(SMALL.sizes, Budget(1.0), only.check({}))], [0]).releases[
        0
    ][0]
    assert np.array_equal(release.weights, adamix.prepare(SMALL, settings()).start.numpy())
    alone = adamix.prepare(SMALL, settings(**PRESETS["Fully-Private"].params, shots=3))
    assert alone.shots is None and alone.problem.count == len(SMALL.y)
    labeled = len(SMALL.labelled_rows[1])
    assert 0 < alone.extra_shots.count < labeled, "each takes part with chance 3 / 20"
    every = adamix.prepare(SMALL, settings(**PRESETS["Fully-Private"].params, shots=20))
    assert every.extra_shots.count == labeled
    assert not alone.start.any()


def test_private_shots_that_steer_nothing_are_refused():
    for changes in ({}, {"init": "none", "rank": 0}, {"init": "none", "clip_mode": "fixed"}):
        with pytest.raises(DpvizError, match="must not guide training"):
            adamix.plan(SMALL.sizes, Budget(1.0), settings(public_use="private", **changes))


def test_private_shots_depend_only_on_each_record():
    whole = public_sets.private_shots(SMALL, 4, 0)
    assert 0 < len(whole.y) < len(SMALL.y_public)
    for left_out in range(len(SMALL.y_public)):
        rows = np.delete(np.arange(len(SMALL.y_public)), left_out)
        fewer = dataclasses.replace(
            SMALL, public_rows=SMALL.public[rows], y_public=SMALL.y_public[rows]
        )
        shots = public_sets.private_shots(fewer, 4, 0)
        left = unit_rows(SMALL.public[left_out : left_out + 1]).astype(float)
        lost = [row for row in whole.x if not (shots.x == row).all(axis=1).any()]
        assert len(lost) <= 1 and all(np.array_equal(row, left[0]) for row in lost)
        assert len(shots.y) == len(whole.y) - len(lost)
    assert len(public_sets.private_shots(SMALL, 20, 0).y) == len(SMALL.y_public)
    other = public_sets.private_shots(SMALL, 4, 1)
    assert not np.array_equal(whole.x, other.x)


def test_batched_private_shot_draws_keep_their_bits():
    plans = [
        adamix.plan(
            SMALL.sizes,
            Budget(3.0),
            settings(**PRESETS["Fully-Private"].params, shots=2, max_steps=3, shots_draw=draw),
        )
        for draw in range(6)
    ]
    counts = {adamix.prepare(SMALL, plan.params).extra_shots.count for plan in plans}
    assert len(counts) > 1, "draws hold different numbers of shots"
    batch = adamix.fit_cells(SMALL, [(plan, 7) for plan in plans])
    for plan, release in zip(plans, batch, strict=True):
        alone = adamix.fit_cells(SMALL, [(plan, 7)])[0]
        assert np.array_equal(release.weights, alone.weights)


def test_label_prototypes_are_scaled_class_means():
    shots = public_sets.draw_shots(SMALL, 4, 0)
    found = mixed_gradients.prototypes(shots, 100.0)
    book = unit_rows(np.stack([shots.x[shots.y == c].mean(0) for c in range(SMALL.classes)]))
    assert found == pytest.approx(100 * book, abs=1e-3)


def test_trace_records_every_step():
    plans = [adamix.plan(SMALL.sizes, Budget(v), settings(sigma=3.0)) for v in (1.0, 8.0)]
    for plan in plans:
        for path in (adamix.path(SMALL, plan, seed) for seed in (0, 1)):
            assert path.norms.shape == (plan.notes["steps"], 3)
            assert np.all((path.kept_share >= 0) & (path.kept_share <= 1 + 1e-6)) and np.all(
                path.threshold >= 0.01
            )
            assert path.public_energy == pytest.approx(np.ones(len(path.kept_share)))


# ------------------------------------------------------------------------------------- public shots


def test_few_shots_are_per_class_and_nested():
    few, more, other = (
        public_sets.draw_shots(SMALL, n, draw) for n, draw in ((2, 0), (5, 0), (2, 1))
    )
    assert np.bincount(few.y).tolist() == [2] * 4 and np.bincount(more.y).tolist() == [5] * 4
    assert all(any(np.array_equal(row, held) for held in more.x) for row in few.x)
    assert not np.array_equal(few.x, other.x)
    assert len(public_sets.draw_shots(SMALL, 100, 0).y) == 40, "all there are, if fewer"


def test_public_classes_are_matched_by_name():
    names = ("class 2", "nothing private", "class 0")
    mine = dataclasses.replace(
        SMALL, public_rows=SMALL.x_public[:4], y_public=np.array([0, 1, 2, 0]), public_names=names
    )
    x, y = mine.labelled_public
    assert y.tolist() == [2, 0, 2] and np.array_equal(x, SMALL.x_public[[0, 2, 3]])
    with pytest.raises(DpvizError, match="Choose a public set with the same class names"):
        public_sets.draw_shots(dataclasses.replace(mine, public_names=("a", "b", "c")), 2, 0)


@pytest.mark.parametrize("name, a_class", [("mnist5k", 380), ("uci-digits", None)])
def test_held_out_records_are_public_not_private(name, a_class, monkeypatch):
    pixels_of = lambda images, *_: images.pixels.reshape(len(images.pixels), -1).astype(np.float32)
    for module in (loading, feature_cache):
        monkeypatch.setattr(module, "embedded", pixels_of)
    data_package.clear()
    held = data_package.load(name, "glyphnet", HELD_ASIDE)
    data_package.clear()
    whole, (x, y) = data_package.DATASETS[name].images()["train"], held.labelled_public
    assert np.bincount(y).tolist() == [20] * 10 and len(held.y) + 200 == len(whole.labels)
    assert a_class is None or held.counts == (a_class,) * 10
    aside, pixels = (
        np.setdiff1d(np.arange(len(whole.labels)), held.rows),
        whole.pixels.reshape(-1, 784),
    )
    assert np.array_equal(pixels[held.rows], held.x) and np.array_equal(
        whole.labels[held.rows], held.y
    )
    assert np.array_equal(pixels[aside], x) and np.array_equal(whole.labels[aside], y)
    assert HELD_ASIDE in data_package.public_choices(name)
    assert np.array_equal(
        held.thumbnails("public", np.array([7]))[0].ravel(), x[7].astype(np.uint8)
    )
    assert np.array_equal(
        held.thumbnails("train", held.rows[[5]])[0].ravel(), held.x[5].astype(np.uint8)
    )


def test_jointly_fitted_shot_draws_match_single_fits(monkeypatch):
    made = []
    converge = adamix.converge
    monkeypatch.setattr(adamix, "converge", lambda *a: made.append(a) or converge(*a))
    adamix._public_heads.cache_clear()
    for changes in ({}, {"init": "none", "clip_mode": "fixed", "rank": 0, "public_use": "private"}):
        cells = [
            (adamix.plan(SMALL.sizes, Budget(b), settings(shots_draw=draw, **changes)), draw)
            for draw in (0, 3)
            for b in (0.5, 4.0)
        ]
        alone = [adamix.fit(SMALL, [plan], [seed]).releases[0][0].weights for plan, seed in cells]
        together = [release.weights for release in adamix.fit_cells(SMALL, cells)]
        assert all(np.array_equal(a, b) for a, b in zip(alone, together, strict=True))
    assert len(made) == 2, "the public head of a draw is made once, for all budgets"


# ------------------------------------------------------------------------ Theorem 3, averaged heads


def test_theorem_3_steps_and_average_match_formula():
    changes = dict(adamix.THEOREM) | {"shots": 3, "max_steps": 5, "distance": 4.0}
    plan = adamix.plan(SMALL.sizes, Budget(2.0), settings(**changes))
    event, rho = plan.gaussian("gradients"), plan.guarantee.rho
    task, seen = adamix.prepare(SMALL, plan.params), []
    watch = lambda step: seen.append(step.weights.astype(np.float64))
    found, _ = mixed_gradients.descend(task, event, 0, watch)
    t = np.arange(1, 6)
    average = sum(a * w for a, w in zip(t, seen, strict=True)) * 2 / (5 * 6)
    assert found == pytest.approx(average, abs=1e-5)
    decay = 1.42 * np.sqrt(2 * task.start.numel() / rho) / 4.0
    sizes = mixed_gradients.step_sizes(plan.params, event, task.start.numel())
    assert [sizes(step) for step in range(5)] == [
        pytest.approx((2 / (decay * (1 + k)), decay)) for k in t
    ]


@pytest.mark.parametrize("changes", [{}, {"rank": 0, "clip_mode": "fixed"}, {"centre": "init"}])
def test_theorem_3_steps_require_its_assumptions(changes):
    with pytest.raises(DpvizError, match="theorem-3 needs"):
        adamix.plan(SMALL.sizes, Budget(1.0), settings(step_size="theorem-3", **changes))


def test_former_name_of_a_setting_is_still_accepted():
    assert adamix.METHOD.check({"draw": 7})["shots_draw"] == 7
    assert adamix.METHOD.check({"shots_draw": 7})["shots_draw"] == 7
    assert "draw" not in adamix.METHOD.check({})
