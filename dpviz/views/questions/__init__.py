"""Twelve questions before and after the lessons, in two parallel forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpviz.content import LazyDict, read
from dpviz.formatting import unbroken

LETTERS = "abcd"
#: How far each point of a drawing may lie from the truth, of 100.
NEAR = 10
#: Answers to “how sure are you”, by how often of 100 one expects to be right.
SURE = {25: "25, a guess", 50: "50", 75: "75", 90: "90", 100: "100, certain"}
BEFORE, AFTER = "before", "after"
FORMS = ("A", "B")


@dataclass(frozen=True)
class Choice:
    """One of four.

    Attributes:
        text: the question; options: four; right: which of them is, from 0; why: said with the
            result.
    """

    text: str
    options: tuple[str, str, str, str]
    right: int
    why: str

    def is_right(self, answer: str) -> bool | None:
        """Whether an answer, one of LETTERS, is right; None for what is no answer."""
        return None if answer not in tuple(LETTERS) else LETTERS.index(answer) == self.right

    @property
    def solution(self) -> str:
        """The right answer in words."""
        return self.options[self.right]


@dataclass(frozen=True)
class DrawnCurve:
    """Five points of a curve, drawn.

    Attributes:
        text: the question; over: what lies along the axis below; at: its five places; up: what
            lies along the upright axis, 0 to 100; truth: there, of 100; why: said with the result.
    """

    text: str
    over: str
    at: tuple[str, ...]
    up: str
    truth: tuple[float, ...]
    why: str

    def is_right(self, answer: str) -> bool | None:
        """Whether an answer, whole numbers with blanks between, is near the truth everywhere; None
        for what is no answer.
        """
        points = answer.split()
        valid = all(p.isascii() and p.isdigit() and len(p) <= 3 and int(p) <= 100 for p in points)
        if len(points) != len(self.truth) or not valid:
            return None
        pairs = zip(points, self.truth, strict=True)
        return all(abs(int(point) - true) <= NEAR for point, true in pairs)

    @property
    def solution(self) -> str:
        """The right answer in words."""
        return ", ".join(f"{at}: {true:.0f}" for at, true in zip(self.at, self.truth, strict=True))


Form = Choice | DrawnCurve


@dataclass(frozen=True)
class Question:
    """An idea, asked twice.

    Attributes:
        key: of the question in files, the key of the lesson that teaches it; gist: the idea in a
            few words; transfer: whether it asks for the idea in a new situation, else for a fact;
            a, b: the forms.
    """

    key: str
    gist: str
    transfer: bool
    a: Form
    b: Form

    def form(self, name: str) -> Form:
        """The form called ``A`` or ``B``."""
        return self.a if name == "A" else self.b


def in_browser(form: Form) -> dict[str, Any]:
    """A form as the page in the browser needs it; no line ends within “ε = 1”."""
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
