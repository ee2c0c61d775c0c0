"""Tab of Tuning: studies of this session and of an Optuna storage, one or two side by side."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dpviz.experiments import optuna_storage
from dpviz.experiments.optuna_storage import StoredStudy
from dpviz.experiments.tuning import Tuned
from dpviz.text import optuna_storage as text
from dpviz.text.template import render, render_text
from dpviz.ui.frame import page_parts, public_demo
from dpviz.ui.widgets import charts, export, uploader
from dpviz.views import optuna_studies

#: Keys of the session: studies, and why a file was refused.
STUDIES, REFUSAL, UPLOAD = "storage:studies", "storage:refused", "storage:upload"
#: Keys of the two choices.
FIRST, SECOND = "storage-first", "storage-second"
#: Key of the session: studies of this page by name, the last one first, and their largest number.
SESSION_STUDIES, MAX_SESSION_STUDIES = "storage:shown", 20


def remember(study: Tuned) -> None:
    """Remember a study of this session whose trials may all be shown."""
    if study.costs.holds or study.best is None:
        return
    stored = optuna_studies.from_tuned(study)
    shown = st.session_state.get(SESSION_STUDIES, {})
    others = {name: other for name, other in shown.items() if name != stored.name}
    st.session_state[SESSION_STUDIES] = dict(
        [(stored.name, stored), *others.items()][:MAX_SESSION_STUDIES]
    )


def draw(key: str) -> None:
    """Draw the upload, and the chosen study or two of them."""
    if public_demo.closed("uploads"):
        return
    limit = optuna_storage.MAX_BYTES >> 20
    st.file_uploader(
        text.FILE,
        type=["db", "sqlite", "sqlite3"],
        key=UPLOAD,
        on_change=_take,
        max_upload_size=limit,
        help=render_text(text.FILE_HELP, limit=limit),
    )
    if reason := st.session_state.get(REFUSAL):
        page_parts.refusals([reason])
    stored = {study.name: study for study in st.session_state.get(STUDIES, ())}
    studies = stored | st.session_state.get(SESSION_STUDIES, {})
    if not studies:
        return
    first, second = _chosen(studies)
    st.markdown(optuna_studies.answer(first))
    if chart := optuna_studies.chart([first, *([second] if second else [])]):
        charts.plot(chart, f"{key}-storage")
        st.caption(text.CAPTION)
    if second:
        _compare(first, second, key)
    else:
        export.table(optuna_studies.trial_rows(first), f"{key}-trials", text.CSV)
    st.caption(f"{text.UNKNOWN_COST} {text.SESSION_NOTE} {text.OWN_NOTE}")


def _chosen(studies: Mapping[str, StoredStudy]) -> tuple[StoredStudy, StoredStudy | None]:
    left, right = st.columns(2)
    first = left.selectbox(text.STUDY, list(studies), key=FIRST)
    others = [text.NO_SECOND, *(name for name in studies if name != first)]
    second = right.selectbox(text.SECOND, others, key=SECOND)
    return studies[first], studies.get(second)


def _compare(first: StoredStudy, second: StoredStudy, key: str) -> None:
    """Draw two studies side by side, and the settings that both tried."""
    st.markdown(render(text.SIDES, first=first.name, second=second.name))
    export.table(optuna_studies.compared(first, second), f"{key}-two-studies", text.TWO_CSV)
    rows = optuna_studies.shared_settings(first, second)
    if not rows:
        st.caption(text.NOTHING_SHARED)
        return
    title = render_text(text.SHARED, pairs=len(rows))
    st.markdown(f"**{title}**")
    export.table(rows, f"{key}-shared", title)


def _take() -> None:
    """Read the uploaded file; an emptied upload removes its studies."""
    uploader.read(UPLOAD, optuna_storage.parsed, STUDIES, REFUSAL)
    studies = st.session_state.get(STUDIES)
    if studies:
        st.session_state[FIRST] = studies[0].name
    elif studies is not None:
        file = st.session_state[UPLOAD].name
        st.session_state[REFUSAL] = render_text(text.NO_STUDY, file=file)
