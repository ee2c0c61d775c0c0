"""Server-sent events for a phone, one for each phase of its live class."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from dpviz.classroom.live_class import ENDED, REVEALED, LiveClass, Snapshot
from dpviz.classroom.middleware import Receive, Send
from dpviz.classroom.questions import COIN, Choice, Curve, Number, Question, Race

KEEP_ALIVE_SECONDS = 15.0
"""Seconds between keep-alive comments, by which both sides notice a broken connection."""
MAX_STREAMS = 4
"""Open tabs of one phone; one more closes the oldest stream."""
CLOSED_BY_TAB = "elsewhere"
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


def seat_state(live_class: LiveClass, seat: str) -> dict[str, Any]:
    """Return what one phone may know now: answers and the truth only after the reveal."""
    shot, answer = live_class.snapshot(), live_class.answer_of(seat)
    state: dict[str, Any] = {"phase": shot.phase, "number": shot.number, "said": answer}
    if shot.question is not None:
        state["asked"] = _public_question(shot.question)
        if shot.phase == REVEALED:
            state["came"] = _results(shot, shot.question)
    return state


def _public_question(question: Question) -> dict[str, Any]:
    """Return a question without the right answer."""
    if isinstance(question, Choice):
        return {"kind": "choice"} | _fields(question, "setup text options")
    if isinstance(question, Number):
        return {"kind": "number"} | _fields(question, "text least most step unit")
    if isinstance(question, Curve):
        return {"kind": "curve"} | _fields(question, "setup text names places below beside scale")
    if isinstance(question, Race):
        return {"kind": "race"} | _fields(question, "setup text epsilons")
    fields = {"kind": question.way, "text": question.text, "epsilon": question.epsilon}
    if question.way == COIN:
        fields |= {"honesty": 100 * question.honesty, "threshold": question.threshold}
    return fields


def _fields(question: Question, names: str) -> dict[str, Any]:
    return {name: getattr(question, name) for name in names.split()}


def _results(shot: Snapshot, question: Question) -> dict[str, Any]:
    """Return the answers, the truth, and the words of the reveal."""
    results: dict[str, Any] = {
        "answered": shot.answered,
        "words": shot.words,
        "then": question.then,
    }
    if isinstance(question, Choice):
        return results | {"tally": shot.tally, "right": question.right}
    if isinstance(question, Number):
        return results | {"numbers": shot.numbers, "right": question.right}
    if isinstance(question, Curve):
        return results | {"curves": shot.curves, "truth": question.truth}
    if isinstance(question, Race):
        return results | {"tally": shot.tally} | _fields(question, "truth public")
    return results  # of a private question only the words, which give the estimate


class Streams:
    """Open streams by seat."""

    def __init__(self) -> None:
        """Start without streams."""
        self._open: dict[str, list[asyncio.Event]] = {}

    async def serve(self, live_class: LiveClass, seat: str, receive: Receive, send: Send) -> None:
        """Send every phase to one phone, until it disconnects or the class ends."""
        changed, replaced = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()

        def wake() -> None:
            with suppress(RuntimeError):  # the loop is closed when the process ends
                loop.call_soon_threadsafe(changed.set)

        tabs = self._open.setdefault(seat, [])
        tabs.append(replaced)
        if len(tabs) > MAX_STREAMS:
            tabs[0].set()
        unsubscribe = live_class.on_change(wake)
        live_class.count_connection(seat, 1)
        disconnected = asyncio.ensure_future(_disconnection(receive))
        waits = {disconnected, asyncio.ensure_future(replaced.wait())}
        try:
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            await self._send_phases(live_class, seat, changed, waits, send)
            if replaced.is_set():
                await _send(send, f"data: {json.dumps({'phase': CLOSED_BY_TAB})}\n\n")
            await send({"type": "http.response.body", "body": b""})
        finally:
            unsubscribe()
            live_class.count_connection(seat, -1)
            tabs.remove(replaced)
            if not tabs:
                self._open.pop(seat, None)
            for wait in waits:
                wait.cancel()

    async def _send_phases(
        self, live_class: LiveClass, seat: str, changed: asyncio.Event, waits: set[Any], send: Send
    ) -> None:
        while not any(wait.done() for wait in waits):
            changed.clear()
            state = seat_state(live_class, seat)
            await _send(send, f"data: {json.dumps(state)}\n\n")
            if state["phase"] == ENDED:
                return
            await self._wait_for_change(changed, waits, send)

    async def _wait_for_change(self, changed: asyncio.Event, waits: set[Any], send: Send) -> None:
        """Wait for the next phase or the end of the stream; send keep-alive comments."""
        change = asyncio.ensure_future(changed.wait())
        try:
            while not changed.is_set() and not any(wait.done() for wait in waits):
                await asyncio.wait(
                    {change, *waits},
                    timeout=KEEP_ALIVE_SECONDS,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                if not change.done():
                    await _send(send, ":\n\n")
        finally:
            change.cancel()


async def _disconnection(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
