"""Whom the attack finds most often, as pictures where there are any: a private view."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.diagnostics.shadow_attack import RATES, TITLES, Exposed
from dpviz.formatting import literal
from dpviz.plots.record_cards import ExposedCard, exposed_cards_html
from dpviz.run import experiment
from dpviz.types import Dataset
from dpviz.ui.attackers_view.controls import AttackView
from dpviz.ui.attackers_view.shadows import Shadowed
from dpviz.ui.frame import page_parts
from dpviz.ui.widgets import cards

FEW = 4
"""Pictures of a person that are shown."""
SURE = 0.9
"""Found so often, one is called found for certain."""
NO_PICTURES = "These data come without pictures, so rows stand for records."


def show(attacks: list[Shadowed], view: AttackView) -> None:
    """The most exposed by each method, the one that leaks most first."""
    data = experiment.prepared(attacks[0].spec)
    cards.private_view()
    for one in sorted(attacks, key=_row, reverse=True):
        some = one.made.found[view.by].exposed
        st.markdown(f"**{literal(one.title)}**: {_words(some, view)}")
        st.html(exposed_cards_html([_card(each, data, view) for each in some]))
    page_parts.caption(
        f"At {100 * RATES[-1]:g} % false alarms over all, {TITLES[view.by]}. They were picked by"
        " half of the fits and are counted in the other half: of thousands, some are found often by"
        " luck alone. Accused: said to be used by fits that did not use it."
        + ("" if data.thumbnails else f" {NO_PICTURES}")
    )


def _row(one: Shadowed) -> float:
    rate = one.made.found["lira"].overall[-1]
    return rate.tpr if rate else 0.0


def _words(some: tuple[Exposed, ...], view: AttackView) -> str:
    """How many of them are found for certain, and what is so on average."""
    always = sum(one.found >= SURE for one in some)
    many = "one is" if always == 1 else f"{always or 'none'} {'are' if always else 'is'}"
    found, accused = (
        round(100 * float(np.mean([getattr(one, name) for one in some])))
        for name in ("found", "accused")
    )
    return (
        f"of these {len(some)}, {many} found at least {10 * SURE:.0f} times in 10; on average they"
        f" are found {found} times in 100 where they were used, and accused {accused} times in 100"
        " where they were not."
    )


def _card(one: Exposed, data: Dataset, view: AttackView) -> ExposedCard:
    rows = np.array(one.rows)
    name = data.class_names[one.label]
    who = f"record {one.rows[0]}"
    if view.unit == "person":
        assert data.persons is not None
        who = f"person {data.persons[rows[0]]}"
        name = f"{who}: {len(rows):,} records"
    pictures: tuple[np.ndarray, ...] = ()
    if data.thumbnails is not None and data.rows is not None:
        pictures = tuple(data.thumbnails("train", data.rows[rows[:FEW]]))
    elif view.unit == "picture":
        name = f"{name}, row {one.rows[0]}"
    found = f"found {round(one.found * one.of)} of {one.of}"
    return ExposedCard(who, pictures, name, (found, f"accused {100 * one.accused:.0f} %"))
