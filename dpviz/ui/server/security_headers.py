"""Security headers of the answers of the dashboard: framing, type guessing and referrers.

The HTTP server answers malformed requests itself, without these headers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

FRAME_ANCESTORS = "DPVIZ_FRAME_ANCESTORS"
"""The setting's name in the environment, which outlives the command that becomes the server."""
OWN = "self"
_KEYWORDS = ("self", "none")
_SOURCE = re.compile(r"https?://(\*\.)?[\w-]+(\.[\w-]+)*(:\d{1,5})?", re.ASCII)

Message = MutableMapping[str, Any]
App = Callable[[Any, Any, Callable[[Message], Awaitable[None]]], Awaitable[None]]


def frame_ancestors(words: str) -> str:
    """The policy's sources for ``self``, ``none`` or addresses of sites, apart by blanks.

    Raises:
        ValueError: for anything else, which could end the policy and begin another.
    """
    sources = [word.strip("'") for word in words.split()]
    for source in sources:
        if source not in _KEYWORDS and not _SOURCE.fullmatch(source):
            raise ValueError(
                f"Frame ancestors hold {source[:80]!r}; use self, none, or addresses such as"
                " https://courses.example.org, apart by blanks."
            )
    if not sources or ("none" in sources and len(sources) > 1):
        raise ValueError(
            "Frame ancestors are empty or none beside others; use self, none, or addresses such as"
            " https://courses.example.org."
        )
    return " ".join(f"'{source}'" if source in _KEYWORDS else source for source in sources)


def headers(ancestors: str = OWN) -> dict[str, str]:
    """Headers of every answer, for the sites that may show the dashboard in a frame."""
    return {
        "content-security-policy": (
            f"frame-ancestors {frame_ancestors(ancestors)}; object-src 'none'; base-uri 'self'"
        ),
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",  # a link names settings and uploads
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=()",
    }


def of_the_environment() -> dict[str, str]:
    """The headers for the sites that the environment names.

    Raises:
        ValueError: where these are none.
    """
    return headers(os.environ.get(FRAME_ANCESTORS, OWN))


def with_headers(app: App, given: dict[str, str]) -> App:
    """The same application, whose every HTTP answer has these headers: pages, files, refusals and
    errors.
    """
    from h11 import LocalProtocolError  # a web server's, which the startup proxy does without

    added = [(name.encode(), value.encode()) for name, value in given.items()]
    names = {name for name, _ in added}

    async def answered(scope: Any, receive: Any, send: Any) -> None:
        over = False

        async def sent(message: Message) -> None:
            nonlocal over
            if over:
                return
            if message["type"] == "http.response.start":
                own = [pair for pair in message.get("headers", ()) if pair[0].lower() not in names]
                message = {**message, "headers": [*own, *added]}
            try:
                await send(message)
            except LocalProtocolError as error:
                # the HTTP server answers a malformed body itself, and closes the connection
                if "MUST_CLOSE" not in str(error):
                    raise
                over = True
                while (await receive())["type"] != "http.disconnect":
                    pass

        await app(scope, receive, sent)

    return answered
