"""The control of the encoder: what is offered, typed or linked, on every page that has one."""

from itertools import product

import pytest
from streamlit.testing.v1 import AppTest

from dpviz import data
from dpviz.encoders import ENCODERS, weights_files
from dpviz.experiments import sweep_process
from dpviz.text import mixed_privacy as mixed_text
from dpviz.types import Budget, DpvizError, RunSpec
from tests.kit import tiny_sets, whole_app
from tests.kit.seen import APP, html, markdown, opened

pytestmark = pytest.mark.slow

RANDOM = "timm:test_resnet@random"


@pytest.fixture(autouse=True)
def offline(tmp_path, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(weights_files, "_reachable", lambda: False)


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A small set of pictures, in place of EuroSAT."""
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path / "data"))
    data.clear()
    for split, n in (("train", 24), ("test", 3)):
        for label, i in product(("cat", "dog"), range(n)):
            tiny_sets.jpeg(tmp_path / "data" / "eurosat" / split / label / f"{i}.jpg", 20)
    yield "eurosat"
    data.clear()


def page(name, **link):
    return opened(APP, link, f"pages/{name}.py", 120)


def box(at):
    return next(w for w in at.selectbox if w.key == "enc")


def typed(mine, name):
    """The Data page with a name that was typed into the control; AppTest can only choose."""
    at = AppTest.from_file(APP, default_timeout=120)
    at.switch_page("pages/data.py")
    at.query_params["data"] = mine
    at.session_state["enc"] = name
    at.run()
    assert not at.exception
    return at


def test_every_available_encoder_is_offered():
    assert box(page("data")).options == [row.title for row in ENCODERS.values()]


def test_link_to_missing_weights_explains_what_to_do():
    at = whole_app.opened("data", {"enc": "clip-b16"})
    said = at.info[0].value.replace("\\", "")
    assert "**enc** cannot be “clip-b16”; glyphnet is used. The weights of clip-b16" in said
    assert "download model.safetensors from huggingface.co/timm/" in said
    assert box(at).value == "glyphnet" and not at.error
    at.selectbox(key="enc").set_value("scatter").run()
    assert not at.error and "from ScatterNet" in markdown(at)


def test_typed_encoder_works_like_any_other(mine):
    at = typed(mine, RANDOM)
    assert not at.error and RANDOM in at.query_params["enc"]
    assert "needs features" in markdown(at)
    at = typed(mine, "timm:no_such_model")
    assert "timm has no model" in at.error[0].value and box(at).value == "glyphnet"


def test_linked_encoder_gives_numbers(mine):
    at = page("trade_off", data=mine, enc=RANDOM, ir="1", m="dppl-mean", n="2")
    assert [e.value for e in (*at.error, *at.info)] == [] and "At (1, 1e-5)-DP" in markdown(at)
    assert box(at).value == RANDOM
    assert "the encoder (untrained)" in html(at)


def test_collapse_page_compares_any_two_encoders(mine):
    at = page("neural_collapse", data=mine, beside="scatter", n="2", **{"noisy-gd.steps": "5"})
    assert not at.error and "ScatterNet" in html(at)


def test_class_name_start_needs_a_text_encoder(mine):
    at = page("mixed_privacy", data=mine, n="2", pre="NGD")
    start = next(w for w in at.selectbox if w.key == "start")
    assert mixed_text.STARTS["class-names"] not in start.options


def test_sweep_may_name_only_available_encoders():
    spec = RunSpec("mnist5k", "scatter", "dppl-mean", Budget(1.0))
    sweep_process._allow(spec)
    for encoder, says in (("clip-b16", "hub cannot be reached"), ("timm:x@y.pt", "timm has no")):
        with pytest.raises(DpvizError, match=f"is not available.*{says}"):
            sweep_process._allow(RunSpec("mnist5k", encoder, "dppl-mean", Budget(1.0)))
