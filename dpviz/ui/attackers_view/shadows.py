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
from dpviz.diagnostics.shadow_attack import DRAWN, RATES, TITLES, AttackResult, ShadowAttack
from dpviz.diagnostics.shadow_scores import GAMMA
from dpviz.formatting import abridged, budget_text, literal, number
from dpviz.methods import METHODS
from dpviz.plots.attacks import Bound, LowFprCurve, LowFprRoc, RateMark
from dpviz.privacy.trade_off import most_true
from dpviz.run import experiment, reproduce
from dpviz.run.jobs import Group, Job, Work
from dpviz.types import Guarantee, RunSpec
from dpviz.ui.attackers_view import answer
from dpviz.ui.attackers_view.controls import AttackView
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, export
from dpviz.views import shadow_attack_in_words as words
from dpviz.views.accuracy_sentence import title_in_sentence
from dpviz.views.shadow_attack_in_words import AttackSummary

BY_HEART = "logistic"


@dataclass(frozen=True, eq=False)
class Shadowed:
    """The spec of a first fit, all attacks on it and its like, and the seconds they took."""

    spec: RunSpec
    made: ShadowAttack
    seconds: float

    @property
    def guarantee(self) -> Guarantee:
        """What every fit promises."""
        return self.made.guarantee

    @property
    def title(self) -> str:
        """The method's name."""
        return METHODS[self.spec.method].title


def _run(group: Group, progress: experiment.Progress) -> list[Shadowed]:
    started = time.perf_counter()
    made = long_work.POOL.call(shadow_attack.attack, group[0], len(group), GAMMA, progress=progress)
    return [Shadowed(group[0], made, time.perf_counter() - started)]


WORK = Work(_run, private_runs=lambda shadowed: [shadowed.spec])


def wanted(view: AttackView) -> list[Group]:
    """One attack a method, references first, which everything is read against."""
    return [view.shadowed(key) for key in attacked_methods(view)]


def attacked_methods(view: AttackView) -> list[str]:
    """The methods attacked: those asked for, and always the reference that learns by heart."""
    keys = dict.fromkeys((*view.methods, BY_HEART))
    return sorted(keys, key=lambda key: METHODS[key].private)


def finished_attacks(job: Job, groups: Sequence[Group]) -> list[Shadowed]:
    """What is there."""
    return [job.done[group][0] for group in groups if group in job.done]


# ------------------------------------------------------------------------------- chart and sentence


def chart(attacks: Sequence[Shadowed], view: AttackView) -> LowFprRoc:
    """The data of the chart: attacks that are done, and all bounds."""
    bounds = [
        Bound(
            (key,),
            (METHODS[key].title,),
            DRAWN,
            most_true(promise, DRAWN),
            attack_bound.most_auc(promise),
        )
        for key, promise in answer.guarantees(view).items()
    ]
    return LowFprRoc.from_curves([_curve(one, view.by) for one in attacks], bounds, TITLES[view.by])


def _curve(one: Shadowed, by: str) -> LowFprCurve:
    found = one.made.found[by]
    marks = tuple(RateMark(r.fpr, r.tpr, r.low, r.high) for r in found.overall if r)
    return LowFprCurve(one.spec.method, one.title, found.fpr, found.tpr, marks)


def summaries(attacks: Sequence[Shadowed], view: AttackView) -> list[AttackSummary]:
    """The same for the sentence."""
    return [
        AttackSummary(
            title_in_sentence(one.title), METHODS[one.spec.method].private, one.made, view.by
        )
        for one in attacks
    ]


def precise(attacks: Sequence[Shadowed], view: AttackView) -> str:
    """Rates and limits in the precise voice."""
    budget = view.budget
    delta = "" if budget.axis == "approx" else f" (δ = {number(budget.delta)} in conversions)"
    return f"At {budget_text(budget)}{delta}: {words.precise(summaries(attacks, view))}"


# ------------------------------------------------------------------------------------------- tables


def rates(attacks: Sequence[Shadowed], view: AttackView) -> None:
    """Each method by the attack chosen, and by each other in a fold: what is found, what may be."""
    st.html(cards.wide_table([_row(one, view.by) for one in attacks]))
    smallest = attacks[0].made
    rare = literal(abridged([smallest.class_names[c] for c in smallest.minority]))
    st.caption(
        f"Share of members found at 0.1 and at 1 % false alarms (TPR at FPR), interval in brackets."
        f" {words.HOW} At most: what the promise lets any attack find, rounded up. Minority:"
        f" {rare}, at false alarms among them."
        f" {title_in_sentence(METHODS[BY_HEART].title).capitalize()} is"
        " always drawn: what a method without privacy gives away."
    )


def all_rates(attacks: Sequence[Shadowed]) -> None:
    """Each method by each attack."""
    st.html(cards.wide_table([_row(one, key) for one in attacks for key in TITLES]))


def _row(one: Shadowed, key: str) -> dict[str, str]:
    found = one.made.found[key]
    few, more = found.overall
    return {
        "method": one.title,
        "attack": TITLES[key],
        "at 0.1 %": words.rate_text(few),
        "at most (0.1 %)": _highest_rate(one, 0),
        "at 1 %": words.rate_text(more),
        "at most (1 %)": _highest_rate(one, 1),
        "minority at 1 %": words.rate_text(found.minority[1]),
    }


def _highest_rate(one: Shadowed, place: int) -> str:
    return words.limit(float(most_true(one.guarantee, RATES)[place]))


def classes(attacks: Sequence[Shadowed], view: AttackView) -> None:
    """What the attack finds in each class, at false alarms within it."""
    first = attacks[0].made
    rows = []
    for c, (name, count) in enumerate(zip(first.class_names, first.counts, strict=True)):
        found = {one.title: _in_class(one.made.found[view.by], c) for one in attacks}
        rows.append({"class": name, "records": f"{count:,}"} | found)
    st.html(cards.wide_table(rows))
    st.caption(
        f"{TITLES[view.by]}: share found of each class at 1 % false alarms within it. Where fewer"
        " than ten false alarms would tell, nothing is said."
    )


def _in_class(found: AttackResult, c: int) -> str:
    rate: Rate | None = found.classes[c][1]
    return words.rate_text(rate)


# ---------------------------------------------------------------------------------------- elsewhere


def command(view: AttackView) -> str:
    """The shell commands that give the numbers of each method."""
    return "\n".join(
        reproduce.attack_command(view.shadowed(key)[0], view.by, view.shadows)
        for key in attacked_methods(view)
    )


def downloads(attacks: Sequence[Shadowed], view: AttackView, key: str) -> None:
    """Table and CSV of the rates, and the commands."""
    rows: list[dict[str, Any]] = [
        {"method": one.spec.method, "attack": name, "fpr": fpr, "of": of} | _numbers(rate)
        for one in attacks
        for name, found in one.made.found.items()
        for of, some in (("all", found.overall), ("minority", found.minority))
        for fpr, rate in zip(RATES, some, strict=True)
    ]
    export.table(rows, key, "These rates")
    export.code_block(command(view))


def _numbers(rate: Rate | None) -> dict[str, Any]:
    names = ("tpr", "low", "high", "error", "alarms", "most", "above")
    return {name: getattr(rate, name, None) for name in names}


def origin(attacks: Sequence[Shadowed]) -> str:
    """How many fits, in what time."""
    fits = sum(one.made.shadows for one in attacks)
    seconds = sum(one.seconds for one in attacks)
    return (
        f"{len(attacks)} methods attacked on {fits} fits, made since this server started, in"
        f" {seconds:.1f} s. Every attack comes of the same fits: choosing another computes nothing."
    )
