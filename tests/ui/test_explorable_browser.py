"""A page as a file: made by its button, opened from the disk without a network, and back again."""

import re
from urllib.parse import parse_qs, urlparse

import pytest

from dpviz.text import export as text
from dpviz.ui.explorable import html_file
from tests.kit import axe
from tests.kit.browser import DESK, PATIENCE, begin, forget, settled
from tests.kit.from_disk import fits, opened

PLACES = (
    "[...document.querySelectorAll('.ex-picture svg path')].map((one) => one.getAttribute('d'))"
)
ANSWER = ".st-key-answer"


@pytest.fixture(scope="module")
def taken(tabs, server, tmp_path_factory):
    """The file that the button of Trade-off makes, and what the page said."""
    page = tabs(DESK)
    begin(page, server, m="dppl-mean,class-mean", n="2", score="balanced")
    said = page.locator(ANSWER).inner_text()
    page.get_by_role("button", name=text.MENU).click()
    page.get_by_text(text.PAGE_FILE).click()
    ratios = page.locator(".st-key-home-ir")
    ratios.get_by_label("Clear all").click()
    page.get_by_text("13 views").first.wait_for(timeout=PATIENCE)
    page.get_by_role("button", name=text.MAKE).click()
    save = page.locator(".st-key-home-save button")
    save.wait_for(timeout=3 * PATIENCE)
    with page.expect_download() as download:
        save.click()
    path = tmp_path_factory.mktemp("home") / "page.html"
    download.value.save_as(path)
    forget(page, DESK)
    return path, said


def test_exported_page_responds_to_input_and_links_back(taken, browser, tabs, server):
    path, said = taken
    assert path.stat().st_size < html_file.MAX_BYTES
    with opened(browser, path) as tab:
        slider, answer = tab.get_by_role("slider"), tab.locator(".ex-answer")
        tab.get_by_role("button", name="Precise").click()
        assert _bare(answer.inner_text()) in _bare(said)
        begun = tab.evaluate(PLACES)
        assert len(begun) > 5
        slider.focus()
        heard = []
        for key in ("ArrowLeft", "PageDown", "Home", "End"):
            tab.keyboard.press(key)
            tab.wait_for_timeout(50)
            heard.append(slider.get_attribute("aria-valuetext"))
        assert heard == ["0.5", "0.1", "0.01", "10"]
        assert tab.evaluate(PLACES) != begun
        box = slider.bounding_box()
        tab.mouse.move(box["x"] + box["width"] - 10, box["y"] + 14)
        tab.mouse.down()
        words = set()
        for share in (0.8, 0.6, 0.4, 0.2):
            tab.mouse.move(box["x"] + share * box["width"], box["y"] + 14, steps=3)
            tab.wait_for_timeout(40)
            words.add(answer.inner_text())
        tab.mouse.up()
        assert len(words) == 4
        back = tab.get_by_text(text.OPEN).get_attribute("href")
        last = answer.inner_text()
        again = tab.url
    assert parse_qs(urlparse(back).query)["voice"] == ["precise"]
    page = tabs(DESK)
    page.goto(back)
    page.locator(".js-plotly-plot").first.wait_for(timeout=PATIENCE)
    settled(page)
    assert back.startswith(server["url"])
    assert _bare(last) in _bare(page.locator(ANSWER).inner_text())
    assert not page.get_by_text("Not all of the link").count()
    forget(page, DESK)
    with opened(browser, path, f"#{urlparse(again).fragment}") as tab:
        assert tab.locator(".ex-answer").inner_text() == last


def test_exported_page_works_on_phone_and_paper(taken, browser):
    path, _ = taken
    phone = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
    with opened(browser, path, **phone) as tab:
        assert fits(tab)
        assert not axe.problems(tab)
        tab.emulate_media(media="print")
        ground = "getComputedStyle(document.body).backgroundColor"
        assert tab.evaluate(ground) == "rgb(255, 255, 255)"
        assert not tab.locator(".ex-rail").is_visible() and tab.locator(".ex-answer").is_visible()
    with opened(browser, path) as tab:
        assert not axe.problems(tab)


def _bare(words):
    return re.sub(r"\s+", " ", words)
