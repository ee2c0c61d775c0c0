"""A fact of the material is one field: options, sweep files, commands, code and words have it from
there.
"""

import shlex

import pytest

from dpviz.cli import parser
from dpviz.run import experiment, reproduce, sweep_files
from dpviz.run.tuning import Search
from dpviz.types import FACTS, Budget, DpvizError, Material, RunSpec
from dpviz.views import settings_in_words
from dpviz.views.view import View

MATERIAL = Material("mnist5k", "glyphnet", public="glyphs", features="pca=9", ir=5)
NAMES = [fact.name for fact in FACTS]


def test_runs_views_and_searches_carry_the_same_facts():
    [spec] = experiment.specs(MATERIAL, "dppl-mean", [Budget(1.0)], [3])
    search = Search(**MATERIAL.facts, method="dppl-mean", budget=Budget(1.0))
    view = View(**MATERIAL.facts, budget=Budget(0.7), first_seed=0, seeds=1, methods=("dppl-mean",))
    carried = (spec, search, search.spec(), view, view.spec("dppl-mean"), view.groups()[0][0])
    assert all(one.facts == MATERIAL.facts for one in carried)
    assert MATERIAL.given == MATERIAL.facts and Material("x", None).given == {"dataset": "x"}


@pytest.mark.parametrize("name", NAMES)
def test_every_fact_is_an_option_a_key_a_line_of_code_a_row(name):
    spec = RunSpec(**MATERIAL.facts, method="dppl-mean", budget=Budget(1.0))
    view = View(**MATERIAL.facts, budget=Budget(1.0), first_seed=0, seeds=1, methods=("dppl-mean",))
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


def test_a_fact_of_the_wrong_kind_is_refused_wherever_it_stands():
    for change, words in (({"encoder": 3}, "The encoder is 3"), ({"ir": 0}, "Imbalance ratio")):
        with pytest.raises(DpvizError, match=words):
            Search(**MATERIAL.facts | change, method="dppl-mean", budget=Budget(1.0))
