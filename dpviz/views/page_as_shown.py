"""One run of a page, for report, presentation and link, and its charts as files."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go
from plotly.utils import PlotlyJSONEncoder

from dpviz.experiments import store
from dpviz.formatting import budget_text, subset
from dpviz.methods import METHODS
from dpviz.plots.kit.drawing import copy_figure, white_template
from dpviz.types import Guarantee, Result
from dpviz.views import settings_in_words
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
    note: str = ""
    private: bool = False


@dataclass(frozen=True)
class Tile:
    """One number of a page.

    Attributes:
        label: what is counted, two or three words; value: the number with its unit.
        note: second line, such as ``−18 vs. no privacy``; help: tooltip, plain text.
        aside: added to the note except on phones.
        runs: last line, in small type: the runs behind the number.
        tone: ``bad`` where the note is a loss; ``hidden`` where the number is not shown yet.
    """

    label: str
    value: str
    note: str = ""
    help: str = ""
    tone: str = ""
    runs: str = ""
    aside: str = ""


NOTHING = "Nothing is drawn yet."
"""The answer of a page that has none."""


@dataclass(eq=False)
class ShownPage:
    """What one run of a page showed.

    Attributes:
        question, answer: title and sentence in Markdown.
        tiles: the numbers below the answer; finding: title of the main chart, in Markdown.
        plain_answer, precise_answer: the sentence at each level of detail.
        link: link of the view, without the server's address.
        notes: parts of the link that could not be used.
        pictures: charts by key, in drawing order.
        main: key of the main picture, where that is not the first.
        guarantees: guarantees by title.
        tables: tables of the report, by title.
        results: runs behind the main chart.
        view: settings of the page.
        settings: key of all settings but the budget's value.
        reproduction: code or command that gives the numbers again, where ``results`` do not.
        choices: keys of the choices among named things.
        titles, labels: options of a choice, and its label, by these keys.
        reasons: by key, why a value of the link could not be chosen.
        other_settings: keys of other pages' settings, which this page ignores.
        private: a private view was drawn.
        private_main: the main picture is a private view.
        minority: the score is by the minority, which private class counts decide.
        metric: key of the accuracy that the main chart shows.
        badge: words of the badge beside the answer.
        frame: name of the frame that charts with frames show.
        precise: the level of detail.
        phone_slider: draws the page's main slider once more, for phones; slider_label: its name,
            slider_symbol: the same in symbols.
        linked: terms that link to the glossary already.
        side_bar: places of the side bar's parts, where the page has them.
    """

    question: str = ""
    answer: str = ""
    tiles: Sequence[Tile] = ()
    finding: str = ""
    plain_answer: str = ""
    precise_answer: str = ""
    link: str = ""
    notes: Sequence[str] = ()
    pictures: dict[str, Picture] = field(default_factory=dict)
    main: str = ""
    guarantees: dict[str, Guarantee] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    results: Sequence[Result] = ()
    view: PageConfig | None = None
    settings: str = ""
    reproduction: str = ""
    choices: set[str] = field(default_factory=set)
    titles: dict[str, Mapping[str, str]] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    other_settings: set[str] = field(default_factory=set)
    private: bool = False
    private_main: bool = False
    minority: bool = False
    metric: str = "balanced"
    badge: str = ""
    frame: str = ""
    precise: bool = True
    side_bar: Any = None
    phone_slider: Callable[[], None] | None = None
    slider_label: str = ""
    slider_symbol: str = ""
    linked: set[str] = field(default_factory=set)

    @property
    def main_picture(self) -> str:
        """Key of the main picture, "" without pictures."""
        return self.main if self.main in self.pictures else next(iter(self.pictures), "")

    @property
    def private_answer(self) -> bool:
        """Whether the answer or the main picture is a private view."""
        return self.private_main or self.minority

    @property
    def stated_guarantees(self) -> dict[str, Guarantee]:
        """The guarantees by title: those that the page showed, or those of its runs."""
        if self.guarantees or self.view is None:
            return self.guarantees
        at_now = self.view.at_now(self.results)
        private = [result for result in at_now if result.spec.budget.private]
        return {METHODS[result.spec.method].title: result.guarantee for result in private}

    @property
    def has_report(self) -> bool:
        """Whether there is something that a report could tell: an answer and a picture."""
        return self.answer not in ("", NOTHING) and bool(self.pictures)


WIDTH, LETTERS = 900, 150
"""Pixels of a picture, and signs of a line at its foot."""


def charts(page: ShownPage) -> list[dict[str, Any]]:
    """All charts of a page: name, what each shows, the figure, and the lines at its foot."""
    lines = source_lines(page)
    return [
        {
            "name": key,
            "words": picture.words,
            "spec": figure_json(file_figure(still_figure(picture.figure, page.frame))),
            "lines": lines,
        }
        for key, picture in page.pictures.items()
        if picture.figure
    ]


def source_lines(page: ShownPage) -> list[str]:
    """Lines at the foot of a saved chart."""
    return textwrap.wrap(foot_text(page), LETTERS)


def foot_text(page: ShownPage) -> str:
    """Data, method, guarantee and version, for the foot of each figure."""
    private = ["private views are not covered by the guarantee"] if page.private else []
    versions = store.versions()
    return " · ".join(
        [*settings(page), *private, f"dpviz {versions['dpviz']}, code {versions['code']}"]
    )


def settings(page: ShownPage) -> list[str]:
    """Data, method, noise seeds, data draws and guarantee."""
    view, parts = page.view, []
    if view:
        words = settings_in_words.words(view)
        parts = [
            words["dataset"][1],
            f"encoder: {words['encoder'][1]}",
            subset(view),
            words["methods"][1],
            *settings_in_words.runs(view),
        ]
    if page.stated_guarantees and view:
        guarantees = page.stated_guarantees.values()
        neighbours = sorted({guarantee.adjacency for guarantee in guarantees})
        parts.append(f"{budget_text(view.budget)}, {' / '.join(neighbours)}")
    return parts


def plain_finding(page: ShownPage) -> str:
    """Return the title of the main chart without Markdown, whose only mark is bold."""
    return re.sub(r"\\(.)|\u2060", r"\1", page.finding.replace("**", ""))


def still_figure(figure: go.Figure, name: str) -> go.Figure:
    """A copy, on white, that stands at the frame of this name: a chart on a page may have been
    drawn at another and moved since.
    """
    shown = copy_figure(figure)
    for frame in shown.frames:
        if frame.name == name:
            for index, trace in zip(
                frame.traces or range(len(frame.data)), frame.data, strict=True
            ):
                shown.data[index].update(trace.to_plotly_json())
    shown.frames = ()
    return shown.update_layout(template=white_template(), width=None)


def file_figure(figure: go.Figure) -> go.Figure:
    """A chart as a picture by itself, with room for names in wider letters."""
    if (figure.layout.meta or {}).get("named"):
        figure.layout.margin.r = round(1.2 * (figure.layout.margin.r or 0))
    return figure.update_layout(width=WIDTH, height=figure.layout.height or 450)


def figure_json(figure: go.Figure) -> str:
    """A figure as JSON."""
    return json.dumps(
        {"data": figure.data, "layout": figure.layout}, cls=PlotlyJSONEncoder, sort_keys=True
    )
