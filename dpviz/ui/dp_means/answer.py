"""The answer of "DP means": the results by role, cached diagnostics, the sentence and the cards."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import streamlit as st

from dpviz.diagnostics import coinpress_steps, mean_errors
from dpviz.formatting import METRIC_WORDS, budget_text, number, percent, right, share, subset
from dpviz.plots.mean_maps import MeansMap
from dpviz.stats import Interval, accuracy, over_classes
from dpviz.types import Budget, Result, RunSpec
from dpviz.ui.dp_means.controls import IN_WORDS, MEAN, groups
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work, page_caches
from dpviz.ui.widgets import cards
from dpviz.views import dp_means_in_plain_words, natural_frequencies, public_only
from dpviz.views.dp_means_in_plain_words import Turned
from dpviz.views.page_config import PageConfig

FEW = 6
"""Most seeds that the angles are averaged over."""


@dataclass(frozen=True)
class Results:
    """Results behind the page: exact means of all records and of these, the method without noise
    and with it.
    """

    full: Result
    exact: Result
    quiet: Result
    now: tuple[Result, ...]
    every: tuple[Result, ...]

    @property
    def spec(self) -> RunSpec:
        """The method at the budget looked at, first seed, every default filled in."""
        return self.now[0].spec

    @property
    def settings(self) -> dict:
        """The method's, every default filled in."""
        return dict(self.spec.params)

    def at(self, view: PageConfig) -> Results:
        """The same where another budget is looked at."""
        return dataclasses.replace(
            self, now=tuple(view.at_now(r for r in self.every if r.spec.method == MEAN))
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


_turns = page_caches.of_content(200)(mean_errors.turns)
_map = page_caches.of_content(40, "Drawing the map …")(mean_errors.means_map)
schedules = page_caches.of_content(200)(coinpress_steps.by_class)


def turns(results: Results) -> tuple[mean_errors.Turn, ...]:
    """How far noise turns each class's mean, over the first few seeds."""
    return _turns(results.spec, tuple(r.spec.seed for r in results.now[:FEW]))


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
    view = view.at(budget)
    results = results.at(view)
    ranked = sorted(turns(results), key=lambda turn: turn.n)
    small, large = ranked[0], ranked[-1]
    private = accuracy(results.now, metric)
    quiet = accuracy([results.quiet], metric)
    scored = (
        f", so **{percent(private)}** of test records are {METRIC_WORDS[metric]}, against"
        f" **{percent(quiet)}** by the same method without noise"
    )
    lost = _coinpress([coinpress_steps.judge(run) for run, _ in schedules(results.spec)])
    alone = public_only.sentence({MEAN: private}, public)
    return (
        f"At {subset(view)} and {budget_text(view.budget)} noise turns the mean of the largest"
        " class"
        f" ({large.n:,} records) by **{large.angle:.0f}°** and of the smallest ({small.n:,}) by"
        f" **{small.angle:.0f}°**{scored if private.known else ''}; {lost}."
        f"{'' if private.known else f' {natural_frequencies.untested()}'}"
        f" {alone}"
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
    view = view.at(budget)
    results = results.at(view)
    ranked = sorted(turns(results), key=lambda turn: turn.n)
    small, large = (Turned(turn.n, turn.angle) for turn in (ranked[0], ranked[-1]))
    verdicts = [coinpress_steps.judge(run) for run, _ in schedules(results.spec)]
    private = accuracy(results.now, metric)
    alone = public_only.sentence({MEAN: private}, public, public_only.PLAIN)
    said = dp_means_in_plain_words.answer(
        view,
        metric,
        natural_frequencies.rare(names, results.exact.class_counts, results.exact.spec.draw),
        (private, accuracy([results.quiet], metric)),
        (large, small),
        (sum(one.diverges for one in verdicts), len(verdicts)),
        results.now[0].guarantee,
    )
    return f"{said} {alone}".strip()


def _coinpress(verdicts: Sequence[coinpress_steps.Verdict]) -> str:
    bad = sum(v.diverges for v in verdicts)
    few = sum(v.kind == "few" for v in verdicts)
    if not bad:
        return "CoinPress would shrink its ball for every class"
    why = (
        "they have too few records for this dimension"
        if few == bad
        else "its start is tighter than their records can tell"
    )
    if 0 < few < bad:
        why = (
            f"{few} have too few records for this dimension, the others too few to tell more than"
            " its start does"
        )
    return f"CoinPress would diverge for **{bad} of {len(verdicts)} classes**: {why}"


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
        f" public set, which hold {100 * chart.share:.0f} % of its variance: a map, not the whole"
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
        cards.result_card(results.now[0], f"{view.titles[MEAN]}, {IN_WORDS[form]}", f"means-{form}")
        _noise(turns(results))
        _hurt(results, names)
        if public:
            cards.public_alone(accuracy(results.now, metric), public)


def _noise(turned: Sequence[mean_errors.Turn]) -> None:
    with cards.titled("What noise does to a mean", 340):
        cards.private_view()
        ranked = sorted(turned, key=lambda t: -t.n)
        picked = {"largest": ranked[0], "middle": ranked[len(ranked) // 2], "smallest": ranked[-1]}
        ratio = lambda t: number(float(f"{t.ratio:.2g}"))
        told = lambda t: f"turned by {t.angle:.0f}°; noise is {ratio(t)} × its length"
        rows = [(f"{who} class, {t.n:,} records", told(t)) for who, t in picked.items()]
        st.html(cards.definition(rows))
        nearest = median(t.nearest for t in turned)
        st.caption(
            "90° is a random direction. Between a mean and the nearest other class's mean lie"
            f" {nearest:.0f}° (median)."
        )


def _hurt(results: Results, names: Sequence[str]) -> None:
    with cards.titled(cards.WHO, 290):
        cards.private_view()
        if not natural_frequencies.rare(names, results.exact.class_counts, results.exact.spec.draw):
            st.markdown(cards.EQUAL_CLASSES)
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
    now, exact = over_classes(results.now, classes), over_classes([results.exact], classes)
    return f"{right(now)}; {share(exact)} with exact means"
