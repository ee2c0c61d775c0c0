"""A move that nobody made before, in a real browser, page by page, beside the same of an older
checkout.

Each move begins at a page with a first seed that was never asked for, and goes one step of a slider
to the right. Timed by the browser's own clock from the key press: until the sentence is another
one, and until the main chart shows what it shows in the end. Data and features are there already;
results go to a throw-away folder. Checkouts take turns, so that what else the machine does
stretches both.

Needs Chromium and requirements-dev.txt.

    make bench BENCH=benchmarks/new_moves.py
    PYTHONPATH=. python benchmarks/new_moves.py --old ../dpviz-0.2.0 --moves 10 trade-off
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from _common import table, verdict
from _served import ROOT, served
from page_moves import DRAWN, FLAGS, WATCH, settled
from playwright.sync_api import Page, sync_playwright

RATIO, SHOTS = "Imbalance ratio", "Public shots a class"
PICTURE = ".st-key-picture"
MOVES = {
    "trade-off": ("At IR", PICTURE, RATIO, 400, 1000),
    "mixed-privacy": ("With\\s", PICTURE, RATIO, 400, 2000),
    "mixed-privacy?ir=10": ("With\\s", PICTURE, SHOTS, 400, 2000),
    "neural-collapse": ("At IR", PICTURE, RATIO, 700, 700),
    "dp-means": ("At IR", ".st-key-dp-means-map", RATIO, 700, 700),
    "public-prototypes": ("At IR", ".frames", RATIO, 700, 700),
    "who-pays": ("At IR", ".st-key-who-pays-sorted", RATIO, 700, 700),
}
"""Address, how its sentence begins, where its main chart is, the slider that is moved, and the
milliseconds until words and picture that are wanted.
"""


def move(page: Page, address: str, begins: str, chart: str, slider: str) -> tuple[float, float]:
    """Milliseconds of one move until other words stand there, and until the chart is done."""
    page.goto(address)
    page.locator('[data-testid="stMarkdown"]', has_text=re.compile(begins)).first.wait_for(
        timeout=180_000
    )
    settled(page)
    page.evaluate(WATCH, [begins, chart])
    page.get_by_role("slider", name=slider).focus()
    page.evaluate("window.moved = window.answered = null")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("window.moved !== null", timeout=180_000, polling=50)
    settled(page)
    return page.evaluate("window.moved - window.pressed"), page.evaluate(DRAWN) or 0.0


def main() -> None:
    """Print the table."""
    asked = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    asked.add_argument("pages", nargs="*", default=list(MOVES))
    asked.add_argument("--old", type=Path, help="an older checkout to compare with")
    asked.add_argument("--moves", type=int, default=10)
    options = asked.parse_args()
    roots = {"here": ROOT} | ({"before": options.old.resolve()} if options.old else {})
    found = defaultdict(list)
    with ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        servers = {}
        for name, root in roots.items():
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            servers[name], _ = stack.enter_context(
                served("dpviz.ui.serve", root=root, DPVIZ_CACHE=folder)
            )
        for path in options.pages:
            for seed in range(1, options.moves + 2):  # the first one embeds and imports
                for name, server in servers.items():
                    page = browser.new_page()
                    link = f"{server}/{path}{'&' if '?' in path else '?'}seed={100 * seed}"
                    times = move(page, link, *MOVES[path][:3])
                    page.close()
                    if seed > 1:
                        found[path, name].append(times)
        browser.close()
    rows = []
    for path in options.pages:
        medians = [
            f"{median(each[k] for each in found[path, name]):.0f}"
            for k in range(2)
            for name in roots
        ]
        rows.append((path, MOVES[path][2], *medians))
    heads = [f"{what} ms, {name}" for what in ("words", "picture") for name in roots]
    table(["page", "moved", *heads], rows)
    for path in options.pages:
        for k, what in enumerate(("words", "picture")):
            value = median(each[k] for each in found[path, "here"])
            verdict(f"ms until the {what}, {path}", value, MOVES[path][3 + k], most=True)


if __name__ == "__main__":
    main()
