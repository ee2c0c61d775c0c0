"""Quiz: four questions with explanations, or the test before and after the lessons."""

from dpviz.text import questions as text
from dpviz.ui.frame import page_parts
from dpviz.ui.questions import answer

is_test = answer.is_test()
place = page_parts.question(text.TEST_TITLE if is_test else text.TITLE)
words = text.ANSWERS["test" if is_test else "quiz"]
page_parts.answer(place, words.fill(precise=True), words.fill(precise=False))
(answer.test if is_test else answer.quiz)()
