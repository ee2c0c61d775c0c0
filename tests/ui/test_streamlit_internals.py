"""Canaries: what the dashboard uses of Streamlit's and Plotly's private API is still there.

After an update, run the browser tests, then set ``TESTED_WITH`` and ``PLOTLY``.
"""

import importlib.util
import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.testing.v1 import AppTest

from dpviz.ui import assets, streamlit_internals
from tests.kit.phones import until
from tests.kit.seen import APP

PLOTLY = "3.8.2"
"""The version of plotly.js that Streamlit brings."""
ASSETS = Path(assets.__file__).parent
ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = Path(st.__file__).parent / "static" / "static" / "js"
COMPOSED = {"stAlertContentError": "stAlertContent"}
"""Names that Streamlit puts together in the browser, with their beginning."""


@cache
def scripts(pattern="*.js"):
    return "".join(path.read_text() for path in SCRIPTS.glob(pattern))


def test_versions_match_tested_ones():
    if f"streamlit>={st.__version__[:-2]}," in (ROOT / "pyproject.toml").read_text():
        pytest.skip("this is the oldest supported version")
    assert st.__version__ == streamlit_internals.TESTED_WITH
    assert f"`{PLOTLY}`" in scripts("PlotlyChart.*.js")


def test_selectors_match_streamlit_elements():
    files = [path for path in ASSETS.iterdir() if path.suffix in (".css", ".js", ".html")]
    found = {name for path in files for name in re.findall(r"\bst[A-Z]\w+", path.read_text())}
    assert len(found) > 20
    assert {name for name in found if COMPOSED.get(name, name) not in scripts()} == set()


def test_plotly_has_required_private_names():
    private = set(re.findall(r"\._\w+", (ASSETS / "plotly_internals.js").read_text()))
    assert len(private) == 10
    for name in {*private, ".d2p"}:
        assert re.search(rf"{re.escape(name)}\b", scripts("PlotlyChart.*.js")), name


@pytest.mark.parametrize("library", ["plotly", "streamlit"])
def test_private_api_is_used_in_one_file(library):
    suffix, home = {
        "plotly": (".js", "assets/plotly_internals.js"),
        "streamlit": (".py", "streamlit_internals.py"),
    }[library]
    private = {
        "plotly": r"\b_(fullLayout|fullData|transitionData|context|offset|length|rangeInitial\d)\b",
        "streamlit": r"streamlit\.(runtime|web\.server|proto|elements)\b|\bget_script_run_ctx\b",
    }[library]
    ui = ASSETS.parent
    users = [p for p in ui.rglob(f"*{suffix}") if re.search(private, p.read_text())]
    assert users == [ui / home]


def page():
    import streamlit as st

    from dpviz.ui import streamlit_internals

    st.query_params["own"] = "3"
    streamlit_internals.reread_address()
    st.slider("Bound", 0, 9, key="own", bind="query-params")
    st.slider("Unbound", 0, 9, key="other")
    st.text(streamlit_internals.bound_controls(["own", "other", "absent"]))
    st.text(streamlit_internals.requested_page() == "" != streamlit_internals.session_id())
    streamlit_internals.request_front_page()
    raise streamlit_internals.StopException


def test_bound_controls_are_known_and_reread():
    at = AppTest.from_function(page).run()
    assert not at.exception and at.slider(key="own").value == 3
    assert [text.value for text in at.text] == ["{'own'}", "True"]


def test_streamlit_does_not_discover_pages(monkeypatch):
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    streamlit_internals.leave_pages_to_the_script()
    PagesManager(str(APP))
    assert PagesManager.uses_pages_directory is False


def test_uploads_in_memory_are_counted_and_deleted(monkeypatch):
    assert streamlit_internals.upload_sizes() == {}
    files = MemoryUploadedFileManager("/upload")
    files.add_file("session", UploadedFileRec("1", "name", "type", b"four"))

    class Running:
        uploaded_file_mgr = files

    monkeypatch.setattr(Runtime, "_instance", Running())
    assert streamlit_internals.upload_sizes() == {"session": [4]}
    streamlit_internals.delete_uploads("session")
    assert streamlit_internals.upload_sizes() == {}
    assert callable(Runtime.is_active_session)


def test_loggers_that_warn_without_a_browser_exist():
    for name in streamlit_internals.NO_BROWSER_LOGGERS:
        assert importlib.util.find_spec(name)


def message(*path):
    made = ForwardMsg()
    made.metadata.delta_path.extend(path)
    return made


@pytest.mark.parametrize("case", ["end", "error", "late"])
def test_side_bar_is_sent_last_but_not_late(monkeypatch, case):
    sent = []
    context = SimpleNamespace(_enqueue=lambda message: sent.append([*message.metadata.delta_path]))
    monkeypatch.setattr(streamlit_internals, "_context", lambda: context)
    paths = [[1, 0], [0, 0], [], [1, 0, 3], [0, 1]]
    send = context._enqueue
    last = streamlit_internals.side_bar_last(0 if case == "late" else 60)
    with suppress(ZeroDivisionError), last:
        for path in paths:
            context._enqueue(message(*path))
        if case == "late":
            until(lambda: len(sent) == len(paths))
            context._enqueue(message(1, 9))
            assert sent[-1] == [1, 9]
        else:
            assert sent == [[0, 0], [], [0, 1]]
        if case == "error":
            raise ZeroDivisionError
    assert [path for path in sent if path[:1] == [1]][:2] == [[1, 0], [1, 0, 3]]
    assert len(sent) == len(paths) + (case == "late")
    assert context._enqueue is send
