"""Security headers of the dashboard's answers: framing, type guessing and referrers.

The HTTP server answers malformed requests itself, without these headers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from h11 import LocalProtocolError
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Environment variable with the sites that may embed the dashboard.
FRAME_ANCESTORS = "DPVIZ_FRAME_ANCESTORS"
SELF = "self"
_KEYWORDS = ("self", "none")
_SOURCE = re.compile(r"https?://(\*\.)?[\w-]+(\.[\w-]+)*(:\d{1,5})?", re.ASCII)


def frame_ancestors(words: str) -> str:
    """Return the policy's sources for ``self``, ``none`` or addresses, separated by spaces.

    Raises:
        ValueError: for other text, which could end the policy and begin another.
    """
    sources = [word.strip("'") for word in words.split()]
    for source in sources:
        if source not in _KEYWORDS and not _SOURCE.fullmatch(source):
            raise ValueError(
                f"Invalid frame ancestor {source[:80]!r}. Use self, none, or addresses such as"
                " https://courses.example.org, separated by spaces."
            )
    if not sources or ("none" in sources and len(sources) > 1):
        raise ValueError(
            "Frame ancestors are empty, or combine none with others. Use self, none, or addresses"
            " such as https://courses.example.org."
        )
    return " ".join(f"'{source}'" if source in _KEYWORDS else source for source in sources)


def security_headers(ancestors: str = SELF) -> dict[str, str]:
    """Return the headers of every answer; ``ancestors`` are sites that may embed the dashboard."""
    return {
        "content-security-policy": (
            f"frame-ancestors {frame_ancestors(ancestors)}; object-src 'none'; base-uri 'self'"
        ),
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",  # a link names settings and uploads
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=()",
    }


def headers_from_environment() -> dict[str, str]:
    """Return the headers for the sites in the environment.

    Raises:
        ValueError: if these are no sites.
    """
    return security_headers(os.environ.get(FRAME_ANCESTORS, SELF))


class SecurityHeaders:
    """ASGI middleware that adds headers to every HTTP answer: pages, files, refusals and errors."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        """Wrap ``app``; ``headers`` replace its own of the same names."""
        self._app, self._headers = app, headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the headers."""
        is_over = False

        async def send_with_headers(message: Message) -> None:
            nonlocal is_over
            if is_over:
                return
            if message["type"] == "http.response.start":
                message = {**message, "headers": list(message.get("headers", ()))}
                MutableHeaders(scope=message).update(self._headers)
            try:
                await send(message)
            except LocalProtocolError as error:
                # the HTTP server answers a malformed body itself, and closes the connection
                if "MUST_CLOSE" not in str(error):
                    raise
                is_over = True
                while (await receive())["type"] != "http.disconnect":
                    pass

        await self._app(scope, receive, send_with_headers)
