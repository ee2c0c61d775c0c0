"""Results that a page does not wait for: once they are there, it is drawn again."""

from __future__ import annotations

import threading
from typing import Any

import streamlit as st

from dpviz.run.jobs import Group
from dpviz.ui.live import long_work, rerun_scheduling

_thread = threading.local()


def begin() -> None:
    """Forget what an earlier run of this thread waited for."""
    _thread.pending = []


def results(key: str, group: Group) -> list[Any]:
    """Return the results of a group; [] while they are computed, and where they were refused.

    Args:
        key: of the page and the part of it; only the last group asked for with it is computed.
    """
    if not group or st.session_state.get(f"{key}:stopped") == (group,):
        return []
    if rerun_scheduling.unwatched:
        return long_work.collect(key, [group], st.empty()).done.get(group, [])
    job = long_work.start_job(key, [group])
    if not job.finished.is_set():
        _thread.pending = [*getattr(_thread, "pending", []), (key, group)]
    return job.done.get(group, [])


def wait() -> None:
    """Once the page is drawn: wait for what it lacks, and draw it again."""
    pending, _thread.pending = getattr(_thread, "pending", []), []
    if not pending:
        return
    status = st.empty()
    for key, group in pending:
        long_work.collect(key, [group], status)
    st.rerun()
