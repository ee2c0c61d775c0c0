"""Twelve questions before and after the lessons, in two parallel forms."""

from dpviz.views.questions.first_six import FIRST
from dpviz.views.questions.last_six import LAST
from dpviz.views.questions.model import Choice, DrawnCurve, Form, Question

QUESTIONS: tuple[Question, ...] = (*FIRST, *LAST)

__all__ = ["QUESTIONS", "Choice", "DrawnCurve", "Form", "Question"]
