"""The first view of a page, on a screen of 1440 × 900 pixels."""

import pytest

from tests.kit.browser import PATIENCE, settled

MOST = 120
"""Words outside the side bar."""
WORDS = """() => {
  const main = document.querySelector('[data-testid="stMain"]');
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  const words = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    if (parent.closest('style, script, [data-testid="stIconMaterial"]')) continue;
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || box.bottom <= 0 || box.top >= innerHeight) continue;
    words.push(...node.textContent.split(/\\s+/).filter((word) => /\\p{L}/u.test(word)));
  }
  return words;
}"""


@pytest.mark.parametrize("address", ["public-prototypes"])
def test_first_view_has_few_words(page, server, address):
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{server['url']}/{address}")
    page.locator(".dp-tiles").first.wait_for(timeout=PATIENCE)
    settled(page)
    words = page.evaluate(WORDS)
    assert 40 < len(words) <= MOST, " ".join(words)
