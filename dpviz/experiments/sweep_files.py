"""Sweeps: specs of a TOML file, and the status file of a running sweep."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import re
import threading
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from dpviz.experiments import experiment
from dpviz.machine import notes
from dpviz.machine.files import cache_dir, write_atomic
from dpviz.machine.user_files import read_text
from dpviz.methods import get
from dpviz.types import (
    DATA_FIELDS,
    DELTA,
    MAX_DRAW,
    Budget,
    Cancelled,
    DataConfig,
    DpvizError,
    RunSpec,
)
from dpviz.types.checks import check_whole, quoted

# -------------------------------------------------------------------------------------------- specs

#: Data settings that may have several values.
LIST_FACTS = ("dataset", "encoder", "ir", "records", "unit", "per_person", "draw")
KEYS = {fact.name for fact in DATA_FIELDS} | {
    "axis",
    "delta",
    "budgets",
    "seeds",
    "draws",
    "methods",
}
#: Largest number of cells of a sweep.
MAX_CELLS = 1_000_000
#: Largest size of a sweep file, in bytes.
MAX_FILE_BYTES = 1_000_000
#: Largest size of a status file, in bytes; JSON may triple the size of the TOML text.
MAX_STATUS_BYTES = 4 * MAX_FILE_BYTES


def read(path: Path) -> str:
    """Return the text of a sweep file.

    Raises:
        DpvizError: if it is not a readable text file of at most ``MAX_FILE_BYTES`` bytes.
    """
    return read_text(path, MAX_FILE_BYTES, "TOML")


def read_sweep(path: Path) -> list[RunSpec]:
    """Return the specs of a TOML file; see ``parse``."""
    return parse(read(path), str(path))


def parse(
    text: str,
    name: str,
    max_cells: int = MAX_CELLS,
    invalid: Counter[str] | None = None,
    draws: int | None = None,
) -> list[RunSpec]:
    """Return the specs of a sweep: all combinations of its budgets, seeds, settings and of the
    data settings in ``LIST_FACTS``.

    Args:
        name: name of the text in error messages.
        max_cells: largest number of cells.
        invalid: if given, cells with an invalid value are counted there by error message and left
            out.
        draws: number of data draws, in place of the text's.

    Raises:
        DpvizError: for bad TOML, an unknown or missing key, too many cells, no valid cell, and
            without ``invalid`` for any invalid value.
    """
    raw = _table(text, name)
    if draws is not None:
        raw = {key: value for key, value in raw.items() if key != "draw"} | {"draws": draws}
    facts = {"encoder": None} | {
        fact.name: raw[fact.name] for fact in DATA_FIELDS if fact.name in raw
    }
    if "draws" in raw:
        facts["draw"] = _draws(raw, name)
    swept = {fact: _as_list(facts.pop(fact)) for fact in LIST_FACTS if fact in facts}
    values = _as_list(raw["budgets"])
    seeds, methods = _seeds(raw.get("seeds", 1)), _grids(raw["methods"], name)
    cells = len(seeds) * _size(swept) * len(values) * sum(map(_size, methods.values()))
    if not 0 < cells <= max_cells:
        raise DpvizError(
            f"{name} must have between 1 and {max_cells:,} cells, got {cells:,}. Cells are all"
            " combinations of methods, budgets, seeds and settings."
        )
    axis, delta = raw.get("axis", "approx"), raw.get("delta", DELTA)
    specs = []
    for key, grid in methods.items():
        for params, values_set, value, seed in product(
            _settings(grid), _settings(swept), values, seeds
        ):
            try:
                budget = Budget(value, axis, delta)
                spec = RunSpec(
                    **facts, **dict(values_set), method=key, budget=budget, params=params, seed=seed
                )
            except DpvizError as error:
                if invalid is None:
                    raise
                invalid[str(error)] += 1
                continue
            specs.append(spec)
    if invalid and not specs:
        raise DpvizError(next(iter(invalid)))
    return specs


def _table(text: str, name: str) -> dict[str, Any]:
    """Return the table of a TOML text, with checked keys."""
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also a number of 5,000 digits
        raise DpvizError(f"{name} is not valid TOML: {error}.") from None
    unknown = set(raw) - KEYS
    if unknown:
        raise DpvizError(
            f"Unknown keys in {name}: {', '.join(sorted(unknown))}. Allowed keys:"
            f" {', '.join(sorted(KEYS))}."
        )
    for key in ("dataset", "budgets", "methods"):
        if key not in raw:
            raise DpvizError(f"{name} has no key `{key}`. The README has an example.")
    if not isinstance(raw.get("axis", ""), str):
        raise DpvizError(f"`axis` in {name} must be text in quotes, got {quoted(raw['axis'])}.")
    return raw


Grid = dict[str, list]
"""Values by setting."""


def _grids(table: Any, name: str) -> dict[str, Grid]:
    """Return the values of each setting, by method."""
    table = table if isinstance(table, dict) else {str(key): {} for key in _as_list(table)}
    for key, settings in table.items():
        get(key)
        if not isinstance(settings, dict):
            raise DpvizError(
                f"`{key}` in {name} must be a table of settings such as [methods.{key}], got"
                f" {quoted(settings)}."
            )
        for param, values in settings.items():
            if any(isinstance(value, list | dict) for value in _as_list(values)):
                raise DpvizError(
                    f"`{param}` of {key} in {name} must be a value or a list of values, got"
                    f" {quoted(values)}."
                )
    return {
        key: {param: _as_list(values) for param, values in settings.items()}
        for key, settings in table.items()
    }


def _size(grid: Grid) -> int:
    return math.prod(map(len, grid.values()))


def _settings(grid: Grid) -> Iterator[tuple[tuple[str, Any], ...]]:
    """Yield all combinations of values."""
    return product(*([(param, value) for value in values] for param, values in grid.items()))


def _draws(raw: dict[str, Any], name: str) -> list[int]:
    """Return the data draws of a table with their number."""
    if "draw" in raw:
        raise DpvizError(
            f"{name} has both `draw` and `draws`. Use `draws` for a number of data draws, or `draw`"
            " for a list."
        )
    return list(range(check_whole("`draws`", raw["draws"], 1, MAX_DRAW + 1)))


def _seeds(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else range(check_whole("`seeds`", value, 0, MAX_CELLS))


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def without_invalid(specs: Iterable[RunSpec]) -> tuple[list[RunSpec], Counter[str]]:
    """Separate valid specs from invalid ones.

    Returns:
        The valid specs in their order, and the number of invalid ones by their error message.
    """
    valid: list[RunSpec] = []
    invalid: Counter[str] = Counter()
    reasons: dict[RunSpec, str] = {}
    unreadable: dict[DataConfig, str] = {}
    for spec in specs:
        first_seed_spec = dataclasses.replace(spec, seed=0)  # no plan depends on a seed
        if first_seed_spec not in reasons:
            reasons[first_seed_spec] = _invalid_reason(first_seed_spec, unreadable)
        if reasons[first_seed_spec]:
            invalid[reasons[first_seed_spec]] += 1
        else:
            valid.append(spec)
    return valid, invalid


def _invalid_reason(spec: RunSpec, unreadable: dict[DataConfig, str]) -> str:
    """Return why a spec cannot run, or "". Unreadable data are read once."""
    data = DataConfig(**spec.facts)
    if data in unreadable:
        return unreadable[data]
    try:
        complete_spec = experiment.complete(spec)
    except DpvizError as error:
        return str(error)
    try:
        experiment.prepared(complete_spec)
    except DpvizError as error:
        unreadable[data] = str(error)
        return str(error)
    try:
        experiment.planned(complete_spec)
    except DpvizError as error:
        return str(error)
    return ""


# ------------------------------------------------------------------------------------------- status

#: Seconds between two writes of a status file.
BEAT = 2.0
#: Seconds without a write after which a sweep counts as interrupted.
MAX_SILENCE = 30.0
#: Sweeps of one owner; the oldest are deleted first.
MAX_SWEEPS = 50
NAME = re.compile(r"[0-9a-f]{20}")
KINDS: dict[str, type | tuple[type, ...]] = {"str": str, "int": int, "float": (int, float)}
"""JSON types of the fields of a status."""
STATES = ("running", "finished", "stopped", "failed")


@dataclass(frozen=True)
class Status:
    """Status of a sweep.

    Attributes:
        key: of its text; name: of its file; text: the TOML text; where: place of the computation;
            state: one of STATES; stage: current stage, or the error message; done, total: cells;
            started, beat: seconds since 1970; owner: visitor who started it on the page, or "" for
            the command line.
    """

    key: str
    name: str
    text: str
    where: str
    state: str = "running"
    stage: str = "Starting"
    done: int = 0
    total: int = 0
    started: float = 0.0
    beat: float = 0.0
    owner: str = ""

    @property
    def current_state(self) -> str:
        """State, or ``broken off`` for a running sweep whose last write is too old."""
        return (
            "broken off"
            if self.state == "running" and abs(time.time() - self.beat) > MAX_SILENCE
            else self.state
        )


def folder() -> Path:
    """Return the folder of status files."""
    return cache_dir() / "sweeps"


def key(text: str, owner: str = "") -> str:
    """Return the key of a sweep; a restart by the same owner replaces the sweep.

    Other visitors cannot compute the key.
    """
    return hashlib.sha256(f"{owner}{text}".encode(errors="surrogatepass")).hexdigest()[:20]


def statuses() -> list[Status]:
    """Return all sweeps with a readable status, latest first."""
    states = [load(path.stem) for path in folder().glob("*.json")]
    return sorted(
        (status for status in states if status),
        key=lambda status: (status.started, status.key),
        reverse=True,
    )


def load(name: str) -> Status | None:
    """Return the status of one sweep; None if it is missing or damaged."""
    path = folder() / f"{name}.json"
    try:
        if not NAME.fullmatch(name) or path.stat().st_size > MAX_STATUS_BYTES:
            return None
        raw = {"owner": ""} | json.loads(path.read_bytes())
        kinds = {field.name: KINDS[str(field.type)] for field in dataclasses.fields(Status)}
        fit = set(raw) == set(kinds) and all(
            isinstance(raw[field], kind) for field, kind in kinds.items()
        )
        return Status(**raw) if fit and raw["state"] in STATES and raw["key"] == name else None
    except (OSError, ValueError, TypeError):
        return None


def keep(status: Status) -> None:
    """Write a status file atomically."""
    content = json.dumps(dataclasses.asdict(status)).encode()
    write_atomic(folder() / f"{status.key}.json", lambda file: file.write(content))


def ask_to_stop(name: str) -> None:
    """Ask a running sweep to stop after its current batch."""
    if load(name):
        write_atomic(folder() / f"{name}.stop", lambda file: None)


@contextmanager
def watched(
    name: str, text: str, where: str, owner: str = ""
) -> Iterator[Callable[[str, int, int], None]]:
    """Update the status file of a sweep during the block; yield its progress callback.

    The callback raises Cancelled after ``ask_to_stop``.
    """
    sweep_key, began = key(text, owner), time.time()
    box = {"status": Status(sweep_key, name, text, where, started=began, beat=began, owner=owner)}
    word, finished, lock = folder() / f"{sweep_key}.stop", threading.Event(), threading.Lock()
    if not owner:  # a sweep of a page may be stopped before this line
        with suppress(OSError):
            word.unlink(missing_ok=True)

    def change(**fields: Any) -> None:
        with lock:
            box["status"] = dataclasses.replace(box["status"], **fields)

    def write(**fields: Any) -> None:
        change(beat=time.time(), **fields)
        try:
            keep(box["status"])
        except DpvizError as error:
            notes.publish(
                f"{error} The sweep continues, but the Sweeps page cannot show its progress."
            )

    def live() -> None:
        while not finished.wait(BEAT):
            write()

    def progress(stage: str, done: int, total: int) -> None:
        change(stage=stage, done=done, total=total)
        if word.exists():
            raise Cancelled

    write()
    _forget_old(owner)
    thread = threading.Thread(target=live, daemon=True)
    thread.start()
    end = {"state": "failed", "stage": "Unexpected error. See the log of the sweep."}
    try:
        yield progress
        end = {"state": "finished"}
    except (Cancelled, KeyboardInterrupt):
        end = {"state": "stopped"}
        raise
    except DpvizError as error:
        end = {"state": "failed", "stage": str(error)}
        raise
    finally:
        finished.set()
        thread.join()
        write(**end)
        with suppress(OSError):
            word.unlink(missing_ok=True)


def _forget_old(owner: str) -> None:
    for status in [status for status in statuses() if status.owner == owner][MAX_SWEEPS:]:
        if status.current_state != "running":
            forget(status.key)


def forget(name: str) -> None:
    """Delete the files of a sweep; its results stay in the store."""
    for path in folder().glob(f"{name}.*"):
        with suppress(OSError):
            path.unlink(missing_ok=True)
