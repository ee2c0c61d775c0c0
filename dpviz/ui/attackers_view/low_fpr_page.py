"""The page "Attacker's view" for an attack by shadow models, with its sections."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from dpviz.diagnostics.attack_by_shots import PUBLISHED_SLOPE, Gain, slope
from dpviz.diagnostics.low_fpr import LEVEL
from dpviz.diagnostics.shadow_attack import RATES, TITLES, Exposed
from dpviz.formatting import literal
from dpviz.methods import METHODS
from dpviz.plots.attacks import GainLine, GainPoint, ShotGains
from dpviz.plots.record_cards import ExposedCard, exposed_cards_html
from dpviz.run import experiment
from dpviz.run.jobs import Group, Job
from dpviz.types import Dataset
from dpviz.ui.attackers_view import answer, shadows
from dpviz.ui.attackers_view.controls import AttackView
from dpviz.ui.attackers_view.shadows import ShadowRun
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work, rerun_scheduling
from dpviz.ui.widgets import cards, charts, export
from dpviz.views import attackers_view_page as words
from dpviz.views.phrases import title_in_sentence

MAX_PICTURES = 4
"""Pictures of a person that are shown."""
CERTAIN = 0.9
"""Found so often, one is called found for certain."""
NO_PICTURES = "These data come without pictures, so rows stand for records."


def most_exposed(attacks: list[ShadowRun], view: AttackView) -> None:
    """The most exposed by each method, the one that leaks most first."""
    data = experiment.prepared(attacks[0].spec)
    cards.private_view()
    for attack in sorted(attacks, key=_leak, reverse=True):
        records = attack.result.results[view.attack_key].exposed
        st.markdown(f"**{literal(attack.title)}**: {_exposed_text(records, view)}")
        st.html(exposed_cards_html([_card(record, data, view) for record in records]))
    page_parts.caption(
        f"At {100 * RATES[-1]:g}% false alarms over all, {TITLES[view.attack_key]}. They were"
        " picked by"
        " half of the fits and are counted in the other half: of thousands, some are found often by"
        " luck alone. Accused: said to be used by fits that did not use it."
        + ("" if data.thumbnails else f" {NO_PICTURES}")
    )


def _leak(attack: ShadowRun) -> float:
    rate = attack.result.results["lira"].overall[-1]
    return rate.tpr if rate else 0.0


def _exposed_text(records: tuple[Exposed, ...], view: AttackView) -> str:
    """How many of them are found for certain, and what is so on average."""
    always = sum(record.found >= CERTAIN for record in records)
    many = "one is" if always == 1 else f"{always or 'none'} {'are' if always else 'is'}"
    found, accused = (
        round(100 * float(np.mean([getattr(record, name) for record in records])))
        for name in ("found", "accused")
    )
    return (
        f"of these {len(records)}, {many} found at least {10 * CERTAIN:.0f} times in 10; on average"
        " they"
        f" are found {found} times in 100 where they were used, and accused {accused} times in 100"
        " where they were not."
    )


def _card(record: Exposed, data: Dataset, view: AttackView) -> ExposedCard:
    rows = np.array(record.rows)
    name = data.class_names[record.label]
    subject = f"record {record.rows[0]}"
    if view.unit == "person":
        assert data.persons is not None
        subject = f"person {data.persons[rows[0]]}"
        name = f"{subject}: {len(rows):,} records"
    pictures: tuple[np.ndarray, ...] = ()
    if data.thumbnails is not None and data.rows is not None:
        pictures = tuple(data.thumbnails("train", data.rows[rows[:MAX_PICTURES]]))
    elif view.unit == "picture":
        name = f"{name}, row {record.rows[0]}"
    rate_text = f"found {round(record.found * record.of)} of {record.of}"
    return ExposedCard(subject, pictures, name, (rate_text, f"accused {100 * record.accused:.0f}%"))


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


def gains_by_records(view: AttackView, key: str) -> None:
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
            "Shows what the attack gains beyond blind guessing at 1% false alarms as each class"
            " has more records, every class as many."
        )
        return
    status, place = st.empty(), st.empty()
    cards.private_view()
    slot = charts.Slot(st.container(), key)

    def draw(job: Job) -> list[str]:
        gains_by_method = {method: _gains(job, groups, view) for method, groups in grid.items()}
        slot.plot(_chart(gains_by_method))
        return [
            words.slope_text(title_in_sentence(METHODS[method].title), slope(gains))
            for method, gains in gains_by_method.items()
        ]

    wanted = [group for groups in grid.values() for group in groups.values()]
    job = long_work.collect(key, wanted, status, draw, work=shadows.WORK)
    page_parts.refusals(job.errors.values())
    place.markdown(". ".join(draw(job)) + ".")
    page_parts.caption(
        f"{TITLES[view.attack_key]} on {view.shadows} fits a point, every class as large. Gain:"
        " share found"
        f" less {100 * RATES[-1]:g}%; bars two standard errors; points that cannot be told from no"
        f" gain are left out; slope by weighted least squares, interval of {100 * LEVEL:.0f}%."
    )
    st.caption(SOURCE)


def _grid(view: AttackView) -> dict[str, dict[int, Group]]:
    """By method and records a class, the fits."""
    first = view.spec(view.methods[0], ir=1.0, records=0)
    most = min(experiment.prepared(first).counts)
    counts = [records for records in RECORDS if records < most] + [most]
    return {
        key: {n: view.shadowed(key, ir=1.0, records=n if n < most else 0) for n in counts}
        for key in shadows.attacked_methods(view)
    }


def _gains(job: Job, groups: dict[int, Group], view: AttackView) -> list[Gain]:
    gains = []
    for records, group in groups.items():
        if group not in job.done:
            continue
        rate = job.done[group][0].result.results[view.attack_key].overall[-1]
        if rate:
            gains.append(Gain(records / 2, rate.tpr - rate.fpr, rate.error))
    return gains


def _chart(gains_by_method: dict[str, list[Gain]]) -> ShotGains:
    lines, shots = [], set()
    for method, gains in gains_by_method.items():
        shots |= {gain.shots for gain in gains}
        points = tuple(
            GainPoint(g.shots, g.gain, g.gain - 2 * g.error, g.gain + 2 * g.error)
            for g in gains
            if g.significant
        )
        through = slope(gains)
        line = (through.factor, through.slope) if through else None
        lines.append(GainLine(method, METHODS[method].title, points, line))
    return ShotGains.from_lines(lines, sorted(shots), PUBLISHED_SLOPE)


TEXT = """
**Shadow models.** A coin decides for each fit which private records, or people, are in; each \
is in about half of the fits. Each fit is the target once, and is attacked by someone who \
knows all other fits and who was in them. So no attack reads what it guesses.

**LiRA** asks whether the target is as sure of a record's label as fits with the record are, \
or as fits without it: a normal distribution for each, with one spread for all records while \
the fits are few. Offline it knows fits without the record only.

**RMIA** asks whether the target makes a record likelier, against the other fits, than it \
makes test records, which are in no fit: the share of them that the record beats (γ = 1).

**The line.** The same as for every attack: it follows from the guarantee alone. For what has \
no privacy there is no line.

**Where it looks.** An average over all hides that a few are found for certain. So what counts \
is how many are found while hardly anybody is accused wrongly; 0.1% and 1% are the field's \
usual places.

Source: Carlini et al. 2022, *Membership Inference Attacks From First Principles* (LiRA); \
Zarifzadeh, Liu & Shokri 2024, *Low-Cost High-Power Membership Inference Attacks* (RMIA); \
Dong, Roth & Su 2019 and Kairouz, Oh & Viswanath 2015 (bounds).
"""


def show(view: AttackView, key: str, sentence: Any, status: Any) -> None:
    """The whole page below its question."""
    picture = page_parts.picture()
    with picture:
        cards.private_view()
    main = charts.Slot(picture, f"{key}-few")
    wanted = shadows.wanted(view)

    def draw(job: Job) -> None:
        main.plot(shadows.chart(shadows.finished_attacks(job, wanted), view))

    job = long_work.collect(key, wanted, status, draw, work=shadows.WORK)
    page_parts.refusals(job.errors.values())
    attacks = shadows.finished_attacks(job, wanted)
    if not attacks:
        page_parts.end()
    draw(job)
    summaries = shadows.summaries(attacks, view)
    page_parts.answer(
        sentence, shadows.precise(attacks, view), words.low_fpr_plain(summaries, view.unit)
    )
    rerun_scheduling.flush_page()
    page_parts.caption(detail_level.at_level(answer.PRIVATE_TEXT, words.LOW_FPR_CAPTION))
    st.caption(shadows.origin(attacks))
    answer.cards_row([], view)
    st.header("What it finds, and what may be found")
    cards.private_view()
    shadows.rates(attacks, view)
    with st.expander("Every attack"):
        shadows.all_rates(attacks)
    with st.expander("Class by class"):
        shadows.classes(attacks, view)
    st.header("Who is found most often")
    most_exposed(attacks, view)
    st.header("Against the records a class")
    gains_by_records(view, f"{key}-shots")
    with st.expander("What these attacks are, and what the line says"):
        st.markdown(TEXT)
    if fold := export.fold("command"):
        with fold:
            shadows.downloads(attacks, view, key)
    page_parts.current_page().reproduction = shadows.command(view)
