"""Short lessons in the order of the path, each a file in ``dpviz/content/lessons``. A step sets the
controls by its link, says what to look at, and may ask for a prediction.

What comes true is computed from the settings of a step and the next one; a test compares it with
what the words take for granted.
"""

from __future__ import annotations

from typing import Any

from dpviz.content import LazyDict, read
from dpviz.views.lessons.model import Ask, Drawing, Lesson, Outcome, Reason, Step

PATH = (
    "promise",
    "epsilon",
    "minorities",
    "encoder",
    "clipping",
    "coinpress",
    "public",
    "composition",
    "person",
    "sure",
    "teachers",
    "tuning",
    "broken",
    "caught",
)


def _step(table: dict[str, Any]) -> Step:
    ask: Ask | None = None
    if outcome := table.pop("outcome", None):
        ask = Outcome(**outcome)
    elif reason := table.pop("reason", None):
        ask = Reason(**reason | {"options": tuple(reason["options"])})
    elif drawing := table.pop("drawing", None):
        ask = Drawing(**drawing | {"values": tuple(drawing["values"])})
    return Step(**table, ask=ask)


def _lesson(key: str) -> Lesson:
    table = read(f"lessons/{key}.toml")
    lists = {
        "steps": tuple(_step(step) for step in table.pop("step")),
        "says": tuple(table["says"]),
    }
    return Lesson(key, **table | lists)


LESSONS: LazyDict[str, Lesson] = LazyDict(lambda: {key: _lesson(key) for key in PATH})
