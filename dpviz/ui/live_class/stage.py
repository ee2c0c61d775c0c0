"""A live class on the teacher's screen: joining, the question, the count of answers, the results.

It is redrawn every second while phones join and answer.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from string import ascii_uppercase

import streamlit as st

from dpviz.classroom import (
    Choice,
    Curve,
    LiveClass,
    Number,
    Private,
    Race,
    Snapshot,
    joining,
    listener,
)
from dpviz.classroom.live_class import ASKED, ENDED, REVEALED, WAITING
from dpviz.formatting import literal, number, plain
from dpviz.plots.classroom import DrawnCurves, RaceCurve, Tally, YesEstimate, number_tally
from dpviz.text import live_class as text
from dpviz.text.template import render, render_text
from dpviz.ui.assets import asset
from dpviz.ui.frame import presentation
from dpviz.ui.live_class import asking, reveal
from dpviz.ui.widgets import charts
from dpviz.views import class_race, live_class_page

#: Seconds between two redraws while answers arrive, and otherwise; each is a sign of the teacher.
REDRAW_INTERVAL, IDLE_INTERVAL = 1.0, 30.0
GROWING = "class-growing"


def show(live_class: LiveClass) -> None:
    """Draw a live class, again and again."""
    st.html(f"<style>{asset('class_room.css')}</style>")
    phase = live_class.phase
    if phase == ASKED:
        st.html(f"<style>{asset('class_asking.css')}</style>")

    @st.fragment(run_every=REDRAW_INTERVAL if phase in (WAITING, ASKED) else IDLE_INTERVAL)
    def stage() -> None:
        live_class.touch()
        shot = live_class.snapshot()
        if shot.phase != phase:
            st.rerun()
        _stage(live_class, shot)

    stage()
    part = st.components.v2.component("dpviz.classroom", js=asset("room_phase.js"))
    part(key="hand-room", data={"now": f"{phase} {live_class.snapshot().number}"})


def _stage(live_class: LiveClass, shot: Snapshot) -> None:
    st.html(_joining(shot))
    if shot.phase == ASKED:
        _question(live_class, shot)
    elif shot.phase == REVEALED:
        _revealed(live_class, shot)
    if shot.phase != ASKED:
        asking.next_button(live_class)
        with st.container(horizontal=True, key="class-over"):
            with st.popover(text.TEACHER_CODE):
                st.markdown(render(text.TEACHER_CODE_NOTE, code=live_class.shown_teacher_code))
            with st.popover(text.END):
                st.markdown(text.END_NOTE)
                if st.button(text.END_NOW, key="class-end"):
                    live_class.end()
                    st.rerun()


def _joining(shot: Snapshot) -> str:
    """Return code, QR code and address as HTML: large while phones join, small afterward."""
    addresses = [f"{address}/{shot.code}" for address in listener.links()]
    first_address = addresses[0] if addresses else ""
    code_image = (
        f'<img class="qr" alt="{plain(render_text(text.QR, address=first_address))}"'
        f' src="{_code(first_address)}">'
        if first_address
        else ""
    )
    typed = plain(first_address.rpartition("/")[0].removeprefix("http://"))
    other_hosts = ", ".join(
        plain(host.rpartition("/")[0].removeprefix("http://")) for host in addresses[1:]
    )
    other = (
        f"<small>{render_text(text.JOIN_OTHER, addresses=other_hosts)}</small>"
        if other_hosts
        else ""
    )
    large = " large" if shot.phase == WAITING else ""
    return (
        f'<div class="dp-room{large}">{code_image}<div><span>{text.JOIN}'
        f"</span><b>{typed}</b>{other}<span>{text.JOIN_CODE}</span>"
        f"<strong>{plain(shot.code)}</strong>"
        f'<em role="status">{_present_count(shot)}</em></div></div>'
    )


def _code(address: str) -> str:
    """Return a QR code as a data address, because Streamlit removes SVG from HTML."""
    return f"data:image/svg+xml;base64,{b64encode(joining.qr_code(address).encode()).decode()}"


def _present_count(shot: Snapshot) -> str:
    lost = shot.joined - shot.connected
    return render_text(
        text.JOINED if lost <= 0 else text.JOINED_LOST, phones=shot.joined, lost=lost
    )


def _question(live_class: LiveClass, shot: Snapshot) -> None:
    question = shot.question
    if isinstance(question, Choice):
        st.html(_options(question.options))
    elif isinstance(question, Race):
        values = ", ".join(map(number, question.epsilons))
        st.html(f'<p class="dp-options">{render_text(text.RACE_VALUES, values=values)}</p>')
    count = render_text(text.COUNT, answered=shot.answered, joined=shot.joined)
    st.html(f'<p class="dp-count" role="status">{count}</p>')
    if isinstance(question, Private):
        spent = live_class_page.spent_text(shot.spent)
        st.caption(f"{text.WAY_NOTES[question.way]} {render(text.SPENT, spent=spent)}")
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(text.REVEAL, key="class-reveal", type="primary", icon=":material/visibility:"):
            live_class.close(shot.number)
            st.rerun()
        if not presentation.on() and presentation.button(text.PROJECTOR, text.PROJECTOR_HELP):
            st.rerun()  # the whole page, not this fragment alone
        hidden = isinstance(question, Private) and question.way != "coin"
        grows = not hidden and st.toggle(text.LIVE, key=GROWING, help=text.LIVE_HELP)
    if grows:
        _chart(shot)


def _options(options: Sequence[str]) -> str:
    """Return the options of a question as an HTML list, for the projector."""
    return f'<ol class="dp-options">{"".join(f"<li>{plain(one)}</li>" for one in options)}</ol>'


def _lettered(options: Sequence[str]) -> list[str]:
    """Return the options of a choice with their letters."""
    pairs = zip(ascii_uppercase, options, strict=False)
    return [render_text(text.OPTION, letter=letter, option=option) for letter, option in pairs]


def _values(race: Race) -> list[str]:
    """Return the choices of a race."""
    return [render_text(text.RACE_VALUE, epsilon=epsilon) for epsilon in race.epsilons]


def _revealed(live_class: LiveClass, shot: Snapshot) -> None:
    _chart(shot)
    question = shot.question
    if isinstance(question, Private):
        estimate = reveal.private(live_class, shot)
        if estimate:
            chart = YesEstimate(estimate.people, estimate.count, estimate.low, estimate.high)
            charts.plot(chart, "class-estimate")
            st.caption(live_class_page.origin_text(estimate))
        return
    with st.container(key="class-words"):
        words = "" if isinstance(question, Race) else shot.words  # the page's answer has them
        for sentence in filter(None, (words, getattr(question, "then", ""))):
            st.markdown(literal(sentence))
    if isinstance(question, Race) and question.truth:
        st.caption(class_race.caption())


def _chart(shot: Snapshot) -> None:
    """Draw the answers so far; for a private question by coins, the recorded answers."""
    question = shot.question
    if isinstance(question, Choice):
        chart = Tally.from_counts(
            _lettered(question.options), shot.tally, question.right if _has_ended(shot) else None
        )
        charts.plot(chart, "class-tally")
    elif isinstance(question, Number):
        scale = question.least, question.most, question.step, question.unit
        true = question.right if _has_ended(shot) else None
        charts.plot(number_tally(shot.numbers, *scale, true), "class-numbers")
    elif isinstance(question, Curve):
        titles = question.below, question.beside
        truth = question.truth if _has_ended(shot) else ()
        curves = DrawnCurves.from_curves(
            question.names, question.places, titles, shot.curves, truth
        )
        charts.plot(curves, "class-curves")
    elif isinstance(question, Race):
        if _has_ended(shot) and question.truth:
            race = RaceCurve(question.epsilons, question.truth, shot.tally, question.public)
            charts.plot(race, "class-race")
        else:
            charts.plot(Tally.from_counts(_values(question), shot.tally), "class-tally")
    elif isinstance(question, Private) and shot.tally and not _has_ended(shot):
        chart = Tally.from_counts(text.RECORDED, shot.tally)
        charts.plot(chart, "class-tally")


def _has_ended(shot: Snapshot) -> bool:
    return shot.phase == REVEALED


def status_text(live_class: LiveClass, shot: Snapshot) -> str:
    """Return the page's answer, in Markdown: how to join, the question, or the result."""
    if shot.phase == WAITING or shot.phase == ENDED:
        return text.ANSWERS["waiting"].fill(precise=True, code=shot.code)
    assert shot.question is not None
    if shot.phase == REVEALED:
        return f"{literal(shot.question.text)} {reveal.result_text(shot, live_class)}"
    setup = getattr(shot.question, "setup", "")
    question = f"**{literal(shot.question.text)}**"
    return f"{literal(setup)}\n\n{question}" if setup else question
