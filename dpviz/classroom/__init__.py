"""Live class: pupils answer a question on their phones, and the teacher's screen counts.

``questions`` defines questions, ``live_class`` holds seats and answers in memory, and ``server``
serves the joining pages and nothing else.
"""

from dpviz.classroom.live_class import LIVE_CLASSES, LiveClass, LiveClasses, Snapshot, open_class
from dpviz.classroom.questions import Choice, Curve, Number, Private, Question, Race

__all__ = [
    "LIVE_CLASSES",
    "Choice",
    "Curve",
    "LiveClass",
    "LiveClasses",
    "Number",
    "Private",
    "Question",
    "Race",
    "Snapshot",
    "open_class",
]
