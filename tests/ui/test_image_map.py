"""The image map and its selection on other pages, without a browser."""

import dataclasses
import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz import data
from dpviz.diagnostics import image_map, membership_attack, per_instance
from dpviz.experiments import experiment
from dpviz.text import attackers_view as attack_text
from dpviz.text import image_map as text
from dpviz.text import who_pays as loss_text
from dpviz.types import Budget, RunSpec
from dpviz.ui.data import image_map as tab
from dpviz.ui.data.controls import Request
from dpviz.ui.widgets import selected_images
from tests.kit.seen import APP, captions, html, markdown
from tests.kit.toys import toy_data

pytestmark = pytest.mark.slow

DATASET, IMAGES = "omniglot-30", 360
ROWS, SELECTED = "100-149,200", [*range(100, 150), 200]
NUMBER = len(SELECTED)
SPEC = RunSpec(DATASET, "glyphnet", "dppl-mean", Budget(1.0))
METHODS = {"a": "dppl-mean", "b": "dppl-public"}


@pytest.fixture(scope="module")
def embedded(tmp_path_factory):
    """A cache folder with the features: what an earlier test computed is in memory alone."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPVIZ_CACHE", str(folder))
        data.clear()
        data.load(DATASET, "glyphnet").public_made()
    return folder


@pytest.fixture(autouse=True)
def folder(embedded, monkeypatch):
    monkeypatch.setenv("DPVIZ_CACHE", str(embedded))
    return embedded


def page(name, rows=ROWS, dataset=DATASET, **link):
    at = AppTest.from_file(APP, default_timeout=120)
    at.switch_page(f"pages/{name}.py")
    for key, value in {"voice": "precise", "data": DATASET, "ir": "1", **link}.items():
        at.query_params[key] = value
    if rows:
        at.session_state[selected_images.KEY] = (dataset, rows)
        at.session_state[selected_images.GROUPS_KEY] = selected_images.GROUP
    at.run()
    assert not at.exception and not at.error
    return at


def test_tab_lists_all_images_without_a_selection():
    at = page("data", rows="", tab="map")
    table = at.dataframe[0].value
    assert len(table) == IMAGES and list(table.columns) == list(text.COLUMNS.values())
    share = round(100 * image_map.image_map(data.load(DATASET, "glyphnet")).share)
    assert "No image is selected" in markdown(at) and f"shows {share}%" in captions(at)
    assert not at.get("page_link")


def test_selection_filters_table_and_leads_to_other_pages():
    at = page("data", tab="map")
    rows = at.dataframe[0].value[text.COLUMNS["row"]].tolist()
    assert rows == SELECTED
    assert f"{NUMBER} images selected" in markdown(at)
    dataset = data.load(DATASET, "glyphnet")
    counts = np.bincount(dataset.y[SELECTED], minlength=dataset.classes)
    first = f"{dataset.class_names[counts.argmax()]} ({counts.max()})"
    assert f"on the map: {first}, " in markdown(at).replace("\\", "")
    assert {link.proto.label for link in at.get("page_link")} >= set(text.OPEN.values())
    at.button(key="data-page-map-clear").click().run()
    assert len(at.dataframe[0].value) == IMAGES


def test_selection_of_other_data_is_ignored():
    at = page("data", dataset="uci-digits", tab="map")
    assert "No image is selected" in markdown(at)


def test_tab_without_features_asks_for_features():
    at = page("data", rows="", data="uci-digits", tab="map")
    assert text.NO_FEATURES in [info.value for info in at.info]


def test_hostile_selection_is_refused_in_one_sentence(monkeypatch):
    state = {}
    monkeypatch.setattr(tab.st, "session_state", state)
    images = tab.image_map.image_map(toy_data())
    for hostile in ("0-99999999", "'; --", 7, "0-" * 50_000):
        tab._select(hostile, None, images)
        sentence = state.pop(tab.REFUSED_KEY)
        assert sentence.endswith(("images again.", "fewer images."))
    assert not state


def test_selected_places_are_kept_as_rows_of_the_training_set(monkeypatch):
    state = {}
    for module in (tab, selected_images):
        monkeypatch.setattr(module.st, "session_state", state)
    toy = toy_data()
    images = image_map.image_map(dataclasses.replace(toy, rows=10 * np.arange(len(toy.y))))
    tab._select("1-2,4", Request("toy", "none", "none"), images)
    assert selected_images.rows("toy").tolist() == [10, 20, 40]
    assert not len(selected_images.rows("other"))
    tab._select("", Request("toy", "none", "none"), images)
    assert selected_images.KEY not in state


def test_per_record_loss_shows_selection_as_a_group():
    at = page("who_pays", **METHODS)
    assert at.selectbox(key="who").value == selected_images.GROUP
    losses = per_instance.losses_of(SPEC)
    chosen = np.isin(losses.rows, SELECTED)
    share = f"Median image: {round(100 * float(np.median(losses.epsilon[chosen]) / losses.claim))}%"
    panel = f"DPPL-Mean, {loss_text.GROUPS['selected'][0]}"
    assert re.search(rf"{panel}.{{0,200}}{share}.*{NUMBER} images", html(at), re.DOTALL)
    assert f"**{NUMBER} images selected on the image map**, all used here" in markdown(at)
    others = float(np.median(losses.epsilon[~chosen]) / losses.claim)
    assert f"for selected images, {others:.0%} for others" in html(at)
    at.segmented_control(key="tab").set_value("images").run()
    assert f"**{NUMBER} of {NUMBER}** (selected images) in this range" in markdown(at)
    at.button(key="selected-images-clear").click().run()
    assert at.selectbox(key="who").value == "split" and "image map" not in markdown(at)


def test_imbalance_ratio_leaves_selected_images_out():
    at = page("who_pays", ir="2", **METHODS)
    used = int(re.search(r"image map\*\*; (\d+) used here", markdown(at))[1])
    prepared = experiment.prepared(dataclasses.replace(SPEC, ir=2.0))
    assert used == np.isin(prepared.rows, SELECTED).sum() < NUMBER


def test_attacks_show_result_on_selected_images():
    at = page("attackers_view", m="dppl-mean", n="4")
    targets = membership_attack.target_losses(SPEC, range(4))
    chosen = np.isin(experiment.prepared(SPEC).rows, SELECTED)
    part = membership_attack.attack_on(targets, chosen)
    cell = f'data-head="{attack_text.SELECTED["auc"]}">{part.auc:.3f} ± {2 * part.error:.3f}<'
    assert cell in html(at) and f">{NUMBER} images<" in html(at)


def test_attacks_on_test_images_ask_for_other_design():
    at = page("attackers_view", m="dppl-mean", n="2", design="test")
    assert attack_text.SELECTED_TEST in captions(at)


def test_shadow_attacks_name_the_selection_and_the_other_attack():
    at = page("attackers_view", m="dppl-mean", attack="lira", shadows="16")
    hint = attack_text.SELECTED_SHADOWS.fill(True)
    assert hint in captions(at)
    assert f"**{NUMBER} images selected on the image map**" in markdown(at)
    at.button(key="selected-images-clear").click().run()
    assert hint not in captions(at)


def test_other_data_draw_asks_for_draw_zero():
    def script():
        import numpy as np

        from dpviz.types import DataConfig
        from dpviz.ui.widgets import selected_images
        from tests.kit.toys import toy_data

        data = toy_data()
        object.__setattr__(data, "rows", np.arange(len(data.y)))
        selected_images.keep("uci-digits", np.arange(3))
        chosen = selected_images.in_data(DataConfig("uci-digits", "glyphnet", draw=1), data)
        assert chosen is None
        chosen = selected_images.in_data(DataConfig("uci-digits", "glyphnet", draw=0), data)
        assert np.flatnonzero(chosen).tolist() == [0, 1, 2]

    at = AppTest.from_function(script)
    at.run()
    # the second note has the keys of the first
    assert at.markdown[0].value == text.OTHER_DRAW


def test_link_holds_no_rows():
    at = page("data", tab="map")
    assert not any("149" in str(value) for value in at.query_params.values())
    assert (
        page("who_pays", rows="", who="selected", **METHODS).selectbox(key="who").value == "split"
    )
