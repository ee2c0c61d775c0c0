"""The answer of "Attacker's view": the attacks, the chart's data, the sentence and the cards."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from dpviz.diagnostics import attack_bound, membership_attack
from dpviz.diagnostics.attack_statistics import SHARE, Informed, tpr_at
from dpviz.diagnostics.membership_attack import CURVE_RATES, Attack
from dpviz.formatting import bound, budget_text, number, percent_up
from dpviz.methods import METHODS
from dpviz.plots.attacks import Bound, Roc, RocCurve
from dpviz.plots.kit.style import line_style
from dpviz.privacy.trade_off import true_positive_bound
from dpviz.run import experiment, units
from dpviz.run.experiment import Progress
from dpviz.run.jobs import Group, Job, Work
from dpviz.types import DpvizError, Guarantee, RunSpec
from dpviz.ui.attackers_view.controls import AttackView
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards
from dpviz.views import attackers_view_page
from dpviz.views.phrases import title_in_sentence


@dataclass(frozen=True, eq=False)
class AttackRun:
    """A run's spec, the attack on it and its like, and the seconds it took."""

    spec: RunSpec
    attack: Attack
    seconds: float

    @property
    def guarantee(self) -> Guarantee:
        """What the attacked releases promise; the price of looking reads it."""
        return self.attack.guarantee


def run(group: Group, design: str, progress: experiment.Progress) -> AttackRun:
    """An attack on a group of runs, which tells of each run and stops between two.

    Raises:
        Cancelled: if ``progress`` asks for it.
    """
    started, seeds = time.perf_counter(), [spec.seed for spec in group]
    attack = long_work.POOL.call(
        membership_attack.attack, group[0], seeds, design, progress=progress
    )
    return AttackRun(group[0], attack, time.perf_counter() - started)


def _attacks(design: str, group: Group, progress: Progress) -> list[AttackRun]:
    return [run(group, design, progress)]


ATTACKS = {
    design: Work(
        partial(_attacks, design),
        private_runs=lambda attacked: [attacked.spec],
    )
    for design in membership_attack.DESIGNS
}


def quiet_group(view: AttackView) -> list[Group]:
    """The runs of the first private method without noise, where it can do without."""
    if view.lead is None:
        return []
    try:
        experiment.planned(view.spec(view.lead, math.inf))
    except DpvizError:
        return []
    return [view.attack(view.lead, math.inf)]


def finished_attacks(job: Job, groups: Sequence[Group]) -> list[AttackRun]:
    """What is there of some attacks."""
    return [job.done[group][0] for group in groups if group in job.done]


def shown_attacks(
    job: Job, view: AttackView, groups: Sequence[Group]
) -> tuple[list[AttackRun], list[AttackRun]]:
    """What is there of the attacks that are drawn, and of the one without noise."""
    return finished_attacks(job, view.current_attacks), finished_attacks(job, groups)


def guarantees(view: AttackView) -> dict[str, Guarantee]:
    """What each private method promises now; a method that cannot work is left out, for its attack
    says why.
    """
    by_method = {}
    for key in view.private:
        try:
            by_method[key] = experiment.planned(view.spec(key)).guarantee
        except DpvizError:
            continue
    return by_method


def roc(
    attacks: Sequence[AttackRun], quiet: Sequence[AttackRun], view: AttackView, scale: str
) -> Roc:
    """The data of the chart: attacks that are done, what is found without noise by who knows whom
    to look at, and all bounds.
    """
    bounds = [
        Bound(
            (key,),
            (METHODS[key].title,),
            CURVE_RATES,
            true_positive_bound(guarantee, CURVE_RATES),
            attack_bound.most_auc(guarantee),
        )
        for key, guarantee in guarantees(view).items()
    ]
    curves = [_curve(case.spec.method, case.attack) for case in attacks]
    return Roc.from_curves([*curves, *filter(None, map(_easiest, quiet))], bounds, scale)


def _curve(key: str, a: Attack) -> RocCurve:
    return RocCurve(key, METHODS[key].title, a.fpr, a.tpr, a.auc, a.error)


def _easiest(case: AttackRun) -> RocCurve | None:
    best, key = case.attack.easiest, case.spec.method
    if best is None:
        return None
    tpr = tpr_at(CURVE_RATES, best.fpr, best.tpr)
    title = f"{METHODS[key].title} without noise, on the 1 in {round(1 / SHARE)} found best"
    return RocCurve(key, title, CURVE_RATES, tpr, best.auc, best.error, "dot")


# ----------------------------------------------------------------------------------------- sentence


def answer(attacks: Sequence[AttackRun], view: AttackView, quiet: Sequence[AttackRun] = ()) -> str:
    """One sentence in Markdown: the odds that the weakest promise leaves, how far this attack gets,
    and what it shows of the same method without noise.
    """
    by_method, budget = guarantees(view), view.budget
    if not by_method:
        return NO_METHOD
    key = max(by_method, key=lambda k: attack_bound.success_bound(by_method[k], view.prior))
    odds = attack_bound.odds(by_method[key], view.prior).sentence.removesuffix(".")
    delta = "" if budget.axis == "approx" else f" (δ = {number(budget.delta)} in conversions)"
    return (
        f"At {budget_text(budget)}{delta} ({_weakest(key, by_method)}):"
        f" **{odds}**{_measured(attacks)}.{_noiseless_text(attacks, quiet)}"
    )


PRIVATE_TEXT = (
    "The attack reads private records, so its curve is not for release; the bound follows from the"
    " guarantee alone and is public."
)
NO_METHOD = "Choose a private method to see what its guarantee leaves to an attacker."


def plain(attacks: Sequence[AttackRun], view: AttackView, quiet: Sequence[AttackRun]) -> str:
    """The same for someone who knows no statistics."""
    by_method = guarantees(view)
    if not by_method:
        return NO_METHOD
    noisy = next((case.attack for case in attacks if case.spec.method == view.lead), None)
    title = title_in_sentence(METHODS[view.lead].title) if view.lead else ""
    return attackers_view_page.loss_attack_answer(
        list(by_method.values()),
        view,
        view.prior,
        title,
        noisy,
        quiet[0].attack if quiet else None,
        [title_in_sentence(METHODS[method].title) for method in by_method],
    )


def _noiseless_text(attacks: Sequence[AttackRun], quiet: Sequence[AttackRun]) -> str:
    """What the attack reaches on the first private method without noise, and what on those it works
    best on, beside the same with noise.
    """
    if not quiet or (best := quiet[0].attack.easiest) is None:
        return ""
    key = quiet[0].spec.method
    noisy = next((case.attack.easiest for case in attacks if case.spec.method == key), None)
    comparison = f", with noise {_area(noisy)}" if noisy else ""
    return (
        f" Without noise {title_in_sentence(METHODS[key].title)} lets it reach"
        f" {area(quiet[0].attack)} on"
        f" average, but **{_area(best)}** on the 1 in {round(1 / SHARE)} it works best"
        f" on{comparison} (picked, and losses held against the same record's, by the other runs)."
    )


def _weakest(key: str, guarantees_by_key: dict[str, Guarantee]) -> str:
    """Whose promise the odds are of: all methods' of which none promises more."""
    areas = {
        k: round(attack_bound.most_auc(guarantee), 6) for k, guarantee in guarantees_by_key.items()
    }
    weak = [k for k in guarantees_by_key if areas[k] == areas[key]]
    comparison = (
        ", the weakest promise drawn" if weak == [key] and len(guarantees_by_key) > 1 else ""
    )
    return " and ".join(title_in_sentence(METHODS[k].title) for k in weak) + comparison


def _measured(attacks: Sequence[AttackRun]) -> str:
    private = [case for case in attacks if METHODS[case.spec.method].private]
    if not private:
        return ""
    best = max(private, key=lambda case: case.attack.auc)
    return (
        "; the attack drawn here, on"
        f" {title_in_sentence(METHODS[best.spec.method].title)}{_whom(best.attack)},"
        f" reaches an area of {area(best.attack)} under its curve (0.5: a coin; 1: always right),"
        " where the promise"
        f" allows at most {bound(attack_bound.most_auc(best.guarantee))}"
    )


def _whom(attack: Attack) -> str:
    """Whom an attack judges where that is not all."""
    if (judged := attack.judged).number == judged.of:
        return ""
    records = "record" if judged.records == 1 else "records"
    return (
        f" and on {judged.number:,} of {judged.of:,} people, the middle one with"
        f" {judged.records:g} {records}"
    )


def area(attack: Attack) -> str:
    """The area under an attack's curve with two standard errors."""
    return _area(attack)


def _area(attack: Attack | Informed) -> str:
    return f"{attack.auc:.3f} ± {2 * attack.error:.3f}"


# -------------------------------------------------------------------------------------------- cards


AREA = (
    " Area: under the attack's curve; 0.5: a coin, 1: always right; ±: as far as luck may move it,"
    " 95 times in 100."
)


def cards_row(attacks: Sequence[AttackRun], view: AttackView) -> None:
    """What each method promises, and what that leaves to an attacker."""
    given, attacked = guarantees(view), {case.spec.method: case.attack for case in attacks}
    noted = cards.draw_guess_note(list(given.values()))
    with cards.row("attack"):
        for key, guarantee in given.items():
            with st.container(border=True, width=300, key=f"card-attack-{key}"):
                protected = units.protected(experiment.prepared(view.spec(key)), view.unit)
                title, colour = METHODS[key].title, line_style(key).colour
                cards.guarantee_card(title, colour, guarantee, view.budget.axis, protected, noted)
    if given:
        with cards.titled("What is left to an attacker", "stretch", "attack-odds"):
            columns = {
                METHODS[key].title: _odds(guarantee, attacked.get(key), view)
                for key, guarantee in given.items()
            }
            st.html(cards.columns(columns))
            subject = "record was used" if view.unit == "picture" else "person was in"
            st.caption(
                f"Of an attacker who believed {100 * view.prior:.3g} in 100 that the {subject}."
                f" Shares are rounded up.{AREA if view.attack_key == 'loss' else ''}"
            )


def _odds(guarantee: Guarantee, attack: Attack | None, view: AttackView) -> dict[str, str]:
    odds = attack_bound.odds(guarantee, view.prior)
    allowed = attack_bound.most_auc(guarantee)
    left = {
        "guesses right at most": f"{percent_up(odds.right)} in 100",
        "belief moves to at most": f"{percent_up(odds.posterior)} in 100",
        "except in": "no release"
        if odds.tail == 0
        else f"{100 * odds.tail:.2g} of 100 made with it",
    }
    if view.attack_key != "loss":
        return left
    terms = left | {
        "area at most": bound(allowed),
        "this attack": "–" if attack is None else area(attack),
        f"on the 1 in {round(1 / SHARE)} found best": _best(attack),
        "measured above “at most”": _is_above_limit(attack, allowed),
    }
    if view.unit == "picture":
        return terms
    judged = attack and attack.judged
    return terms | {
        "people judged": f"{judged.number:,} of {judged.of:,}" if judged else "–",
        "records of the middle one": f"{judged.records:g}" if judged else "–",
    }


def _is_above_limit(attack: Attack | None, allowed: float) -> str:
    """Whether an area that was measured lies above the most that the promise allows, and whether
    luck alone can lift it so far; tested on others, it is none that the promise speaks of.
    """
    if attack is None or attack.design != "coin":
        return "–"
    areas = [(part.auc, part.error) for part in (attack, attack.easiest) if part]
    if all(area <= allowed for area, _ in areas):
        return "no"
    beyond = any(area - 2 * error > allowed for area, error in areas)
    return "further than luck explains" if beyond else "no further than luck explains"


def _best(attack: Attack | None) -> str:
    return "–" if attack is None or attack.easiest is None else _area(attack.easiest)
