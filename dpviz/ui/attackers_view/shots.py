"""What the attack gains as each class has more records, beside the slope that was published."""

from __future__ import annotations

import streamlit as st

from dpviz.diagnostics.attack_by_shots import PUBLISHED, Gain, slope
from dpviz.diagnostics.low_fpr import LEVEL
from dpviz.diagnostics.shadow_attack import RATES, TITLES
from dpviz.methods import METHODS
from dpviz.plots.attacks import GainLine, GainPoint, ShotGains
from dpviz.run import experiment
from dpviz.run.jobs import Group, Job
from dpviz.ui.attackers_view import shadows
from dpviz.ui.attackers_view.controls import AttackView
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, charts
from dpviz.views import shadow_attack_in_words as words
from dpviz.views.accuracy_sentence import title_in_sentence

RECORDS = (20, 40, 80, 160, 320, 640, 1280)
"""Records a class, of which a fit sees about half; fewer give too few false alarms to go by."""
SOURCE = (
    "Published: gain ∝ shots^−½, proved for a simplified model and seen on a head fine-tuned on"
    " frozen features without privacy (Tobaben et al. 2025, *Impact of Dataset Properties on"
    " Membership Inference Vulnerability of Deep Transfer Learning*, arXiv 2402.06674), by LiRA and"
    " RMIA. It is the law of small gains: where a record still moves a fit as far as luck does, the"
    " gain falls faster than that (on digits a class mean's by about −0.9, on 32 to 256 fits), and"
    " where fits are sure of it anyhow, slower. A promise keeps the gain below its own line at any"
    " number of shots."
)


def section(view: AttackView, key: str) -> None:
    """The chart if it is asked for."""
    grid = _grid(view)
    asked = st.toggle(
        f"Attack with fewer records a class ({sum(map(len, grid.values()))} more attacks, each on"
        f" {view.shadows} fits)",
        key="shots",
        bind="query-params",
    )
    if not asked:
        st.caption(
            "Shows what the attack gains beyond blind guessing at 1 % false alarms as each class"
            " has more records, every class as many."
        )
        return
    status, place = st.empty(), st.empty()
    cards.private_view()
    slot = charts.Slot(st.container(), key)

    def draw(job: Job) -> list[str]:
        found = {method: _gains(job, some, view) for method, some in grid.items()}
        slot.plot(_chart(found))
        return [
            words.falls(title_in_sentence(METHODS[method].title), slope(gains))
            for method, gains in found.items()
        ]

    wanted = [group for some in grid.values() for group in some.values()]
    job = long_work.collect(key, wanted, status, draw, work=shadows.WORK)
    page_parts.refusals(job.errors.values())
    place.markdown(". ".join(draw(job)) + ".")
    page_parts.caption(
        f"{TITLES[view.by]} on {view.shadows} fits a point, every class as large. Gain: share found"
        f" less {100 * RATES[-1]:g} %; bars two standard errors; points that cannot be told from no"
        f" gain are left out; slope by weighted least squares, interval of {100 * LEVEL:.0f} %."
    )
    st.caption(SOURCE)


def _grid(view: AttackView) -> dict[str, dict[int, Group]]:
    """By method and records a class, the fits."""
    first = view.spec(view.methods[0], ir=1.0, records=0)
    most = min(experiment.prepared(first).counts)
    some = [records for records in RECORDS if records < most] + [most]
    return {
        key: {n: view.shadowed(key, ir=1.0, records=n if n < most else 0) for n in some}
        for key in shadows.attacked_methods(view)
    }


def _gains(job: Job, some: dict[int, Group], view: AttackView) -> list[Gain]:
    found = []
    for records, group in some.items():
        if group not in job.done:
            continue
        rate = job.done[group][0].made.found[view.by].overall[-1]
        if rate:
            found.append(Gain(records / 2, rate.tpr - rate.fpr, rate.error))
    return found


def _chart(found: dict[str, list[Gain]]) -> ShotGains:
    lines, shots = [], set()
    for method, gains in found.items():
        shots |= {gain.shots for gain in gains}
        points = tuple(
            GainPoint(g.shots, g.gain, g.gain - 2 * g.error, g.gain + 2 * g.error)
            for g in gains
            if g.told
        )
        through = slope(gains)
        line = (through.factor, through.slope) if through else None
        lines.append(GainLine(method, METHODS[method].title, points, line))
    return ShotGains.from_lines(lines, sorted(shots), PUBLISHED)
