"""Tries of the runs with neural collapse: a rise that is there is told, and one that is not."""

import pytest

from dpviz.papers.checks import collapse_experiments as tries
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS


@pytest.fixture(autouse=True)
def small(tmp_path, monkeypatch):
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    for name, value in {"RECORDS": 300, "LOW": 10, "HIGH": 200}.items():
        monkeypatch.setattr(tries, name, value)


def test_a_rise_is_told_from_none():
    assert tries.grows(True, test="stochastic", size=0.5)().outcome == HOLDS
    assert tries.grows(False, test="stochastic", size=0.5)().outcome == DOES_NOT


def test_where_nothing_rises_a_claim_of_a_rise_cannot_be_told(monkeypatch):
    monkeypatch.setattr(tries, "HIGH", 11)
    assert tries.grows(True)().outcome == CANNOT_TELL
    assert tries.grows(False)().outcome == HOLDS
