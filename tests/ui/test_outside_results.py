"""External results on the Trade-off page, without a browser."""

import pytest

from dpviz.experiments import outside_results
from dpviz.ui.trade_off import outside_results as layer
from tests.kit.seen import APP, captions, charts, opened

FEW = {"n": "1", "m": "dppl-mean", "data": "etf", "ir": "10", "tab": "compare"}
FEW |= {"score": "balanced", "axis": "approx"}
FILE = b"method,notion,budget,delta,seed,accuracy,balanced\nmine,approx,1,1e-5,0,0.75,0.5\n"


@pytest.fixture
def page():
    return opened(APP, FEW, "pages/trade_off.py", 120)


def names(at):
    return [trace.get("name") for trace in charts(at)[0]["data"]]


def test_upload_is_drawn_marked_and_removed(page):
    assert "mine, from lab.csv" not in names(page)
    page.session_state[layer.FILE] = outside_results.parsed(FILE, "lab.csv")
    page.run()
    assert not page.exception and "mine, from lab.csv" in names(page)
    assert "external results from lab\\.csv" in captions(page)
    page.button(key="outside-remove").click().run()
    assert not page.exception and "mine, from lab.csv" not in names(page)
    assert layer.FILE not in page.session_state


def test_refusal_is_shown(page):
    page.session_state[layer.REFUSAL] = "lab.csv has no column seed."
    page.run()
    assert any("has no column seed" in error.value for error in page.error)
