"""Every page of the navigation under axe-core, light and dark: no serious problem. And what axe
does not see: contrast of what is drawn.
"""

from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest

from dpviz.text.navigation import ENTRIES, LINKED
from tests.kit.browser import DESK, PATIENCE, ROOT, forget, keep, settled
from tests.kit.toys import content, toy_data

axe = pytest.importorskip(
    "axe_playwright_python", reason="accessibility tests need the axe-playwright-python package"
)
AXE = (Path(axe.__file__).parent / "axe.min.js").read_text()
NAMES = (*(name for titles in ENTRIES.values() for name in titles), *LINKED)
PAGES = [name.replace("_", "-") for name in NAMES]
FRONT = "front"
LINKS = {
    "neural-collapse": {
        "data": "etf",
        "etf.dim": 16,
        "etf.n": 300,
        "etf.beta": 0.1,
        "beside": "",
        "noisy-gd.steps": 10,
    },
    "teachers-vote": {"ir": 1, "M": 20, "asked": 20, "T": 60},
    "data": {"data": "uci-digits"},
    "break-it": {"n": 2, "of": "dppl-mean", "noticed": "no"},
    "many-pictures": {"n": 1, "m": "dppl-mean,class-mean"},
    "tuning": {"trials": 4},
    "maps": {"map": "pool", "n": 1},
}
"""Settings of a page that make it small, beside the toy upload and few seeds."""
RUN = """async (only) => (
  await axe.run(document, {resultTypes: ["violations"], ...only})).violations
  .filter((v) => ["serious", "critical"].includes(v.impact))
  .flatMap((v) => v.nodes.map((n) =>
    `${v.id} (${v.help}) at ${n.target}: ${n.html.slice(0, 120)} ${n.failureSummary}`))"""
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}
"""The rules that another theme can break."""
UNTOLD = """() => [...document.querySelectorAll('.stPlotlyChart')]
  .map((c) => c.ariaLabel || "").filter((words) => words.length < 20)"""
DARK = "getComputedStyle(document.querySelector('.stApp')).backgroundColor"


@pytest.fixture(scope="module")
def labelled(server):
    """The toy upload with labels on its public set, which Mixed privacy needs, and with persons."""
    data = toy_data(per_class=60)
    whose = np.arange(len(data.x)) // 8
    return keep(server["cache"], content(y_public=data.y_public, persons=whose))


@pytest.fixture(scope="module")
def visited(tabs):
    """One tab for all pages."""
    tab = tabs(DESK)
    yield tab
    forget(tab, DESK)


def open_everything(tab):
    """Open all folds: what is folded is part of the page."""
    for _ in range(2):
        tab.evaluate(
            "document.querySelectorAll('details:not([open]) > summary').forEach((s) => s.click())"
        )
        tab.wait_for_timeout(150)
        settled(tab)


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_serious_violations_in_either_theme(visited, server, labelled, name):
    visited.emulate_media(color_scheme="light")
    link = {"data": labelled, "ir": 10, "n": 2} | LINKS.get(name, {})
    path = f"{name}?{urlencode(link)}" if name != FRONT else "?pictures=clothes&privacy=0.2"
    visited.goto(f"{server['url']}/{path}")
    visited.locator("h1").first.wait_for(timeout=PATIENCE)
    settled(visited)
    open_everything(visited)
    assert not visited.evaluate(UNTOLD), "a chart without a text that says what it shows"
    if visited.locator(".stPlotlyChart").count():  # the Export menu has the data behind it
        visited.locator(".st-key-export button").first.wait_for(timeout=PATIENCE)
    visited.add_style_tag(
        content="*, ::before, ::after { transition: none !important }"
    )  # else colours fade into each other
    visited.evaluate(AXE)
    found = visited.evaluate(RUN, {})
    light = visited.evaluate(DARK)
    visited.emulate_media(color_scheme="dark")
    visited.wait_for_function(f"{DARK} !== '{light}'", timeout=PATIENCE)
    found += [f"dark: {each}" for each in visited.evaluate(RUN, COLOURS)]
    assert not found, "\n".join(found)


def test_every_page_file_is_in_navigation():
    assert {file.stem.replace("_", "-") for file in (ROOT / "pages").glob("*.py")} == set(PAGES)
