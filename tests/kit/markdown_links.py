"""Links that Streamlit's Markdown makes of a text, as far as these tests need it."""

import re

import numpy as np

HOST = "evil.example"
NAMES = np.array([f"http://{HOST}/a", f"www.{HOST}", f"me@{HOST}", f"[evil](http://{HOST})"])
"""Class names that are links, or become links where they are not escaped."""
MADE = re.compile(r"(?<!\\)\]\([^)]*\)|(?<!\\)<(?:https?:|mailto:)[^>]*>")
WEB = re.compile(r"(?:https?://|www(?=\.))[-.\w]+[^ \t\r\n]*", re.IGNORECASE)
MAIL = re.compile(r"(?<![-.\w+])[-.\w+]+@[-\w]+(?:\.[-\w]+)+")
"""The expressions of mdast-util-gfm-autolink-literal, which sees a text without backslashes."""


def links(text: str, host: str = HOST) -> list[str]:
    """Links to ``host`` in Markdown: written ones, and those made of addresses."""
    bare = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)
    found = [*MADE.findall(text), *WEB.findall(bare), *MAIL.findall(bare)]
    return [one for one in found if host in one]


def texts(at) -> list[str]:
    """Markdown of a page tested without a browser: texts, options, labels and help."""
    shown = ("markdown", "caption", "error", "warning", "info", "success", "toast")
    found = [element.value for kind in shown for element in at.get(kind)]
    for widget in (one.proto for kind in ("radio", "button_group") for one in at.get(kind)):
        found += [one if isinstance(one, str) else one.content for one in widget.options]
    labelled = ("radio", "checkbox", "expander", "button", "selectbox", "slider")
    for widget in (one.proto for kind in labelled for one in at.get(kind)):
        found += [getattr(widget, "label", ""), getattr(widget, "help", "")]
    return found
