"""The page "Data" without a browser."""

import dataclasses
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpviz import data
from dpviz.data import download, held_aside, private_pictures, uploads
from dpviz.experiments import embedding_work, public_set_use
from dpviz.experiments.embedding_work import Task
from dpviz.experiments.jobs import Jobs, Work
from dpviz.formatting import printable
from dpviz.machine import ownership
from dpviz.text import controls as control_text
from dpviz.text import data as text
from dpviz.text.template import render
from dpviz.ui.data import answer, controls
from dpviz.ui.frame import visitor
from tests.kit import seen, tiny_sets
from tests.kit.picture_uploads import parquet, two_classes, write_upload
from tests.kit.toys import labelled_content
from tests.kit.whole_app import opened

pytestmark = pytest.mark.shared_cache

ENCODER = "GlyphNet"
PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "data.py")


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A data folder that holds a tiny CIFAR-10 as plain pictures."""
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path / "data"))
    data.clear()
    for split, n in (("train", 23), ("test", 2)):
        for label in ("cat", "<img src=x onerror=alert(1)>"[:15].replace("/", "")):
            for i in range(n):
                tiny_sets.jpeg(tmp_path / "data" / "cifar10" / split / label / f"{i}.jpg", 20)
    yield tmp_path / "data"
    data.clear()


def page(**link):
    at = AppTest.from_file(PAGE, default_timeout=90)
    at.query_params["voice"] = "precise"
    for name, value in {"data": "cifar10", **link}.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def sorting(name):
    """The page while it sorts an upload."""
    at = AppTest.from_file(PAGE, default_timeout=90)
    at.query_params["voice"] = "precise"
    at.query_params["data"] = "cifar10"
    at.query_params["tab"] = "own"
    at.session_state["data-page:sorting"] = name
    return at.run()


def opened_tab(at, tab):
    at.segmented_control(key="tab").set_value(tab).run()
    assert not at.exception
    return at


def tiles(at):
    """Values of the tiles by label."""
    found = re.findall(r'dp-label">([^<]+?)(?: <button.*?)?</p><strong>(.*?)<', seen.html(at))
    return dict(found)


def words(at):
    return "\n".join(m.value for m in at.markdown)


def test_downloaded_set_shows_counts_and_embeds_on_click(home):
    at = page()
    aside = len(held_aside.rows(data.source("cifar10")))
    assert tiles(at)[text.PRIVATE] == f"{46 - aside}"
    assert tiles(at)[text.TEST] == "4" and tiles(at)[text.CLASSES] == "2"
    assert text.ANSWERS["embed"].fill(True, title="CIFAR-10", encoder=ENCODER) in words(at)
    finding = "CIFAR-10: classes of equal size"
    assert finding in seen.html(at) and not at.get("plotly_chart"), "all classes are equally large"
    assert seen.html(at).count("data:image/jpeg;base64") == 2
    at.button(key="data-page-button").click().run()
    assert not at.exception
    assert f"is ready to use on every page, with features from {ENCODER}." in words(at)
    assert f"{46 - aside} private and 4 test records of 128 features" in at.success[0].value
    assert not [b for b in at.button if b.key == "data-page-button"]
    opened_tab(at, "sources")
    rate = re.compile(r"Computed on CPU at [\d,.]+ images per second\.")
    assert [c for c in at.caption if rate.fullmatch(c.value)]
    shown = seen.html(opened_tab(at, "sources"))
    assert "not the original files, in" in shown
    shown = seen.html(opened_tab(at, "samples"))
    assert shown.count("data:image/jpeg;base64") == 2 + 6 and "<img src=x" not in shown


def test_rates_have_three_significant_digits():
    rounded = [answer.rounded_rate(rate) for rate in (1241.7, 12417.0, 0.123456, 99.96)]
    assert rounded == ["1,240", "12,400", "0.123", "100"]


def test_features_without_rate_show_none():
    at = page(data="clothes", enc="lite0-128", tab="sources")
    assert "is ready to use on every page" in words(at)
    assert not [c for c in at.caption if "images per second" in c.value]


def test_missing_set_explains_what_to_fetch_and_where(home):
    at = page(data="cub200")
    assert (
        "must be downloaded by hand" in words(at)
        and "CUB\\_200\\_2011\\.tgz" in at.info[0].value
        and str(home.name) in at.info[0].value
    )
    assert not [b for b in at.button if b.key == "data-page-button"]


@pytest.mark.shared_cache(False)
def test_failed_download_gives_message(home, monkeypatch):
    monkeypatch.setattr(
        "dpviz.data.download._blocks",
        lambda _: (_ for _ in ()).throw(download._Unreachable("no network")),
    )
    at = page(data="svhn")
    at.button(key="data-page-button").click().run()
    assert not at.exception and "could not be downloaded \\(no network\\)" in at.error[0].value


def test_other_pages_offer_only_sets_on_disk(home):
    from dpviz.ui.widgets import shared_controls

    rows = {
        key for key, row in data.DATASETS.items() if "private" in row.roles and row.is_on_disk()
    }
    assert "cifar10" in rows and "cifar100" not in rows
    assert shared_controls.public_available("cifar10") == ("held-aside",)


def test_upload_is_sorted_and_listed_with_reasons(home, tmp_path):
    write_upload(tmp_path / "upload.zip", 700)
    name = uploads.keep_unsorted((tmp_path / "upload.zip").read_bytes())
    at = sorting(name)
    assert not at.exception and "used, 71 rejected" in words(at)
    assert not uploads.unsorted(name).exists() and uploads.path(name).exists()
    tables = [frame.value for frame in at.dataframe]
    reasons = next(t for t in tables if list(t.columns) == list(text.REASONS.values()))
    assert reasons["Files"].sum() == 71 and any("leads out" in r for r in reasons["Reason"])
    again = embedding_work.sort(Task("sort", name), lambda *_: None)
    assert len(again.refused) == 71, "what was sorted is remembered"


def test_uploaded_images_work_like_any_data_set(home):
    name = uploads.keep_unsorted(two_classes(), "a" * 32, "x**<b>.zip")
    embedding_work.sort(Task("sort", name), lambda *_: None)
    d = data.load(str(uploads.path(name)), "glyphnet")
    assert d.class_names == ("ant", "bee") and d.counts == (24, 24) and d.x_public is None
    assert data.suiting_encoder(name) == "lite0-128", "they are in colour"
    at = page(data=name, enc="glyphnet", tab="expect")
    assert "**x\\*\\*\\<b\\>\\.zip** is ready" in words(at)
    assert "orange-badge" in words(at), "a private view"
    assert tiles(at)[text.PRIVATE] == "48" and tiles(at)[text.TEST] == "4"
    assert text.UNKNOWN_PERSONS in words(at)
    assert "No public set is chosen, so all training images stay private" in words(at)
    assert "The list of classes was taken from the folders or labels" in words(at)
    assert "Class ant has **24 private images**. At (1, 1e-5)-DP, the noise" in words(at)
    assert "with all 2 test images correct" in words(at)
    other = AppTest.from_file(str(Path(PAGE).with_name("trade_off.py")), default_timeout=90)
    for key, value in {"data": name, "enc": "glyphnet", "m": "dppl-mean", "n": "2"}.items():
        other.query_params[key] = value
    other.run()
    assert not other.exception and not other.error
    assert seen.html(other).count("dp-tile")


@pytest.mark.shared_cache(False)
@pytest.mark.parametrize("at_page", ["data", "trade_off"])
def test_embedding_beyond_limits_gives_message(home, monkeypatch, at_page):
    name = uploads.keep_unsorted(two_classes())
    embedding_work.sort(Task("sort", name), lambda *_: None)
    short = dataclasses.replace(private_pictures.EMBEDDING, seconds=0)
    monkeypatch.setattr(private_pictures, "EMBEDDING", short)
    at = AppTest.from_file(str(Path(PAGE).with_name(f"{at_page}.py")), default_timeout=90)
    at.query_params["voice"] = "precise"
    for key, value in {"data": name, "m": "dppl-mean", "n": "2"}.items():
        at.query_params[key] = value
    at.run()
    if at_page == "data":
        at.button(key="data-page-button").click().run()
        assert tiles(at)[text.PRIVATE] == "48", "sizes are known without features"
    assert not at.exception and "Embedding these images took longer" in at.error[0].value
    assert "start again to continue" in at.error[0].value


def test_parquet_upload_is_sorted_on_page(home, tmp_path):
    parquet(tmp_path / "u.parquet", ["ant", "bee", None] * 12)
    name = uploads.keep_unsorted((tmp_path / "u.parquet").read_bytes())
    at = sorting(name)
    assert not at.exception and "**24 images used, 12 rejected.** 2 classes: ant and bee." in words(
        at
    )
    assert data.source(str(uploads.path(name))).class_names == ("ant", "bee")


def test_unverified_terms_are_marked(home):
    shown = seen.html(page(data="svhn", tab="sources"))
    assert "non-commercial use only (unverified)" in shown and "as commonly reported" in shown
    shown = seen.html(page(data="bloodmnist", tab="sources"))
    assert (
        "CC BY 4.0" in shown
        and "the medmnist package" in shown
        and "CC BY 4.0 (unverified)" not in shown
    )


def test_unprintable_names_are_escaped():
    assert printable("cat/\x1b[31m.jpg") == "cat/\\x1b[31m.jpg"


def test_unexpected_task_failure_hides_its_details(home):
    def broken(group, progress):
        raise RuntimeError("secret")

    job = Jobs().ask("me", [(Task("embed", "x"),)], Work(broken))
    assert job.finished.wait(5) and "secret" not in str(job.errors)


def test_new_upload_is_selected_once_without_public_set(home):
    name = uploads.keep_unsorted(two_classes())
    embedding_work.sort(Task("sort", name), lambda *_: None)
    at = page(data="mnist5k", tab="own")
    assert at.session_state["pub"] == "glyphs"
    at.session_state["data-page:sorting"] = name
    at.session_state[visitor.VISITOR] = "a" * 32
    ownership.add("a" * 32, name)
    at.run()
    assert not at.exception and at.session_state["data"] == name
    assert at.session_state["pub"] == "none"
    aside = len(held_aside.rows(data.source(str(uploads.path(name)))))
    at.selectbox(key="pub").select("held-aside").run()
    assert not at.exception
    said = public_set_use.holding_aside(str(uploads.path(name)))
    assert f"{aside}" in said and any(said in caption.value for caption in at.caption)
    assert tiles(at)[text.PRIVATE] == str(48 - aside) and tiles(at)[text.PUBLIC] == str(aside)
    assert render(text.ASIDE, images=aside) in words(opened_tab(at, "expect"))
    at.selectbox(key="data").set_value("mnist5k").run()
    assert not at.exception and at.session_state["data"] == "mnist5k"
    opened_tab(at, "own")
    assert "embed --dataset FOLDER" in " ".join(caption.value for caption in at.caption)


@pytest.mark.slow
def test_trade_off_leaves_out_methods_that_need_a_public_set(home):
    images = uploads.keep_unsorted(two_classes())
    embedding_work.sort(Task("sort", images), lambda *_: None)
    features = uploads.keep(labelled_content(X_public=None, y_public=None))
    said = render(control_text.LEFT_OUT, methods=["DPPL-Public"])
    for name, encoder in ((images, "glyphnet"), (features, "")):
        at = opened("trade_off", {"data": name} | ({"enc": encoder} if encoder else {}))
        assert said in [caption.value for caption in at.caption]
        assert not [error.value for error in at.error]


def test_link_naming_held_out_images_still_works(home):
    name = uploads.keep_unsorted(two_classes())
    embedding_work.sort(Task("sort", name), lambda *_: None)
    at = page(data=name, pub="held-aside")
    assert at.session_state["pub"] == "held-aside"
    assert any("of your training images become public" in c.value for c in at.caption)


def test_held_out_choice_does_not_carry_to_upload(home):
    name = uploads.keep_unsorted(two_classes(), "a" * 32)
    embedding_work.sort(Task("sort", name), lambda *_: None)
    at = AppTest.from_file(PAGE, default_timeout=90)
    at.session_state[visitor.VISITOR] = "a" * 32
    at.query_params["data"], at.query_params["pub"] = "mnist5k", "held-aside"
    at.run()
    assert at.session_state["pub"] == "held-aside"
    at.selectbox(key="data").select(name).run()
    assert not at.exception and at.session_state["pub"] == "none"


def test_owner_confirms_class_list(home):
    name = uploads.keep_unsorted(two_classes(), "a" * 32)
    embedding_work.sort(Task("sort", name), lambda *_: None)
    at = AppTest.from_file(PAGE, default_timeout=90)
    at.session_state[visitor.VISITOR] = "a" * 32
    at.query_params["data"], at.query_params["tab"] = name, "own"
    at.run()
    box = at.text_area(key=f"data-page-classes-{name}")
    assert box.value == "ant\nbee"
    box.input("ant\nyak")
    at.button(key="data-page-confirm").click().run()
    assert any("images of class 'bee'" in error.value for error in at.error)
    at.text_area(key=f"data-page-classes-{name}").input("yak\nbee\nant")
    at.button(key="data-page-confirm").click().run()
    assert not at.exception and not at.error
    row = data.source(str(uploads.path(name)))
    assert row.names() == ("yak", "bee", "ant") and not row.classes_read
    expected = words(opened_tab(at, "expect"))
    assert "private images" in expected and text.CLASSES_READ not in expected


def test_selected_row_becomes_data_set(home):
    rows = list(data.DATASETS.values())
    at = page(data="cifar10")
    table = at.dataframe[0].value
    assert list(table.columns) == list(text.SETS.values()) and len(table) == len(rows)
    at.session_state[controls.CHOSEN_KEY] = "clothes"
    at.run()
    assert not at.exception and at.session_state["data"] == "clothes"


def test_list_for_phones_has_every_set_and_links_those_to_choose(home):
    at = page(data="cifar10")
    shown = next(h.proto.body for h in at.get("html") if "dp-sets" in h.proto.body)
    assert shown.count("<li>") == len(data.DATASETS)
    assert 'href="data?data=mnist5k"' in shown and "data=glyphs" not in shown


def test_public_set_is_not_offered_as_data_set(home):
    at = page(data="cifar10")
    offered = at.selectbox(key="data").options
    assert data.DATASETS["mnist5k"].title in offered
    assert not any(data.DATASETS["glyphs"].title in title for title in offered)
    assert not at.dataframe[0].proto.selection_mode


def test_features_and_images_can_be_uploaded(home):
    at = page(tab="own")
    keys = {box.proto.label for box in at.get("file_uploader")}
    assert keys == {text.IMAGES_LABEL, text.FEATURES_LABEL}
    assert sum("dpviz embed --dataset FOLDER" in c.value for c in at.caption) == 1
