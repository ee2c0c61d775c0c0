"""Where rebuildable files live, and how they are written so that a kill leaves the old one or the
new one.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

from dpviz.types import DpvizError

ROOT = Path(__file__).resolve().parents[2]
"""The checkout, or where packages are installed."""


def cache_dir() -> Path:
    """The folder for rebuildable files: ``$DPVIZ_CACHE``, ``cache/`` of a checkout, or that of the
    user where the package is installed.

    Raises:
        DpvizError: where it cannot be made.
    """
    folder = Path(os.environ.get("DPVIZ_CACHE") or _own_cache())
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error
    return folder


def _own_cache() -> Path:
    if (ROOT / "app.py").is_file():
        return ROOT / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dpviz"


def write_atomic(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write ``path`` through a temporary file in the same folder and a rename.

    Args:
        path: final place; its folder is made if missing.
        write: called with the open binary file.

    Raises:
        DpvizError: where the folder cannot be written to, or the disk is full; nothing is left
            behind.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise _unwritable(path.parent, error) from error
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
        os.replace(name, path)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise _unwritable(path.parent, error) from error
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _unwritable(folder: Path, error: OSError) -> DpvizError:
    return DpvizError(
        f"Cannot write to {folder} ({error.strerror or error}); free space or allow writing there, "
        "or set DPVIZ_CACHE to another folder. What is done is kept."
    )
