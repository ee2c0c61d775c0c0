"""The page's address, to copy: the browser's own, which is right behind a proxy, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from dpviz.ui.assets import asset

HTML = (
    '<div><button type="button" aria-live="polite">Copy link</button>'
    '<input readonly aria-label="Address of this view"></div>'
)
BUTTON_HTML = HTML.replace("<div>", '<div class="alone">').replace(
    "readonly", 'readonly tabindex="-1"'
)
"""Without the field in sight."""


def show(key: str, width: int = 460) -> None:
    """The address in a field, and a button that copies it; ``width`` at most, in px."""
    _part("copy-link", HTML)(key=key, width=width)


def button(key: str) -> None:
    """The button alone."""
    _part("copy-link-alone", BUTTON_HTML)(key=key, width="content")


def _part(name: str, html: str) -> Callable[..., Any]:
    css, js = asset("copy_link.css"), asset("copy_link.js")
    return st.components.v2.component(f"dpviz.{name}", html=html, css=css, js=js)
