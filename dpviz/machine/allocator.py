"""How the C allocator shares memory between threads."""

from __future__ import annotations

import ctypes
import os

ARENAS = 2
"""Memory pools for all threads together."""
_ARENA_MAX = -8
"""``M_ARENA_MAX`` of glibc's ``malloc.h``."""


def limit_arenas() -> bool:
    """Let all threads share ``ARENAS`` memory pools of glibc. Call it before threads start.

    By default each new thread gets a pool of its own, up to eight for each core. Memory that one
    thread frees then serves no other, and a server with many short threads keeps hundreds of MiB
    that nobody uses.

    Returns:
        False with another C library, or where ``MALLOC_ARENA_MAX`` is set: that choice is kept.
    """
    if "MALLOC_ARENA_MAX" in os.environ:
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return False
    return bool(mallopt(_ARENA_MAX, ARENAS))
