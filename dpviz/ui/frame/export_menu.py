"""Content of the export menu: link, report, data, settings, code, charts and the one-file page."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from urllib.parse import urljoin

import streamlit as st

from dpviz import publication
from dpviz.data import uploads
from dpviz.experiments import result_files
from dpviz.machine import pdf, public_mode
from dpviz.text import export as text
from dpviz.text import public_mode as public_text
from dpviz.text.template import render
from dpviz.ui.assets import asset
from dpviz.ui.explorable import export_dialog
from dpviz.ui.frame import copy_link
from dpviz.views import notebook_file, page_as_shown, page_links, report, settings_in_words
from dpviz.views.page_as_shown import ShownPage


def button(url_path: str, page_shown: ShownPage) -> None:
    """Draw the button that opens the menu, at the end of a run."""
    menu = st.popover(text.MENU, key="export", icon=":material/ios_share:", on_change="rerun")
    if menu.open:
        with menu:
            show(url_path, page_shown)


def show(url_path: str, page_shown: ShownPage) -> None:
    """Draw the content of the menu, only while it is open: the report holds the page's charts.

    Args:
        url_path: address of the page; page_shown: what this run showed.
    """
    st.markdown(f"**{text.LINK}**")
    copy_link.show("menu-link")
    name = f"dpviz-{url_path or 'start'}"
    if page_shown.has_report:
        st.markdown(f"**{text.REPORT}**")
        with st.container(horizontal=True, vertical_alignment="center"):
            _reports(page_shown, name)
        _data(page_shown, name)
        _charts(page_shown)
    if export_dialog.is_offered(url_path, page_shown):
        export_dialog.fold(url_path, page_shown)


# ------------------------------------------------------------------------------------------- report


def _reports(page_shown: ShownPage, name: str) -> None:
    """The report as HTML, which this browser completes, and as PDF, which the server prints."""
    path = page_shown.link
    base = path.partition("?")[0]
    link, short = (urljoin(st.context.url or "", address) for address in (path, _short(base)))
    day = date.today()
    part = st.components.v2.component(
        "dpviz.report",
        html=f"<button type='button' aria-live='polite'>{text.REPORT_HTML}</button>",
        css=asset("report_file.css"),
        js=asset("report_file.js"),
    )
    contents = {
        "page": report.page(page_shown, link, day, short),
        "charts": report.charts(page_shown),
        "name": f"{name}.html",
        "label": text.REPORT_HTML,
    }
    part(key="report-file", data=contents, width="content")
    if public_mode.is_on():
        st.caption(public_text.CLOSED["pdf"])
    elif pdf.browser():
        _printed(f"{name}.pdf", lambda: pdf.printed(report.drawing(page_shown, link, day, short)))
    else:
        st.caption(text.NO_BROWSER)


def _printed(file: str, make: Callable[[], bytes]) -> None:
    """The button of the PDF, which takes a few seconds; the page does not run for it, since a run
    would revoke the file that the browser is about to request.
    """
    st.download_button(
        text.REPORT_PDF,
        make,
        file,
        "application/pdf",
        key="report-pdf",
        on_click="ignore",
        help=render(text.PRINTING, file=file),
    )


def _short(page: str) -> str:
    """Return the link as the browser has it, without settings at their default."""
    values = {key: st.query_params.get_all(key) for key in sorted(st.query_params)}
    return page_links.address(
        page, {k: v for k, v in values.items() if k not in page_links.NON_CONTROLS}, set()
    )


# ---------------------------------------------------------------------------------- data and charts


def _data(page_shown: ShownPage, name: str) -> None:
    """Runs as CSV, settings as TOML, and the code that gives the numbers again."""
    view, results = page_shown.view, page_shown.results
    code = report.all_commands(page_shown)
    if not (results or view or code):
        return
    st.markdown(f"**{text.DATA}**")
    with st.container(horizontal=True):
        if results:
            _file(
                text.CSV, lambda: result_files.as_csv(results).encode(), f"{name}.csv", "text/csv"
            )
            link = urljoin(st.context.url or "", page_shown.link)
            _file(
                text.NOTEBOOK_FILE,
                lambda: notebook_file.of_results(page_shown.question, link, results),
                f"{name}.ipynb",
                "application/x-ipynb+json",
            )
            if publication.fits(results):
                _file(
                    text.LATEX,
                    lambda: publication.file(results, "tex", page_shown.metric),
                    f"{name}.tex",
                    "text/plain",
                    text.METRIC_HELP[page_shown.metric],
                )
                _file(
                    text.FIGURE_FILE,
                    lambda: publication.file(results, "pdf", page_shown.metric),
                    f"{name}-figure.pdf",
                    "application/pdf",
                    text.METRIC_HELP[page_shown.metric],
                )
        if view:
            _file(
                text.TOML,
                lambda: settings_in_words.toml(view).encode(),
                f"{name}.toml",
                "text/plain",
            )
    if code:
        with st.expander(text.CODE):
            language = "bash" if code.startswith(("python -m", "for s in")) else "python"
            st.code(code, language=language, wrap_lines=True)
            st.caption(f":material/replay: {result_files.REPLAY}")
            if uploads.PLACEHOLDER in code:
                st.caption(uploads.REPLACE)


def _file(
    label: str, make: Callable[[], bytes], file: str, kind: str, help_text: str | None = None
) -> None:
    """A button that makes a file on demand; the page does not run for it."""
    key = f"menu-{file}"
    st.download_button(label, make, file, kind, key=key, help=help_text, on_click="ignore")


def _charts(page_shown: ShownPage) -> None:
    charts = page_as_shown.charts(page_shown)
    if not charts:
        return
    st.markdown(f"**{text.CHARTS}**", help=text.CHARTS_NOTE)
    buttons = st.components.v2.component(
        "dpviz.pictures",
        html="<ul></ul>",
        css=asset("chart_files.css"),
        js=asset("chart_picture.js") + asset("chart_files.js"),
    )
    buttons(key="pictures-files", data={"charts": charts})
