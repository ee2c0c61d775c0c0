"""What every page has around it: notes about its link, undo and redo, presentation, report."""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import StopException

from dpviz.ui import links, memory, present, record, report


def run(page: Any) -> None:
    """Run a page of the navigation with all of this."""
    first, notes = links.begin(), st.container()
    present.style()
    memory.begin(page.url_path)
    with record.collecting() as drawn:
        whole = _whole(page)
        values = links.controls()
        links.show(notes, page.url_path, values, first, whole)
        memory.history(page.url_path).note(values)
        if drawn.question and values:
            with st.sidebar:
                memory.buttons(page.url_path)
                if drawn.pictures:
                    present.button()
        if present.on():
            present.foot(drawn)
        elif drawn.answer and drawn.pictures:
            report.fold(drawn, links.address(page.url_path, values, drawn.choices))


def _whole(page: Any) -> bool:
    """Run the page; False where it stopped half-way for want of something to show."""
    try:
        page.run()
    except StopException:
        return False
    return True
