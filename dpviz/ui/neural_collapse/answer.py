"""Measures and runs of the Neural collapse page on each kind of features: answer, tiles, cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from dpviz.data import synthetic
from dpviz.diagnostics import collapse_measures
from dpviz.diagnostics.collapse_measures import Measures
from dpviz.experiments import experiment
from dpviz.experiments.jobs import Group, Job
from dpviz.formatting import budget_at_level, compared, minus, rounded, unbroken
from dpviz.methods import METHODS
from dpviz.plots.collapse import ShiftRows
from dpviz.stats import Interval, accuracy, accuracy_loss
from dpviz.text import neural_collapse as text
from dpviz.text.template import render_text
from dpviz.types import Result
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.neural_collapse.controls import METHOD, CollapseView, Source
from dpviz.ui.widgets import cards
from dpviz.views import neural_collapse_page


@dataclass(frozen=True)
class Features:
    """One kind of features: its measures, its run without noise, and runs with noise so far."""

    source: Source
    measures: Measures
    quiet: tuple[Result, ...]
    noisy: tuple[Result, ...]

    def accuracy(self, metric: str) -> tuple[float, Interval | None]:
        """Return the accuracy without noise and with noise."""
        noisy = accuracy(self.noisy, metric) if self.noisy else None
        return getattr(self.quiet[0].scores, metric), noisy

    def cost(self, metric: str) -> Interval | None:
        """Return the accuracy that noise costs, seed by seed; None without runs."""
        if not self.noisy:
            return None
        return accuracy_loss(accuracy(self.quiet, metric), accuracy(self.noisy, metric))

    @property
    def noise(self) -> float | None:
        """Typical noise on the mean of a class of average size, on the axis of the main chart; None
        where it is not known.
        """
        guarantee = self.noisy[0].guarantee if self.noisy else None
        if guarantee is None or guarantee.notion != "gdp" or guarantee.of_record is not None:
            return None
        records = len(self.measures.y) / len(self.measures.cosines)
        return collapse_measures.noise_shift(guarantee.value, records, self.measures.p)

    def shown_change(self, metric: str) -> float | None:
        """Return the change by noise as the percentages state it; None where it is not known."""
        quiet, noisy = self.accuracy(metric)
        return compared(noisy, quiet)[2] if noisy and noisy.is_measured else None


def features(job: Job, wanted: Mapping[Source, tuple[Group, Group]]) -> list[Features]:
    """Return the sources whose data are in memory, with their runs so far."""
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
    """Return the main chart's data."""
    measured = [(kind.source.title, kind.measures, kind.accuracy(metric)) for kind in kinds]
    return ShiftRows.from_features(
        [(title, m.beta, m.off_diagonal, m.corner, *right) for title, m, right in measured],
        [kind.noise for kind in kinds],
        [kind.measures.nearest_class for kind in kinds],
    )


# ----------------------------------------------------------------------------------------- summary


def name_in_sentence(source: Source) -> str:
    """Return the short name of a kind of features, for use inside a sentence."""
    return text.SYNTHETIC if synthetic.is_synthetic(source.dataset) else source.title


def answer(kinds: Sequence[Features], view: CollapseView, metric: str, precise: bool) -> str:
    """Return what noise costs with each kind of features."""
    counts = [kind.quiet[0].class_counts for kind in kinds]
    if metric == "minority" and counts and all(len(set(sizes)) == 1 for sizes in counts):
        return text.ANSWERS["equal"].fill(precise)
    costs = [
        neural_collapse_page.Cost(
            name_in_sentence(kind.source), kind.measures.nc1, cost, kind.shown_change(metric)
        )
        for kind in kinds
        if (cost := kind.cost(metric)) is not None
    ]
    budget = budget_at_level(view.budget, precise)
    if view.unit == "person":
        budget = render_text(text.PER_PERSON, budget=budget)
    words = neural_collapse_page.answer(costs, budget, precise)
    return " ".join([words, *neural_collapse_page.spread_fact(costs, precise)])


def tiles(kinds: Sequence[Features], metric: str, public: Interval | None) -> list[page_parts.Tile]:
    """Return the tiles; public: accuracy of public images alone, None where it is unknown."""
    shown = []
    for kind in kinds:
        quiet, noisy = kind.accuracy(metric)
        cost = kind.cost(metric)
        change = -cost.mean if cost is not None and cost.is_measured else None
        shown.append(
            neural_collapse_page.FeatureTile(
                kind.source.label, kind.measures.nc1, quiet, noisy, change
            )
        )
    guarantees = [kind.noisy[0].guarantee for kind in kinds if kind.noisy]
    title = METHODS[METHOD].title
    is_precise = detail_level.precise()
    return neural_collapse_page.tiles(shown, metric, guarantees, title, public, is_precise)


def chart_title(kinds: Sequence[Features], metric: str) -> str:
    """Return the finding above the chart."""
    return neural_collapse_page.chart_title(
        [(kind.source.label, kind.measures.typical, kind.shown_change(metric)) for kind in kinds]
    )


# -------------------------------------------------------------------------------------------- cards


def cards_row(kinds: Sequence[Features], metric: str) -> None:
    """Draw the guarantee, and measures of each kind of features."""
    with cards.row("collapse"):
        lead = next((kind for kind in kinds if kind.noisy), None)
        if lead is not None:
            method, features_title = METHODS[METHOD].title, _card_title(lead.source)
            title = render_text(text.PROBE_ON, method=method, title=features_title)
            cards.result_card(lead.noisy[0], title, "collapse")
        for place, kind in enumerate(kinds):
            with cards.titled(unbroken(_card_title(kind.source)), 312, f"card-measures-{place}"):
                st.html(cards.definition(_measures(kind, metric)))
                cards.private_view()


def _card_title(source: Source) -> str:
    """Return the title of a kind of features, at the level Precise with its settings."""
    return source.title if detail_level.precise() else source.label


def _measures(kind: Features, metric: str) -> list[tuple[str, str]]:
    m, (quiet, noisy) = kind.measures, kind.accuracy(metric)
    short = lambda value, places=2: float(rounded(value, places))
    accuracies = render_text(text.ACCURACY_QUIET, quiet=quiet)
    if noisy and noisy.is_measured:
        shown, beside, _ = compared(noisy, quiet)
        accuracies = render_text(text.ACCURACIES, noisy=shown, quiet=beside)
    values = {
        "records": render_text(text.RECORDS, records=len(m.y), classes=len(m.cosines)),
        "shift": render_text(text.SHIFT, number=short(m.typical, 3)),
        "dimension": render_text(text.DIMENSION, value=short(m.beta2p), dimensions=m.p),
        "nc1": render_text(text.NC1, value=short(m.nc1)),
        "nc2": render_text(text.NC2, lengths=m.nc2, angle=short(m.nc2_angle), ideal=_ideal(m)),
        "accuracy": accuracies,
    }
    names = {key: words.fill(detail_level.precise()) for key, words in text.MEASURES.items()}
    return [(names[key], value) for key, value in values.items() if names[key]]


def _ideal(m: Measures) -> str:
    return minus(f"{m.corner:.2f}")
