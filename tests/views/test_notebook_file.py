"""The notebook of a page makes the same specs again."""

import json

import numpy as np

import dpviz
from dpviz.views import notebook_file

PAIR = {"dpviz": dpviz}


def test_code_makes_the_same_specs():
    specs = dpviz.grid(
        ["dppl-mean", "dppl-public"], "uci-digits", [0.3, 3], range(3), ir=10, settings={}
    )
    specs += [dpviz.spec("class-mean", "uci-digits", ir=10)]
    specs += [dpviz.spec("dppl-mean", "uci-digits", rho=0.1, draw=2, seed=7)]
    names = dict(PAIR)
    exec(notebook_file.code(specs), names)
    assert set(names["specs"]) == set(specs) and len(names["specs"]) == len(specs)


def test_incomplete_products_are_listed_one_by_one():
    specs = dpviz.grid(["dppl-mean"], "uci-digits", [0.3, 3], range(2))[:3]
    names = dict(PAIR)
    exec(notebook_file.code(specs), names)
    assert names["specs"] == specs


def test_file_is_a_notebook_without_output():
    specs = dpviz.grid(["dppl-mean"], "uci-digits", [1], range(2))
    content = json.loads(notebook_file.notebook("What?", "http://localhost/x?a=1", specs))
    assert content["nbformat"] == 4 and "http://localhost/x?a=1" in str(content["cells"][0])
    assert np.all([cell["metadata"] == {} for cell in content["cells"]])
