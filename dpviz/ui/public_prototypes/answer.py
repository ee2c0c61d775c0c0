"""Controls and answer of the Public prototypes page: draws, odds, sentence and tiles."""

from __future__ import annotations

import dataclasses
import math
import threading
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from streamlit.delta_generator import DeltaGenerator

from dpviz import caches
from dpviz.diagnostics import prototype_choices, public_set_similarity
from dpviz.diagnostics.prototype_choices import Draws, Odds
from dpviz.experiments import experiment
from dpviz.experiments.jobs import Group, Work
from dpviz.experiments.worker_processes import Pool
from dpviz.machine.fair_queue import Progress
from dpviz.methods import METHODS
from dpviz.methods.components import public_scores
from dpviz.stats import Interval, accuracy
from dpviz.text import public_prototypes as text
from dpviz.types import Budget, Dataset, DpvizError, Result, RunSpec
from dpviz.ui.frame import page_parts
from dpviz.ui.live import draw_runs, long_work, page_caches, public_runs, rerun_scheduling
from dpviz.ui.widgets import param_widgets, shared_controls
from dpviz.views import method_tiles, phrases, public_only, public_prototypes_page
from dpviz.views.data_draws import DrawRuns, over_draws
from dpviz.views.page_as_shown import Tile
from dpviz.views.page_config import STOPS, PageConfig
from dpviz.views.trade_off_page import group_text

KEY = "public-prototypes"
METHOD, EXACT = "dppl-public", "class-mean"
SLIDERS = ("d_min", "d_max")


def sidebar() -> PageConfig:
    """Draw all controls of the page, under the keys that they have on the Trade-off page."""
    form = partial(param_widgets.form, METHODS[METHOD])
    return shared_controls.one_method(METHOD, EXACT, form, SLIDERS, n_help=text.SEEDS_HELP)


@dataclass(frozen=True, eq=False)
class Choices:
    """Everything that the parts of the page draw.

    Attributes:
        view; metric; data; draws: at every stop of the axis, the current budget and without noise;
            exact: class means without noise; all_draws: runs on all data draws, None where the page
            shows one draw.
    """

    view: PageConfig
    metric: str
    data: Dataset
    draws: Draws
    exact: Result
    all_draws: DrawRuns | None = None

    @property
    def spec(self) -> RunSpec:
        """DPPL-Public at the current budget, first seed."""
        return self.view.spec(METHOD)

    @property
    def any_budget(self) -> RunSpec:
        """The spec that all budgets and seeds share."""
        return any_budget(self.view)

    @property
    def odds(self) -> Odds:
        """Selection probabilities at the current budget."""
        return _odds(self.spec)

    @property
    def row(self) -> int:
        """Index of the current budget."""
        return self.draws.budgets.index(self.view.budget.value)

    @property
    def current_results(self) -> tuple[Result, ...]:
        """Results at the current budget, one per seed."""
        return self.draws.results[self.row]

    @property
    def budgets(self) -> tuple[float, ...]:
        """Budgets with noise."""
        return tuple(b for b in self.draws.budgets if math.isfinite(b))

    def values(self, budget: float) -> list[float]:
        """Accuracies of the seeds at a budget."""
        return self.draws.values(budget, self.metric)

    def mean(self, budget: float) -> float:
        """Mean accuracy at a budget, over all data draws where these are computed."""
        if self.all_draws and self.all_draws.at_budget(budget):
            return self.all_draws.accuracy(budget, self.metric).mean
        return float(np.mean(self.values(budget)))

    @property
    def quiet(self) -> float:
        """Accuracy of the choice without noise."""
        return self.values(math.inf)[0]

    @property
    def without_noise(self) -> Interval:
        """Accuracy of the choice without noise, with its interval."""
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
        """Reference lines of a chart: name and accuracy."""
        names = text.ACCURACY_ROWS["exact"], text.ACCURACY_ROWS["chance"]
        return list(zip(names, (self.reference, self.chance), strict=True))

    @property
    def border(self) -> float | None:
        """Largest budget at which over half of the accuracy above chance is lost; None if none."""
        half = self.chance + (self.mean(math.inf) - self.chance) / 2
        lost = [b for b in self.budgets if self.mean(b) < half]
        return max(lost, default=None)

    @property
    def rare(self) -> tuple[str, ...]:
        """Names of the smallest quarter of the classes; none where all have the same size."""
        return phrases.rare_class_names(
            self.data.class_names, self.exact.class_counts, self.exact.spec.draw
        )

    @property
    def group(self) -> str:
        """Which test images the accuracy counts, for a caption."""
        return group_text(self.metric, self.rare, self.view)

    @property
    def group_in_sentence(self) -> str:
        """Which test images the accuracy counts, without names of classes."""
        return text.GROUPS[self.metric]

    def with_budget(self, budget: float) -> Choices:
        """Return the same at another budget that was drawn."""
        return dataclasses.replace(self, view=self.view.with_budget(budget))


def exact(view: PageConfig, status: Any) -> Result | None:
    """Return class means without noise; None, with the reason on the page, where it fails."""
    job = long_work.collect(KEY, view.groups()[:1], status)
    page_parts.refusals(job.errors.values())
    return job.done[job.groups[0]][0] if job.complete else None


def choices(
    view: PageConfig, reference: Result, metric: str, status: DeltaGenerator
) -> Choices | None:
    """Return what a view shows; None, with the reason on the page, where settings are invalid."""
    try:
        experiment.planned(view.spec(METHOD))
        data = experiment.prepared(view.spec(METHOD))
    except DpvizError as error:
        page_parts.refusals([str(error)])
        return None
    groups = draw_groups(view)
    job = long_work.collect(f"{KEY}-draws", groups, status, work=DRAWS)
    page_parts.refusals(job.errors.values())
    if not job.complete:
        return None
    draws, *between = (job.done[group][0] for group in groups)
    return Choices(view, metric, data, _with_more(draws, *between) if between else draws, reference)


def any_budget(view: PageConfig) -> RunSpec:
    """Return the spec that all budgets and seeds of a view share."""
    return dataclasses.replace(view.with_budget(view.stops[-1]).spec(METHOD), seed=0)


def draw_groups(view: PageConfig) -> list[Group]:
    """Return the runs whose draws are shown: at all stops of the axis and without noise, and in a
    group of its own at a budget between the stops, which then draws for itself only.
    """
    budget, stops = view.budget, (*STOPS[view.budget.axis], math.inf)
    first = view.spec(METHOD)
    return [
        tuple(
            dataclasses.replace(first, budget=budget.with_value(value), seed=view.first_seed + s)
            for value in values
            for s in range(view.seeds)
        )
        for values in (stops, *([] if budget.value in stops else [(budget.value,)]))
    ]


def _draws(pool: Pool, group: Group, progress: Progress) -> list[Draws]:
    budgets, seeds = (
        tuple(dict.fromkeys(values))
        for values in ((spec.budget.value for spec in group), (spec.seed for spec in group))
    )
    return [pool.call(prototype_choices.draws, group[0], budgets, seeds, progress=progress)]


DRAWS = Work(
    partial(_draws, long_work.POOL),
    max_groups=200,
    run_idle=partial(_draws, long_work.IDLE_POOL),
    private_runs=lambda draws: [result.spec for row in draws.results for result in row],
)
_odds = page_caches.cached_by_content(8)(prototype_choices.odds)
_with_more = caches.cached(20)(Draws.with_more)


def prepare_moves(data: Dataset) -> None:
    """Compute the scores for every score range in the background, so that d_min and d_max react
    quickly.
    """
    if rerun_scheduling.no_browser:
        return
    threading.Thread(target=public_scores.keep_grid, args=(data,), daemon=True).start()


# ----------------------------------------------------------------------------- sentence and tiles


def answer(shown: Choices, precise: bool) -> str:
    """Return how many public images show their class, in Markdown."""
    own, lacking = shown.draws.own, public_set_similarity.without_like(shown.data)
    names = shown.data.class_names
    picks = public_prototypes_page.Picks(
        None if own is None else int(own[shown.row].sum()),
        len(shown.draws.seeds) * shown.data.classes,
        None if lacking is None else tuple(names[c] for c in lacking),
        int(look_alikes(shown.draws, shown.row).sum()),
    )
    return public_prototypes_page.answer(
        shown.view.budget,
        picks,
        accuracy(shown.current_results, shown.metric),
        shown.without_noise,
        shown.chance,
        shown.rare,
        precise,
    )


def finding(shown: Choices) -> str:
    """Return at which budgets most accuracy above chance is lost."""
    budget = lambda value: dataclasses.replace(shown.view.budget, value=value)
    border: Budget | None = None if shown.border is None else budget(shown.border)
    smallest = budget(shown.draws.budgets[0])
    useful = shown.quiet > shown.chance
    return public_prototypes_page.finding(border, smallest, useful, shown.metric)


def look_alikes(draws: Draws, place: int) -> np.ndarray:
    """Return, at a budget by its place, (S, C) bool: an image of another class represents the
    class well; all False where no public image shows a private class.
    """
    works = np.array([run.scores.per_class for run in draws.results[place]]) >= 0.5
    return works & ~draws.own[place] if draws.own is not None else np.zeros_like(works)


@dataclass(frozen=True)
class Comparisons:
    """Accuracies that the page compares with.

    Attributes:
        public: of public images alone; domain: of the other public set, "" where there is none;
            other: with that set at the budget of ``budget``. None while they are computed.
        draws: runs on all data draws, behind the accuracies, None where the page shows one draw.
    """

    public: Interval | None
    domain: str
    other: Interval | None
    budget: float
    draws: DrawRuns | None


def comparisons(shown: Choices) -> Comparisons:
    """Return the accuracies to compare with, as far as they are computed."""
    view, metric = shown.view, shown.metric
    noisy = [run for row in shown.draws.results for run in row]
    draws = draw_runs.of_view(KEY, view, METHOD, noisy)
    domain, runs = public_runs.other_domain_runs(KEY, over_draws(view, draws))
    other = accuracy(runs, metric) if runs else None
    public = public_runs.alone_accuracy(KEY, view, metric)
    return Comparisons(public, domain, other, view.budget.value, draws)


def accuracies(shown: Choices, draws: DrawRuns | None) -> tuple[Interval, Interval]:
    """Return the accuracies with noise and without, on all data draws where these are computed."""
    if draws is None:
        return accuracy(shown.current_results, shown.metric), shown.without_noise
    budget, metric = shown.view.budget.value, shown.metric
    return draws.accuracy(budget, metric), draws.accuracy(math.inf, metric)


def tiles(shown: Choices, compared: Comparisons, precise: bool) -> list[Tile]:
    """Return the numbers below the answer."""
    view, private, quiet = shown.view, *accuracies(shown, compared.draws)
    public, rare = compared.public, shown.rare
    if compared.draws:
        rare = ()  # each draw has rare classes of its own
        public = compared.draws.public_accuracy(shown.metric) or public
    exact = public_prototypes_page.exact_tile(accuracy([shown.exact], shown.metric))
    shown_tiles = [
        method_tiles.accuracy_tile(METHOD, shown.metric, rare, view, (private, quiet), precise),
        method_tiles.guess_tile(shown.current_results[0].guarantee, METHOD),
        method_tiles.public_tile(public, METHOD, private, view)
        if public_only.spec(view)
        else exact,
    ]
    if compared.domain:
        other = compared.other if view.budget.value == compared.budget else None
        shown_tiles.append(public_prototypes_page.other_tile(compared.domain, other))
    elif exact not in shown_tiles:
        shown_tiles.append(exact)
    return shown_tiles
