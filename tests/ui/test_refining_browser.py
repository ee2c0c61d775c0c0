"""Refinement in a real browser: an idle page comes to more runs, and its chart stays."""

import re

import pytest

from tests.kit.browser import CHART, PATIENCE, begin, serving, settled


@pytest.fixture
def server(tmp_path_factory):
    """A server for each test: one that refined the last setting already would begin with it."""
    with serving(tmp_path_factory.mktemp("server"), refine=True) as running:
        yield running


@pytest.mark.parametrize(
    ("draws", "shown", "band"),
    [
        ("1", r"^(10|20|40|60) seeds \(0–\d+\)\.", r"over (10|20|40|60) noise seeds"),
        (
            "auto",
            r"^(5|10) data draws \(0–\d\) with (5|10) seeds each \(0–\d\)\.",
            r"over (5|10) data draws, (5|10) noise seeds each",
        ),
    ],
)
def test_idle_page_adds_runs_in_same_chart(tab, server, draws, shown, band):
    begin(tab, server, m="dppl-mean,class-mean", draws=draws)
    zoom = f"{CHART}.same = true; window.Plotly.relayout({CHART}, {{'yaxis.range': [0.2, 0.9]}})"
    tab.evaluate(zoom)
    tab.get_by_text(re.compile(shown)).first.wait_for(timeout=2 * PATIENCE)
    settled(tab)
    tab.get_by_text(re.compile(band)).first.wait_for(timeout=PATIENCE)
    assert tab.evaluate(f"[{CHART}.same, ...{CHART}.layout.yaxis.range]") == [True, 0.2, 0.9]
    tab.get_by_role("slider", name="Imbalance ratio").press("ArrowRight")
    tab.get_by_text("5 seeds (0–4).").first.wait_for(timeout=PATIENCE)
