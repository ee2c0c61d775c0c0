"""Releases of a custom function on two given data sets: how both are found, how the function is
called, and what a few calls show before an audit begins.

The function runs with all rights of its user, so only a shell or a program calls it, and no page. A
function runs in the same process, a name in a process of its own.
"""

from __future__ import annotations

import copy
import hashlib
import importlib
import importlib.util
import os
import pickle
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from dpviz.audits import custom_outputs
from dpviz.audits.custom_outputs import Release
from dpviz.audits.output_tokens import Place, find_places
from dpviz.machine.user_files import check_plain
from dpviz.types import DpvizError

SIDES = ("second", "first")
"""The data set without, and with, in words: SIDES[with_record]."""
NAMING_HELP = "Use module:name or file.py:name"
FILE_SUFFIXES = (".npy", ".csv")


@dataclass(frozen=True)
class NamedNeighbors:
    """Neighbors given by name: ``module:name`` of a pair or of a function that returns one, or two
    files.
    """

    texts: tuple[str, ...]


class Source(NamedTuple):
    """Source of releases.

    Attributes:
        token: tells this source from others in one process; function: itself, or its name;
        neighbours: ``Named``, or the two data sets; folder: where names are looked for.
    """

    token: str
    function: str | Callable
    neighbours: NamedNeighbors | tuple[Any, Any]
    folder: str


class Facts(NamedTuple):
    """Facts learned from a few calls.

    Attributes:
        width: numbers in a release.
        repeatable: whether the same seed gives the same again; holds_seed: whether each release
            holds its own seed; changes_data: whether the function changes its data.
        places: columns for parts of tokens (``output_tokens``); unread: how many parts got none.
    """

    width: int
    repeatable: bool
    holds_seed: bool
    changes_data: bool
    places: tuple[Place, ...] = ()
    unread: int = 0

    @property
    def columns(self) -> int:
        """Columns of a row."""
        return self.sizes + len(self.places) - self._ordered

    @property
    def sizes(self) -> int:
        """Columns at the front in which a size may have a meaning."""
        return custom_outputs.COLUMNS + self.holds_seed + self.width + self._ordered

    @property
    def _ordered(self) -> int:
        return sum(place.ordered for place in self.places)


@dataclass
class _Opened:
    """``pair``: the data sets without, and with."""

    name: str
    function: Callable
    pair: tuple[Any, Any]


_opened: dict[str, _Opened] = {}
_home: int | None = None
"""The process that functions are called in, where it is one of their own."""


def act(question: tuple, progress: Callable) -> Any:
    """Answer one question, (what, source, ...), in a process of its own, where nothing that the
    function prints is shown.
    """
    global _home
    _quiet()
    _home = os.getpid()
    try:
        return answer(question)
    finally:
        _end_copies()


def _end_copies() -> None:
    """End this process if a function made it, as a copy of the one it was called in."""
    if _home not in (None, os.getpid()):
        os._exit(0)


def _failures() -> tuple[type[BaseException], ...]:
    """What a function may end with; here a stop is whoever asked, in a process of its own not."""
    return (Exception, SystemExit) if _home is None else (BaseException,)


def answer(question: tuple) -> Any:
    """The facts of ``("probe", source, seeds)``, or the rows of ``("make", source, ...)``."""
    what, source, *rest = question
    if source.token not in _opened:
        _opened[source.token] = _open(source)
    return (_probe if what == "probe" else _make)(_opened[source.token], *rest)


def forget(source: Source) -> None:
    """Free the data of a source."""
    _opened.pop(source.token, None)


def _quiet() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for handle in range(3):
        os.dup2(null, handle)
    os.close(null)


# ------------------------------------------------------------------------------------ what is named


def _open(source: Source) -> _Opened:
    if source.folder not in sys.path:
        sys.path.insert(0, source.folder)
    function = source.function
    called = function if isinstance(function, str) else getattr(function, "__name__", "function")
    if isinstance(function, str):
        function = load_named(function, "The function", source.folder)
    if not callable(function):
        raise DpvizError(f"{called} must be a function, got {type(function).__name__}.")
    given = source.neighbours
    with_record, without_record = (
        _neighbours(given.texts, source.folder) if isinstance(given, NamedNeighbors) else given
    )
    return _Opened(called, function, (without_record, with_record))


def load_named(text: str, what: str, folder: str) -> Any:
    """What ``module:name`` or ``file.py:name`` names, from ``folder``.

    Raises:
        DpvizError: where there is none, or its module fails.
    """
    module, _, name = text.rpartition(":")
    if not module or not name:
        raise DpvizError(f"{what} {text!r} has no module name. {NAMING_HELP}.")
    try:
        target: Any = _module(module, folder)
        for part in name.split("."):
            target = getattr(target, part)
    except DpvizError:
        raise
    except _failures() as error:
        raise DpvizError(
            f"Cannot import {what.lower()} {text}: {last_line(error)}. {NAMING_HELP}."
        ) from error
    return target


def _module(name: str, folder: str) -> ModuleType:
    if not name.endswith(".py"):
        return importlib.import_module(name)
    path = Path(folder, name).resolve()
    check_plain(path, name)
    own = f"file_{hashlib.blake2b(str(path).encode(), digest_size=8).hexdigest()}"
    if own not in sys.modules:
        spec = importlib.util.spec_from_file_location(own, path)
        assert spec is not None and spec.loader is not None
        sys.path.insert(0, str(path.parent))
        module = importlib.util.module_from_spec(spec)
        sys.modules[own] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[own]
            raise
    return sys.modules[own]


def _neighbours(texts: tuple[str, ...], folder: str) -> tuple[Any, Any]:
    if len(texts) == 2:
        with_record, without_record = (_file(Path(folder, text)) for text in texts)
        return with_record, without_record
    if len(texts) != 1:
        raise DpvizError(
            f"--neighbors must be one module:name of a pair or two files, got {len(texts)} values."
        )
    (text,) = texts
    pair = load_named(text, "The pair", folder)
    try:
        with_record, without_record = pair() if callable(pair) else pair
    except _failures() as error:
        raise DpvizError(
            f"{text} is not a pair of data sets ({last_line(error)}). Use a pair (more, less), or a"
            " function without arguments that returns a pair."
        ) from error
    return with_record, without_record


def _file(path: Path) -> np.ndarray:
    try:
        if path.suffix in FILE_SUFFIXES:
            check_plain(path, path.name)
        if path.suffix == ".npy":
            return np.load(path, allow_pickle=False)
        if path.suffix == ".csv":
            with path.open(encoding="utf-8") as file:
                first = file.readline().strip().split(",")
            return np.loadtxt(path, delimiter=",", skiprows=int(not _all_numbers(first)))
    except DpvizError:
        raise
    except (OSError, ValueError, EOFError) as error:
        raise DpvizError(
            f"Cannot read {path.name}: {last_line(error)}. Use a .npy file of numbers, or a .csv"
            " file of numbers with an optional header."
        ) from error
    raise DpvizError(
        f"{path.name} must be a {' or '.join(FILE_SUFFIXES)} file. Or use module:name of a pair."
    )


def _all_numbers(words: Sequence[str]) -> bool:
    try:
        return bool([float(word) for word in words])
    except ValueError:
        return False


def last_line(error: BaseException) -> str:
    """Last line of a traceback, with its file and line."""
    message = traceback.format_exception_only(error)[-1].strip().rstrip(".")
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename[:1] != "<"]
    return (
        f"{message} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})"
        if frames
        else message
    )


# ----------------------------------------------------------------------------------------- releases


def _released(opened: _Opened, with_record: bool, seed: int, fresh: bool) -> Release:
    """One release; ``fresh``: of a copy of the data."""
    data = opened.pair[with_record]
    where = f"on the {SIDES[with_record]} data set with seed {seed}"
    try:
        output = opened.function(copy.deepcopy(data) if fresh else data, seed)
    except _failures() as error:
        raise DpvizError(f"{opened.name} failed {where}: {last_line(error)}.") from error
    finally:
        _end_copies()
    try:
        return custom_outputs.numbers(output)
    except DpvizError as error:
        raise DpvizError(f"{opened.name} returned {error} {where}.") from error
    except _failures() as error:
        raise DpvizError(
            f"Cannot read the output of {opened.name} {where}: {last_line(error)}."
        ) from error


def _probe(opened: _Opened, seeds: tuple[Sequence[int], Sequence[int]]) -> Facts:
    """What a few releases show: ``seeds`` of each data set, without and with."""
    before, original = _digest(opened.pair), copy.deepcopy(opened.pair)
    results = [
        [_released(opened, bool(side), seed, False) for seed in seeds[side]] for side in (0, 1)
    ]
    changes_data = before != _digest(opened.pair)
    if changes_data:
        opened.pair = original
    repeated = [
        [_released(opened, bool(side), seed, changes_data) for seed in seeds[side]]
        for side in (0, 1)
    ]
    first = results[0] + results[1]
    width = max(len(release.values) for release in first)
    repeatable = all(map(Release.equals, first, repeated[0] + repeated[1]))
    holds_seed = repeatable and all(
        seed in release.values for release, seed in zip(first, (*seeds[0], *seeds[1]), strict=True)
    )
    places = find_places([release.tokens for release in first])
    free = custom_outputs.MAX_NUMBERS - width
    unread = max(len(places) - free, 0)
    return Facts(width, repeatable, holds_seed, changes_data, tuple(places[:free]), unread)


def _digest(data: Any) -> bytes:
    try:
        return hashlib.blake2b(pickle.dumps(data), digest_size=16).digest()
    except Exception:  # what cannot be written down is taken not to change
        return b""


def _make(
    opened: _Opened, facts: Facts, seeds: tuple[Sequence[int], Sequence[int]], seconds: float
) -> tuple[np.ndarray, np.ndarray]:
    """Rows (runs, k) of releases without and with, as many as are made in ``seconds``, by turns in
    an order that a seed's last bit decides; k is ``facts.columns``. Where a release tells its seed,
    the second column is whether it is what that seed gives on the second data set.
    """
    end = time.monotonic() + seconds
    results: tuple[list, list] = ([], [])
    for pair in zip(*seeds, strict=True):
        for side in (0, 1) if pair[0] % 2 else (1, 0):
            results[side].append(_released(opened, bool(side), pair[side], facts.changes_data))
        if time.monotonic() > end:
            break
    tables = [custom_outputs.rows(side, facts.width, facts.places) for side in results]
    if facts.holds_seed:
        tables = [
            np.insert(table, 1, _as_without(opened, side, own, facts), axis=1)
            for table, side, own in zip(tables, results, seeds, strict=True)
        ]
    return tables[0], tables[1]


def _as_without(opened: _Opened, releases: list, seeds: Sequence[int], facts: Facts) -> list[float]:
    return [
        float(release.equals(_released(opened, False, seed, facts.changes_data)))
        for release, seed in zip(releases, seeds, strict=False)
    ]
