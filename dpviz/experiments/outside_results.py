"""External results as CSV files: reading with limits, and writing of own results."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpviz.experiments.result_files import PRIVATE, rows_as_csv
from dpviz.formatting import printable
from dpviz.privacy.claims import VALUE_NAMES
from dpviz.types import Budget, DpvizError, Result, check_range
from dpviz.types.budget import LARGEST_DELTA, SMALLEST_DELTA
from dpviz.types.checks import check_whole, quoted

REQUIRED = ("method", "notion", "budget", "delta", "seed", "accuracy")
MINORITY = f"{PRIVATE}.minority"
OPTIONAL = ("balanced", "minority", MINORITY, "source")
"""The minority's accuracy is written under its private name, and read under both."""
MAX_ROWS, MAX_BYTES = 10_000, 2 * 2**20
MAX_METHOD_CHARACTERS, MAX_SOURCE_CHARACTERS, MAX_FILE_CHARACTERS = 40, 80, 40
"""Characters of names; longer ones are cut."""
MAX_BUDGET = 1e6
"""Largest budget in any notion."""
MAX_SEED = 2**53
"""So that every seed is read exactly."""
SOURCE_NOTE = "external result from {file}"
MISSING_COLUMN = (
    "{file} has no column {name}. The first line must contain {required}, separated by commas."
)


@dataclass(frozen=True)
class Outside:
    """One result of a file.

    Attributes:
        method, source: names; notion: of ``NAMED``; budget: ε, ρ or μ; delta: None where the notion
            has none; seed: whole.
        accuracy, balanced, minority: shares in [0, 1]; nan where the file has none.
    """

    method: str
    notion: str
    budget: float
    delta: float | None
    seed: int
    accuracy: float
    balanced: float = math.nan
    minority: float = math.nan
    source: str = ""

    def score(self, metric: str) -> float:
        """The accuracy of a metric (``overall``, ``balanced``, ``minority``), or nan."""
        return float(getattr(self, "accuracy" if metric == "overall" else metric))


@dataclass(frozen=True)
class OutsideFile:
    """All results of a file, with its name for people."""

    name: str
    rows: tuple[Outside, ...]

    @property
    def mark(self) -> str:
        """Source note of every number of the file."""
        return SOURCE_NOTE.format(file=self.name)


# ----------------------------------------------------------------------------------------- reading


def read(path: Path) -> OutsideFile:
    """Return the results of a file.

    Raises:
        DpvizError: If it cannot be read, and as ``parsed``.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DpvizError(
            f"Cannot read {printable(str(path))} ({reason}). Give a CSV file of results."
        ) from error
    return parsed(content, path.name)


def parsed(content: bytes, file: str) -> OutsideFile:
    """Return the results in the content of a CSV file.

    Raises:
        DpvizError: With line, value and range of the first error.
    """
    name = short(file, MAX_FILE_CHARACTERS) or "results.csv"
    if len(content) > MAX_BYTES:
        raise DpvizError(f"{name} is too large: the limit is {MAX_BYTES >> 20} MiB.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DpvizError(f"{name} is not UTF-8 text. Save it as CSV in UTF-8.") from None
    try:
        table = csv.reader(io.StringIO(text, newline=""), strict=True)
        rows = _rows(table, name)
    except csv.Error as error:
        raise DpvizError(f"{name} is not a valid CSV file ({error}). Save it as CSV.") from None
    if not rows:
        raise DpvizError(f"{name} has no results. Add one line per result.")
    return OutsideFile(name, rows)


def short(text: str, max_characters: int) -> str:
    """Return a name in printable characters, cut to ``max_characters``."""
    clean = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return clean if len(clean) <= max_characters else f"{clean[: max_characters - 1]}…"


def _rows(table: Any, name: str) -> tuple[Outside, ...]:
    heads = [head.strip() for head in next(table, [])]
    for column in REQUIRED:
        if column not in heads:
            required = ", ".join(REQUIRED)
            raise DpvizError(MISSING_COLUMN.format(file=name, name=column, required=required))
    for head in (*REQUIRED, *OPTIONAL):
        if heads.count(head) > 1:
            raise DpvizError(f"{name} has {heads.count(head)} columns {head}. Keep one.")
    rows: list[Outside] = []
    for cells in table:
        if not any(cell.strip() for cell in cells):
            continue
        if len(rows) == MAX_ROWS:
            raise DpvizError(f"{name} has too many results: the limit is {MAX_ROWS:,}. Split it.")
        if len(cells) != len(heads):
            raise DpvizError(
                f"Line {table.line_num} of {name} must have {len(heads)} cells like the first line,"
                f" got {len(cells)}."
            )
        place = f"line {table.line_num} of {name}"
        rows.append(_row(dict(zip(heads, map(str.strip, cells), strict=True)), place))
    return tuple(rows)


def _row(cells: Mapping[str, str], place: str) -> Outside:
    method = short(cells["method"], MAX_METHOD_CHARACTERS)
    if not method:
        raise DpvizError(f"The method in {place} is empty. Name the method.")
    notion = cells["notion"]
    if notion not in VALUE_NAMES:
        raise DpvizError(
            f"The notion in {place} must be one of {', '.join(VALUE_NAMES)}, got {quoted(notion)}."
        )
    minority = cells.get("minority") or cells.get(MINORITY, "")
    return Outside(
        method,
        notion,
        check_range(f"The budget in {place}", cells["budget"], 0, MAX_BUDGET, open_low=True),
        _delta(notion, cells["delta"], place),
        check_whole(f"The seed in {place}", cells["seed"], 0, MAX_SEED),
        check_range(f"The accuracy in {place}", cells["accuracy"], 0, 1),
        _share("balanced accuracy", cells.get("balanced", ""), place),
        _share("minority accuracy", minority, place),
        short(cells.get("source", ""), MAX_SOURCE_CHARACTERS),
    )


def _delta(notion: str, text: str, place: str) -> float | None:
    """Return δ of an (ε, δ) guarantee; None for other notions, which ignore the cell."""
    if notion != "approx":
        return None
    return check_range(f"The delta in {place}", text, SMALLEST_DELTA, LARGEST_DELTA)


def _share(label: str, text: str, place: str) -> float:
    return check_range(f"The {label} in {place}", text, 0, 1) if text else math.nan


# ----------------------------------------------------------------------------------------- writing


def exported(results: Sequence[Result]) -> list[Outside]:
    """Return own private results as rows of a file, with their requested budget.

    Runs without a guarantee are left out.
    """
    private = [r for r in results if r.spec.budget.private and math.isfinite(r.guarantee.value)]
    return [row for row in map(_as_outside_row, private) if 0 < row.budget <= MAX_BUDGET]


def _as_outside_row(result: Result) -> Outside:
    spec, scores = result.spec, result.scores
    notion, value, delta = _notion(spec.budget, result)
    return Outside(
        spec.method, notion, value, delta, spec.seed,
        scores.overall, scores.balanced, scores.minority, "dpviz",
    )  # fmt: skip


def _notion(budget: Budget, result: Result) -> tuple[str, float, float | None]:
    if budget.axis == "approx":
        return "approx", budget.value, budget.delta
    if budget.axis == "zcdp":
        return "zcdp", budget.value, None
    if budget.axis == "paper":
        return "zcdp", budget.value**2 / 2, None
    guarantee = result.guarantee
    return (
        guarantee.notion,
        guarantee.value,
        guarantee.delta if guarantee.notion == "approx" else None,
    )


def as_csv(rows: Iterable[Outside]) -> str:
    """Return results as a CSV file that ``parsed`` reads."""
    return rows_as_csv([_cells(row) for row in rows] or [dict.fromkeys(REQUIRED, "")])


def _cells(row: Outside) -> dict[str, Any]:
    blank = lambda value: "" if value is None or math.isnan(value) else value
    return {
        "method": row.method,
        "notion": row.notion,
        "budget": row.budget,
        "delta": blank(row.delta),
        "seed": row.seed,
        "accuracy": row.accuracy,
        "balanced": blank(row.balanced),
        MINORITY: blank(row.minority),
        "source": row.source,
    }


def marked(file: OutsideFile) -> list[Outside]:
    """Return the results of a file, each with its source and the source note."""
    return [
        Outside(**{**vars(row), "source": "; ".join(filter(None, (row.source, file.mark)))})
        for row in file.rows
    ]


def sweep_row(row: Outside) -> dict[str, Any]:
    """Return a result as a row of the table of ``dpviz sweep``."""
    cells = _cells(row)
    cells["overall"] = cells.pop("accuracy")
    cells["value"] = cells.pop("budget")
    return cells
