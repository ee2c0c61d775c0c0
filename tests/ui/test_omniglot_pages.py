"""Pages on Omniglot: the number of classes is a choice, and 242 classes keep pages readable."""

import pytest

from tests.kit.seen import charts, html, markdown, sentence
from tests.kit.whole_app import opened

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]


def classes(at):
    return at.selectbox(key="data:variant")


def test_classes_control_selects_data_set_in_link():
    at = opened("data", {"data": "omniglot-10", "tab": "expect"})
    assert "Omniglot, 10 characters" in markdown(at) and ">120<" in html(at)
    assert "A drawer of one alphabet counts as one person" in markdown(at)
    assert classes(at).value == "omniglot-10" and len(charts(at)) == 1
    classes(at).set_value("omniglot-60").run()
    assert at.selectbox(key="data").value == "omniglot-60" and ">720<" in html(at)
    assert at.query_params["data"] == "omniglot-60"
    at.selectbox(key="pub").set_value("omniglot-other").run()
    classes(at).set_value("omniglot").run()
    assert at.selectbox(key="pub").value == "omniglot-public" and not at.exception


def test_data_list_has_one_omniglot_and_variant_control():
    at = opened("data", {"data": "omniglot-20"})
    options = at.selectbox(key="data").options
    assert [title for title in options if "Omniglot" in title] == ["Omniglot, 20 characters"]
    at.selectbox(key="data").set_value("uci-digits").run()
    assert not [box for box in at.selectbox if box.key == "data:variant"]
    assert "Omniglot, 242 characters" in at.selectbox(key="data").options


def test_alphabets_use_own_public_set_and_original_sizes():
    link = {"data": "omniglot", "n": "1", "score": "balanced", "see": "cost"}
    at = opened("public_prototypes", link)
    assert at.select_slider(key="ir").value == 1 and at.selectbox(key="enc").value == "glyphnet"
    assert "greek-01" not in html(at).split("mostly wrong")[1].split("</dd>")[0]
    classes(at).set_value("omniglot-alphabets").run()
    assert at.selectbox(key="pub").value == "omniglot-alphabets-public" and not at.error
    assert "At (1, 1e-5)-DP" in sentence(at)


def test_many_class_names_are_omitted_from_loss_axis():
    link = {"data": "omniglot", "a": "dppl-mean", "b": "noisy-gd", "tab": "classes"}
    at = opened("who_pays", link)
    axis = charts(at)[-1]["layout"]["xaxis"]
    assert axis["showticklabels"] is False and "largest first" in axis["title"]["text"]
