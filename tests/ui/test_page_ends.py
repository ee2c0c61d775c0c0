"""A page that has nothing more to show ends; what stands around it does not."""

import ast

import pytest

from dpviz.views.page_as_shown import NOTHING
from tests.kit.seen import html
from tests.kit.whole_app import ROOT, opened

pytestmark = pytest.mark.shared_cache

FILES = sorted([*(ROOT / "pages").glob("*.py"), *(ROOT / "dpviz/ui").rglob("*.py")])


def stops(source):
    """Lines that end Streamlit's whole script."""
    calls = (node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return [
        f.lineno
        for f in calls
        if isinstance(f, ast.Attribute) and ast.unparse(f) in ("st.stop", "streamlit.stop")
    ]


def test_no_page_calls_streamlit_stop():
    found = {str(path): stops(path.read_text()) for path in [*FILES, ROOT / "app.py"]}
    assert not any(found.values()), {path: lines for path, lines in found.items() if lines}
    assert stops("import streamlit as st\nst.stop()") == [2]


def around(at):
    """Buttons and folds that the frame puts around a page, and its note about the link."""
    report = 'dp-print">' in html(at)
    return {b.key for b in at.button} & {"undo", "redo"}, report, at.info[0].value


@pytest.mark.parametrize("name", ["trade_off", "tuning", "teachers_vote", "neural_collapse"])
def test_empty_page_keeps_note_and_undo(name, own):
    at = opened(name, {"data": own, "f.pca": "500", "n": "1", "delta": "much"})
    buttons, report, note = around(at)
    assert at.error and buttons == {"undo", "redo"} and not report
    assert "dp-waiting" not in html(at), "tiles that no number will fill"
    assert "**delta** cannot be “much”" in note


def test_change_that_ends_page_can_be_undone(own):
    at = opened("trade_off", {"data": own, "ir": "10", "n": "1", "m": "dppl-mean"})
    at.session_state["f.pca"] = 500
    at.run()
    assert at.error and not at.button(key="undo").disabled
    at.button(key="undo").click().run()
    assert not at.error and at.session_state["f.pca"] == 0


ENDING = """
import streamlit as st
from dpviz.ui.frame import page_parts
place = page_parts.question("Does it end?")
st.slider("Budget", key="eps", bind="query-params")
page_parts.html("rows", "Rows", lambda: "<p>rows</p>")
page_parts.answer(place, {answer!r})
page_parts.end()
st.error("what was below")
"""


@pytest.mark.parametrize(("said", "told"), [("It does.", True), (NOTHING, False)])
def test_answer_before_page_end_can_be_reported(said, told, tmp_path):
    (tmp_path / "ending.py").write_text(ENDING.format(answer=said))
    at = opened(str(tmp_path / "ending"), eps="many")
    buttons, report, note = around(at)
    assert not at.error and buttons and report == told
    assert "**eps** cannot be “many”" in note
