"""Data of the Many images per person page: runs, the chart, costs and cards."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from dpviz.experiments import experiment
from dpviz.experiments.jobs import Job
from dpviz.formatting import percent, shown_difference, spread
from dpviz.methods import METHODS
from dpviz.plots.kit.style import line_style
from dpviz.plots.paired_dots import PairedDots, PairedRow
from dpviz.plots.settings import Pair, RecordsCurve, RecordsLine
from dpviz.stats import Interval, accuracy, signs
from dpviz.text import many_pictures as text
from dpviz.text.charts import LABELS
from dpviz.text.template import render_text
from dpviz.types import Guarantee, Result
from dpviz.ui.frame import page_parts
from dpviz.ui.many_pictures.controls import BOUNDS, PersonsView
from dpviz.ui.widgets import cards
from dpviz.views import many_pictures_page, phrases, public_only
from dpviz.views.many_pictures_page import Sides, limit_text
from dpviz.views.page_config import Group
from dpviz.views.phrases import title_in_sentence

AXIS_TITLE, PER_IMAGE_TICK = text.AXIS, text.PER_IMAGE_TICK
#: Results by line and bound; by method and None: with a guarantee per image.
Runs = Mapping[tuple[str, int | None], list[Result]]


def lines(view: PersonsView) -> dict[str, tuple[str, tuple[tuple[str, Any], ...]]]:
    """Return method and settings of each line with a guarantee per person, by title."""
    by_title: dict[str, tuple[str, tuple[tuple[str, Any], ...]]] = {}
    for key in view.methods:
        method, own = METHODS[key], dict(dict(view.params).get(key, ()))
        clips = any(param.name == "person" for param in method.params)
        ways = {method.title: {"person": "group"} if clips else {}}
        if clips:
            ways[render_text(text.LINE_CLIPPED, method=method.title)] = {"person": "clip"}
        if method.private:
            by_title |= {title: (key, tuple((own | way).items())) for title, way in ways.items()}
    return by_title


def wanted(view: PersonsView) -> dict[tuple[str, int | None], Group]:
    """Return the runs of the chart at the budget: each method with a guarantee per image, and each
    line at every bound.
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
    """Return the names of the groups of lines, quick methods first, clipping per person last."""
    by_line = lines(view)

    def effort(line: str) -> tuple[bool, float]:
        key, params = by_line[line]
        seconds = sum(run.seconds for run in results.get((key, None), []))
        return dict(params).get("person") == "clip", seconds

    return sorted((name for name in groups if name[0] in by_line), key=lambda name: effort(name[0]))


def finished_runs(job: Job, groups: Mapping[tuple[str, int | None], Group]) -> Runs:
    """Return the runs that are computed."""
    return {name: job.done[group] for name, group in groups.items() if group in job.done}


def curve(
    results: Runs, view: PersonsView, metric: str, public: Interval | None = None
) -> RecordsCurve:
    """Return the data of the chart; ``public``: accuracy of public images alone."""
    points: dict[tuple[str, str, bool], dict[int, Interval]] = {}
    for title, (key, _) in lines(view).items():
        points[title, key, False] = {
            bound: accuracy(runs, metric)
            for (line, bound), runs in results.items()
            if line == title and bound is not None
        }
        if (key, None) in results:
            across = dict.fromkeys(BOUNDS, accuracy(results[key, None], metric))
            points[render_text(text.LINE_IMAGE, method=METHODS[key].title), key, True] = across
    if public:
        across = dict.fromkeys(BOUNDS, public)
        points[public_only.TITLE, public_only.KEY, True] = across
    classes = next((len(runs[0].class_counts) for runs in results.values()), 0)
    current = -1 if view.image_bound is None else view.image_bound
    return RecordsCurve.from_points(
        points, metric, current, 1 / max(classes, 1), AXIS_TITLE, PER_IMAGE_TICK
    )


# ---------------------------------------------------------------------------------------- the costs


@dataclass(frozen=True)
class Cost:
    """What a guarantee per person costs one line.

    Attributes:
        title, method: of the line; bound: most images per person, 0 for all; picture, person:
            accuracies with a guarantee per image and per person; sign: of the difference between
            them, 0 if not significant.
        rows: the line at each bound, with the sign of its difference.
    """

    title: str
    method: str
    bound: int
    picture: Interval
    person: Interval
    sign: int
    rows: tuple[PairedRow, ...] = ()

    @property
    def points(self) -> float:
        """Points of accuracy lost."""
        return 100 * (self.picture.mean - self.person.mean)


def with_pair(shown: RecordsCurve, line_costs: list[Cost]) -> RecordsCurve:
    """Return the chart with the two points that the answer compares."""
    if not line_costs or not top(line_costs).person.is_measured:
        return shown
    cost = top(line_costs)
    gap = shown_difference(cost.person, cost.picture)
    return replace(shown, pair=Pair(cost.title, cost.bound, render_text(text.PAIR, gap=gap)))


def paired_dots(
    line_costs: list[Cost], metric: str, chance: float, public: Interval | None
) -> PairedDots:
    """Return the data of the main chart: the line that the answer is about, at every bound."""
    words = (AXIS_TITLE, *text.DOTS)
    if not line_costs:
        unknown = Interval(math.nan, math.nan, math.nan, 0)
        empty = tuple(PairedRow(bound, unknown, 0) for bound in BOUNDS)
        return PairedDots(metric, "", "", None, empty, -1, words)
    cost = top(line_costs)
    levels = [(LABELS["chance"], chance)]
    if public and public.is_measured:
        levels.append((text.PUBLIC_LINE, public.mean))
    return PairedDots(
        *(metric, cost.method, cost.title, cost.picture, cost.rows, cost.bound, words),
        levels=tuple(levels),
    )


def costs(shown: RecordsCurve, view: PersonsView) -> list[Cost]:
    """Return the cost of each complete line, the highest first.

    Each line at each bound is compared with the same method per image. All these differences are
    tested together, since the best are picked.
    """
    quiet = (line for line in shown.lines if line.quiet)
    levels = {line.method: line.points[0] for line in quiet if line.method != public_only.KEY}
    whole = [
        line
        for line in shown.lines
        if not line.quiet and len(line.values) == len(BOUNDS) and line.method in levels
    ]
    pairs = {
        (line.title, bound): (levels[line.method], point)
        for line in whole
        for bound, point in zip(line.values, line.points, strict=True)
    }
    clear, line_costs = signs(pairs), []
    for line in whole:
        bound = best(line) if view.image_bound is None else view.image_bound
        pair, sign = pairs[line.title, bound], clear[line.title, bound]
        rows = tuple(
            PairedRow(value, point, clear[line.title, value])
            for value, point in zip(line.values, line.points, strict=True)
        )
        line_costs.append(Cost(line.title, line.method, bound, *pair, sign, rows))
    return sorted(line_costs, key=lambda cost: -cost.points)


def best(line: RecordsLine) -> int:
    """Return the bound with the highest mean, except all images, which no release may use."""
    bounded = [pair for pair in zip(line.points, line.values, strict=True) if pair[1]]
    return max(bounded, key=lambda pair: (pair[0].mean, -pair[1]))[1]


# ------------------------------------------------------------------------------------------ answer


def sides(line_costs: list[Cost], view: PersonsView) -> Sides | None:
    """Return the two sides of the line with the highest accuracy; None without a complete line."""
    if not line_costs:
        return None
    cost = top(line_costs)
    limits = sum(bound > 0 for bound in BOUNDS) if view.image_bound is None else 1
    settings = len(line_costs) * limits
    picked = settings if settings > 1 else 0
    name = title_in_sentence(cost.title)
    return Sides(name, cost.picture, cost.person, cost.sign, cost.bound, picked)


def answers(
    line_costs: list[Cost],
    view: PersonsView,
    complete: bool,
    better_public: Interval | None = None,
) -> tuple[str, str]:
    """Return the precise and the plain answer.

    Args:
        complete: every line that can be computed is complete; better_public: accuracy of public
            images alone, if significantly above all private results.
    """
    if not any(METHODS[key].private for key in view.methods):
        return _levels("none")
    found = sides(line_costs, view)
    if not complete:
        done, every = len(line_costs), len(lines(view))
        if found is None or not found.person.is_measured:
            return _levels("computing", done=done, all=every)
        scores = {"person": found.person, "image": found.image}
        return _levels("so_far", open=every - done, method=found.method, **scores)
    if found is None:
        return _levels("nothing")
    rare = [] if found.person.is_measured else _rare_names(view)
    precise, plain = (
        many_pictures_page.answer(level, found, view.budget, rare, better_public)
        for level in (True, False)
    )
    return precise, plain


def _levels(case: str, **fields: Any) -> tuple[str, str]:
    return text.ANSWERS[case].fill(True, **fields), text.ANSWERS[case].fill(False, **fields)


def _rare_names(view: PersonsView) -> tuple[str, ...]:
    """Return the names of the rare classes."""
    spec = view.any_run
    data = experiment.prepared(spec)
    return phrases.rare_class_names(data.class_names, data.counts, spec.draw)


def guarantee(line_costs: list[Cost], results: Runs) -> Guarantee | None:
    """Return the guarantee per person of the line with the highest accuracy."""
    if not line_costs:
        return None
    cost = top(line_costs)
    return results[cost.title, cost.bound][0].guarantee


def top(line_costs: list[Cost]) -> Cost:
    """Return the line with the highest accuracy with a guarantee per person."""
    return max(line_costs, key=lambda cost: cost.person.mean)


# -------------------------------------------------------------------------------------------- cards


def costs_card(line_costs: list[Cost]) -> None:
    """Draw a table of the cost of a guarantee per person, by line."""
    with cards.titled(text.COSTS_TITLE, "stretch", "persons-cost"):
        st.html(cards.table(text.COSTS_COLUMNS, [_row(cost) for cost in line_costs]))
        st.caption(text.COSTS_CAPTION)


def keep_guarantees(line_costs: list[Cost], results: Runs) -> None:
    """Keep the guarantees for the report, whichever tab is open."""
    for cost in line_costs:
        title = render_text(text.CARD_TITLE, method=cost.title, limit=limit_text(cost.bound))
        guarantee = results[cost.title, cost.bound][0].guarantee
        page_parts.current_page().guarantees[title] = guarantee


def guarantee_cards(line_costs: list[Cost], results: Runs) -> None:
    """Draw a card per line with its guarantee per person, and the same release per image."""
    noted = cards.draw_guess_note(
        [results[cost.title, cost.bound][0].guarantee for cost in line_costs]
    )
    with cards.row("persons", min_width=400):
        for cost in line_costs:
            title = render_text(text.CARD_TITLE, method=cost.title, limit=limit_text(cost.bound))
            (first, *_) = results[cost.title, cost.bound]
            cards.result_card(
                first, title, f"{cost.title}-persons", line_style(cost.method).colour, noted
            )


def _with_spread(accuracy: Interval) -> str:
    within = spread(accuracy)
    return f"{percent(accuracy)} ({within})" if within else percent(accuracy)


def _row(cost: Cost) -> tuple[str, ...]:
    template = text.COSTS_CHANGE if cost.sign else text.COSTS_CHANGE_UNCLEAR
    return (
        cost.title,
        _with_spread(cost.picture),
        _with_spread(cost.person),
        render_text(template, points=shown_difference(cost.person, cost.picture)),
        str(cost.bound) if cost.bound else text.LABELS["all"],
    )
