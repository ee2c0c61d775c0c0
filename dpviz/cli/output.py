"""What commands write: JSON to standard output, progress to standard error."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from dpviz.machine.files import is_stream, write_atomic
from dpviz.types import DpvizError

LONGEST = 1_000
"""Signs of a refusal: what was given stands in it, and may be a book."""


def print_json(value: Any) -> None:
    """``value`` as JSON that a person can read too."""
    print(json.dumps(value, indent=2, ensure_ascii=False))


def progress(what: str, done: int, total: int) -> None:
    """How far the work is, on one line, where a person looks on; without a total, only what it
    is.
    """
    if sys.stderr.isatty():
        count = f": {done} of {total}" if total else ""
        print(
            f"\r{what}{count}\033[K",
            end="\n" if total and done >= total else "",
            file=sys.stderr,
            flush=True,
        )


def refuse(error: DpvizError) -> None:
    """Say why not, without the control signs and the length of what was given."""
    text = str(error)
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 :]}"
    clean = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
    print(clean, file=sys.stderr)


def check_place(path: Path) -> None:
    """Refuse, before anything is computed, a place where no file can be written.

    Raises:
        DpvizError: for a folder, socket or block device, a name that no file can have, or one in
            no folder.
    """
    try:
        folder, inside = path.is_dir() or not path.name, path.parent.is_dir()
        if inside and not folder:
            path.lstat()
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        raise DpvizError(f"{str(path)!a} is no name for a file; give --out another.") from error
    if folder:
        raise DpvizError(f"{str(path)!r} is a folder; give --out the name of a file.")
    if not inside:
        raise DpvizError(f"There is no folder {str(path.parent)!r}; make it first.")
    is_stream(path)  # which refuses sockets and block devices


def write(path: Path, text: str) -> None:
    """Write a text, all of it or nothing, as ``write_atomic`` does.

    Raises:
        DpvizError: where the place cannot be written to.
    """
    write_atomic(path, lambda file: file.write(text.encode()))
