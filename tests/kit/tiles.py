"""Tiles and finding of a page tested without a browser."""

from __future__ import annotations

import html
import re

from streamlit.testing.v1 import AppTest

TILE = re.compile(
    r'<p class="dp-label[^"]*">(.*?)(?: <button.*?</button>)?</p><strong>(.*?)</strong>'
    r'(?:<p class="dp-note[^"]*">(.*?)</p>)?(?:<p class="dp-runs">.*?</p>)?</div>'
)


def bodies(at: AppTest) -> list[str]:
    """HTML that the page draws."""
    return [element.proto.body for element in at.get("html")]


def tiles(at: AppTest) -> dict[str, tuple[str, str]]:
    """Value and note of each tile by its label."""
    rows = [body for body in bodies(at) if 'class="dp-tiles"' in body]
    found = TILE.findall(rows[-1]) if rows else []
    return {html.unescape(a): (html.unescape(b), html.unescape(c)) for a, b, c in found}


def finding(at: AppTest) -> str:
    """The title of the main chart."""
    found = [body for body in bodies(at) if 'class="dp-finding"' in body]
    return html.unescape(re.sub("<.*?>", "", found[-1])).replace("\u00a0", " ") if found else ""
