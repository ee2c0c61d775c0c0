"""What a lesson is made of: steps, and the three kinds of prediction that a step may ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Outcome:
    """What does the next step change?

    Attributes:
        text: the question; method, score: whose accuracy of which kind (a key of METRICS) is
            compared;
        then: the method of the next step, where it is another;
        comes: what the next step's words take for granted, a key of ``lesson_outcomes.CHANGES``.
    """

    text: str
    method: str
    score: str = "minority"
    then: str | None = None
    comes: str = ""


@dataclass(frozen=True)
class Reason:
    """Why is it so? Its evidence is what the next step shows.

    Attributes:
        text: the question; options: what may be chosen, each a whole sentence;
        right: the place of the right one, from 0;
        why: said after the choice, whatever was chosen.
    """

    text: str
    options: tuple[str, ...]
    right: int
    why: str


@dataclass(frozen=True)
class Drawing:
    """How does the curve run? It is drawn by hand, then the true one is laid over it.

    Attributes:
        text: the question;
        over: what stands along the chart: a setting of the runs ("eps", "ir", "records",
            "per_person"), or what the formula takes;
        values: the places at which the curve is drawn, increasing;
        method, score: whose accuracy of which kind, for ``curve`` "runs";
        curve: "runs", computed with this step's other settings, or a key of
            ``lesson_outcomes.CURVES``, a formula;
        gap: explains where people usually draw it wrong.
    """

    text: str
    over: str
    values: tuple[float, ...]
    method: str = ""
    score: str = "minority"
    curve: str = "runs"
    gap: str = ""


Ask = Outcome | Reason | Drawing


@dataclass(frozen=True)
class Step:
    """One view.

    Attributes:
        page: address of the page; link: its settings as they stand in a link;
        look: Markdown, what to look at; ask: what is predicted before the next step, if anything;
        covered: the chart is not shown, since it would give the answer away;
        at: key of the element that is scrolled into view, a chart's or a fold's.
    """

    page: str
    link: Mapping[str, str]
    look: str
    ask: Ask | None = None
    covered: bool = False
    at: str = ""


@dataclass(frozen=True)
class Lesson:
    """A handful of steps.

    Attributes:
        key: in the link; title: a question; gist: one sentence for the list;
        says: what you can say after it, each a whole sentence.
    """

    key: str
    title: str
    gist: str
    steps: tuple[Step, ...] = field(repr=False)
    says: tuple[str, ...] = field(default=(), repr=False)
