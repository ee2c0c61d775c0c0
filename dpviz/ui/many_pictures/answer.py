"""The answer of "One person, many pictures": runs, the chart's data, the sentence and the cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.formatting import METRIC_WORDS, budget_text, percent, spread, subset
from dpviz.methods import METHODS
from dpviz.plots.kit.style import line_style
from dpviz.plots.settings import RecordsCurve, RecordsLine
from dpviz.run.jobs import Job
from dpviz.stats import Interval, accuracy, signs
from dpviz.types import Result
from dpviz.ui.many_pictures.controls import BOUNDS, PersonsView
from dpviz.ui.widgets import cards, shared_controls
from dpviz.views import many_pictures_page, phrases, public_only
from dpviz.views.many_pictures_page import Sides
from dpviz.views.page_as_shown import NOTHING
from dpviz.views.page_config import Group
from dpviz.views.phrases import recognition_text, title_in_sentence

AXIS_TITLE = "pictures a person, at most"
DOTTED_TEXT = "dotted: promised to each picture"
Runs = Mapping[tuple[str, int | None], list[Result]]
"""By line and bound; by method and None: promised to each picture."""


def lines(view: PersonsView) -> dict[str, tuple[str, tuple[tuple[str, Any], ...]]]:
    """Method and settings of each line that promises to persons, by title."""
    by_title: dict[str, tuple[str, tuple[tuple[str, Any], ...]]] = {}
    for key in view.methods:
        method, own = METHODS[key], dict(dict(view.params).get(key, ()))
        clips = any(param.name == "person" for param in method.params)
        ways = {method.title: {"person": "group"} if clips else {}}
        if clips:
            ways[f"{method.title}, each person clipped"] = {"person": "clip"}
        if method.private:
            by_title |= {title: (key, tuple((own | way).items())) for title, way in ways.items()}
    return by_title


def wanted(view: PersonsView) -> dict[tuple[str, int | None], Group]:
    """What the chart needs, at the budget looked at: each method promised to each picture, and each
    line over the bounds.
    """
    seeds = range(view.first_seed, view.first_seed + view.seeds)
    by_line = lines(view)
    groups: dict[tuple[str, int | None], Group] = {
        (key, None): tuple(view.spec(key, seed=s) for s in seeds) for key, _ in by_line.values()
    }
    for title, (key, params) in by_line.items():
        for bound in BOUNDS:
            fields: dict[str, Any] = {"unit": "person", "per_person": bound, "params": params}
            groups[title, bound] = tuple(view.spec(key, seed=s, **fields) for s in seeds)
    return groups


def quick_first(
    groups: Mapping[tuple[str, int | None], Group], results: Runs, view: PersonsView
) -> list[tuple[str, int | None]]:
    """Names of the groups of lines: those first whose method is quick where it promises to each
    picture, and what clips persons, which takes longer, last.
    """
    by_line = lines(view)

    def effort(line: str) -> tuple[bool, float]:
        key, params = by_line[line]
        seconds = sum(run.seconds for run in results.get((key, None), []))
        return dict(params).get("person") == "clip", seconds

    return sorted((name for name in groups if name[0] in by_line), key=lambda name: effort(name[0]))


def finished_runs(job: Job, groups: Mapping[tuple[str, int | None], Group]) -> Runs:
    """What is there of the runs so far."""
    return {name: job.done[group] for name, group in groups.items() if group in job.done}


def curve(
    results: Runs, view: PersonsView, metric: str, public: Interval | None = None
) -> RecordsCurve:
    """The chart's data from what is there of the runs; ``public``: public data alone."""
    points: dict[tuple[str, str, bool], dict[int, Interval]] = {}
    for title, (key, _) in lines(view).items():
        points[title, key, False] = {
            bound: accuracy(runs, metric)
            for (line, bound), runs in results.items()
            if line == title and bound is not None
        }
        if (key, None) in results:
            across = dict.fromkeys(BOUNDS, accuracy(results[key, None], metric))
            points[f"{METHODS[key].title}, to each picture", key, True] = across
    if public:
        across = dict.fromkeys(BOUNDS, public)
        points[public_only.TITLE, public_only.KEY, True] = across
    classes = next((len(runs[0].class_counts) for runs in results.values()), 0)
    current = -1 if view.image_bound is None else view.image_bound
    return RecordsCurve.from_points(
        points, metric, current, 1 / max(classes, 1), AXIS_TITLE, DOTTED_TEXT
    )


# ---------------------------------------------------------------------------------------- the costs


@dataclass(frozen=True)
class Cost:
    """What the promise to persons costs one line.

    Attributes:
        title, method: of the line; bound: pictures a person that are looked at, 0 for all; picture,
            person: accuracies under the two promises; signs: of the difference to each method's
            promise to each picture, by method, 0 within noise.
    """

    title: str
    method: str
    bound: int
    picture: Interval
    person: Interval
    signs: Mapping[str, int]

    @property
    def sign(self) -> int:
        """Of the difference to the same method, promised to each picture."""
        return self.signs[self.method]

    @property
    def points(self) -> float:
        """Points of accuracy that are lost."""
        return 100 * (self.picture.mean - self.person.mean)


def costs(shown: RecordsCurve, view: PersonsView) -> list[Cost]:
    """Of each line that is complete, the dearest first.

    Differences at all bounds of all lines to all methods are looked at together, whichever of them
    are then picked.
    """
    quiet = (line for line in shown.lines if line.quiet)
    levels = {line.method: line.points[0] for line in quiet if line.method != public_only.KEY}
    whole = [
        line
        for line in shown.lines
        if not line.quiet and len(line.values) == len(BOUNDS) and line.method in levels
    ]
    pairs = {
        (line.title, bound, method): (level, point)
        for line in whole
        for bound, point in zip(line.values, line.points, strict=True)
        for method, level in levels.items()
    }
    clear, line_costs = signs(pairs), []
    for line in whole:
        bound = best(line) if view.image_bound is None else view.image_bound
        pair = pairs[line.title, bound, line.method]
        each = {method: clear[line.title, bound, method] for method in levels}
        line_costs.append(Cost(line.title, line.method, bound, *pair, each))
    return sorted(line_costs, key=lambda cost: -cost.points)


def best(line: RecordsLine) -> int:
    """The bound with the highest mean; all of them are no bound that a release may have."""
    bounded = [pair for pair in zip(line.points, line.values, strict=True) if pair[1]]
    return max(bounded, key=lambda pair: (pair[0].mean, -pair[1]))[1]


# ----------------------------------------------------------------------------------------- sentence


def answer(line_costs: list[Cost], view: PersonsView, metric: str) -> str:
    """In Markdown: what the promise to a person costs the line that keeps it best."""
    if not any(METHODS[key].private for key in view.methods):
        return "Choose a private method to see what a promise to a person costs."
    if not line_costs:
        return NOTHING
    cost = top(line_costs)
    if not cost.person.is_measured:
        return phrases.untested()
    sides = (
        f"**{percent(cost.person)}** {METRIC_WORDS[metric]}, with {limit_text(cost.bound)}, instead"
        f" of **{percent(cost.picture)}** where the same method promises to each picture"
    )
    several_lines = len(line_costs) > 1
    picked = " Which are best was seen by a look at private data." * (
        several_lines or view.image_bound is None
    )
    table = " What each method loses stands in the table below." * several_lines
    return (
        f"At {subset(view)} and {budget_text(view.budget)} the promise to a person costs"
        f" {title_in_sentence(cost.title)} {_points_lost(cost)}:"
        f" {'at best ' * bool(picked)}{sides}.{picked}{table}"
    )


def beside_public(line_costs: list[Cost], public: Interval | None) -> tuple[str, str]:
    """Public data alone against the promise to persons, precise and plain."""
    points = {cost.title: cost.person for cost in line_costs}
    precise, plain = (
        public_only.sentence(points, public, each)
        for each in (public_only.ACCURACY, public_only.PLAIN)
    )
    return precise, plain


def so_far(complete: int, view: PersonsView) -> str:
    """How many lines are there while others are computed."""
    return (
        f"{complete} of {len(lines(view))} lines are complete. What a promise to a person costs is"
        " said once all are."
    )


def plainly(line_costs: list[Cost], view: PersonsView, metric: str, results: Runs) -> str | None:
    """The same in the plain voice; nothing while there is nothing to say."""
    if not line_costs:
        return None
    cost, names = top(line_costs), shared_controls.class_names(view.any_run)
    runs = results[cost.title, cost.bound]
    few = phrases.rare_class_names(names, runs[0].class_counts, runs[0].spec.draw)
    if not cost.person.is_measured:
        return phrases.untested(few)
    sides = Sides(
        *(cost.method, cost.picture, cost.person, cost.sign, limit_text(cost.bound)),
        picked=len(line_costs) > 1 or view.image_bound is None,
    )
    subject = recognition_text(metric, few, view)
    return many_pictures_page.answer(sides, subject, runs[0].guarantee)


def top(line_costs: list[Cost]) -> Cost:
    """The line that is right most often where it promises to persons."""
    return max(line_costs, key=lambda cost: cost.person.mean)


def _points_lost(cost: Cost) -> str:
    """Points from a method's promise to each picture to that to each person."""
    lost, sign = cost.points, cost.sign
    if cost.person.runs < 2:
        return f"**{lost:.0f} points** with one noise seed, which cannot tell whether they differ"
    if not sign:
        alone_text = ", a difference that noise alone can make"
        return f"**{lost:.0f} points**{alone_text}" if lost > 0 else "nothing that can be told"
    return f"**{lost:.0f} points**" if sign < 0 else f"nothing: it gains **{-lost:.0f} points**"


def limit_text(bound: int) -> str:
    """How many pictures of a person are in, in words."""
    if not bound:
        return "all pictures of each person"
    return "1 picture of each person" if bound == 1 else f"at most {bound} pictures of each person"


# -------------------------------------------------------------------------------------------- cards


def cards_row(line_costs: list[Cost], results: Runs) -> None:
    """What each line promises to a person, and the same release to one record; what that costs."""
    noted = cards.draw_guess_note(
        [results[cost.title, cost.bound][0].guarantee for cost in line_costs]
    )
    with cards.row("persons", min_width=400):
        for cost in line_costs:
            title = f"{cost.title}: {limit_text(cost.bound)}"
            (first, *_) = results[cost.title, cost.bound]
            cards.result_card(
                first, title, f"{cost.title}-persons", line_style(cost.method).colour, noted
            )
        with cards.titled("What the promise to a person costs", 460, "persons-cost"):
            head = ("to each picture", "to each person", "lost", "pictures kept")
            st.html(cards.table(head, [_row(cost) for cost in line_costs]))
            st.caption(
                "Lost: points of accuracy; in brackets where noise alone can make them."
                " Beside each accuracy its 95% interval, which does not count that the"
                " number of pictures was picked."
            )


def _with_spread(accuracy: Interval) -> str:
    within = spread(accuracy)
    return f"{percent(accuracy)} ({within})" if within else percent(accuracy)


def _row(cost: Cost) -> tuple[str, ...]:
    lost = f"{cost.points:.0f} points".replace("-", "−")
    return (
        cost.title,
        _with_spread(cost.picture),
        _with_spread(cost.person),
        lost if cost.sign else f"({lost})",
        str(cost.bound) if cost.bound else "all",
    )
