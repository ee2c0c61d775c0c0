"""What a grid of panels says at a budget: who is ahead in how many of them, and from where to where
it goes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from dpviz.encoders import availability
from dpviz.formatting import budget_text, listed, literal, percent, spread
from dpviz.methods import METHODS
from dpviz.plots.budget_curves import Panels
from dpviz.stats import Interval, signs
from dpviz.views import methods_in_plain_words, public_only, ranking, trade_off_answer
from dpviz.views.accuracy_sentence import group_text, title_in_sentence
from dpviz.views.natural_frequencies import times, untested
from dpviz.views.panels import lowest_and_highest
from dpviz.views.ranking import Ranked

NOTHING = "Nothing of this grid is there."
LETTERS_TEXT = (
    "Methods that share a letter cannot be told apart, those that share none can: pairs of all"
    " panels together, seeds and test records taken into account (Holm, 5 %)."
)


@dataclass(frozen=True)
class Coming:
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


def coming(some: Coming) -> str:
    """What is being made, why the first time takes long, and the ways out, in Markdown."""
    seeds = "1 seed" if some.seeds == 1 else f"{some.seeds} seeds"
    start = (
        f"**{some.whole} of {some.panels}** panels are whole. All take **{some.runs:,}** runs, each"
        f" private method at {some.budgets} budgets with {seeds}."
    )
    if not some.embed:
        return f"{start} *Stop* keeps what is done; fewer *Values* are sooner."
    return (
        f"{start} The first time takes longest: pictures have to be embedded before,"
        f" {_embedded(some)}; features are kept. *Stop* keeps what is done; another *Encoder* or a"
        " smaller *Public set* is sooner."
    )


def coming_plainly(some: Coming) -> str:
    """The same without terms."""
    often = "once" if some.seeds == 1 else f"{some.seeds} times"
    start = (
        f"**{some.whole} of {some.panels}** small charts are ready. All take **{some.runs:,}**"
        f" tries: each method {often} at {some.budgets} privacy settings."
    )
    if not some.embed:
        return f"{start} Too long? *Stop* keeps what is there; fewer *Values* are quicker."
    return (
        f"{start} The first time takes longest: pictures must be turned into numbers before,"
        f" {_embedded(some)}; the numbers are kept. Too long? *Stop* keeps what is there; another"
        " *Encoder* or a smaller *Public set* is quicker."
    )


def _embedded(some: Coming) -> str:
    short = lambda key: literal(availability.title(key).split(" (")[0].split(",")[0])
    return listed([f"**{n:,}** by {short(key)}" for key, n in some.embed.items()])


def ranks(chart: Panels, now: float) -> dict[str, list[Ranked[str]]]:
    """The private methods of each panel at a budget, the highest first, told together."""
    points = {
        panel.title: {key: point for key, point in panel.curve.at(now).items() if point.known}
        for panel in chart.panels
    }
    return ranking.ranked({title: some for title, some in points.items() if some})


def _missing_reason(chart: Panels, now: float) -> str:
    """Why no accuracy of a grid is known."""
    return untested() if any(panel.curve.at(now) for panel in chart.panels) else NOTHING


def _ahead(found: dict[str, list[Ranked[str]]]) -> tuple[list[tuple[str, int]], int]:
    """How often each method is highest, most often first, and in how many panels it is told apart
    from all others there.
    """
    leaders = [ranking.leader(rows) for rows in found.values() if len(rows) > 1]
    return Counter(key for key, _ in leaders).most_common(), sum(clear for _, clear in leaders)


MORE_OFTEN = (
    "Public data alone reaches significantly more than the best of them in **{more} of {panels}**"
    " panels, and significantly less in **{less}**."
)
MORE_OFTEN_PLAIN = (
    "Public images alone do clearly better than the best in **{more} of {panels}** cases, and"
    " clearly worse in **{less}**."
)


def public_alone(chart: Panels, now: float) -> dict[str, tuple[Interval, int]]:
    """Of each panel that has it: public data alone, and the sign of its difference from the
    highest private method, told together over all methods of all panels (Holm).
    """
    points = {panel.title: panel.curve.at(now) for panel in chart.panels}
    found = {panel.title: trade_off_answer.public_alone(panel.curve) for panel in chart.panels}
    public = {title: one for title, one in found.items() if one and one.known and points[title]}
    pairs = {
        (title, key): (point, one)
        for title, one in public.items()
        for key, point in points[title].items()
    }
    told = signs(pairs)
    top = {t: max(points[t], key=lambda key: points[t][key].mean) for t in public}
    return {title: (one, told[title, top[title]]) for title, one in public.items()}


def _public(chart: Panels, now: float, template: str) -> str:
    """How often public data alone is ahead, or behind; "" in a grid without it."""
    found = [sign for _, sign in public_alone(chart, now).values()]
    if not found:
        return ""
    more, less = found.count(1), found.count(-1)
    return " " + template.format(more=more, less=less, panels=len(found))


def precise(chart: Panels, now: float, same: str) -> str:
    """In Markdown; ``same``: what all panels have in common."""
    found, ends = ranks(chart, now), lowest_and_highest(chart, now)
    if ends is None:
        return _missing_reason(chart, now)
    curve = chart.curves[0]
    start = f"At {budget_text(curve.budget.at(now))}{f' ({same})' if same else ''}"
    leaders, clear = _ahead(found)
    low, high = ((panel.title, _best(panel.curve.at(now))) for panel in ends)
    reach = (
        f"{group_text(chart.metric, True)} from **{percent(low[1])}** ({literal(low[0])}) to"
        f" **{percent(high[1])}** ({literal(high[0])}) of the time with whichever is best there"
    )
    if not leaders:
        return f"{start} {reach}.{_public(chart, now, MORE_OFTEN)}"
    total = sum(times_ for _, times_ in leaders)
    said = [
        f"{title_in_sentence(METHODS[key].title)} in **{often} of {total}**"
        for key, often in leaders
    ]
    return (
        f"{start} {reach}; highest is {listed(said)} panels, told apart from all others there in"
        f" **{clear}** (Holm over all pairs of all panels)."
        f"{_public(chart, now, MORE_OFTEN)}"
    )


def plain(chart: Panels, now: float) -> str:
    """The same in whole numbers."""
    found, ends = ranks(chart, now), lowest_and_highest(chart, now)
    if ends is None:
        return _missing_reason(chart, now)
    leaders, clear = _ahead(found)
    low, high = ((panel.title, _best(panel.curve.at(now)).mean) for panel in ends)
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
        return f"Each small chart is one case. {reach}.{_public(chart, now, MORE_OFTEN_PLAIN)}"
    total = sum(times_ for _, times_ in leaders)
    first, often = leaders[0]
    luck = total - clear
    told = f". In {luck} of the {total}, luck alone could have put the first there" if luck else ""
    return (
        f"Each small chart is one case. {reach}. Most often the best is"
        f" {methods_in_plain_words.method_in_sentence(first)}, in **{often} of {total}**"
        f" cases{told}.{_public(chart, now, MORE_OFTEN_PLAIN)}"
    )


def _best(points: dict[str, Interval]) -> Interval:
    return max(points.values(), key=lambda point: point.mean)


def table(
    found: dict[str, list[Ranked[str]]],
    title: str = "panel",
    public: Mapping[str, tuple[Interval, int]] = MappingProxyType({}),
) -> list[dict[str, Any]]:
    """A row a ranking: each method with its accuracy and the letters of its groups; ``public``:
    public data alone, as in ``public_alone``.
    """
    methods = dict.fromkeys(row.key for rows in found.values() for row in rows)
    order = [key for key in METHODS if key in methods]
    return [
        {title: name}
        | {METHODS[key].title: _cell(rows, key) for key in order}
        | ({public_only.TITLE: _public_cell(public.get(name))} if public else {})
        for name, rows in found.items()
    ]


SIGNS = {1: "significantly more", -1: "significantly less", 0: "not significantly different"}


def _public_cell(found: tuple[Interval, int] | None) -> str:
    return f"{percent(found[0])}, {SIGNS[found[1]]}" if found else ""


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
            "95 % interval": spread(row.point),
        }
        for place, row in enumerate(rows)
    ]
