"""The upload of features, what a visitor keeps of uploads, and why one was refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from dpviz.data import limits, uploads
from dpviz.formatting import literal
from dpviz.machine import ownership
from dpviz.types import DpvizError
from dpviz.ui import streamlit_internals
from dpviz.ui.frame import page_parts, visitor
from dpviz.ui.live import long_work

REFUSED = "upload:refused"
FILE_GONE = "The server no longer has the file in the upload box. Upload the file again."

FEATURES_HELP = (
    "Required arrays: X_train (n, d), y_train, X_test, y_test. Optional: X_public, y_public,"
    " class_names, and persons (n,) with the person of each training record. Other arrays are"
    " ignored. The file stays in this server's cache folder. Anyone with the link can see results"
    " on it."
)
PUBLIC_HELP = (
    "Array X_public (m, d), by the same encoder. Optional: y_public, with -1 where a row has no"
    " label, and class_names. Other arrays are ignored. Everything in the file counts as public."
)


def features(select: str) -> None:
    """The upload widget; a new file becomes the choice of the select box with key ``select``."""
    _upload("Your own features (.npz)", "upload", select, FEATURES_HELP, warm=True)


def public_features(select: str) -> None:
    """The same for a file of public features."""
    _upload("Public features (.npz)", "upload-public", select, PUBLIC_HELP)


def _upload(label: str, key: str, select: str, text: str, warm: bool = False) -> None:
    def take() -> None:
        upload = st.session_state.get(key)
        if upload is not None and (name := store_upload(uploads.keep, upload)):
            st.session_state[select] = name
            if warm:
                long_work.POOL.warm(uploads.path(name))

    limit = limits.UPLOAD_MEGABYTES
    st.file_uploader(label, type="npz", key=key, on_change=take, max_upload_size=limit, help=text)
    if warm:
        larger("python -m dpviz run --dataset FILE.npz --method METHOD --budget 1")
        refused()


def larger(command: str) -> None:
    """Name the command for data sets above the upload limit."""
    st.caption(
        f"Larger than {limits.UPLOAD_MEGABYTES} MB? Use the command line instead of the upload:"
        f" `{command}`."
    )


def store_upload(keep: Callable[[bytes, str, str], str], file: Any) -> str | None:
    """The name of an upload that is this visitor's from here on; None where it is refused, which
    ``refused`` then says.
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


def refused() -> None:
    """Why the last upload was not kept."""
    if sentence := st.session_state.get(REFUSED):
        page_parts.refusals([sentence])


def all_mine() -> None:
    """The uploads that this visitor keeps, each with its size and a button to forget it."""
    names = [name for name in visitor.own_items() if uploads.NAME.fullmatch(name)]
    if not names:
        return
    st.caption(
        f"Kept here until {ownership.DAYS} days after the last use. You may keep"
        f" {uploads.MAX_UPLOADS} uploads, {uploads.MAX_UPLOAD_BYTES >> 20} MiB together."
    )
    for name in names:
        with st.container(horizontal=True, vertical_alignment="center"):
            size = uploads.size(name) / 2**20
            st.markdown(f"{literal(uploads.title(name))}, {size:,.1f} MiB", width="content")
            st.button("Forget", key=f"forget-{name}", on_click=_forget, args=(name,))


def _forget(name: str) -> None:
    for visitor_name in ownership.owners(name):
        if visitor.is_own(visitor_name):
            uploads.forget(name, visitor_name)
