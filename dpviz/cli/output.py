"""What commands write: JSON to standard output, progress to standard error."""

from __future__ import annotations

import json
import sys
from typing import Any


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
