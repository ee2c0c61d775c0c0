"""Hash of the code behind a method, which may come from outside this package.

The hash covers the files that provide each function, and the values bound to it: arguments of a
``functools.partial``, defaults and variables of a closure. The ``__module__`` of a function names
no file for certain, since ``functools.wraps`` copies it.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import hashlib
import importlib.util
import sys
import sysconfig
import time
import types
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from dpviz.caches import cached
from dpviz.machine.code_fingerprint import PACKAGE

START_TIME = time.time_ns()
#: In place of a hash where the code cannot be determined. No other process has the same.
UNKNOWN_DIGEST = f"unknown {uuid.uuid4().hex}"
#: Packages that are named by their version instead (``store.versions``).
VERSIONED = {PACKAGE.name, "numpy", "torch", "scipy", "autodp", *sys.stdlib_module_names}
INSTALLED = [Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib")]
SCALARS = (type(None), bool, int, float, complex, str, bytes)

_digests: dict[int, tuple[object, str]] = {}


def known_digest(value: object) -> str:
    """Return the ``digest`` of a value when this was first asked in this process."""
    entry = _digests.get(id(value))
    if entry is None or entry[0] is not value:
        entry = _digests[id(value)] = value, digest(value)
    return entry[1]


def digest(value: object) -> str:
    """Return a hash of a value and of the files outside this package that provide its functions.

    A package is hashed with all its files, and with what it imports from folders of no installed
    package. The result is ``UNKNOWN_DIGEST`` for values of other kinds, for code without a
    file, and for files that changed after this process started, which may not be the loaded ones.
    """
    reader = _Reader()
    try:
        reader.read(value)
        files = sorted({file for name in _with_imports(reader.modules) for file in _files(name)})
        states = [_state(file) for file in files]
        if any(changed > START_TIME for changed, _ in states):
            return UNKNOWN_DIGEST
        contents = [_content(*pair) for pair in zip(files, states, strict=True)]
    except (_UndeterminedError, OSError):
        return UNKNOWN_DIGEST
    return hashlib.sha256("\n".join([*reader.parts, *contents]).encode()).hexdigest()[:24]


class _UndeterminedError(Exception):
    """The value or the code of an object cannot be determined."""


class _Reader:
    """Collect the modules that provide a value's functions, and what is bound to them."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.parts: list[str] = []
        self._seen: dict[int, object] = {}

    def read(self, value: Any) -> None:
        """Read a value and all that it holds."""
        if type(value) in SCALARS or isinstance(value, np.generic):
            self.parts.append(f"{type(value).__name__} {value!r}")
        elif type(value) is np.ndarray and not value.dtype.hasobject:
            content = hashlib.sha256(value.tobytes()).hexdigest()
            self.parts.append(f"array {value.dtype} {value.shape} {content}")
        elif id(value) in self._seen:
            self.parts.append("again")
        else:
            self._seen[id(value)] = value
            parts = self._parts(value)
            self.parts.append(f"{type(value).__name__} of {len(parts)}")
            for part in parts:
                self.read(part)

    def _parts(self, value: Any) -> list[Any]:
        if isinstance(value, types.FunctionType):
            return self._function(value)
        if isinstance(value, types.MethodType):
            return [value.__func__, value.__self__]
        if isinstance(value, functools.partial):
            return [value.func, value.args, value.keywords]
        if isinstance(value, functools._lru_cache_wrapper):
            return [value.__wrapped__]
        if isinstance(value, types.ModuleType):
            self._provided_by(value.__name__)
            return [value.__name__]
        if isinstance(value, type | types.BuiltinFunctionType):
            for owner in value.__mro__ if isinstance(value, type) else [value]:
                self._provided_by(owner.__module__)
            return [value.__module__, value.__qualname__]
        if type(value) in (tuple, list):
            return list(value)
        if type(value) in (set, frozenset):
            return sorted(value, key=repr)
        if type(value) in (dict, types.MappingProxyType):
            return [part for item in value.items() for part in item]
        if dataclasses.is_dataclass(value):
            names = [field.name for field in dataclasses.fields(value)]
            return [type(value), *(getattr(value, name) for name in names)]
        raise _UndeterminedError

    def _function(self, function: types.FunctionType) -> list[Any]:
        """Return what is bound to a function."""
        code, file = function.__code__, Path(function.__code__.co_filename).resolve()
        name = str(function.__globals__.get("__name__")).partition(".")[0]
        if file.is_relative_to(PACKAGE.resolve()):
            name = PACKAGE.name
        elif name == PACKAGE.name or (name not in VERSIONED and file not in _files(name)):
            raise _UndeterminedError
        self._provided_by(name)
        try:
            cells = [cell.cell_contents for cell in function.__closure__ or ()]
        except ValueError as empty:
            raise _UndeterminedError from empty
        bound = [function.__defaults__, function.__kwdefaults__, vars(function), cells]
        return [file.name, code.co_qualname, code.co_firstlineno, *bound]

    def _provided_by(self, module: str | None) -> None:
        if (name := str(module).partition(".")[0]) not in VERSIONED:
            self.modules.add(name)


def _with_imports(names: Iterable[str]) -> set[str]:
    """Return these modules, and all that they import from folders of no installed package."""
    files: set[str] = set()
    pending = set(names)
    while pending:
        files.add(name := pending.pop())
        for file in _files(name):
            if file.suffix == ".py":
                pending |= {
                    imported for imported in _imports(file, _state(file)) if _is_local(imported)
                }
        pending -= files
    return files


def _is_local(name: str) -> bool:
    if name in VERSIONED:
        return False
    folders, file = _location(name)
    places = [Path(place).resolve() for place in (*folders, file) if place]
    return bool(places) and not any(p.is_relative_to(i) for p in places for i in INSTALLED)


def _files(name: str) -> list[Path]:
    """Return all files of a package, or the file of a module."""
    folders, file = _location(name)
    if folders:
        paths = (path for folder in folders for path in Path(folder).resolve().rglob("*"))
        return [p for p in paths if "__pycache__" not in p.parts and p.is_file()]
    if not file:
        raise _UndeterminedError
    return [Path(file).resolve()]


def _location(name: str) -> tuple[list[str], str | None]:
    """Return the folders of a package, or no folder and the file of a module."""
    if module := sys.modules.get(name):
        return list(getattr(module, "__path__", [])), getattr(module, "__file__", None)
    spec = importlib.util.find_spec(name)
    if spec is None:
        return [], None
    return list(spec.submodule_search_locations or []), spec.origin if spec.has_location else None


@cached(4096)
def _content(file: Path, state: tuple[int, int]) -> str:
    with file.open("rb") as stream:
        return f"{file.name} {hashlib.file_digest(stream, 'sha256').hexdigest()}"


@cached(4096)
def _imports(file: Path, state: tuple[int, int]) -> set[str]:
    """Return the top-level packages that a file's absolute imports name."""
    try:
        nodes = list(ast.walk(ast.parse(file.read_bytes())))
    except (SyntaxError, ValueError):  # a template, for example
        return set()
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(n.module) for n in nodes if isinstance(n, ast.ImportFrom) and not n.level}
    return {name.partition(".")[0] for name in names}


def _state(file: Path) -> tuple[int, int]:
    """Return what changes when a file is written: its time and its size."""
    return (status := file.stat()).st_mtime_ns, status.st_size
