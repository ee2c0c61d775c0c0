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
from dpviz.views import room_in_words

BEAT, SLOWER = 1.0, 30.0
"""Seconds between looks, while answers come in and else; each says that the teacher is there."""
GROWING = "class-growing"
WHO = {
    "coin": "A coin falls on each phone: this machine gets what was recorded, and no true answer.",
    "server": "True answers come to this machine, are counted, told once with noise and forgotten.",
}


def show(room: LiveClass) -> None:
    """The stage of a room, looked at anew again and again."""
    st.html(f"<style>{asset('class_room.css')}</style>")
    phase = room.phase

    @st.fragment(run_every=BEAT if phase in (WAITING, ASKED) else SLOWER)
    def stage() -> None:
        room.touch()
        shot = room.snapshot()
        if shot.phase != phase:
            st.rerun()
        _stage(room, shot)

    stage()
    part = st.components.v2.component("dpviz.classroom", js=asset("room_phase.js"))
    part(key="hand-room", data={"now": f"{phase} {room.snapshot().number}"})


def _stage(room: LiveClass, shot: Snapshot) -> None:
    st.html(_joining(shot))
    if shot.phase == ASKED:
        _question(room, shot)
    elif shot.phase == REVEALED:
        _revealed(room, shot)
    if shot.phase != ASKED:
        with st.container(key="class-over"), st.popover("End the room"):
            st.markdown(ENDS)
            if st.button("End it for all", key="class-end"):
                room.end()
                st.rerun()


ENDS = "All phones are told so, and nothing of the room is kept."


def _joining(shot: Snapshot) -> str:
    """Code, QR code and address: large while phones join, at the side later on."""
    found = [f"{address}/{shot.code}" for address in listener.links()]
    first = found[0] if found else ""
    drawn = (
        f'<img class="qr" alt="QR code of {plain(first)}" src="{_code(first)}">' if first else ""
    )
    typed = plain(first.rpartition("/")[0].removeprefix("http://"))
    others = ", ".join(plain(one.rpartition("/")[0].removeprefix("http://")) for one in found[1:])
    other = f"<small>or {others}</small>" if others else ""
    large = " large" if shot.phase == WAITING else ""
    return (
        f'<div class="dp-room{large}">{drawn}<div><span>On a phone in this network, open'
        f"</span><b>{typed}</b>{other}<span>and type</span>"
        f"<strong>{plain(shot.code)}</strong>"
        f'<em role="status">{_present_count(shot)}</em></div></div>'
    )


def _code(address: str) -> str:
    """A QR code as a picture's address: Streamlit takes drawings out of HTML."""
    return f"data:image/svg+xml;base64,{b64encode(joining.qr_code(address).encode()).decode()}"


def _present_count(shot: Snapshot) -> str:
    phones = f"{shot.joined} phone{'' if shot.joined == 1 else 's'} joined"
    gone = shot.joined - shot.connected
    return phones if gone <= 0 else f"{phones}, {gone} of them not listening now"


def _question(room: LiveClass, shot: Snapshot) -> None:
    question = shot.question
    st.html(
        f'<p class="dp-count" role="status"><b>{shot.answered}</b> of {shot.joined} have'
        " answered</p>"
    )
    if isinstance(question, Private):
        spent = room_in_words.spent(shot.spent)
        st.caption(f"{WHO[question.way]} Who answers all of this room's spends {spent}, δ = 0.")
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Reveal", key="class-reveal", type="primary", icon=":material/visibility:"):
            room.close(shot.number)
            st.rerun()
        hidden = isinstance(question, Private) and question.way != "coin"
        grows = not hidden and st.toggle("Show answers as they come", key=GROWING, help=GROWS)
    if grows:
        _chart(shot)


GROWS = "Off, nobody is led by the others: the number alone is shown. Phones see nothing before."


def _revealed(room: LiveClass, shot: Snapshot) -> None:
    _chart(shot)
    question = shot.question
    if isinstance(question, Private):
        found = reveal.private(room, shot)
        if found:
            chart = YesEstimate(found.people, found.count, found.low, found.high)
            charts.plot(chart, "class-estimate")
            st.caption(room_in_words.exactly(found))
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


def status_text(room: LiveClass, shot: Snapshot) -> str:
    """The page's one sentence: how to join, what is asked, or what came; Markdown."""
    if shot.phase == WAITING or shot.phase == ENDED:
        return (
            f"The room **{shot.code}** is open: join it with a phone of this network. No names, no"
            " app; one answer a phone."
        )
    assert shot.question is not None
    if shot.phase == REVEALED:
        return f"{literal(shot.question.text)} {reveal.result_text(shot, room)}"
    return f"**{literal(shot.question.text)}**"
