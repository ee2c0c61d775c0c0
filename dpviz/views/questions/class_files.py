"""Answers of a class from untrusted CSV files; bad rows are listed and left out."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from dpviz.formatting import printable
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
#: Most sentences about rows that were left out.
MOST_REFUSALS = 20
#: Most characters of a cell.
CELL = 40
ID = re.compile(r"[0-9A-Za-z_-]{1,40}")


@dataclass(frozen=True)
class Answer:
    """A row: who, when, to which question (its place) in which form, what, whether it is right,
    and how sure (a key of SURE).
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
    """Answers in the order they came, and sentences about what was left out."""

    answers: tuple[Answer, ...]
    left_out: tuple[str, ...]


class _Refused(ValueError):
    """Why a row is left out."""


def read(files: Iterable[tuple[str, bytes]]) -> ClassAnswers:
    """The answers in some files, each a browser's or several joined.

    Args:
        files: name and content of each, strangers'.

    Raises:
        DpvizError: for more files, rows or bytes than are accepted.
    """
    answers: dict[tuple[str, str, int], Answer] = {}
    sentences: list[str] = []
    rows = 0
    for place, (name, content) in enumerate(files, start=1):
        if place > FILES:
            raise DpvizError(f"These are more than {FILES} files; join some of them first.")
        for line, row in _rows(_called(name), content, sentences):
            rows += 1
            if rows > ROWS:
                raise DpvizError(f"The files hold more than {ROWS:,} rows; use fewer at a time.")
            try:
                _take(_answer(row), answers)
            except _Refused as reason:
                sentences.append(f"{_called(name)}, line {line}: {reason}")
    omitted = len(sentences) - MOST_REFUSALS
    refusals = sentences[:MOST_REFUSALS] + (
        [f"And {omitted:,} more rows were left out."] if omitted > 0 else []
    )
    return ClassAnswers(tuple(answers.values()), tuple(refusals))


def _called(name: str) -> str:
    return printable(PurePosixPath(name).name)[:60] or "A file"


def _rows(file: str, content: bytes, sentences: list[str]) -> Iterable[tuple[int, dict[str, str]]]:
    """Rows by their line; a head that comes again, where files were joined, is no row."""
    if len(content) > MEGABYTES << 20:
        raise DpvizError(f"{file} is larger than {MEGABYTES} MiB; divide it.")
    try:
        text = content.decode("utf-8-sig")
        first = text.partition("\n")[0]
        comma = ";" if first.count(";") > first.count(",") else ","
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=comma, strict=True)
        head = [cell.strip().lower() for cell in next(lines, [])]
        if missing := [name for name in COLUMNS if name not in head]:
            sentences.append(
                f"{file} has no column {missing[0]}; use the files that “Your answers as CSV”"
                " writes."
            )
            return
        for row in lines:
            cells = [cell.strip().lstrip("\ufeff") for cell in row]
            if any(cells) and [cell.lower() for cell in cells] != head:
                yield lines.line_num, dict(zip(head, cells, strict=False))
    except UnicodeDecodeError:
        sentences.append(f"{file} is not text in UTF-8; use the file as it was written.")
    except csv.Error as error:
        sentences.append(f"{file} is no plain CSV ({str(error)[:60]}); its other rows were read.")


def _answer(row: dict[str, str]) -> Answer:
    short = [name for name in COLUMNS if name not in row]
    if short:
        raise _Refused(f"it ends before the column {short[0]}.")
    if long := [name for name in COLUMNS if len(row[name]) > CELL]:
        raise _Refused(f"its {long[0]} is longer than {CELL} characters.")
    keys = tuple(QUESTIONS)
    key = _one_of("lesson", row["lesson"], keys)
    when = _one_of("when", row["when"], (BEFORE, AFTER))
    form = _one_of("form", row["form"], FORMS)
    sure = int(_one_of("confidence", row["confidence"], tuple(map(str, SURE))))
    if not ID.fullmatch(row["id"]):
        raise _Refused("its id is empty, or has signs other than letters and digits.")
    # what the file says of right is not believed: it may have been changed, or be older
    right = QUESTIONS[key].form(form).is_right(row["answer"])
    if right is None:
        raise _Refused(f"{row['answer']!r} is no answer to the question {row['lesson']}.")
    return Answer(row["id"], when, form, keys.index(key), row["answer"], right, sure)


def _one_of(column: str, value: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise _Refused(f"its {column} is {value!r}; it can be {', '.join(allowed)}.")
    return value


def _take(answer: Answer, answers: dict[tuple[str, str, int], Answer]) -> None:
    """Keep an answer; the same row again, as in a file given twice, is passed over."""
    place = answer.person, answer.when, answer.item
    if answers.setdefault(place, answer) != answer:
        key = tuple(QUESTIONS)[answer.item]
        raise _Refused(
            f"{answer.person} has another answer to {key} {answer.when} the lessons above; the"
            " first one counts."
        )
