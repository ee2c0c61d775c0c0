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
from dpviz.formatting import budget_text, listed, literal, percent, spread
from dpviz.methods import METHODS
from dpviz.plots.budget_curves import Panels
from dpviz.stats import Interval, signs
from dpviz.views import phrases, public_only, trade_off_page
from dpviz.views.panels import lowest_and_highest
from dpviz.views.phrases import metric_subject, times, title_in_sentence, untested

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Ranked(Generic[Key]):
    """A setting in its place: the settings that share a letter cannot be told apart, and those that
    share none can.
    """

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


NOTHING = "Nothing of this grid is there."
LETTERS_TEXT = (
    "Methods that share a letter cannot be told apart, those that share none can: pairs of all"
    " panels together, seeds and test records taken into account (Holm, 5%)."
)


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


def progress_precise(grid: GridProgress) -> str:
    """What is being made, why the first time takes long, and the ways out, in Markdown."""
    seeds = "1 seed" if grid.seeds == 1 else f"{grid.seeds} seeds"
    start = (
        f"**{grid.whole} of {grid.panels}** panels are whole. All take **{grid.runs:,}** runs, each"
        f" private method at {grid.budgets} budgets with {seeds}."
    )
    if not grid.embed:
        return f"{start} *Stop* keeps what is done; fewer *Values* are sooner."
    return (
        f"{start} The first time takes longest: pictures have to be embedded before,"
        f" {_embedded(grid)}; features are kept. *Stop* keeps what is done; another *Encoder* or a"
        " smaller *Public set* is sooner."
    )


def progress_plain(grid: GridProgress) -> str:
    """The same without terms."""
    often = "once" if grid.seeds == 1 else f"{grid.seeds} times"
    start = (
        f"**{grid.whole} of {grid.panels}** small charts are ready. All take **{grid.runs:,}**"
        f" tries: each method {often} at {grid.budgets} privacy settings."
    )
    if not grid.embed:
        return f"{start} Too long? *Stop* keeps what is there; fewer *Values* are quicker."
    return (
        f"{start} The first time takes longest: pictures must be turned into numbers before,"
        f" {_embedded(grid)}; the numbers are kept. Too long? *Stop* keeps what is there; another"
        " *Encoder* or a smaller *Public set* is quicker."
    )


def _embedded(grid: GridProgress) -> str:
    short = lambda key: literal(availability.title(key).split(" (")[0].split(",")[0])
    return listed([f"**{n:,}** by {short(key)}" for key, n in grid.embed.items()])


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
    return untested() if any(panel.curve.points_at(current) for panel in chart.panels) else NOTHING


def _leaders(rankings: dict[str, list[Ranked[str]]]) -> tuple[list[tuple[str, int]], int]:
    """How often each method is highest, most often first, and in how many panels it is told apart
    from all others there.
    """
    leaders = [leader(rows) for rows in rankings.values() if len(rows) > 1]
    return Counter(key for key, _ in leaders).most_common(), sum(clear for _, clear in leaders)


PUBLIC_AHEAD = (
    "Public data alone reaches significantly more than the best of them in **{more} of {panels}**"
    " panels, and significantly less in **{less}**."
)
PUBLIC_AHEAD_PLAIN = (
    "Public images alone do clearly better than the best in **{more} of {panels}** cases, and"
    " clearly worse in **{less}**."
)


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


def _public_text(chart: Panels, current: float, template: str) -> str:
    """How often public data alone is ahead, or behind; "" in a grid without it."""
    signs_found = [sign for _, sign in public_alone(chart, current).values()]
    if not signs_found:
        return ""
    more, less = signs_found.count(1), signs_found.count(-1)
    return " " + template.format(more=more, less=less, panels=len(signs_found))


def precise(chart: Panels, current: float, same: str) -> str:
    """In Markdown; ``same``: what all panels have in common."""
    rankings, ends = ranks(chart, current), lowest_and_highest(chart, current)
    if ends is None:
        return _missing_reason(chart, current)
    curve = chart.curves[0]
    start = f"At {budget_text(curve.budget.with_value(current))}{f' ({same})' if same else ''}"
    leaders, clear = _leaders(rankings)
    low, high = ((panel.title, _best(panel.curve.points_at(current))) for panel in ends)
    reach = (
        f"{metric_subject(chart.metric, True)} from **{percent(low[1])}** ({literal(low[0])}) to"
        f" **{percent(high[1])}** ({literal(high[0])}) of the time with whichever is best there"
    )
    if not leaders:
        return f"{start} {reach}.{_public_text(chart, current, PUBLIC_AHEAD)}"
    total = sum(times_ for _, times_ in leaders)
    texts = [
        f"{title_in_sentence(METHODS[key].title)} in **{often} of {total}**"
        for key, often in leaders
    ]
    return (
        f"{start} {reach}; highest is {listed(texts)} panels, told apart from all others there in"
        f" **{clear}** (Holm over all pairs of all panels)."
        f"{_public_text(chart, current, PUBLIC_AHEAD)}"
    )


def plain(chart: Panels, current: float) -> str:
    """The same in whole numbers."""
    rankings, ends = ranks(chart, current), lowest_and_highest(chart, current)
    if ends is None:
        return _missing_reason(chart, current)
    leaders, clear = _leaders(rankings)
    low, high = ((panel.title, _best(panel.curve.points_at(current)).mean) for panel in ends)
    what = {
        "minority": "pictures of the rarest classes are recognised",
        "balanced": "pictures, every class counting alike, are recognised",
        "overall": "pictures are recognised",
    }[chart.metric]
    reach = (
        f"At this privacy setting {what} from {times(low[1])} ({literal(low[0])}) to"
        f" {times(high[1])} ({literal(high[0])})"
    )
    if not leaders:
        public = _public_text(chart, current, PUBLIC_AHEAD_PLAIN)
        return f"Each small chart is one case. {reach}.{public}"
    total = sum(times_ for _, times_ in leaders)
    first, often = leaders[0]
    luck = total - clear
    text = f". In {luck} of the {total}, luck alone could have put the first there" if luck else ""
    return (
        f"Each small chart is one case. {reach}. Most often the best is"
        f" {phrases.method_in_sentence(first)}, in **{often} of {total}**"
        f" cases{text}.{_public_text(chart, current, PUBLIC_AHEAD_PLAIN)}"
    )


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


SIGNS = {1: "significantly more", -1: "significantly less", 0: "not significantly different"}


def _public_cell(comparison: tuple[Interval, int] | None) -> str:
    return f"{percent(comparison[0])}, {SIGNS[comparison[1]]}" if comparison else ""


def _cell(rows: Sequence[Ranked[str]], key: str) -> str:
    return next((f"{percent(row.point)} {row.letters}" for row in rows if row.key == key), "")


def ranking_rows(rows: Sequence[Ranked[str]], titles: Mapping[str, str]) -> list[dict[str, Any]]:
    """A row a setting of one ranking."""
    return [
        {
            "place": place + 1,
            "": titles[row.key],
            "accuracy": percent(row.point),
            "group": row.letters,
            "95% interval": spread(row.point),
        }
        for place, row in enumerate(rows)
    ]
