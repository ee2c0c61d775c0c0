"""Studies in an Optuna storage: an SQLite file, read without Optuna and never written.

The file is untrusted. It is read into memory, and a few tables are read from there: no views,
triggers, functions or other files, within limits of size, rows and time.
"""

from __future__ import annotations

import json
import math
import sqlite3
import time
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpviz.experiments.outside_results import short
from dpviz.formatting import printable
from dpviz.machine.user_files import read_bytes
from dpviz.types import DpvizError
from dpviz.types.checks import quoted

MAX_BYTES = 32 * 2**20
MAX_STUDIES, MAX_TRIALS, MAX_PARAMS = 200, 10_000, 200_000
#: Characters of a name, of a value and of a distribution; longer names and values are cut.
MAX_NAME, MAX_VALUE, MAX_DISTRIBUTION = 80, 80, 10_000
#: Seconds of all queries, and SQLite instructions between two looks at the clock.
MAX_SECONDS, INSTRUCTIONS = 5.0, 100_000
HEADER = b"SQLite format 3\0"
#: Bytes 18 and 19 of a file in WAL mode, and otherwise; a file in memory has no log.
VERSIONS, WAL, ROLLBACK = slice(18, 20), b"\x02\x02", b"\x01\x01"
#: Tables that are read, with their columns.
TABLES = {
    "studies": ("study_id", "study_name"),
    "study_directions": ("study_id", "direction", "objective"),
    "trials": ("trial_id", "number", "study_id", "state"),
    "trial_values": ("trial_id", "objective", "value", "value_type"),
    "trial_params": ("trial_id", "param_name", "param_value", "distribution_json"),
}
LIMITS = dict.fromkeys(TABLES, MAX_PARAMS) | {"studies": MAX_STUDIES, "trials": MAX_TRIALS}
INFINITE = {"INF_POS": math.inf, "INF_NEG": -math.inf}
COMPLETE = "COMPLETE"
URL = "sqlite:///"
#: What wrong types and values in a file raise.
UNREADABLE = (
    *(sqlite3.Error, TypeError, ValueError, LookupError, AttributeError, ArithmeticError),
    RecursionError,
)


@dataclass(frozen=True)
class StoredTrial:
    """A trial: its number, Optuna's state, a value per objective, and its settings by name."""

    number: int
    state: str
    values: tuple[float, ...]
    params: dict[str, Any]


@dataclass(frozen=True)
class StoredStudy:
    """A study: its name, a direction per objective (``minimize`` or ``maximize``), its trials."""

    name: str
    directions: tuple[str, ...]
    trials: tuple[StoredTrial, ...]

    @property
    def finished(self) -> list[StoredTrial]:
        """The complete trials."""
        return [trial for trial in self.trials if trial.state == COMPLETE and trial.values]

    @property
    def best(self) -> StoredTrial | None:
        """The best complete trial; None without one, and for several objectives."""
        if len(self.directions) != 1 or not self.finished:
            return None
        pick = min if self.directions[0] == "minimize" else max
        return pick(self.finished, key=lambda trial: trial.values[0])


def read(place: str) -> tuple[StoredStudy, ...]:
    """Return the studies of a storage, given by path or ``sqlite:///`` URL.

    Raises:
        DpvizError: for any other URL, a file that cannot be read, and as ``parsed``.
    """
    if "://" in place and not place.startswith(URL):
        raise DpvizError(
            f"The storage must be an SQLite file or a {URL} URL, got {quoted(place)}. Copy other"
            " storages with `optuna.copy_study`."
        )
    path = Path(place.removeprefix(URL))
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        raise DpvizError(
            f"{printable(str(path))} has changes in {printable(log.name)}. Close the program that"
            " writes it."
        )
    return parsed(read_bytes(path, MAX_BYTES + 1, "SQLite"), path.name)


def parsed(content: bytes, file: str) -> tuple[StoredStudy, ...]:
    """Return the studies in the content of a storage.

    Raises:
        DpvizError: If it is too large or no Optuna storage, or has too many rows.
    """
    name = short(file, MAX_NAME)
    if len(content) > MAX_BYTES:
        raise DpvizError(f"{name} is too large: the limit is {MAX_BYTES >> 20} MiB.")
    if not content.startswith(HEADER):
        raise DpvizError(f"{name} is not an SQLite file. Give the storage of an Optuna study.")
    if content[VERSIONS] == WAL:
        content = content[: VERSIONS.start] + ROLLBACK + content[VERSIONS.stop :]
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.deserialize(content)
            tables = _tables(connection, name)
        return _studies(tables)
    except DpvizError:
        raise
    except UNREADABLE:
        raise DpvizError(
            f"{name} is damaged or no Optuna storage. Give an SQLite file written by Optuna."
        ) from None


Row = tuple[Any, ...]


def _tables(connection: sqlite3.Connection, name: str) -> dict[str, list[Row]]:
    """Return the rows of each table."""
    _restrict(connection)
    tables = {}
    for table, columns in TABLES.items():
        kind = connection.execute(
            "SELECT type, sql FROM sqlite_master WHERE name = ?", (table,)
        ).fetchall()
        if len(kind) != 1 or kind[0][0] != "table" or not kind[0][1].startswith("CREATE TABLE"):
            raise DpvizError(f"{name} has no table `{table}`. Give the storage of an Optuna study.")
        limit = LIMITS[table]
        query = f"SELECT {', '.join(columns)} FROM {table} LIMIT {limit + 1}"
        tables[table] = connection.execute(query).fetchall()
        if len(tables[table]) > limit:
            raise DpvizError(f"{name} has too many {table}: the limit is {limit:,}.")
    return tables


def _restrict(connection: sqlite3.Connection) -> None:
    """Let a connection read the tables only, for a short time."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1_000_000)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    known = {*TABLES, "sqlite_master"}
    connection.set_authorizer(
        lambda action, table, *_: (
            sqlite3.SQLITE_OK
            if action == sqlite3.SQLITE_SELECT or (action == sqlite3.SQLITE_READ and table in known)
            else sqlite3.SQLITE_DENY
        )
    )
    end = time.monotonic() + MAX_SECONDS
    connection.set_progress_handler(lambda: time.monotonic() > end, INSTRUCTIONS)


def _studies(tables: dict[str, list[Row]]) -> tuple[StoredStudy, ...]:
    directions, values = defaultdict(list), defaultdict(list)
    for study, direction, objective in tables["study_directions"]:
        directions[study].append((int(objective), str(direction).lower()))
    for trial, objective, value, kind in tables["trial_values"]:
        number = INFINITE[kind] if kind in INFINITE else float(value)
        values[trial].append((int(objective), number))
    params: dict[Any, dict[str, Any]] = defaultdict(dict)
    for trial, name, value, distribution in tables["trial_params"]:
        params[trial][short(str(name), MAX_NAME)] = _value(float(value), distribution)
    trials = defaultdict(list)
    for trial, number, study, state in tables["trials"]:
        ordered = tuple(value for _, value in sorted(values[trial]))
        stored = StoredTrial(int(number), short(str(state), MAX_NAME), ordered, params[trial])
        trials[study].append(stored)
    return tuple(
        StoredStudy(
            short(str(name), MAX_NAME),
            tuple(direction for _, direction in sorted(directions[study])),
            tuple(sorted(trials[study], key=lambda trial: trial.number)),
        )
        for study, name in tables["studies"]
    )


def _value(number: float, distribution: str) -> Any:
    """Return the value of a setting: a choice's text or number, a whole number, or a number."""
    if len(distribution) > MAX_DISTRIBUTION:
        raise ValueError
    raw = json.loads(distribution)
    if raw["name"] == "CategoricalDistribution":
        choice = dict(enumerate(raw["attributes"]["choices"]))[int(number)]
        if choice is None or isinstance(choice, bool | int | float):
            return choice
        return short(str(choice), MAX_VALUE)
    return int(number) if raw["name"].startswith("Int") else number
