"""Keeps the server from pausing in the middle of an answer."""

from __future__ import annotations

import gc
import sys

TURN = 5e-4
"""Seconds after which a busy thread lets another one go on. Python's 5 ms let a script hold up the very sentence that it has written."""

_modules = 0


def settle() -> None:
    """Take what was imported out of the garbage collector's sight: it stays until the end anyway.

    A full collection walks over every object with all threads stopped, a fifth of a second once the numeric
    libraries are there; afterwards next to nothing. Done anew only when something more was imported.
    """
    global _modules
    if len(sys.modules) != _modules:
        sys.setswitchinterval(TURN)
        gc.collect()
        gc.freeze()
        _modules = len(sys.modules)
