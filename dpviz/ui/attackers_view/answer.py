"""Data of the Attacks page: the attacks by loss threshold, the ROC chart and the cards."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from dpviz.diagnostics import attack_bound, membership_attack
from dpviz.diagnostics.attack_statistics import SHARE, Informed, tpr_at
from dpviz.diagnostics.membership_attack import CURVE_RATES, Attack, PartAttack
from dpviz.experiments import experiment, units
from dpviz.experiments.experiment import Progress
from dpviz.experiments.jobs import Group, Job, Work
from dpviz.experiments.worker_processes import Pool
from dpviz.formatting import bound, percent_up
from dpviz.methods import METHODS
from dpviz.plots.attacks import Bound, Roc, RocCurve
from dpviz.plots.kit.style import line_style
from dpviz.privacy.trade_off import true_positive_bound
from dpviz.text import attackers_view as text
from dpviz.text.template import render, render_text
from dpviz.types import DpvizError, Guarantee, RunSpec
from dpviz.ui.attackers_view.controls import AttackView
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards
from dpviz.views.attackers_view_page import Limit, weakest
from dpviz.views.phrases import title_in_sentence


@dataclass(frozen=True, eq=False)
class AttackRun:
    """A run's spec, the attack on the runs of all seeds, and the seconds it took."""

    spec: RunSpec
    attack: Attack
    seconds: float

    @property
    def guarantee(self) -> Guarantee:
        """Guarantee of the attacked releases; the privacy cost of the session counts it."""
        return self.attack.guarantee


def attacks(pool: Pool, design: str, group: Group, progress: Progress) -> list[AttackRun]:
    """Attack a group of runs; report each run, and stop between two.

    Raises:
        Cancelled: if ``progress`` asks for it.
    """
    started, seeds = time.perf_counter(), [spec.seed for spec in group]
    attack = pool.call(membership_attack.attack, group[0], seeds, design, progress=progress)
    return [AttackRun(group[0], attack, time.perf_counter() - started)]


ATTACKS = {
    design: Work(
        partial(attacks, long_work.POOL, design),
        private_runs=lambda attacked: [attacked.spec],
        run_idle=partial(attacks, long_work.IDLE_POOL, design),
    )
    for design in membership_attack.DESIGNS
}


def quiet_group(view: AttackView) -> list[Group]:
    """Return the runs of the lead method without noise, where it can run without."""
    if view.lead is None:
        return []
    try:
        experiment.planned(view.spec(view.lead, math.inf))
    except DpvizError:
        return []
    return [view.attack(view.lead, math.inf)]


def finished_attacks(job: Job, groups: Sequence[Group]) -> list[AttackRun]:
    """Return the attacks of some groups that are computed."""
    return [job.done[group][0] for group in groups if group in job.done]


def shown_attacks(
    job: Job, view: AttackView, groups: Sequence[Group]
) -> tuple[list[AttackRun], list[AttackRun]]:
    """Return the computed attacks that are drawn, and those without noise."""
    return finished_attacks(job, view.current_attacks), finished_attacks(job, groups)


def attack_on(attacks: Sequence[AttackRun], key: str | None) -> Attack | None:
    """Return the attack on a method; None until it is computed."""
    return next((case.attack for case in attacks if case.spec.method == key), None)


def limits(view: AttackView) -> tuple[Limit | None, Limit | None]:
    """Return the limit of the weakest guarantee of the private methods, and that of the lead
    method, or of the first that can run.
    """
    by_key = guarantees(view)
    order = sorted(by_key, key=lambda key: key != view.lead)
    by_title = {title_in_sentence(METHODS[key].title): by_key[key] for key in order}
    leading = dict(list(by_title.items())[:1])
    return weakest(by_title, view.prior), weakest(leading, view.prior)


def guarantees(view: AttackView) -> dict[str, Guarantee]:
    """Return the guarantee of each private method; one that cannot run is left out, since its
    attack reports the reason.
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
    """Return the data of the chart: computed attacks, the attack without noise on the most
    exposed, and all bounds.
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
    title = render_text(text.CURVE_EXPOSED, method=METHODS[key].title, share=SHARE)
    return RocCurve(key, title, CURVE_RATES, tpr, best.auc, best.error, "dot")


# -------------------------------------------------------------------------------------------- cards


def keep_guarantees(view: AttackView) -> None:
    """Keep the guarantees for the report, whichever tab is open."""
    page_parts.current_page().guarantees |= {
        METHODS[key].title: guarantee for key, guarantee in guarantees(view).items()
    }


def guarantee_cards(view: AttackView) -> None:
    """Draw a card per private method with its guarantee."""
    given = guarantees(view)
    noted = cards.draw_guess_note(list(given.values()))
    with cards.row("attack"):
        for key, guarantee in given.items():
            with st.container(border=True, width=300, key=f"card-attack-{key}"):
                protected = units.protected(experiment.prepared(view.spec(key)), view.unit)
                title, colour = METHODS[key].title, line_style(key).colour
                cards.guarantee_card(title, colour, guarantee, view.budget.axis, protected, noted)


def odds_card(attacks: Sequence[AttackRun], view: AttackView) -> None:
    """Draw a table of the limits of each guarantee and the measured attacks."""
    given, attacked = guarantees(view), {case.spec.method: case.attack for case in attacks}
    if not given:
        return
    with cards.titled(text.ODDS_TITLE, "stretch", "attack-odds"):
        columns = {
            METHODS[key].title: _odds(guarantee, attacked.get(key), view)
            for key, guarantee in given.items()
        }
        st.html(cards.columns(columns))
        caption = render(text.ODDS_CAPTION[view.unit], prior=view.prior)
        st.caption(caption)
        if view.attack_key == "loss":
            st.caption(text.ODDS_CAPTION_AUC)


def _odds(guarantee: Guarantee, attack: Attack | None, view: AttackView) -> dict[str, str]:
    odds, terms = attack_bound.odds(guarantee, view.prior), text.ODDS
    allowed = attack_bound.most_auc(guarantee)
    tail = render_text(text.ODDS_TAIL, tail=f"{100 * odds.tail:.2g}")
    rows = {
        terms["right"]: f"{percent_up(odds.right)}%",
        terms["belief"]: f"{percent_up(odds.posterior)}%",
        terms["tail"]: tail if odds.tail else text.ODDS_NEVER,
    }
    if view.attack_key != "loss":
        return rows
    rows |= {
        terms["auc_limit"]: bound(allowed),
        terms["auc"]: area(attack),
        terms["auc_exposed"]: area(attack and attack.easiest),
        terms["right_all"]: success(attack.everyone if attack else None),
        terms["right_exposed"]: success(attack.easiest if attack else None),
        terms["above"]: _is_above_limit(attack, allowed),
    }
    if view.unit == "picture":
        return rows
    judged = attack and attack.judged
    pair = {"judged": judged.number, "all": judged.of} if judged else {}
    return rows | {
        terms["judged"]: render_text(text.ODDS_JUDGED, **pair) if judged else NOT_MEASURED,
        terms["records"]: f"{judged.records:g}" if judged else NOT_MEASURED,
    }


NOT_MEASURED = "–"


def area(attack: Attack | PartAttack | Informed | None) -> str:
    """Return an area under a curve with two standard errors."""
    return f"{attack.auc:.3f} ± {2 * attack.error:.3f}" if attack else NOT_MEASURED


def success(attack: Informed | None) -> str:
    """Return a success rate with two standard errors on either side."""
    if not attack:
        return NOT_MEASURED
    low, high = (
        f"{100 * min(max(attack.right + side * attack.unsure, 0.0), 1.0):.0f}" for side in (-2, 2)
    )
    return f"{100 * attack.right:.1f}% ({low}–{high})"


def _is_above_limit(attack: Attack | None, allowed: float) -> str:
    """Return whether a measured area or success is above its limit, and whether significantly. An
    attack against test images has no limit.
    """
    if attack is None or attack.design != "coin":
        return NOT_MEASURED
    success = attack_bound.success_bound(attack.guarantee)
    measured = [(part.auc, part.error, allowed) for part in (attack, attack.easiest) if part]
    measured += [
        (part.right, part.unsure, success) for part in (attack.everyone, attack.easiest) if part
    ]
    if all(value <= limit for value, _, limit in measured):
        return text.ODDS_ABOVE["no"]
    beyond = any(value - 2 * error > limit for value, error, limit in measured)
    return text.ODDS_ABOVE["yes" if beyond else "noise"]
