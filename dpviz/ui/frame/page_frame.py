"""What every page has around it: notes about its link, undo and redo, presentation, report."""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import StopException

from dpviz.ui.frame import link, page_record, presentation, report, undo


def run(page: Any) -> None:
    """Run a page of the navigation with all of this."""
    first, notes = link.begin(), st.container()
    presentation.style()
    undo.begin(page.url_path)
    with page_record.collecting() as drawn:
        whole = _whole(page)
        values = link.controls()
        link.show(notes, page.url_path, values, first, whole)
        undo.history(page.url_path).note(values)
        if drawn.question and values:
            with st.sidebar:
                undo.buttons(page.url_path)
                if drawn.pictures:
                    presentation.button()
        if presentation.on():
            presentation.foot(drawn)
        elif drawn.answer and drawn.pictures:
            report.fold(drawn, link.address(page.url_path, values, drawn.choices))


def _whole(page: Any) -> bool:
    """Run the page; False where it stopped half-way for want of something to show."""
    try:
        page.run()
    except StopException:
        return False
    return True
