"""Results on disk: one SQLite file under the cache folder, safe for several processes.

A key covers the spec, the data's content and the code that computes, so that an old result never
answers for new code. Deleting the file loses nothing but time.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import platform
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dpviz import __version__
from dpviz.machine import code_fingerprint
from dpviz.machine.files import cache_dir
from dpviz.types import Budget, DpvizError, Guarantee, Hits, Result, RunSpec, Scores

BATCH = 500


@cache
def versions() -> dict[str, str]:
    """What computed a result: this package, its code, Python and the numeric libraries."""
    libraries = {name: version(name) for name in ("numpy", "torch", "scipy", "autodp")}
    return {
        "dpviz": __version__,
        "code": code_fingerprint.own(),
        "python": platform.python_version(),
        **libraries,
    }


def key(spec: RunSpec, fingerprint: str) -> str:
    """Where the result of ``spec`` on data with this fingerprint is kept."""
    return hashlib.sha256(
        f"{spec.digest}|{fingerprint}|{json.dumps(versions())}".encode()
    ).hexdigest()


def _connect() -> sqlite3.Connection:
    """The store; one that is not a database any more is put aside and begun anew."""
    path = cache_dir() / "results.sqlite"
    try:
        return _open(path)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise DpvizError(
                f"Cannot keep results in {path} ({error}); free space or allow writing there, or"
                " set DPVIZ_CACHE."
            ) from error
        path.unlink(missing_ok=True)
        return _open(path)


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=30)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, value TEXT NOT NULL)"
        )
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection


def read(keys: Iterable[str]) -> dict[str, Result]:
    """The results that are there, by key, marked as stored. A damaged row counts as not there."""
    wanted = list(keys)
    found: dict[str, Result] = {}
    with closing(_connect()) as connection:
        for start in range(0, len(wanted), BATCH):
            part = wanted[start : start + BATCH]
            marks = ",".join("?" * len(part))
            for row, value in connection.execute(
                f"SELECT key, value FROM results WHERE key IN ({marks})", part
            ):
                try:
                    found[row] = dataclasses.replace(from_dict(json.loads(value)), origin="stored")
                except (ValueError, KeyError, TypeError):
                    continue
    return found


def write(results: dict[str, Result]) -> None:
    """Keep results; what another process wrote meanwhile is the same and stays."""
    rows = [(k, json.dumps(dataclasses.asdict(r))) for k, r in results.items()]
    with closing(_connect()) as connection, connection:
        connection.executemany("INSERT OR REPLACE INTO results VALUES (?, ?)", rows)


def from_dict(raw: dict[str, Any]) -> Result:
    """A Result from ``dataclasses.asdict`` of it, tuples restored."""
    spec = raw["spec"]
    spec = RunSpec(
        **{**spec, "budget": Budget(**spec["budget"]), "params": tuple(map(tuple, spec["params"]))}
    )
    scores = Scores(
        **{
            **raw["scores"],
            "per_class": tuple(raw["scores"]["per_class"]),
            "hits": _hits(raw["scores"]["hits"]),
        }
    )
    tuples = {name: tuple(raw[name]) for name in ("minority_classes", "class_counts")}
    return Result(
        **{
            **raw,
            **tuples,
            "spec": spec,
            "scores": scores,
            "guarantee": Guarantee(**raw["guarantee"]),
        }
    )


def _hits(raw: dict[str, Any] | None) -> Hits | None:
    return Hits(raw["bits"], tuple(raw["tested"]), tuple(raw["minority"])) if raw else None
