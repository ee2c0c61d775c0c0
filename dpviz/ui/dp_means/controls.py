"""The page "DP means": its controls, the runs it needs, cached diagnostics, its sentence and its
cards.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

import streamlit as st

from dpviz.caches import remembered
from dpviz.diagnostics import coinpress_steps, mean_errors
from dpviz.methods import dppl_mean
from dpviz.plots.means_map import MeansMap
from dpviz.run import experiment
from dpviz.run.jobs import Job
from dpviz.stats import interval, within_noise
from dpviz.types import Budget, Result, RunSpec
from dpviz.ui.live import page_caches
from dpviz.ui.widgets import cards, params, shared_controls
from dpviz.views.view import Group, View
from dpviz.words import METRIC_WORDS, at, number, percent

MEAN, EXACT = "dppl-mean", "class-mean"
FORMS = {"sum": "Sum form", "printed": "Printed form", "coinpress": "CoinPress"}
IN_WORDS = FORMS | {"sum": "sum form", "printed": "printed form"}
FEW = 6
"""Most seeds that the angles are averaged over."""
SEED_HELP = "Seeds are first, first + 1, … The map and the drawn run show the first."


def sidebar() -> View:
    """All controls of the page, under the keys they have on the Trade-off page."""
    return shared_controls.one_method(MEAN, EXACT, _settings, seed_help=SEED_HELP)


def _settings() -> tuple:
    """Form and pooling in sight, the clip norm behind "more"."""
    found = {
        p.name: params.widget(p, f"{MEAN}.{p.name}") for p in (dppl_mean.FORM, dppl_mean.K_POOL)
    }
    with st.expander("Clip norm"):
        found["clip"] = params.widget(dppl_mean.CLIP, f"{MEAN}.clip")
    return tuple(
        (p.name, found[p.name]) for p in dppl_mean.METHOD.params if found[p.name] != p.default
    )


# --------------------------------------------------------------------------------------------- runs


@dataclass(frozen=True)
class Runs:
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


def groups(view: View) -> list[Group]:
    """What the page needs: the Trade-off page's groups, exact means of all records, the method
    without noise.
    """
    first = view.groups()
    reference, one = first[0][0], first[-1][0]
    quiet = dataclasses.replace(
        one, budget=dataclasses.replace(view.budget, value=math.inf), seed=view.first_seed
    )
    return [*first, (dataclasses.replace(reference, ir=1.0),), (quiet,)]


def runs(job: Job, wanted: Sequence[Group], view: View) -> Runs | None:
    """The results by role; None where something is missing."""
    if not all(group in job.done for group in wanted):
        return None
    curve = [r for group in wanted[1:-2] for r in job.done[group]]
    now = tuple(view.at_now(curve))
    exact, full, quiet = (job.done[group][0] for group in (wanted[0], *wanted[-2:]))
    return Runs(full, exact, quiet, now, (exact, full, quiet, *curve))


def with_form(view: View, found: Runs, form: str) -> View:
    """The page's settings with another form; all its budgets come in one batch and are kept."""
    params = tuple((dict(found.spec.params) | {"form": form}).items())
    return dataclasses.replace(view, params=((MEAN, params),))


def budgets(view: View) -> tuple[Budget, ...]:
    """The stops of the axis and the budget looked at."""
    return tuple(dataclasses.replace(view.budget, value=value) for value in view.budgets)


# -------------------------------------------------------- diagnostics, kept by settings and content


def turns(spec: RunSpec, seeds: Sequence[int]) -> tuple[mean_errors.Turn, ...]:
    """``means.turns``, kept."""
    return _turns(spec, tuple(seeds[:FEW]), mark(spec))


def means_map(spec: RunSpec, wanted: tuple[Budget, ...]) -> mean_errors.Map | None:
    """``means.means_map``, kept for all budgets of an axis."""
    return _map(dataclasses.replace(spec, budget=wanted[-1]), wanted, mark(spec))


def schedules(spec: RunSpec, start: float = 1.0) -> list:
    """``coinpress.by_class``, kept."""
    return _by_class(spec, start, mark(spec))


def mark(spec: RunSpec) -> str:
    """The content of a spec's data, so that a file that changed is not answered from memory."""
    return experiment.prepared(spec).fingerprint


@remembered(200)
def _turns(spec: RunSpec, seeds: tuple[int, ...], content: str) -> tuple[mean_errors.Turn, ...]:
    return mean_errors.turns(spec, seeds)


@page_caches.remembered(40, "Drawing the map …")
def _map(spec: RunSpec, wanted: tuple[Budget, ...], content: str) -> mean_errors.Map | None:
    return mean_errors.means_map(spec, wanted)


@remembered(200)
def _by_class(spec: RunSpec, start: float, content: str) -> list:
    return coinpress_steps.by_class(spec, start)


# --------------------------------------------------------------------------------------- the answer


def answer(
    found: Runs,
    view: View,
    metric: str,
    turned: Sequence[mean_errors.Turn],
    verdicts: Sequence[coinpress_steps.Verdict],
) -> str:
    """One sentence in Markdown: what noise does to a mean, what that costs, and how CoinPress
    fares.
    """
    order = sorted(range(len(turned)), key=lambda c: turned[c].n)
    small, large = turned[order[0]], turned[order[-1]]
    private = interval([getattr(r.scores, metric) for r in found.now])
    exact = interval([getattr(found.exact.scores, metric)])
    where = f"At IR {number(view.ir)} and {at(view.budget)}"
    turn = (
        f"noise turns the mean of the largest class ({large.n:,} records) by **{large.angle:.0f}°**"
        f" and of the smallest ({small.n:,}) by **{small.angle:.0f}°**"
    )
    cost = (
        f"so **{percent(private)}** of test records are {METRIC_WORDS[metric]}, against"
        f" **{percent(exact)}** with exact means"
    )
    return f"{where} {turn}, {cost}; {_coinpress(verdicts)}."


def answer_at(found: Runs, view: View, budget: float, metric: str) -> str:
    """The answer at any budget of the axis."""
    now = tuple(r for r in found.every if r.spec.method == MEAN and r.spec.budget.value == budget)
    there = dataclasses.replace(found, now=now)
    turned = turns(there.spec, [r.spec.seed for r in now])
    verdicts = [coinpress_steps.judge(run) for run, _ in schedules(there.spec)]
    return answer(there, view.at(budget), metric, turned, verdicts)


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


def cards_row(
    found: Runs, view: View, names: Sequence[str], turned: Sequence[mean_errors.Turn]
) -> None:
    """What the form promises, what noise does to a mean, who is hurt."""
    form = dict(found.spec.params)["form"]
    with st.container(horizontal=True, wrap=True):
        cards.one(found.now[0], f"{view.titles[MEAN]}, {IN_WORDS[form]}", f"means-{form}")
        _noise(turned)
        _hurt(found, names)


def _noise(turned: Sequence[mean_errors.Turn]) -> None:
    with st.container(border=True, width=340):
        st.html('<div class="dp-card-title">What noise does to a mean</div>')
        ranked = sorted(turned, key=lambda t: -t.n)
        picked = {
            "largest class": ranked[0],
            "middle class": ranked[len(ranked) // 2],
            "smallest class": ranked[-1],
        }
        rows = [
            (
                f"{who}, {t.n:,} records",
                (
                    f"turned by {t.angle:.0f}°; noise is {number(float(f'{t.ratio:.2g}'))} × its"
                    " length"
                ),
            )
            for who, t in picked.items()
        ]
        st.html(cards.definition(rows))
        nearest = median(t.nearest for t in turned)
        st.caption(
            "90° is a random direction. Between a mean and the nearest other class's mean lie"
            f" {nearest:.0f}° (median)."
        )
        cards.private_view()


def _hurt(found: Runs, names: Sequence[str]) -> None:
    with st.container(border=True, width=290):
        st.html('<div class="dp-card-title">Who is hurt</div>')
        small = found.exact.minority_classes
        others = [c for c in range(len(names)) if c not in small]
        rows = [("the minority", _right(found, small)), ("the others", _right(found, others))]
        st.html(cards.definition(rows))
        st.caption(cards.minority(small, names))


def named(name: str, start: bool = False) -> str:
    """A class as a sentence calls it, or begins with it."""
    said = name if name.lower().startswith("class") else f"class {name}"
    return said[0].upper() + said[1:] if start else said


def _right(found: Runs, classes: Sequence[int]) -> str:
    """Accuracy over some classes, with noise and without."""
    if not classes:
        return "no class"
    share = lambda results: 100 * fmean(r.scores.per_class[c] for r in results for c in classes)
    return f"{share(found.now):.0f} % right; {share([found.exact]):.0f} % with exact means"


def compare(found: dict[str, Sequence[Result]]) -> str:
    """Which form is right most often here, and whether that can be told."""
    points = {form: interval([r.scores.balanced for r in rows]) for form, rows in found.items()}
    top = max(points, key=lambda f: points[f].mean)
    said = f"**{FORMS[top]}** is right most often here: {percent(points[top])} balanced"
    for form in points:
        if form != top:
            tied = ", which is within noise" if within_noise(points[top], points[form]) else ""
            said += f"; {IN_WORDS[form]} {percent(points[form])}{tied}"
    return f"{said}."


def _seeds(view: View) -> str:
    return f", the sentence above the mean of all {view.seeds} seeds" if view.seeds > 1 else ""


def map_caption(chart: MeansMap, view: View) -> str:
    """What the map shows, and how far to trust it."""
    pooled = (
        " A private mean carries the blur of pooling, too."
        if dict(dict(view.params).get(MEAN, ())).get("k_pool", 1) > 1
        else ""
    )
    return (
        f"The map shows noise seed {view.first_seed}{_seeds(view)}; {len(chart.points):,} test"
        " points are drawn, every test record is scored. All points and means are scaled to length"
        " 1, which is all that the cosine rule sees, and drawn in the two main directions of the"
        f" public set, which hold {100 * chart.share:.0f} % of its variance: a map, not the whole"
        f" story. Drag the slider below the map to move the budget.{pooled}"
    )
