"""How fast a chart follows the hand: the budget dragged in every chart that has a slider of its
own, in a real browser, beside the same of an older checkout.

Median milliseconds from one drawn frame to the next that differs; and, since other work on the
machine stretches those, CPU time of the browser's main thread a frame. Checkouts take turns, each
with a server and a page of its own.

Needs Chromium and requirements-dev.txt.

    make bench BENCH=benchmarks/drag_frames.py
    PYTHONPATH=. python benchmarks/drag_frames.py --old ../dpviz-0.2.0 --turns 10 dp-means
"""

from __future__ import annotations

import argparse
import itertools
from collections import defaultdict
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

from _common import table, verdict
from _served import in_turns, precisely
from page_moves import FLAGS, PAGES, main_thread, opened, settled
from playwright.sync_api import CDPSession, Page, sync_playwright

DRAGGED = ("trade-off", "dp-means", "public-prototypes", "mixed-privacy")


HAND = """chart => {
  window.frames_ = [];
  const root = document.querySelector(chart);
  const all = {subtree: true, childList: true, characterData: true, attributes: true};
  new MutationObserver(() => {
    const now = document.timeline.currentTime;
    if (window.frames_.at(-1) !== now) window.frames_.push(now);
  }).observe(root, {...all, attributeFilter: ['d', 'class']});
}"""
"""Times of the browser's frames in which the picture changed."""


@dataclass(frozen=True)
class Drag:
    """Frames seen while the budget was dragged to and fro, the median milliseconds between them,
    and CPU milliseconds of the main thread a frame.
    """

    frames: int
    apart: float
    browser: float


def drag(page: Page, inner: CDPSession, chart: str) -> Drag:
    """The budget dragged to and fro in a chart."""
    own = page.get_by_role("slider", name="Budget in the chart")
    plotlys = page.locator(f"{chart} .slider-rail-rect")  # of older checkouts
    own.or_(plotlys).first.wait_for()
    grip = rail = own
    if plotlys.count():
        grip, rail = page.locator(f"{chart} .slider-grip-rect").first, plotlys.first
    grip.scroll_into_view_if_needed()
    box, way = grip.bounding_box(), rail.bounding_box()
    assert box and way
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    page.evaluate(HAND, chart)
    before = main_thread(inner)
    for step in range(4 * 30 + 1):
        page.mouse.move(way["x"] + way["width"] * abs((step % 60) / 30 - 1), y)
    spent = main_thread(inner) - before
    times = page.evaluate("window.frames_")
    page.mouse.up()
    settled(page)
    gaps = [b - a for a, b in itertools.pairwise(times)]
    return Drag(len(times), median(gaps), spent / len(times))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("pages", nargs="*", default=DRAGGED)
    parser.add_argument("--old", type=Path, help="an older checkout to compare with")
    parser.add_argument("--turns", type=int, default=3, help="drags in each chart")
    options = parser.parse_args()
    found = defaultdict(list)
    with ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        servers = in_turns(stack, options.old)
        for path in options.pages:
            chart, *_ = PAGES[path]
            pages = {name: browser.new_page() for name in servers}
            link = precisely(path)
            inner = {name: opened(pages[name], f"{servers[name][0]}/{link}") for name in pages}
            for _ in range(options.turns):
                for name, page in pages.items():
                    found[path, name].append(drag(page, inner[name], chart))
            for page in pages.values():
                page.close()
        browser.close()
    heads = ["dragged in the chart", "checkout", "frames", "ms apart", "least", "most"]
    rows = [_row(path, name, found[path, name]) for path in options.pages for name in servers]
    table([*heads, "main thread CPU ms a frame"], rows)
    for path in options.pages:
        apart = median(hand.apart for hand in found[path, "here"])
        verdict(f"ms between frames, {path}", apart, 60, is_limit=True)


def _row(path: str, name: str, each: list[Drag]) -> tuple[str, ...]:
    apart = [hand.apart for hand in each]
    figures = (sum(hand.frames for hand in each), median(apart), min(apart), max(apart))
    own = fmean(hand.browser for hand in each)
    return (path, name, *(f"{figure:.0f}" for figure in (*figures, own)))


if __name__ == "__main__":
    main()
