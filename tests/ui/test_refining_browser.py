"""Refinement in a real browser: an idle page comes to more runs, and its chart stays."""

import re

import pytest

from tests.kit.browser import CHART, DESK, PATIENCE, begin, keep, serving, settled
from tests.kit.toys import content

ONE_VISIT = True
LINK = {"m": "dppl-mean,class-mean"}


@pytest.fixture(scope="module")
def server(tabs, tmp_path_factory):
    """A server that refines; ``first`` is what its first visitor saw, who came by a link, and
    ``other`` a second upload: settings that were refined already would begin with it.
    """
    with serving(tmp_path_factory.mktemp("server"), refine=True) as running:
        visitor = tabs(DESK)
        begin(visitor, running, draws="1", **LINK)
        running["first"] = visitor.locator("body").inner_text()
        running["other"] = keep(running["cache"], content(class_names=["ant", "bee", "cow", "dog"]))
        yield running


def test_first_visitor_may_arrive_by_link(server):
    assert "What does privacy cost" in server["first"] and "Page not found" not in server["first"]


@pytest.mark.parametrize(
    ("upload", "draws", "shown", "band"),
    [
        ("own", "1", r"^(10|20|40|60) seeds \(0–\d+\)\.", r"over (10|20|40|60) noise seeds"),
        (
            "other",
            "auto",
            r"^(5|10) data draws \(0–\d\) with (5|10) seeds each \(0–\d\)\.",
            r"over (5|10) data draws, (5|10) noise seeds each",
        ),
    ],
)
def test_idle_page_adds_runs_in_same_chart(tab, server, upload, draws, shown, band):
    begin(tab, server, data=server[upload], draws=draws, **LINK)
    zoom = f"{CHART}.same = true; window.Plotly.relayout({CHART}, {{'yaxis.range': [0.2, 0.9]}})"
    tab.evaluate(zoom)
    tab.get_by_text(re.compile(shown)).first.wait_for(timeout=2 * PATIENCE)
    settled(tab)
    tab.get_by_text(re.compile(band)).first.wait_for(timeout=PATIENCE)
    assert tab.evaluate(f"[{CHART}.same, ...{CHART}.layout.yaxis.range]") == [True, 0.2, 0.9]
    tab.get_by_role("slider", name="Imbalance ratio").press("ArrowRight")
    tab.get_by_text("5 seeds (0–4).").first.wait_for(timeout=PATIENCE)
