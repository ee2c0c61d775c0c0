"""Results of the AdaMix page as far as they are computed: answer, tiles, finding and cards."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import streamlit as st

from dpviz import stats
from dpviz.caches import cached
from dpviz.diagnostics.preset_comparison import LEVELS, accuracy, accuracy_orders, paper_pairs
from dpviz.experiments import experiment
from dpviz.experiments.jobs import Group, Job
from dpviz.formatting import budget_at_level, percent, share, shown_difference
from dpviz.methods import METHODS, adamix
from dpviz.papers import verdicts
from dpviz.papers.model import NOT_MET
from dpviz.plots.budget_curves import PresetCurve
from dpviz.plots.kit.style import GREY, line_style
from dpviz.stats import Interval
from dpviz.text import mixed_privacy as text
from dpviz.text.template import render
from dpviz.types import Result
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import public_runs
from dpviz.ui.mixed_privacy.controls import MixedView
from dpviz.ui.widgets import cards
from dpviz.views import mixed_privacy_page as page
from dpviz.views import public_only

#: By method.
Results = Mapping[str, Sequence[Result]]


def results(job: Job, wanted: Mapping[str, list[Group]]) -> dict[str, list[Result]]:
    """Return what is computed, by method."""
    return {
        name: [r for group in groups for r in job.results_of(group)]
        for name, groups in wanted.items()
    }


@dataclass(frozen=True)
class PublicComparison:
    """Comparison with all public images alone.

    Attributes:
        public: the run on all public images, [] until it is computed.
    """

    public: Sequence[Result] = ()

    def accuracy(self, metric: str) -> Interval | None:
        """Return the accuracy of all public images alone, whose one run draws no noise and no
        examples.
        """
        return stats.accuracy(self.public, metric) if self.public else None

    def signs(self, accuracies: Mapping[str, Interval], metric: str) -> dict[str, int]:
        """Return the sign of each private method against all public images alone, tested
        together; empty where it is not known.
        """
        public = self.accuracy(metric)
        known = {name: p for name, p in page.private(accuracies).items() if p.is_measured}
        if public is None or not public.is_measured or any(p.runs < 2 for p in known.values()):
            return {}
        return accuracy_orders({name: (point, public) for name, point in known.items()})

    def sentence(self, results: Results, view: MixedView, metric: str, precise: bool) -> str:
        """Return the sentence on public images alone; "" where they are not known."""
        accuracies = page.private(accuracies_now(results, view, metric))
        public = self.accuracy(metric)
        sign = public_only.sign(accuracies, public)
        return page.public_sentence(accuracies, public, sign, precise)


NO_COMPARISON = PublicComparison()


def public_comparison(key: str, view: MixedView) -> PublicComparison:
    """Return the run on public images, as far as it is computed."""
    return PublicComparison(public_runs.public_only_runs(key, view))


def elsewhere_sentence(key: str, view: MixedView, metric: str, precise: bool) -> str:
    """Return the sentence on DPPL-Public with the other public set; "" until it is computed."""
    domain, runs = public_runs.other_domain_runs(key, view)
    other = accuracy(runs, metric) if runs else None
    if other is None or not other.is_measured:
        return ""
    method = METHODS[public_only.OTHER_METHOD].title
    return text.ELSEWHERE[domain].fill(precise, method=method, accuracy=other)


def curve(
    job: Job,
    groups: Mapping[str, list[Group]],
    view: MixedView,
    metric: str,
    public: Sequence[Result] = (),
) -> PresetCurve:
    """Return the main chart's data as far as they are computed."""
    lines = {**results(job, groups), **({page.ALL_PUBLIC: list(public)} if public else {})}
    waiting = [
        page.line_name(name)
        for name, (group, *_) in groups.items()
        if not lines[name] and group in job.missing
    ]
    return replace(
        PresetCurve.from_results(lines, metric, view.budget, waiting),
        lead=view.lead,
        shots=view.shots,
    )


def at_now(results: Results, view: MixedView) -> dict[str, list[Result]]:
    """Return the runs at the current budget and those of the flat lines, one run per seed."""
    budgets = (view.budget.value, math.inf)
    here = {
        name: {r.spec.seed: r for r in runs if r.spec.budget.value in budgets}
        for name, runs in results.items()
    }
    return {name: list(runs.values()) for name, runs in here.items() if runs}


def accuracies_now(results: Results, view: MixedView, metric: str) -> dict[str, Interval]:
    """Return the accuracies at the current budget, by method."""
    return {name: accuracy(runs, metric) for name, runs in at_now(results, view).items()}


#: Claim of the paper whose premise decides whether data can refute AdaMix.
MAIN_CLAIM = "mixed-tab1-adamix"


@cached(64)
def premise_note(dataset: str) -> str:
    """Return that these data do not meet the premise of the paper, in Markdown; "" if they do."""
    verdict = verdicts.stored()[0].get((MAIN_CLAIM, dataset))
    return text.NOT_REFUTED if verdict and verdict.outcome == NOT_MET else ""


def refusal_hint(view: MixedView) -> None:
    """Draw what own data need for this page."""
    if view.dataset.endswith(".npz"):
        st.info(text.NEEDS_PUBLIC)


# --------------------------------------------------------------------------- answer and comparisons


def answer(
    results: Results,
    view: MixedView,
    budget: float,
    metric: str,
    precise: bool,
    comparison: PublicComparison = NO_COMPARISON,
) -> str:
    """Return the answer, in Markdown, at any budget of the curve."""
    view = view.with_budget(budget)
    accuracies = accuracies_now(results, view, metric)
    signs = _signs_if_measured(accuracies, view)
    better = _better(accuracies, view.lead, signs)
    named = budget_at_level(view.budget, precise)
    if view.unit == "person":
        named = render(text.PER_PERSON, budget=named)
    return page.answer(
        accuracies,
        view.lead,
        signs.get(ALONE_PAIR),
        better,
        named,
        precise,
        comparison.accuracy(metric),
        comparison.signs(accuracies, metric),
    )


Signs = Mapping[tuple[str, str], int]
"""Signs of comparisons, by pair."""
#: By budget and method.
Accuracies = Mapping[float, Mapping[str, Interval]]


def accuracies_by_budget(
    results: Results, view: MixedView, budgets: Sequence[float], metric: str
) -> Accuracies:
    """Return the accuracies at each budget, as the answer has them."""
    return {budget: accuracies_now(results, view.with_budget(budget), metric) for budget in budgets}


def signs_by_budget(accuracies: Accuracies, view: MixedView) -> dict[float, Signs]:
    """Return the signs of all comparisons at each budget, as the answer has them."""
    return {
        budget: _signs_if_measured(here, view.with_budget(budget))
        for budget, here in accuracies.items()
    }


def against_examples(signs: Mapping[float, Signs]) -> dict[float, int | None]:
    """Return the sign of the lead against public examples alone, by budget; None where it is not
    known.
    """
    return {budget: of_pairs.get(ALONE_PAIR) for budget, of_pairs in signs.items()}


def against_public(
    accuracies: Accuracies, lead: str, metric: str, comparison: PublicComparison
) -> dict[float, int | None]:
    """Return the sign of the lead against all public images alone, by budget, as the answer has
    it; None where it is not known.
    """
    return {budget: comparison.signs(here, metric).get(lead) for budget, here in accuracies.items()}


def reference_signs(
    public: Mapping[float, int | None], examples: Mapping[float, int | None]
) -> tuple[str, Mapping[float, int | None]]:
    """Return the line that the lead is compared with, and the signs: all public images, or its
    public examples where all public images are not known.
    """
    if public and None not in public.values():
        return page.ALL_PUBLIC, public
    return page.PUBLIC_EXAMPLES, examples


def chart_title(reference: str, signs: Mapping[float, int | None], view: MixedView) -> str:
    """Return the finding: the lead against its reference."""
    shots = 0 if reference == page.ALL_PUBLIC else view.shots
    return page.chart_title(signs, view.lead, view.budget.axis, shots)


def better_than(lead: str, signs: Mapping[float, Signs]) -> dict[float, list[str]]:
    """Return the private methods that are significantly better than the lead, by budget."""
    return {
        budget: [
            second for (first, second), sign in of_pairs.items() if (first, sign) == (lead, -1)
        ]
        for budget, of_pairs in signs.items()
    }


def with_clear_budgets(
    curve: PresetCurve, reference: str, signs: Mapping[float, int | None]
) -> PresetCurve:
    """Return the chart's data with the budgets of significant differences from a reference."""
    if not signs or None in signs.values():
        return curve
    return replace(
        curve,
        clear=frozenset(budget for budget, sign in signs.items() if sign),
        worse=frozenset(budget for budget, sign in signs.items() if sign == -1),
        reference=reference,
    )


def _signs_if_measured(
    accuracies: Mapping[str, Interval], view: MixedView
) -> dict[tuple[str, str], int]:
    """Return the signs of all comparisons; none where the lead has no accuracy."""
    lead = accuracies.get(view.lead)
    return _signs(accuracies, view) if lead is not None and lead.is_measured else {}


def tiles(
    results: Results, view: MixedView, metric: str, comparison: PublicComparison
) -> list[page_parts.Tile]:
    """Return the tiles at the current budget."""
    runs = at_now(results, view).get(view.lead, [])
    accuracies = accuracies_now(results, view, metric)
    better = _better(accuracies, view.lead, _signs_if_measured(accuracies, view))
    return page.tiles(
        accuracies,
        view.lead,
        view.shots,
        metric,
        comparison.accuracy(metric),
        [result.guarantee for result in runs[:1]],
        comparison.signs(accuracies, metric),
        better,
    )


def order_sentences(results: Results, view: MixedView, metric: str) -> list[str]:
    """Return whether the accuracies at the current budget are in the order of the paper."""
    accuracies = accuracies_now(results, view, metric)
    if view.lead not in accuracies or not accuracies[view.lead].is_measured:
        return []
    pairs = _neighbors(accuracies, view)
    if len(pairs) < 2:
        return []
    signs = _signs(accuracies, view)
    return page.order_sentences(
        {pair: signs[pair] for pair in pairs}, page.class_count(results.values())
    )


def _signs(points: Mapping[str, Interval], view: MixedView) -> dict[tuple[str, str], int]:
    """Return the signs of all comparisons, tested together: neighbors in the paper's order, the
    lead with other private methods and with public examples alone.
    """
    lead = view.lead
    others = {
        (lead, name): (points[lead], points[name]) for name in points if name not in (lead, *LEVELS)
    }
    alone = (
        {ALONE_PAIR: (points[lead], points[page.PUBLIC_EXAMPLES])}
        if page.PUBLIC_EXAMPLES in points
        else {}
    )
    return accuracy_orders(_neighbors(points, view) | others | alone)


def _neighbors(
    points: Mapping[str, Interval], view: MixedView
) -> dict[tuple[str, str], tuple[Interval, Interval]]:
    return paper_pairs(points, view.budget) if view.lead == "AdaMix" else {}


def _better(points: Mapping[str, Interval], lead: str, signs: Mapping[tuple[str, str], int]) -> str:
    """Return the most accurate private method that is significantly better than the lead, or an
    empty string.
    """
    better = [name for name in points if name not in LEVELS and signs.get((lead, name)) == -1]
    return max(better, key=lambda name: points[name].mean, default="")


ALONE_PAIR = ("the lead", "public examples alone")


def caption(view: MixedView, beaten: str) -> str:
    """Return how to read the main chart.

    Args:
        beaten: where other private methods are better; "" where they are not.
    """
    return " ".join(filter(None, [beaten, detail_level.bands(view.seeds)]))


def notes(view: MixedView, reference: str) -> str:
    """Return what the chart does not show: areas around the reference, seeds, methods, premise."""
    is_public = reference == page.ALL_PUBLIC
    words = page.reference_words(0 if is_public else view.shots)
    sentences = [
        text.CAPTION_OVERLAP,
        render(text.CAPTION_AREAS, lead=view.lead, reference=words)
        if detail_level.precise()
        else "",
        text.SEEDS_NOTE,
        text.METHODS_MEANING if {"NGD", "Fully-Private"} <= set(view.presets) else "",
        premise_note(view.dataset),
    ]
    return " ".join(filter(None, sentences))


# -------------------------------------------------------------------------------------------- cards


def guarantees(now: Results, view: MixedView, metric: str) -> None:
    """Draw a card for each different guarantee, the cost, and the number of steps."""
    distinct = _guarantees(now)
    noted = cards.draw_guess_note([result.guarantee for result in distinct.values()])
    with cards.row("mixed", min_width=400):
        for place, (names, result) in enumerate(distinct.items()):
            color = line_style(names).colour if names in now else GREY
            cards.result_card(result, names, f"mixed-{place}", color, noted)
        _cost(now, metric)
        _steps(view)


def _guarantees(now: Results) -> dict[str, Result]:
    """Return a result for each different guarantee, by the names of its methods."""
    same: dict[Any, list[str]] = {}
    for name, runs in now.items():
        if name != page.NO_PRIVACY:
            same.setdefault(runs[0].guarantee, []).append(name)
    return {", ".join(map(page.line_name, names)): now[names[0]][0] for names in same.values()}


def _cost(now: Results, metric: str) -> None:
    with cards.titled(text.COST_CARD, 460):
        cards.private_view()
        best = accuracy(now[page.NO_PRIVACY], metric) if page.NO_PRIVACY in now else None
        rows = []
        for name, runs in now.items():
            point = accuracy(runs, metric)
            change = ""
            if best is not None and name != page.NO_PRIVACY and point.is_measured:
                change = render("{change:points}", change=shown_difference(point, best))
            rare = share(accuracy(runs, "minority").mean)
            seconds = f"{fmean(r.seconds for r in runs):.2g} s"
            rows.append((page.line_name(name), percent(point), change, rare, seconds))
        st.html(cards.table(text.COST_HEADS, rows))


def _steps(view: MixedView) -> None:
    with cards.titled(text.STEPS_CARD, 330):
        plans = {n: experiment.planned(view.run(n, view.first_seed)) for n in view.presets}
        why: dict[str, list[str]] = {}
        for name, plan in plans.items():
            why.setdefault(plan.notes["why"], []).append(name)
        for reason, names in why.items():
            st.markdown(render(text.STEPS_OF, names=names, reason=reason))
        st.caption(text.STEPS_NOTE.fill(detail_level.precise(), most=adamix.MAX_STEPS.label))
