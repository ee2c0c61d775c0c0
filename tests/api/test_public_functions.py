"""``import dpviz``: every public name, runs on arrays, and sentences for what is missing."""

import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas
import pytest

import dpviz
from dpviz import Budget, Dataset, DpvizError
from tests.api.test_estimators import blobs


@pytest.fixture
def arrays():
    x, y = blobs()
    x_test, y_test = blobs(90, seed=1)
    x_public, y_public = blobs(120, seed=2)
    return Dataset.from_arrays(x, y, x_test, y_test, x_public, y_public, name="blobs")


def test_every_public_name_is_there():
    for name in dpviz.__all__:
        assert getattr(dpviz, name) is not None
    assert set(dpviz.__all__) <= set(dir(dpviz))
    with pytest.raises(AttributeError, match="nothing"):
        dpviz.nothing  # noqa: B018


def test_import_loads_no_library():
    code = "import dpviz, sys; assert not {'torch', 'numpy', 'sklearn'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.filterwarnings("ignore")
def test_script_whose_types_lint_checks_runs():
    runpy.run_path(str(Path(__file__).with_name("typed_script.py")))


@pytest.mark.parametrize(
    ("function", "public", "settings"),
    [
        ("dppl_mean", "", {}),
        ("private_probe", "", {}),
        ("dppl_public", "X", {}),
        ("dppl_publick", "X", {}),
        ("pate", "X", {}),
        ("adamix", "Xy", {"max_steps": 500}),
    ],
)
def test_function_per_family_returns_released_classifier(function, public, settings):
    x, y = blobs()
    given = [*blobs(200, seed=2)][: len(public)]
    model = getattr(dpviz, function)(x, y, *given, epsilon=20, **settings)
    assert model.score(*blobs(seed=1)) > 0.8
    assert model.guarantee_.epsilon_delta <= 20 and not model.simulated_


def test_run_on_arrays_equals_run_of_its_spec(arrays):
    result = dpviz.run("dppl-mean", arrays, epsilon=2, seed=1)
    assert result.scores == dpviz.run(result.spec).scores
    assert result.guarantee == dpviz.guarantee(result.spec)
    assert dpviz.plan(result.spec).events["sum"].sigma > 0


def test_sweep_gives_frame_summary_chart_and_html(arrays):
    specs = dpviz.grid(["dppl-mean", "dppl-public"], arrays, [0.5, 5], range(3))
    results = dpviz.sweep(specs)
    assert len(results) == 12 and isinstance(results.to_frame(), pandas.DataFrame)
    summary = results.summary()
    assert set(summary.n) == {3}
    assert (summary.balanced_low <= summary.balanced).all()
    assert {"DPPL-Mean", "DPPL-Public"} <= {trace.name for trace in results.plot().data} | {
        text for trace in results.plot().data for text in (trace.text or ())
    }
    assert "<table" in results._repr_html_()


def test_same_arrays_have_same_key_and_other_arrays_another(arrays):
    x, y = blobs()
    again = Dataset.from_arrays(x, y, name="blobs")
    assert again.fingerprint != arrays.fingerprint
    assert Dataset.from_arrays(x, y, name="blobs").key == again.key


def test_run_on_named_data_uses_suiting_encoder():
    assert dpviz.spec("dppl-mean", "uci-digits", rho=0.1).encoder
    assert dpviz.spec("class-mean", "uci-digits").budget == Budget(float("inf"))


def test_guarantee_of_claim():
    assert dpviz.guarantee(mu=1.0).notion == "gdp"


def test_audit_catches_function_without_noise():
    found = dpviz.audit(lambda data, seed: [sum(data)], [1, 1], [1], epsilon=1, releases=500)
    assert found.broken


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda a: dpviz.run("dppl-mean"), "`data` is missing"),
        (lambda a: dpviz.run("dppl-mean", 3, epsilon=1), "`data` must be"),
        (lambda a: dpviz.run("dppl-mean", a), "one of epsilon"),
        (lambda a: dpviz.run("dppl-mean", a, epsilon=1, rho=1), "one of epsilon"),
        (lambda a: dpviz.run("dpl-mean", a, epsilon=1), "Unknown method"),
        (lambda a: dpviz.run("dppl-mean", a, epsilon=1, irr=5), "Unknown argument irr"),
        (lambda a: dpviz.run("dppl-mean", a, epsilon=1, settings={"d": 1}), "Unknown parameter"),
        (lambda a: dpviz.run("dppl-mean", Dataset.from_arrays(*blobs()), epsilon=1), "X_test"),
        (lambda a: dpviz.run("dppl-mean", "arrays:x:0.npz", epsilon=1), "not in memory"),
        (lambda a: dpviz.guarantee(), "exactly one"),
        (lambda a: Dataset.from_arrays([[1, "a"]], [0]), "table of numbers"),
        (lambda a: Dataset.from_arrays([1, 2], [0, 1]), "shape"),
        (lambda a: Dataset.from_arrays([[1.0], [2.0]], [0]), "shape"),
        (lambda a: Dataset.from_arrays([[1.0], [np.nan]], [0, 1]), "finite"),
        (lambda a: Dataset.from_arrays([[1.0], [2.0]], [0, 0]), "more than one class"),
        (lambda a: Dataset.from_arrays([[1.0], [2.0]], [0, 1], classes=[0, 2]), "not in classes"),
        (lambda a: Dataset.from_arrays([[1.0], [2.0]], [0, 1], y_public=[1]), "X_public"),
        (lambda a: Dataset.from_arrays([[1.0], [2.0]], [0, 1], [[1.0, 2.0]], [0]), "features"),
        (lambda a: Dataset.from_arrays([[1.0], [2.0]], [0, 1], [[1.0]]), "missing"),
    ],
)
def test_what_is_missing_or_wrong_is_a_sentence(arrays, call, message):
    with pytest.raises(DpvizError, match=message):
        call(arrays)
