"""What a phone is told as it happens: server-sent events, one for each phase of its room."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from dpviz.classroom.middleware import Receive, Send
from dpviz.classroom.questions import COIN, Choice, Curve, Number, Question
from dpviz.classroom.rooms import ENDED, REVEALED, LiveClass, Snapshot

BEAT = 15.0
"""Seconds between signs of life, by which either side sees a torn connection."""
STREAMS = 4
"""Tabs of one phone that listen at once; a further one takes the place of the oldest."""
ELSEWHERE = "elsewhere"
HEAD = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


def seat_state(room: LiveClass, seat: str) -> dict[str, Any]:
    """What one phone may know now: before the reveal neither what came nor what is right."""
    shot, answer = room.snapshot(), room.said(seat)
    state: dict[str, Any] = {"phase": shot.phase, "number": shot.number, "said": answer}
    if shot.question is not None:
        state["asked"] = _public_question(shot.question)
        if shot.phase == REVEALED:
            state["came"] = _came(shot, shot.question)
    return state


def _public_question(question: Question) -> dict[str, Any]:
    """A question without what is right."""
    if isinstance(question, Choice):
        return {"kind": "choice", "text": question.text, "options": question.options}
    if isinstance(question, Number):
        return {"kind": "number"} | _fields(question, "text least most step unit")
    if isinstance(question, Curve):
        return {"kind": "curve"} | _fields(question, "text names places below beside scale")
    fields = {"kind": question.way, "text": question.text, "epsilon": question.epsilon}
    if question.way == COIN:
        fields |= {"honesty": 100 * question.honesty, "threshold": question.threshold}
    return fields


def _fields(question: Question, names: str) -> dict[str, Any]:
    return {name: getattr(question, name) for name in names.split()}


def _came(shot: Snapshot, question: Question) -> dict[str, Any]:
    """What the room said, what is right, and the words for it."""
    came: dict[str, Any] = {"answered": shot.answered, "words": shot.words, "then": question.then}
    if isinstance(question, Choice):
        return came | {"tally": shot.tally, "right": question.right}
    if isinstance(question, Number):
        return came | {"numbers": shot.numbers, "right": question.right}
    if isinstance(question, Curve):
        return came | {"curves": shot.curves, "truth": question.truth}
    return came  # of a private question the words alone, which are the estimate


class Streams:
    """All that listen, by seat."""

    def __init__(self) -> None:
        """Nobody does yet."""
        self._open: dict[str, list[asyncio.Event]] = {}

    async def serve(self, room: LiveClass, seat: str, receive: Receive, send: Send) -> None:
        """Tell one phone of every phase, until it is gone or the room is over."""
        changed, enough = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()

        def tell() -> None:
            with suppress(RuntimeError):  # the loop is over where the process ends
                loop.call_soon_threadsafe(changed.set)

        own = self._open.setdefault(seat, [])
        own.append(enough)
        if len(own) > STREAMS:
            own[0].set()
        no_more = room.on_change(tell)
        room.connected(seat, 1)
        disconnected = asyncio.ensure_future(_gone(receive))
        waits = {disconnected, asyncio.ensure_future(enough.wait())}
        try:
            await send({"type": "http.response.start", "status": 200, "headers": HEAD})
            await self._tell(room, seat, changed, waits, send)
            if enough.is_set():
                await _send(send, f"data: {json.dumps({'phase': ELSEWHERE})}\n\n")
            await send({"type": "http.response.body", "body": b""})
        finally:
            no_more()
            room.connected(seat, -1)
            own.remove(enough)
            if not own:
                self._open.pop(seat, None)
            for wait in waits:
                wait.cancel()

    async def _tell(
        self, room: LiveClass, seat: str, changed: asyncio.Event, waits: set[Any], send: Send
    ) -> None:
        while not any(wait.done() for wait in waits):
            changed.clear()
            state = seat_state(room, seat)
            await _send(send, f"data: {json.dumps(state)}\n\n")
            if state["phase"] == ENDED:
                return
            await self._next(changed, waits, send)

    async def _next(self, changed: asyncio.Event, waits: set[Any], send: Send) -> None:
        """Wait for the next phase, or for an end."""
        waiting = asyncio.ensure_future(changed.wait())
        try:
            while not changed.is_set() and not any(wait.done() for wait in waits):
                await asyncio.wait(
                    {waiting, *waits}, timeout=BEAT, return_when=asyncio.FIRST_COMPLETED
                )
                if not waiting.done():
                    await _send(send, ":\n\n")
        finally:
            waiting.cancel()


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send(send: Send, words: str) -> None:
    await send({"type": "http.response.body", "body": words.encode(), "more_body": True})
