"""Choices of sentence on the Public prototypes page, and their fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.formatting import SYMBOLS, budget_at_level
from dpviz.stats import Interval
from dpviz.text import method_tiles as tile_text
from dpviz.text import public_prototypes as text
from dpviz.text.template import render_text
from dpviz.types import Budget
from dpviz.views.page_as_shown import Tile
from dpviz.views.phrases import untested


@dataclass(frozen=True)
class Picks:
    """The public images that represent the classes, over all seeds.

    Attributes:
        right: images that show their class, None where no public image shows a private class;
            alike: images of another class that represent theirs well; total: images; lacking:
            classes without a public class of their name, None where public
            images have no labels.
    """

    right: int | None
    total: int
    lacking: tuple[str, ...] | None
    alike: int = 0


def answer(
    budget: Budget,
    picks: Picks,
    private: Interval,
    quiet: Interval,
    chance: float,
    rare: Sequence[str],
    precise: bool,
) -> str:
    """Return how many public images show their class, in Markdown.

    Args:
        private: accuracy with noise; quiet: without noise; chance: of a guess; rare: names of the
            smallest classes, none where all have the same size.
    """
    if not private.is_measured:
        return untested(() if precise else rare)
    case = _case(picks, quiet, chance)
    first = text.ANSWERS[case].fill(
        precise,
        budget=budget_at_level(budget, precise),
        right=picks.right,
        picks=picks.total,
        quiet=quiet,
        chance=chance,
        classes=picks.lacking,
    )
    others = text.ANSWERS[of_others].fill(precise) if (of_others := _rest_case(picks, case)) else ""
    return f"{first} {others}".rstrip()


def _rest_case(picks: Picks, case: str) -> str:
    """Return the case of the sentence on images of other classes; "" where there is none."""
    rest = picks.total - (picks.right or 0)
    if case != "named" or rest < 2:
        return ""
    return "alike" if 2 * picks.alike > rest else "half" if 2 * picks.alike == rest else "wrong"


def _case(picks: Picks, quiet: Interval, chance: float) -> str:
    if quiet.mean <= chance:
        return "chance"
    if picks.right is None:
        return "other" if picks.lacking else "unlabeled"
    return "lacking" if picks.lacking else "named"


def finding(border: Budget | None, smallest: Budget, useful: bool, metric: str) -> str:
    """Return at which budgets most accuracy above chance is lost.

    Args:
        border: the largest such budget, None where there is none; smallest: of the axis; useful:
            the images beat chance without noise; metric: which test images count.
    """
    case = "lost" if border else "kept"
    budget = border or smallest
    return text.FINDINGS[case if useful else "chance"].fill(
        False,
        symbol=SYMBOLS[budget.axis],
        border=budget.value,
        group=text.FINDING_GROUPS[metric],
    )


def exact_tile(exact: Interval) -> Tile:
    """Return the accuracy of exact class means."""
    value = render_text("{exact:percent}", exact=exact)
    return Tile(text.EXACT_TILE, value, text.EXACT_NOTE, text.EXACT_HELP)


def other_tile(domain: str, point: Interval | None) -> Tile:
    """Return the accuracy with the public set of the other domain; None while it is computed."""
    label, note = text.OTHER_TILES[domain]
    if point is None:
        return Tile(label, tile_text.PENDING, tile_text.PENDING_NOTE, text.OTHER_HELPS[domain])
    value = render_text("{point:percent}", point=point)
    return Tile(label, value, note, text.OTHER_HELPS[domain])
