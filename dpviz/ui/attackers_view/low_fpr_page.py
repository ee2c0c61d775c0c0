"""The page "Attacker's view" where an attack by shadow models is chosen."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpviz.run.jobs import Job
from dpviz.ui.attackers_view import answer, exposed, shadows, shots
from dpviz.ui.attackers_view.controls import AttackView
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work, rerun_scheduling
from dpviz.ui.widgets import cards, charts, export
from dpviz.views import shadow_attack_in_words as words

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
is how many are found while hardly anybody is accused wrongly; 0.1 % and 1 % are the field's \
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
    told = shadows.summaries(attacks, view)
    page_parts.answer(sentence, shadows.precise(attacks, view), words.plain(told, view.unit))
    rerun_scheduling.flush_page()
    page_parts.caption(detail_level.at_level(answer.READS, words.HOW_TO_READ))
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
    exposed.show(attacks, view)
    st.header("Against the records a class")
    shots.section(view, f"{key}-shots")
    with st.expander("What these attacks are, and what the line says"):
        st.markdown(TEXT)
    if fold := export.fold("command"):
        with fold:
            shadows.downloads(attacks, view, key)
    page_parts.current_page().again = shadows.command(view)
