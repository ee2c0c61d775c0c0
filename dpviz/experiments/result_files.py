"""Results as a row of a table, a CSV file or JSON."""

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
from dpviz.text import cli as text
from dpviz.types import Guarantee, Result

#: Key of numbers without a guarantee: an object in JSON and in the notes of methods, a prefix of
#: column names in tables.
PRIVATE = "private_view"
#: Text before such numbers in the output of commands.
PRIVATE_VIEW = text.PRIVATE_VIEW
#: Fields of a guarantee that define its meaning.
READING = ("adjacency", "unit", "public", "held_aside", "starts", "defaults")
#: First characters of cells that spreadsheets evaluate, also in full width.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
OF_MINORITY = re.compile(r"\bminority\b")
SCORE = re.compile(r"\b(minority|accuracy|error|low|high|interval)\b")
#: Purpose of simulated results.
REPLAY = text.REPLAY


def as_csv(results: Sequence[Result]) -> str:
    """Return results as CSV, one row each, with the columns of all results."""
    return rows_as_csv([row(result) for result in results])


def rows_as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows as CSV, with the columns of all rows. Spreadsheets evaluate no text as a
    formula.
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer.writerow(map(_harmless, names))
    writer.writerows([_harmless(row.get(name, "")) for name in names] for row in rows)
    return file.getvalue()


def reading_of(guarantee: Guarantee) -> dict[str, Any]:
    """Return the READING of a guarantee, and its schedule of steps if there is one."""
    values = {name: getattr(guarantee, name) for name in READING}
    return values | ({"schedule": guarantee.schedule} if guarantee.schedule else {})


def private_column(name: str, minority: bool = False) -> str:
    """Return the name of a column, with prefix ``private_view`` if it depends on the minority.

    Args:
        minority: whether all scores of the table are minority accuracies.
    """
    if name.startswith(PRIVATE) or not (SCORE if minority else OF_MINORITY).search(name):
        return name
    return f"{PRIVATE}.{name}"


def _harmless(cell: Any) -> Any:
    """Return a cell; a text that a spreadsheet would evaluate gets an apostrophe in front."""
    if not (isinstance(cell, str) and cell.lstrip(" ").startswith(FORMULA)):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def row(result: Result) -> dict[str, Any]:
    """Return one row of a table: as ``as_json``, without nesting and per-class numbers.

    Minority scores, the ratio reached and the seconds depend on private class sizes.
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
    # the column ``public`` holds the public data of the guarantee
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
    # the column ``unit`` holds the setting
    reading = reading_of(g)
    reading["protected_unit"] = reading.pop("unit")
    return cells | reading | {f"{PRIVATE}.seconds": result.seconds} | dict(spec.params)


def as_json(result: Result) -> dict[str, Any]:
    """Return the object that ``run --json`` prints; PRIVATE holds numbers without a guarantee."""
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
    """Return ``value`` for strict JSON: infinities and nan become the texts inf, -inf and nan."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {name: plain(v) for name, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list | tuple) else value
