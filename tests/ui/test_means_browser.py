"""The DP means page in a real browser: keyboard and pointer move it, a phone shows it whole."""

from dpviz.text.dp_means import TITLE
from tests.kit.browser import (
    PATIENCE,
    PHONE_IN_THE_DARK,
    every_look_fits,
    same_as_by_plotly,
    sentence,
    settled,
    visit,
)

ONE_VISIT = True


def begin(page, server):
    ready = lambda: page.get_by_role("heading", name=TITLE).wait_for(timeout=PATIENCE)
    link = f"voice=precise&data={server['own']}&ir=10&eps=0.5"
    visit(page, f"{server['url']}/dp-means?{link}", ready, moved=True)


def shown(page, guarantee):
    """Wait for the map of one run at a guarantee."""
    text = page.locator(".x2y2 text", has_text=f"{guarantee}, one run, seed 0")
    text.wait_for(timeout=PATIENCE)


def test_keyboard_and_pointer_move_the_map(page, server):
    begin(page, server)
    before = sentence(page, r"At \(0\.5, 1e-5\)-DP, noise")
    page.get_by_role("slider", name="Privacy budget ε").first.focus()
    page.keyboard.press("ArrowRight")
    assert sentence(page, r"At \(1, 1e-5\)-DP, noise") != before
    shown(page, "(1, 1e-5)-DP")
    settled(page)
    rail = page.get_by_role("slider", name="Budget in the chart")
    rail.scroll_into_view_if_needed()
    box = rail.bounding_box()
    page.mouse.move(box["x"] + 3, box["y"] + box["height"] / 2)
    page.mouse.down()
    shown(page, "(0.01, 1e-5)-DP")
    page.mouse.move(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    assert same_as_by_plotly(page, page.mouse.up)
    shown(page, "(10, 1e-5)-DP")


@PHONE_IN_THE_DARK
def test_every_view_fits_phone_in_dark_mode(page, server):
    begin(page, server)
    every_look_fits(
        page,
        (
            ("CoinPress", "from sizes and budget alone"),
            ("Pooling", "Best k on the public set"),
            ("Forms", "has the highest balanced accuracy"),
        ),
    )


SCROLLED = """document.querySelector('[data-testid="stMain"]').scrollTop"""
LANDED = (
    """() => document.querySelector('[class*="st-key-tabs-"]')?.getBoundingClientRect().top < 120"""
)


def test_link_to_view_scrolls_there_once(page, server):
    page.goto(f"{server['url']}/dp-means?data={server['own']}&ir=10&eps=0.5&look=pool")
    page.wait_for_function(LANDED, timeout=PATIENCE)
    page.get_by_role("heading", level=1).scroll_into_view_if_needed()
    top = page.evaluate(SCROLLED)
    page.get_by_role("slider", name="Privacy budget ε").first.press("ArrowRight")
    sentence(page, r"At ε\s=\s1, ")
    settled(page)
    assert page.evaluate(SCROLLED) == top
