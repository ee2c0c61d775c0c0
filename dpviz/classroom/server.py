"""What phones are shown: the page on which a code is typed, the page of a room, its events, and
where answers go. Everything else is told that nothing is here.
"""

from __future__ import annotations

import asyncio
import json
import re
from http.cookies import CookieError, SimpleCookie
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from dpviz.classroom import middleware
from dpviz.classroom.pages import Pages
from dpviz.classroom.rooms import LETTERS, LIVE_CLASSES, LiveClass, LiveClasses
from dpviz.classroom.stream import Streams
from dpviz.types import DpvizError

BODY = 2048
"""Bytes of an answer, at most."""
DIGITS = 18
"""Of a whole number in an answer, at most."""
PATIENCE = 10.0
"""Seconds in which a request has to be whole."""
COOKIE = "dpviz_seat"
HOURS = 6
"""After which a phone forgets its seat."""
CODE = re.compile(f"[{LETTERS}]{{5}}")
SEAT = re.compile(r"[\w-]{43}", re.ASCII)
NO_CLASS = "There is no open room with this code. Look at the screen in front and type it again."


class Refused(Exception):
    """An answer with a sentence, and its status."""

    def __init__(self, status: int, words: str) -> None:
        """status: of HTTP; words: one sentence."""
        super().__init__(words)
        self.status = status


class JoiningPages:
    """The application; ``rooms``: where rooms are looked up."""

    def __init__(self, pages: Pages, rooms: LiveClasses = LIVE_CLASSES) -> None:
        """pages: as they stand; rooms: that may be joined."""
        self._pages, self._rooms, self._streams = pages, rooms, Streams()

    def app(self) -> middleware.App:
        """The application behind its guard."""
        routes = [
            Route("/", self._enter, methods=["GET"]),
            Route("/{code}", self._room, methods=["GET"]),
            Route("/{code}/seat", self._seat, methods=["POST"]),
            Route("/{code}/answer", self._answer, methods=["POST"]),
            Route("/{code}/events", self._events, methods=["GET"]),
        ]
        handlers: Any = {HTTPException: _nothing, Refused: _refused}
        app = Starlette(routes=routes, exception_handlers=handlers)
        app.router.redirect_slashes = False
        return middleware.guarded(app)

    # ------------------------------------------------------------------------------------ pages

    async def _enter(self, request: Request) -> Response:
        """The page on which a code is typed, or the way to the room whose code it was."""
        typed = request.query_params.get("code")
        if typed is None:
            return self._page(self._pages.enter())
        code = re.sub(r"\W", "", typed)[:20].upper()
        if CODE.fullmatch(code) and self._rooms.find(code):
            return RedirectResponse(f"/{code}", 303)
        return self._page(self._pages.enter(NO_CLASS), 404)

    async def _room(self, request: Request) -> Response:
        """The page of a room; it takes no seat yet, so that a link's preview takes none."""
        code = request.path_params["code"]
        if not CODE.fullmatch(code.upper()):
            raise HTTPException(404)
        if self._rooms.find(code) is None:
            if self._rooms.find(code.upper()):
                return RedirectResponse(f"/{code.upper()}", 303)
            return self._page(self._pages.enter(NO_CLASS), 404)
        return self._page(self._pages.room())

    def _page(self, page: tuple[str, str], status: int = 200) -> Response:
        html, policy = page
        return HTMLResponse(html, status, {"content-security-policy": policy})

    # ------------------------------------------------------------------------- what a page asks

    async def _seat(self, request: Request) -> Response:
        """A seat, in a cookie that no script reads and no other site sends."""
        await _body(request)
        room = self._found(request)
        try:
            seat = room.join(_seat_from_cookie(request))
        except DpvizError as error:
            raise Refused(409, str(error)) from None
        answer = JSONResponse({"room": room.code})
        answer.set_cookie(
            COOKIE,
            seat,
            max_age=HOURS * 3600,
            path=f"/{room.code}",
            httponly=True,
            samesite="strict",
        )
        return answer

    async def _answer(self, request: Request) -> Response:
        """Note what a seat says."""
        words = await _body(request)
        room = self._found(request)
        seat = _seat_of(request, room)
        try:
            answer = json.loads(words, parse_int=_short)
            number, value = answer["number"], answer["value"]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise Refused(400, "The answer could not be read; load the page again.") from None
        try:
            room.answer(seat, number, value)
        except DpvizError as error:
            raise Refused(409, str(error)) from None
        return JSONResponse({"noted": True})

    async def _events(self, request: Request) -> Response:
        """Events of a seat."""
        room = self._found(request)
        return _Listening(self._streams, room, _seat_of(request, room))

    def _found(self, request: Request) -> LiveClass:
        room = self._rooms.find(request.path_params["code"])
        if room is None:
            raise HTTPException(404)
        return room


class _Listening(Response):
    """A response that lasts as long as somebody listens."""

    def __init__(self, streams: Streams, room: LiveClass, seat: str) -> None:
        self._listens = (streams, room, seat)
        self.background = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        streams, room, seat = self._listens
        await streams.serve(room, seat, receive, send)


def _seat_from_cookie(request: Request) -> str | None:
    """The seat that a phone shows; several cookies of that name are none."""
    try:
        cookie = SimpleCookie(request.headers.get("cookie", "")[:4096]).get(COOKIE)
    except CookieError:
        return None
    return cookie.value if cookie and SEAT.fullmatch(cookie.value) else None


def _seat_of(request: Request, room: LiveClass) -> str:
    seat = _seat_from_cookie(request)
    if seat is None or not room.has(seat):
        raise Refused(403, "This phone has no seat in the room; load the page again.")
    return seat


async def _body(request: Request) -> bytes:
    """A request's body, no longer and no later than it may be."""

    async def read() -> bytes:
        whole = b""
        async for part in request.stream():
            whole += part
            if len(whole) > BODY:
                raise Refused(413, "The answer is too long; load the page again.")
        return whole

    try:
        return await asyncio.wait_for(read(), PATIENCE)
    except (TimeoutError, ClientDisconnect):
        raise Refused(408, "The answer did not come through; send it again.") from None


def _short(digits: str) -> int:
    """A whole number of an answer; one that no scale reaches is none."""
    if len(digits) > DIGITS:
        raise ValueError
    return int(digits)


async def _nothing(request: Request, error: Exception) -> Response:
    """For a page that is none and a method that is none alike."""
    return Response(middleware.NOTHING, 404, media_type="text/plain")


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    unread = {"connection": "close"} if error.status in (408, 413) else None
    return JSONResponse({"sorry": str(error)}, error.status, unread)
