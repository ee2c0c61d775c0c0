"""Answer, tiles and finding of the Neural collapse page, and sentences on its theory."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dpviz.diagnostics.collapse_theory import CANNOT_TELL, FAILS, HOLDS
from dpviz.formatting import (
    SMALLEST_DIFFERENCE,
    compared,
    listed,
    percent,
    rounded,
    share,
)
from dpviz.stats import Interval, signs
from dpviz.text import neural_collapse as text
from dpviz.text.guarantee import WHY_GUESSES_DIFFER
from dpviz.text.template import render, render_text
from dpviz.types import Guarantee
from dpviz.views import public_only, trade_off_page
from dpviz.views.method_tiles import weakest_guess
from dpviz.views.page_as_shown import Tile
from dpviz.views.phrases import title_in_sentence

#: Ratio of class spreads from which one is called tighter.
MIN_RATIO = 1.1


@dataclass(frozen=True)
class Cost:
    """What noise costs with one kind of features.

    Attributes:
        name: of the features; nc1: spread within classes over spread between classes.
        loss: accuracy lost to noise; rounded_change: change of accuracy as the tile's percentages
            state it.
    """

    name: str
    nc1: float
    loss: Interval
    rounded_change: float | None = None

    @property
    def is_clear(self) -> bool:
        """Whether the loss differs significantly from 0."""
        return not self.loss.low <= 0 <= self.loss.high

    @property
    def change(self) -> float:
        """Change of accuracy by noise; the exact one where the percentages are equal."""
        return self.rounded_change or -self.loss.mean


def answer(costs: Sequence[Cost], budget: str, precise: bool) -> str:
    """Return what noise costs with each kind of features, at a budget in words."""
    case, fields = _case(costs)
    return text.ANSWERS[case].fill(precise, budget=budget, **fields)


def spread_fact(costs: Sequence[Cost], precise: bool) -> list[str]:
    """Return that classes are tighter where noise costs less; empty where it does not."""
    if len(costs) < 2 or not all(cost.loss.is_measured for cost in costs):
        return []
    ranked = sorted(costs, key=lambda cost: cost.nc1)
    tight, wide = ranked[0], ranked[-1]
    ratio = wide.nc1 / tight.nc1 if tight.nc1 else math.inf
    if _case(costs)[0] in ("level", "unordered") or ratio < MIN_RATIO:
        return []
    if tight.loss.mean >= wide.loss.mean:
        return []
    return [text.SPREAD_FACT.fill(precise, tight=tight.name, ratio=float(rounded(ratio, 2)))]


def _case(costs: Sequence[Cost]) -> tuple[str, dict[str, str | float]]:
    if not costs:
        return "empty", {}
    if not all(cost.loss.is_measured for cost in costs):
        return "untested", {}
    ranked = sorted(costs, key=lambda cost: cost.nc1)
    tight, wide = ranked[0], ranked[-1]
    if len(costs) == 1:
        case = "one" if tight.is_clear else "one-level"
        return case, {"name": tight.name, "change": tight.change}
    ends: dict[str, str | float] = {
        "tight": tight.name,
        "tight_change": tight.change,
        "wide": wide.name,
        "wide_change": wide.change,
    }
    if len(costs) == 2:
        return _pair_case(tight, wide, ends)
    steps = signs(dict(enumerate(itertools.pairwise([cost.loss for cost in ranked])))).values()
    if min(steps) < 0:
        return "unordered", ends
    return ("ordered", ends) if max(steps) > 0 else ("level", {})


def _pair_case(
    tight: Cost, wide: Cost, ends: dict[str, str | float]
) -> tuple[str, dict[str, str | float]]:
    if tight.is_clear == wide.is_clear:
        costly = wide.change < tight.change < 0
        return ("costs_both" if costly else "both", ends) if tight.is_clear else ("level", {})
    cost, other = (tight, wide) if tight.is_clear else (wide, tight)
    fields: dict[str, str | float] = {
        "name": cost.name,
        "change": cost.change,
        "other": other.name,
    }
    return "costs_one" if cost.change < 0 else "clear", fields


def alike(noises: Sequence[float | None]) -> bool:
    """Return whether the noise on several kinds of features is known and about equally large."""
    known = [noise for noise in noises if noise is not None]
    if len(known) < 2 or len(known) < len(noises):
        return False
    return max(known) < MIN_RATIO * min(known)


@dataclass(frozen=True)
class FeatureTile:
    """Numbers of one kind of features: label, NC1, accuracy without and with noise, change."""

    label: str
    nc1: float
    quiet: float
    noisy: Interval | None
    change: float | None


#: Kinds of features that have a tile.
MAX_TILES = 3


def tiles(
    kinds: Sequence[FeatureTile],
    metric: str,
    guarantees: Sequence[Guarantee],
    method: str,
    public: Interval | None,
    precise: bool = False,
) -> list[Tile]:
    """Return a tile for each of the first kinds of features, the attacker's best guess, and public
    images alone where there is room.

    Args:
        method: title of the private method; public: accuracy of public images alone.
    """
    shown = [_feature_tile(kind, metric, precise) for kind in kinds[:MAX_TILES]]
    value, basis = weakest_guess(guarantees)
    help_text = render_text(text.TILE_GUESS_HELP, method=title_in_sentence(method))
    help_text = f"{help_text} {WHY_GUESSES_DIFFER}"
    guess = Tile(text.TILE_GUESS, value, method, help_text, runs=basis, aside=text.TILE_GUESS_NOTE)
    shown.append(guess)
    if public is not None and public.is_measured and len(shown) <= MAX_TILES:
        points = {kind.label: kind.noisy for kind in kinds[:1] if kind.noisy}
        case = f"public{public_only.use(points, public)}"
        note = render_text(text.TILE_PUBLIC_NOTES[case], name=kinds[0].label.split(" on ")[0])
        shown.append(replace(trade_off_page.public_tile(public, points), note=note))
    return shown


def _feature_tile(kind: FeatureTile, metric: str, precise: bool) -> Tile:
    nc1 = float(rounded(kind.nc1, 2))
    help_text = text.TILE_ACCURACY_HELP.fill(precise, group=text.GROUPS[metric], nc1=nc1)
    if kind.noisy is None:
        return Tile(kind.label, share(kind.quiet), text.TILE_ACCURACY_NOTE_QUIET, help_text)
    if kind.change is None:
        return Tile(kind.label, percent(kind.noisy), help=help_text)
    value, _, shown = compared(kind.noisy, kind.quiet)
    note = text.TILE_ACCURACY_NOTE_EQUAL
    if abs(kind.change) >= SMALLEST_DIFFERENCE:
        note = render_text(text.TILE_ACCURACY_NOTE, change=shown or kind.change)
    tone = "bad" if kind.change <= -0.01 else ""
    return Tile(kind.label, value, note, help_text, tone)


def chart_title(kinds: Sequence[tuple[str, float, float | None]]) -> str:
    """Return the finding above the chart: how close records are to their class mean, and what noise
    costs where it costs less with the closer ones.

    Args:
        kinds: name, median shift β and change of accuracy by noise of each kind of features.
    """
    short = lambda value: float(rounded(value, 2))
    ranked = sorted(kinds, key=lambda kind: kind[1])
    (near, low, tight), (_, high, wide) = ranked[0], ranked[-1]
    if len(kinds) == 1:
        return render(text.CHART_TITLES["one"], name=near, distance=short(low))
    ratio = high / low if low else math.inf
    if ratio < MIN_RATIO:
        return text.CHART_TITLES["equal"]
    if tight is not None and wide is not None and wide < tight < 0:
        fields = {"near": near, "ratio": short(ratio), "low": tight, "high": wide}
        return render(text.CHART_TITLES["times_less"], **fields)
    return render(text.CHART_TITLES["times"], near=near, ratio=short(ratio))


# ------------------------------------------------------------------------------------------- theory


def dimension_map(places: Sequence[int], curve: Sequence[float], steady: Sequence[float]) -> str:
    """Return whether the error grows with dimension along beta = p^(-1/2), and along beta = 0.1.

    Args:
        curve, steady: exact errors at ``places``, rising dimensions.
    """
    first = render(
        text.MAP_CURVE,
        first=_error_text(curve[0]),
        last=_error_text(curve[-1]),
        low=f"{places[0]:,}",
        high=f"{places[-1]:,}",
    )
    second = render(text.MAP_STEADY, first=_error_text(steady[0]), last=_error_text(steady[-1]))
    holds = curve[-1] <= 1.05 * curve[0]
    return f"{first} {second} {text.MAP_HOLDS if holds else text.MAP_FAILS}"


def _error_text(error: float) -> str:
    """Return an error as a percentage or as one case in many."""
    if error >= 0.01:
        return render(text.ERROR_OFTEN, error=error)
    if error <= 1e-9:
        return text.ERROR_NEVER
    return render(text.ERROR_RARE, cases=round(float(f"{1 / error:.2g}")))


def records_needed(
    lines: Mapping[str, Mapping[int, float | None]], moved: str, wanted: float
) -> str:
    """Return how many records an error needs at both ends.

    Args:
        lines: records by dimension, the exact line and the one without noise first.
        moved: the records that are moved; wanted: the error.
    """
    exact, free, *_ = lines.values()
    low, high = min(exact), max(exact)
    few, many = exact[low], exact[high]
    sentences = [
        render(
            text.NEEDED,
            wanted=f"{100 * wanted:g}%",
            moved=moved,
            few=_records(few),
            many=_records(many),
            low=f"{low:,}",
            high=f"{high:,}",
        ),
        render(text.NEEDED_QUIET, few=_records(free[low]), many=_records(free[high])),
    ]
    if few is None or many is None:
        sentences.append(text.NEEDED_UNREACHED)
    elif many <= 1.5 * few:
        sentences.append(text.NEEDED_FREE)
    else:
        ratio = many / few
        times = f"{ratio:.0f}" if ratio >= 9.5 else f"{ratio:.2g}"
        sentences.append(render(text.NEEDED_RATIO, dimensions=high // low, ratio=times))
    return " ".join(sentences)


def _records(n: float | None) -> str:
    return text.NEEDED_NONE if n is None else render(text.NEEDED_RECORDS, n=round(n))


def theorems(counts: Mapping[str, int], failing: Sequence[str]) -> str:
    """Return how many printed bounds hold at the settings, and which do not."""
    total = sum(counts.values())
    sentences = [render(text.THEOREMS_COUNT["holds"], total=total, holds=counts.get(HOLDS, 0))]
    if fails := counts.get(FAILS, 0):
        named = dict.fromkeys(name.split(",")[0] for name in failing)
        sentences.append(
            render(text.THEOREMS_COUNT["fails"], fails=fails, names=listed(list(named)))
        )
    if undecided := counts.get(CANNOT_TELL, 0):
        sentences.append(render(text.THEOREMS_COUNT["open"], open=undecided))
    return " ".join(sentences)
