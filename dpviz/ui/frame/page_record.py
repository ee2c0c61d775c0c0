"""What a page draws in one run, kept until that run is over: for its report, its presentation and
its link.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from dpviz.types import Guarantee, Result
from dpviz.views.view import View
from dpviz.words import unbroken

PICTURE, ANSWER = "picture", "answer"
"""Keys of the containers that a presentation shows."""


@dataclass(frozen=True, eq=False)
class Picture:
    """A chart as it was drawn last, or a picture in HTML; ``words`` say what it shows."""

    words: str
    figure: go.Figure | None = None
    html: Callable[[], str] | None = None


@dataclass(eq=False)
class Drawn:
    """One run of a page.

    Attributes:
        question, answer: title and sentence (Markdown); pictures: by key, in drawing order;
        promises: guarantees by title; results: runs behind the main chart; view: the settings;
        again: code or command that gives the numbers again, where ``results`` do not;
        choices: keys of the choices among named things; private: a private view is among what was
            drawn;
        frame: name of the frame at which charts that have frames stand.
    """

    question: str = ""
    answer: str = ""
    pictures: dict[str, Picture] = field(default_factory=dict)
    promises: dict[str, Guarantee] = field(default_factory=dict)
    results: Sequence[Result] = ()
    view: View | None = None
    again: str = ""
    choices: set[str] = field(default_factory=set)
    private: bool = False
    frame: str = ""


_thread = threading.local()


@contextmanager
def collecting() -> Iterator[Drawn]:
    """Collect what is drawn in this thread until the end of the block."""
    _thread.drawn = Drawn()
    try:
        yield _thread.drawn
    finally:
        _thread.drawn = None


def now() -> Drawn:
    """The record of this run; where nobody collects, one that is thrown away."""
    return getattr(_thread, "drawn", None) or Drawn()


def question(words: str) -> Any:
    """The page's question as its title; returns the place of the answer."""
    st.title(words)
    now().question = words
    return st.container(key=ANSWER)


def answer(place: Any, words: str) -> None:
    """The sentence that answers the question, in Markdown, drawn into its place."""
    now().answer = unbroken(words)
    place.markdown(unbroken(words))


def picture() -> Any:
    """The place of the main picture, with its badge where it has one."""
    return st.container(key=PICTURE)


def html(key: str, words: str, make: Callable[[], str]) -> None:
    """Take down a picture that is no chart; ``make`` gives its HTML when a report asks for it."""
    now().pictures[key] = Picture(words, html=make)
