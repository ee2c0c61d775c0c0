"""A release as a file of its own: the numbers that may leave the room, with their card."""

from __future__ import annotations

import dataclasses
import io
import json
from typing import Any

import numpy as np

from dpviz import methods
from dpviz.run import experiment, reproduce, store
from dpviz.types import RunSpec

NOT_PRIVATE = "none: this rule was made without privacy; do not let it leave the room"


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
        "command": reproduce.run_command(result.spec),
    }
    arrays: dict[str, Any] = {"weights": rule.weights, "bias": rule.bias}
    arrays |= {"normalise": np.array(rule.normalise)}
    arrays |= {} if rule.chosen is None else {"chosen": rule.chosen}
    file = io.BytesIO()
    np.savez(file, card=np.array(json.dumps(card, ensure_ascii=False, default=str)), **arrays)
    return file.getvalue()
