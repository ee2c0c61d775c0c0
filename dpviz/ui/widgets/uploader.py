"""Uploads of features, the uploads that a visitor keeps, and why one was refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from dpviz.data import limits, uploads
from dpviz.formatting import plain
from dpviz.machine import ownership
from dpviz.text import data as text
from dpviz.text.template import render
from dpviz.types import DpvizError
from dpviz.ui import streamlit_internals
from dpviz.ui.frame import page_parts, public_demo, visitor
from dpviz.ui.live import long_work
from dpviz.ui.widgets.choices import requested_value

REFUSED = "upload:refused"
FILE_GONE = text.FILE_GONE


def features(select: str) -> None:
    """Draw the upload of features; a new file becomes the choice of the select box ``select``."""
    if public_demo.closed("uploads"):
        return
    _upload(text.OWN_FEATURES_LABEL, "upload", select, text.FEATURES_HELP, warm=True)
    larger(text.LARGER_FEATURES)
    refused()


def features_to_keep() -> None:
    """Draw the upload of features where no select box lists them."""
    _upload(text.FEATURES_LABEL, "upload", "", text.FEATURES_HELP, warm=True)
    larger(text.LARGER_FEATURES)


def public_features(select: str) -> None:
    """Draw the upload of public features."""
    if public_demo.closed("uploads"):
        return
    _upload(text.PUBLIC_FEATURES_LABEL, "upload-public", select, text.PUBLIC_FEATURES_HELP)


def _upload(label: str, key: str, select: str, words: str, warm: bool = False) -> None:
    def take() -> None:
        upload = st.session_state.get(key)
        if upload is not None and (name := store_upload(uploads.keep, upload)):
            if select:
                st.session_state[select] = name
            if warm:
                long_work.POOL.warm(uploads.path(name))

    limit = limits.UPLOAD_MEGABYTES
    st.file_uploader(label, type="npz", key=key, on_change=take, max_upload_size=limit, help=words)


def larger(template: str) -> None:
    """Name the command for data sets above the upload limit."""
    st.caption(render(template, limit=limits.UPLOAD_MEGABYTES))


def store_upload(keep: Callable[[bytes, str, str], str], file: Any) -> str | None:
    """Store an upload for this visitor; return its name, or None if it is refused.

    ``refused`` then shows the reason.
    """
    st.session_state.pop(REFUSED, None)
    if isinstance(
        file, streamlit_internals.DeletedFile
    ):  # a page that reconnects names the files of its old session
        st.session_state[REFUSED] = FILE_GONE
        return None
    try:
        return keep(file.getvalue(), visitor.visitor_name(), file.name)
    except DpvizError as error:
        st.session_state[REFUSED] = str(error)
        return None


def read(key: str, parse: Callable[[bytes, str], Any], kept: str, refusal: str) -> None:
    """Read a file when it arrives: keep what ``parse`` returns, or why it is refused.

    An empty upload, or one of a session before this one, leaves neither.

    Args:
        key: of the upload; parse: takes content and file name; kept, refusal: keys of the session.
    """
    upload = st.session_state.get(key)
    for name in (kept, refusal):
        st.session_state.pop(name, None)
    if upload is None or isinstance(upload, streamlit_internals.DeletedFile):
        return
    try:
        st.session_state[kept] = parse(upload.getvalue(), upload.name)
    except DpvizError as error:
        st.session_state[refusal] = str(error)


def refused() -> None:
    """Show why the last upload was refused."""
    if sentence := st.session_state.get(REFUSED):
        page_parts.refusals([sentence])


def all_mine() -> None:
    """Draw this visitor's uploads, each with its size, a link and a button that deletes it."""
    names = [name for name in visitor.own_items() if uploads.NAME.fullmatch(name)]
    if not names:
        return
    facts = {"days": ownership.DAYS, "uploads": uploads.MAX_UPLOADS}
    st.caption(render(text.UPLOADS_NOTE, megabytes=uploads.MAX_UPLOAD_BYTES >> 20, **facts))
    for name in names:
        with st.container(horizontal=True, vertical_alignment="center"):
            size = f"{uploads.size(name) / 2**20:,.1f}"
            words = render(text.UPLOAD, title=uploads.title(name), size=size)
            st.markdown(words, width="stretch")
            address = plain(_trade_off_address(name))
            st.html(
                f'<a class="dp-button" href="{address}" target="_self">{text.USE}</a>',
                width="content",
            )
            st.button(text.DELETE, key=f"forget-{name}", on_click=_forget, args=(name,))


def _trade_off_address(name: str) -> str:
    """Return the address of an upload on Trade-off, with the encoder if the upload is chosen."""
    setting = {"data": name}
    if requested_value("data", "") == name and (encoder := requested_value("enc", "")):
        setting["enc"] = encoder
    return f"trade-off?{urlencode(setting)}"


def _forget(name: str) -> None:
    for visitor_name in ownership.owners(name):
        if visitor.is_own(visitor_name):
            uploads.forget(name, visitor_name)
