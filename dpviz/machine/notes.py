"""What went wrong beside the work without ending it, such as a full disk: a sentence for whoever
looks at the results.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

REPEAT_SECONDS = 60.0
"""Seconds in which the same sentence is told once."""

log = logging.getLogger(__name__)
listeners: list[Callable[[str], object]] = []
"""Called with each sentence; where there are none, it is logged as a warning."""

_last_times: dict[str, float] = {}
_lock = threading.Lock()


def publish(sentence: str) -> None:
    """Give a sentence to those who listen, unless they had it a moment ago."""
    now = time.monotonic()
    with _lock:
        for old in [
            known_sentence
            for known_sentence, last_time in _last_times.items()
            if now - last_time > REPEAT_SECONDS
        ]:
            del _last_times[old]
        if sentence in _last_times:
            return
        _last_times[sentence] = now
    for listener in listeners or [log.warning]:
        listener(sentence)
