"""The answer of "Neural collapse": measures and runs on each kind of features, the sentence and the
cards.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from dpviz.diagnostics import collapse_measures
from dpviz.diagnostics.collapse_measures import Measures
from dpviz.formatting import budget_text, minus, percent, subset, unbroken
from dpviz.methods import METHODS
from dpviz.plots.collapse import ShiftRows
from dpviz.run import experiment
from dpviz.run.jobs import Group, Job
from dpviz.stats import Interval, accuracy, accuracy_loss, signs
from dpviz.types import Result
from dpviz.ui.neural_collapse.controls import METHOD, CollapseView, Source
from dpviz.ui.widgets import cards
from dpviz.views import neural_collapse_page
from dpviz.views.page_as_shown import NOTHING
from dpviz.views.phrases import untested


@dataclass(frozen=True)
class Features:
    """One kind of features: its measures, its run without noise, and those with it so far."""

    source: Source
    measures: Measures
    quiet: tuple[Result, ...]
    noisy: tuple[Result, ...]

    def accuracy(self, metric: str) -> tuple[float, Interval | None]:
        """Accuracy without noise and with it."""
        noisy = accuracy(self.noisy, metric) if self.noisy else None
        return getattr(self.quiet[0].scores, metric), noisy

    def cost(self, metric: str) -> Interval | None:
        """What privacy takes off the accuracy, a seed each."""
        if not self.noisy:
            return None
        return accuracy_loss(accuracy(self.quiet, metric), accuracy(self.noisy, metric))


def features(job: Job, wanted: Mapping[Source, tuple[Group, Group]]) -> list[Features]:
    """What is there: a source whose data is in memory, with its runs so far."""
    return [
        Features(
            source,
            collapse_measures.measure(experiment.prepared(job.done[quiet][0].spec)),
            tuple(job.done[quiet]),
            tuple(job.done.get(noisy, ())),
        )
        for source, (quiet, noisy) in wanted.items()
        if quiet in job.done
    ]


def rows(kinds: Sequence[Features], metric: str) -> ShiftRows:
    """The main chart's data."""
    measured = [(kind.source.title, kind.measures, kind.accuracy(metric)) for kind in kinds]
    return ShiftRows.from_features(
        [(title, m.beta, m.off_diagonal, m.corner, *right) for title, m, right in measured]
    )


# ----------------------------------------------------------------------------------------- sentence


def answer(kinds: Sequence[Features], view: CollapseView, metric: str) -> str:
    """One sentence in Markdown: what privacy costs on each kind of features, and whether the
    nearest pays least.
    """
    costs = [(kind, cost) for kind in kinds if (cost := kind.cost(metric)) is not None]
    if not costs:
        return NOTHING
    if not all(cost.is_measured for _, cost in costs):
        return untested()
    *first, last = [
        f"**{_points(cost)}** on {kind.source.title} (β²p = {kind.measures.beta2p:.2g}, NC1 ="
        f" {kind.measures.nc1:.2g})"
        for kind, cost in costs
    ]
    return (
        f"At {subset(view)} and {budget_text(view.budget)} privacy costs the linear probe"
        f" {', '.join(first)}{' and ' if first else ''}{last}{_order(costs)}"
    )


def plain(kinds: Sequence[Features], view: CollapseView, metric: str) -> str:
    """The same for someone who knows no statistics."""
    costs = [
        neural_collapse_page.Cost(kind.source.title.split(",")[0], kind.measures.nc1, cost)
        for kind in kinds
        if (cost := kind.cost(metric)) is not None
    ]
    guarantees = [kind.noisy[0].guarantee for kind in kinds if kind.noisy]
    return neural_collapse_page.sentence(costs, guarantees)


def _points(cost: Interval) -> str:
    """``0.1 points``: what is lost, in percentage points."""
    value = 100 * cost.mean
    return f"{value:z.1f} points" if abs(value) < 9.95 else f"{value:.0f} points"


def _order(costs: Sequence[tuple[Features, Interval]]) -> str:
    """Whether features nearer to collapse pay less, neighbour by neighbour; two kinds of features
    differ in more than that.
    """
    if len(costs) < 2:
        return "."
    if len(costs) == 2:
        return (
            ". They differ in more than that, so two kinds of features are no test of “the nearer"
            " to collapse (smaller NC1), the cheaper”."
        )
    points = [cost for _, cost in sorted(costs, key=lambda pair: pair[0].measures.nc1)]
    steps = signs(dict(enumerate(itertools.pairwise(points)))).values()
    if min(steps) < 0:
        return ": “the nearer to collapse (smaller NC1), the cheaper” does **not** hold here."
    if max(steps) == 0:
        return ": noise alone can make the differences between these costs."
    tied = "" if min(steps) > 0 else ", as far as noise lets us tell"
    return f": “the nearer to collapse (smaller NC1), the cheaper” **holds here**{tied}."


# -------------------------------------------------------------------------------------------- cards


def cards_row(kinds: Sequence[Features], metric: str) -> None:
    """What is promised, what each kind of features measures and pays, where privacy is free in
    theory.
    """
    with cards.row("collapse"):
        lead = next((kind for kind in kinds if kind.noisy), None)
        if lead is not None:
            cards.result_card(
                lead.noisy[0], f"{METHODS[METHOD].title} on {lead.source.title}", "collapse"
            )
        for place, kind in enumerate(kinds):
            with cards.titled(unbroken(kind.source.title), 312, f"card-measures-{place}"):
                st.html(cards.definition(_measures(kind, metric)))
                cards.private_view()


def _measures(kind: Features, metric: str) -> list[tuple[str, str]]:
    m, (_, noisy) = kind.measures, kind.accuracy(metric)
    with_noise = f", {percent(noisy)} with" if noisy else ""
    return [
        ("records", f"{len(m.y):,} of {len(m.cosines)} classes"),
        ("shift β", f"{m.typical:.3g} (median record)"),
        ("β²p", f"{m.beta2p:.2g} in {m.p} dimensions"),
        ("NC1", f"{m.nc1:.2g}: spread within over between classes"),
        ("NC2", f"lengths vary by {100 * m.nc2:.0f}%, {_angles(m)}"),
        ("right", f"{percent(accuracy(kind.quiet, metric))} without noise{with_noise}"),
    ]


def _angles(m: Measures) -> str:
    return f"cosines lie {m.nc2_angle:.2f} from {minus(f'{m.corner:.2f}')}, a perfect frame's"
