"""Controls and answer of "DP means": runs, diagnostics, sentence and cards."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import streamlit as st

from dpviz.diagnostics import coinpress_steps, mean_errors
from dpviz.formatting import METRIC_WORDS, budget_text, number, percent, right, share, subset
from dpviz.methods import dppl_mean
from dpviz.plots.mean_maps import MeansMap
from dpviz.stats import Interval, accuracy, over_classes
from dpviz.types import Budget, Result, RunSpec
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work, page_caches
from dpviz.ui.widgets import cards, param_widgets, shared_controls
from dpviz.views import dp_means_page, phrases, public_only
from dpviz.views.dp_means_page import Rotation
from dpviz.views.page_config import Group, PageConfig

MEAN, EXACT = "dppl-mean", "class-mean"
FORMS = {"sum": "Sum form", "printed": "Printed form", "coinpress": "CoinPress"}
FORM_NAMES = FORMS | {"sum": "sum form", "printed": "printed form"}
SEED_HELP = "Seeds are first, first + 1, … The map and the drawn run show the first."


def sidebar() -> PageConfig:
    """All controls of the page, under the keys they have on the Trade-off page."""
    return shared_controls.one_method(MEAN, EXACT, _settings, seed_help=SEED_HELP)


def _settings() -> tuple:
    """Form and pooling in sight, the clip norm behind "more"."""
    values = {
        p.name: param_widgets.widget(p, f"{MEAN}.{p.name}")
        for p in (dppl_mean.FORM, dppl_mean.K_POOL)
    }
    with st.expander("Clip norm"):
        values["clip"] = param_widgets.widget(dppl_mean.CLIP, f"{MEAN}.clip")
    return tuple(
        (p.name, values[p.name]) for p in dppl_mean.METHOD.params if values[p.name] != p.default
    )


def groups(view: PageConfig) -> list[Group]:
    """What the page needs: the Trade-off page's groups, exact means of all records, the method
    without noise.
    """
    first = view.groups()
    reference, spec = first[0][0], first[-1][0]
    no_noise = dataclasses.replace(view.budget, value=math.inf)
    quiet = dataclasses.replace(spec, budget=no_noise, seed=view.first_seed)
    full = dataclasses.replace(reference, ir=1.0, records=0, unit="picture", per_person=0)
    return [*first, (full,), (quiet,)]


def form_groups(view: PageConfig, settings: dict, form: str) -> list[Group]:
    """The method's groups with another form; all its budgets come in one batch and are kept."""
    changed = ((MEAN, tuple((settings | {"form": form}).items())),)
    return dataclasses.replace(view, params=changed).groups()[1:]


MAX_SEEDS = 6
"""Most seeds that the angles are averaged over."""


@dataclass(frozen=True)
class Results:
    """Results behind the page: exact means of all records and of these, the method without noise
    and with it.
    """

    full: Result
    exact: Result
    quiet: Result
    at_budget: tuple[Result, ...]
    all_budgets: tuple[Result, ...]

    @property
    def spec(self) -> RunSpec:
        """The method at the budget looked at, first seed, every default filled in."""
        return self.at_budget[0].spec

    @property
    def settings(self) -> dict:
        """The method's, every default filled in."""
        return dict(self.spec.params)

    def with_budget(self, view: PageConfig) -> Results:
        """The same where another budget is looked at."""
        return dataclasses.replace(
            self, at_budget=tuple(view.at_now(r for r in self.all_budgets if r.spec.method == MEAN))
        )


def results(key: str, view: PageConfig, status: Any) -> Results | None:
    """The results by role; None where something is missing."""
    wanted = groups(view)
    job = long_work.collect(key, wanted, status)
    page_parts.refusals(job.errors.values())
    if not all(group in job.done for group in wanted):
        return None
    curve = [r for group in wanted[1:-2] for r in job.done[group]]
    exact, full, quiet = (job.done[group][0] for group in (wanted[0], *wanted[-2:]))
    now = tuple(view.at_now(curve))
    return Results(full, exact, quiet, now, (exact, full, quiet, *curve))


# -------------------------------------------------------- diagnostics, kept by settings and content


_turns = page_caches.cached_by_content(200)(mean_errors.turns)
_map = page_caches.cached_by_content(40, "Drawing the map …")(mean_errors.means_map)
schedules = page_caches.cached_by_content(200)(coinpress_steps.by_class)


def turns(results: Results) -> tuple[mean_errors.Turn, ...]:
    """How far noise turns each class's mean, over the first few seeds."""
    return _turns(results.spec, tuple(r.spec.seed for r in results.at_budget[:MAX_SEEDS]))


def means_map(spec: RunSpec, budgets: tuple[Budget, ...]) -> mean_errors.Map | None:
    """The means at all budgets of an axis; None without a public set."""
    return _map(dataclasses.replace(spec, budget=budgets[-1]), budgets)


# ----------------------------------------------------------------------------------------- sentence


def answer(
    results: Results, view: PageConfig, budget: float, metric: str, public: Interval | None = None
) -> str:
    """One sentence in Markdown for any budget of the axis: what noise does to a mean, what that
    costs, and how CoinPress fares. Another one on ``public``, public data alone.
    """
    view = view.with_budget(budget)
    results = results.with_budget(view)
    ranked = sorted(turns(results), key=lambda turn: turn.n)
    small, large = ranked[0], ranked[-1]
    private = accuracy(results.at_budget, metric)
    quiet = accuracy([results.quiet], metric)
    scored = (
        f", so **{percent(private)}** of test records are {METRIC_WORDS[metric]}, against"
        f" **{percent(quiet)}** by the same method without noise"
    )
    lost = _coinpress([coinpress_steps.judge(run) for run, _ in schedules(results.spec)])
    alone_text = public_only.sentence({MEAN: private}, public)
    return (
        f"At {subset(view)} and {budget_text(view.budget)} noise turns the mean of the largest"
        " class"
        f" ({large.n:,} records) by **{large.angle:.0f}°** and of the smallest ({small.n:,}) by"
        f" **{small.angle:.0f}°**{scored if private.is_measured else ''}; {lost}."
        f"{'' if private.is_measured else f' {phrases.untested()}'}"
        f" {alone_text}"
    ).strip()


def plainly(
    results: Results,
    view: PageConfig,
    budget: float,
    metric: str,
    names: Sequence[str],
    public: Interval | None = None,
) -> str:
    """The same in the plain voice; ``names``: of the classes."""
    view = view.with_budget(budget)
    results = results.with_budget(view)
    ranked = sorted(turns(results), key=lambda turn: turn.n)
    small, large = (Rotation(turn.n, turn.angle) for turn in (ranked[0], ranked[-1]))
    verdicts = [coinpress_steps.judge(run) for run, _ in schedules(results.spec)]
    private = accuracy(results.at_budget, metric)
    alone_text = public_only.sentence({MEAN: private}, public, public_only.PLAIN)
    text = dp_means_page.answer(
        view,
        metric,
        phrases.rare_class_names(names, results.exact.class_counts, results.exact.spec.draw),
        (private, accuracy([results.quiet], metric)),
        (large, small),
        (sum(verdict.diverges for verdict in verdicts), len(verdicts)),
        results.at_budget[0].guarantee,
    )
    return f"{text} {alone_text}".strip()


def _coinpress(verdicts: Sequence[coinpress_steps.Verdict]) -> str:
    bad = sum(v.diverges for v in verdicts)
    few = sum(v.kind == "few" for v in verdicts)
    if not bad:
        return "CoinPress would shrink its ball for every class"
    reason = (
        "they have too few records for this dimension"
        if few == bad
        else "its start is tighter than their records can tell"
    )
    if 0 < few < bad:
        reason = (
            f"{few} have too few records for this dimension, the others too few to tell more than"
            " its start does"
        )
    return f"CoinPress would diverge for **{bad} of {len(verdicts)} classes**: {reason}"


def map_caption(chart: MeansMap, view: PageConfig) -> str:
    """What the map shows, and how far to trust it."""
    seeds = f", the sentence above the mean of all {view.seeds} seeds" if view.seeds > 1 else ""
    pooled = (
        " A private mean carries the blur of pooling, too."
        if dict(dict(view.params).get(MEAN, ())).get("k_pool", 1) > 1
        else ""
    )
    return (
        f"The map shows noise seed {view.first_seed}{seeds}; {len(chart.points):,} test"
        " points are drawn, every test record is scored. All points and means are scaled to length"
        " 1, which is all that the cosine rule sees, and drawn in the two main directions of the"
        f" public set, which hold {100 * chart.share:.0f}% of its variance: a map, not the whole"
        f" story. Drag the slider below the map to move the budget.{pooled}"
    )


# -------------------------------------------------------------------------------------------- cards


def cards_row(
    results: Results,
    view: PageConfig,
    names: Sequence[str],
    metric: str,
    public: Interval | None = None,
) -> None:
    """What the form promises, what noise does to a mean, who is hurt."""
    form = results.settings["form"]
    with cards.row("means"):
        cards.result_card(
            results.at_budget[0], f"{view.titles[MEAN]}, {FORM_NAMES[form]}", f"means-{form}"
        )
        _noise(turns(results))
        _class_costs(results, names)
        if public:
            cards.public_alone(accuracy(results.at_budget, metric), public)


def _noise(turned: Sequence[mean_errors.Turn]) -> None:
    with cards.titled("What noise does to a mean", 340):
        cards.private_view()
        ranked = sorted(turned, key=lambda t: -t.n)
        picked = {"largest": ranked[0], "middle": ranked[len(ranked) // 2], "smallest": ranked[-1]}
        ratio = lambda t: number(float(f"{t.ratio:.2g}"))
        turn_text = lambda t: f"turned by {t.angle:.0f}°; noise is {ratio(t)} × its length"
        rows = [
            (f"{size_name} class, {t.n:,} records", turn_text(t)) for size_name, t in picked.items()
        ]
        st.html(cards.definition(rows))
        nearest = median(t.nearest for t in turned)
        st.caption(
            "90° is a random direction. Between a mean and the nearest other class's mean lie"
            f" {nearest:.0f}° (median)."
        )


def _class_costs(results: Results, names: Sequence[str]) -> None:
    with cards.titled(cards.text.MINORITY_TITLE, 290):
        cards.private_view()
        if not phrases.rare_class_names(names, results.exact.class_counts, results.exact.spec.draw):
            st.markdown(cards.text.EQUAL_CLASSES)
            return
        small = results.exact.minority_classes
        others = [c for c in range(len(names)) if c not in small]
        rows = [("the minority", _right(results, small)), ("the others", _right(results, others))]
        st.html(cards.definition(rows))
        st.caption(cards.minority(small, names))


def _right(results: Results, classes: Sequence[int]) -> str:
    """Accuracy over some classes, with noise and without."""
    if not classes:
        return "no class"
    current, exact = (
        over_classes(results.at_budget, classes),
        over_classes([results.exact], classes),
    )
    return f"{right(current)}; {share(exact)} with exact means"
