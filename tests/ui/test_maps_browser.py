"""The Maps page in a real browser: a click on a cell opens Trade-off with its settings."""

from tests.kit.browser import PATIENCE, sentence, settled


def test_clicking_a_cell_opens_its_settings(page, server):
    page.goto(f"{server['url']}/maps?data={server['own']}&ir=10&n=1&map=ir&voice=precise")
    sentence(page, "The accuracy of .* ranges from")
    settled(page)
    drawn = page.locator(".st-key-picture .js-plotly-plot .nsewdrag").first
    drawn.scroll_into_view_if_needed()
    drawn.click(position={"x": 20, "y": 12})
    page.wait_for_url("**/trade-off?**", timeout=PATIENCE)
    sentence(page, r"At \(0\.1, 1e-5\)-DP")
    assert "eps=0.1" in page.url and "ir=100" in page.url
