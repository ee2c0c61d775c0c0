"""The count of a private question whose true answers came to this machine: told once, with noise.

What is told stays with the room, so that a teacher whose page was loaded anew sees the same number:
another draw would spend the budget again.
"""

from __future__ import annotations

import threading
from weakref import WeakKeyDictionary

import numpy as np

from dpviz import mechanisms
from dpviz.classroom.questions import Private
from dpviz.classroom.rooms import LiveClass
from dpviz.types import DpvizError

_RELEASED: WeakKeyDictionary[LiveClass, tuple[int, int]] = WeakKeyDictionary()
_lock = threading.Lock()


def release(room: LiveClass) -> int:
    """How many said yes to what the room is asked, with noise; the same number for whoever asks
    again. The true answers are forgotten with the first.

    Guarantee: epsilon-DP of the question for one person's answer being replaced by the other, by
        exact discrete noise from the system's entropy; who answered is public.

    Raises:
        DpvizError: where no private question by the server is asked, or it still takes answers.
    """
    with _lock:
        shot = room.snapshot()
        previous = _RELEASED.get(room)
        if previous and previous[0] == shot.number:
            return previous[1]
        if not isinstance(shot.question, Private):
            raise DpvizError("No private question is asked in this room; ask one first.")
        count = room.private_yes_count(shot.number)
        count_released = int(mechanisms.yes_counts(np.array([count]), shot.question.epsilon)[0])
        _RELEASED[room] = shot.number, count_released
        return count_released


def released(room: LiveClass) -> int | None:
    """What was told of the present question; None before."""
    number, count = _RELEASED.get(room, (None, None))
    return count if number == room.snapshot().number else None
