"""Who this visitor is: a name worked out from the token in the browser's cookie, which stands in no
link, file or page.

Where there is no cookie (another server than ours, a browser that keeps none) a token in the
session stands in for it, until the page is loaded anew.
"""

from __future__ import annotations

import hashlib
import os

import streamlit as st

from dpviz.data import uploads
from dpviz.machine import ownership
from dpviz.ui.server import visitor_cookie

VISITOR = "visitor"
SHARED = "DPVIZ_SHARED"
"""Set to 1 by ``dpviz app --shared``: a team, each of whom sees and may end what any has."""


def visitor_name() -> str:
    """This visitor's name, the same for all tabs of a browser."""
    if VISITOR not in st.session_state:
        cookies = st.context.cookies if st.runtime.exists() else {}
        token = visitor_cookie.token(cookies.get(visitor_cookie.NAME))
        token = token or visitor_cookie.new_token()
        st.session_state[VISITOR] = name_of(token)
    return st.session_state[VISITOR]


def name_of(token: str) -> str:
    """The name that is written down in place of a token, which cannot be had back from it."""
    return hashlib.sha256(f"dpviz visitor {token}".encode()).hexdigest()[:32]


def shared() -> bool:
    """Whether all visitors are one team."""
    return os.environ.get(SHARED) == "1"


def is_own(owner: str) -> bool:
    """Whether what this owner has is this visitor's to see, stop and forget."""
    return shared() or owner == visitor_name()


def own_items() -> list[str]:
    """What this visitor holds, what was used last first; from here on uploads are called as this
    visitor's files were.
    """
    uploads.VIEWER.set(visitor_name())
    return ownership.items_of(None if shared() else visitor_name())


def my_uploads() -> list[str]:
    """Uploads to choose from: this visitor's, and the one that the link names."""
    return uploads.selectable(own_items(), st.query_params.get("data"))
