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
from dpviz.views import mixed_in_plain_words, public_only
from dpviz.views.mixed_premise import few_classes
from dpviz.views.natural_frequencies import untested
from dpviz.views.page_as_shown import NOTHING

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

    def told(self, results: Results, view: MixedView, metric: str, plain: bool) -> str:
        """Public data alone against the best private preset at the budget of ``view``."""
        templates = public_only.PLAIN_ERROR if plain else public_only.ERROR
        now = at_now(results, view)
        errors = {name: error(runs, metric) for name, runs in now.items() if name not in LEVELS}
        public = error(self.public, metric) if self.public else None
        return public_only.sentence(errors, public, templates, lowest=True)


NOTHING_BESIDE = PublicComparison([], ("", ""))


def public_comparison(key: str, view: MixedView, metric: str) -> PublicComparison:
    """Public data alone, and DPPL-Public with the other public set, as far as they are there."""
    domain, found = public_runs.elsewhere(key, view)
    point = error(found, metric) if found else None
    precise, plain = (
        public_only.elsewhere(domain, point, each)
        for each in (public_only.ERROR, public_only.PLAIN_ERROR)
    )
    return PublicComparison(public_runs.public_only_runs(key, view), (precise, plain))


def curve(
    job: Job,
    wanted: Mapping[str, list[Group]],
    view: MixedView,
    metric: str,
    public: Sequence[Result] = (),
) -> ErrorCurve:
    """What is there of the chart so far; ``public``: of public data alone."""
    some = {**results(job, wanted), **({ALL_LABELS: list(public)} if public else {})}
    waiting = [name for name, (now, *_) in wanted.items() if not some[name] and now in job.missing]
    return ErrorCurve.from_results(some, metric, view.budget.axis, view.budget.delta, waiting)


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
    more: PublicComparison = NOTHING_BESIDE,
) -> str:
    """In Markdown for any budget of the curve: what the lead errs, against the two lines and a
    private preset that is better, and whether the paper's order holds; then public data alone.
    """
    elsewhere = more.elsewhere[0] if budget == view.budget.value else ""
    view = view.at(budget)
    said = {name: error(runs, metric) for name, runs in at_now(results, view).items()}
    lead = view.lead
    if lead not in said:
        return NOTHING
    if not said[lead].known:
        return untested()
    point = {name: percent(value) for name, value in said.items()}
    signs = _signs(said, view)
    shots = "1 public example" if view.shots == 1 else f"{view.shots} public examples"
    against = ""
    if ALONE in signs:
        word = {1: "less than", -1: "more than", 0: "within noise of"}[signs[ALONE]]
        against = f", {word} the **{point['Only-Public']}** of the public examples alone"
    better = _better(said, lead, signs)
    if better:
        against += f"; {better} does better, with **{point[better]}**"
    claims = _claims({pair: signs[pair] for pair in _chain(said, view)})
    premise = few_classes(at_now(results, view).values()) if claims else ""
    ceiling = (
        f"; the paragon, trained on all without noise, on **{point['paragon']}**"
        if "paragon" in said
        else ""
    )
    sentence = (
        f"With {shots} a class, {subset(view)} and {budget_text(view.budget)},"
        f" {lead} errs on **{point[lead]}**{against}{ceiling}{claims}."
    )
    public = more.told(results, view, metric, False)
    return " ".join(filter(None, [sentence, premise, public, elsewhere]))


def plain(
    results: Results,
    view: MixedView,
    budget: float,
    metric: str,
    more: PublicComparison = NOTHING_BESIDE,
) -> str:
    """The same for someone who knows no statistics."""
    now = at_now(results, view.at(budget))
    said = {name: error(runs, metric) for name, runs in now.items()}
    lead, there = view.lead, view.lead in now
    promises = [now[lead][0].guarantee] if there else []
    signs = _signs(said, view.at(budget)) if there else {}
    better = _better(said, lead, signs)
    alone = signs.get(ALONE)
    told = mixed_in_plain_words.sentence(said, lead, alone, better, view.shots, metric, promises)
    elsewhere = more.elsewhere[1] if budget == view.budget.value else ""
    beside_it = more.told(results, view.at(budget), metric, True) if there else ""
    return " ".join(filter(None, [told, beside_it, elsewhere]))


def _signs(said: Mapping[str, Interval], view: MixedView) -> dict[tuple[str, str], int]:
    """All that the sentence compares, looked at together: the paper's neighbours, the lead with the
    other private presets, and with the public examples alone.
    """
    lead = view.lead
    others = {
        (lead, name): (said[lead], said[name]) for name in said if name not in (lead, *LEVELS)
    }
    alone = {ALONE: (said[lead], said["Only-Public"])} if "Only-Public" in said else {}
    return orders(_chain(said, view) | others | alone)


def _chain(
    said: Mapping[str, Interval], view: MixedView
) -> dict[tuple[str, str], tuple[Interval, Interval]]:
    return paper_pairs(said, view.budget) if view.lead == "AdaMix" else {}


def _better(
    said: Mapping[str, Interval], lead: str, signs: Mapping[tuple[str, str], int]
) -> str | None:
    """The private preset with the least error of those that are told apart from the lead as
    better; None where there is none.
    """
    better = [name for name in said if name not in LEVELS and signs.get((lead, name)) == -1]
    return min(better, key=lambda name: said[name].mean, default=None)


ALONE = ("the lead", "public examples alone")


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
    budgets = [number(b) for b in curve.budgets if _lowest(curve.at(b)) == view.lead]
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
    promises = _guarantees(now)
    told = cards.draw_guess_note([result.guarantee for result in promises.values()])
    with cards.row("mixed", least=400):
        for place, (names, result) in enumerate(promises.items()):
            colour = line_style(names).colour if names in now else GREY
            cards.result_card(result, names, f"mixed-{place}", colour, told)
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
            mine = error(runs, metric)
            over = ""
            if best is not None and name != "paragon" and mine.known:
                over = f"{gain(best, mine):.0f} points"
            minority = share(error(runs, "minority").mean)
            seconds = f"{fmean(r.seconds for r in runs):.2g} s"
            rows.append((name, percent(mine), over, minority, seconds))
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
