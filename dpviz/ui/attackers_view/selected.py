"""The attack by loss threshold on images selected on the image map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from dpviz.diagnostics import membership_attack
from dpviz.diagnostics.membership_attack import PartAttack, TargetLosses
from dpviz.experiments import experiment
from dpviz.experiments.jobs import Group, Progress, Work
from dpviz.methods import METHODS
from dpviz.text import attackers_view as text
from dpviz.text.template import render_text
from dpviz.types import Dataset, RunSpec
from dpviz.ui.attackers_view import answer
from dpviz.ui.attackers_view.answer import AttackRun
from dpviz.ui.attackers_view.controls import AttackView
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, selected_images


@dataclass(frozen=True, eq=False)
class AttackedTargets:
    """A run's spec, and the losses behind the attack on its runs, of all private records."""

    spec: RunSpec
    targets: TargetLosses


def _losses(group: Group, progress: Progress) -> list[AttackedTargets]:
    seeds = [spec.seed for spec in group]
    targets = long_work.POOL.call(
        membership_attack.target_losses, group[0], seeds, progress=progress
    )
    return [AttackedTargets(group[0], targets)]


#: Few groups stay in memory: losses take five bytes per record and run.
LOSSES = Work(_losses, max_groups=20, private_runs=lambda attacked: [attacked.spec])


def draw(view: AttackView, attacks: Sequence[AttackRun], key: str) -> None:
    """Draw the attack on selected images and on all, a row per method."""
    dataset = experiment.prepared(attacks[0].spec)
    chosen = selected_images.in_data(view, dataset)
    if chosen is None:
        return
    if view.design != "coin":
        st.caption(text.SELECTED_TEST)
        return
    job = long_work.collect(key, view.current_attacks, st.empty(), work=LOSSES)
    page_parts.refusals(job.errors.values())
    found = {group[0].method: done[0].targets for group, done in job.done.items()}
    rows = [
        _row(case, found[case.spec.method], chosen, view)
        for case in attacks
        if case.spec.method in found
    ]
    if rows:
        cards.private_view()
        st.html(cards.wide_table(rows))
        st.caption(text.ODDS_CAPTION_AUC)


def draw_hint(view: AttackView, dataset: Dataset) -> None:
    """Draw which attack is computed on selected images, where there are any."""
    if selected_images.in_data(view, dataset) is not None:
        st.caption(text.SELECTED_SHADOWS.fill(detail_level.precise()))


def _row(
    case: AttackRun, targets: TargetLosses, chosen: np.ndarray, view: AttackView
) -> dict[str, str]:
    part: PartAttack | None = membership_attack.attack_on(targets, chosen)
    number = text.SELECTED_NONE
    if part:
        number = render_text(text.SELECTED_NUMBER[view.unit], number=part.number)
    values = {
        "method": METHODS[case.spec.method].title,
        "number": number,
        "auc": answer.area(part),
        "auc_all": answer.area(case.attack),
        "right": answer.success(part.informed if part else None),
        "right_all": answer.success(case.attack.everyone),
    }
    return {text.SELECTED[name]: value for name, value in values.items()}
