"""Tabs of the Calculator page."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import streamlit as st

from dpviz import api
from dpviz.formatting import budget_text
from dpviz.methods import METHODS
from dpviz.plots.attacks import Bound, Roc
from dpviz.plots.guarantees import EpsilonByDelta, GuessByImages, GuessByPrior
from dpviz.privacy import calculator, other_accountants
from dpviz.privacy.calculator import Account
from dpviz.stats import accuracy
from dpviz.text import calculator as text
from dpviz.text.template import render, render_text
from dpviz.types import DELTA, Budget
from dpviz.ui.calculator import deployments_table, split
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, charts, choices, export
from dpviz.views import calculator_page

KEY = "calculator"
#: Keys of the open tab, and of the open part by tab.
TAB, PART = "tab", "part"
#: False positive rates of the trade-off curve.
RATES = np.concatenate([[0.0], np.geomspace(1e-6, 1e-2, 25), np.linspace(0.02, 1, 99)])
#: Runs of the tab "Accuracy": data, methods, noise seeds, and range of ε.
DATA: dict[str, Any] = {"data": "mnist5k", "encoder": "glyphnet", "ir": 50}
ACCURACY_METHODS, SEEDS, EPSILONS = ("dppl-public", "dppl-mean", "noisy-gd"), 3, (1e-3, 1e4)


def guess_chart(account: Account, guesses: np.ndarray) -> GuessByPrior:
    """Return the chart of the prior; guesses: best guesses at ``PRIORS``."""
    priors = tuple(map(float, calculator_page.PRIORS))
    return GuessByPrior(priors, tuple(map(float, guesses)), account.prior, account.best_guess)


def draw_chart(account: Account) -> GuessByImages | GuessByPrior:
    """Draw the main chart: best guesses by images per person, or by the prior where images do not
    matter.
    """
    precise = detail_level.precise()
    accounts = calculator_page.by_images(account) if calculator_page.images_matter(account) else []
    with page_parts.picture():
        if len(accounts) < 2:
            return _guess_by_prior(account, is_main=True)
        chart = GuessByImages(
            tuple(other.images for other in accounts),
            tuple(other.best_guess for other in accounts),
            max(account.prior, 1 - account.prior),
            account.images,
            account.best_guess,
        )
        page_parts.chart_title(calculator_page.images_finding(accounts, precise))
        charts.plot(chart, f"{KEY}-images")
        st.caption(text.IMAGES_CAPTION.fill(precise))
    return chart


def _guess_by_prior(account: Account, is_main: bool = False) -> GuessByPrior:
    guesses = calculator.best_guesses(account, calculator_page.PRIORS)
    chart, title = guess_chart(account, guesses), calculator_page.finding(guesses)
    if is_main:
        page_parts.chart_title(title)
    else:
        st.html(page_parts.finding_html(title))
    charts.plot(chart, f"{KEY}-guess")
    st.caption(text.CAPTION.fill(detail_level.precise()))
    return chart


def open_part(chart: GuessByImages | GuessByPrior) -> str:
    """Draw the tabs, and the choice of a part in the open one; return the open part.

    The main chart is in none. A link may name a part as its tab.
    """
    asked = choices.requested_value(TAB, "")
    for tab, parts in calculator_page.TABS.items():
        if asked in parts and tab in text.TAB_GROUPS:
            st.session_state[TAB], st.session_state[f"{PART}.{tab}"] = tab, asked
    opened = choices.tabs({tab: (text.TAB_GROUPS | text.TABS)[tab] for tab in calculator_page.TABS})
    parts = calculator_page.TABS[opened]
    titles = {part: text.TABS[part] for part in parts}
    if isinstance(chart, GuessByPrior):
        titles.pop("prior", None)
    first = next(iter(titles))
    if opened not in text.TAB_GROUPS:
        return first
    key = f"{PART}.{opened}"
    return choices.segments(text.PART, titles, first, key, label_visibility="collapsed")


def draw(part: str, account: Account, chart: GuessByImages | GuessByPrior) -> None:
    """Draw the open part; ``chart``: the main one."""
    match part:
        case "meaning":
            precise = detail_level.precise()
            st.html(cards.definition(calculator_page.definition_rows(account, precise)))
        case "prior":
            _guess_by_prior(account)
        case "curve":
            _curve(account)
        case "trade_off":
            _trade_off(account)
        case "person":
            meaning = calculator_page.group_text(account)
            rows = calculator_page.person_rows(account)
            export.table(rows, f"{KEY}-person", text.TABS["person"])
            if account.images > 1:
                st.caption(render(text.PERSON_CAPTION, meaning=meaning))
        case "split":
            split.draw(account.delta)
        case "deployments":
            deployments_table.draw(account)
        case "libraries":
            others = other_accountants.other_epsilons(account.for_person, account.delta)
            rows = calculator_page.library_rows(account, others)
            export.table(rows, f"{KEY}-libraries", text.TABS["libraries"])
            st.caption(text.LIBRARIES_CAPTION)
        case "accuracy":
            _accuracy(account)
        case "table":
            export.table(chart.table(), f"{KEY}-guesses", text.TABLE)
            export.code(calculator_page.code(account), "python")
            page_parts.draw_glossary_line()


def _curve(account: Account) -> None:
    deltas = calculator_page.DELTAS
    epsilons = calculator.epsilon_curve(account.for_person, deltas).tolist()
    curve = EpsilonByDelta.from_curve(deltas.tolist(), epsilons, account.delta, account.epsilon)
    if len(curve.deltas) < 2:
        st.info(text.CURVE_ONE_POINT)
        return
    st.html(page_parts.finding_html(text.CURVE_FINDING))
    charts.plot(curve, f"{KEY}-curve")
    st.caption(text.CURVE_CAPTION)


def _trade_off(account: Account) -> None:
    tpr = calculator.trade_off(account, RATES)
    area = float(np.trapezoid(tpr, RATES))
    bound = Bound(("dppl-mean",), (text.OWN_LIBRARY,), RATES, tpr, area)
    st.html(page_parts.finding_html(text.TRADE_OFF_FINDING))
    charts.plot(Roc.from_curves([], [bound], "linear"), f"{KEY}-trade-off")
    st.caption(text.TRADE_OFF_CAPTION)


def _accuracy(account: Account) -> None:
    """Draw what the budget buys on bundled digits."""
    delta = max(account.delta, 1e-12) if account.delta else DELTA
    low, high = EPSILONS
    if not low <= account.epsilon <= high:
        st.info(text.ACCURACY_RANGE)
        return
    # rounded down, so that the methods spend no more
    places = 10.0 ** (3 - math.floor(math.log10(account.epsilon)))
    epsilon = math.floor(account.epsilon * places + 1e-9) / places
    specs = api.grid(ACCURACY_METHODS, epsilons=[epsilon], seeds=range(SEEDS), delta=delta, **DATA)
    runs = long_work.late_results(f"{KEY}-accuracy", tuple(specs))
    if not runs:
        st.caption(text.ACCURACY_WAIT)
        return
    rows = []
    for method in ACCURACY_METHODS:
        own = [run for run in runs if run.spec.method == method]
        cells = {"method": METHODS[method].title}
        cells |= {"all": render_text(text.ACCURACY_CELL, accuracy=accuracy(own, "balanced"))}
        cells |= {"rare": render_text(text.ACCURACY_CELL, accuracy=accuracy(own, "minority"))}
        rows.append({text.ACCURACY_COLUMNS[name]: cell for name, cell in cells.items()})
    export.table(rows, f"{KEY}-accuracy", text.TABS["accuracy"])
    budget = budget_text(Budget(epsilon, "approx", delta))
    st.caption(render(text.ACCURACY_CAPTION, budget=budget, seeds=SEEDS))
    link = f"trade-off?eps={epsilon!r}&delta={delta!r}"
    st.html(f'<a class="dp-button" href="{link}" target="_self">{text.ACCURACY_LINK}</a>')
