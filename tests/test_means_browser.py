"""The page "DP means" in a real browser: keyboard and hand move it, a phone shows it whole."""

import pytest

from tests import test_browser
from tests.test_browser import PATIENCE, browser, done, every_look_fits, page, sentence, server, settled  # noqa: F401

pytestmark = test_browser.pytestmark


def begin(page, server):  # noqa: F811
    # the front page first: a server that has shown none yet does not know the others' addresses
    page.goto(f"{server['url']}/?data={server['own']}&ir=10")
    page.get_by_text("Class sizes as they are now").wait_for(timeout=PATIENCE)
    page.goto(f"{server['url']}/dp-means?data={server['own']}&ir=10&eps=0.5")
    page.get_by_text("What noise does to a mean").wait_for(timeout=PATIENCE)
    settled(page)


def test_keyboard_and_hand_move_the_map(page, server, request):  # noqa: F811
    begin(page, server)
    before = sentence(page, r"At IR 10 and \(0\.5, 1e-5\)-DP noise turns")
    page.get_by_role("slider", name="Budget ε").focus()
    page.keyboard.press("ArrowRight")
    assert sentence(page, r"At IR 10 and \(1, 1e-5\)-DP noise turns") != before
    page.locator(".x2y2 text", has_text="(1, 1e-5)-DP, seed 0").wait_for(timeout=PATIENCE)
    settled(page)
    rail = page.locator(".slider-rail-touch-rect, .slider-rail-rect").first
    rail.scroll_into_view_if_needed()
    box = rail.bounding_box()
    page.mouse.click(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    page.locator(".x2y2 text", has_text="(10, 1e-5)-DP, seed 0").wait_for(timeout=PATIENCE)
    done(request)


@pytest.mark.parametrize("page", [{"color_scheme": "dark", "viewport": {"width": 390, "height": 844}}], indirect=True)
def test_every_look_fits_a_phone_in_the_dark(page, server, request):  # noqa: F811
    begin(page, server)
    every_look_fits(page, (("CoinPress, step by step", "Decided by sizes"), ("Pooling", "Best k on the public set"), ("Three forms", "is right most often here")))
    done(request)
