"""Pages drawn without a browser: each as its link opens it, by the very script that the dashboard
runs.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from dpviz.types import DpvizError
from dpviz.ui import streamlit_internals
from dpviz.ui.explorable import page_items
from dpviz.ui.explorable.page_items import Item
from dpviz.ui.frame import page_parts
from dpviz.ui.live import rerun_scheduling
from dpviz.ui.server import serve
from dpviz.views import page_links as links
from dpviz.views.page_as_shown import ShownPage

PATIENCE = 3600.0
"""Seconds for one view, whose runs may have to be computed first."""
FRONT = "front"
SCRIPT = """
import streamlit as st
from dpviz.ui.frame import page_frame
page_frame.run(st.navigation([st.Page({path!r}, title={title!r}, default=True)]))
"""
LinkSettings = Mapping[str, str]
"""What a link says: each setting's words."""


@dataclass(frozen=True, eq=False)
class VisitedView:
    """One view.

    Attributes:
        page: its address; content: what it showed; labels: of its controls, by their key in the
            link; refused: texts in place of what could not be shown; items: all of the page.
    """

    page: str
    content: ShownPage
    labels: dict[str, str] = field(default_factory=dict)
    refused: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()

    @property
    def link(self) -> str:
        """Of this view, without the server's address, every control in it."""
        return f"{self.page}?{self.content.link.partition('?')[2]}"

    @property
    def settings(self) -> dict[str, str]:
        """Values of the page's controls, as in the link."""
        return link_settings(self.link)


def link_settings(link: str) -> dict[str, str]:
    """Return the settings of a link; of a repeated one, the last."""
    query = parse_qs(link.partition("?")[2], keep_blank_values=True)
    return {key: words[-1] for key, words in query.items()}


def pages() -> dict[str, Path]:
    """Return the scripts of all pages by address."""
    folder = serve.app().parent / "pages"
    return {path.stem.replace("_", "-"): path for path in sorted(folder.glob("*.py"))}


def view(page: str, settings: LinkSettings) -> VisitedView:
    """Return a page with these settings; compute runs that are not in the store.

    Raises:
        DpvizError: If the page is unknown or rejects a setting.
    """
    if page not in pages():
        raise DpvizError(f"Unknown page {page[:60]!r}. Use one of: {', '.join(sorted(pages()))}.")
    at, content = _run(page, settings)
    # a page's own words are of the browser; what reaches the file is one line
    if at.exception:
        place = ", ".join(f"{key} = {words}" for key, words in settings.items())
        raise DpvizError(
            f"The page {page} failed at {place or 'its first view'}. Open it in the dashboard with"
            " these settings and report the error."
        )
    if content.notes:
        note_text = " ".join(note.replace("**", "").replace("\\", "") for note in content.notes)
        raise DpvizError(
            f"The page {page} rejects these settings. {links.first_notes([note_text])}"
        )
    refused = tuple(error.value for error in at.error)
    return VisitedView(page, content, _labels(at), refused, page_items.items(at.main))


def _run(page: str, settings: LinkSettings) -> tuple[Any, ShownPage]:
    from streamlit.testing.v1 import AppTest  # half a second of imports

    _hush()
    contents: list[ShownPage] = []
    path = pages()[page]
    at = AppTest.from_string(
        SCRIPT.format(path=str(path), title=path.stem), default_timeout=PATIENCE
    )
    for key, words in settings.items():
        at.query_params[key] = words
    rerun_scheduling.no_browser = True
    page_parts.LISTENERS.append(contents.append)
    try:
        at.run()
    finally:
        page_parts.LISTENERS.remove(contents.append)
        rerun_scheduling.no_browser = False
    return at, contents[-1] if contents else ShownPage()


def _silent(record: logging.LogRecord) -> bool:
    return False


def _hush() -> None:
    """Silence Streamlit's warnings about a script without a browser."""
    warnings.filterwarnings("ignore", module="streamlit")
    for name in streamlit_internals.NO_BROWSER_LOGGERS:
        logging.getLogger(name).addFilter(_silent)


def _labels(at: Any) -> dict[str, str]:
    """Return labels of all controls with a key."""
    labels: dict[str, str] = {}
    todo = [at.main, at.sidebar]
    while todo:
        block = todo.pop()
        for node in getattr(block, "children", {}).values():
            if getattr(node, "key", None) and getattr(node, "label", ""):
                labels[node.key] = node.label
            todo.append(node)
    return labels
