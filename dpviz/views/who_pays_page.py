"""Answers, tiles and figures of the Per-record loss page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.diagnostics import attack_bound
from dpviz.diagnostics.per_instance import MeasuredRun, PerInstance
from dpviz.formatting import budget_at_level, budget_text, percent, percent_up
from dpviz.plots.icon_arrays import FIGURES, IconArray
from dpviz.plots.losses import Losses
from dpviz.stats import Interval
from dpviz.text import who_pays as text
from dpviz.text.guarantee import WHY_GUESSES_DIFFER
from dpviz.text.template import render, render_text
from dpviz.types import Budget, Guarantee
from dpviz.views import method_tiles
from dpviz.views.page_as_shown import Tile
from dpviz.views.phrases import guess_basis, title_in_sentence

#: Shares of the limit at which the shade of a figure changes.
HIGH, MIDDLE = 0.9, 0.5
#: Choices of groups: rare and common images, or all.
SPLIT, ALL_RECORDS = "split", "all"
#: Difference of two medians, in shares of the limit, that the page calls a difference.
SAME = 0.01
#: Median share of the limit from which a group uses up its limit.
FULL = 0.995


@dataclass(frozen=True, eq=False)
class Spending:
    """Losses of one method's run.

    Attributes:
        title: of the method in a sentence; share: (n,) share of the limit per image or person.
        rare: (n,) bool, of the rare classes.
    """

    title: str
    share: np.ndarray
    rare: np.ndarray

    @classmethod
    def from_losses(cls, title: str, losses: PerInstance) -> Spending:
        """Return the spending of a run; ``losses`` in any unit."""
        return cls(title, np.minimum(losses.epsilon / losses.claim, 1.0), losses.minority)

    @property
    def is_split(self) -> bool:
        """Whether there are rare and common images."""
        return bool(self.rare.any() and not self.rare.all())

    @property
    def medians(self) -> tuple[float, float]:
        """Median share of rare, and of common images."""
        return float(np.median(self.share[self.rare])), float(np.median(self.share[~self.rare]))

    @property
    def gap(self) -> float:
        """Median share of rare images minus that of common images."""
        rare, common = self.medians
        return rare - common


def answer(precise: bool, spent: Spending, is_full: bool, budget: Budget, unit: str) -> str:
    """Return the answer, about the first method.

    Args:
        is_full: every loss is at the limit; unit: ``picture`` or ``person``.
    """
    case = "full" if is_full else "rare" if spent.is_split else "median"
    rare, common = spent.medians if spent.is_split else (math.nan, math.nan)
    return text.ANSWERS[case + "_person" * (unit == "person")].fill(
        precise,
        method=spent.title,
        budget=budget_text(budget),
        at=budget_at_level(budget, precise=False),
        rare=rare,
        common=common,
        share=float(np.median(spent.share)),
        number=len(spent.share),
    )


@dataclass(frozen=True, eq=False)
class ChosenGroups:
    """Two groups of images or people, which share all of them.

    Attributes:
        key: of the choice: ``SPLIT``, ``ALL_RECORDS``, another group, or a class.
        names: of the two groups; the group looked at is the first.
        first: (n,) bool, images or people in the first group.
    """

    key: str
    names: tuple[str, str]
    first: np.ndarray

    @property
    def masks(self) -> dict[str, np.ndarray]:
        """Name to (n,) bool, of each group."""
        return dict(zip(self.names, (self.first, ~self.first), strict=True))

    @property
    def is_own(self) -> bool:
        """Whether tabs show the first group only: neither all images nor all split by rarity."""
        return self.key not in (SPLIT, ALL_RECORDS)


def finding(
    precise: bool, spending: Sequence[Spending], title: str, groups: ChosenGroups | None = None
) -> str:
    """Return the finding above the chart, about the first method.

    Args:
        spending: of the methods; title: of the first, as a heading; groups: of the chart; None for
            rare and common images.
    """
    first_method = spending[0]
    if groups and groups.is_own and groups.first.any() and not groups.first.all():
        share = first_method.share
        first, second = (float(np.median(share[part])) for part in groups.masks.values())
        return text.GROUP_FINDING.fill(
            precise, method=title, group=groups.names[0], first=first, second=second
        )
    case = _gap_case(first_method)
    if case in ("one", "equal"):
        return text.FINDINGS[case].fill(precise, method=title)
    medians = first_method.medians
    rare, common = map(_share_in_words, medians)
    if max(medians) >= FULL:
        case += "_full"
    elif rare == common:
        case += "_close"
    return text.FINDINGS[case].fill(precise, method=title, rare=rare, common=common)


def _share_in_words(share: float) -> str:
    return next((words for limit, words in text.SHARES.items() if share <= limit), "most")


def second_method(spending: Sequence[Spending]) -> str:
    """Return the gap with the second method, compared with the first, in Markdown;
    "" without rare and common images, or a second method.
    """
    if len(spending) < 2 or not all(spent.is_split for spent in spending):
        return ""
    first, second = spending[:2]
    change = abs(second.gap) - abs(first.gap)
    case = "same" if abs(change) <= SAME else "larger" if change > 0 else "smaller"
    if {_gap_case(first), _gap_case(second)} == {"more", "less"}:
        case = "reversed"
    rare, common = second.medians
    return text.SECOND[case].fill(False, method=second.title, rare=rare, common=common)


def _gap_case(spent: Spending) -> str:
    """Return whether rare classes use more or less of the limit than common classes."""
    if not spent.is_split:
        return "one"
    return "equal" if abs(spent.gap) <= SAME else "more" if spent.gap > 0 else "less"


def panels(
    charts: Sequence[Losses], titles: Sequence[str], groups: Sequence[str], precise: bool = False
) -> list[IconArray]:
    """Return a panel for each method and group: a figure for each 1% of the group.

    Args:
        charts: losses of the methods, in two groups; titles: of the methods; groups: their names.
    """
    return [
        _panel(chart, render_text(text.PANEL_TITLE, method=title, group=name), group, precise)
        for chart, title in zip(charts, titles, strict=True)
        for group, name in enumerate(groups)
        if chart.sizes[group]
    ]


def _panel(chart: Losses, title: str, group: int, precise: bool) -> IconArray:
    places = (np.arange(FIGURES) + 0.5) / FIGURES
    figures = np.interp(places, chart.shares[group], chart.sorted[group] / chart.claim)
    high = int((figures > HIGH).sum())
    middle = int((figures > MIDDLE).sum()) - high
    median = float(np.interp(0.5, chart.shares[group], chart.sorted[group])) / chart.claim
    return IconArray(
        title,
        text.PANEL_VALUE[chart.unit].fill(precise, share=min(median, 1.0)),
        render_text(text.PANEL_NOTE[chart.unit], number=chart.sizes[group]),
        {"strong": high, "middle": middle, "pale": FIGURES - high - middle},
        render_text(text.PANEL_ALT, title=title, high=high, middle=middle),
        round=chart.unit == "person",
    )


# ------------------------------------------------------------------------------------------- tiles


def tiles(
    run: MeasuredRun,
    losses: PerInstance,
    scale: str,
    accuracies: tuple[Interval, float],
    rare: Sequence[str],
    public: Interval | None,
    unit: str,
) -> list[Tile]:
    """Return the tiles, about the first method.

    Args:
        scale: unit of the losses, ``eps`` or ``rho``; accuracies: on test images of rare classes,
            and of the others; rare: names of the rare classes, none over data draws; public:
            accuracy of public images alone, on rare classes.
    """
    guarantee = run.result.guarantee
    small, rest = accuracies
    made = [_limit_tile(guarantee, run.title, losses, scale, unit), _guess_tile(run)]
    if small.is_measured and not math.isnan(rest):
        runs, more = method_tiles.basis(small, run.result.spec)
        rare_help = text.TILE_RARE_HELP["named" if rare else "draws"]
        rare_help = render_text(rare_help, method=title_in_sentence(run.title), classes=rare)
        made.append(
            Tile(
                text.TILE_RARE,
                percent(small),
                render_text(text.TILE_RARE_NOTE, rest=rest),
                f"{rare_help} {more}".rstrip(),
                runs=runs,
            )
        )
    if public is not None and public.is_measured:
        runs, _ = method_tiles.basis(public, run.result.spec)
        about = text.TILE_PUBLIC_NOTE, text.TILE_PUBLIC_HELP
        made.append(Tile(text.TILE_PUBLIC, percent(public), *about, runs=runs))
    return made


def _limit_tile(
    guarantee: Guarantee, title: str, losses: PerInstance, scale: str, unit: str
) -> Tile:
    kind = "rho" if scale == "rho" else "pure" if losses.notion.startswith("pure") else "eps"
    claim = float(f"{losses.claim:.3g}")
    symbol = "ρ" if scale == "rho" else "ε"
    return Tile(
        text.TILE_LIMIT,
        render_text(text.TILE_LIMIT_VALUE, symbol=symbol, claim=claim),
        text.TILE_LIMIT_NOTE[unit],
        render_text(
            text.TILE_LIMIT_HELP[kind], method=title_in_sentence(title), delta=guarantee.delta
        ),
    )


def _guess_tile(run: MeasuredRun) -> Tile:
    right, method = attack_bound.success_bound(run.result.guarantee), title_in_sentence(run.title)
    return Tile(
        text.TILE_GUESS,
        f"{percent_up(right)}%",
        run.title,
        f"{render_text(text.TILE_GUESS_HELP, method=method)} {WHY_GUESSES_DIFFER}",
        runs=guess_basis(run.result.guarantee),
        aside=text.TILE_GUESS_NOTE,
    )


def limit_and_accuracy(spent: Spending, accuracies: tuple[Interval, float]) -> str:
    """Return that the limit is equal, and whether its use and the accuracy are, in Markdown.

    Args:
        accuracies: on test images of rare classes, and of the others.
    """
    small, rest = accuracies
    sentences = [text.LIMIT_AND_USE[_gap_case(spent)]]
    if small.is_measured and not math.isnan(rest):
        case = "lower" if small.mean < rest else "not_lower"
        sentences.append(render(text.RARE_ACCURACY[case], method=spent.title))
    return " ".join(sentences)
