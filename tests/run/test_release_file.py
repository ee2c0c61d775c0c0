"""What is taken away gives the same numbers elsewhere: command, Python code, the release as a
file.
"""

import io
import json
import shlex

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpviz.cli import main
from dpviz.data import uploads
from dpviz.methods import METHODS
from dpviz.run import experiment, release_file, reproduce
from dpviz.types import AXES, Budget, RunSpec

FAST = ("dppl-mean", "dppl-public", "dppl-publick", "noisy-gd", "class-mean")


def by_command(spec, capsys):
    assert main(shlex.split(reproduce.run_command(spec))[3:]) == 0
    return json.loads(capsys.readouterr().out)["accuracy"]


def by_python(spec):
    names = {}
    exec(reproduce.python(spec), names)
    return names["result"]


@st.composite
def specs(draw):
    method = METHODS[draw(st.sampled_from(FAST))]
    params = {}
    for p in method.params:
        if draw(st.booleans()) and p.choices:
            params[p.name] = draw(st.sampled_from(p.choices))
    value = draw(st.sampled_from((0.01, 0.5, 1.0, 3.7, 10.0))) if method.private else float("inf")
    budget = Budget(value, draw(st.sampled_from(sorted(AXES))), draw(st.sampled_from((1e-5, 1e-6))))
    return (
        method.key,
        budget,
        float(draw(st.sampled_from((1, 5, 10)))),
        tuple(params.items()),
        draw(st.integers(0, 2**32 - 1)),
    )


@given(drawn=specs())
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_command_and_code_give_the_same_numbers(drawn, own, capsys):
    method, budget, ir, params, seed = drawn
    spec = RunSpec(
        uploads.shown(uploads.path(own)), None, method, budget, ir=ir, params=params, seed=seed
    )
    wanted = experiment.sweep([spec], use_store=False)[0].scores
    assert by_command(spec, capsys)["per_class"] == list(wanted.per_class)
    assert by_python(spec).scores == wanted
    capsys.readouterr()


@pytest.mark.parametrize("method", ["dppl-publick", "class-mean"])
def test_the_file_predicts_as_the_run_did(method, own):
    spec = RunSpec(uploads.shown(uploads.path(own)), None, method, Budget(1.0), ir=10.0)
    with np.load(io.BytesIO(release_file.release(spec)), allow_pickle=False) as file:
        card, weights, bias, normalise = (
            json.loads(str(file["card"])),
            file["weights"],
            file["bias"],
            file["normalise"],
        )
        assert ("chosen" in file) == (method == "dppl-publick")
    x, y = experiment.prepared(spec).x_test, experiment.prepared(spec).y_test
    x = x / np.linalg.norm(x, axis=1, keepdims=True) if normalise else x
    right = np.mean(np.argmax(x @ weights.T + bias, axis=1) == y)
    assert right == pytest.approx(experiment.run(spec).scores.overall)
    if method == "class-mean":
        assert card["guarantee"] == release_file.NOT_PRIVATE
    else:
        assert (
            card["guarantee"]["epsilon_delta"] <= 1
            and card["guarantee"]["delta"] == 1e-5
            and card["guarantee"]["adjacency"]
        )
    assert (
        card["command"] == reproduce.run_command(experiment.run(spec).spec)
        and len(card["classes"]) == 4
    )
