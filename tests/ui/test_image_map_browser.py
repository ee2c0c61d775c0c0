"""The image map in a real browser: zoom, keys, lasso, and the selection on other pages."""

import re

import pytest

from dpviz.text import data, image_map
from tests.kit.browser import PATIENCE, PHONE_IN_THE_DARK, sentence, settled, visit

ONE_VISIT = True
SELECTED = re.compile("images? selected of")
LASSO = [(-0.45, -0.45), (0.1, -0.45), (0.1, 0.45), (-0.45, 0.45), (-0.45, -0.4)]


@pytest.fixture
def canvas(page, server):
    """The map with nothing selected."""

    def ready():
        settled(page)
        drawn = page.locator(".dp-map[data-drawn]")
        button = page.get_by_text("Compute features with")
        drawn.or_(button).first.wait_for(timeout=PATIENCE)
        if button.is_visible():
            button.click()
        drawn.wait_for(timeout=2 * PATIENCE)

    visit(page, f"{server['url']}/data?data=omniglot-30&tab=map", ready)
    found = page.locator(".dp-map > canvas")
    found.scroll_into_view_if_needed()
    if page.get_by_text(SELECTED).count():
        found.focus()
        clear(page)
    return found


def clear(page):
    """Clear the selection by the keyboard."""
    page.keyboard.press("Escape")
    sentence(page, image_map.NONE_SELECTED.split(".")[0])
    settled(page)


def drag(page, canvas, shares):
    box = canvas.bounding_box()
    places = [
        (box["x"] + box["width"] * (0.5 + x), box["y"] + box["height"] * (0.5 + y))
        for x, y in shares
    ]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=5)
    page.mouse.up()


def selected(page):
    words = sentence(page, SELECTED.pattern).replace("\u00a0", " ")
    settled(page)
    return int(re.search(r"([\d,]+) images? selected", words)[1].replace(",", ""))


def test_keys_select_two_images_and_escape_clears(page, canvas):
    assert "360 private images in 30 classes" in canvas.get_attribute("aria-label")
    canvas.focus()
    page.keyboard.press("ArrowRight")
    card = page.locator(".dp-map output")
    first = card.inner_text()
    assert re.search(r"row \d+$", first)
    page.keyboard.press("Enter")
    assert selected(page) == 1
    page.keyboard.press("ArrowDown")
    assert card.inner_text() != first
    page.keyboard.press("Enter")
    sentence(page, "2 images selected of")
    settled(page)
    clear(page)


def test_zoom_shows_thumbnails_and_shift_drag_selects(page, canvas):
    assert page.locator('.dp-map[data-drawn="points"]').count() == 1
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for _ in range(4):
        page.mouse.wheel(0, -400)
    page.locator('.dp-map[data-drawn="thumbnails"]').wait_for()
    page.locator(".dp-map").get_by_role("button", name="Reset").click()
    page.locator('.dp-map[data-drawn="points"]').wait_for()
    page.keyboard.down("Shift")
    drag(page, canvas, LASSO)
    page.keyboard.up("Shift")
    assert selected(page) > 50


@PHONE_IN_THE_DARK
def test_phone_pinches_taps_and_needs_no_sideways_scroll(page, canvas):
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    box = canvas.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    touch = page.context.new_cdp_session(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def fingers(kind, *xs):
        points = [{"x": at, "y": y, "id": i} for i, at in enumerate(xs)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", x - 10, x + 10)
    for apart in range(10, 150, 10):
        fingers("touchMove", x - apart, x + apart)
    fingers("touchEnd")
    page.locator('.dp-map[data-drawn="thumbnails"]').wait_for()
    assert page.get_by_text(data.TABS["map"], exact=True).is_visible()


def test_box_selects_the_images_inside(page, canvas):
    page.get_by_role("button", name=image_map.CONTROLS["box"]).click()
    drag(page, canvas, [(-0.48, -0.48), (0, 0.1), (0.48, 0.48)])
    assert selected(page) == 360
    drag(page, canvas, [(-0.48, -0.48), (0.1, 0.48), (0, 0)])
    all_of_them = page.get_by_text(re.compile(r"360\simages selected of"))
    all_of_them.wait_for(state="detached", timeout=PATIENCE)
    assert 0 < selected(page) < 360


def test_lasso_filters_table_and_opens_as_a_group(page, canvas):
    page.get_by_role("button", name=image_map.CONTROLS["lasso"]).click()
    drag(page, canvas, LASSO)
    number = selected(page)
    assert 50 < number < 350
    page.get_by_text("Open in Per-record loss").click()
    note = sentence(page, "selected on the image map").replace("\u00a0", " ")
    assert f"{number:,} images selected on the image map, all used here" in note
    settled(page)
    assert page.get_by_text("selected images", exact=False).first.is_visible()
    assert "rows" not in page.url and len(page.url) < 200
    page.get_by_role("button", name=image_map.CLEAR).click()
    page.get_by_text("selected on the image map").wait_for(state="detached", timeout=PATIENCE)
