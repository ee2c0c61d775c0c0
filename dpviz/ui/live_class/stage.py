"""The room on the teacher's screen: how to join, what is asked, how many have answered, and what
came true. It looks at the room once a second while phones join and answer.
"""

from __future__ import annotations

from base64 import b64encode

import streamlit as st

from dpviz.classroom import Choice, Curve, LiveClass, Number, Private, Snapshot, joining, listener
from dpviz.classroom.live_class import ASKED, ENDED, REVEALED, WAITING
from dpviz.formatting import literal, plain
from dpviz.plots.classroom import DrawnCurves, Tally, YesEstimate, number_tally
from dpviz.ui.assets import asset
from dpviz.ui.live_class import reveal
from dpviz.ui.widgets import charts
from dpviz.views import live_class_page

REDRAW_INTERVAL, IDLE_INTERVAL = 1.0, 30.0
"""Seconds between looks, while answers come in and else; each says that the teacher is there."""
GROWING = "class-growing"
WAY_NOTES = {
    "coin": "A coin falls on each phone: this machine gets what was recorded, and no true answer.",
    "server": "True answers come to this machine, are counted, told once with noise and forgotten.",
}


def show(live_class: LiveClass) -> None:
    """The stage of a room, looked at anew again and again."""
    st.html(f"<style>{asset('class_room.css')}</style>")
    phase = live_class.phase

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
        with st.container(key="class-over"), st.popover("End the room"):
            st.markdown(END_HELP)
            if st.button("End it for all", key="class-end"):
                live_class.end()
                st.rerun()


END_HELP = "All phones are told so, and nothing of the room is kept."


def _joining(shot: Snapshot) -> str:
    """Code, QR code and address: large while phones join, at the side later on."""
    addresses = [f"{address}/{shot.code}" for address in listener.links()]
    first_address = addresses[0] if addresses else ""
    code_image = (
        f'<img class="qr" alt="QR code of {plain(first_address)}" src="{_code(first_address)}">'
        if first_address
        else ""
    )
    typed = plain(first_address.rpartition("/")[0].removeprefix("http://"))
    other_hosts = ", ".join(
        plain(host.rpartition("/")[0].removeprefix("http://")) for host in addresses[1:]
    )
    other = f"<small>or {other_hosts}</small>" if other_hosts else ""
    large = " large" if shot.phase == WAITING else ""
    return (
        f'<div class="dp-room{large}">{code_image}<div><span>On a phone in this network, open'
        f"</span><b>{typed}</b>{other}<span>and type</span>"
        f"<strong>{plain(shot.code)}</strong>"
        f'<em role="status">{_present_count(shot)}</em></div></div>'
    )


def _code(address: str) -> str:
    """A QR code as a picture's address: Streamlit takes drawings out of HTML."""
    return f"data:image/svg+xml;base64,{b64encode(joining.qr_code(address).encode()).decode()}"


def _present_count(shot: Snapshot) -> str:
    phones = f"{shot.joined} phone{'' if shot.joined == 1 else 's'} joined"
    lost_count = shot.joined - shot.connected
    return phones if lost_count <= 0 else f"{phones}, {lost_count} of them not listening now"


def _question(live_class: LiveClass, shot: Snapshot) -> None:
    question = shot.question
    st.html(
        f'<p class="dp-count" role="status"><b>{shot.answered}</b> of {shot.joined} have'
        " answered</p>"
    )
    if isinstance(question, Private):
        spent = live_class_page.spent_text(shot.spent)
        st.caption(
            f"{WAY_NOTES[question.way]} Who answers all of this room's spends {spent}, δ = 0."
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Reveal", key="class-reveal", type="primary", icon=":material/visibility:"):
            live_class.close(shot.number)
            st.rerun()
        hidden = isinstance(question, Private) and question.way != "coin"
        grows = not hidden and st.toggle(
            "Show answers as they come", key=GROWING, help=GROWING_HELP
        )
    if grows:
        _chart(shot)


GROWING_HELP = (
    "Off, nobody is led by the others: the number alone is shown. Phones see nothing before."
)


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
        for words in filter(None, (shot.words, getattr(question, "then", ""))):
            st.markdown(literal(words))


def _chart(shot: Snapshot) -> None:
    """What came so far; of a private question by coins what they recorded, while it grows."""
    question = shot.question
    if isinstance(question, Choice):
        chart = Tally.from_counts(
            question.options, shot.tally, question.right if _has_ended(shot) else None
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
    elif isinstance(question, Private) and shot.tally and not _has_ended(shot):
        chart = Tally.from_counts(("recorded yes", "recorded no"), shot.tally)
        charts.plot(chart, "class-tally")


def _has_ended(shot: Snapshot) -> bool:
    return shot.phase == REVEALED


def status_text(live_class: LiveClass, shot: Snapshot) -> str:
    """The page's one sentence: how to join, what is asked, or what came; Markdown."""
    if shot.phase == WAITING or shot.phase == ENDED:
        return (
            f"The room **{shot.code}** is open: join it with a phone of this network. No names, no"
            " app; one answer a phone."
        )
    assert shot.question is not None
    if shot.phase == REVEALED:
        return f"{literal(shot.question.text)} {reveal.result_text(shot, live_class)}"
    return f"**{literal(shot.question.text)}**"
