"""An address that names no page is told of, and the one that may be meant is offered."""

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.ui import streamlit_internals
from dpviz.ui.front import wrong_addresses
from tests.kit.seen import APP

pytestmark = pytest.mark.shared_cache

TITLES = {"trade-off": "Trade-off", "maps": "Maps"}


def test_message_names_unknown_page_and_suggests_nearest():
    said = wrong_addresses.sentence("Tradeof", TITLES, {"eps": ["2"], "m": ["a,b"]})
    assert said.startswith("There is no page “Tradeof”.")
    assert said.replace("\\", "").endswith("[Trade-off](./trade-off?eps=2&m=a%2Cb)?")
    assert "Did you" not in wrong_addresses.sentence("zebra", TITLES)


def test_hostile_address_is_text_and_truncated():
    said = wrong_addresses.sentence("<b>[x](javascript:1)" * 9, TITLES)
    assert "<b>" not in said.replace("\\<", "") and "[x](" not in said and len(said) < 200


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "told"), [("tradeof", True), ("front", True), ("", False)])
def test_front_page_states_the_unknown_page(asked, told, monkeypatch):
    front = []
    monkeypatch.setattr(streamlit_internals, "requested_page", lambda: asked)
    monkeypatch.setattr(streamlit_internals, "request_front_page", lambda: front.append(True))
    at = AppTest.from_file(APP, default_timeout=120).run()
    assert not at.exception and bool(front) == told
    assert [f"no page “{asked}”" in info.value for info in at.info] == [True] * told
