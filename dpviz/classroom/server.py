"""Routes for phones: the code page, the page of a live class, its events, and answers."""

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
from dpviz.classroom.joining import Pages
from dpviz.classroom.live_class import LETTERS, LIVE_CLASSES, LiveClass, LiveClasses
from dpviz.classroom.stream import Streams
from dpviz.types import DpvizError

MAX_BODY_BYTES = 2048
"""Bytes of an answer."""
MAX_DIGITS = 18
"""Digits of a whole number in an answer."""
PATIENCE = 10.0
"""Seconds in which a request has to be complete."""
COOKIE = "dpviz_seat"
COOKIE_HOURS = 6
"""Hours after which a phone deletes its seat."""
CODE = re.compile(f"[{LETTERS}]{{5}}")
SEAT = re.compile(r"[\w-]{43}", re.ASCII)
NO_CLASS = "There is no live class with this code. Check the code on the screen and type it again."


class RefusedError(Exception):
    """A refused request, with a message for the phone."""

    def __init__(self, status: int, message: str) -> None:
        """status: of HTTP."""
        super().__init__(message)
        self.status = status


class JoiningPages:
    """The web application for phones."""

    def __init__(self, pages: Pages, classes: LiveClasses = LIVE_CLASSES) -> None:
        """classes: that may be joined."""
        self._pages, self._classes, self._streams = pages, classes, Streams()

    def app(self) -> middleware.App:
        """Return the ASGI application with its request checks."""
        routes = [
            Route("/", self._show_code_page, methods=["GET"]),
            Route("/{code}", self._show_class_page, methods=["GET"]),
            Route("/{code}/seat", self._take_seat, methods=["POST"]),
            Route("/{code}/answer", self._take_answer, methods=["POST"]),
            Route("/{code}/events", self._stream_events, methods=["GET"]),
        ]
        handlers: Any = {HTTPException: _show_not_found, RefusedError: _show_refusal}
        app = Starlette(routes=routes, exception_handlers=handlers)
        app.router.redirect_slashes = False
        return middleware.guarded(app)

    # ------------------------------------------------------------------------------------ pages

    async def _show_code_page(self, request: Request) -> Response:
        """Show the page on which a code is typed, or redirect to the class of the typed code."""
        typed = request.query_params.get("code")
        if typed is None:
            return self._page(self._pages.code_page())
        code = re.sub(r"\W", "", typed)[:20].upper()
        if CODE.fullmatch(code) and self._classes.find(code):
            return RedirectResponse(f"/{code}", 303)
        return self._page(self._pages.code_page(NO_CLASS), 404)

    async def _show_class_page(self, request: Request) -> Response:
        """Show the page of a class. It takes no seat yet, so that a link preview takes none."""
        code = request.path_params["code"]
        if not CODE.fullmatch(code.upper()):
            raise HTTPException(404)
        if self._classes.find(code) is None:
            if self._classes.find(code.upper()):
                return RedirectResponse(f"/{code.upper()}", 303)
            return self._page(self._pages.code_page(NO_CLASS), 404)
        return self._page(self._pages.class_page())

    def _page(self, page: tuple[str, str], status: int = 200) -> Response:
        html, policy = page
        return HTMLResponse(html, status, {"content-security-policy": policy})

    # ------------------------------------------------------------------------- requests of a page

    async def _take_seat(self, request: Request) -> Response:
        """Issue a seat, in a cookie that no script can read and no other site can send."""
        await _body(request)
        live_class = self._find_class(request)
        try:
            seat = live_class.join(_seat_from_cookie(request))
        except DpvizError as error:
            raise RefusedError(409, str(error)) from None
        answer = JSONResponse({"room": live_class.code})
        answer.set_cookie(
            COOKIE,
            seat,
            max_age=COOKIE_HOURS * 3600,
            path=f"/{live_class.code}",
            httponly=True,
            samesite="strict",
        )
        return answer

    async def _take_answer(self, request: Request) -> Response:
        """Note the answer of a seat."""
        body = await _body(request)
        live_class = self._find_class(request)
        seat = _seat_of(request, live_class)
        try:
            answer = json.loads(body, parse_int=_bounded_int)
            number, value = answer["number"], answer["value"]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise RefusedError(400, "The answer could not be read. Reload the page.") from None
        try:
            live_class.answer(seat, number, value)
        except DpvizError as error:
            raise RefusedError(409, str(error)) from None
        return JSONResponse({"noted": True})

    async def _stream_events(self, request: Request) -> Response:
        """Stream the events of a seat."""
        live_class = self._find_class(request)
        return _EventResponse(self._streams, live_class, _seat_of(request, live_class))

    def _find_class(self, request: Request) -> LiveClass:
        live_class = self._classes.find(request.path_params["code"])
        if live_class is None:
            raise HTTPException(404)
        return live_class


class _EventResponse(Response):
    """A response that lasts as long as the phone is connected."""

    def __init__(self, streams: Streams, live_class: LiveClass, seat: str) -> None:
        self._arguments = (streams, live_class, seat)
        self.background = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        streams, live_class, seat = self._arguments
        await streams.serve(live_class, seat, receive, send)


def _seat_from_cookie(request: Request) -> str | None:
    """Return the seat in the cookie, if it is well-formed."""
    try:
        cookie = SimpleCookie(request.headers.get("cookie", "")[:4096]).get(COOKIE)
    except CookieError:
        return None
    return cookie.value if cookie and SEAT.fullmatch(cookie.value) else None


def _seat_of(request: Request, live_class: LiveClass) -> str:
    seat = _seat_from_cookie(request)
    if seat is None or not live_class.has_seat(seat):
        raise RefusedError(403, "This phone has not joined the class. Reload the page.")
    return seat


async def _body(request: Request) -> bytes:
    """Return a request's body, limited in size and time."""

    async def read() -> bytes:
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > MAX_BODY_BYTES:
                raise RefusedError(413, "The answer is too long. Reload the page.")
        return body

    try:
        return await asyncio.wait_for(read(), PATIENCE)
    except (TimeoutError, ClientDisconnect):
        raise RefusedError(408, "The answer did not arrive. Send it again.") from None


def _bounded_int(digits: str) -> int:
    """Return the whole number; refuse more than ``MAX_DIGITS``."""
    if len(digits) > MAX_DIGITS:
        raise ValueError
    return int(digits)


async def _show_not_found(request: Request, error: Exception) -> Response:
    """Answer requests of unknown paths and methods."""
    return Response(middleware.NOT_FOUND, 404, media_type="text/plain")


async def _show_refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)
    headers = {"connection": "close"} if error.status in (408, 413) else None
    return JSONResponse({"sorry": str(error)}, error.status, headers)
