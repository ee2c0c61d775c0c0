"""The page's address, to copy: the browser's own, which is right behind a proxy, too."""

from __future__ import annotations

import streamlit as st

from dpviz.ui.assets import asset

HTML = (
    '<div><button type="button" aria-live="polite">Copy link</button>'
    '<input readonly aria-label="Address of this view"></div>'
)


def show(key: str, width: int = 460) -> None:
    """The address in a field, and a button that copies it; ``width`` at most, in px."""
    part = st.components.v2.component(
        "dpviz.copy-link", html=HTML, css=asset("copy_link.css"), js=asset("copy_link.js")
    )
    part(key=key, width=width)
