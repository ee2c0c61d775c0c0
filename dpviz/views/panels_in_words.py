"""Rankings of methods in a grid of panels, and the sentences on the grid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from string import ascii_lowercase
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from dpviz.encoders import availability
from dpviz.formatting import budget_text, listed, percent, spread
from dpviz.methods import METHODS
from dpviz.plots.budget_curves import Panels
from dpviz.stats import Interval, signs
from dpviz.text import grid as text
from dpviz.text.template import render
from dpviz.views import public_only, trade_off_page
from dpviz.views.panels import lowest_and_highest
from dpviz.views.phrases import title_in_sentence, untested

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Ranked(Generic[Key]):
    """A setting in its place; settings that share a letter do not differ significantly."""

    key: Key
    point: Interval
    letters: str


def ranked(
    rankings: Mapping[str, Mapping[Key, Interval]],
) -> dict[str, list[Ranked[Key]]]:
    """Each ranking from the highest, the comparisons of all rankings told together (Holm).

    Args:
        rankings: points of each ranking, such as those of a panel.
    Source: letters that show all pairwise comparisons, Piepho 2004.
    """
    pairs = {
        (name, a, b): (points[a], points[b])
        for name, points in rankings.items()
        for a, b in combinations(points, 2)
    }
    clear = [key for key, sign in signs(pairs).items() if sign]
    return {
        name: _lettered(points, [{a, b} for ranking_name, a, b in clear if ranking_name == name])
        for name, points in rankings.items()
    }


def _lettered(points: Mapping[Key, Interval], clear: Iterable[set[Key]]) -> list[Ranked[Key]]:
    order = sorted(points, key=lambda key: -points[key].mean)
    groups = sorted(_tied_groups(order, clear), key=lambda group: min(map(order.index, group)))
    letters = {
        key: "".join(_letter(i) for i, group in enumerate(groups) if key in group) for key in order
    }
    return [Ranked(key, points[key], letters[key]) for key in order]


def _letter(place: int) -> str:
    turn, letter = divmod(place, len(ascii_lowercase))
    return ascii_lowercase[letter] + str(turn + 1) * (turn > 0)


def _tied_groups(keys: Iterable[Key], clear: Iterable[set[Key]]) -> list[frozenset[Key]]:
    """The largest groups within which no pair can be told apart: each pair that can splits the
    groups that hold both.
    """
    groups = [frozenset(keys)]
    for pair in clear:
        split = []
        for group in groups:
            split += [group - {key} for key in pair] if pair <= group else [group]
        split = list(dict.fromkeys(split))
        groups = [g for g in split if not any(g < other for other in split)]
    return groups


def leader(rows: list[Ranked[Key]]) -> tuple[Key, bool]:
    """Who is highest, and whether that is told apart from all others."""
    top, *others = rows
    return top.key, not any(set(top.letters) & set(other.letters) for other in others)


@dataclass(frozen=True)
class GridProgress:
    """A grid that is being made.

    Attributes:
        panels: how many can be; whole: how many of them are; runs: of all; budgets, seeds: of each
            private method; embed: pictures to be embedded before, by encoder.
    """

    panels: int
    whole: int
    runs: int
    budgets: int
    seeds: int
    embed: Mapping[str, int]


def progress(grid: GridProgress, precise: bool) -> str:
    """Return how far the grid is and how to make it faster, in Markdown."""
    start = text.ANSWERS["progress"].fill(precise, whole=grid.whole, panels=grid.panels)
    if not grid.embed:
        return f"{start} {text.PROGRESS['runs'].fill(precise, runs=grid.runs)}"
    images = listed([_embedded(key, n) for key, n in grid.embed.items()])
    return f"{start} {text.PROGRESS['embed'].fill(precise, runs=grid.runs, images=images)}"


def progress_precise(grid: GridProgress) -> str:
    """Return the progress for the precise level."""
    return progress(grid, precise=True)


def progress_plain(grid: GridProgress) -> str:
    """Return the progress for the plain level."""
    return progress(grid, precise=False)


def _embedded(encoder: str, images: int) -> str:
    title = availability.title(encoder).split(" (")[0].split(",")[0]
    return render(text.EMBEDDED, images=images, encoder=title)


def ranks(chart: Panels, current: float) -> dict[str, list[Ranked[str]]]:
    """The private methods of each panel at a budget, the highest first, told together."""
    points = {
        panel.title: {
            key: point for key, point in panel.curve.points_at(current).items() if point.is_measured
        }
        for panel in chart.panels
    }
    return ranked({title: panel_points for title, panel_points in points.items() if panel_points})


def _missing_reason(chart: Panels, current: float) -> str:
    """Why no accuracy of a grid is known."""
    return (
        untested()
        if any(panel.curve.points_at(current) for panel in chart.panels)
        else text.NOTHING
    )


def _leaders(rankings: dict[str, list[Ranked[str]]]) -> tuple[list[tuple[str, int]], int]:
    """How often each method is highest, most often first, and in how many panels it is told apart
    from all others there.
    """
    leaders = [leader(rows) for rows in rankings.values() if len(rows) > 1]
    return Counter(key for key, _ in leaders).most_common(), sum(clear for _, clear in leaders)


def public_alone(chart: Panels, current: float) -> dict[str, tuple[Interval, int]]:
    """Of each panel that has it: public data alone, and the sign of its difference from the
    highest private method, told together over all methods of all panels (Holm).
    """
    points = {panel.title: panel.curve.points_at(current) for panel in chart.panels}
    alone = {panel.title: trade_off_page.public_alone(panel.curve) for panel in chart.panels}
    public = {
        title: public_point
        for title, public_point in alone.items()
        if public_point and public_point.is_measured and points[title]
    }
    pairs = {
        (title, key): (point, public_point)
        for title, public_point in public.items()
        for key, point in points[title].items()
    }
    signs_by_pair = signs(pairs)
    top = {t: max(points[t], key=lambda key: points[t][key].mean) for t in public}
    return {
        title: (public_point, signs_by_pair[title, top[title]])
        for title, public_point in public.items()
    }


def public_text(chart: Panels, current: float, precise: bool) -> str:
    """Return how often public data alone is ahead or behind; "" in a grid without it."""
    signs_found = [sign for _, sign in public_alone(chart, current).values()]
    if not signs_found:
        return ""
    more, less = signs_found.count(1), signs_found.count(-1)
    return text.PUBLIC.fill(precise, more=more, less=less, panels=len(signs_found))


def answer(chart: Panels, current: float, precise: bool) -> str:
    """Return the answer of a grid at a budget, in Markdown."""
    rankings, ends = ranks(chart, current), lowest_and_highest(chart, current)
    if ends is None:
        return _missing_reason(chart, current)
    budget = budget_text(chart.curves[0].budget.with_value(current))
    leaders, clear = _leaders(rankings)
    if leaders:
        key, often = leaders[0]
        return text.ANSWERS["leader"].fill(
            precise,
            budget=budget,
            method=title_in_sentence(METHODS[key].title),
            often=often,
            total=sum(times_ for _, times_ in leaders),
            clear=clear,
        )
    low, high = ((panel.title, _best(panel.curve.points_at(current))) for panel in ends)
    return text.ANSWERS["reach"].fill(
        precise,
        budget=budget,
        group=text.GROUPS[chart.metric],
        low=low[1],
        lowest=low[0],
        high=high[1],
        highest=high[0],
    )


def precise(chart: Panels, current: float) -> str:
    """Return the precise answer of a grid at a budget, in Markdown."""
    return answer(chart, current, precise=True)


def plain(chart: Panels, current: float) -> str:
    """Return the plain answer of a grid at a budget, in Markdown."""
    return answer(chart, current, precise=False)


def _best(points: dict[str, Interval]) -> Interval:
    return max(points.values(), key=lambda point: point.mean)


def table(
    rankings: dict[str, list[Ranked[str]]],
    title: str = "panel",
    public: Mapping[str, tuple[Interval, int]] = MappingProxyType({}),
) -> list[dict[str, Any]]:
    """A row a ranking: each method with its accuracy and the letters of its groups; ``public``:
    public data alone, as in ``public_alone``.
    """
    methods = dict.fromkeys(row.key for rows in rankings.values() for row in rows)
    order = [key for key in METHODS if key in methods]
    return [
        {title: name}
        | {METHODS[key].title: _cell(rows, key) for key in order}
        | ({public_only.TITLE: _public_cell(public.get(name))} if public else {})
        for name, rows in rankings.items()
    ]


def _public_cell(comparison: tuple[Interval, int] | None) -> str:
    return f"{percent(comparison[0])}, {text.SIGNS[comparison[1]]}" if comparison else ""


def _cell(rows: Sequence[Ranked[str]], key: str) -> str:
    return next((f"{percent(row.point)} {row.letters}" for row in rows if row.key == key), "")


def ranking_rows(
    rows: Sequence[Ranked[str]], titles: Mapping[str, str], ranked_kind: str = "method"
) -> list[dict[str, Any]]:
    """Return one row per ranked method; ``ranked_kind`` names the column of methods."""
    return [
        {
            "place": place + 1,
            ranked_kind: titles[row.key],
            "accuracy": percent(row.point),
            "group": row.letters,
            "95% interval": spread(row.point),
        }
        for place, row in enumerate(rows)
    ]


def plain_ranking_rows(
    rows: Sequence[Ranked[str]], titles: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return one row per ranked method, for readers without statistics."""
    return [
        {
            "place": place + 1,
            "method": titles[row.key],
            "accuracy": percent(row.point),
            "clearly below the best": text.YES_NO[not set(row.letters) & set(rows[0].letters)],
        }
        for place, row in enumerate(rows)
    ]
