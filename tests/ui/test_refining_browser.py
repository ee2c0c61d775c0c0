"""Refinement in a real browser: an idle page comes to more seeds, and its chart stays."""

import pytest

from tests.kit.browser import CHART, DESK, PATIENCE, begin, serving, settled


@pytest.fixture()
def visitor(browser, tmp_path):
    with serving(tmp_path, refine=True) as server:
        page = browser.new_page(**DESK)
        begin(page, server, m="dppl-mean,class-mean")
        yield page
        page.close()


def test_idle_page_adds_seeds_in_same_chart(visitor):
    zoom = f"{CHART}.same = true; window.Plotly.relayout({CHART}, {{'yaxis.range': [0.2, 0.9]}})"
    visitor.evaluate(zoom)
    visitor.get_by_text("60 seeds (0–59).", exact=True).wait_for(timeout=2 * PATIENCE)
    settled(visitor)
    visitor.get_by_text("over 60 noise seeds").first.wait_for(timeout=PATIENCE)
    assert visitor.evaluate(f"[{CHART}.same, ...{CHART}.layout.yaxis.range]") == [True, 0.2, 0.9]
    visitor.get_by_role("slider", name="Imbalance ratio (IR)").press("ArrowRight")
    visitor.get_by_text("5 seeds (0–4).").first.wait_for(timeout=PATIENCE)
