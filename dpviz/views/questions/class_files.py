"""Answers of a class from untrusted CSV files; invalid rows are reported and left out."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from dpviz.formatting import printable
from dpviz.text import questions as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError
from dpviz.views.questions import AFTER, BEFORE, FORMS, QUESTIONS, SURE

COLUMNS = (
    "id",
    "when",
    "form",
    "item",
    "lesson",
    "answer",
    "right",
    "confidence",
    "seconds",
)
MEGABYTES = 2
FILES = 500
ROWS = 50_000
#: Maximum number of messages about invalid rows.
MOST_REFUSALS = 20
#: Maximum number of characters in a cell.
CELL = 40
ID = re.compile(r"[0-9A-Za-z_-]{1,40}")


@dataclass(frozen=True)
class Answer:
    """A row of a file.

    Attributes:
        person: random id.
        when: "before" or "after" the lessons.
        form: "A" or "B".
        item: index of the question.
        answer: the answer.
        right: whether it is right.
        sure: how sure the person is, a key of ``SURE``.
    """

    person: str
    when: str
    form: str
    item: int
    answer: str
    right: bool
    sure: int


@dataclass(frozen=True)
class ClassAnswers:
    """Answers in their order, and messages about what was left out."""

    answers: tuple[Answer, ...]
    left_out: tuple[str, ...]


class _Refused(ValueError):
    """The reason for which a row is left out."""


def read(files: Iterable[tuple[str, bytes]]) -> ClassAnswers:
    """Return the answers in files, each from one browser or several joined.

    Args:
        files: name and content of each untrusted file.

    Raises:
        DpvizError: For too many files, rows or bytes.
    """
    answers: dict[tuple[str, str, int], Answer] = {}
    sentences: list[str] = []
    rows = 0
    for place, (name, content) in enumerate(files, start=1):
        if place > FILES:
            raise DpvizError(f"Too many files: the limit is {FILES}. Merge some of them first.")
        for line, row in _rows(_called(name), content, sentences):
            rows += 1
            if rows > ROWS:
                raise DpvizError(
                    f"Too many rows: the limit is {ROWS:,}. Use fewer files at a time."
                )
            try:
                _take(_answer(row), answers)
            except _Refused as reason:
                sentences.append(f"{_called(name)}, line {line}: {reason}")
    omitted = len(sentences) - MOST_REFUSALS
    refusals = sentences[:MOST_REFUSALS]
    if omitted > 0:
        refusals.append(render_text(text.MORE_ERRORS, rows=omitted))
    return ClassAnswers(tuple(answers.values()), tuple(refusals))


def _called(name: str) -> str:
    return printable(PurePosixPath(name).name)[:60] or "file"


def _rows(file: str, content: bytes, sentences: list[str]) -> Iterable[tuple[int, dict[str, str]]]:
    """Yield rows with their lines; repeated headers of joined files are skipped."""
    if len(content) > MEGABYTES << 20:
        raise DpvizError(f"{file} is larger than {MEGABYTES} MiB. Split it.")
    try:
        decoded = content.decode("utf-8-sig")
        first = decoded.partition("\n")[0]
        comma = ";" if first.count(";") > first.count(",") else ","
        lines = csv.reader(io.StringIO(decoded, newline=""), delimiter=comma, strict=True)
        head = [cell.strip().lower() for cell in next(lines, [])]
        if missing := [name for name in COLUMNS if name not in head]:
            sentences.append(
                f"{file} has no column `{missing[0]}`. Use files from “Download answers (CSV)”."
            )
            return
        for row in lines:
            cells = [cell.strip().lstrip("\ufeff") for cell in row]
            if any(cells) and [cell.lower() for cell in cells] != head:
                yield lines.line_num, dict(zip(head, cells, strict=False))
    except UnicodeDecodeError:
        sentences.append(f"{file} is not UTF-8 text. Use the original file.")
    except csv.Error as error:
        sentences.append(
            f"{file} is not valid CSV ({str(error)[:60]}). Rows above the error are used."
        )


def _answer(row: dict[str, str]) -> Answer:
    short = [name for name in COLUMNS if name not in row]
    if short:
        raise _Refused(f"column `{short[0]}` is missing.")
    if long := [name for name in COLUMNS if len(row[name]) > CELL]:
        raise _Refused(f"`{long[0]}` is longer than {CELL} characters.")
    keys = tuple(QUESTIONS)
    key = _one_of("lesson", row["lesson"], keys)
    when = _one_of("when", row["when"], (BEFORE, AFTER))
    form = _one_of("form", row["form"], FORMS)
    sure = int(_one_of("confidence", row["confidence"], tuple(map(str, SURE))))
    if not ID.fullmatch(row["id"]):
        raise _Refused("`id` must have 1 to 40 letters and digits.")
    # answers are scored again: the file may be edited or old
    right = QUESTIONS[key].form(form).is_right(row["answer"])
    if right is None:
        raise _Refused(f"{row['answer']!r} is not an answer to question `{row['lesson']}`.")
    return Answer(row["id"], when, form, keys.index(key), row["answer"], right, sure)


def _one_of(column: str, value: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise _Refused(f"`{column}` must be one of {', '.join(allowed)}, got {value!r}.")
    return value


def _take(answer: Answer, answers: dict[tuple[str, str, int], Answer]) -> None:
    """Store an answer; an identical row, as in a file given twice, is skipped."""
    place = answer.person, answer.when, answer.item
    if answers.setdefault(place, answer) != answer:
        key = tuple(QUESTIONS)[answer.item]
        raise _Refused(
            f"{answer.person} has a different answer to `{key}` ({answer.when}) above. The first"
            " one counts."
        )
