"""Results as they are written: a row of a table, a CSV file, JSON."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from dpviz.data import uploads
from dpviz.formatting import large_delta
from dpviz.types import Guarantee, Result

PRIVATE = "private_view"
"""Under it stands what no guarantee covers: in JSON an object, in tables part of a column's name;
methods put theirs under it in their notes.
"""
PRIVATE_VIEW = "Private view, not covered by the guarantee"
"""What the text output of a command says before such numbers."""
READING = ("adjacency", "unit", "public", "held_aside", "starts", "defaults")
"""Fields of a guarantee that say how it is to be read."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a cell begins with that a spreadsheet computes, full-width signs among it."""
OF_MINORITY = re.compile(r"\bminority\b")
SCORE = re.compile(r"\b(minority|accuracy|error|low|high|interval)\b")
REPLAY = "teaching replay, not for release"


def as_csv(results: Sequence[Result]) -> str:
    """Results as CSV, a row each, with every column that any of them has."""
    return rows_as_csv([row(result) for result in results])


def rows_as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as CSV, with every column that any of them has; no text of theirs is a formula to a
    spreadsheet.
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer.writerow(map(_harmless, names))
    writer.writerows([_harmless(row.get(name, "")) for name in names] for row in rows)
    return file.getvalue()


def reading_of(guarantee: Guarantee) -> dict[str, Any]:
    """The READING of a guarantee, and its schedule of steps where it has one."""
    values = {name: getattr(guarantee, name) for name in READING}
    return values | ({"schedule": guarantee.schedule} if guarantee.schedule else {})


def private_column(name: str, minority: bool = False) -> str:
    """The name of a table's column, behind ``private_view`` where it is about the minority.

    Args:
        minority: whether all scores of the table are by the minority.
    """
    if name.startswith(PRIVATE) or not (SCORE if minority else OF_MINORITY).search(name):
        return name
    return f"{PRIVATE}.{name}"


def _harmless(cell: Any) -> Any:
    """A text that a spreadsheet would compute, behind an apostrophe; a number stays one."""
    if not (isinstance(cell, str) and cell.lstrip(" ").startswith(FORMULA)):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def row(result: Result) -> dict[str, Any]:
    """One row of a table: as ``as_json``, without nesting and per-class numbers.

    Who the minority is, the ratio reached and how long it took tell how many records there are.
    """
    spec, scores, g = result.spec, result.scores, result.guarantee
    cells = {
        "dataset": uploads.portable(spec.dataset),
        "encoder": spec.encoder,
        "method": spec.method,
        "ir": spec.ir,
        "draw": spec.draw,
    }
    if called := uploads.display_name(spec.dataset):
        cells["upload"] = called
    # the column ``public`` is all that the guarantee takes as public
    more = {
        name: value
        for name, value in spec.non_default_fields.items()
        if name not in ("dataset", "public", "draw")
    }
    cells |= more
    cells |= {
        "budget": spec.budget.value,
        "budget_axis": spec.budget.axis,
        "delta": spec.budget.delta,
        "seed": spec.seed,
    }
    cells |= {"overall": scores.overall, "balanced": scores.balanced}
    cells |= {f"{PRIVATE}.minority": scores.minority, f"{PRIVATE}.ratio_reached": result.ratio}
    cells |= {"notion": g.notion, "value": g.value, "epsilon_delta": g.epsilon_delta, "rho": g.rho}
    # the column ``unit`` is the setting
    reading = reading_of(g)
    reading["protected_unit"] = reading.pop("unit")
    return cells | reading | {f"{PRIVATE}.seconds": result.seconds} | dict(spec.params)


def as_json(result: Result) -> dict[str, Any]:
    """The one object that ``run --json`` prints: what the guarantee does not cover stands apart."""
    spec, scores, notes = result.spec, result.scores, dict(result.notes)
    private = {
        "minority": scores.minority,
        "minority_classes": result.minority_classes,
        "class_counts": result.class_counts,
        "ratio_reached": result.ratio,
        "delta_above_one_in_n": bool(large_delta(result.guarantee, result.protected)),
        "seconds": result.seconds,
        **notes.pop(PRIVATE, {}),
    }
    return plain(
        {
            **spec.facts | {"dataset": uploads.portable(spec.dataset)},
            "method": spec.method,
            "params": dict(spec.params),
            "budget": dataclasses.asdict(spec.budget),
            "seed": spec.seed,
            "accuracy": {
                "overall": scores.overall,
                "balanced": scores.balanced,
                "per_class": scores.per_class,
            },
            "guarantee": dataclasses.asdict(result.guarantee),
            "notes": notes,
            "purpose": REPLAY,
            "origin": result.origin,
            "versions": dict(result.versions),
            PRIVATE: private,
        }
    )


def plain(value: Any) -> Any:
    """``value`` for strict JSON: infinities and nan become the words inf, -inf and nan."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {name: plain(v) for name, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list | tuple) else value
