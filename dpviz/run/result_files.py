"""Results as they are written: a row of a table, a CSV file, JSON."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
from collections.abc import Sequence
from typing import Any

from dpviz.types import Result


def as_csv(results: Sequence[Result]) -> str:
    """Results as CSV, a row each, with every column that any of them has."""
    rows = [row(result) for result in results]
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, list(dict.fromkeys(name for row in rows for name in row)))
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def row(result: Result) -> dict[str, Any]:
    """One row of a table: as ``as_json``, without nesting and per-class numbers."""
    spec, scores, g = result.spec, result.scores, result.guarantee
    cells = {"dataset": spec.dataset, "encoder": spec.encoder, "method": spec.method, "ir": spec.ir}
    # the column ``public`` is all that the guarantee takes as public
    cells |= {name: value for name, value in spec.given.items() if name != "public"}
    cells |= {
        "budget": spec.budget.value,
        "axis": spec.budget.axis,
        "delta": spec.budget.delta,
        "seed": spec.seed,
    }
    cells |= {"overall": scores.overall, "balanced": scores.balanced, "minority": scores.minority}
    cells |= {"notion": g.notion, "value": g.value, "epsilon_delta": g.epsilon_delta, "rho": g.rho}
    return (
        cells
        | {"adjacency": g.adjacency, "public": g.public, "seconds": result.seconds}
        | dict(spec.params)
    )


def as_json(result: Result) -> dict[str, Any]:
    """The one object that ``run --json`` prints."""
    spec = result.spec
    g, accuracy = dataclasses.asdict(result.guarantee), dataclasses.asdict(result.scores)
    del accuracy["hits"]  # a bit a test record: bulky, and for comparisons alone
    return plain(
        {
            **spec.facts,
            "method": spec.method,
            "params": dict(spec.params),
            "budget": dataclasses.asdict(spec.budget),
            "seed": spec.seed,
            "accuracy": accuracy,
            "minority_classes": result.minority_classes,
            "class_counts": result.class_counts,
            "guarantee": g,
            "notes": dict(result.notes),
            "seconds": result.seconds,
            "origin": result.origin,
            "versions": dict(result.versions),
        }
    )


def plain(value: Any) -> Any:
    """``value`` for strict JSON: infinities and nan become the words inf, -inf and nan."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {name: plain(v) for name, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list | tuple) else value
