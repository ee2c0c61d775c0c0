"""Controls and answer of the DP means page: runs, diagnostics, sentence and tiles."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.diagnostics import coinpress_steps, mean_errors
from dpviz.methods import dppl_mean
from dpviz.plots.kit.drawing import visible_minority
from dpviz.stats import Interval, accuracy
from dpviz.text import dp_means as text
from dpviz.types import Result, RunSpec
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work, page_caches
from dpviz.ui.widgets import param_widgets, shared_controls, side_bar
from dpviz.views import dp_means_page, method_tiles, phrases, public_only
from dpviz.views.data_draws import DrawRuns
from dpviz.views.page_as_shown import Tile
from dpviz.views.page_config import Group, PageConfig
from dpviz.views.trade_off_page import group_text

KEY = "dp-means"
MEAN, EXACT = "dppl-mean", "class-mean"


def sidebar() -> PageConfig:
    """Draw all controls of the page, under the keys that they have on the Trade-off page."""
    return shared_controls.one_method(
        MEAN, EXACT, _settings, [dppl_mean.K_POOL.name], seed_help=text.SEED_HELP
    )


def _settings() -> tuple:
    """Draw form and pooling, and the clip norm in a fold."""
    values = {}
    with side_bar.extra():
        values["form"] = param_widgets.widget(dppl_mean.FORM, f"{MEAN}.form")
    values["k_pool"] = param_widgets.widget(dppl_mean.K_POOL, f"{MEAN}.k_pool")
    with side_bar.fold(text.CLIP_NORM):
        values["clip"] = param_widgets.widget(dppl_mean.CLIP, f"{MEAN}.clip")
    return tuple(
        (p.name, values[p.name]) for p in dppl_mean.METHOD.params if values[p.name] != p.default
    )


def groups(view: PageConfig) -> list[Group]:
    """Return the runs of the page.

    The groups of the Trade-off page, exact means of all images, and the method without noise.
    """
    first = view.groups()
    reference, spec = first[0][0], first[-1][0]
    no_noise = dataclasses.replace(view.budget, value=math.inf)
    quiet = dataclasses.replace(spec, budget=no_noise, seed=view.first_seed)
    full = dataclasses.replace(reference, ir=1.0, records=0, unit="picture", per_person=0)
    return [*first, (full,), (quiet,)]


def form_groups(view: PageConfig, settings: dict, form: str) -> list[Group]:
    """Return the runs of the method with another form; one batch holds all budgets."""
    changed = ((MEAN, tuple((settings | {"form": form}).items())),)
    return dataclasses.replace(view, params=changed).groups()[1:]


#: Most seeds that angles are averaged over.
MAX_SEEDS = 6


@dataclass(frozen=True)
class Results:
    """Results behind the page.

    Attributes:
        full: exact means of all images; exact: exact means of the images in use; quiet: the method
            without noise; at_budget: with noise, one per seed; all_budgets: all of these.
    """

    full: Result
    exact: Result
    quiet: Result
    at_budget: tuple[Result, ...]
    all_budgets: tuple[Result, ...]

    @property
    def spec(self) -> RunSpec:
        """The method at the current budget, first seed, every default filled in."""
        return self.at_budget[0].spec

    @property
    def settings(self) -> dict:
        """Settings of the method, every default filled in."""
        return dict(self.spec.params)

    def with_budget(self, view: PageConfig) -> Results:
        """Return the same results with the budget of a view as the current one."""
        return dataclasses.replace(
            self, at_budget=tuple(view.at_now(r for r in self.all_budgets if r.spec.method == MEAN))
        )


def results(view: PageConfig, status: Any) -> Results | None:
    """Return the results by role; None where one is missing."""
    wanted = groups(view)
    job = long_work.collect(KEY, wanted, status)
    page_parts.refusals(job.errors.values())
    if not all(group in job.done for group in wanted):
        return None
    curve = [r for group in wanted[1:-2] for r in job.done[group]]
    exact, full, quiet = (job.done[group][0] for group in (wanted[0], *wanted[-2:]))
    now = tuple(view.at_now(curve))
    return Results(full, exact, quiet, now, (exact, full, quiet, *curve))


@dataclass(frozen=True)
class Content:
    """Everything that the parts of the page draw.

    Attributes:
        names: of the classes; draws: runs on all data draws, behind the accuracies, None where the
            page shows one draw; public_here: accuracy of public images alone on one draw,
            None while it is computed and where there is none.
    """

    results: Results
    view: PageConfig
    names: Sequence[str]
    metric: str
    draws: DrawRuns | None
    public_here: Interval | None

    @property
    def rare(self) -> tuple[str, ...]:
        """Names of the smallest quarter of the classes; none where all have the same size."""
        exact = self.results.exact
        return phrases.rare_class_names(self.names, exact.class_counts, exact.spec.draw)

    @property
    def rare_places(self) -> tuple[int, ...]:
        """The smallest quarter of the classes; none where all have the same size."""
        exact = self.results.exact
        return visible_minority(exact.minority_classes, exact.class_counts)

    @property
    def group(self) -> str:
        """Which test images the accuracy counts."""
        return group_text(self.metric, self.rare, self.view)

    @property
    def private(self) -> Interval:
        """Accuracy with noise."""
        if self.draws:
            return self.draws.accuracy(self.view.budget.value, self.metric)
        return self.private_here

    @property
    def private_here(self) -> Interval:
        """Accuracy with noise on the draw that the map shows."""
        return accuracy(self.results.at_budget, self.metric)

    @property
    def quiet(self) -> Interval:
        """Accuracy without noise."""
        if self.draws:
            return self.draws.accuracy(math.inf, self.metric)
        return accuracy([self.results.quiet], self.metric)

    @property
    def public(self) -> Interval | None:
        """Accuracy of public images alone; None while it is computed, and where there is none."""
        over_draws = self.draws and self.draws.public_accuracy(self.metric)
        return over_draws or self.public_here

    def with_budget(self, budget: float) -> Content:
        """Return the same at another budget of the axis."""
        view = self.view.with_budget(budget)
        return dataclasses.replace(self, view=view, results=self.results.with_budget(view))


# -------------------------------------------------------- diagnostics, kept by settings and content


_turns = page_caches.cached_by_content(200)(mean_errors.turns)
schedules = page_caches.cached_by_content(200)(coinpress_steps.by_class)


def turns(results: Results) -> tuple[mean_errors.Turn, ...]:
    """Return the effect of noise on each class's mean, over the first few seeds."""
    return _turns(results.spec, tuple(r.spec.seed for r in results.at_budget[:MAX_SEEDS]))


# ----------------------------------------------------------------------------- sentence and tiles


def answer(content: Content, precise: bool) -> str:
    """Return the answer in Markdown."""
    return dp_means_page.answer(
        content.private, content.quiet, content.view.budget, content.metric, precise
    )


def finding(content: Content) -> str:
    """Return the title of the map."""
    return dp_means_page.finding(turns(content.results), content.rare_places)


def tiles(content: Content, precise: bool) -> list[Tile]:
    """Return the numbers below the answer."""
    results = content.results
    verdicts = [coinpress_steps.judge(run) for run, _ in schedules(results.spec)]
    shown_tiles = [
        method_tiles.accuracy_tile(
            MEAN,
            content.metric,
            () if content.draws else content.rare,  # each draw has rare classes of its own
            content.view,
            (content.private, content.quiet),
            precise,
        ),
        method_tiles.guess_tile(results.at_budget[0].guarantee, MEAN),
        dp_means_page.coinpress_tile(sum(v.diverges for v in verdicts), len(verdicts), precise),
    ]
    if public_only.spec(content.view):
        public = method_tiles.public_tile(content.public, MEAN, content.private, content.view)
        shown_tiles.insert(2, public)
    # the caption of the map has the runs, so that all tiles have as many lines
    return [dataclasses.replace(tile, runs="") for tile in shown_tiles]
