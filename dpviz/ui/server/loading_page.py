"""The first answer to a browser: styles, a loading message, a preview of the link, Plotly's script.

Streamlit's own first answer is blank until its scripts run and the page begins. It requests its
largest script, Plotly's, only with the first chart, and those of its widgets with the first of
each. Styles that come with the page's own elements come after the first of them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import streamlit
from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dpviz.text.navigation import ENTRIES, LINKED
from dpviz.ui.assets import asset
from dpviz.ui.server import link_previews

#: The folder that Streamlit serves, and the place of a script in it.
STATIC = Path(streamlit.__file__).parent / "static"
SCRIPT = "static/js/{name}.*.js"
#: Scripts of elements in the first view of most pages.
ELEMENTS = (
    *("PageLink", "ButtonGroup", "Html", "BidiComponent"),
    *("Slider", "Selectbox", "NumberInput", "Button"),
)
TITLE = b"<title>Streamlit</title>", b"<title>dpviz: what privacy costs</title>"
#: Request headers with which the answer would be compressed, or an unchanged one omitted.
DROPPED_FROM_REQUEST = ("accept-encoding", "if-none-match", "if-modified-since")
#: Headers of Streamlit's answer that are wrong for the changed page.
DROPPED_FROM_ANSWER = ("content-length", "etag", "last-modified")
#: Styles of every page. At the top of the body, they follow Streamlit's own and precede those of
#: single pages.
STYLES = "every_page.css", "frame.css", "voice.css", "print.css"
#: Styles in a frame of another site. Their ``:has`` makes a browser restyle the whole page several
#: times a move, so pages outside a frame come without them.
EMBEDDED_STYLES = (*STYLES, "embedded.css")
PICTURE_HEADERS = {"cache-control": "max-age=86400"}


def scripts() -> list[str]:
    """Return the addresses of scripts to load ahead, relative to the dashboard, Plotly's last."""
    found = (list(STATIC.glob(SCRIPT.format(name=name))) for name in (*ELEMENTS, "PlotlyChart"))
    return [f"./{paths[0].relative_to(STATIC).as_posix()}" for paths in found if len(paths) == 1]


def _navigation(path: str) -> str:
    """The entries of the navigation as HTML, until Streamlit draws them."""
    page = path.rpartition("/")[2].replace("-", "_") or "front"
    pages = {entry: {*titles} for entry, titles in ENTRIES.items()}
    for name, (entry, _) in LINKED.items():
        pages[entry].add(name)
    return "".join(
        f"<b>{entry}</b>" if page in names else f"<span>{entry}</span>"
        for entry, names in pages.items()
    )


def with_loading_message(
    page: bytes,
    scripts: Sequence[str],
    head: str = "",
    is_embedded: bool = False,
    path: str = "/",
    is_presented: bool = False,
) -> bytes:
    """Return Streamlit's page with the title, styles, the loading message and the preview tags.

    Args:
        page: Streamlit's first answer.
        scripts: addresses of scripts to load ahead, those of charts last; may be empty.
        head: further elements of the head.
        is_embedded: whether the page is shown in a frame of another site.
        path: address of the page.
        is_presented: whether the page is shown on a projector, without navigation.
    """
    navigation = "" if is_embedded or is_presented else asset("logo.svg") + _navigation(path)
    message = asset("loading_page.html").replace("NAVIGATION", navigation)
    message = message.replace("SCRIPTS", json.dumps(scripts))
    if not scripts:
        message = message.rpartition("<script")[0]
    names = EMBEDDED_STYLES if is_embedded else STYLES
    styles = f"<body><style>{''.join(map(asset, names))}</style>"
    page = page.replace(b"<body>", styles.encode(), 1)
    page = page.replace(*TITLE).replace(b"</head>", head.encode() + b"</head>")
    return page.replace(b"</body>", message.encode() + b"</body>")


class LoadingPage:
    """ASGI middleware that adds the loading message and the preview tags to a page."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap ``app``."""
        self._app = app
        self._scripts = scripts()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer; a page is sent when it is complete, since its length comes first."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if link_previews.is_picture(scope["path"]):
            picture = link_previews.PICTURE.read_bytes()
            response = Response(picture, headers=PICTURE_HEADERS, media_type="image/png")
            await response(scope, receive, send)
            return
        if not _accepts_page(headers, scope["path"]):
            await self._app(scope, receive, send)
            return
        host = headers.get("host", "")  # checked; X-Forwarded-Host is whatever the client says
        secure = "https" in (scope.get("scheme"), headers.get("x-forwarded-proto"))
        head = link_previews.head(scope["path"], host, secure)
        query = QueryParams(scope.get("query_string", b""))
        is_embedded = query.get("embed", "").lower() == "true"
        is_presented = query.get("present") == "1"
        request = MutableHeaders(raw=list(headers.raw))
        for name in DROPPED_FROM_REQUEST:
            del request[name]
        start: Message | None = None
        body = b""

        async def send_changed(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start" and _is_page(message):
                start = message
            elif start is None:
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body"):
                    page = with_loading_message(
                        body, self._scripts, head, is_embedded, scope["path"], is_presented
                    )
                    await send(self._start(start, len(page)))
                    await send({"type": "http.response.body", "body": page})

        await self._app({**scope, "headers": request.raw}, receive, send_changed)

    def _start(self, message: Message, length: int) -> Message:
        headers = MutableHeaders(raw=list(message["headers"]))
        for name in DROPPED_FROM_ANSWER:
            del headers[name]
        headers["content-length"] = str(length)
        for script in self._scripts:
            headers.append("link", f"<{script}>; rel=modulepreload")
        return {**message, "headers": headers.raw}


def _is_page(start: Message) -> bool:
    return Headers(raw=start.get("headers", [])).get("content-type", "").startswith("text/html")


def _accepts_page(headers: Headers, path: str) -> bool:
    """Return whether the client wants HTML; readers of link previews accept any type."""
    accept = headers.get("accept", "")
    return "text/html" in accept or (accept in ("", "*/*") and link_previews.is_page(path))
