"""A plan for one class hour, from the reading times of the lessons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from dpviz.text import teach as text
from dpviz.text.template import render
from dpviz.views import lessons
from dpviz.views.lessons import LESSONS, Lesson

#: Minutes of the whole plan, to join the live class, and to discuss at the end.
TOTAL, JOINING, DISCUSSION = 40, 5, 6
#: Minutes for the answers to one prediction and their discussion.
PREDICTION = 2


@dataclass(frozen=True)
class Part:
    """One part of the plan: minutes from ``start`` to ``end``, with a lesson or without.

    Attributes:
        kind: "join", "lesson" or "discussion".
    """

    kind: str
    start: int
    end: int
    lesson: Lesson | None = None


def plan(path: Iterable[Lesson] | None = None) -> tuple[Part, ...]:
    """Return the parts: joining, the first lessons that fit, and the discussion with the rest."""
    parts, now = [Part("join", 0, JOINING)], JOINING
    for lesson in LESSONS.values() if path is None else path:
        end = now + minutes_in_class(lesson)
        if end > TOTAL - DISCUSSION:
            break
        parts.append(Part("lesson", now, end, lesson))
        now = end
    return (*parts, Part("discussion", now, TOTAL))


def predictions(lesson: Lesson) -> int:
    """Return the number of predictions in a lesson."""
    return sum(step.ask is not None for step in lesson.steps)


def minutes_in_class(lesson: Lesson) -> int:
    """Return the minutes of a lesson in a class."""
    return lessons.minutes(lesson) + PREDICTION * predictions(lesson)


def note(lesson: Lesson) -> str:
    """Return the note for the teacher, in Markdown."""
    assert lesson.teacher is not None, lesson.key
    fields = {
        "minutes": minutes_in_class(lesson),
        "predictions": predictions(lesson),
        **asdict(lesson.teacher),
    }
    return "\n".join(f"- {render(item, **fields)}" for item in text.NOTE)
