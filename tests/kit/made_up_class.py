"""A made-up class for tests: nobody answered this."""

from __future__ import annotations

import random

from dpviz.views.questions import LETTERS, QUESTIONS, SURE, Choice
from dpviz.views.questions.class_files import COLUMNS


def rows(people: int, knew: float, knows: float, seed: int = 0) -> list[tuple[object, ...]]:
    """Rows of a class that has each question right this often before and after."""
    draw = random.Random(seed)
    made = []
    for person in range(people):
        first = draw.choice("AB")
        for when, share in (("before", knew), ("after", knows)):
            form = first if when == "before" else "AB"[first == "A"]
            for number, question in enumerate(QUESTIONS.values(), start=1):
                right = draw.random() < share
                asked = question.form(form)
                sure = draw.choice(list(SURE))
                known = [f"p{person:08x}", when, form, number, question.key]
                made.append((*known, _said(asked, right, draw), int(right), sure, 20))
    return made


def _said(asked, right: bool, draw: random.Random) -> str:
    if isinstance(asked, Choice):
        wrong = [letter for i, letter in enumerate(LETTERS) if i != asked.right]
        return LETTERS[asked.right] if right else draw.choice(wrong)
    return " ".join(f"{true if right else 50:.0f}" for true in asked.truth)


def csv(made: list[tuple[object, ...]]) -> bytes:
    """The same as a file."""
    lines = [COLUMNS, *made]
    return "".join(",".join(map(str, line)) + "\r\n" for line in lines).encode()
