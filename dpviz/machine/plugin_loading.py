"""Methods, data sets and encoders from outside the package.

They come from the entry points of installed packages, or from Python files named by ``--plugin`` or
by the environment variable ``DPVIZ_PLUGINS``. A file defines the lists ``METHODS``, ``DATASETS`` or
``ENCODERS``. A plugin is code: it runs with the rights of the user.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from dpviz.types.checks import DpvizError, quoted

#: Environment variable of the plugin files, separated as in PATH. Child processes inherit it.
VARIABLE = "DPVIZ_PLUGINS"
#: Entry points ``dpviz.<group>``.
GROUPS = ("methods", "datasets", "encoders")
#: Start of the module name of a plugin file.
MODULE_PREFIX = "dpviz_plugin_"


def add_files(paths: list[Path]) -> None:
    """Name plugin files for this process and its children; call before the tables are imported.

    Raises:
        DpvizError: for a file that does not exist or is no Python file.
    """
    known = _paths()
    for path in paths:
        if path.suffix != ".py" or not path.is_file():
            raise DpvizError(f"A plugin must be an existing .py file, got {quoted(str(path))}.")
        known.append(path.resolve())
    os.environ[VARIABLE] = os.pathsep.join(dict.fromkeys(map(str, known)))


def extend(tables: Mapping[str, tuple[MutableMapping[str, Any], type]]) -> None:
    """Add the rows of all plugins to tables, but for those that are there already.

    Args:
        tables: table and type of its rows, by group. A group is the entry point
            ``dpviz.<group>``, and the list of this name, in capitals, in a file.

    Raises:
        DpvizError: for a plugin that fails, a row of another type, or a key that is taken.
    """
    for group, (table, kind) in tables.items():
        for origin, row in _rows(group):
            key = getattr(row, "key", None)
            if not isinstance(row, kind) or not isinstance(key, str):
                raise DpvizError(
                    f"{origin} must give rows of type {kind.__name__}, got {quoted(row)}."
                )
            if table.get(key) is row:
                continue
            if key in table:
                raise DpvizError(f"{origin} uses the key {quoted(key)}, which is taken. Rename it.")
            table[key] = row


def _rows(group: str) -> Iterator[tuple[str, Any]]:
    for point in sorted(entry_points(group=f"dpviz.{group}"), key=lambda point: point.name):
        origin = f"Entry point {point.name} of dpviz.{group}"
        given = _loaded(origin, point.load)
        yield from (
            (origin, row) for row in (given if isinstance(given, list | tuple) else [given])
        )
    for path in _paths():
        module = _loaded(f"Plugin {path.name}", partial(module_of, path))
        for row in getattr(module, group.upper(), ()):
            yield f"Plugin {path.name}", row


@contextmanager
def errors_named() -> Iterator[None]:
    """Name the plugin and the line of an error that a plugin's code raises in the block.

    Raises:
        DpvizError: for any error below a function of a plugin; the error is its cause.
    """
    try:
        yield
    except DpvizError:
        raise
    except Exception as error:  # code from outside may raise anything
        packages = {
            point.module.partition(".")[0]
            for group in GROUPS
            for point in entry_points(group=f"dpviz.{group}")
        }
        for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
            name = str(frame.f_globals.get("__name__"))
            if name.startswith(MODULE_PREFIX) or name.partition(".")[0] in packages:
                place = f"Plugin {Path(frame.f_code.co_filename).name} failed in line {line}"
                raise DpvizError(f"{place}: {_described(error)}. Fix the plugin.") from error
        raise


def _described(error: Exception) -> str:
    message = " ".join(str(error).split()) or "no message"
    return f"{type(error).__name__}: {message[:300]}"


def _loaded(origin: str, load: Callable[[], Any]) -> Any:
    try:
        return load()
    except DpvizError:
        raise
    except Exception as error:  # code from outside may raise anything
        raise DpvizError(
            f"{origin} cannot be loaded: {_described(error)}. Fix it or remove it."
        ) from error


def _paths() -> list[Path]:
    return [Path(part) for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part]


def module_of(path: Path) -> ModuleType:
    """Return the module of a plugin file, loaded once per process."""
    name = f"{MODULE_PREFIX}{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    found = importlib.util.spec_from_file_location(name, path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    try:
        found.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
