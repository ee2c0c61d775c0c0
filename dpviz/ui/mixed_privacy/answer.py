"""The answer of "Mixed privacy": the runs as far as they are there, the sentence and the cards."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import streamlit as st

from dpviz.diagnostics.preset_comparison import LEVELS, error, gain, orders, paper_pairs
from dpviz.formatting import SYMBOLS, budget_text, number, percent, share, subset
from dpviz.plots.budget_curves import ErrorCurve
from dpviz.plots.kit.style import GREY, line_style
from dpviz.run import experiment
from dpviz.run.jobs import Group, Job
from dpviz.stats import Interval
from dpviz.types import Result
from dpviz.ui.frame import detail_level
from dpviz.ui.live import public_runs
from dpviz.ui.mixed_privacy.controls import MixedView
from dpviz.ui.widgets import cards
from dpviz.views import mixed_privacy_page, public_only
from dpviz.views.mixed_privacy_page import few_classes
from dpviz.views.page_as_shown import NOTHING
from dpviz.views.phrases import untested

ALL_LABELS = "Public data only, all labels"
"""The line of public data alone, beside that of a few labels (Only-Public)."""
Results = Mapping[str, Sequence[Result]]
"""By preset."""


def results(job: Job, wanted: Mapping[str, list[Group]]) -> dict[str, list[Result]]:
    """What is there, by preset."""
    return {
        name: [r for group in groups for r in job.results_of(group)]
        for name, groups in wanted.items()
    }


@dataclass(frozen=True)
class PublicComparison:
    """What is told beside the presets.

    Attributes:
        public: the run of public data alone with all its labels; [] until it is there; elsewhere:
            sentences on public images of other classes, precise and plain.
    """

    public: list[Result]
    elsewhere: tuple[str, str]

    def sentence(self, results: Results, view: MixedView, metric: str, plain: bool) -> str:
        """Public data alone against the best private preset at the budget of ``view``."""
        templates = public_only.PLAIN_ERROR if plain else public_only.ERROR
        now = at_now(results, view)
        errors = {name: error(runs, metric) for name, runs in now.items() if name not in LEVELS}
        public = error(self.public, metric) if self.public else None
        return public_only.sentence(errors, public, templates, lowest=True)


NO_COMPARISON = PublicComparison([], ("", ""))


def public_comparison(key: str, view: MixedView, metric: str) -> PublicComparison:
    """Public data alone, and DPPL-Public with the other public set, as far as they are there."""
    domain, runs = public_runs.other_domain_runs(key, view)
    point = error(runs, metric) if runs else None
    precise, plain = (
        public_only.elsewhere(domain, point, each)
        for each in (public_only.ERROR, public_only.PLAIN_ERROR)
    )
    return PublicComparison(public_runs.public_only_runs(key, view), (precise, plain))


def curve(
    job: Job,
    groups: Mapping[str, list[Group]],
    view: MixedView,
    metric: str,
    public: Sequence[Result] = (),
) -> ErrorCurve:
    """What is there of the chart so far; ``public``: of public data alone."""
    lines = {**results(job, groups), **({ALL_LABELS: list(public)} if public else {})}
    waiting = [
        name for name, (group, *_) in groups.items() if not lines[name] and group in job.missing
    ]
    return ErrorCurve.from_results(lines, metric, view.budget, waiting)


def at_now(results: Results, view: MixedView) -> dict[str, list[Result]]:
    """The runs at the budget looked at and those of the lines across, a run a seed."""
    budgets = (view.budget.value, math.inf)
    here = {
        name: {r.spec.seed: r for r in runs if r.spec.budget.value in budgets}
        for name, runs in results.items()
    }
    return {name: list(runs.values()) for name, runs in here.items() if runs}


def refusal_hint(view: MixedView) -> None:
    """What own data needs for this page."""
    if view.dataset.endswith(".npz"):
        st.info(
            "This page needs a public set with labels. Add X_public and y_public to the file, or"
            " choose a second file of features as the public set. At least one of its rows must"
            " have a private class as its label."
        )


# ----------------------------------------------------------------------------------------- sentence


def answer(
    results: Results,
    view: MixedView,
    budget: float,
    metric: str,
    more: PublicComparison = NO_COMPARISON,
) -> str:
    """In Markdown for any budget of the curve: what the lead errs, against the two lines and a
    private preset that is better, and whether the paper's order holds; then public data alone.
    """
    elsewhere = more.elsewhere[0] if budget == view.budget.value else ""
    view = view.with_budget(budget)
    errors = {name: error(runs, metric) for name, runs in at_now(results, view).items()}
    lead = view.lead
    if lead not in errors:
        return NOTHING
    if not errors[lead].is_measured:
        return untested()
    point = {name: percent(value) for name, value in errors.items()}
    signs = _signs(errors, view)
    shots = "1 public example" if view.shots == 1 else f"{view.shots} public examples"
    against = ""
    if ALONE_PAIR in signs:
        word = {1: "less than", -1: "more than", 0: "within noise of"}[signs[ALONE_PAIR]]
        against = f", {word} the **{point['Only-Public']}** of the public examples alone"
    better = _better(errors, lead, signs)
    if better:
        against += f"; {better} does better, with **{point[better]}**"
    claims = _claims({pair: signs[pair] for pair in _chain(errors, view)})
    premise = few_classes(at_now(results, view).values()) if claims else ""
    ceiling = (
        f"; the paragon, trained on all without noise, on **{point['paragon']}**"
        if "paragon" in errors
        else ""
    )
    sentence = (
        f"With {shots} a class, {subset(view)} and {budget_text(view.budget)},"
        f" {lead} errs on **{point[lead]}**{against}{ceiling}{claims}."
    )
    public = more.sentence(results, view, metric, False)
    return " ".join(filter(None, [sentence, premise, public, elsewhere]))


def plain(
    results: Results,
    view: MixedView,
    budget: float,
    metric: str,
    more: PublicComparison = NO_COMPARISON,
) -> str:
    """The same for someone who knows no statistics."""
    now = at_now(results, view.with_budget(budget))
    errors = {name: error(runs, metric) for name, runs in now.items()}
    lead, available = view.lead, view.lead in now
    guarantees = [now[lead][0].guarantee] if available else []
    signs = _signs(errors, view.with_budget(budget)) if available else {}
    better = _better(errors, lead, signs)
    alone = signs.get(ALONE_PAIR)
    text = mixed_privacy_page.sentence(errors, lead, alone, better, view.shots, metric, guarantees)
    elsewhere = more.elsewhere[1] if budget == view.budget.value else ""
    beside_it = more.sentence(results, view.with_budget(budget), metric, True) if available else ""
    return " ".join(filter(None, [text, beside_it, elsewhere]))


def _signs(points: Mapping[str, Interval], view: MixedView) -> dict[tuple[str, str], int]:
    """All that the sentence compares, looked at together: the paper's neighbours, the lead with the
    other private presets, and with the public examples alone.
    """
    lead = view.lead
    others = {
        (lead, name): (points[lead], points[name]) for name in points if name not in (lead, *LEVELS)
    }
    alone = {ALONE_PAIR: (points[lead], points["Only-Public"])} if "Only-Public" in points else {}
    return orders(_chain(points, view) | others | alone)


def _chain(
    points: Mapping[str, Interval], view: MixedView
) -> dict[tuple[str, str], tuple[Interval, Interval]]:
    return paper_pairs(points, view.budget) if view.lead == "AdaMix" else {}


def _better(
    points: Mapping[str, Interval], lead: str, signs: Mapping[tuple[str, str], int]
) -> str | None:
    """The private preset with the least error of those that are told apart from the lead as
    better; None where there is none.
    """
    better = [name for name in points if name not in LEVELS and signs.get((lead, name)) == -1]
    return min(better, key=lambda name: points[name].mean, default=None)


ALONE_PAIR = ("the lead", "public examples alone")


def _claims(signs: Mapping[tuple[str, str], int]) -> str:
    """Whether the paper's order of the drawn lines holds, from the orders of its neighbours."""
    if len(signs) < 2:
        return ""
    wrong = [f"{b} errs less than {a}" for (a, b), sign in signs.items() if sign < 0]
    tied = [f"{a} and {b} are within noise" for (a, b), sign in signs.items() if sign == 0]
    chain = " < ".join(dict.fromkeys(name for pair in signs for name in pair))
    if not wrong and not tied:
        return f"; this is the paper's order of errors, {chain}"
    verdict = "differs from" if wrong else "neither confirms nor contradicts"
    return (
        f"; the order here {verdict} the paper's order of errors, {chain}:"
        f" {', '.join(wrong + tied)}"
    )


def caption(curve: ErrorCurve, view: MixedView) -> str:
    """What bands are, what a seed draws, and where the lead is best."""
    return (
        f"{detail_level.bands(view.seeds)} A seed draws noise and public shots. Where a line lies"
        f" below Only-Public, the private records have paid off. {_best_budgets(curve, view)}"
    )


def _best_budgets(curve: ErrorCurve, view: MixedView) -> str:
    """At which budgets the lead has the lowest mean error of all lines but the paragon."""
    if len(curve.budgets) < 2:
        return ""
    budgets = [number(b) for b in curve.budgets if _lowest(curve.errors_at(b)) == view.lead]
    if not budgets:
        return (
            f"At no budget drawn has {view.lead} the lowest mean error: try fewer records, a"
            " higher IR or a stricter budget."
        )
    return (
        f"{view.lead} has the lowest mean error of all but the paragon at"
        f" {SYMBOLS[view.budget.axis]} = {', '.join(budgets)}."
    )


def _lowest(points: Mapping[str, Interval]) -> str:
    return min((name for name in points if name != "paragon"), key=lambda name: points[name].mean)


# -------------------------------------------------------------------------------------------- cards


def cards_row(now: Results, view: MixedView, metric: str) -> None:
    """Each different promise, what the noise costs, how the steps came about."""
    guarantees = _guarantees(now)
    noted = cards.draw_guess_note([result.guarantee for result in guarantees.values()])
    with cards.row("mixed", min_width=400):
        for place, (names, result) in enumerate(guarantees.items()):
            colour = line_style(names).colour if names in now else GREY
            cards.result_card(result, names, f"mixed-{place}", colour, noted)
        _cost(now, metric)
        _steps(view)


def _guarantees(now: Results) -> dict[str, Result]:
    """A result for each different guarantee, under the names of the presets that give it."""
    same: dict[Any, list[str]] = {}
    for name, runs in now.items():
        if name != "paragon":
            same.setdefault(runs[0].guarantee, []).append(name)
    return {", ".join(names): now[names[0]][0] for names in same.values()}


def _cost(now: Results, metric: str) -> None:
    with cards.titled("What it costs, and who is hurt", 460):
        cards.private_view()
        best = error(now["paragon"], metric) if "paragon" in now else None
        rows = []
        for name, runs in now.items():
            preset_error = error(runs, metric)
            axis = ""
            if best is not None and name != "paragon" and preset_error.is_measured:
                axis = f"{gain(best, preset_error):.0f} points"
            minority = share(error(runs, "minority").mean)
            seconds = f"{fmean(r.seconds for r in runs):.2g} s"
            rows.append((name, percent(preset_error), axis, minority, seconds))
        st.html(cards.table(("error", "above paragon", "minority's", "a run"), rows))


def _steps(view: MixedView) -> None:
    with cards.titled("Steps follow from the budget", 330):
        plans = {n: experiment.planned(view.run(n, view.first_seed)) for n in view.presets}
        why: dict[str, list[str]] = {}
        for name, plan in plans.items():
            why.setdefault(plan.notes["why"], []).append(name)
        for reason, names in why.items():
            st.markdown(f"**{', '.join(names)}**: {reason}")
        st.caption(
            "The setting σ fixes the noise of a step. The budget then pays for T = ⌊2ρσ²⌋ steps,"
            " of which at most the setting “Most steps” are run."
        )
