"""From asking for a data set that nobody asked for yet to its first chart, its answer and the whole
page of Trade-off, in a browser.

Each turn has a server of its own with nothing stored, where another data set's page was opened
before, so that what is timed is reading the data, features and runs, not the server's start.

Needs Chromium and requirements-dev.txt.

    make bench BENCH=benchmarks/first_look.py
    PYTHONPATH=. python benchmarks/first_look.py clothes letters --turns 5
"""

from __future__ import annotations

import argparse
import os
import tempfile
from statistics import median

from _common import table, verdict
from _served import served
from page_moves import FLAGS, settled
from playwright.sync_api import Browser, Page, sync_playwright

BEFORE = "mnist5k"
TARGET = 6.0
"""Seconds until the first chart that are wanted."""
PATIENCE = 180_000
DRAWN = """() => document.querySelectorAll('.st-key-picture .scatterlayer .point').length > 0"""
ANSWERED = "() => /^At /.test(document.querySelector('.st-key-answer')?.innerText ?? '')"


def looked_at(browser: Browser, dataset: str) -> tuple[float, float, float]:
    """Seconds until a point is drawn, until the answer stands and until all is there."""
    with (
        tempfile.TemporaryDirectory() as folder,
        served("dpviz.ui.server.serve", DPVIZ_CACHE=folder) as (
            address,
            _,
        ),
    ):
        page = browser.new_context().new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(f"{address}/trade-off?voice=precise&data={BEFORE}")
        page.wait_for_function(ANSWERED)
        settled(page)
        times = asked(page, f"{address}/trade-off?voice=precise&data={dataset}")
        page.context.close()
        return times


def asked(page: Page, address: str) -> tuple[float, float, float]:
    """The same for a page that opens now."""
    page.goto(address, wait_until="commit")
    clock = "() => performance.now() / 1000"
    seconds = []
    for condition in (DRAWN, ANSWERED):
        page.wait_for_function(condition, polling="raf")
        seconds.append(page.evaluate(clock))
    settled(page)
    return seconds[0], seconds[1], page.evaluate(clock)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("datasets", nargs="*", default=["clothes"])
    parser.add_argument("--turns", type=int, default=5)
    options = parser.parse_args()
    rows = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        for dataset in options.datasets:
            turns = [looked_at(browser, dataset) for _ in range(options.turns)]
            rows.append((dataset, *(median(column) for column in zip(*turns, strict=True))))
        browser.close()
    cells = [(row[0], *(f"{seconds:.1f}" for seconds in row[1:])) for row in rows]
    table(["data set", "first chart s", "answer s", "whole page s"], cells)
    print(f"\n{options.turns} turns; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for dataset, chart, *_ in rows:
        verdict(f"s until the first chart of {dataset}", chart, TARGET, is_limit=True)


if __name__ == "__main__":
    main()
