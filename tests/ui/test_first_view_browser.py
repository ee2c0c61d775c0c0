"""The first view of a page, on a screen of 1440 × 900 pixels and on a phone."""

import pytest

from dpviz.text import sweeps
from dpviz.text.your_answer import GUESS_HELP, GUESS_NOTE
from tests.kit.browser import PATIENCE, PHONE, settled

MOST = 120
"""Words outside the side bar."""
PHONE_HEIGHT, ANSWER_LINE, PLOT_TOP = 844, 26, 440
"""Pixels of a phone's first view, of a line of the answer, rounded up, and above a chart."""
WORDS = """() => {
  const main = document.querySelector('[data-testid="stMain"]');
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  const words = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    if (parent.closest('style, script, [data-testid="stIconMaterial"], .dp-icon')) continue;
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || box.bottom <= 0 || box.top >= innerHeight) continue;
    words.push(...node.textContent.split(/\\s+/).filter((word) => /\\p{L}/u.test(word)));
  }
  return words;
}"""


SLIDER = ".st-key-phone-slider input:visible, [class*='st-key-slide-'] .own-slider:visible"
#: Pages with a main slider; it moves the privacy budget.
PAGES = (
    *("trade-off", "dp-means", "public-prototypes", "mixed-privacy", "neural-collapse"),
    *("who-pays", "attackers-view", "many-pictures", "tuning"),
)


@pytest.mark.parametrize("address", ["public-prototypes", "trade-off"])
def test_first_view_has_few_words(page, server, address):
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{server['url']}/{address}")
    page.locator(".dp-tiles").first.wait_for(timeout=PATIENCE)
    settled(page)
    words = page.evaluate(WORDS)
    assert 40 < len(words) <= MOST, " ".join(words)


@pytest.mark.parametrize("tab", [PHONE], indirect=True)
@pytest.mark.parametrize("address", PAGES)
def test_phone_shows_answer_tile_and_one_slider(page, server, address):
    small = {"n": 1, "m": "dppl-mean,class-mean"} if address == "many-pictures" else {}
    link = small or {"data": server["own"], "ir": 10}
    page.goto(f"{server['url']}/{address}?" + "&".join(f"{k}={v}" for k, v in link.items()))
    parts = ".st-key-answer p", ".dp-tiles:not(.dp-waiting) .dp-tile", SLIDER
    for part in parts:
        page.locator(part).first.wait_for(timeout=PATIENCE)
    settled(page)
    boxes = [page.locator(part).first.bounding_box() for part in parts]
    assert all(box["y"] + box["height"] <= PHONE_HEIGHT for box in boxes), boxes
    assert page.locator(SLIDER).count() == 1


@pytest.mark.parametrize("tab", [PHONE], indirect=True)
def test_phone_shows_answer_question_and_whole_chart(page, server):
    page.goto(f"{server['url']}/your-answer")
    chart = page.locator(".st-key-picture .js-plotly-plot").first
    page.locator(".dp-tiles:not(.dp-waiting) .dp-tile").first.wait_for(timeout=PATIENCE)
    chart.locator(".main-svg").first.wait_for(timeout=PATIENCE)
    settled(page)
    answer = page.locator(".st-key-answer p").first.bounding_box()
    assert answer["height"] <= 3 * ANSWER_LINE, answer
    box = chart.bounding_box()
    assert box["y"] <= PLOT_TOP and box["y"] + box["height"] <= PHONE_HEIGHT, box
    question = page.locator(".st-key-own-answer").bounding_box()
    assert answer["y"] < question["y"] < box["y"], "the question is the hook of the page"
    tip = page.locator(".dp-tile .dp-tip").first
    tip.tap()
    shown = tip.evaluate("(tip) => getComputedStyle(tip, '::after').content")
    assert GUESS_NOTE in shown and GUESS_HELP in shown


@pytest.mark.parametrize("tab", [PHONE], indirect=True)
def test_phone_shows_button_of_new_sweep(page, server):
    page.goto(f"{server['url']}/sweeps")
    button = page.get_by_role("button", name=sweeps.START)
    button.wait_for(timeout=PATIENCE)
    settled(page)
    box = button.bounding_box()
    assert box["y"] + box["height"] <= PHONE_HEIGHT, box
