"""The probes and least-squares baselines: values of the papers, closed forms against loops, noise
drawn as planned.
"""

import dataclasses
import math

import numpy as np
import pytest
import torch
from scipy.optimize import brentq

from dpviz import mechanisms, privacy
from dpviz.mechanisms import COARSE
from dpviz.methods import METHODS, dp_fc, dp_ls, global_adapt, projected
from dpviz.methods.components import covariance, public_sets
from dpviz.methods.components.clipped_gradients import Problem
from dpviz.types import Budget, Dataset, DpvizError, unit_rows

RHO_SIMPLE = brentq(lambda rho: privacy.zcdp_epsilon_simple(rho, 1e-5) - 1, 1e-6, 1)
"""rho whose simple conversion is epsilon = 1, as the papers calibrate."""
NO_NOISE = Budget(math.inf)


def make(key, data, budget=NO_NOISE, **params):
    method = METHODS[key]
    return method.plan(data.sizes, budget, method.check(params))


def tiny(x, y, classes=2):
    x, y = np.array(x, np.float32), np.array(y, np.int64)
    return Dataset("tiny", None, x, y, x, y, tuple("abcdefgh"[:classes]), "tiny")


# ------------------------------------------------------------------------------------- Global-Adapt


def test_global_adapt_cost_counts_both_releases(toy):
    params = {"steps": 20, "count_share": 0.2, "clip": 1.0}
    counted = make("global-adapt", toy, Budget(0.5, "zcdp"), **params)
    assert [e.times for e in counted.events.values()] == [1, 20, 20]
    assert counted.guarantee.rho == pytest.approx(0.5, rel=1e-6)
    plan = make("global-adapt", toy, Budget(0.5, "zcdp"), **params, count="public")
    assert [e.sigma for e in plan.events.values()] == pytest.approx([5, 10], rel=1e-6)
    assert plan.guarantee.rho == pytest.approx(0.5, rel=1e-6) and plan.guarantee.notion == "gdp"
    assert {e.times for e in plan.events.values()} == {20}


def scaled(norms, bound, clip):
    """Norms after Global-Adapt's scaling, in units of C."""
    return norms / torch.maximum(norms, global_adapt.divisor(norms, bound, clip))


def test_global_adapt_scales_norms_and_updates_bound():
    norms = torch.tensor([0.5, 1.5, 3.0])
    assert scaled(norms, 2.0, 1.0).tolist() == pytest.approx([0.25, 0.75, 1.0])
    assert global_adapt.next_bound(np.array([2.0]), np.array([1.0]), 3, 0.1)[0] == pytest.approx(
        2.525605, abs=1e-6
    )


@pytest.mark.parametrize("clip", [0.1, 1.0, 5.0])
def test_global_adapt_scaling_matches_paper(clip):
    """f = C/Z up to Z, else min(1, C/norm), record by record, up to the grid."""
    rng, norms = np.random.default_rng(0), []
    head = 3 * rng.normal(size=(1, 3, 2)).astype(np.float32)
    for bound in (0.01, 0.5, 1.0, 100.0):
        params = {"clip": clip, "tau": 1.0}
        for row in rng.normal(size=(20, 2)):
            problem = Problem.from_dataset(tiny([row], [0], 3))
            (block,) = problem.blocks(head)
            norm = float(block.norms[0, 0, 0])
            sums, above = global_adapt.scaled_sums(problem, head, np.array([bound]), params)
            found, f = np.linalg.norm(sums), clip / bound if norm <= bound else min(1, clip / norm)
            assert found <= 1 and found == pytest.approx(f * norm / clip, abs=5 * COARSE)
            assert above[0, 0] == (norm > bound)
            norms.append(norm)
    assert min(norms) < 0.6 and max(norms) > 1.2


def test_global_adapt_bound_stays_in_range(toy):
    plan = make("global-adapt", toy, Budget(1e-4), steps=10)
    bounds = METHODS["global-adapt"].fit(toy, [plan], [0, 1]).trace["bounds"]
    assert (
        bounds.shape == (1, 2, 11)
        and bounds.min() >= global_adapt.SMALLEST
        and bounds.max() <= global_adapt.LARGEST
    )


def test_global_adapt_with_large_bound_is_gradient_descent(toy):
    params = {"steps": 3, "bound": 2.0, "tau": 10.0, "eta": 0.0, "clip": 1.0, "lr": 1.0}
    plan = make("global-adapt", toy, **params, count="public", batch=len(toy.x))
    found = METHODS["global-adapt"].fit(toy, [plan], [0]).releases[0][0].weights
    x, onehot = torch.tensor(unit_rows(toy.x)), torch.eye(toy.classes)[torch.tensor(toy.y)]
    w = torch.zeros(toy.classes, x.shape[1], requires_grad=True)
    for _ in range(3):
        loss = -(onehot * torch.log_softmax(x @ w.T, 1)).sum()
        (gradient,) = torch.autograd.grad(loss, w)
        w = (w - 1 / len(x) * gradient / 2).detach().requires_grad_()
    assert found == pytest.approx(w.detach().numpy(), abs=3 * COARSE / 2)


# ------------------------------------------------------------------------------------ DP-LS and PSD


def test_dp_ls_without_noise_matches_closed_form():
    # rows of norm at most 1 keep their shape here, so the values hold for raw features and R = 1
    x, y = np.array([[1, 0], [0, 1], [1, 1], [2, 0]], np.float32), np.array([0, 0, 1, 1])
    x = mechanisms.contributions(x, 1.0).astype(np.float32)
    data = tiny(x, y)
    plan = make("dp-ls", data, ridge=3e-4, alpha=2.0, clip=1.0)
    weights = METHODS["dp-ls"].fit(data, [plan], [0]).releases[0][0].weights
    printed = np.array([[0.1304308, 0.2173760], [0.2397076, 0.0992902]])
    assert weights == pytest.approx(printed, abs=mechanisms.COARSE / 4)  # features have 12 bits
    rows = mechanisms.unit_rows(x).astype(float)
    every = rows.T @ rows
    for c in range(2):
        own = rows[y == c]
        matrix = own.T @ own + 2.0 * every + 3e-4 * np.eye(2)
        assert weights[c] == pytest.approx(np.linalg.solve(matrix, own.sum(axis=0)), abs=1e-6)


MULTIPLIERS = [
    ("dp-ls", {}, 8.488011),
    ("dp-fc", {"steps": 10}, 16.253303),
    ("dp-newton", {"steps": 10}, 21.915949),
]


@pytest.mark.parametrize("key, params, expected", MULTIPLIERS)
def test_noise_multipliers_are_equal(toy, key, params, expected):
    plan = make(key, toy, Budget(RHO_SIMPLE, "zcdp"), **params)
    assert [e.sigma / e.sensitivity for e in plan.events.values()] == pytest.approx(
        [expected] * len(plan.events), rel=1e-6
    )
    assert plan.guarantee.rho == pytest.approx(RHO_SIMPLE, rel=1e-6)


@pytest.mark.parametrize(
    "key, rho", [("dp-ls", 1e4), ("dp-newton", 1e4), ("dp-fc", 1e4), ("global-adapt", 10.0)]
)
def test_smaller_planned_noise_gives_smaller_fitted_noise(toy, key, rho):
    clean = METHODS[key].fit(toy, [make(key, toy)], [0]).releases[0][0].weights
    plan = make(key, toy, Budget(rho, "zcdp"))
    tenth = {name: dataclasses.replace(e, sigma=e.sigma / 10) for name, e in plan.events.items()}
    plans = plan, dataclasses.replace(plan, events=tenth)
    off = [
        np.abs(METHODS[key].fit(toy, [p], [0]).releases[0][0].weights - clean).max() for p in plans
    ]
    assert 0 < off[1] < 0.5 * off[0]


def test_symmetric_noise_covers_change_of_stated_norm():
    lower = np.stack([packed_noise(seed, 8) for seed in range(4000)])
    draws = lower + np.tril(lower, -1).transpose(0, 2, 1)
    variance = draws.var(axis=0)
    # 36 variances from 4,000 normal draws: one beyond 6 sd (0.134) is a false alarm in under 1e-7
    # of runs
    assert np.abs(variance[np.eye(8, dtype=bool)] - 1).max() < 0.15
    assert np.abs(variance[~np.eye(8, dtype=bool)] - 0.5).max() < 0.075
    # in the direction of any symmetric matrix of Frobenius norm 1 the noise has variance 1
    change = np.outer(*[np.array([3, 4, 0, 0, 0, 0, 0, 0]) / 5] * 2)
    assert np.tensordot(draws, change).var() == pytest.approx(1, abs=0.15)


def packed_noise(seed, d):
    """A symmetric noise as the lower triangle (d, d)."""
    return mechanisms.unpack_lower(mechanisms.packed_symmetric(seed, "test", d).values, d)


def test_psd_projection_is_nearest_matrix():
    rng = np.random.default_rng(0)
    matrix = (lambda a: a + a.T)(rng.normal(size=(6, 6)))
    near = covariance.project_psd(matrix)
    assert np.linalg.eigvalsh(near).min() > -1e-12
    assert abs(np.tensordot(near - matrix, near, 2)) < 1e-4
    spd = matrix @ matrix
    assert np.allclose(covariance.project_psd(spd), spd, atol=1e-4)


@pytest.mark.parametrize("rho, most", [(math.inf, 1e-9), (0.1, 0.05)])
def test_dp_ls_with_shared_moments_is_as_accurate(monkeypatch, toy, rho, most):
    """Equal without noise; no worse with it. Seeds are fixed, so a repeated run cannot differ."""
    solved, solve = [], covariance.solve_definite
    monkeypatch.setattr(
        dp_ls,
        "solve_definite",
        lambda matrix, right: solved.append(matrix.copy()) or solve(matrix, right),
    )

    def right(way):
        (row,) = (
            METHODS["dp-ls"]
            .fit(toy, [make("dp-ls", toy, Budget(rho, "zcdp"), project=way)], list(range(10)))
            .releases
        )
        return np.mean([release.predict(toy.x_test) == toy.y_test for release in row])

    shared, every = right("shared"), right("all")
    assert shared == pytest.approx(every, abs=most) and shared > 0.9
    assert len(solved) == 2 * 10 * toy.classes
    for matrix in solved:  # the solver reads the lower triangle only
        assert not np.triu(matrix, 1).any() and np.tril(matrix, -1).any()


def test_dp_ls_projects_class_when_noise_exceeds_ridge(monkeypatch, toy):
    projected_of = {}
    for way in ("shared", "all"):
        for noise_ridge in (0.0, 2.0):
            calls = []
            monkeypatch.setattr(
                dp_ls,
                "project_psd",
                lambda m, calls=calls: calls.append(1) or covariance.project_psd(m),
            )
            plan = make("dp-ls", toy, Budget(0.01, "zcdp"), project=way, noise_ridge=noise_ridge)
            weights = METHODS["dp-ls"].fit(toy, [plan], [0]).releases[0][0].weights
            assert np.isfinite(weights).all()
            projected_of[way, noise_ridge] = len(calls)
    every = 1 + toy.classes  # the moments of all classes and each class's own
    assert (
        projected_of["all", 0.0] == projected_of["all", 2.0] == projected_of["shared", 0.0] == every
    )
    assert projected_of["shared", 2.0] == 1


def test_packed_symmetric_matrices_unpack_and_solve_correctly():
    lower = packed_noise(3, 7)
    packed = mechanisms.pack_lower(lower)
    noise = covariance.whole(packed, 7)
    assert np.array_equal(noise, noise.T) and np.array_equal(np.tril(noise), lower)
    assert np.array_equal(packed[mechanisms.packed_diagonal(7)], np.diag(noise))
    assert np.allclose(covariance.project_psd(lower), covariance.project_psd(noise))
    right = np.arange(7.0)
    found = covariance.solve_definite(lower + 9 * np.eye(7), right)
    assert found == pytest.approx(np.linalg.solve(noise + 9 * np.eye(7), right))
    assert covariance.solve_definite(lower - 9 * np.eye(7), right) is None
    assert covariance.shrunk(covariance.eigen(lower, np.float64), 9.0, right[None])[
        0
    ] == pytest.approx(
        np.linalg.solve(covariance.project_psd(noise) + 9 * np.eye(7), right), abs=1e-5
    )


@pytest.mark.parametrize(
    "key, each",
    [
        ("dp-ls", {"all moments": 1, "class moments": 4, "class sums": 4}),
        ("dp-newton", {"hessians": 8, "gradients": 8}),
        ("dp-fc", {"moments": 1, "gradients": 8}),
    ],
)
def test_class_noise_is_independent(toy, key, each):
    """Every class and step has a noise of its own; 0.2.0's audits let one pass for all classes."""
    plan, noises = make(key, toy, Budget(1.0), **{"steps": 2} if key != "dp-ls" else {}), []

    def seen(name, noise):
        noises.append((name, noise.label, noise.values))
        return noise

    with mechanisms.watched(plan.draws, seen):
        METHODS[key].fit(toy, [plan], [0])
    assert len({label for _, label, _ in noises}) == len(noises)
    for name, count in each.items():
        own = [values for event, _, values in noises if event == name]
        assert len(own) == count == len(np.unique(np.stack(own)[:, 0]))


def test_empty_class_has_own_noise_in_dp_ls(toy):
    data = tiny(np.eye(3), [0, 1, 1], classes=4)
    plan = make("dp-ls", data, Budget(1.0))
    weights = METHODS["dp-ls"].fit(data, [plan], [0]).releases[0][0].weights
    assert np.isfinite(weights).all() and not np.allclose(weights[2], weights[3])


# --------------------------------------------------------------------------------- Newton and DP-FC


def test_newton_without_noise_matches_autograd():
    rng = np.random.default_rng(1)
    data = tiny(rng.normal(size=(30, 4)), rng.integers(0, 3, 30), classes=3)
    plan = make("dp-newton", data, steps=2, lr=0.5, ridge=0.1, clip=0.7)
    found = METHODS["dp-newton"].fit(data, [plan], [0]).releases[0][0].weights
    x = 0.7 * torch.tensor(mechanisms.unit_rows(data.x)).double()
    for c in range(3):
        label, w = torch.from_numpy(data.y == c).double(), torch.zeros(4, dtype=torch.float64)

        def loss(w, label=label):
            return torch.nn.functional.binary_cross_entropy_with_logits(
                x @ w, label, reduction="sum"
            )

        for _ in range(2):
            gradient = torch.autograd.functional.jacobian(loss, w)
            hessian = torch.autograd.functional.hessian(loss, w) + 0.1 * 0.49 * torch.eye(
                4, dtype=torch.float64
            )
            w = w - 0.5 * torch.linalg.solve(hessian, gradient)
        # curvatures have 10 bits and residuals 12: a few thousandths of a number of them, averaged
        assert found[c] == pytest.approx(w.numpy(), rel=1e-3, abs=1e-4)
        assert found[c] != pytest.approx(1.01 * w.numpy(), rel=1e-3, abs=1e-4)


def test_newton_sensitivities_hold_for_one_record(toy):
    plan = make("dp-newton", toy, clip=0.5)
    x = np.full(toy.x.shape[1], 0.5 / math.sqrt(toy.x.shape[1]))
    worst_gradients = [x] * toy.classes  # |p - y| is at most 1 in every binary problem
    worst_hessians = [np.outer(x, x) / 4] * toy.classes
    assert np.linalg.norm(worst_gradients) <= plan.events["gradients"].sensitivity * (1 + 1e-9)
    assert np.linalg.norm(worst_hessians) <= plan.events["hessians"].sensitivity * (1 + 1e-9)


@pytest.mark.parametrize("clip", [1.0, 0.05])
def test_fc_clipped_gradient_matches_a_loop(clip):
    rng = np.random.default_rng(2)
    rows = mechanisms.unit_rows(rng.normal(size=(20, 5)).astype(np.float32))
    x, y = torch.tensor(rows), rng.integers(0, 3, 20)
    onehot = torch.eye(3)[torch.from_numpy(y)]
    # weights that the exact product leaves as they are
    w = torch.from_numpy(np.round(rng.normal(size=(3, 5)) * 40) / 8)
    total = torch.zeros(3, 5)
    for i in range(20):
        leaf = w.float().clone().requires_grad_()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(
            x[i] @ leaf.T + dp_fc.BIAS, onehot[i]
        )
        (gradient,) = torch.autograd.grad(loss, leaf)
        total += gradient * min(1.0, clip / float(gradient.norm()))
    residual = dp_fc.clipped_residuals(x, onehot, w.numpy(), clip)
    found = clip * covariance.outer_sum(residual, x.numpy())
    # each number of a residual is rounded by at most half a step, and of each row of features too
    assert np.abs(found - total.numpy()).max() < 20 * clip * mechanisms.COARSE
    assert np.abs(found - total.numpy() / 1.1).max() > 20 * clip * mechanisms.COARSE


# --------------------------------------------------------------------------------------- projection


@pytest.mark.parametrize(
    "key, base", [("dppl-mean-projected", "dppl-mean"), ("dppl-public-projected", "dppl-public")]
)
def test_projection_composes_exactly(toy, key, base):
    plan = make(key, toy, Budget(1.0), width=5)
    release = METHODS[key].fit(toy, [plan], [3]).releases[0][0]
    matrix = projected.projection(toy.x_public, toy.y_public, 5, plan.params["episodes"])
    small = dataclasses.replace(
        toy,
        x=unit_rows(toy.x) @ matrix,
        public_rows=unit_rows(toy.x_public) @ matrix,
        fingerprint="small",
    )
    inner = METHODS[base].fit(small, [make(base, small, Budget(1.0))], [3]).releases[0][0]
    assert release.weights.shape == (toy.classes, toy.x.shape[1])
    assert np.array_equal(
        release.predict(toy.x_test), inner.predict(unit_rows(toy.x_test) @ matrix)
    )


def test_projection_is_free_and_lists_public_inputs(toy):
    plan = make("dppl-mean-projected", toy, Budget(0.5, "zcdp"))
    assert plan.guarantee.rho == make("dppl-mean", toy, Budget(0.5, "zcdp")).guarantee.rho
    assert "labels" in plan.guarantee.public and plan.method == "dppl-mean-projected"


def test_projection_is_deterministic_and_reads_no_private_record(toy):
    matrix = projected.projection(toy.x_public, toy.y_public, 4, 20)
    projected._maps.cache_clear()
    again = projected.projection(toy.x_public, toy.y_public, 4, 20)
    assert (
        np.array_equal(matrix, again)
        and matrix.shape == (toy.x.shape[1], 4)
        and not matrix.flags.writeable
    )


def test_episodes_lower_their_own_loss(toy):
    x = torch.from_numpy(unit_rows(toy.x_public))
    members = [np.flatnonzero(toy.y_public == c) for c in range(toy.classes)]
    losses = []
    for episodes in (0, 200):
        matrix = torch.tensor(projected.projection(toy.x_public, toy.y_public, 4, episodes))
        rng = np.random.default_rng(5)
        losses.append(
            np.mean(
                [
                    float(projected.episode_loss(matrix, *projected._episode(x, members, rng)))
                    for _ in range(20)
                ]
            )
        )
    assert losses[1] < losses[0]


@pytest.mark.parametrize("public", [4, 9])
def test_unlabeled_projection_clusters_even_tiny_public_sets(toy, public):
    data = dataclasses.replace(toy, public_rows=toy.x_public[:public], y_public=None)
    release = (
        METHODS["dppl-mean-projected"]
        .fit(data, [make("dppl-mean-projected", data, Budget(1.0))], [0])
        .releases[0][0]
    )
    assert np.isfinite(release.weights).all()
    with pytest.raises(DpvizError, match=r"\.$"):
        make("dppl-mean-projected", dataclasses.replace(data, public_rows=toy.x_public[:3]))


def test_clusters_find_well_separated_groups(toy):
    found = public_sets.cluster(unit_rows(toy.x_public), toy.classes)
    purity = sum(np.bincount(toy.y_public[found == g]).max() for g in np.unique(found)) / len(found)
    assert purity > 0.7
    assert np.array_equal(found, public_sets.cluster(unit_rows(toy.x_public), toy.classes))


def test_logistic_regression_learns_a_single_class():
    data = tiny([[1, 0], [0, 1]], [1, 1], classes=3)
    method = METHODS["logistic"]
    rule = method.fit(data, [make("logistic", data)], [0]).releases[0][0]
    assert rule.labels(np.eye(2, dtype=np.float32)).tolist() == [1, 1]
