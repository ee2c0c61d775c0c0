"""Pages on the bundled photographs: what suits them comes first, no word of digits, classes without
a like.
"""

import re

import pytest

from dpviz.text.public_prototypes import NAMES
from tests.kit.seen import charts, html, markdown, sentence
from tests.kit.whole_app import opened

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]


def said(at):
    parts = [*at.markdown, *at.caption, *at.info, *at.error, *at.title, *at.header]
    return " ".join(part.value for part in parts) + html(at)


def prototypes(**link):
    return opened("public_prototypes", {"data": "clothes", "n": "1", "score": "balanced"}, **link)


def test_clothes_default_to_original_sizes_and_fitting_encoder():
    at = prototypes()
    assert not at.error and "At (1, 1e-5)-DP" in sentence(at)
    assert at.select_slider(key="ir").value == 1 and at.selectbox(key="enc").value == "lite0-128"
    assert "data:image/jpeg" in html(at) and not re.search(r"\bdigits?\b", said(at))


def test_suggested_encoder_follows_data_set_chosen_one_stays():
    at = opened("data", {"data": "uci-digits", "tab": "expect"})
    assert at.selectbox(key="enc").value == "glyphnet" and len(charts(at)) == 1
    at.selectbox(key="data").set_value("clothes").run()
    assert at.selectbox(key="enc").value == "lite0-128" and ">2,732<" in html(at)
    words = [chart.proto.alt for chart in at.get("plotly_chart")]
    assert "-DP" in markdown(at)
    assert "The median per person is" in markdown(at) and "people by images per person" in words[1]
    at.selectbox(key="data").set_value("uci-digits").run()
    assert at.selectbox(key="enc").value == "glyphnet" and not at.exception


def test_other_clothes_page_states_no_similar_class():
    at = prototypes(pub="other-clothes", see="like")
    assert "no public class has the same name as a private class" in sentence(at)
    assert NAMES["none"] in said(at)
    assert html(at).count(">none<") == 10 and "Similarity is the mean cosine" in said(at)
