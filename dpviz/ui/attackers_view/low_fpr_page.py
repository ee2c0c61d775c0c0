"""The Attacks page for an attack by shadow models, with its tabs."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.diagnostics.attack_by_shots import PUBLISHED_SLOPE, Gain, slope
from dpviz.diagnostics.shadow_attack import TITLES, Exposed
from dpviz.experiments import experiment
from dpviz.experiments.jobs import Group, Job
from dpviz.methods import METHODS
from dpviz.plots.attacks import GainLine, GainPoint, ShotGains
from dpviz.plots.record_cards import ExposedCard, exposed_cards_html
from dpviz.text import attackers_view as text
from dpviz.text.template import render, render_text
from dpviz.types import Dataset
from dpviz.ui.attackers_view import answer, selected, shadows
from dpviz.ui.attackers_view.controls import CURVE, AttackView
from dpviz.ui.attackers_view.places import Places
from dpviz.ui.attackers_view.shadows import ShadowRun
from dpviz.ui.frame import about_numbers, detail_level, page_parts
from dpviz.ui.live import long_work, rerun_scheduling
from dpviz.ui.widgets import cards, charts
from dpviz.ui.widgets.choices import tabs
from dpviz.ui.widgets.late_place import LatePlace
from dpviz.views import attackers_view_page as page

#: Tabs by the parameter of an earlier link that opened the same part.
OLD_TABS = {"shots": "shots", "table": "table"}
#: Images of a person that are shown.
MAX_PICTURES = 4
#: Share of targets from which a record counts as found almost always.
CERTAIN = 0.9
#: Images per class; shadow models use about half. Fewer leave too few false positives.
RECORDS = (20, 40, 80, 160, 320, 640, 1280)


def show(view: AttackView, key: str, form: str, places: Places) -> None:
    """Draw the page below its controls."""
    picture = page_parts.picture()
    with picture:
        cards.private_view()
        figures = LatePlace()
    chart = charts.Slot(picture, f"{key}-few") if form == CURVE else None
    wanted = shadows.wanted(view)

    def draw(job: Job) -> None:
        """Draw the chart as far as it is computed."""
        attacks = shadows.finished_attacks(job, wanted)
        summaries = shadows.summaries(attacks, view)
        if attacks:
            places.finding.chart_title(page.low_fpr_finding(detail_level.precise(), summaries))
        if chart:
            chart.plot(shadows.chart(attacks, view))
        elif attacks:
            panels = page.low_fpr_panels(summaries)
            figures.icon_arrays(panels, text.IMAGES_LEGEND, text.IMAGES_ALT, f"{key}-few")

    job = long_work.collect(key, wanted, places.status, draw, work=shadows.WORK)
    page_parts.refusals(job.errors.values())
    attacks = shadows.finished_attacks(job, wanted)
    if not attacks:
        page_parts.end()
    draw(job)
    summaries = shadows.summaries(attacks, view)
    page_parts.answer(
        places.answer,
        *(page.low_fpr_answer(level, summaries, view.unit) for level in (True, False)),
    )
    places.tiles.tiles(page.low_fpr_tiles(answer.limits(view)[0], summaries))
    rerun_scheduling.flush_page()
    answer.keep_guarantees(view)
    with picture:
        page_parts.caption(_caption(view, chart is not None, len(summaries)))
    selected.draw_hint(view, experiment.prepared(attacks[0].spec))
    page_parts.current_page().reproduction = shadows.command(view)
    _draw_tab(view, attacks, key)


def _caption(view: AttackView, is_curve: bool, methods: int) -> str:
    if is_curve:
        return text.CURVE_CAPTION_LOW_FPR.fill(detail_level.precise())
    caption = text.IMAGES_CAPTION[view.unit]
    return f"{caption} {text.PANEL_REST}" if methods > page.MAX_PANELS else caption


def _draw_tab(view: AttackView, attacks: list[ShadowRun], key: str) -> None:
    match tabs(text.TABS_LOW_FPR, old=OLD_TABS):
        case "rates":
            cards.private_view()
            shadows.rates(attacks, view)
            with st.expander(text.EVERY_ATTACK):
                shadows.all_rates(attacks)
            st.caption(shadows.origin(attacks))
        case "classes":
            cards.private_view()
            shadows.classes(attacks, view)
        case "exposed":
            cards.private_view()
            most_exposed(attacks, view)
        case "shots":
            gains_by_records(view, f"{key}-shots")
        case "guarantees":
            answer.guarantee_cards(view)
        case "methods":
            answer.odds_card([], view)
        case "about":
            st.markdown(text.ATTACK_HELP[view.attack_key])
            st.markdown(text.ABOUT_LOW_FPR)
        case "table":
            shadows.downloads(attacks, view, key)
        case _:
            about_numbers.draw(view)


# ------------------------------------------------------------------------------------- most exposed


def most_exposed(attacks: list[ShadowRun], view: AttackView) -> None:
    """Draw the most exposed records of each method, the leakiest method first."""
    data = experiment.prepared(attacks[0].spec)
    for attack in sorted(attacks, key=_leak, reverse=True):
        records = attack.result.results[view.attack_key].exposed
        st.markdown(_exposed_text(attack.title, records, view))
        st.html(exposed_cards_html([_card(record, data, view) for record in records]))
    captions = [render(text.EXPOSED_CAPTION, attack=TITLES[view.attack_key]), text.EXPOSED_ACCUSED]
    if not data.thumbnails:
        captions.append(text.EXPOSED_NO_PICTURES)
    page_parts.caption(" ".join(captions))


def _leak(attack: ShadowRun) -> float:
    rate = attack.result.results["lira"].overall[-1]
    return rate.tpr if rate else 0.0


def _exposed_text(title: str, records: tuple[Exposed, ...], view: AttackView) -> str:
    """Return how many records are found almost always, and the mean rates, in Markdown."""
    template = text.EXPOSED if view.unit == "picture" else text.EXPOSED_PERSON
    return render(
        template,
        method=title,
        always=sum(record.found >= CERTAIN for record in records),
        shown=len(records),
        found=float(np.mean([record.found for record in records])),
        accused=float(np.mean([record.accused for record in records])),
    )


def _card(record: Exposed, data: Dataset, view: AttackView) -> ExposedCard:
    rows, words = np.array(record.rows), text.EXPOSED_CARD
    name = data.class_names[record.label]
    row = str(record.rows[0])
    subject = render_text(words["record"], row=row)
    if view.unit == "person":
        assert data.persons is not None
        person = str(data.persons[rows[0]])
        subject = render_text(words["person"], person=person)
        name = render_text(words["person_name"], person=person, records=len(rows))
    pictures: tuple[np.ndarray, ...] = ()
    if data.thumbnails is not None and data.rows is not None:
        pictures = tuple(data.thumbnails("train", data.rows[rows[:MAX_PICTURES]]))
    elif view.unit == "picture":
        name = render_text(words["row_name"], class_name=name, row=row)
    found = render_text(words["found"], found=round(record.found * record.of), all=record.of)
    accused = render_text(words["accused"], accused=record.accused)
    return ExposedCard(subject, pictures, name, (found, accused))


# --------------------------------------------------------------------------------- images per class


def gains_by_records(view: AttackView, key: str) -> None:
    """Draw the gain of the attack by images per class, if it is asked for."""
    grid = _grid(view)
    asked = st.toggle(
        render(text.SHOTS_TOGGLE, attacks=sum(map(len, grid.values()))),
        key="shots",
        help=render_text(text.SHOTS_HELP, shadows=view.shadows),
        bind="query-params",
    )
    if not asked:
        st.caption(text.SHOTS_HINT)
        return
    status, place = st.empty(), st.empty()
    cards.private_view()
    slot = charts.Slot(st.container(), key)

    def draw(job: Job) -> list[str]:
        gains_by_method = {method: _gains(job, groups, view) for method, groups in grid.items()}
        slot.plot(_chart(gains_by_method))
        return [
            page.slope_text(METHODS[method].title, slope(gains))
            for method, gains in gains_by_method.items()
        ]

    wanted = [group for groups in grid.values() for group in groups.values()]
    job = long_work.collect(key, wanted, status, draw, work=shadows.WORK)
    page_parts.refusals(job.errors.values())
    place.markdown("\n".join(f"- {line}" for line in draw(job)))
    caption = render(text.SHOTS_CAPTION, attack=TITLES[view.attack_key], shadows=view.shadows)
    page_parts.caption(f"{caption} {text.SHOTS_FIT}")
    st.caption(text.SHOTS_SOURCE)


def _grid(view: AttackView) -> dict[str, dict[int, Group]]:
    """Return the shadow models by method and images per class."""
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
