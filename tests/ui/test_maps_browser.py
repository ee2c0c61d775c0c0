"""The page "Maps" in a real browser: a click on a cell opens Trade-off with its settings."""

from tests.kit.browser import PATIENCE, PHONE_IN_THE_DARK, sentence, settled


@PHONE_IN_THE_DARK
def test_a_click_on_a_cell_and_the_boxes_lead_to_its_settings(page, server):
    page.goto(f"{server['url']}/maps?data={server['own']}&ir=10&n=1&map=ir&voice=precise")
    sentence(page, "is right most often at")
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.locator(".js-plotly-plot .scatterlayer .points path").nth(0).wait_for(
        state="attached", timeout=PATIENCE
    )
    page.locator(".js-plotly-plot .nsewdrag").first.click(position={"x": 8, "y": 8})
    page.wait_for_url("**/trade-off?**", timeout=PATIENCE)
    sentence(page, r"At IR 100 and \(0\.1, 1e-5\)-DP|IR 100")
    assert "eps=0.1" in page.url and "ir=100" in page.url
