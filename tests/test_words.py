"""Numbers and units as people write them."""

import math
import re

import pytest

from dpviz import formatting
from dpviz.formatting import literal, percent, spread
from dpviz.stats import Interval
from tests.kit.markdown_links import links


def test_percentages_are_rounded_to_interval_precision():
    assert (
        percent(Interval(0.4712, 0.44, 0.5, 5)) == "47%"
        and spread(Interval(0.4712, 0.44, 0.5, 5)) == "44–50"
    )
    assert percent(Interval(0.4712, 0.470, 0.473, 5)) == "47.1%"
    assert percent(Interval(math.nan, math.nan, math.nan, 5)) == "untested"


def test_numbers_are_formatted_for_readers():
    assert [formatting.number(v) for v in (0.01, 1.0, 1e-5, math.inf, 2.5e7)] == [
        "0.01",
        "1",
        "1e-5",
        "∞",
        "2.5e7",
    ]


def test_no_line_breaks_between_number_and_unit():
    said = formatting.unbroken(
        "**72%** of 3 of 4, −18 ± 6 points, ε = 0.1 d_min = 1.05 and ε = ∞; apples = pears"
    )
    assert (
        said.replace("\u00a0", "_")
        == "**72%** of 3 of 4, −18_±_6_points, ε_=_0.1 d_min_=_1.05 and ε_=_∞; apples = pears"
    )


ADDRESSES = (
    *("http://evil.example", "HTTPS://evil.example/a?b=1", "www.evil.example", "WwW.evil.example"),
    *("me@evil.example", "mailto:me@evil.example", "xmpp:me@evil.example/a"),
    *("[a](http://evil.example)", "<http://evil.example>", "![a](https://evil.example/a.png)"),
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_literal_addresses_do_not_become_links(address):
    assert links(address), "the test sees the link where the text is not escaped"
    for around in ("{}", "the class {}.", "({}), and", "**{}**", "a{}"):
        assert not links(around.format(literal(address)))


@pytest.mark.parametrize("name", [":smile:", ":material/lock:", "a:streamlit:"])
def test_emoji_names_in_literal_text_are_kept(name):
    assert not re.search(r":[\w+-]+:|:material/\w+:", literal(name).replace("\\", ""))


@pytest.mark.parametrize("text", ["ant", "3: 4 of 5", "a.b-c", "ε = 1 (δ = 1e-5)", "10:", "@"])
def test_literal_text_is_shown_unchanged(text):
    assert literal(text).replace("\\", "").replace(formatting.WORD_JOINER, "") == text


def test_long_lists_of_names_are_abridged():
    assert formatting.abridged(["a", "b"]) == "a, b" and formatting.abridged([]) == ""
    names = [str(n) for n in range(242)]
    assert formatting.abridged(names) == "0, 1, 2, 3, 4, 5, 6, 7 and 234 more"
    assert formatting.abridged(names[:9]) == "0, 1, 2, 3, 4, 5, 6, 7, 8"
    assert formatting.abridged(names[:10]).endswith("6, 7 and 2 more")
