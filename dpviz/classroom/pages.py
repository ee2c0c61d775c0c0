"""The pages that phones are shown, each one file: its style and script stand in it, and its policy
lets these run and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from html import escape
from pathlib import Path

from dpviz.classroom import middleware

ASSETS = Path(__file__).with_name("assets")


def _asset(name: str) -> str:
    return (ASSETS / name).read_text()


def _checksum(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


class Pages:
    """Both pages, made once."""

    def __init__(self, scripts: str = "", styles: str = "") -> None:
        """scripts, styles: of the coin and of the chart that is drawn in, as the dashboard has
        them; they stand before the page's own.
        """
        self._style = styles + _asset("joining.css")
        script = scripts + _asset("joining.js")
        html = _asset("room.html").replace("{style}", self._style)
        self._room = html.replace("{script}", script)
        self._policy = middleware.policy(_checksum(script), _checksum(self._style))
        self._enter = _asset("enter.html")

    def room(self) -> tuple[str, str]:
        """Every room's page, and its policy."""
        return self._room, self._policy

    def enter(self, words: str = "") -> tuple[str, str]:
        """The page on which a code is typed, with words about the last one; and its policy."""
        html = self._enter.replace("{style}", self._style).replace("{words}", escape(words))
        return html, middleware.policy(style=_checksum(self._style))
