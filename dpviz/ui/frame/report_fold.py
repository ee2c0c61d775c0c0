"""The fold that gives a view away: as a report of one page, and each chart as a picture."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from urllib.parse import urljoin

import streamlit as st

from dpviz.machine import pdf
from dpviz.ui.assets import asset
from dpviz.ui.frame import copy_link
from dpviz.views import page_as_shown, report
from dpviz.views import page_links as link_of
from dpviz.views.page_as_shown import ShownPage

REPORT = (
    "Question, sentence, main chart, promises, link and the command behind the numbers on one"
    " page, in one file that needs no network and no server."
)
NO_BROWSER = (
    "No PDF: this server has no Chromium to print one. Your browser's own “Print” makes one of the"
    " HTML."
)
PICTURES = "Each chart as a picture, with data, method, guarantee and version at its foot:"


def fold(page: ShownPage, link: str) -> None:
    """The fold itself; the report is made when one of its buttons is pressed."""
    folded = st.expander(
        "For a meeting: this view as a one-page report, its charts as pictures",
        key="report",
        on_change="rerun",
    )
    if folded.open:
        with folded:
            copy_link.show("fold-link")
            st.markdown(REPORT)
            with st.container(horizontal=True, vertical_alignment="center"):
                _reports(page, link)
            _pictures(page)


def _reports(page: ShownPage, path: str) -> None:
    base = path.partition("?")[0]
    name = f"dpviz-{base.rpartition('/')[2] or 'start'}"
    link, short = (urljoin(st.context.url or "", address) for address in (path, _short(base)))
    day = date.today()
    part = st.components.v2.component(
        "dpviz.report",
        html="<button type='button' aria-live='polite'>Report as HTML</button>",
        css=asset("report_file.css"),
        js=asset("report_file.js"),
    )
    contents = {
        "page": report.page(page, link, day, short),
        "charts": report.charts(page),
        "name": f"{name}.html",
    }
    part(key="report-file", data=contents, width="content")
    if pdf.browser():
        _printed(f"{name}.pdf", lambda: pdf.printed(report.drawing(page, link, day, short)))
    else:
        st.caption(NO_BROWSER)


@st.fragment
def _printed(file: str, make: Callable[[], bytes]) -> None:
    """The button of the PDF, which takes a few seconds; the page does not run for it."""
    if st.download_button("Report as PDF", make, file, "application/pdf", key="report-pdf"):
        st.toast(f"{file} is being printed; your browser saves it in a few seconds.")


def _short(page: str) -> str:
    """The link as the browser has it, without what stands at its default."""
    values = {key: st.query_params.get_all(key) for key in sorted(st.query_params)}
    return link_of.address(
        page, {k: v for k, v in values.items() if k not in link_of.NON_CONTROLS}, set()
    )


def _pictures(page: ShownPage) -> None:
    charts = page_as_shown.charts(page)
    if charts:
        st.markdown(PICTURES)
        buttons = st.components.v2.component(
            "dpviz.pictures",
            html="<ul></ul>",
            css=asset("chart_files.css"),
            js=asset("chart_picture.js") + asset("chart_files.js"),
        )
        buttons(key="pictures-files", data={"charts": charts})
