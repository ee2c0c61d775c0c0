"""The front page as a file, from the disk and without a network: hand, keys, phone, paper."""

import numpy as np
import pytest

from dpviz.experiments import experiment
from dpviz.text import export as text
from dpviz.text import front as front_text
from dpviz.text.new_draws import ALL_CLASSES, WORDS
from dpviz.ui.explorable import draws_section, front_file
from dpviz.ui.front import answer
from dpviz.views import data_draws, front_page, new_draws
from tests.kit import axe
from tests.kit.from_disk import fits, opened
from tests.ui.test_new_draws_browser import PLACES, PRESS, unequal

SLIDER = front_text.ASK["slider"]
TILES = (WORDS["mean"], WORDS["noise"])
ORIGIN = "https://example.org/dpviz/"
AGAIN = "python -m dpviz explorable front.toml --out front.html"
SAID = "() => document.querySelector('.fp-lines').textContent"
POSITIONS = "(faces) => faces.map((face) => face.style.backgroundPosition)"
FRAME = """(html) => new Promise((done) => {
  const frame = Object.assign(document.createElement("iframe"), {srcdoc: html});
  frame.sandbox = "allow-scripts allow-popups";
  frame.onload = () => done();
  document.body.append(frame);
})"""


def said(place):
    """Text of the tiles of a place."""
    return "".join("".join(tile) for tile in place["tiles"])


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The file, with what the page says of the clothes; the digits, which take longer, are theirs
    by another name.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPVIZ_CACHE", str(tmp_path_factory.mktemp("cache")))
        noisy, quiet = front_page.groups("clothes")
        results = experiment.sweep([*noisy, *quiet])
        public = experiment.run(front_page.public_run("clothes"))
        draws = data_draws.from_results(*map(experiment.sweep, front_page.draw_groups("clothes")))
        runs = results[: len(noisy)], results[-1]
        told = answer.browser_data("clothes", *runs, public=public, draws=draws)
        scene = front_file._scene
        patch.setattr(
            front_file, "_scene", lambda name, *of: scene("clothes", *of) | {"name": name}
        )
        path = tmp_path_factory.mktemp("file") / "front.html"
        path.write_text(front_file.html(ORIGIN, ("clothes", "digits"), AGAIN))
        yield path, told


def test_exported_positions_match_page_and_link_back(browser, made):
    path, told = made
    assert path.stat().st_size < draws_section.MAX_BYTES
    with opened(browser, path) as tab:
        slider, back = tab.get_by_role("slider", name=SLIDER), tab.get_by_text(text.OPEN)
        assert back.get_attribute("href") == f"{ORIGIN}?pictures=clothes"
        slider.focus()
        tab.keyboard.press("Home")
        for place in told["places"]:
            assert tab.evaluate(SAID) == said(place)
            tab.keyboard.press("ArrowRight")
        assert back.get_attribute("href").endswith("?pictures=clothes&privacy=none")
        tab.get_by_text("How it works").click()
        tab.get_by_text(told["places"][-1]["command"]).wait_for()
        hrefs = [a.get_attribute("href") for a in tab.locator(".fp-more a[href]").all()]
        assert all(href.startswith("https://") for href in hrefs), hrefs
        tab.get_by_text(text.SOURCES).click()
        assert "CC0" in tab.locator(".in-from").inner_text() and AGAIN in tab.content()
        assert not axe.problems(tab)


def test_exported_file_works_by_pointer_without_server(browser, made):
    path, told = made
    with opened(browser, path, "?pictures=digits&privacy=0.2") as tab:
        assert tab.get_by_role("button", name="Digits").get_attribute("aria-pressed") == "true"
        assert tab.evaluate(SAID) == said(told["places"][8])
        tab.get_by_role("button", name="Clothes").click()
        assert tab.get_by_role("button", name="Clothes").get_attribute("aria-pressed") == "true"
        assert "pictures=clothes&privacy=0.2" in tab.url, "where it stood, with other pictures"
        box, seen = tab.get_by_role("slider", name=SLIDER).bounding_box(), set()
        y = box["y"] + box["height"] / 2
        tab.mouse.move(box["x"] + box["width"] * 0.5, y)
        tab.mouse.down()
        for step in range(10):
            tab.mouse.move(box["x"] + box["width"] * (0.5 - step / 20), y)
            seen.add(tab.evaluate(SAID))
        tab.mouse.up()
        assert len(seen) >= 5


def test_draws_equal_those_of_python(browser, made):
    path, _ = made
    rank = draws_section.RANKS["clothes"]
    picks = new_draws.picks(front_page.spec("clothes", 1.0), np.arange(591), rank)
    with opened(browser, path) as tab:
        labels = tab.locator(".nd-number span").all_inner_texts()
        assert labels == ["Rare classes (shoes, shorts, skirt)", ALL_CLASSES, *TILES]
        drawn = tab.evaluate(PRESS, PLACES[:100])
        assert len(set(tab.locator(".nd-image i").evaluate_all(POSITIONS))) > 5
    assert not unequal(drawn, picks)
    assert len({tuple(draw["chosen"]) for draw in drawn}) > 80
    for draw in drawn:
        draw["epsilon"] *= 1.01
    assert len(unequal(drawn, picks)) > 90, "1% less noise is found"


def test_file_works_dark_printed_and_in_sandboxed_frame(browser, made):
    path, _ = made
    phone = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
    with opened(browser, path, **phone) as tab:
        assert fits(tab)
        assert not axe.problems(tab)
        tab.emulate_media(media="print")
        ground = "getComputedStyle(document.body).backgroundColor"
        assert tab.evaluate(ground) == "rgb(255, 255, 255)", "paper is white"
        assert not tab.locator(".fp-buttons").is_visible() and tab.locator(".fp-eps").is_visible()
        tab.emulate_media(media="screen")
        tab.evaluate(FRAME, path.read_text())
        inside = tab.frame_locator("iframe")
        inside.get_by_role("button", name="Digits").click()
        inside.get_by_role("slider", name=SLIDER).press("Home")
        assert "50.2%" in inside.locator(".fp-lines").inner_text()
