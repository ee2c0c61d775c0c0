"""The closer look "Who is found out": the membership attack on AdaMix and its ablations against
their error (Figure 1, right, of the AdaMix paper).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import streamlit as st

from dpviz.diagnostics import attack_bound
from dpviz.diagnostics.preset_comparison import error
from dpviz.formatting import METRIC_WORDS, bound, budget_text, listed, percent, subset, unbroken
from dpviz.lazy_imports import special
from dpviz.methods.adamix_presets import PRESETS
from dpviz.plots.attacks import ERRORS, AttackedErrors, AttackedPoint
from dpviz.run.jobs import Group, Job
from dpviz.stats import Difference, significant_differences
from dpviz.ui.attackers_view import answer as attacks
from dpviz.ui.attackers_view.controls import DESIGN_WORDS, DESIGNS
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work
from dpviz.ui.mixed_privacy.controls import MixedView, possible_presets
from dpviz.ui.widgets import cards, charts, export
from dpviz.ui.widgets.choices import segments
from dpviz.views.page_config import STOPS

KEY = "mixed-privacy-attacked"
EXTRA_STOPS = (4, 10)
"""Places among the stops of the axis that the presets chosen are drawn at as well."""
WEAK = (
    "The attack goes by the loss alone and is a weak one: what it finds is the least that leaks,"
    " never the most. The most is what the promise allows."
)


def section(view: MixedView, metric: str) -> list[dict[str, Any]]:
    """A point a preset: how often it errs, and how far the attack gets."""
    titles = {design: words.capitalize() for design, words in DESIGNS.items()}
    design = segments("Members and others, told apart", titles, "coin", "design")
    words = st.empty()
    cards.private_view()
    wanted = groups(view)
    every = list(dict.fromkeys(wanted.values()))
    runs = long_work.collect(f"{KEY}-runs", every, st.empty())
    status, slot = st.empty(), charts.Slot(st.container(), KEY)

    def draw(job: Job) -> AttackedErrors:
        chart = _chart(view, metric, wanted, runs, job)
        slot.plot(chart)
        return chart

    job = long_work.collect(KEY, every, status, draw, work=attacks.ATTACKS[design])
    page_parts.refusals({**runs.errors, **job.errors}.values())
    chart = draw(job)
    words.markdown(unbroken(answer(chart, view)))
    whole = " The error is that of runs on all of them." if design == "coin" else ""
    by = f"N = {view.seeds} noise seeds and the test records together"
    by = by if view.seeds > 1 else "the test records alone, since one draw tells nothing of noise"
    st.caption(
        f"{WEAK} {DESIGN_WORDS[design]}{whole} Error: 100% minus records {METRIC_WORDS[metric]},"
        f" {subset(view)}, with 95% intervals from {by}. Area ± two standard"
        " errors, pooled over these runs, which share the public shots of the first seed. Presets"
        " chosen at the side are drawn at more budgets, whose numbers stand beside them where there"
        " is room. AdaMix's attack again:"
    )
    export.code_block(snippet(view, design), "python")
    return chart.table()


def groups(view: MixedView) -> dict[tuple[str, float], Group]:
    """The runs of every preset at the budget looked at, first, and of those chosen at more."""
    now, stops = view.budget.value, STOPS[view.budget.axis]
    budget = lambda group: group[0].budget.value
    first = [(name, view.runs(name)) for name in possible_presets(PRESETS, view.features)]
    beside = [stops[i] for i in EXTRA_STOPS if stops[i] != now]
    more = [(name, view.runs(name, (value,))) for value in beside for name in view.presets]
    return {(name, budget(group)): group for name, group in first + more}


def _chart(
    view: MixedView, metric: str, wanted: Mapping[tuple[str, float], Group], runs: Job, job: Job
) -> AttackedErrors:
    points = {}
    for key, group in wanted.items():
        if group in runs.done and group in job.done:
            attack = job.done[group][0].attack
            maximum = attack_bound.most_auc(attack.guarantee)
            points[key] = AttackedPoint(
                error(runs.done[group], metric), attack.auc, attack.error, maximum
            )
    return AttackedErrors.from_points(points, view.budget.value, view.budget.axis, metric)


def answer(chart: AttackedErrors, view: MixedView) -> str:
    """One sentence: the lead's error and area, who is told apart by the attack, and whether the
    order is that of the errors, as in the paper.
    """
    here = chart.at_now()
    if view.lead not in here or len(here) < 2:
        return ""
    lead = here[view.lead]
    text = (
        f"At {budget_text(view.budget)} {view.lead} errs on **{percent(lead.error)}**, and the"
        " attack"
        f" reaches an area of **{lead.auc:.3f} ± {ERRORS * lead.error_sd:.3f}** under its curve"
        f" (0.5: a coin; 1: always right), where the promise allows at most {bound(lead.limit)}."
    )
    pairs = list(itertools.combinations(here, 2))
    clear = significant_differences([_difference(here[a], here[b]) for a, b in pairs])
    clear_pairs = [pair for pair, sure in zip(pairs, clear, strict=True) if sure]
    least = {name: p for name, p in here.items() if p.ends[0] > 0.5}
    blind = (
        f" On {listed(list(least))} it beats a coin." if least else " It beats a coin on no preset."
    )
    if not clear_pairs:
        return (
            f"{text}{blind} By their areas **none of {len(pairs)} pairs** can be told apart (Holm"
            " over all pairs), so whether they stand in the order of their errors cannot be told."
        )
    ahead = lambda a, b: (here[a].auc - here[b].auc) * (here[a].error.mean - here[b].error.mean) > 0
    same = sum(ahead(*pair) for pair in clear_pairs)
    return (
        f"{text}{blind} By their areas **{len(clear_pairs)} of {len(pairs)} pairs** can be told"
        " apart"
        f" (Holm over all pairs); in **{same}** of these whoever errs less is found out less as"
        " well, as the paper has it."
    )


def _difference(a: AttackedPoint, b: AttackedPoint) -> Difference:
    """Of two areas as if they were independent; the same records and coins in both only bring them
    nearer to one another.
    """
    spread = math.hypot(a.error_sd, b.error_sd)
    apart = b.auc - a.auc
    p = 2 * float(special.ndtr(-abs(apart) / spread)) if spread else float(apart == 0)
    return Difference(apart, ERRORS * spread, p)


def snippet(view: MixedView, design: str) -> str:
    """Python that gives the lead's area, its standard error and the most the promise allows."""
    seeds = f"range({view.first_seed}, {view.first_seed + view.seeds})"
    return "\n".join(
        [
            "from dpviz.diagnostics import attack_bound, membership_attack",
            "from dpviz.types import Budget, RunSpec",
            "",
            f"spec = {view.run(view.lead, view.first_seed)!r}",
            f"found = membership_attack.attack(spec, {seeds}, {design!r})",
            "print(found.auc, found.error, attack_bound.most_auc(found.guarantee))",
        ]
    )
