"""Result store on disk, safe for several processes: keys, checksums and access.

A key covers spec, data content and code, so an old result is never used for new code. Results can
be recomputed after the file is deleted.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import platform
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from typing import Any

from dpviz import __version__, methods
from dpviz.caches import cached
from dpviz.experiments import store_file
from dpviz.machine import accelerator, code_fingerprint, notes, plugin_code, public_mode
from dpviz.types import Budget, DpvizError, Guarantee, Hits, Result, RunSpec, Sampled, Scores

BATCH = 500
#: Libraries whose version may change a number.
LIBRARIES = (
    *("numpy", "torch", "scipy", "autodp", "dp-accounting", "scikit-learn"),
    *("timm", "torchvision", "pillow"),
)
#: Characters of the checksum of a row.
CHECKSUM_CHARACTERS = 64
#: Stored runs that are read for the time of a run.
MAX_TIMED = 2_000
NOT_STORED = "Results could not be stored."


@cache
def versions() -> dict[str, str]:
    """Return the versions behind a result: package, code, Python, numeric libraries and GPU."""
    libraries = {name: version(name) for name in LIBRARIES}
    return {
        "dpviz": __version__,
        "code": code_fingerprint.own(),
        "python": platform.python_version(),
        **libraries,
        **({"gpu": accelerator.model()} if accelerator.on_gpu() else {}),
    }


def key(spec: RunSpec, fingerprint: str) -> str:
    """Return the key of the result of ``spec`` on data with this fingerprint.

    The code of a contributed method is part of the key.
    """
    method = methods.METHODS.get(spec.method)
    plugin_digest = plugin_code.known_digest(method) if method else ""
    text = f"{spec.digest}|{fingerprint}|{json.dumps(versions())}{plugin_digest}"
    return hashlib.sha256(text.encode()).hexdigest()


def read(keys: Iterable[str]) -> dict[str, Result]:
    """Return the stored results by key. Damaged rows count as missing.

    Raises:
        DpvizError: If the store is locked or cannot be opened.
    """
    key_list = list(keys)
    return store_file.using(lambda connection: dict(_rows(connection, key_list)), reading=True)


def run_seconds(dataset: str, encoder: str | None) -> dict[str, tuple[float, ...]]:
    """Return the seconds of the newest stored runs on these data, by method.

    Runs of earlier code count as well. Of the store, the newest ``MAX_TIMED`` rows are read.
    """
    seconds: dict[str, list[float]] = {}
    for raw in store_file.using(lambda connection: list(_newest(connection)), reading=True):
        spec = raw["spec"]
        if (spec["dataset"], spec["encoder"]) == (dataset, encoder):
            seconds.setdefault(spec["method"], []).append(raw["seconds"])
    return {method: tuple(values) for method, values in seconds.items()}


def recall(keys: Iterable[str]) -> dict[str, Result]:
    """Return ``read(keys)``; publish a note and return nothing if the store cannot be read."""
    try:
        return read(keys)
    except DpvizError as error:
        notes.publish(f"{NOT_STORED} {error}")
        return {}


def keep(results: Mapping[str, Result]) -> None:
    """Store results, or publish a note if they cannot be stored."""
    try:
        _write(results)
    except DpvizError as error:
        notes.publish(f"{NOT_STORED} {error}")


def _write(results: Mapping[str, Result]) -> None:
    if public_mode.is_on() and store_file.size() > public_mode.STORE_BYTES:
        return
    rows = [(key, _sealed(key, json.dumps(dataclasses.asdict(r)))) for key, r in results.items()]
    store_file.using(lambda c: c.executemany("INSERT OR REPLACE INTO results VALUES (?, ?)", rows))


@contextmanager
def keeping() -> Iterator[Callable[[Mapping[str, Result]], None]]:
    """Yield ``keep`` for a background thread; all results are written at the end.

    A slow disk does not delay the computation. Results for a locked store are written with the next
    ones, or at the end.
    """
    writes: list[Future[None]] = []
    unwritten: dict[str, Result] = {}

    def add(results: Mapping[str, Result]) -> None:
        unwritten.update(results)
        try:
            _write(unwritten)
        except store_file.Locked:
            return
        except DpvizError as error:
            notes.publish(f"{NOT_STORED} {error}")
        unwritten.clear()

    with ThreadPoolExecutor(1) as writer:
        try:
            yield lambda results: writes.append(writer.submit(add, results))
        finally:
            writes.append(writer.submit(lambda: keep(unwritten) if unwritten else None))
    for write in writes:
        write.result()


# --------------------------------------------------------------------------------------------- rows


def _newest(connection: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    rows = connection.execute(
        "SELECT key, value FROM results ORDER BY rowid DESC LIMIT ?", (MAX_TIMED,)
    )
    for row, value in rows:
        text = _unsealed(row, value)
        if text is not None:
            yield json.loads(text)


def _rows(connection: sqlite3.Connection, keys: list[str]) -> Iterator[tuple[str, Result]]:
    for start in range(0, len(keys), BATCH):
        part = keys[start : start + BATCH]
        marks = ",".join("?" * len(part))
        for row, value in connection.execute(
            f"SELECT key, value FROM results WHERE key IN ({marks})", part
        ):
            text = _unsealed(row, value)
            if text is not None:
                result = from_dict(json.loads(text))
                yield row.decode(), dataclasses.replace(result, origin="stored")


def _sealed(key: str, text: str) -> str:
    """Return the text of a row after a checksum of text and key."""
    return hashlib.sha256(f"{key}{text}".encode()).hexdigest() + text


def _unsealed(key: Any, value: Any) -> bytes | None:
    """Return the text of a row; None if text or key do not match the checksum."""
    if not (isinstance(key, bytes) and isinstance(value, bytes)):
        return None
    seal, text = value[:CHECKSUM_CHARACTERS], value[CHECKSUM_CHARACTERS:]
    return text if hashlib.sha256(key + text).hexdigest().encode() == seal else None


def from_dict(raw: dict[str, Any]) -> Result:
    """Return a Result from its ``dataclasses.asdict``, with tuples restored."""
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
    tuples = {name: _shared(tuple(raw[name])) for name in ("minority_classes", "class_counts")}
    return Result(
        **{
            **raw,
            **tuples,
            "versions": _versions(tuple(raw["versions"].items())),
            "spec": spec,
            "scores": scores,
            "guarantee": _guarantee(raw["guarantee"]),
        }
    )


def _guarantee(raw: dict[str, Any]) -> Guarantee:
    sampled = raw.get("sampled")
    return Guarantee(**{**raw, "sampled": Sampled(*sampled) if sampled else None})


def _hits(raw: dict[str, Any] | None) -> Hits | None:
    if not raw:
        return None
    return Hits(raw["bits"], _shared(tuple(raw["tested"])), _shared(tuple(raw["minority"])))


@cached(256)
def _shared(numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Return the same tuple for equal ones: thousands of results in memory share it."""
    return numbers


@cached(64)
def _versions(items: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Return the same dictionary for equal items; not to be changed."""
    return dict(items)
