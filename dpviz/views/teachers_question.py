"""A teacher's own question above any page: how a link carries it, and what is said once it is
answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import parse_qsl, urlencode

from dpviz.formatting import literal

MAX_TEXT_CHARS, MAX_ANSWERS, MAX_ANSWER_CHARS = 300, 6, 120
"""Signs of a question and of what is said afterwards, answers, and signs of one, that are kept."""
TEACHER_NAMES = frozenset({"only", "ask", "answer", "right", "then", "cover"})
"""What a link may say for a teacher."""
FRAME_SIZE = 900, 560
"""Pixels of the frame in which a page is embedded."""


class Link(Protocol):
    """The names and values of an address."""

    def get_all(self, key: str) -> Sequence[str]:
        """All values of a name, in their order."""


@dataclass(frozen=True)
class Question:
    """What a teacher asks.

    Attributes:
        text: the question; answers: to choose from, none for a question that is talked about;
        right: place of the right one, counted from 1, 0 where none is; then: said once it is
            answered; covered: the page below is not shown before that.
    """

    text: str
    answers: tuple[str, ...] = ()
    right: int = 0
    then: str = ""
    covered: bool = False


def read_question(link: Link) -> Question:
    """The question of a link; what is too long or out of range is cut or left out."""
    first = lambda name: next(iter(link.get_all(name)), "")
    answers = [answer[:MAX_ANSWER_CHARS] for answer in link.get_all("answer") if answer.strip()][
        :MAX_ANSWERS
    ]
    answers = list(dict.fromkeys(answers))
    right = first("right")
    place = int(right) if right in map(str, range(1, len(answers) + 1)) else 0
    covered = first("cover") == "1" and bool(first("ask"))
    return Question(
        first("ask")[:MAX_TEXT_CHARS],
        tuple(answers),
        place,
        first("then")[:MAX_TEXT_CHARS],
        covered,
    )


def question_link(link: str, only: Sequence[str], question: Question) -> str:
    """A view's link, changed so that it shows these controls alone and asks this question."""
    base, _, query = link.partition("?")
    kept = [(k, v) for k, v in parse_qsl(query, keep_blank_values=True) if k not in TEACHER_NAMES]
    if only:
        kept.append(("only", ",".join(only)))
    if question.text:
        kept.append(("ask", question.text[:MAX_TEXT_CHARS]))
        kept += [("answer", answer[:MAX_ANSWER_CHARS]) for answer in question.answers[:MAX_ANSWERS]]
        kept += [("right", str(question.right))] if question.right else []
        kept += [("then", question.then[:MAX_TEXT_CHARS])] if question.then else []
        kept += [("cover", "1")] if question.covered else []
    return f"{base}?{urlencode(kept, safe=',')}"


def frame_html(link: str) -> str:
    """HTML that shows a link's page inside another site's."""
    address = f"{link}{'&' if '?' in link else '?'}embed=true".replace("&", "&amp;")
    width, height = FRAME_SIZE
    return (
        f'<iframe src="{address}" width="{width}" height="{height}"'
        ' title="dpviz: what privacy costs" style="border: 0"></iframe>'
    )


def reply(question: Question, said: int) -> str:
    """What is said once an answer was chosen, in Markdown.

    Args:
        said: place of the answer, counted from 1; 0 for a question without answers.
    """
    told = ""
    if said and question.right:
        right = literal(question.answers[question.right - 1])
        told = "**Right.**" if said == question.right else f"**Not quite:** “{right}”."
    elif said:
        told = f"You said “{literal(question.answers[said - 1])}”. Now look."
    return " ".join(part for part in (told, literal(question.then)) if part)
