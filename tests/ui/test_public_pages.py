"""Pages of a public demo: the banner, and a sentence in place of each control that is off."""

import ast
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.machine import public_mode
from dpviz.text import public_mode as text
from dpviz.ui.frame import public_demo
from tests.kit.seen import APP
from tests.kit.whole_app import ADDRESSES, opened

pytestmark = pytest.mark.shared_cache

UI = Path(public_demo.__file__).parents[1]
#: Where a closed control is, with its feature, and a word of the page where the mode is off.
PLACES = {
    "sidebar": ("trade_off", {}, "uploads", "file_uploader"),
    "own data": ("data", {"tab": "own"}, "uploads", "file_uploader"),
    "external results": ("trade_off", {"tab": "compare"}, "uploads", "file_uploader"),
    "class results": ("class", {"teach": "results"}, "uploads", "file_uploader"),
    "live class": ("class", {"teach": "live"}, "class", "class-begin"),
    "new sweep": ("sweeps", {}, "sweeps", "sweep-begin"),
    "tuned settings": ("trade_off", {}, "tuning", "fair"),
    "lesson file": ("class", {"teach": "slides"}, "files", "home-make"),
}


@pytest.fixture
def public(monkeypatch):
    monkeypatch.setenv(public_mode.SETTING, "1")
    monkeypatch.setattr(public_mode, "JOB_SECONDS", 2)


def words(at):
    """All texts of a page, in Markdown and in HTML."""
    html = [element.proto.body for element in at.get("html")]
    return [element.value for element in (*at.markdown, *at.caption)] + html


def controls(at):
    """Kinds and keys of a page's elements."""
    names = {element.key for element in (*at.button, *at.text_area)}
    return names | ({"file_uploader"} if at.get("file_uploader") else set())


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(ADDRESSES) - {"front"}))
def test_every_page_has_the_banner_and_no_upload(public, name):
    at = opened(name)
    banners = [body for body in words(at) if "dp-public" in body]
    assert len(banners) == 1 and text.BANNER in banners[0]
    assert not at.get("file_uploader")


@pytest.mark.slow
def test_front_page_has_the_banner_before_it_is_prepared(public):
    at = AppTest.from_file(APP, default_timeout=60).run()
    assert sum("dp-public" in body for body in words(at)) == 1 and not at.exception


def test_page_has_no_banner_without_the_mode():
    assert not any("dp-public" in body for body in words(opened("glossary")))


@pytest.mark.slow
@pytest.mark.shared_cache(False)  # a sweep of another test would be what the page shows
@pytest.mark.parametrize("place", PLACES)
def test_closed_control_is_replaced(own, public, monkeypatch, place):
    name, link, feature, control = PLACES[place]
    if name == "trade_off":  # on few records, as they are embedded already
        link = link | {"data": own, "m": "dppl-mean", "n": "2"}
    at = opened(name, link)
    sentence = text.CLOSED[feature]
    assert any(sentence in body for body in words(at)), place
    assert control not in controls(at)
    monkeypatch.delenv(public_mode.SETTING)
    at = opened(name, link)
    assert control in controls(at) and not any(sentence in body for body in words(at))


@pytest.mark.slow
def test_tuning_page_says_that_it_is_off(public):
    at = opened("tuning")
    assert any(text.CLOSED["tuning"] in body for body in words(at)) and not at.error


def test_banner_links_to_the_project_where_it_is_known():
    assert "<a " not in public_demo.banner_html("")
    html = public_demo.banner_html('https://a.example/"><script>')
    assert "<script>" not in html and 'href="https://a.example/&quot;' in html


def test_no_page_runs_code_of_visitors():
    """Custom release functions and notebook cells are for the shell: no page imports them."""
    runs_code = re.compile(r"\b(exec|eval|compile)\(")
    for path in [*UI.rglob("*.py"), *(UI.parents[1] / "pages").glob("*.py")]:
        source = path.read_text()
        names = {
            alias.name
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }
        assert not names & {"custom_releases", "custom_audit", "notebook"}, path
        assert not [m[0] for m in runs_code.finditer(source) if m[1] != "compile"], path
