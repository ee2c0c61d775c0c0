"""The lesson that teaches what a question asks for."""

from __future__ import annotations

from dpviz.views.lesson_outcomes import address
from dpviz.views.lessons import LESSONS


def lesson_of(key: str, **more: str) -> tuple[str, str]:
    """Title and address of a question's lesson; more: further parts of the link."""
    return LESSONS[key].title, address(LESSONS[key], 0, **more)
