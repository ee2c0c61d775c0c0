"""Preview of a shared link to a page: title, description and picture in the head of the first
answer, for clients that run no scripts.
"""

from __future__ import annotations

import re
from pathlib import Path

from dpviz.formatting import plain
from dpviz.text import link_previews as text

#: Digits that turn into letters, drawn by ``benchmarks/preview_picture.py``.
PICTURE = Path(__file__).parent.with_name("assets") / "preview.png"
WIDTH, HEIGHT = 1200, 630
NAME = re.compile(r"(/[\w/.-]*)?/(?P<page>[a-z-]*)", re.ASCII)
HOST = re.compile(r"([\w-]+(\.[\w-]+)*|\[[0-9a-f:]+\])(:\d{1,5})?", re.ASCII | re.IGNORECASE)


def is_page(path: str) -> bool:
    """Return whether a path can be a page's: its name has no dot and no underscore."""
    return bool(NAME.fullmatch(path))


def is_picture(path: str) -> bool:
    """Return whether a path is the picture's, beside the pages."""
    return path.endswith(f"/{PICTURE.name}")


def head(path: str, host: str, secure: bool) -> str:
    """Return elements for the head of the page at ``path``.

    Args:
        host: the Host header; without a well-formed one there is no picture, whose address is
            absolute.
        secure: whether the connection is https.
    """
    match = NAME.fullmatch(path)
    title, description = text.PAGES.get(match["page"] if match else "", text.START)
    lines = {"og:type": "website", "og:site_name": "dpviz", "og:title": title}
    lines |= {"og:description": description, "twitter:card": "summary"}
    if match and HOST.fullmatch(host):
        picture = f"http{'s' * secure}://{host}{match[1] or ''}/{PICTURE.name}"
        lines |= {"og:image": picture, "og:image:width": str(WIDTH)}
        lines |= {"og:image:height": str(HEIGHT), "og:image:alt": text.PICTURE_ALT}
        lines |= {"twitter:card": "summary_large_image"}
    tags = (
        f'<meta property="{name}" content="{plain(content)}">' for name, content in lines.items()
    )
    return f'<meta name="description" content="{plain(description)}">{"".join(tags)}'
