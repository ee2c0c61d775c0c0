"""Answers, tiles and findings of the Many images per person page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.diagnostics import attack_bound
from dpviz.formatting import (
    budget_at_level,
    budget_text,
    percent,
    percent_up,
    shown_difference,
)
from dpviz.plots.paired_dots import PairedRow
from dpviz.stats import Interval
from dpviz.text import many_pictures as text
from dpviz.text.template import render, render_text
from dpviz.types import Budget, Guarantee
from dpviz.views.page_as_shown import Tile
from dpviz.views.phrases import guess_basis, score_text


@dataclass(frozen=True)
class Sides:
    """One method with a guarantee per image and per person.

    Attributes:
        method: name in a sentence; image, person: accuracies; sign: of the difference, 0 if not
            significant.
        bound: most images per person, 0 for all; picked: number of methods and bounds of which
            these are the best, 0 if none was picked.
    """

    method: str
    image: Interval
    person: Interval
    sign: int
    bound: int
    picked: int

    @property
    def cost_text(self) -> str:
        """Points of accuracy that the guarantee per person costs."""
        points = abs(100 * (self.image.mean - self.person.mean))
        return (
            "1 point" if f"{points:.0f}" == "1" else f"{points:.{0 if points >= 1 else 1}f} points"
        )


def limit_text(bound: int) -> str:
    """Return the most images per person in words; ``bound`` 0 is all."""
    return render_text(text.LIMITS["some"], limit=bound) if bound else text.LIMITS["all"]


def answer(
    precise: bool,
    sides: Sides,
    budget: Budget,
    rare: Sequence[str],
    better_public: Interval | None = None,
) -> str:
    """Return the answer in Markdown.

    Args:
        rare: names of the rare classes; better_public: accuracy of public images alone, if
            significantly above all private results.
    """
    if not sides.person.is_measured:
        return text.ANSWERS["untested"].fill(precise, classes=rare)
    cost = text.ANSWERS[_case(sides)].fill(
        precise,
        lost=sides.cost_text,
        person=sides.person,
        image=sides.image,
        method=sides.method,
        budget=budget_text(budget),
        at=budget_at_level(budget, precise=False),
    )
    return f"{cost} {render(text.PUBLIC, public=better_public)}" if better_public else cost


def _case(sides: Sides) -> str:
    if sides.person.runs < 2:
        return "one_seed"
    if not sides.sign and sides.image.mean > sides.person.mean:
        return "unclear"
    return {-1: "cost", 0: "level", 1: "gain"}[sides.sign]


def tiles(
    sides: Sides | None, guarantee: Guarantee | None, public: Interval | None, precise: bool
) -> list[Tile]:
    """Return the tiles of what is known; ``guarantee``: per person."""
    made = []
    if sides and sides.person.is_measured:
        gap = shown_difference(sides.person, sides.image)
        template = text.TILE_PERSON_HELP if sides.picked else text.TILE_PERSON_HELP_FIXED
        made += [
            Tile(
                text.TILE_PERSON,
                score_text(sides.person, precise),
                render_text(text.TILE_PERSON_NOTE, gap=gap),
                render_text(template, method=sides.method, limit=limit_text(sides.bound)),
                "bad" if sides.sign < 0 else "",
                aside=render_text(text.TILE_BEST, settings=sides.picked) if sides.picked else "",
            ),
            Tile(
                text.TILE_IMAGE,
                score_text(sides.image, precise),
                text.TILE_IMAGE_NOTE,
                render_text(text.TILE_IMAGE_HELP, method=sides.method),
            ),
        ]
    if guarantee:
        right = attack_bound.success_bound(guarantee)
        made.append(
            Tile(
                text.TILE_GUESS,
                f"{percent_up(right)}%",
                text.TILE_GUESS_ABOUT,
                text.TILE_GUESS_HELP,
                runs=guess_basis(guarantee),
                aside=text.TILE_GUESS_NOTE,
            )
        )
    if public is not None and public.is_measured:
        made.append(
            Tile(text.TILE_PUBLIC, percent(public), text.TILE_PUBLIC_NOTE, text.TILE_PUBLIC_HELP)
        )
    return made


def finding(precise: bool, sides: Sides | None, rows: Sequence[PairedRow], title: str = "") -> str:
    """Return the finding above the chart.

    Args:
        rows: of the same method, at every bound, from few images to all; title: of its line, as a
            heading.
    """
    if sides is None or not sides.person.is_measured or sides.person.runs < 2:
        return text.FINDINGS["empty"].fill(precise)
    costs = [
        round(-100 * shown_difference(row.person, sides.image)) for row in rows if row.sign < 0
    ]
    if not costs:
        return text.FINDINGS["none"].fill(precise, method=title)
    if len(costs) < len(rows):
        return text.FINDINGS["some"].fill(precise, method=title, clear=len(costs), all=len(rows))
    case = "every" if min(costs) < max(costs) else "every equally"
    if case == "every" and costs == sorted(costs) and rows[0].person.low > rows[-1].person.high:
        case = "growing"
    best = max(rows, key=lambda row: row.person.mean).value
    limit = render_text(text.LIMITS_SHORT["some" if best else "all"], limit=best)
    fields = {"method": title, "limit": limit, "low": min(costs), "high": max(costs)}
    return text.FINDINGS[case].fill(precise, **fields)
