"""Neural-collapse measures and the exact one-step error, against known values and simulation.

The simulations compare a mean over noise seeds with the exact value at 3 standard errors. Numbers
of seeds follow from 300 seeds with noise of 0.8 or 1.25 times the deviation: where the mean then
lies z standard errors off, scaled to 2000 seeds, 2000 (6.1 / z)^2 catch it with probability 0.999.
z was 5.7 to 7.4 at worst for the two-class sets without a shift, which keep 2000. Seeds are fixed,
so a pass is final; with fresh seeds each comparison would raise a false alarm 0.27% of the time.
"""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from dpviz import data as data_package
from dpviz import methods, privacy
from dpviz.diagnostics import collapse_measures
from dpviz.types import Budget, Dataset, unit_rows
from tests.kit.toys import toy_data


def mirrored():
    x = np.array([(1, 0), (1.2, 0), (0.8, 0)], np.float32)
    x, y = np.concatenate([x, -x]), np.repeat([0, 1], 3)
    return Dataset("six", None, x, y, x, y, ("a", "b"), "six")


def test_known_values_are_reproduced():
    assert collapse_measures.binary_error(10, 0.02) == pytest.approx(0.0227501, abs=1e-7)
    found = collapse_measures.measure(mirrored(), unit=False)
    assert found.nc1 == pytest.approx(0.0133333, abs=1e-7) and found.beta.max() == pytest.approx(
        0.2, abs=1e-6
    )
    assert (
        found.cosines[0, 1] == pytest.approx(-1)
        and found.off_diagonal == pytest.approx([-1])
        and found.corner == -1
    )
    assert found.nc2 == pytest.approx(0) and found.nc2_angle == pytest.approx(0)
    assert found.nearest_class == pytest.approx(2)  # from mean (1, 0) to (-1, 0)


def test_nc1_equals_trace_with_pseudoinverse():
    data = toy_data()
    x = unit_rows(data.x)
    means = collapse_measures.class_means(x, data.y, data.classes)
    centred = means - means.mean(axis=0)
    within, between = (rows.T @ rows / len(rows) for rows in (x - means[data.y], centred))
    direct = np.trace(within @ np.linalg.pinv(between, rcond=1e-8)) / data.classes
    assert collapse_measures.measure(data).nc1 == pytest.approx(direct, rel=1e-4)


def test_measures_match_perfect_and_shifted_frames():
    perfect = collapse_measures.measure(data_package.load("etf:dim=64,n=500,beta=0", None))
    assert max(perfect.beta.max(), perfect.nc1, perfect.nc2, perfect.nc2_angle) < 1e-5
    assert (
        perfect.cosines == pytest.approx(np.where(np.eye(10), 1, -1 / 9), abs=1e-5)
        and perfect.p == 64
    )
    off = data_package.load("etf:dim=64,n=500,beta=0,offset=0.1", None)
    found = collapse_measures.measure(off, unit=False)
    assert found.off_diagonal == pytest.approx(-1 / 9, abs=1e-5), (
        "an offset goes with the global mean"
    )
    assert found.raw[0, 1] > 0, "and is seen where the mean is left in: centre first"
    shifted = collapse_measures.measure(
        data_package.load("etf:dim=64,n=20000,beta=0.1", None), unit=False
    )
    assert shifted.typical == pytest.approx(0.1, rel=0.1) and shifted.beta2p == pytest.approx(
        shifted.typical**2 * 64
    )


def test_record_shift_is_distance_to_own_class_mean():
    data = toy_data()
    x = unit_rows(data.x)
    by_hand = [
        np.abs(row - x[data.y == c].mean(axis=0)).max() for row, c in zip(x, data.y, strict=True)
    ]
    assert collapse_measures.measure(data).beta == pytest.approx(by_hand, abs=1e-6)


def test_nc3_compares_directions_not_lengths():
    means = np.random.default_rng(0).normal(size=(4, 9))
    assert collapse_measures.nc3(means, 7 * means + 3) == pytest.approx(
        0, abs=1e-12
    ) and collapse_measures.nc3(means, -means) == pytest.approx(2)


# ----------------------------------------------------------------------------------------- one step


def simulated(name, rho, runs, noise=1.0):
    """Test errors, mean over classes, of one-step fits; ``noise`` scales what the plan draws."""
    data = data_package.load(name, None)
    method, clip = methods.get("noisy-gd"), math.sqrt(1 - 1 / data.classes)
    params = method.check({"steps": 1, "clip": clip, "count": "public"})
    plan = method.plan(data.sizes, Budget(rho * noise**-2, "zcdp"), params)
    assert privacy.event_rho(plan.events["gradients"]) == pytest.approx(rho * noise**-2)
    releases = method.fit(data, [plan], list(range(runs))).releases[0]
    rows = [np.flatnonzero(data.y_test == c) for c in range(data.classes)]
    wrong = [
        np.mean([np.mean(r.predict(data.x_test[mine]) != c) for c, mine in enumerate(rows)])
        for r in releases
    ]
    return (
        np.mean(wrong),
        np.std(wrong, ddof=1) / math.sqrt(runs),
        collapse_measures.one_step_error(data, math.sqrt(2 * rho)),
    )


CASES = [
    ("etf:classes=2,dim=2,n=10,beta=0", 0.02, 2000),
    ("etf:classes=2,dim=60,n=10,beta=0", 0.02, 2000),
    ("etf:classes=2,dim=64,n=40,beta=0.2,alpha=0.3", 0.002, 1000),
    ("etf:classes=5,dim=64,n=100,beta=0.1,test=stochastic", 0.005, 200),
    ("etf:classes=10,dim=30,n=200,beta=0.05,offset=0.1,alpha=0.7", 0.002, 300),
]


@pytest.mark.parametrize(("name", "rho", "runs"), CASES)
def test_exact_error_matches_simulation(name, rho, runs):
    mean, error, exact = simulated(name, rho, runs)
    assert abs(mean - exact) <= 3 * error
    if "beta=0" in name.split(",") and "classes=2" in name:
        assert exact == pytest.approx(collapse_measures.binary_error(10, rho), rel=1e-4), (
            "whatever the dimension"
        )


FRAMES = [(3, 30, 0.01, 1000), (10, 100, 0.02, 200), (3, 60, 0.001, 1000)]


@pytest.mark.parametrize(("classes", "n", "rho", "runs"), FRAMES)
def test_exact_error_of_collapsed_classes_matches_simulation(classes, n, rho, runs):
    mean, error, on_data = simulated(f"etf:classes={classes},dim=20,n={n},beta=0", rho, runs)
    exact = collapse_measures.frame_error([n / classes] * classes, rho)
    assert 0.01 < exact < 0.9 and abs(mean - exact) <= 3 * error
    assert exact == pytest.approx(on_data, rel=1e-4)


def test_exact_error_of_unequal_classes_matches_simulation():
    sizes, rho, draws = np.array([5, 10, 30, 15]), 0.005, 200_000
    frame = np.where(np.eye(4, dtype=bool), 1.0, -1 / 3)
    head = sizes[:, None] * frame - (sizes @ frame) / 4
    noise = np.random.default_rng(0).normal(0, math.sqrt(0.75 / (2 * rho)), (draws, 4))
    wrong = np.array([(head[:, k] + noise).argmax(axis=1) != k for k in range(4)])
    spread = np.sqrt((wrong.mean(axis=1) * (1 - wrong.mean(axis=1)) / draws).sum()) / 4
    exact = collapse_measures.frame_error(sizes.tolist(), rho)
    assert abs(wrong.mean() - exact) <= 3 * max(spread, 1e-4)


@pytest.mark.parametrize("classes", [3, 10, 100])
@pytest.mark.parametrize("gap", [0.3, 2.0, 5.0])
def test_equal_class_error_matches_single_integral(classes, gap):
    rho = (1 - 1 / classes) / 2  # noise of deviation 1
    density = lambda z: stats.norm.pdf(z) * stats.norm.cdf(z + gap) ** (classes - 1)
    right = integrate.quad(density, -12, 12, epsabs=1e-13, epsrel=1e-12, limit=200)[0]
    found = collapse_measures.frame_error([gap * (classes - 1) / classes] * classes, rho)
    assert found == pytest.approx(1 - right, abs=1e-6)


def test_two_class_error_matches_closed_form():
    assert collapse_measures.frame_error([5, 5], 0.02) == pytest.approx(
        collapse_measures.binary_error(10, 0.02), rel=1e-12
    )


def test_records_needed_are_minimal_for_equal_classes():
    for classes in (2, 3, 10):
        n = collapse_measures.records_needed(classes, 0.01, 0.02)
        each = n // classes
        assert each * classes == n
        assert collapse_measures.frame_error([each] * classes, 0.02) <= 0.01
        assert collapse_measures.frame_error([each - 1] * classes, 0.02) > 0.01
    assert collapse_measures.records_needed(3, 0.0, 1e-30) is None


@pytest.mark.parametrize("noise", [0.8, 1.25])
@pytest.mark.parametrize(("name", "rho", "runs"), [CASES[0], CASES[3], CASES[4]])
def test_error_with_other_noise_differs_significantly(name, rho, runs, noise):
    mean, error, exact = simulated(name, rho, runs, noise)
    assert abs(mean - exact) > 3 * error


def test_printed_bound_fails_and_halved_bound_holds():
    z = np.linspace(0.1, 6, 60)
    exact = np.array([collapse_measures.binary_error(v, 0.5) for v in z])
    printed, halved = (
        np.array([bound(v, 0.5) for v in z])
        for bound in (collapse_measures.printed_bound, collapse_measures.halved_bound)
    )
    assert (printed < exact).any() and z[printed < exact].min() == pytest.approx(1.8, abs=0.3)
    assert (halved >= exact).all()
    assert (
        collapse_measures.printed_bound(10, 0.02) == pytest.approx(math.exp(-4))
        and math.exp(-4) < 0.0227501
    )


def test_two_class_integral_is_normal_distribution():
    means = np.array([[0.0, 1.5], [2.0, -1.0]])
    pair = collapse_measures._wins(means, np.array([0, 1]))
    padded = collapse_measures._wins(np.column_stack([means, [-60, -60]]), np.array([0, 1]))
    assert padded == pytest.approx(pair, rel=1e-6)


def test_nc4_is_share_misclassified_versus_nearest_mean():
    means = np.array([[1.0, 0.0], [0.0, 1.0]])
    x = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.5], [0.1, 0.2]])
    assert collapse_measures.nc4(x, np.array([0, 1, 0, 1]), means) == 0
    assert collapse_measures.nc4(x, np.array([0, 0, 0, 1]), means) == 0.25


def test_noise_shift_is_median_of_largest_coordinate():
    noise = np.random.default_rng(0).normal(0, 1 / (0.5 * 40), (4001, 16))
    simulated = np.median(np.abs(noise).max(axis=1))
    assert collapse_measures.noise_shift(0.5, 40, 16) == pytest.approx(simulated, rel=0.03)
