"""Controls and answer of the page "Public prototypes": draws, odds, sentence, cards."""

from __future__ import annotations

import dataclasses
import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from dpviz import caches, formatting
from dpviz.diagnostics import prototype_choices, public_set_similarity
from dpviz.diagnostics.prototype_choices import Draws, Odds
from dpviz.formatting import SYMBOLS, budget_text, literal, number, percent, spread, subset
from dpviz.methods import METHODS
from dpviz.methods.components import public_scores
from dpviz.run import experiment
from dpviz.stats import Interval, accuracy, over_classes
from dpviz.types import Dataset, DpvizError, Result, RunSpec
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work, page_caches, rerun_scheduling
from dpviz.ui.widgets import cards, param_widgets, shared_controls
from dpviz.views import phrases, public_only, public_prototypes_page
from dpviz.views.page_config import STOPS, PageConfig

KEY = "public-prototypes"
METHOD, EXACT = "dppl-public", "class-mean"
N_HELP = "The noise is drawn anew N times; the pictures show up to five of these draws."


def sidebar() -> PageConfig:
    """All controls of the page, under the keys they have on the Trade-off page."""
    return shared_controls.one_method(
        METHOD, EXACT, lambda: param_widgets.form(METHODS[METHOD]), n_help=N_HELP
    )


@dataclass(frozen=True, eq=False)
class Choices:
    """All that the page needs at once.

    Attributes:
        view; metric; data; draws: at every stop of the axis, the budget looked at and without
            noise; odds: at the budget looked at; exact: class means without noise.
    """

    view: PageConfig
    metric: str
    data: Dataset
    draws: Draws
    odds: Odds
    exact: Result

    @property
    def spec(self) -> RunSpec:
        """DPPL-Public at the budget looked at, first seed."""
        return self.view.spec(METHOD)

    @property
    def any_budget(self) -> RunSpec:
        """The spec as it is for all budgets and seeds."""
        return any_budget(self.view)

    @property
    def row(self) -> int:
        """Place of the budget looked at."""
        return self.draws.budgets.index(self.view.budget.value)

    @property
    def current_results(self) -> tuple[Result, ...]:
        """Results at the budget looked at, a seed each."""
        return self.draws.results[self.row]

    @property
    def budgets(self) -> tuple[float, ...]:
        """All but the one without noise."""
        return tuple(b for b in self.draws.budgets if math.isfinite(b))

    def values(self, budget: float) -> list[float]:
        """The seeds' accuracies at a budget."""
        return self.draws.values(budget, self.metric)

    @property
    def quiet(self) -> float:
        """Accuracy of the choice without noise."""
        return self.values(math.inf)[0]

    @property
    def without_noise(self) -> Interval:
        """The same with its interval."""
        place = self.draws.budgets.index(math.inf)
        return accuracy(self.draws.results[place][:1], self.metric)

    @property
    def reference(self) -> float:
        """Accuracy of the class means without noise."""
        return getattr(self.exact.scores, self.metric)

    @property
    def chance(self) -> float:
        """1/C."""
        return 1 / self.data.classes

    @property
    def levels(self) -> list[tuple[str, float]]:
        """What a chart draws across: name and accuracy."""
        return [("exact class means", self.reference), ("guessing", self.chance)]

    @property
    def nonsense(self) -> float | None:
        """The largest budget at which half of what the noiseless choice has above guessing is gone;
        None if none.
        """
        half = self.chance + (self.quiet - self.chance) / 2
        lost = [b for b in self.budgets if float(np.mean(self.values(b))) < half]
        return max(lost, default=None)

    def with_budget(self, budget: float) -> Choices:
        """The same at another budget that was drawn; the odds stay."""
        return dataclasses.replace(self, view=self.view.with_budget(budget))


def exact(view: PageConfig, status: Any) -> Result | None:
    """Class means without noise; None, with the reason on the page, where they cannot be had."""
    job = long_work.collect(KEY, view.groups()[:1], status)
    page_parts.refusals(job.errors.values())
    return job.done[job.groups[0]][0] if job.complete else None


def choices(view: PageConfig, reference: Result, metric: str) -> Choices | None:
    """What a view shows; None, with the reason on the page, for settings that cannot work, such as
    data without a public set.
    """
    spec = view.spec(METHOD)
    try:
        experiment.planned(spec)
        data = experiment.prepared(spec)
        return Choices(view, metric, data, _picked_methods(view), _odds(spec), reference)
    except DpvizError as error:
        page_parts.refusals([str(error)])
        return None


def any_budget(view: PageConfig) -> RunSpec:
    """The spec of a view as it is for all budgets and seeds."""
    return dataclasses.replace(view.with_budget(view.stops[-1]).spec(METHOD), seed=0)


def _picked_methods(view: PageConfig) -> Draws:
    spec, budget = any_budget(view), view.budget
    seeds = tuple(range(view.first_seed, view.first_seed + view.seeds))
    # the stops alone, so that a budget between them draws for itself only
    stops = tuple(sorted({*STOPS[budget.axis], math.inf}))
    draws = _draws(spec, stops, seeds)
    if budget.value in stops:
        return draws
    return _with_more(draws, _draws(spec, (budget.value,), seeds))


_draws = page_caches.cached_by_content(200)(prototype_choices.draws)
_odds = page_caches.cached_by_content(8)(prototype_choices.odds)
_with_more = caches.cached(20)(Draws.with_more)


def prepare_moves(data: Dataset) -> None:
    """Sum up the scores for every window while the visitor looks, so that moves of d_min and d_max
    are quick.
    """
    if rerun_scheduling.no_browser:
        return
    threading.Thread(target=public_scores.keep_grid, args=(data,), daemon=True).start()


# ------------------------------------------------------------------------------------- the sentence


@dataclass(frozen=True)
class PublicSentences:
    """The answer with public data alone, and with public images of the other domain.

    Attributes:
        public: accuracy of public data alone; budget: the budget looked at, for which alone
            ``elsewhere`` holds, precise and plain.
    """

    public: Interval | None
    budget: float
    elsewhere: tuple[str, str]

    def precise(self, shown: Choices) -> str:
        """In percent."""
        return self._with(shown, answer(shown), public_only.ACCURACY, self.elsewhere[0])

    def plain(self, shown: Choices) -> str:
        """In natural frequencies."""
        return self._with(shown, plainly(shown), public_only.PLAIN, self.elsewhere[1])

    def _with(
        self, shown: Choices, text: str, templates: public_only.Templates, elsewhere: str
    ) -> str:
        point = accuracy(shown.current_results, shown.metric)
        alone_text = public_only.sentence({METHOD: point}, self.public, templates)
        here = elsewhere if shown.view.budget.value == self.budget else ""
        return " ".join(filter(None, [text, alone_text, here]))


def answer(shown: Choices) -> str:
    """One sentence in Markdown: what is picked now, how often that works, and from where on it is
    nonsense.
    """
    view = shown.view
    if not shown.without_noise.is_measured:
        return phrases.untested()
    return (
        f"At {subset(view)} and {budget_text(view.budget)} {_picked(shown)}"
        f" {phrases.metric_subject(shown.metric, bool(_rare(shown)))}"
        f" **{percent(accuracy(shown.current_results, shown.metric))}** of the time"
        f" (**{percent(shown.without_noise)}** by the same method without noise);"
        f" {_nonsense_text(shown)}."
    )


def _rare(shown: Choices) -> tuple[str, ...]:
    """Names of the smallest quarter of the classes; none where all are as large."""
    return phrases.rare_class_names(
        shown.data.class_names, shown.exact.class_counts, shown.exact.spec.draw
    )


def plainly(shown: Choices) -> str:
    """The same in the plain voice."""
    own = shown.draws.own
    own_row = None if own is None else own[shown.row]
    return public_prototypes_page.answer(
        shown.view,
        shown.metric,
        _rare(shown),
        (accuracy(shown.current_results, shown.metric), shown.without_noise),
        None if own_row is None else (int(own_row.sum()), own_row.size),
        shown.nonsense if shown.quiet > shown.chance else None,
        shown.current_results[0].guarantee,
        len(shown.draws.seeds),
    )


def _picked(shown: Choices) -> str:
    own, lacking = shown.draws.own, public_set_similarity.without_like(shown.data)
    if lacking and own is None:
        return (
            "**no public class bears a private class's name**, so a public record of another kind"
            " stands for each class, and"
        )
    if own is None:
        return "the mechanism lets one public record stand for each class, and"
    own_row = own[shown.row]
    verb = "has" if lacking and len(lacking) == 1 else "have"
    none = f" (**{listed(shown.data, lacking)}** {verb} no public like)" if lacking else ""
    count = f"**{int(own_row.sum())} of {own_row.size}**"
    return f"{count} picked pictures bear their class's name{none} and"


def listed(data: Dataset, classes: Sequence[int]) -> str:
    """Names of some classes in Markdown, of many the first ones."""
    return literal(formatting.abridged([data.class_names[c] for c in classes]))


def _nonsense_text(shown: Choices) -> str:
    symbol, border = SYMBOLS[shown.view.budget.axis], shown.nonsense
    if shown.quiet <= shown.chance:
        return (
            "and even without noise the choice is no better than guessing, so there is nothing for"
            " noise to spoil"
        )
    if border is None:
        return (
            f"down to {symbol} = {number(shown.draws.budgets[0])} the picks keep more than half of"
            " what they had above guessing"
        )
    return (
        f"**from {symbol} = {number(border)} down** the picks are more noise than choice: over half"
        " of what they had above guessing is gone"
    )


# ---------------------------------------------------------------------------------------- the cards


def cards_row(shown: Choices, public: Interval | None = None) -> None:
    """What it promises, what noise costs, who is hurt."""
    with cards.row("choice"):
        cards.result_card(shown.current_results[0], METHODS[METHOD].title, METHOD)
        with cards.titled("What it costs"):
            cards.private_view()
            st.html(cards.definition(_costs(shown)))
        with cards.titled(cards.text.MINORITY_TITLE):
            cards.private_view()
            st.html(cards.definition(_class_costs(shown)))
        if public:
            cards.public_alone(accuracy(shown.current_results, shown.metric), public)


def _costs(shown: Choices) -> list[tuple[str, str]]:
    here, odds = accuracy(shown.current_results, shown.metric), shown.odds
    least, most = float(odds.candidates.min()), float(odds.candidates.max())
    text = f" ({spread(here)}, N = {here.runs})" if spread(here) else ""
    return [
        ("right now", percent(here) + text),
        ("without noise", percent(shown.without_noise)),
        ("exact class means", percent(accuracy([shown.exact], shown.metric))),
        ("guessing", f"{100 * shown.chance:.0f}%"),
        ("public pictures", f"{odds.public:,}"),
        ("choice in effect", f"among {least:,.0f} (surest class) to {most:,.0f} (least sure)"),
    ]


def _class_costs(shown: Choices) -> list[tuple[str, str]]:
    names, small = shown.data.class_names, shown.exact.minority_classes
    rest = [c for c in range(shown.data.classes) if c not in small]
    scores = np.array([r.scores.per_class for r in shown.current_results])
    failed = (scores < 0.5).mean(axis=0)
    lost = [names[c] for c in np.argsort(-failed, kind="stable") if failed[c] >= 0.5]

    def right(classes: Sequence[int]) -> str:
        return formatting.right(over_classes(shown.current_results, classes))

    minority = (
        f"class{'es' if len(small) > 1 else ''} {formatting.abridged([names[c] for c in small])}"
    )
    split = [("all classes", "as many records each: no minority")]
    if _rare(shown):
        split = [("minority", f"{right(small)}: {minority}"), ("others", right(rest))]
    return [
        *split,
        (
            "mostly lost",
            f"{formatting.abridged(lost) or 'no class'} (under 50% in half of the draws)",
        ),
    ]
