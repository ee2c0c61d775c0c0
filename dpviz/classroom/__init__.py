"""A room: a class answers a question from its phones, and the teacher's screen counts.

What may be asked is in ``questions``, who has answered what in ``rooms``; ``server`` shows phones
the joining pages and nothing else. All of it is in memory, and goes with the room.
"""

from dpviz.classroom.questions import Choice, Curve, Number, Private, Question
from dpviz.classroom.rooms import LIVE_CLASSES, LiveClass, LiveClasses, Snapshot, open_class

__all__ = [
    "LIVE_CLASSES",
    "Choice",
    "Curve",
    "LiveClass",
    "LiveClasses",
    "Number",
    "Private",
    "Question",
    "Snapshot",
    "open_class",
]
