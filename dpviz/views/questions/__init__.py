"""Twelve questions before and after the lessons, in two parallel forms."""

from __future__ import annotations

from typing import Any

from dpviz.content import LazyDict, read
from dpviz.views.questions.model import Choice, DrawnCurve, Form, Question

__all__ = ["QUESTIONS", "Choice", "DrawnCurve", "Form", "Question"]


def _form(table: dict[str, Any]) -> Form:
    table |= {key: tuple(value) for key, value in table.items() if isinstance(value, list)}
    return Choice(**table) if "options" in table else DrawnCurve(**table)


def _question(key: str, table: dict[str, Any]) -> Question:
    return Question(key, **table | {form: _form(table[form]) for form in ("a", "b")})


#: By the key of the lesson that teaches what a question asks, in their order.
QUESTIONS: LazyDict[str, Question] = LazyDict(
    lambda: {key: _question(key, table) for key, table in read("questions.toml").items()}
)
