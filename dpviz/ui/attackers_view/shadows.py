"""Data and tables of the Attacks page for attacks by shadow models."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.diagnostics import attack_bound, shadow_attack
from dpviz.diagnostics.low_fpr import Rate
from dpviz.diagnostics.shadow_attack import CURVE_RATES, RATES, TITLES, AttackResult, ShadowAttack
from dpviz.diagnostics.shadow_scores import GAMMA
from dpviz.experiments import experiment, reproduce
from dpviz.experiments.jobs import Group, Job, Work
from dpviz.methods import METHODS
from dpviz.plots.attacks import Bound, LowFprCurve, LowFprRoc, RateMark
from dpviz.privacy.trade_off import true_positive_bound
from dpviz.text import attackers_view as text
from dpviz.text.template import render, render_text
from dpviz.types import Guarantee, RunSpec
from dpviz.ui.attackers_view import answer
from dpviz.ui.attackers_view.controls import AttackView
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, export
from dpviz.views import attackers_view_page as page
from dpviz.views.attackers_view_page import AttackSummary
from dpviz.views.phrases import title_in_sentence

#: The reference that is always attacked: it memorizes its training images.
MEMORIZER = "logistic"


@dataclass(frozen=True, eq=False)
class ShadowRun:
    """Spec of the first shadow model, all attacks, and the seconds they took."""

    spec: RunSpec
    result: ShadowAttack
    seconds: float

    @property
    def guarantee(self) -> Guarantee:
        """Guarantee of every shadow model."""
        return self.result.guarantee

    @property
    def title(self) -> str:
        """Name of the method."""
        return METHODS[self.spec.method].title


def _run(group: Group, progress: experiment.Progress) -> list[ShadowRun]:
    started = time.perf_counter()
    made = long_work.POOL.call(shadow_attack.attack, group[0], len(group), GAMMA, progress=progress)
    return [ShadowRun(group[0], made, time.perf_counter() - started)]


WORK = Work(_run, private_runs=lambda shadowed: [shadowed.spec])


def wanted(view: AttackView) -> list[Group]:
    """Return one attack per method, references first."""
    return [view.shadowed(key) for key in attacked_methods(view)]


def attacked_methods(view: AttackView) -> list[str]:
    """Return the methods to attack: the chosen ones, and always ``MEMORIZER``."""
    keys = dict.fromkeys((*view.methods, MEMORIZER))
    return sorted(keys, key=lambda key: METHODS[key].private)


def finished_attacks(job: Job, groups: Sequence[Group]) -> list[ShadowRun]:
    """Return the attacks that are computed."""
    return [job.done[group][0] for group in groups if group in job.done]


# ------------------------------------------------------------------------------- chart and sentence


def chart(attacks: Sequence[ShadowRun], view: AttackView) -> LowFprRoc:
    """Return the data of the ROC chart: computed attacks, and all bounds."""
    bounds = [
        Bound(
            (key,),
            (METHODS[key].title,),
            CURVE_RATES,
            true_positive_bound(guarantee, CURVE_RATES),
            attack_bound.most_auc(guarantee),
        )
        for key, guarantee in answer.guarantees(view).items()
    ]
    return LowFprRoc.from_curves(
        [_curve(attack, view.attack_key) for attack in attacks], bounds, TITLES[view.attack_key]
    )


def _curve(attack: ShadowRun, by: str) -> LowFprCurve:
    attack_result = attack.result.results[by]
    marks = tuple(RateMark(r.fpr, r.tpr, r.low, r.high) for r in attack_result.overall if r)
    return LowFprCurve(
        attack.spec.method, attack.title, attack_result.fpr, attack_result.tpr, marks
    )


def summaries(attacks: Sequence[ShadowRun], view: AttackView) -> list[AttackSummary]:
    """Return what the chosen attack finds on each method."""
    return [
        AttackSummary(
            title_in_sentence(attack.title),
            METHODS[attack.spec.method].private,
            attack.result,
            view.attack_key,
            attack.title,
        )
        for attack in attacks
    ]


# ------------------------------------------------------------------------------------------- tables


def rates(attacks: Sequence[ShadowRun], view: AttackView) -> None:
    """Draw the rates of the chosen attack on each method, with their limits."""
    st.html(cards.wide_table([_row(attack, view.attack_key) for attack in attacks]))
    smallest = attacks[0].result
    rare = [smallest.class_names[c] for c in smallest.minority]
    reference = render(text.RATES_REFERENCE, method=METHODS[MEMORIZER].title)
    st.caption(f"{render(text.RATES_CAPTION, classes=rare)} {text.INTERVALS} {reference}")


def all_rates(attacks: Sequence[ShadowRun]) -> None:
    """Draw the rates of every attack on each method."""
    st.html(cards.wide_table([_row(attack, key) for attack in attacks for key in TITLES]))


def _row(attack: ShadowRun, key: str) -> dict[str, str]:
    attack_result, names = attack.result.results[key], text.RATE_COLUMNS
    rate, more = attack_result.overall
    return {
        names["method"]: attack.title,
        names["attack"]: TITLES[key],
        names["low"]: page.rate_text(rate),
        names["low_limit"]: _highest_rate(attack, 0),
        names["high"]: page.rate_text(more),
        names["high_limit"]: _highest_rate(attack, 1),
        names["minority"]: page.rate_text(attack_result.minority[1]),
    }


def _highest_rate(attack: ShadowRun, place: int) -> str:
    return page.rate_limit(float(true_positive_bound(attack.guarantee, RATES)[place]))


def classes(attacks: Sequence[ShadowRun], view: AttackView) -> None:
    """Draw the rates within each class, for each method."""
    first, names = attacks[0].result, text.CLASS_COLUMNS
    rows = []
    for c, (name, count) in enumerate(zip(first.class_names, first.counts, strict=True)):
        cells = {
            attack.title: _in_class(attack.result.results[view.attack_key], c) for attack in attacks
        }
        rows.append({names["class"]: name, names["records"]: f"{count:,}"} | cells)
    st.html(cards.wide_table(rows))
    st.caption(render(text.CLASSES_CAPTION, attack=TITLES[view.attack_key]))


def _in_class(attack_result: AttackResult, c: int) -> str:
    rate: Rate | None = attack_result.classes[c][1]
    return page.rate_text(rate)


# ---------------------------------------------------------------------------------------- elsewhere


def command(view: AttackView) -> str:
    """Return the shell commands for the numbers of each method."""
    return "\n".join(
        reproduce.attack_command(view.shadowed(key)[0], view.attack_key, view.shadows)
        for key in attacked_methods(view)
    )


def downloads(attacks: Sequence[ShadowRun], view: AttackView, key: str) -> None:
    """Draw table and CSV of the rates, and the commands."""
    rows: list[dict[str, Any]] = [
        {"method": attack.spec.method, "attack": name, "fpr": fpr, "of": group} | _numbers(rate)
        for attack in attacks
        for name, attack_result in attack.result.results.items()
        for group, rates in (("all", attack_result.overall), ("minority", attack_result.minority))
        for fpr, rate in zip(RATES, rates, strict=True)
    ]
    export.table(rows, key, text.TABLE_TITLE_LOW_FPR)
    export.code_block(command(view))


def _numbers(rate: Rate | None) -> dict[str, Any]:
    names = ("tpr", "low", "high", "error", "alarms", "most", "above")
    return {name: getattr(rate, name, None) for name in names}


def origin(attacks: Sequence[ShadowRun]) -> str:
    """Return how many were attacked, with how many shadow models, and in what time."""
    fits = sum(attack.result.shadows for attack in attacks)
    seconds = sum(attack.seconds for attack in attacks)
    made = render_text(
        text.ORIGIN_LOW_FPR, methods=len(attacks), fits=fits, seconds=f"{seconds:.1f}"
    )
    judged = attacks[0].result.judged
    whom = render_text(
        text.JUDGED[attacks[0].spec.unit],
        judged=judged.number,
        all=judged.of,
        records=f"{judged.records:g}",
    )
    return f"{whom} {made}"
