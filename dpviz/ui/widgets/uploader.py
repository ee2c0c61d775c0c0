"""The upload of features, and which uploads a person may choose."""

from __future__ import annotations

import streamlit as st

from dpviz.data import limits, uploads
from dpviz.ui.live import long_work


def features(select: str) -> None:
    """The upload widget; a new file becomes the choice of the select box with key ``select``."""

    def take() -> None:
        upload = st.session_state.get("upload")
        if upload is not None:
            name = uploads.keep(upload.getvalue())
            mine(name)
            st.session_state[select] = name
            long_work.POOL.warm(uploads.path(name))

    st.file_uploader(
        "Your own features (.npz)",
        type="npz",
        key="upload",
        on_change=take,
        max_upload_size=limits.UPLOAD_MEGABYTES,
        help=(
            "Arrays X_train (n, d), y_train, X_test, y_test; if you like X_public, y_public,"
            " class_names. It is kept in this server's cache folder, and whoever has the link can"
            " see results on it."
        ),
    )


def mine(name: str) -> None:
    """Add an upload to those that this person may choose."""
    st.session_state.setdefault("uploads", [])
    if name not in st.session_state["uploads"]:
        st.session_state["uploads"].append(name)
