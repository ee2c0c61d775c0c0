"""Tuned settings on the pages Trade-off and Tuning, without a browser."""

import numpy as np
import pytest

from dpviz.data import uploads
from dpviz.experiments import tuned_settings
from dpviz.experiments.tuned_settings import TunedSettings
from dpviz.ui.widgets import tuned_control
from tests.kit.seen import APP, captions, opened
from tests.kit.toys import content, labelled_content

pytestmark = pytest.mark.shared_cache

FEW = {"n": "1", "m": "dppl-mean", "data": "etf", "ir": "5", "score": "balanced"}
FEW |= {"etf.n": "200", "etf.dim": "12"}
POOL = "dppl-mean.k_pool"
ROW = TunedSettings(
    dataset="etf:dim=12,n=200",
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


@pytest.fixture
def own():
    named = np.array(["a", "b", "c", "d"])
    return uploads.keep(labelled_content(class_names=named))


@pytest.fixture
def unlabeled():
    return uploads.keep(content())


def page(**link):
    return opened(APP, FEW | link, "pages/trade_off.py", 60)


def test_tuned_settings_fill_the_controls_and_return():
    at = page()
    assert at.session_state[POOL] == 1
    at.session_state["settings"] = "tuned"
    at.run()
    assert not at.exception and at.session_state[POOL] == 2
    assert at.session_state["f.centre"] == "yes"
    assert "24 trials per method" in captions(at) and "No private data were used" in captions(at)
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
    at = page(m="dppl-public", **{"dppl-public.d_min": "0", "dppl-public.d_max": "0.05"})
    assert not at.exception
    assert any("do not suit this data set. Even without noise" in one.value for one in at.warning)
    assert at.button(key="fair-warned").label == tuned_control.BUTTON


def test_button_tunes_upload_on_its_public_set(own):
    at = opened(APP, {"data": own, "n": "1", "m": "dppl-mean", "ir": "1"}, "pages/trade_off.py", 60)
    at.number_input(key="largest").set_value(20)
    at.button(key="fair").click().run()
    assert not at.exception and at.session_state["settings"] == "tuned"
    assert "24 trials per method, 120 labeled records" in captions(at)
    html = " ".join(h.proto.body for h in at.get("html"))
    assert "selected from 24 settings per method on public data" in html


def test_tuning_page_tunes_all_methods(own):
    link = {"data": own, "trials": "2", "tm": "dppl-mean", "ir": "1", "tab": "fair"}
    at = opened(APP, link, "pages/tuning.py", 60)
    at.session_state[tuned_control.REQUEST] = ("dppl-mean", "dppl-public")
    at.run()
    assert not at.exception and "24 trials per method" in captions(at)
    assert any("Tuned, %" in frame.value.columns for frame in at.dataframe)


def test_upload_without_labels_pays_for_selection(unlabeled):
    link = {"data": unlabeled, "n": "1", "m": "dppl-mean", "ir": "1"}
    at = opened(APP, link, "pages/trade_off.py", 60)
    at.button(key="fair").click().run()
    assert not at.exception
    assert "private selection. It costs ε = 1 at δ = 1e-5 for each of 1 methods" in captions(at)
    html = " ".join(h.proto.body for h in at.get("html"))
    assert "chosen by private selection on these data" in html
