"""Questions of the quiz, and of the test before and after the lessons in two parallel forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpviz.content import LazyDict, read
from dpviz.formatting import unbroken
from dpviz.text import questions as text

LETTERS = "abcd"
#: Points within which each value of a right drawing is.
NEAR = 10
#: Levels of certainty, in percent, with their names.
SURE = text.SURE
BEFORE, AFTER = "before", "after"
FORMS = ("A", "B")


@dataclass(frozen=True)
class Choice:
    """A question with four options.

    Attributes:
        text: the question.
        options: the four options.
        right: index of the right option.
        why: the explanation shown with the result.
    """

    text: str
    options: tuple[str, str, str, str]
    right: int
    why: str

    def is_right(self, answer: str) -> bool | None:
        """Return whether an answer, one of ``LETTERS``, is right; None for an invalid answer."""
        return None if answer not in tuple(LETTERS) else LETTERS.index(answer) == self.right

    @property
    def solution(self) -> str:
        """The right answer as text."""
        return self.options[self.right]


@dataclass(frozen=True)
class DrawnCurve:
    """A question for five points of a curve.

    Attributes:
        text: the question.
        over: title of the horizontal axis.
        at: names of its five values.
        up: title of the vertical axis, from 0 to 100.
        truth: the true values.
        why: the explanation shown with the result.
    """

    text: str
    over: str
    at: tuple[str, ...]
    up: str
    truth: tuple[float, ...]
    why: str

    def is_right(self, answer: str) -> bool | None:
        """Return whether five whole numbers are all near the truth; None for an invalid answer."""
        points = answer.split()
        valid = all(p.isascii() and p.isdigit() and len(p) <= 3 and int(p) <= 100 for p in points)
        if len(points) != len(self.truth) or not valid:
            return None
        pairs = zip(points, self.truth, strict=True)
        return all(abs(int(point) - true) <= NEAR for point, true in pairs)

    @property
    def solution(self) -> str:
        """The right answer as text."""
        return ", ".join(f"{at}: {true:.0f}" for at, true in zip(self.at, self.truth, strict=True))


Form = Choice | DrawnCurve


@dataclass(frozen=True)
class Question:
    """An idea with a question before and another one after the lessons.

    Attributes:
        key: key of the lesson that teaches it, also in files.
        gist: the idea in a few words.
        transfer: whether it asks for the idea in a new situation, else for a fact.
        a, b: the two forms.
    """

    key: str
    gist: str
    transfer: bool
    a: Form
    b: Form

    def form(self, name: str) -> Form:
        """Return the form ``A`` or ``B``."""
        return self.a if name == "A" else self.b


def in_browser(form: Form) -> dict[str, Any]:
    """Return a form as the browser needs it, without line breaks within “ε = 1”."""
    words = {"text": form.text, "why": form.why, "solution": form.solution}
    shared = {key: unbroken(text) for key, text in words.items()}
    if isinstance(form, Choice):
        options = tuple(map(unbroken, form.options))
        return shared | {"options": options, "right": LETTERS[form.right]}
    return shared | {
        "over": form.over,
        "at": form.at,
        "up": form.up,
        "truth": form.truth,
        "near": NEAR,
    }


__all__ = ["QUESTIONS", "QUIZ", "Choice", "DrawnCurve", "Form", "Question"]


def _form(table: dict[str, Any]) -> Form:
    table |= {key: tuple(value) for key, value in table.items() if isinstance(value, list)}
    return Choice(**table) if "options" in table else DrawnCurve(**table)


def _question(key: str, table: dict[str, Any]) -> Question:
    return Question(key, **table | {form: _form(table[form]) for form in ("a", "b")})


#: Questions of the test, in their order, by the key of the lesson that teaches the answer.
QUESTIONS: LazyDict[str, Question] = LazyDict(
    lambda: {key: _question(key, table) for key, table in read("questions.toml").items()}
)
#: Questions of the short quiz, in their order, by the key of the lesson that teaches the answer.
QUIZ: LazyDict[str, Choice] = LazyDict(
    lambda: {
        key: Choice(**table | {"options": tuple(table["options"])})
        for key, table in read("quiz.toml").items()
    }
)
