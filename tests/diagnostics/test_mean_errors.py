"""Diagnostics of class means: values that are known, parts that add up, and numbers equal to the
runs'.
"""

import base64
import dataclasses
import math

import numpy as np
import pytest

from dpviz.diagnostics import coinpress_steps, mean_errors
from dpviz.experiments import experiment
from dpviz.methods import dppl_mean
from dpviz.plots.coinpress import CoinpressRadii, CoinpressStep
from dpviz.plots.comparisons import Forms
from dpviz.plots.mean_maps import MeansMap
from dpviz.plots.settings import Pooling
from dpviz.types import Budget, Dataset, DpvizError, Guarantee, Result, RunSpec, Scores
from dpviz.ui.dp_means import coinpress
from tests.kit.toys import toy_data

PARAMS = dppl_mean.METHOD.check({})


@pytest.fixture
def spec(tmp_path):
    """A run on a file of toy features at IR 5."""
    data = toy_data(per_class=40)
    arrays = {
        "X_train": data.x,
        "y_train": data.y,
        "X_test": data.x_test,
        "y_test": data.y_test,
        "X_public": data.x_public,
    }
    arrays["y_public"] = data.y_public
    np.savez(tmp_path / "toy.npz", **arrays)
    return RunSpec(
        str(tmp_path / "toy.npz"),
        None,
        "dppl-mean",
        Budget(1.0),
        ir=5.0,
        params=tuple(PARAMS.items()),
    )


def with_form(spec, form):
    return dataclasses.replace(spec, params=tuple((PARAMS | {"form": form}).items()))


def plan(rho=0.5):
    sizes = dataclasses.replace(toy_data(per_class=2).sizes, public=1)
    return dppl_mean.plan(sizes, Budget(rho, "zcdp"), PARAMS | {"form": "coinpress"})


# ---------------------------------------------------------------------------------------- CoinPress


def test_converging_and_diverging_schedules_have_known_values():
    good = coinpress_steps.schedule(64, 500, plan())
    assert [s.clip for s in good.steps] == pytest.approx(
        [14.817078, 11.228566, 10.892251], abs=1e-5
    )
    assert [s.sd for s in good.steps] == pytest.approx(
        [0.21204476, 0.13580796, 0.04833547], rel=1e-6
    )
    assert coinpress_steps.judge(good).kind == "converges"
    bad = coinpress_steps.schedule(1280, 50, plan())
    assert bad.radii[1:3] == pytest.approx([294.66, 1378.49], abs=0.01)
    verdict = coinpress_steps.judge(bad)
    assert (
        verdict.diverges
        and verdict.kind == "few"
        and "1280 dimensions" in verdict.reason
        and "r = 35.8" in verdict.reason
    )


def test_limits_for_any_start_and_for_this_start_are_both_named():
    least = math.floor(coinpress_steps.schedule(64, 1, plan()).steps[0].needed)
    wide = coinpress_steps.schedule(1280, 1, plan()).steps[0].needed
    verdict = coinpress_steps.judge(coinpress_steps.schedule(1280, 50, plan()))
    assert f"needs more than {math.floor(wide):,} records" in verdict.reason
    tight = [coinpress_steps.schedule(64, n, plan(), 0.01) for n in (least, 2 * least)]
    assert coinpress.needed_text(tight) == (
        f"If a class has at most {least} images, its radius grows in step 1, whatever the start"
        f" radius. From this start radius, the radius also grows in step 1 for larger classes, here"
        f" with up to {2 * least} images."
    )
    assert "From this" not in coinpress.needed_text([coinpress_steps.schedule(64, 500, plan())])


@pytest.mark.parametrize("d", [4, 64, 1280])
def test_too_few_records_grow_radius_enough_shrink_it(
    d,
):
    needed = coinpress_steps.schedule(d, 1, plan()).steps[0].needed
    for start in (0.01, 1, 100, 1e4):
        assert coinpress_steps.schedule(d, math.floor(needed), plan(), start).steps[0].grows
    assert not coinpress_steps.schedule(d, 2 * math.ceil(needed), plan(), 1e4).steps[0].grows


def test_other_divergence_reasons_are_identified():
    loose = coinpress_steps.judge(coinpress_steps.schedule(64, 500, plan(), 1000))
    assert loose.kind == "loose" and "start radius too large" in loose.reason and not loose.diverges
    tight = coinpress_steps.judge(coinpress_steps.schedule(64, 500, plan(), 0.001))
    assert tight.kind == "tight" and "too small for 500 records" in tight.reason
    recovers = coinpress_steps.judge(coinpress_steps.schedule(64, 110, plan()))
    assert recovers.kind == "recovers" and not recovers.diverges


def test_coinpress_steps_match_method_run(spec):
    spec = with_form(spec, "coinpress")
    fitted = dppl_mean.fit(experiment.prepared(spec), [experiment.planned(spec)], [spec.seed]).trace
    for c, (run, walk) in enumerate(coinpress_steps.by_class(spec)):
        assert [m.norm for m in walk] == pytest.approx(fitted["norms"][0, 0, c], rel=1e-5)
        assert [m.clipped for m in walk] == pytest.approx(fitted["clipped"][0, 0, c])
        assert walk == coinpress_steps.by_budget(spec, (spec.budget,), c)[0][1]
        assert len(walk[0].records) == min(run.n, coinpress_steps.MAX_DRAWN_RECORDS)


# -------------------------------------------------------------------------------------------- parts


def result(per_class, counts=(9, 4)):
    promise = Guarantee("gdp", 1.0, 1e-5, "", "", 1.0, 0.5, "")
    return Result(
        RunSpec("x", None, "dppl-mean", Budget(1.0)),
        Scores(0, 0, 0, tuple(per_class)),
        promise,
        (1,),
        counts,
        0.0,
        {},
    )


def test_error_parts_add_up_to_total():
    rows = mean_errors.error_parts(
        result((0.9, 0.8)),
        result((0.95, 0.6)),
        result((0.9, 0.5)),
        [result((0.7, 0.1)), result((0.8, 0.3))],
    )
    small = rows[1]
    assert (small.base, small.sampling, small.clipping, small.noise) == pytest.approx(
        (0.2, 0.2, 0.1, 0.3)
    )
    assert small.total == pytest.approx(0.8) and rows[0].sampling == pytest.approx(-0.05)
    for row in rows:
        assert row.base + row.sampling + row.clipping + row.noise == pytest.approx(
            row.total, abs=1e-12
        )


# ----------------------------------------------------------------------------- angles, map, pooling


def test_angles_of_known_vectors():
    a = np.array([[1.0, 0], [1, 0], [2, 0]])
    assert mean_errors.angles(a, np.array([[0, 3.0], [1, 1], [5, 0]])) == pytest.approx(
        [90, 45, 0], abs=1e-5
    )


@pytest.mark.parametrize("form", dppl_mean.SOURCES)
def test_noise_turns_small_classes_more_with_planned_length(spec, form):
    spec = dataclasses.replace(
        with_form(spec, form), budget=Budget(100.0 if form == "coinpress" else 1.0)
    )
    turned = sorted(mean_errors.turns(spec, (0, 1, 2, 3)), key=lambda t: t.n)
    assert turned[0].ratio > turned[-1].ratio and turned[0].angle > turned[-1].angle
    quiet = mean_errors.turns(dataclasses.replace(spec, budget=Budget(math.inf)), (0,))
    assert max(t.angle for t in quiet) < 1e-3 and max(t.ratio for t in quiet) == 0


def test_printed_form_has_twice_the_sum_noise(spec):
    data = experiment.prepared(spec)
    lengths = [
        mean_errors.noise_lengths(data, experiment.planned(with_form(spec, f)))
        for f in ("sum", "printed")
    ]
    sigma = experiment.planned(spec).events["sum"].sigma
    assert lengths[0] == pytest.approx(sigma * math.sqrt(12) / np.array(data.counts))
    assert lengths[1] == pytest.approx(2 * lengths[0])


@pytest.mark.parametrize("form", dppl_mean.SOURCES)
def test_map_accuracy_matches_runs(spec, form):
    spec = with_form(spec, form)
    budgets = (Budget(0.5), Budget(3.0))
    drawn = mean_errors.means_map(spec, budgets)
    expected = experiment.sweep([dataclasses.replace(spec, budget=b) for b in budgets])
    assert list(drawn.scores) == [r.scores for r in expected]
    assert 1 - len(drawn.wrong[1]) / len(drawn.points) == pytest.approx(expected[1].scores.overall)
    assert drawn.private.shape == (2, 4, 2) and 0 < drawn.share <= 1


def test_plane_uses_public_data_only(spec):
    data = experiment.prepared(spec)
    other = dataclasses.replace(data, x=data.x[::-1] * 2, x_test=data.x_test + 1)
    for a, b in zip(mean_errors.plane(data), mean_errors.plane(other), strict=True):
        assert np.array_equal(a, b)
    axes = mean_errors.plane(data)[1]
    assert axes @ axes.T == pytest.approx(np.eye(2), abs=1e-9)
    assert mean_errors.means_map(without_public(spec), (Budget(1.0),)) is None


@pytest.mark.parametrize("tests", [20, 21])
def test_map_of_one_dimensional_features_is_a_line(spec, tests):
    data = experiment.prepared(dataclasses.replace(spec, ir=1.0))
    kept = np.linspace(0, len(data.x_test) - 1, tests).astype(int)
    np.savez(
        spec.dataset,
        X_train=data.x[:, :1] - 1,
        y_train=data.y,
        X_test=data.x_test[kept, :1] - 1,
        y_test=data.y_test[kept],
        X_public=data.x_public[:, :1] - 1,
        y_public=data.y_public,
    )
    drawn = mean_errors.means_map(spec, (Budget(0.5), Budget(1.0)))
    assert drawn.points.shape == (tests, 2) and drawn.private.shape == (2, 4, 2)
    assert not drawn.points[:, 1].any() and np.ptp(drawn.points[:, 0]) == pytest.approx(2)
    chart = MeansMap.from_map(
        drawn, data.class_names, ((0.5, 3),) * 2, "balanced", "approx", 1e-5, 0
    )
    figure = chart.figure(1.0).to_dict()
    x = np.frombuffer(base64.b64decode(figure["data"][0]["x"]["bdata"]), np.float32)
    assert np.array_equal(x, drawn.points[:, 0])
    low, high = figure["layout"]["yaxis"]["range"]
    assert low < 0 < high
    assert len(chart.table(1.0)) == 4


@pytest.mark.parametrize("rows", [1, 2, 3, 20])
def test_low_variance_wide_features_have_a_plane(rows):
    toy = toy_data()

    def plane(x, mark):
        arrays = toy.x, toy.y, toy.x_test, toy.y_test
        public = x, None, mark
        return mean_errors.plane(Dataset("toy", None, *arrays, toy.class_names, mark, *public))

    x = np.zeros((rows, 4000), np.float32)
    centre, axes, share = plane(x, f"zeros {rows}")
    assert axes.shape == (2, 4000) and not centre.any() and share == 0
    x = x.copy()
    x[:, 0], x[::2, 1] = 1, 1
    axes, share = plane(x, f"ones {rows}")[1:]
    assert share == pytest.approx(float(rows > 1))
    if rows > 1:
        assert abs(axes[0, :2]) == pytest.approx(np.array([0.38268, 0.92388]), abs=1e-4)


def without_public(spec):
    data = experiment.prepared(spec)
    path = spec.dataset.replace("toy", "bare")
    np.savez(path, X_train=data.x, y_train=data.y, X_test=data.x_test, y_test=data.y_test)
    return dataclasses.replace(spec, dataset=path, ir=1.0)


def test_pooling_matches_run_accuracy_and_planned_noise(spec):
    data = experiment.prepared(spec)
    rows = mean_errors.pooling(data, spec, (1, 4), (0, 1))
    for row in rows:
        runs = [
            dataclasses.replace(spec, seed=s, params=tuple((PARAMS | {"k_pool": row.k}).items()))
            for s in (0, 1)
        ]
        assert list(row.noisy) == [r.scores for r in experiment.sweep(runs)]
    assert rows[0].noise == pytest.approx(4 * rows[1].noise), "r sqrt(d) / (k mu n)"
    assert rows[0].ratio == pytest.approx(
        np.median(
            mean_errors.noise_lengths(data, experiment.planned(spec))
            / np.linalg.norm(mean_errors.exact_means(data), axis=1)
        )
    )
    assert mean_errors.pool_sizes(12, 3) == (1, 2, 3, 4, 8) and mean_errors.pool_sizes(1280, 1) == (
        1,
        2,
        4,
        8,
        16,
        32,
        64,
    )


def test_rehearsal_reads_only_public_records(spec):
    data = experiment.prepared(spec)
    stage = mean_errors.rehearsal(data, 12, 4)
    other = mean_errors.rehearsal(
        dataclasses.replace(data, x=data.x + 5, x_test=data.x_test + 5), 12, 4
    )
    assert np.array_equal(stage.x, other.x) and np.array_equal(stage.x_test, other.x_test)
    assert sorted(stage.counts, reverse=True)[0] == 12 and min(stage.counts) == 3
    asked, played = ({row.tobytes() for row in x} for x in (stage.x_test, stage.x))
    assert not asked & played and asked | played <= {row.tobytes() for row in data.x_public}
    with pytest.raises(DpvizError, match="needs a public set"):
        mean_errors.rehearsal(experiment.prepared(without_public(spec)), 12, 4)


# -------------------------------------------------------------------------------------------- plots


def test_charts_hold_given_values(spec):
    data = experiment.prepared(spec)
    drawn = mean_errors.means_map(spec, (Budget(0.5), Budget(1.0)))
    chart = MeansMap.from_map(
        drawn, data.class_names, ((0.5, 3),) * 2, "balanced", "approx", 1e-5, 0
    )
    figure = chart.figure(1.0).to_dict()
    assert [f["name"] for f in figure["frames"]] == ["0.5", "1"]
    share = 100 * drawn.scores[1].balanced
    assert f"{share:.0f}% in this run, 50% on average over 3 runs" in chart.readout(1.0)
    assert len(chart.table(1.0)) == 4

    rows = mean_errors.pooling(data, spec, (1, 4), (0, 1))
    chart = Pooling.from_rows(rows, rows, "balanced")
    assert chart.ks == (1, 4) and chart.best == chart.best_public and len(chart.figure(1).data) == 5
    assert Pooling.from_rows(rows, (), "balanced").best_public is None

    runs = coinpress_steps.by_class(spec)
    known = CoinpressRadii.from_schedules(
        runs, data.class_names, [True, False, True, False], 1, "class"
    )
    assert (
        known.runs[1].is_current
        and known.runs[0].diverges
        and known.runs[2].values["radius r"] == runs[2][0].radii
    )
    assert len(known.figure().data) == 12 and len(known.table()) == 4 * (4 + 3 + 3)

    step = CoinpressStep.from_moment(runs[0][1][0], 1)
    assert step.reach >= max(step.r, step.clip) and len(step.figure().data) == 6

    results = experiment.sweep([dataclasses.replace(spec, seed=s) for s in (0, 1)])
    chart = Forms.from_results({"Sum form": results}, results[0])
    assert chart.points[0]["balanced"].mean == pytest.approx(
        np.mean([r.scores.balanced for r in results])
    )
