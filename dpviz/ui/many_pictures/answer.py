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
from dpviz.views import (
    many_pictures_in_plain_words,
    natural_frequencies,
    public_only,
)
from dpviz.views.accuracy_sentence import recognised, title_in_sentence
from dpviz.views.many_pictures_in_plain_words import Sides
from dpviz.views.page_as_shown import NOTHING
from dpviz.views.page_config import Group

COUNTED = "pictures a person, at most"
DOTTED = "dotted: promised to each picture"
Runs = Mapping[tuple[str, int | None], list[Result]]
"""By line and bound; by method and None: promised to each picture."""


def lines(view: PersonsView) -> dict[str, tuple[str, tuple[tuple[str, Any], ...]]]:
    """Method and settings of each line that promises to persons, by title."""
    found: dict[str, tuple[str, tuple[tuple[str, Any], ...]]] = {}
    for key in view.methods:
        method, own = METHODS[key], dict(dict(view.params).get(key, ()))
        clips = any(param.name == "person" for param in method.params)
        ways = {method.title: {"person": "group"} if clips else {}}
        if clips:
            ways[f"{method.title}, each person clipped"] = {"person": "clip"}
        if method.private:
            found |= {title: (key, tuple((own | way).items())) for title, way in ways.items()}
    return found


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
            bound: accuracy(some, metric)
            for (line, bound), some in results.items()
            if line == title and bound is not None
        }
        if (key, None) in results:
            across = dict.fromkeys(BOUNDS, accuracy(results[key, None], metric))
            points[f"{METHODS[key].title}, to each picture", key, True] = across
    if public:
        across = dict.fromkeys(BOUNDS, public)
        points[public_only.TITLE, public_only.KEY, True] = across
    classes = next((len(some[0].class_counts) for some in results.values()), 0)
    now = -1 if view.kept is None else view.kept
    return RecordsCurve.from_points(points, metric, now, 1 / max(classes, 1), COUNTED, DOTTED)


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
    clear, found = signs(pairs), []
    for line in whole:
        bound = best(line) if view.kept is None else view.kept
        told = pairs[line.title, bound, line.method]
        each = {method: clear[line.title, bound, method] for method in levels}
        found.append(Cost(line.title, line.method, bound, *told, each))
    return sorted(found, key=lambda one: -one.points)


def best(line: RecordsLine) -> int:
    """The bound with the highest mean; all of them are no bound that a release may have."""
    bounded = [pair for pair in zip(line.points, line.values, strict=True) if pair[1]]
    return max(bounded, key=lambda pair: (pair[0].mean, -pair[1]))[1]


# ----------------------------------------------------------------------------------------- sentence


def answer(found: list[Cost], view: PersonsView, metric: str) -> str:
    """In Markdown: what the promise to a person costs the line that keeps it best."""
    if not any(METHODS[key].private for key in view.methods):
        return "Choose a private method to see what a promise to a person costs."
    if not found:
        return NOTHING
    one = top(found)
    if not one.person.known:
        return natural_frequencies.untested()
    sides = (
        f"**{percent(one.person)}** {METRIC_WORDS[metric]}, with {limit_text(one.bound)}, instead"
        f" of **{percent(one.picture)}** where the same method promises to each picture"
    )
    some = len(found) > 1
    picked = " Which are best was seen by a look at private data." * (some or view.kept is None)
    table = " What each method loses stands in the table below." * some
    return (
        f"At {subset(view)} and {budget_text(view.budget)} the promise to a person costs"
        f" {title_in_sentence(one.title)} {_points_lost(one)}:"
        f" {'at best ' * bool(picked)}{sides}.{picked}{table}"
    )


def beside_public(found: list[Cost], public: Interval | None) -> tuple[str, str]:
    """Public data alone against the promise to persons, precise and plain."""
    points = {one.title: one.person for one in found}
    precise, plain = (
        public_only.sentence(points, public, each)
        for each in (public_only.ACCURACY, public_only.PLAIN)
    )
    return precise, plain


def so_far(there: int, view: PersonsView) -> str:
    """How many lines are there while others are computed."""
    return (
        f"{there} of {len(lines(view))} lines are complete. What a promise to a person costs is"
        " said once all are."
    )


def plainly(found: list[Cost], view: PersonsView, metric: str, results: Runs) -> str | None:
    """The same in the plain voice; nothing while there is nothing to say."""
    if not found:
        return None
    one, names = top(found), shared_controls.class_names(view.any_run)
    runs = results[one.title, one.bound]
    few = natural_frequencies.rare(names, runs[0].class_counts, runs[0].spec.draw)
    if not one.person.known:
        return natural_frequencies.untested(few)
    sides = Sides(
        *(one.method, one.picture, one.person, one.sign, limit_text(one.bound)),
        picked=len(found) > 1 or view.kept is None,
    )
    whose = recognised(metric, few, view)
    return many_pictures_in_plain_words.answer(sides, whose, runs[0].guarantee)


def top(found: list[Cost]) -> Cost:
    """The line that is right most often where it promises to persons."""
    return max(found, key=lambda one: one.person.mean)


def _points_lost(of: Cost) -> str:
    """Points from a method's promise to each picture to that to each person."""
    lost, sign = of.points, of.sign
    if of.person.runs < 2:
        return f"**{lost:.0f} points** with one noise seed, which cannot tell whether they differ"
    if not sign:
        alone = ", a difference that noise alone can make"
        return f"**{lost:.0f} points**{alone}" if lost > 0 else "nothing that can be told"
    return f"**{lost:.0f} points**" if sign < 0 else f"nothing: it gains **{-lost:.0f} points**"


def limit_text(bound: int) -> str:
    """How many pictures of a person are in, in words."""
    if not bound:
        return "all pictures of each person"
    return "1 picture of each person" if bound == 1 else f"at most {bound} pictures of each person"


# -------------------------------------------------------------------------------------------- cards


def cards_row(found: list[Cost], results: Runs) -> None:
    """What each line promises to a person, and the same release to one record; what that costs."""
    told = cards.draw_guess_note([results[one.title, one.bound][0].guarantee for one in found])
    with cards.row("persons", min_width=400):
        for one in found:
            title = f"{one.title}: {limit_text(one.bound)}"
            (first, *_) = results[one.title, one.bound]
            cards.result_card(
                first, title, f"{one.title}-persons", line_style(one.method).colour, told
            )
        with cards.titled("What the promise to a person costs", 460, "persons-cost"):
            head = ("to each picture", "to each person", "lost", "pictures kept")
            st.html(cards.table(head, [_row(one) for one in found]))
            st.caption(
                "Lost: points of accuracy; in brackets where noise alone can make them."
                " Beside each accuracy its 95\u00a0% interval, which does not count that the"
                " number of pictures was picked."
            )


def _with_spread(accuracy: Interval) -> str:
    within = spread(accuracy)
    return f"{percent(accuracy)} ({within})" if within else percent(accuracy)


def _row(one: Cost) -> tuple[str, ...]:
    lost = f"{one.points:.0f} points".replace("-", "−")
    return (
        one.title,
        _with_spread(one.picture),
        _with_spread(one.person),
        lost if one.sign else f"({lost})",
        str(one.bound) if one.bound else "all",
    )
