"""A release as a file of its own: the numbers that may leave the room, with their card."""

from __future__ import annotations

import dataclasses
import io
import json
import shlex

import numpy as np

from dpviz import methods
from dpviz.run import experiment, store
from dpviz.types import RunSpec

NOT_PRIVATE = "none: this rule was made without privacy; do not let it leave the room"


def command(spec: RunSpec) -> str:
    """The shell command that prints this result."""
    words = ["python", "-m", "dpviz", "run", "--dataset", spec.dataset]
    words += ["--encoder", spec.encoder] if spec.encoder else []
    words += ["--public", spec.public] if spec.public else []
    words += ["--features", spec.features] if spec.features else []
    words += [
        "--method",
        spec.method,
        "--budget",
        repr(spec.budget.value),
        "--axis",
        spec.budget.axis,
    ]
    words += ["--delta", repr(spec.budget.delta), "--ir", repr(spec.ir), "--seed", str(spec.seed)]
    for name, value in spec.params:
        words += ["--param", f"{name}={value}"]
    return shlex.join([*words, "--json"])


def python(spec: RunSpec) -> str:
    """Python code that prints this result."""
    value = repr(spec.budget.value) if spec.budget.private else 'float("inf")'
    fields = [
        repr(spec.dataset),
        repr(spec.encoder),
        repr(spec.method),
        f"Budget({value}, {spec.budget.axis!r}, {spec.budget.delta!r})",
    ]
    fields += [
        f"ir={spec.ir!r}",
        f"params={spec.params!r}",
        f"seed={spec.seed}",
        f"public={spec.public!r}",
        f"features={spec.features!r}",
    ]
    lines = ["from dpviz.run import experiment", "from dpviz.types import Budget, RunSpec", ""]
    lines += [
        "spec = RunSpec(",
        *(f"    {field}," for field in fields),
        ")",
        "result = experiment.run(spec)",
    ]
    return "\n".join([*lines, "print(result.scores, result.guarantee)"]) + "\n"


def release(spec: RunSpec) -> bytes:
    """The release of a spec as an ``.npz`` without pickles.

    Its arrays: ``weights`` (C, d) float32, ``bias`` (C,) float32, ``normalise`` (a truth value),
    ``chosen`` (C, K) int64 rows of the public set where the method picks from it, and ``card``,
    JSON: settings, guarantee, versions, class names and the command. The class of features x (n, d)
    is ``argmax(x / |x| @ weights.T + bias)``, without the division where ``normalise`` is false.

    Raises:
        DpvizError: for a spec that cannot work.
    """
    rule = experiment.release(spec)
    result = experiment.run(spec)
    card = {
        "method": methods.get(spec.method).title,
        "guarantee": (
            dataclasses.asdict(result.guarantee)
            if methods.get(spec.method).private and spec.budget.private
            else NOT_PRIVATE
        ),
        "classes": experiment.prepared(spec).class_names,
        "settings": dataclasses.asdict(result.spec),
        "versions": dict(store.versions()),
        "command": command(result.spec),
    }
    arrays = {"weights": rule.weights, "bias": rule.bias, "normalise": np.array(rule.normalise)}
    arrays |= {} if rule.chosen is None else {"chosen": rule.chosen}
    file = io.BytesIO()
    np.savez(file, card=np.array(json.dumps(card, ensure_ascii=False, default=str)), **arrays)
    return file.getvalue()
