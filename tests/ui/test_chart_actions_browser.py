"""What readers do with a chart in a real browser: zoom, reset, hide a line, save a file."""

import pytest

from tests.kit.browser import CHART, PATIENCE, PHONE, begin, settled

ONE_VISIT = True
RANGES = f"[{CHART}._fullLayout.xaxis.range, {CHART}._fullLayout.yaxis.range].flat()"
PLOT = ".st-key-picture .nsewdrag"
NAMES = '.st-key-picture .x2y2 .textpoint text[role="button"]'
SHOWN_LINES = f"{CHART}.data.filter((t) => t.name && t.visible !== 'legendonly').map((t) => t.name)"


def drag(page, start, end):
    """Drag over the main plot between two places, given as shares of its width and height."""
    box = page.locator(PLOT).first.bounding_box()
    at = lambda place: (box["x"] + place[0] * box["width"], box["y"] + place[1] * box["height"])
    page.mouse.move(*at(start))
    page.mouse.down()
    page.mouse.move(*at(end), steps=4)
    page.mouse.up()


def zoom(page):
    """Zoom the main chart; returns the ranges before and after."""
    before = page.evaluate(RANGES)
    drag(page, (0.4, 0.1), (0.9, 0.6))
    page.locator(".st-key-picture .js-plotly-plot[data-zoomed]").wait_for()
    return before, page.evaluate(RANGES)


def wait_for_ranges(page, ranges):
    """Wait until the axes have these ranges: a chart that is drawn again gets its zoom later."""
    page.wait_for_function(
        f"{RANGES}.every((end, i) => Math.abs(end - {list(ranges)}[i]) < 1e-6)", timeout=PATIENCE
    )


def move(page, name, key):
    """Move a slider by a key and wait for the server."""
    page.get_by_role("slider", name=name).first.focus()
    page.keyboard.press(key)
    page.wait_for_timeout(300)
    settled(page)
    page.wait_for_timeout(500)  # a chart that was drawn again is found within this


def test_camera_saves_chart_with_source(page, server):
    begin(page, server)
    page.locator(PLOT).first.hover()
    for kind in ("PNG", "SVG"):
        page.get_by_role("button", name="Save as PNG or SVG").first.click()
        with page.expect_download(timeout=PATIENCE) as saved:
            page.locator(".dp-save").get_by_role("button", name=kind).click()
        content = saved.value.path().read_bytes()
        assert saved.value.suggested_filename == f"dpviz-trade-off.{kind.lower()}"
        assert content.startswith(b"\x89PNG" if kind == "PNG" else b"<svg")
    text = content.decode()
    assert "encoder: " in text and "dpviz 0" in text, "the source is at the foot"


def test_name_click_hides_line_until_next_click(page, server):
    begin(page, server)
    name = page.locator(NAMES).first
    title = name.get_attribute("aria-label").removesuffix(": hide")
    name.click()
    page.locator(f'{NAMES}[aria-pressed="false"]').wait_for()
    assert title not in page.evaluate(SHOWN_LINES)
    move(page, "Imbalance", "ArrowLeft")
    assert title not in page.evaluate(SHOWN_LINES), "hidden in the chart that is drawn again"
    page.locator(NAMES).first.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(f"{SHOWN_LINES}.includes('{title}')")


def test_zoom_survives_slider_moves_and_double_click_resets(page, server):
    begin(page, server, moved=True)
    before, zoomed = zoom(page)
    assert zoomed[0] > before[0] and zoomed[3] < before[3]
    move(page, "Budget ε", "ArrowLeft")
    wait_for_ranges(page, zoomed)
    move(page, "Imbalance", "ArrowLeft")
    wait_for_ranges(page, zoomed)
    box = page.locator(PLOT).first.bounding_box()
    page.mouse.dblclick(box["x"] + 0.2 * box["width"], box["y"] + 0.3 * box["height"])
    page.wait_for_function("!document.querySelector('[data-zoomed]')")
    wait_for_ranges(page, before)


@pytest.mark.parametrize("tab", [PHONE], indirect=True)
def test_finger_on_chart_scrolls_page(page, server):
    begin(page, server)
    page.wait_for_function(f"{CHART}._fullLayout.dragmode === false")
    top = f"{CHART}.getBoundingClientRect().top"
    start = page.evaluate(top)
    session = page.context.new_cdp_session(page)
    touch = lambda kind, *points: session.send(
        "Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)}
    )
    box = page.locator(PLOT).first.bounding_box()
    x, y = box["x"] + 100, min(box["y"] + 100, 700)
    touch("touchStart", {"x": x, "y": y})
    for step in range(1, 9):
        touch("touchMove", {"x": x, "y": y - 10 * step})
        page.wait_for_timeout(16)
    touch("touchEnd")
    page.wait_for_timeout(300)
    assert page.evaluate(top) < start - 40
