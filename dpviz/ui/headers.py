"""What every answer of the served dashboard tells a browser: who may frame it, and to guess and
pass on nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

import streamlit
from streamlit.web.server.starlette import starlette_server

from dpviz.types import DpvizError

FRAME_ANCESTORS = "DPVIZ_FRAME_ANCESTORS"
"""The setting's name in the environment, which outlives the command that becomes the server."""
OWN = "self"
PLOTLY = "static/js/PlotlyChart.*.js"
"""Where Streamlit keeps the script, below the folder that it serves."""
_KEYWORDS = ("self", "none")
_SOURCE = re.compile(r"https?://(\*\.)?[\w-]+(\.[\w-]+)*(:\d{1,5})?", re.ASCII)

Message = MutableMapping[str, Any]
App = Callable[[Any, Any, Callable[[Message], Awaitable[None]]], Awaitable[None]]


def frame_ancestors(words: str) -> str:
    """The policy's sources for ``self``, ``none`` or addresses of sites, apart by blanks.

    Raises:
        DpvizError: for anything else, which could end the policy and begin another.
    """
    sources = [word.strip("'") for word in words.split()]
    for source in sources:
        if source not in _KEYWORDS and not _SOURCE.fullmatch(source):
            raise DpvizError(
                f"Frame ancestors hold {source[:80]!r}; use self, none, or addresses such as"
                " https://courses.example.org, apart by blanks."
            )
    if not sources or ("none" in sources and len(sources) > 1):
        raise DpvizError(
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


def chart_script() -> str:
    """A header of the first answer: the browser may fetch and compile Plotly's script, the largest
    there is, while the server prepares the first chart; empty where Streamlit has it elsewhere.
    """
    static = Path(streamlit.__file__).parent / "static"
    found = [path.relative_to(static).as_posix() for path in static.glob(PLOTLY)]
    return f"<./{found[0]}>; rel=modulepreload" if len(found) == 1 else ""


def with_headers(app: App, given: dict[str, str]) -> App:
    """The same application, whose every HTTP answer has these headers: pages, files, refusals and
    errors.
    """
    added = [(name.encode(), value.encode()) for name, value in given.items()]
    names = {name for name, _ in added}
    script = chart_script().encode()

    async def answered(scope: Any, receive: Any, send: Any) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [pair for pair in message.get("headers", ()) if pair[0].lower() not in names]
                page = any(b"text/html" in value for name, value in own if name == b"content-type")
                more = [(b"link", script)] if page and script else []
                message = {**message, "headers": [*own, *added, *more]}
            await send(message)

        await app(scope, receive, sent)

    return answered


def install() -> None:
    """Streamlit's server gives every answer these headers from here on; it has no setting for that.

    Raises:
        DpvizError: where the environment names frame ancestors that are none.
    """
    given = headers(os.environ.get(FRAME_ANCESTORS, OWN))
    plain = starlette_server.create_starlette_app
    starlette_server.create_starlette_app = lambda runtime: with_headers(plain(runtime), given)
