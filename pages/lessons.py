"""Lessons: guided steps through the other pages, with predictions."""

from dpviz.text import lessons as text
from dpviz.ui.frame import page_parts
from dpviz.ui.lessons import answer

place = page_parts.question(text.TITLE)
page_parts.answer(place, answer.answer(True), answer.answer(False))
answer.end()
answer.path()
