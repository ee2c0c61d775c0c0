"""The Attacks page for an attack by loss threshold, with its tabs."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpviz.experiments.jobs import Job
from dpviz.methods import METHODS
from dpviz.plots.attacks import ROC_SCALES
from dpviz.text import attackers_view as text
from dpviz.ui.attackers_view import answer, sections, selected
from dpviz.ui.attackers_view.answer import AttackRun
from dpviz.ui.attackers_view.controls import CURVE, AttackView
from dpviz.ui.attackers_view.places import Places
from dpviz.ui.frame import about_numbers, detail_level, page_parts
from dpviz.ui.live import long_work, rerun_scheduling
from dpviz.ui.widgets import cards, charts
from dpviz.ui.widgets.choices import segments, tabs
from dpviz.ui.widgets.late_place import LatePlace
from dpviz.views import attackers_view_page as page
from dpviz.views.phrases import title_in_sentence

#: Tabs by the parameter of an earlier link that opened the same part.
OLD_TABS = {"auc": "budgets", "table": "table"}


def show(view: AttackView, key: str, form: str, places: Places) -> None:
    """Draw the page below its controls."""
    curve_scale = _scale() if form == CURVE else ""
    picture = page_parts.picture()
    with picture:
        cards.private_view()
        figures = LatePlace()
    chart = charts.Slot(picture, key) if form == CURVE else None
    quiet_group = answer.quiet_group(view)
    limit = answer.limits(view)[1]
    level, lead = detail_level.precise(), METHODS[view.lead].title if view.lead else ""
    title = title_in_sentence(lead) if lead else ""

    def draw(attacks: list[AttackRun], quiet: list[AttackRun], running: bool) -> None:
        """Draw the chart as far as it is computed."""
        noisy = answer.attack_on(attacks, view.lead)
        finding = page.loss_finding(level, limit, noisy, lead)
        places.finding.chart_title(finding)
        if chart:
            chart.plot(answer.roc(attacks, quiet, view, curve_scale))
        else:
            without = quiet[0].attack if quiet else None
            panels = page.loss_panels(limit, noisy, without, running, level)
            legend = page.guesses_legend(panels)
            figures.icon_arrays(panels, legend, text.GUESSES_ALT, key)

    def say(quiet: Sequence[AttackRun]) -> None:
        """Give the answer, which needs the attack without noise alone."""
        without = quiet[0].attack if quiet else None
        sentences = (
            page.loss_answer(precise, limit, without, view.budget, view.unit)
            for precise in (True, False)
        )
        page_parts.answer(places.answer, *sentences)

    def draw_running(job: Job) -> None:
        attacks, quiet = answer.shown_attacks(job, view, quiet_group)
        if quiet:
            say(quiet)
        draw(attacks, quiet, running=True)

    groups = list(dict.fromkeys(quiet_group + view.current_attacks))  # the answer's first
    work = answer.ATTACKS[view.design]
    known = [run for group in quiet_group for run in work.results.get(group) or ()]
    if known or not quiet_group:
        say(known)
    quiet_runs = {spec for group in quiet_group for spec in group}
    near = lambda spec: spec not in quiet_runs
    job = long_work.collect(key, groups, places.status, draw_running, work=work, near=near)
    page_parts.refusals(job.errors.values())
    attacks, quiet = answer.shown_attacks(job, view, quiet_group)
    if attacks:  # the words first, then the chart
        noisy, without = answer.attack_on(attacks, view.lead), quiet[0].attack if quiet else None
        if not known:
            say(quiet)
        places.tiles.tiles(page.loss_tiles(limit, title, noisy, without, view.unit, level))
    draw(attacks, quiet, running=False)
    if not attacks:
        page_parts.end()
    rerun_scheduling.flush_page()
    answer.keep_guarantees(view)
    with picture:
        if chart:
            page_parts.caption(text.CURVE_CAPTION.fill(level))
        elif attacks:
            passed = page.passes_limit(limit, answer.attack_on(attacks, view.lead))
            page_parts.caption(text.PAST_LIMIT if passed else text.INTERVALS)
    selected.draw(view, attacks, f"{key}-selected")
    page_parts.current_page().reproduction = sections.snippet(view)
    _draw_tab(view, attacks, quiet, key)


def _scale() -> str:
    titles = {name: text.AXES[name] for name in ROC_SCALES}
    label = text.LABELS["axes"]
    return segments(label, titles, "linear", "axes", label_visibility="collapsed")


def _draw_tab(view: AttackView, attacks: list[AttackRun], quiet: list[AttackRun], key: str) -> None:
    match tabs(text.TABS, old=OLD_TABS):
        case "methods":
            answer.odds_card(attacks, view)
            page_parts.caption(sections.design_caption(view))
            st.caption(sections.origin(attacks + quiet))
        case "guarantees":
            answer.guarantee_cards(view)
        case "budgets":
            sections.against_budget(view, key)
        case "about":
            st.markdown(text.ATTACK_HELP["loss"])
            st.markdown(text.ABOUT)
        case "table":
            sections.downloads(view, attacks + quiet, key)
        case _:
            about_numbers.draw(view)
