"""The PATE page in a real browser: keys move the threshold, a click opens a query, a
phone shows it whole.
"""

import re

from dpviz.text import teachers_vote as text
from tests.kit.browser import (
    PATIENCE,
    PHONE_IN_THE_DARK,
    every_look_fits,
    sentence,
    settled,
    visit,
)

ONE_VISIT = True


def begin(page, server):
    def ready():
        page.get_by_text(text.SPENT).first.wait_for(timeout=PATIENCE)
        page.locator(".js-plotly-plot").first.wait_for(timeout=PATIENCE)

    link = f"data={server['own']}&ir=1&M=20&asked=20&T=60&voice=precise"
    visit(page, f"{server['url']}/teachers-vote?{link}", ready, moved=True)


def test_keyboard_moves_threshold_and_click_opens_query(page, server):
    begin(page, server)
    before = sentence(page, r"-DP, the teachers answer|No class gets")
    page.get_by_role("radio", name=text.TABS["query"]).click()
    settled(page)
    slider = page.get_by_role("slider", name="Vote noise")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "before => ![...document.querySelectorAll('[data-testid=\"stMarkdown\"]')].some(e =>"
        " e.textContent === before)",
        arg=before,
    )
    settled(page)
    bars = page.locator(".js-plotly-plot").first.locator(".bars .point path")
    bars.last.scroll_into_view_if_needed()
    asked = page.get_by_role("spinbutton", name=re.compile("Query, 1 to"))
    first = asked.input_value()
    for bar in bars.all():  # one of them holds the first query
        box = bar.bounding_box()  # read when clicked: what is above may have moved it
        if box["height"] <= 3:
            continue
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        for _ in range(30):
            page.wait_for_timeout(100)
            if asked.input_value() != first:
                break
        settled(page)
        if asked.input_value() != first:
            break
    assert asked.input_value() != first
    slider.press("ArrowLeft")  # the other views are computed for fewer settings
    page.wait_for_timeout(300)
    settled(page)


@PHONE_IN_THE_DARK
def test_every_view_fits_phone_in_dark_mode(page, server):
    begin(page, server)
    every_look_fits(
        page,
        (
            (text.TABS["classes"], "Classes by number of private images|No query has"),
            (text.TABS["growth"], "counts all 20 queries"),
            (text.TABS["students"], "A student trained on"),
        ),
    )
