"""Public mode on the pages: the banner, and a sentence in place of each control that is off."""

from __future__ import annotations

import streamlit as st

from dpviz.formatting import plain
from dpviz.machine import public_mode
from dpviz.text import public_mode as text


def closed(feature: str) -> bool:
    """Draw the sentence for a feature that public mode turns off; return whether it is off.

    Args:
        feature: key of ``text.CLOSED``.
    """
    if public_mode.is_on():
        st.caption(f":material/lock: {text.CLOSED[feature]}")
    return public_mode.is_on()


def banner() -> None:
    """Draw the banner of the public demo above a page; nothing otherwise."""
    if public_mode.is_on():
        st.html(banner_html(public_mode.link()))


def banner_html(address: str) -> str:
    """Return the banner; ``address`` is where people get the project, or empty."""
    source = f'<a href="{plain(address)}" target="_blank">{text.SOURCE}</a>' if address else ""
    commands = "".join(f"<li><code>{plain(command)}</code></li>" for command in text.COMMANDS)
    return (
        f'<aside class="dp-public"><details><summary><b>{text.BANNER}</b>'
        f" <u>{text.RUN_LABEL}</u></summary><p>{text.CLOSED_FEATURES}</p><p>{text.RUN_YOURSELF}</p>"
        f"<ol>{commands}</ol><p>{text.COPY_NOTE} {source}</p></details></aside>"
    )
