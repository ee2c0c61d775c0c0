"""What "Attacker's view" shows of an attack by shadow models: the chart at few false alarms,
the sentence, rates for all, for the minority and for each class.
"""

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
from dpviz.formatting import abridged, budget_text, literal, number
from dpviz.methods import METHODS
from dpviz.plots.attacks import Bound, LowFprCurve, LowFprRoc, RateMark
from dpviz.privacy.trade_off import true_positive_bound
from dpviz.run import experiment, reproduce
from dpviz.run.jobs import Group, Job, Work
from dpviz.types import Guarantee, RunSpec
from dpviz.ui.attackers_view import answer
from dpviz.ui.attackers_view.controls import AttackView
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, export
from dpviz.views import attackers_view_page as words
from dpviz.views.attackers_view_page import AttackSummary
from dpviz.views.phrases import title_in_sentence

MEMORIZER = "logistic"


@dataclass(frozen=True, eq=False)
class ShadowRun:
    """The spec of a first fit, all attacks on it and its like, and the seconds they took."""

    spec: RunSpec
    result: ShadowAttack
    seconds: float

    @property
    def guarantee(self) -> Guarantee:
        """What every fit promises."""
        return self.result.guarantee

    @property
    def title(self) -> str:
        """The method's name."""
        return METHODS[self.spec.method].title


def _run(group: Group, progress: experiment.Progress) -> list[ShadowRun]:
    started = time.perf_counter()
    made = long_work.POOL.call(shadow_attack.attack, group[0], len(group), GAMMA, progress=progress)
    return [ShadowRun(group[0], made, time.perf_counter() - started)]


WORK = Work(_run, private_runs=lambda shadowed: [shadowed.spec])


def wanted(view: AttackView) -> list[Group]:
    """One attack a method, references first, which everything is read against."""
    return [view.shadowed(key) for key in attacked_methods(view)]


def attacked_methods(view: AttackView) -> list[str]:
    """The methods attacked: those asked for, and always the reference that learns by heart."""
    keys = dict.fromkeys((*view.methods, MEMORIZER))
    return sorted(keys, key=lambda key: METHODS[key].private)


def finished_attacks(job: Job, groups: Sequence[Group]) -> list[ShadowRun]:
    """What is there."""
    return [job.done[group][0] for group in groups if group in job.done]


# ------------------------------------------------------------------------------- chart and sentence


def chart(attacks: Sequence[ShadowRun], view: AttackView) -> LowFprRoc:
    """The data of the chart: attacks that are done, and all bounds."""
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
    """The same for the sentence."""
    return [
        AttackSummary(
            title_in_sentence(attack.title),
            METHODS[attack.spec.method].private,
            attack.result,
            view.attack_key,
        )
        for attack in attacks
    ]


def precise(attacks: Sequence[ShadowRun], view: AttackView) -> str:
    """Rates and limits in the precise voice."""
    budget = view.budget
    delta = "" if budget.axis == "approx" else f" (δ = {number(budget.delta)} in conversions)"
    return f"At {budget_text(budget)}{delta}: {words.low_fpr_precise(summaries(attacks, view))}"


# ------------------------------------------------------------------------------------------- tables


def rates(attacks: Sequence[ShadowRun], view: AttackView) -> None:
    """Each method by the attack chosen, and by each other in a fold: what is found, what may be."""
    st.html(cards.wide_table([_row(attack, view.attack_key) for attack in attacks]))
    smallest = attacks[0].result
    rare = literal(abridged([smallest.class_names[c] for c in smallest.minority]))
    st.caption(
        f"Share of members found at 0.1 and at 1% false alarms (TPR at FPR), interval in brackets."
        f" {words.INTERVAL_TEXT} At most: what the promise lets any attack find, rounded up."
        f" Minority: {rare}, at false alarms among them."
        f" {title_in_sentence(METHODS[MEMORIZER].title).capitalize()} is"
        " always drawn: what a method without privacy gives away."
    )


def all_rates(attacks: Sequence[ShadowRun]) -> None:
    """Each method by each attack."""
    st.html(cards.wide_table([_row(attack, key) for attack in attacks for key in TITLES]))


def _row(attack: ShadowRun, key: str) -> dict[str, str]:
    attack_result = attack.result.results[key]
    rate, more = attack_result.overall
    return {
        "method": attack.title,
        "attack": TITLES[key],
        "at 0.1%": words.rate_text(rate),
        "at most (0.1%)": _highest_rate(attack, 0),
        "at 1%": words.rate_text(more),
        "at most (1%)": _highest_rate(attack, 1),
        "minority at 1%": words.rate_text(attack_result.minority[1]),
    }


def _highest_rate(attack: ShadowRun, place: int) -> str:
    return words.rate_limit(float(true_positive_bound(attack.guarantee, RATES)[place]))


def classes(attacks: Sequence[ShadowRun], view: AttackView) -> None:
    """What the attack finds in each class, at false alarms within it."""
    first = attacks[0].result
    rows = []
    for c, (name, count) in enumerate(zip(first.class_names, first.counts, strict=True)):
        cells = {
            attack.title: _in_class(attack.result.results[view.attack_key], c) for attack in attacks
        }
        rows.append({"class": name, "records": f"{count:,}"} | cells)
    st.html(cards.wide_table(rows))
    st.caption(
        f"{TITLES[view.attack_key]}: share found of each class at 1% false alarms within it."
        " Where fewer than ten false alarms would tell, nothing is said."
    )


def _in_class(attack_result: AttackResult, c: int) -> str:
    rate: Rate | None = attack_result.classes[c][1]
    return words.rate_text(rate)


# ---------------------------------------------------------------------------------------- elsewhere


def command(view: AttackView) -> str:
    """The shell commands that give the numbers of each method."""
    return "\n".join(
        reproduce.attack_command(view.shadowed(key)[0], view.attack_key, view.shadows)
        for key in attacked_methods(view)
    )


def downloads(attacks: Sequence[ShadowRun], view: AttackView, key: str) -> None:
    """Table and CSV of the rates, and the commands."""
    rows: list[dict[str, Any]] = [
        {"method": attack.spec.method, "attack": name, "fpr": fpr, "of": group} | _numbers(rate)
        for attack in attacks
        for name, attack_result in attack.result.results.items()
        for group, rates in (("all", attack_result.overall), ("minority", attack_result.minority))
        for fpr, rate in zip(RATES, rates, strict=True)
    ]
    export.table(rows, key, "These rates")
    export.code_block(command(view))


def _numbers(rate: Rate | None) -> dict[str, Any]:
    names = ("tpr", "low", "high", "error", "alarms", "most", "above")
    return {name: getattr(rate, name, None) for name in names}


def origin(attacks: Sequence[ShadowRun]) -> str:
    """How many fits, in what time."""
    fits = sum(attack.result.shadows for attack in attacks)
    seconds = sum(attack.seconds for attack in attacks)
    return (
        f"{len(attacks)} methods attacked on {fits} fits, made since this server started, in"
        f" {seconds:.1f} s. Every attack comes of the same fits: choosing another computes nothing."
    )
