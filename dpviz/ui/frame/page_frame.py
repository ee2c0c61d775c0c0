"""Frame of every page: notes about its link, undo and redo, presentation, export, lesson."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import streamlit as st

from dpviz.formatting import plain
from dpviz.types import DpvizError
from dpviz.ui import streamlit_internals
from dpviz.ui.assets import asset
from dpviz.ui.frame import (
    detail_level,
    export_menu,
    lesson_link,
    link_notes,
    page_parts,
    presentation,
    public_demo,
    server_notes,
    teachers_view,
    undo,
)
from dpviz.ui.live import long_work, prefetch, refining
from dpviz.ui.widgets import chart_actions
from dpviz.views import page_as_shown, page_links

#: Addresses of pages without settings to undo.
NO_UNDO_PAGES = {"lessons", "questions", "glossary", "class", "class-results"}
#: Addresses of pages without a side bar.
NO_SIDE_BAR_PAGES = NO_UNDO_PAGES | {"", "papers"}

#: How long a page that is drawn again may come before its side bar.
SIDE_BAR_SECONDS = 0.4


def run(page: Any) -> None:
    """Run a page of the navigation with all of this."""
    is_same_page = link_notes.last_page() == page.url_path
    with streamlit_internals.side_bar_last(SIDE_BAR_SECONDS) if is_same_page else nullcontext():
        _run(page)


def _run(page: Any) -> None:
    refining.pause()
    prefetch.pause()
    public_demo.banner()
    is_wide = page.url_path in NO_SIDE_BAR_PAGES and not presentation.on()
    st.html(f"<style>{asset('no_side_bar.css') if is_wide else ''}</style>")
    is_first, notes = link_notes.begin(), st.container()
    link_notes.follow_history(page.url_path)
    server_notes.begin()
    detail_level.remember()
    presentation.style()
    undo.begin(page.url_path)
    long_work.begin(page.url_path)
    chart_actions.begin()
    teachers_view.note_live_class(page.url_path)
    arrival = st.components.v2.component("dpviz.arrival", js=asset("arrival.js"))
    arrival(key="hand-arrival", data={"page": page.url_path})
    with page_parts.collecting() as page_shown:
        whole = _whole(page)
        page_parts.end_waiting()
        server_notes.show()
        values = link_notes.controls()
        page_shown.link = page_links.address(page.url_path, values, page_shown.choices)
        link_notes.show(notes, page.url_path, values, is_first, whole)
        link_notes.remember_address(page.url_path, page_shown.choices)
        undo.history(page.url_path).note(values)
        if (place := page_parts.tools()) is not None and not presentation.on():
            with place:
                if set(values) - {detail_level.KEY} and page.url_path not in NO_UNDO_PAGES:
                    undo.buttons(page.url_path)
                export_menu.button(page.url_path, page_shown)
                lesson_link.draw(page.url_path)
        if whole and values and page_shown.pictures:
            with (place if page.url_path in NO_SIDE_BAR_PAGES else None) or st.sidebar:
                presentation.button()
        chart_actions.name_source(page_shown)
        if presentation.on():
            presentation.foot(page_shown)
        elif page_shown.has_report:
            # on paper alone: data, method, guarantee and version
            st.html(f'<p class="dp-print">{plain(page_as_shown.foot_text(page_shown))}</p>')
    long_work.wait_for_late_results()
    prefetch.begin(page.url_path, page_shown.view)


def _whole(page: Any) -> bool:
    """Run the page; False where it ended half-way for want of something to show, or at what was
    refused.
    """
    try:
        page.run()
    except page_parts.PageEnd:
        return False
    except DpvizError as error:
        page_parts.refusals([str(error)])
        return False
    return True
