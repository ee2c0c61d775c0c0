"""What a page showed in one run, for its report, its presentation and its link."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import plotly.graph_objects as go

from dpviz.types import Guarantee, Result
from dpviz.views.page_config import PageConfig


@dataclass(frozen=True, eq=False)
class Picture:
    """A chart as it was drawn last, or a picture in HTML; ``words`` say what it shows; ``private``:
    it stands below the badge of a private view.
    """

    words: str
    figure: go.Figure | None = None
    html: Callable[[], str] | None = None
    private: bool = False


@dataclass(frozen=True)
class Table:
    """A card's table: heads of the columns after the first, rows that begin with their name, and
    what is said below; ``private``: it is a private view.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    below: str = ""
    private: bool = False


NOTHING = "Nothing is drawn yet."
"""The answer of a page that has none."""


@dataclass(eq=False)
class ShownPage:
    """One run of a page.

    Attributes:
        question, answer: title and sentence (Markdown); plain, told: that sentence in the plain
            and in the precise voice; link: of the view, without the server's address; notes: what
            of the link that was followed could not be used;
        pictures: by key, in drawing order; main: key of the main one, where that is not the first;
        promises: guarantees by title; tables: those of a report, by title; results: runs behind the
            main chart; view: the settings;
        again: code or command that gives the numbers again, where ``results`` do not;
        choices: keys of the choices among named things; titles: what can be chosen, labels:
            what it is called, by these keys; reasons: by key, why what was asked for
            could not be chosen; passed: keys of other pages' settings, whose absence is no loss
            here; private: a private view is among what was drawn; first: the main picture is one;
            minority: the chosen score is by the minority, which private class counts decide;
        frame: name of the frame at which charts that have frames stand; precise: in which voice it
            spoke; linked: terms that link to the glossary already.
    """

    question: str = ""
    answer: str = ""
    plain: str = ""
    told: str = ""
    link: str = ""
    notes: Sequence[str] = ()
    pictures: dict[str, Picture] = field(default_factory=dict)
    main: str = ""
    promises: dict[str, Guarantee] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    results: Sequence[Result] = ()
    view: PageConfig | None = None
    again: str = ""
    choices: set[str] = field(default_factory=set)
    titles: dict[str, Mapping[str, str]] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    passed: set[str] = field(default_factory=set)
    private: bool = False
    first: bool = False
    minority: bool = False
    frame: str = ""
    precise: bool = True
    linked: set[str] = field(default_factory=set)

    @property
    def private_answer(self) -> bool:
        """Whether the answer or the main picture is a private view."""
        return self.first or self.minority

    @property
    def tells(self) -> bool:
        """Whether there is something that a report could tell: an answer and a picture."""
        return self.answer not in ("", NOTHING) and bool(self.pictures)
