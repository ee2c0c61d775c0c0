"""Notes: sentences about problems that do not stop the work, such as a full disk."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

#: Seconds in which the same note is published once.
REPEAT_SECONDS = 60.0

log = logging.getLogger(__name__)
listeners: list[Callable[[str], object]] = []
"""Called with each note; without listeners, notes are logged as warnings."""

_last_times: dict[str, float] = {}
_lock = threading.Lock()


def publish(sentence: str) -> None:
    """Send a note to all listeners, unless it was sent a moment ago."""
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
