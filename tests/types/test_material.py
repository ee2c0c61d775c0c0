"""A fact of the material is one field: options, sweep files, commands, code and words have it from
there.
"""

import dataclasses
import hashlib
import shlex
from itertools import product

import pytest

from dpviz.cli import parser
from dpviz.experiments import experiment, reproduce, sweep_files
from dpviz.experiments.tuning import Search
from dpviz.formatting import subset
from dpviz.types import DATA_FIELDS, UNITS, Budget, DataConfig, DpvizError, RunSpec, key_fields
from dpviz.views import settings_in_words
from dpviz.views.page_config import PageConfig

MATERIAL = DataConfig(
    "mnist5k",
    "glyphnet",
    public="glyphs",
    features="pca=9",
    ir=5,
    records=40,
    unit="person",
    per_person=3,
    classes="names.txt",
    draw=3,
)
NAMES = [fact.name for fact in DATA_FIELDS]


def test_runs_views_and_searches_share_data_settings():
    [spec] = experiment.specs(MATERIAL, "dppl-mean", [Budget(1.0)], [3])
    search = Search(**MATERIAL.facts, method="dppl-mean", budget=Budget(1.0))
    view = PageConfig(
        **MATERIAL.facts, budget=Budget(0.7), first_seed=0, seeds=1, methods=("dppl-mean",)
    )
    carried = (spec, search, search.spec(), view, view.spec("dppl-mean"), view.groups()[0][0])
    assert all(one.facts == MATERIAL.facts for one in carried)
    assert MATERIAL.non_default_fields == MATERIAL.facts and DataConfig(
        "x", None
    ).non_default_fields == {"dataset": "x"}


@pytest.mark.parametrize("name", NAMES)
def test_data_settings_have_option_key_code_and_row(name):
    spec = RunSpec(**MATERIAL.facts, method="dppl-mean", budget=Budget(1.0))
    view = PageConfig(
        **MATERIAL.facts, budget=Budget(1.0), first_seed=0, seeds=1, methods=("dppl-mean",)
    )
    value = getattr(MATERIAL, name)
    args = parser().parse_args(shlex.split(reproduce.run_command(spec))[3:])
    assert getattr(args, name) == str(value)
    keys = {"dataset": "x", name: value}
    lines = [f"{key} = {value!r}" for key, value in keys.items()]
    text = "\n".join([*lines, "budgets = [1]", 'methods = ["dppl-mean"]'])
    [parsed] = sweep_files.parse(text, "The sweep")
    assert getattr(parsed, name) == value
    assert f"{name}={value!r}" in reproduce.python(spec)
    assert settings_in_words.words(view)[name][0]


def test_setting_of_wrong_type_is_refused_everywhere():
    bad = [({"encoder": 3}, "`encoder` must be text"), ({"ir": 0}, "Imbalance ratio")]
    few = "Records per class must be .*between 0 and 10,000,000"
    bad += [({"unit": "people"}, "Unit must be one of picture, person, got .people.")]
    bad += [({"per_person": -1}, "Records per person")]
    bad += [({"records": value}, few) for value in (-1, 2.5, 10**8, "some", float("nan"))]
    for change, words in bad:
        with pytest.raises(DpvizError, match=words):
            Search(**MATERIAL.facts | change, method="dppl-mean", budget=Budget(1.0))


def test_default_setting_is_omitted_from_keys_except_legacy():
    spec = RunSpec("mnist5k", "glyphnet", "dppl-mean", Budget(1.0))
    written = (
        '{"budget": {"axis": "approx", "delta": 1e-05, "value": 1.0}, "dataset": "mnist5k",'
        ' "encoder": "glyphnet", "features": "", "ir": 1.0, "method": "dppl-mean", "params": [],'
        ' "public": null, "seed": 0}'
    )
    assert spec.digest == hashlib.sha256(written.encode()).hexdigest()
    assert dataclasses.replace(spec, records=40).digest != spec.digest
    always = {"dataset", "encoder", "public", "features", "ir"}
    assert set(key_fields(DataConfig("x", None).facts)) == always
    assert set(key_fields(MATERIAL.facts)) >= always | {"records"}


def test_record_counts_are_worded():
    view = PageConfig(
        **MATERIAL.facts, budget=Budget(1.0), first_seed=0, seeds=1, methods=("dppl-mean",)
    )
    every = dataclasses.replace(view, records=0)
    said = [settings_in_words.words(one)["records"] for one in (view, every)]
    assert said == [("records per class", "40"), ("records per class", "all")]
    assert settings_in_words.changes(*map(settings_in_words.words, (every, view))) == [
        "records per class all → 40"
    ]
    to_records = dataclasses.replace(view, unit="picture", per_person=0)
    assert [subset(one) for one in (view, every, to_records)] == [
        "IR 5 (at most 40 records per class, 3 records per person), per person, data draw 3",
        "IR 5 (at most 3 records per person), per person, data draw 3",
        "IR 5 (at most 40 records per class), data draw 3",
    ]


def test_sweep_multiplies_records_with_ratios():
    text = 'dataset = "x"\nrecords = [10, 0]\nir = [1, 5]\nbudgets = [1]\nmethods = ["dppl-mean"]'
    found = sweep_files.parse(text, "The sweep")
    assert [(s.ir, s.records) for s in found] == [(1, 10), (1, 0), (5, 10), (5, 0)]
    text += '\nunit = ["picture", "person"]\nper_person = [1, 5]'
    found = sweep_files.parse(text, "The sweep")
    assert {(s.unit, s.per_person) for s in found} == set(product(UNITS, (1, 5)))
    with pytest.raises(DpvizError, match="between 1 and 1,000,000 cells, got 0"):
        sweep_files.parse(text.replace("[10, 0]", "[]"), "The sweep")


def test_sweep_accepts_number_or_list_of_data_draws():
    text = 'dataset = "x"\nbudgets = [1]\nseeds = 2\nmethods = ["dppl-mean"]'
    found = sweep_files.parse(f"draws = 3\n{text}", "The sweep")
    assert {(s.draw, s.seed) for s in found} == set(product(range(3), range(2)))
    listed = sweep_files.parse(f"draw = [4, 7]\n{text}", "The sweep")
    assert {s.draw for s in listed} == {4, 7}
    assert {s.draw for s in sweep_files.parse(text, "The sweep", draws=2)} == {0, 1}
    with pytest.raises(DpvizError, match="both `draw` and `draws`"):
        sweep_files.parse(f"draw = 1\ndraws = 2\n{text}", "The sweep")
    with pytest.raises(DpvizError, match="`draws` must be between 1 and 10000"):
        sweep_files.parse(f"draws = 0\n{text}", "The sweep")


def test_multi_draw_view_runs_each_method_per_draw():
    methods = ("dppl-mean", "class-mean")
    view = PageConfig(
        "x", None, budget=Budget(1.0), first_seed=0, seeds=2, methods=methods, draws=3
    )
    view = dataclasses.replace(view, draw=4)
    reference, curve = view.groups()
    assert [spec.draw for spec in reference] == [4, 5, 6]
    assert {(spec.draw, spec.seed) for spec in curve} == set(product((4, 5, 6), (0, 1)))
    assert [spec.draw for spec in view.quiet()[0]] == [4, 5, 6]
    assert "draw = [4, 5, 6]" in settings_in_words.toml(view)
    alone = dataclasses.replace(view, draws=1)
    assert len(alone.groups()[0]) == 1 and "draw = 4" in settings_in_words.toml(alone)
