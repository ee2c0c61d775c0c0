"""View Attack: membership attacks on AdaMix and its ablations against their accuracy.

As Figure 1, right, of the AdaMix paper.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import streamlit as st

from dpviz.diagnostics import attack_bound
from dpviz.diagnostics.preset_comparison import accuracy
from dpviz.experiments.jobs import Group, Job
from dpviz.formatting import bound, budget_text, subset, unbroken
from dpviz.lazy_imports import special
from dpviz.methods.adamix_presets import PRESETS
from dpviz.plots.attacks import ERRORS, AttackedAccuracies, AttackedPoint
from dpviz.stats import Difference, significant_differences
from dpviz.text import mixed_privacy as text
from dpviz.text.template import render
from dpviz.ui.attackers_view import answer as attacks
from dpviz.ui.attackers_view.controls import DESIGN_WORDS, DESIGNS
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work
from dpviz.ui.mixed_privacy.controls import MixedView, possible_presets
from dpviz.ui.widgets import cards, charts, export
from dpviz.ui.widgets.choices import segments
from dpviz.views.page_config import STOPS

KEY = "mixed-privacy-attacked"
#: Indices of further stops of the axis at which selected methods are drawn.
EXTRA_STOPS = (4, 10)


def section(view: MixedView, metric: str) -> list[dict[str, Any]]:
    """Draw a point per method: its accuracy, and the area that the attack reaches."""
    titles = {design: words.capitalize() for design, words in DESIGNS.items()}
    design = segments(text.DESIGN, titles, "coin", "design")
    words = st.empty()
    cards.private_view()
    wanted = groups(view)
    every = list(dict.fromkeys(wanted.values()))
    runs = long_work.collect(f"{KEY}-runs", every, st.empty())
    status, slot = st.empty(), charts.Slot(st.container(), KEY)

    def draw(job: Job) -> AttackedAccuracies:
        chart = _chart(view, metric, wanted, runs, job)
        slot.plot(chart)
        return chart

    job = long_work.collect(KEY, every, status, draw, work=attacks.ATTACKS[design])
    page_parts.refusals({**runs.errors, **job.errors}.values())
    chart = draw(job)
    words.markdown(unbroken(answer(chart, view)))
    setting = render(text.ATTACK_SETTING, group=text.GROUPS[metric], subset=subset(view))
    notes = [text.ATTACK_NOTE, DESIGN_WORDS[design], *([text.ATTACK_COIN] * (design == "coin"))]
    again = render(text.ATTACK_AGAIN, lead=view.lead)
    st.caption(" ".join([*notes, setting, text.ATTACK_BUDGETS, again]))
    export.code_block(snippet(view, design), "python")
    return chart.table()


def groups(view: MixedView) -> dict[tuple[str, float], Group]:
    """Return the runs of every method at the current budget, then of selected ones at others."""
    now, stops = view.budget.value, STOPS[view.budget.axis]
    budget = lambda group: group[0].budget.value
    first = [(name, view.runs(name)) for name in possible_presets(PRESETS, view.features)]
    beside = [stops[i] for i in EXTRA_STOPS if stops[i] != now]
    more = [(name, view.runs(name, (value,))) for value in beside for name in view.presets]
    return {(name, budget(group)): group for name, group in first + more}


def _chart(
    view: MixedView, metric: str, wanted: Mapping[tuple[str, float], Group], runs: Job, job: Job
) -> AttackedAccuracies:
    points = {}
    for key, group in wanted.items():
        if group in runs.done and group in job.done:
            attack = job.done[group][0].attack
            maximum = attack_bound.most_auc(attack.guarantee)
            points[key] = AttackedPoint(
                accuracy(runs.done[group], metric), attack.auc, attack.error, maximum
            )
    return AttackedAccuracies.from_points(points, view.budget.value, view.budget.axis, metric)


def answer(chart: AttackedAccuracies, view: MixedView) -> str:
    """Return the area of the attack on the lead, the methods on which the attack beats chance, and
    whether areas are in the order of accuracies, as in the paper.
    """
    here = chart.at_now()
    if view.lead not in here or len(here) < 2:
        return ""
    lead = here[view.lead]
    first = text.ATTACK.fill(
        detail_level.precise(),
        budget=budget_text(view.budget),
        lead=view.lead,
        auc=f"{lead.auc:.3f}",
        half=f"{ERRORS * lead.error_sd:.3f}",
        limit=bound(lead.limit),
    )
    beaten = [name for name, p in here.items() if p.ends[0] > 0.5]
    second = render(text.BEATS, names=beaten) if beaten else text.BEATS_NONE
    return f"{first} {second} {_order_sentence(here)}"


def _order_sentence(here: Mapping[str, AttackedPoint]) -> str:
    pairs = list(itertools.combinations(here, 2))
    clear = significant_differences([_difference(here[a], here[b]) for a, b in pairs])
    clear_pairs = [pair for pair, sure in zip(pairs, clear, strict=True) if sure]
    if not clear_pairs:
        return render(text.PAIRS_NONE, pairs=len(pairs))
    ahead = lambda a, b: (
        (here[a].auc - here[b].auc) * (here[b].accuracy.mean - here[a].accuracy.mean) > 0
    )
    same = sum(ahead(*pair) for pair in clear_pairs)
    return render(text.PAIRS, pairs=len(pairs), clear=len(clear_pairs), same=same)


def _difference(a: AttackedPoint, b: AttackedPoint) -> Difference:
    """Return the difference of two areas as if they were independent.

    Shared records and coins only make the true spread smaller.
    """
    spread = math.hypot(a.error_sd, b.error_sd)
    apart = b.auc - a.auc
    p = 2 * float(special.ndtr(-abs(apart) / spread)) if spread else float(apart == 0)
    return Difference(apart, ERRORS * spread, p)


def snippet(view: MixedView, design: str) -> str:
    """Return Python code for the lead's area, its standard error and the limit."""
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
