"""The front page in a real browser: mouse, keyboard and touch move it, without the server."""

import math

import pytest

from dpviz.formatting import percent_up
from tests.kit.browser import PATIENCE, PHONE, visit

ONE_VISIT = True
SHOWN = """() => JSON.stringify([
  document.querySelector('.fp-lines').innerText,
  [...document.querySelectorAll('.fp-tile')].map((t) => [t.ariaLabel, t.querySelector('img').src]),
])"""
IN_VIEW = """() => [...document.querySelectorAll('h1, .fp, .st-key-front-doors')].every((part) => {
  const {top, bottom, right} = part.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight && right <= innerWidth;
}) && document.documentElement.scrollWidth <= innerWidth"""

#: One choice by an exponential mechanism at ε = 0.01 (Dong, Durfee & Rogers 2020), rounded up.
GUESS = f"guess: at most {percent_up((1 + math.tanh(0.01 / 4)) / 2)}%"


def opened(page, server, **link):
    """The front page on clothes, which are at hand sooner; what it tells the server from there."""
    messages = []
    listen = lambda payload: messages.append(payload)
    page.on("websocket", lambda socket: socket.on("framesent", listen))
    more = "".join(f"&{key}={value}" for key, value in link.items())
    ready = lambda: page.locator(".fp[data-ready]").wait_for(timeout=PATIENCE)
    visit(page, f"{server['url']}/?pictures=clothes{more}", ready, moved=True)
    page.wait_for_timeout(300)
    messages.clear()
    return messages


def asked(page):
    return page.locator(".fp-question").inner_text()


@pytest.mark.parametrize("tab", [{"reduced_motion": "no-preference"}], indirect=True)
def test_dragging_moves_images_and_answer_without_server(page, server):
    messages = opened(page, server)
    assert "fails first?" in asked(page) and page.evaluate(IN_VIEW)
    page.get_by_role("button", name="shorts").click()
    assert "Your guess: shorts" in asked(page)
    slider = page.get_by_role("slider")
    way = slider.bounding_box()
    y = way["y"] + way["height"] / 2
    page.mouse.move(way["x"] + way["width"] * 0.94, y)
    page.mouse.down()
    frames = []
    for step in range(30):
        page.mouse.move(way["x"] + way["width"] * (0.94 - step / 32), y)
        frames.append(page.evaluate(SHOWN))
    page.mouse.up()
    assert len(set(frames)) >= 10 and not messages
    assert "First to fail: skirt. Your guess, shorts, fails" in asked(page)
    assert page.locator(".fp-lost").count() >= 5
    said = page.locator(".fp-lines").inner_text()
    assert "privacy=" in page.url
    page.reload()
    page.locator(".fp[data-ready]").wait_for(timeout=PATIENCE)
    assert page.locator(".fp-lines").inner_text() == said, "the link keeps where it was"
    assert "First to fail: skirt." in asked(page) and "guess" not in asked(page)


@pytest.mark.parametrize("tab", [{"viewport": {"width": 1280, "height": 800}}], indirect=True)
def test_small_desktop_window_shows_everything(page, server):
    opened(page, server)
    assert page.evaluate(IN_VIEW)


def test_keyboard_works_and_guarantee_opens_on_demand(page, server):
    messages = opened(page, server, embed="true")
    page.get_by_role("button", name="skirt").focus()
    page.keyboard.press("Enter")
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("Home")
    assert "You saw it coming" in asked(page)
    assert GUESS in slider.get_attribute("aria-valuetext")
    page.get_by_text("How it works").focus()
    page.keyboard.press("Enter")
    page.get_by_text("pure DP, ε = 0.01").wait_for()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Again").click()
    assert "fails first?" in asked(page) and not messages
    page.get_by_text("All settings").click()
    page.get_by_text("What does privacy cost?").wait_for(timeout=PATIENCE)
    assert "/trade-off" in page.url


@pytest.mark.parametrize("tab", [PHONE | {"color_scheme": "dark"}], indirect=True)
def test_phone_shows_everything_in_view_and_accepts_touch(page, server):
    messages = opened(page, server)
    assert page.evaluate(IN_VIEW)
    page.get_by_role("button", name="skirt").tap()
    way = page.get_by_role("slider").bounding_box()
    before = page.evaluate(SHOWN)
    page.touchscreen.tap(way["x"] + way["width"] / 2, way["y"] + way["height"] / 2)
    assert page.evaluate(SHOWN) != before and "You saw it coming" in asked(page)
    assert page.evaluate(IN_VIEW) and not messages
    moved = page.get_by_role("slider").bounding_box()["y"] - way["y"]
    assert abs(moved) < 1, "the slider stays under the finger"
