"""What a browser is given before the first page: words at once, and the work it can do meanwhile.

Streamlit's own first answer shows nothing until its scripts ran, the server brought what the page
imports and the page began; the largest script, Plotly's, it asks for only with the first chart.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dpviz.ui.assets import asset
from dpviz.ui.server import link_previews
from dpviz.ui.server import security_headers as policy

STATIC = Path(find_spec("streamlit").origin).parent / "static"  # type: ignore[union-attr, arg-type]
"""The folder that Streamlit serves, found without importing it, which takes a second."""
PLOTLY = "static/js/PlotlyChart.*.js"
"""Where Streamlit keeps the script in it."""
TITLE = b"<title>Streamlit</title>", b"<title>dpviz: what privacy costs</title>"
HEAD, END = b"</head>", b"</body>"
UNASKED = (b"accept-encoding", b"if-none-match", b"if-modified-since")
"""Of a request: with these the answer would come packed, or as what it was on another day."""
LEFT_OUT = (b"content-length", b"etag", b"last-modified")
"""Of Streamlit's answer, which is another with the opening."""


def chart_script() -> str:
    """Plotly's script, below the dashboard's address; empty where Streamlit has it elsewhere."""
    found = [path.relative_to(STATIC).as_posix() for path in STATIC.glob(PLOTLY)]
    return f"./{found[0]}" if len(found) == 1 else ""


def preload(script: str) -> str:
    """A header of the first answer: the browser may fetch and compile this script beforehand."""
    return f"<{script}>; rel=modulepreload"


def opened(page: bytes, script: str, head: str = "") -> bytes:
    """Streamlit's first answer with the opening in it; ``script``: Plotly's, or empty; ``head``:
    what else its head says.
    """
    words = asset("opening.html").replace("PLOTLY", script)
    if not script:
        words = words.rpartition("<script")[0]
    page = page.replace(*TITLE).replace(HEAD, head.encode() + HEAD)
    return page.replace(END, words.encode() + END)


class Opening:
    """ASGI middleware: the page that a browser opens has the opening in it."""

    def __init__(self, app: Any) -> None:
        """app: what answers."""
        self._app = app
        self._script = chart_script()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer; a page is held until it is whole, for its length is told first."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        headers = scope.get("headers") or ()
        if link_previews.is_picture(scope["path"]):
            await _give_picture(send)
            return
        if not _wants_a_page(headers, scope["path"]):
            await self._app(scope, receive, send)
            return
        head = link_previews.head(scope["path"], _host(headers), _secure(scope, headers))
        scope = scope | {"headers": [pair for pair in headers if pair[0] not in UNASKED]}
        start: Any = None
        body = b""

        async def held(message: Any) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start" and _is_a_page(message):
                start = message
            elif start is None:
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body"):
                    await self._send(start, opened(body, self._script, head), send)

        await self._app(scope, receive, held)

    async def _send(self, start: Any, page: bytes, send: Any) -> None:
        own = [pair for pair in start["headers"] if pair[0].lower() not in LEFT_OUT]
        own += [(b"content-length", str(len(page)).encode())]
        if self._script:
            own += [(b"link", preload(self._script).encode())]
        await send(start | {"headers": own})
        await send({"type": "http.response.body", "body": page})


def _is_a_page(start: Any) -> bool:
    return any(
        name.lower() == b"content-type" and value.startswith(b"text/html")
        for name, value in start.get("headers", ())
    )


def _wants_a_page(headers: Any, path: str) -> bool:
    """A browser names HTML; what makes previews of links names anything."""
    wanted = _said(headers, b"accept")
    return "text/html" in wanted or (wanted in ("", "*/*") and link_previews.is_page(path))


def _said(headers: Any, name: bytes) -> str:
    return dict(headers).get(name, b"").decode("latin-1")


def _host(headers: Any) -> str:
    return _said(headers, b"x-forwarded-host") or _said(headers, b"host")


def _secure(scope: Any, headers: Any) -> bool:
    return "https" in (scope.get("scheme"), _said(headers, b"x-forwarded-proto"))


async def _give_picture(send: Any) -> None:
    told = picture_headers() | policy.of_the_environment()
    pairs = [(name.encode(), value.encode()) for name, value in told.items()]
    await send({"type": "http.response.start", "status": 200, "headers": pairs})
    await send({"type": "http.response.body", "body": link_previews.PICTURE.read_bytes()})


def picture_headers() -> dict[str, str]:
    """Of the answer that is the preview's picture."""
    size = str(link_previews.PICTURE.stat().st_size)
    return {
        "content-type": "image/png",
        "content-length": size,
        "cache-control": "max-age=86400",
    }
