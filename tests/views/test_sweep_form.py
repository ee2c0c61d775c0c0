"""A new sweep by form: runs, TOML and expected time."""

from dataclasses import replace

import pytest

from dpviz.experiments import store, sweep_files
from dpviz.methods import METHODS
from dpviz.text import sweeps as text
from dpviz.text.template import render
from dpviz.views import sweep_form
from dpviz.views.sweep_form import SweepForm
from tests.kit.charts import result

FORM = SweepForm(
    "mnist5k",
    ("glyphnet", "scatternet"),
    {"dppl-mean": {"k_pool": (1, 4), "form": ("sum", "printed")}, "class-mean": {}},
    "zcdp",
    (0.1, 1.0, 2.0),
    {"ir": (1.0, 50.0), "records": (0, 100)},
    draws=3,
    seeds=2,
)
PLAIN = replace(FORM, encoders=("glyphnet",), methods={"dppl-mean": {}}, draws=1)


def test_form_counts_runs_of_its_toml():
    specs = sweep_files.parse(FORM.toml(), "form")
    assert FORM.runs == len(specs) == 5 * 3 * (2 * 2 * 2 * 3) * 2
    assert {spec.budget.axis for spec in specs} == {"zcdp"} and {s.draw for s in specs} == {0, 1, 2}
    assert {spec.encoder for spec in specs} == set(FORM.encoders)
    assert {dict(s.params).get("form") for s in specs} == {None, "sum", "printed"}


def test_form_of_features_has_no_encoder():
    [spec] = sweep_files.parse(
        SweepForm("x.npz", (), {"dppl-mean": {}}, "approx", (1.0,), {"ir": (1.0,)}, 1, 1).toml(), ""
    )
    assert spec.encoder is None and spec.budget.axis == "approx"


@pytest.mark.parametrize("method", METHODS)
def test_offered_values_are_valid_and_ordered(method):
    for param in METHODS[method].params:
        values = sweep_form.stops(param)
        assert [param.check(value) for value in values] == list(values) and len(values) <= 201
        assert param.default in values and len(set(values)) == len(values)
        if not param.choices:
            assert values == tuple(sorted(values))
            assert all(end in values for end in sweep_form.first_range(values, param.default))


def test_range_is_spread_evenly_with_both_ends():
    d_min = next(p for p in METHODS["dppl-public"].params if p.name == "d_min")
    values = sweep_form.stops(d_min)
    assert (values[0], values[-1], len(values)) == (0, 1.95, 40)
    assert sweep_form.spread(values, 1.0, 1.4, 3) == (1.0, 1.2, 1.4)
    assert sweep_form.spread(values, 1.0, 1.1, 9) == (1.0, 1.05, 1.1)
    assert sweep_form.spread(values, 1.3, 1.3, 3) == (1.3,)
    assert sweep_form.spread(values, 1.0, 1.4, 1) == (1.0,)


def test_expected_time_uses_mean_of_measured_runs():
    form = replace(PLAIN, methods={"dppl-mean": {}, "class-mean": {}}, seeds=5)
    measured = {"dppl-mean": (1.0, 3.0), "class-mean": (0.0,), "noisy-gd": (1e9,)}
    assert form.expected_time(measured) == ""
    assert form.start(measured).endswith(", about 2 min"), "60 runs at 2 s"
    grid = {"dppl-mean": {"k_pool": (1, 4)}, "class-mean": {}}
    assert replace(form, methods=grid).start(measured).endswith(", about 4 min")
    assert replace(form, seeds=500).start(measured).endswith(", about 3 h")
    assert form.start({"dppl-mean": (0.01,), "class-mean": (0.0,)}).endswith(", about 10 s")
    assert form.start({}) == render(text.START_RUNS, runs=form.runs)
    assert replace(form, methods={}).start(measured) == text.START


def test_unmeasured_methods_have_no_invented_time():
    assert PLAIN.expected_time({}) == PLAIN.expected_time({"noisy-gd": (1.0,)})
    assert PLAIN.expected_time({}) == text.EXPECTED_TIME["unknown"]
    form = replace(PLAIN, methods={"dppl-mean": {}, "class-mean": {}})
    assert METHODS["class-mean"].title.split(" (")[0] in form.expected_time({"dppl-mean": (1.0,)})


def test_time_is_read_from_stored_runs_of_same_data(tmp_path, monkeypatch):
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    runs = [
        replace(result(method, 1.0, seed, 0.5), seconds=seconds)
        for method, seed, seconds in (("dppl-mean", 0, 1.0), ("dppl-mean", 1, 3.0))
    ]
    other = replace(runs[0], spec=replace(runs[0].spec, dataset="other"))
    store.keep({str(place): run for place, run in enumerate([*runs, other])})
    assert sorted(store.run_seconds("toy", None)["dppl-mean"]) == [1.0, 3.0]
    assert store.run_seconds("toy", "glyphnet") == {} == store.run_seconds("none", None)
    monkeypatch.setattr(store, "MAX_TIMED", 1)
    assert not store.run_seconds("toy", None), "the newest run is on other data"
    assert store.run_seconds("other", None) == {"dppl-mean": (1.0,)}
