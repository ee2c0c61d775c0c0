"""Links of views, and the teacher's question that a link may carry."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol
from urllib.parse import parse_qsl, urlencode

from dpviz.formatting import literal, number
from dpviz.text import teach as text
from dpviz.text.template import render

#: Maximum characters of a question and of its explanation, answers, and characters of an answer.
MAX_TEXT_CHARS, MAX_ANSWERS, MAX_ANSWER_CHARS = 300, 6, 120
#: Names in a link that belong to a teacher's question.
TEACHER_NAMES = frozenset({"only", "ask", "answer", "right", "then", "cover"})
#: Pixels of the frame in which a page is embedded.
FRAME_SIZE = 900, 560


class Link(Protocol):
    """The names and values of an address."""

    def get_all(self, key: str) -> Sequence[str]:
        """All values of a name, in their order."""


@dataclass(frozen=True)
class Question:
    """A teacher's question above a page.

    Attributes:
        text: the question.
        answers: answers to choose from; none for a discussion.
        right: number of the right answer, counted from 1; 0 for none.
        then: explanation after an answer.
        covered: whether the page is hidden before an answer.
    """

    text: str
    answers: tuple[str, ...] = ()
    right: int = 0
    then: str = ""
    covered: bool = False


def read_question(link: Link) -> Question:
    """Return the question of a link; values that are too long or out of range are dropped."""
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
    """Return a view's link with a question above it and only these controls."""
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
    """Return HTML that embeds a link's page in another site."""
    address = f"{link}{'&' if '?' in link else '?'}embed=true".replace("&", "&amp;")
    width, height = FRAME_SIZE
    return (
        f'<iframe src="{address}" width="{width}" height="{height}"'
        ' title="dpviz: what privacy costs" style="border: 0"></iframe>'
    )


def reply(question: Question, place: int) -> str:
    """Return the reply to a chosen answer, in Markdown.

    Args:
        question: the question.
        place: number of the answer, counted from 1; 0 for a question without answers.
    """
    verdict = ""
    if place and place == question.right:
        verdict = text.RIGHT_REPLY
    elif place and question.right:
        verdict = render(text.WRONG_REPLY, answer=question.answers[question.right - 1])
    elif place:
        verdict = render(text.OPEN_REPLY, answer=question.answers[place - 1])
    return " ".join(part for part in (verdict, literal(question.then)) if part)


NON_CONTROLS = (
    frozenset({"lesson", "step", "said", "drawn", "ended", "test"})
    | {"present", "from", "embed", "embed_options", "whom"}
    | TEACHER_NAMES
)
"""Names in a link that are no controls; ``whom`` is one of links from before the page about
persons.
"""


MAX_VALUE_CHARS, MAX_NOTES = 40, 6
"""Signs of a value, and notes, that are shown."""


def link_values(values: Mapping[str, Any], choices: set[str]) -> dict[str, list[str]]:
    """Values as a link writes them.

    Args:
        choices: names whose lists are written with commas; other lists repeat the name.
    """
    words_of = {}
    for key, value in values.items():
        words = [_word(v) for v in value] if isinstance(value, list) else [_word(value)]
        words_of[key] = [",".join(words)] if key in choices else words
    return words_of


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return number(value) if float(number(value)) == value else repr(value)
    return str(value)


def address(page: str, values: Mapping[str, Any], choices: set[str]) -> str:
    """The link of a view, every control in it, relative to the server's address."""
    return f"{page}?{urlencode(link_values(values, choices), doseq=True)}"


def notes(
    raw: Mapping[str, Sequence[str]],
    values: Mapping[str, Any],
    choices: set[str],
    whole: bool,
    reasons: Mapping[str, str] = MappingProxyType({}),
) -> list[str]:
    """A sentence (Markdown, escaped) for each part of a link that was not taken as it stands.

    Args:
        raw: what the link says; values: what the controls stand at; whole: all controls were drawn;
            reasons: sentences that say why a value cannot be used, and what would work.
    """
    now, sentences = link_values(values, choices), []
    for key, values_of_link in raw.items():
        if key in NON_CONTROLS:
            continue
        if key in now and not _same(values_of_link, now[key]):
            used = literal(_short(now[key])) or "nothing"
            reason = f" {literal(reasons[key])}" if key in reasons else ""
            unused = _unused(values_of_link, now[key]) if key in choices else []
            cannot = (
                f"has no {_quoted(unused)}" if unused else f"cannot be {_quoted(values_of_link)}"
            )
            sentences.append(
                f"**{literal(key[:MAX_VALUE_CHARS])}** {cannot}; {used} is used.{reason}"
            )
        elif key not in now and whole:
            sentences.append(
                f"**{literal(key[:MAX_VALUE_CHARS])}** ({_quoted(values_of_link)}) is no setting"
                " of this view."
            )
    return sentences


def _unused(values: Sequence[str], used: Sequence[str]) -> list[str]:
    """What is not used of a list with commas, where something of it is."""
    words, kept = (",".join(words_of).split(",") for words_of in (values, used))
    unused = [word for word in words if word and word not in kept]
    return unused if len(unused) < len(words) else []


def _same(first: Sequence[str], second: Sequence[str]) -> bool:
    return len(first) == len(second) and all(
        a.lower() == b.lower() or _float(a) == _float(b) for a, b in zip(first, second, strict=True)
    )


def _float(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word


def endless(word: str) -> bool:
    """Whether a value is a number that is not finite, or too large for one: 1e400, inf, nan."""
    number = _float(word)
    return isinstance(number, float) and not math.isfinite(number)


def _quoted(words: Sequence[str]) -> str:
    return f"“{literal(_short(words))}”"


def _short(words: Sequence[str]) -> str:
    text = ", ".join(words)
    return text if len(text) <= MAX_VALUE_CHARS else f"{text[:MAX_VALUE_CHARS]}…"


def first_notes(sentences: Sequence[str]) -> str:
    """The first notes, and how many more there are."""
    addition = f" And {len(sentences) - MAX_NOTES} more." if len(sentences) > MAX_NOTES else ""
    return " ".join(sentences[:MAX_NOTES]) + addition
