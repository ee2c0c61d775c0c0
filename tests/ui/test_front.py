"""The front page: what it opens on, where old links lead."""

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.ui.front import old_links
from tests.kit.seen import APP, sentence


@pytest.mark.parametrize(
    ("names", "old"),
    [
        ((), False),
        (("privacy", "pictures", "first", "voice"), False),
        (("utm_source", "fbclid"), False),
        (("m", "eps"), True),
        (("privacy", "dppl-mean.clip"), True),
        (("lesson", "step"), True),
        (("only",), True),
        (("ask",), True),
        (("present",), True),
    ],
)
def test_what_a_link_to_the_root_asks_for(names, old):
    assert old_links.is_old(list(names)) == old


@pytest.mark.slow
def test_an_old_link_opens_trade_off_as_it_says(own):
    at = AppTest.from_file(APP, default_timeout=60)
    at.query_params |= {"data": own, "ir": "10", "m": ["dppl-mean"], "eps": "0.5"}
    at.run()
    assert not at.exception and sentence(at).startswith("At IR 10 and (0.5, 1e-5)-DP")
