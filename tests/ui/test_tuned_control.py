"""Tuned settings on the pages Trade-off and Tuning, without a browser."""

import pytest

from dpviz.run import tuned_settings
from dpviz.run.tuned_settings import TunedSettings
from dpviz.ui.widgets import tuned_control
from tests.kit.seen import APP, captions, opened
from tests.kit.toys import labelled_content

FEW = {"n": "1", "m": "dppl-mean", "data": "etf", "ir": "10", "score": "balanced"}
POOL = "dppl-mean.k_pool"
ROW = TunedSettings(
    dataset="etf",
    encoder=None,
    public="same-frame",
    ir=10,
    largest=100,
    centered=True,
    trials=24,
    seed=0,
    methods={"dppl-mean": {"params": {"k_pool": 2}, "score": 1.0, "default_score": 0.9}},
    command="",
    date="",
)


@pytest.fixture(autouse=True)
def one_row(monkeypatch):
    monkeypatch.setattr(tuned_settings, "rows", lambda: (ROW,))


def page(**link):
    return opened(APP, FEW | link, "pages/trade_off.py", 120)


def test_tuned_settings_fill_the_controls_and_return():
    at = page()
    assert at.session_state[POOL] == 1
    at.session_state["settings"] = "tuned"
    at.run()
    assert not at.exception and at.session_state[POOL] == 2
    assert at.session_state["f.centre"] == "yes"
    assert "24 trials per method" in captions(at) and "Nothing private was read" in captions(at)
    at.button_group(key="settings").set_value("defaults").run()
    assert not at.exception and at.session_state[POOL] == 1
    assert at.session_state["f.centre"] == "no"


def test_link_with_tuned_settings_applies_them():
    assert page(settings="tuned").session_state[POOL] == 2


def test_link_keeps_its_own_changed_setting():
    at = page(settings="tuned", **{POOL: "3"})
    assert not at.exception and at.session_state[POOL] == 3


def test_other_data_set_returns_to_defaults():
    at = page(settings="tuned")
    at.session_state["etf.beta"] = 0.4
    at.run()
    assert not at.exception and at.session_state[POOL] == 1


def test_badly_configured_method_is_named_with_button():
    at = page(m="noisy-gd", **{"noisy-gd.lr": "0.001", "noisy-gd.steps": "1", "etf.beta": "0.5", "noisy-gd.clip": "0.01"})
    assert not at.exception
    assert any("badly configured here: without noise" in one.value for one in at.warning)
    assert at.button(key="fair-warned").label == tuned_control.BUTTON
