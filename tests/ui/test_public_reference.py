"""Public data alone on every page that shows the accuracy of private methods."""

from __future__ import annotations

import pytest

from tests.kit.whole_app import opened

QUICK = {"ir": "5", "n": "3"}
PAGES = {
    "trade_off": {"m": "dppl-mean,dppl-public"},
    "dp_means": {},
    "public_prototypes": {},
    "mixed_privacy": {"adamix.max_steps": "8"},
    "who_pays": {},
    "maps": {"map": "ir"},
    "tuning": {"trials": "3"},
    "teachers_vote": {"M": "20", "asked": "50"},
}


@pytest.mark.parametrize("name", PAGES)
def test_answer_names_public_data_alone(name, labelled):
    at = opened(name, {"data": labelled} | QUICK | PAGES[name])
    words = " ".join(m.value for m in at.markdown).lower()
    assert not at.error and "public data alone" in words
