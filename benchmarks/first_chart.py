"""From the command's start to the complete chart of Trade-off, or to the pictures of the front page
(``--front``), in a browser that opens as soon as the server answers.

Seconds of two starts, as medians: a later one, with everything stored; and the first one of a fresh
clone after its set-up, with nothing compiled or stored but by the set-up. The unit is what the
machine takes to import torch, scipy.stats, streamlit, plotly and pandas, timed in between. Beside
them stands how long the browser shows nothing once it was answered, and when the page's question
stands. With the path of another checkout both take turns.

Needs Chromium and requirements-dev.txt.

    make bench BENCH=benchmarks/first_chart.py
    PYTHONPATH=. python benchmarks/first_chart.py --old /path/to/other/checkout --turns 10
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from _common import table, verdict
from _served import free_port, precisely, wait_until_served
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-sync"
).split()
UNIT = "import torch, scipy.stats, streamlit, plotly, pandas"
WORDS = "#loading:visible, h1"
METHODS = 3
COMPLETE = rf"""() => /\d/.test(document.querySelector('.st-key-answer')?.innerText ?? '')
  && [...document.querySelectorAll('.st-key-picture .textpoint')]
    .filter(text => /\d\s?%/.test(text.textContent)).length >= {METHODS}"""
"""The answer is there, and the chart has a number for each private method."""
PICTURES = "() => document.querySelector('.fp[data-ready]')"
"""The front page stands and can be moved."""
PATIENCE = 300_000
LATER, FRESH = "later start", "fresh clone"
TARGETS = {LATER: 0.7, FRESH: 1.0}


class Start(NamedTuple):
    """Seconds from the command to the complete chart and to the question; from the first answer
    to the first words, of whatever kind.
    """

    chart: float
    question: float
    empty: float


def start(browser: Browser, tree: Path, environment: dict[str, str], front: bool) -> Start:
    """One start in a new profile of the browser; ``front``: of the front page."""
    port = free_port()
    command = [sys.executable, "-m", *_served_by(tree, str(port))]
    page = browser.new_context().new_page()
    page.set_default_timeout(PATIENCE)
    began = time.perf_counter()
    server = subprocess.Popen(command, cwd=tree, env=environment, stdout=subprocess.DEVNULL)
    try:
        wait_until_served(port, path="")
        answered = time.perf_counter()
        path = "trade-off" if (tree / "pages/front.py").exists() and not front else ""
        page.goto(f"http://127.0.0.1:{port}/{precisely(path)}", wait_until="commit")
        page.locator(WORDS).first.wait_for()
        empty = time.perf_counter() - answered
        page.locator("h1").first.wait_for()
        question = time.perf_counter() - began
        page.wait_for_function(PICTURES if front else COMPLETE, polling="raf")
        return Start(time.perf_counter() - began, question, empty)
    finally:
        page.context.close()
        server.terminate()
        server.wait(20)


def _served_by(tree: Path, port: str) -> list[str]:
    """What ``make app`` of a checkout runs: 0.2.0 had no command for it."""
    if (tree / "dpviz/cli/app_command.py").exists():
        return ["dpviz", "app", "--port", port]
    return ["dpviz.ui.server.serve", "--server.port", port, "--server.headless", "true"]


def unit() -> float:
    """Seconds of the imports that every start is measured in."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", UNIT], check=True)
    return time.perf_counter() - began


def _environment(tree: Path, cache: str, **variables: str) -> dict[str, str]:
    return os.environ | {"DPVIZ_CACHE": cache, "PYTHONPATH": str(tree)} | variables


def later(browser: Browser, tree: Path, cache: str, front: bool) -> Start:
    """A start with everything stored."""
    return start(browser, tree, _environment(tree, cache), front)


def fresh(browser: Browser, tree: Path, front: bool) -> Start:
    """A start with nothing stored or compiled, after the set-up where there is one."""
    with tempfile.TemporaryDirectory() as folder:
        own = _environment(tree, f"{folder}/cache", PYTHONPYCACHEPREFIX=f"{folder}/compiled")
        set_up(tree, own)
        return start(browser, tree, own, front)


def set_up(tree: Path, environment: dict[str, str]) -> None:
    """The set-up of a checkout, where there is one."""
    if (tree / "dpviz/ui/server/warmup.py").exists():
        command = [sys.executable, "-m", "dpviz.ui.server.warmup"]
        subprocess.run(command, cwd=tree, env=environment, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--old", type=Path, help="another checkout to compare with")
    parser.add_argument("--turns", type=int, default=10, help="later starts (%(default)s)")
    parser.add_argument("--fresh", type=int, default=3, help="fresh clones (%(default)s)")
    parser.add_argument("--front", action="store_true", help="the front page, not Trade-off")
    asked = parser.parse_args()
    trees = {"here": ROOT} | ({"old": asked.old.resolve()} if asked.old else {})
    starts_by_kind: dict[tuple[str, str], list[Start]] = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        for name, tree in trees.items():
            set_up(tree, _environment(tree, f"{folder}/{name}"))
            later(browser, tree, f"{folder}/{name}", asked.front)
        unit()
        units = []
        for turn in range(max(asked.turns, asked.fresh)):
            print(f"turn {turn + 1}", file=sys.stderr)
            units.append(unit())
            for name, tree in trees.items():
                if turn < asked.turns:
                    starts_by_kind.setdefault((LATER, name), []).append(
                        later(browser, tree, f"{folder}/{name}", asked.front)
                    )
                if turn < asked.fresh:
                    starts_by_kind.setdefault((FRESH, name), []).append(
                        fresh(browser, tree, asked.front)
                    )
        browser.close()
    report(starts_by_kind, median(units))


def report(found: dict[tuple[str, str], list[Start]], run: float) -> None:
    """The medians, in seconds and units of ``run`` second."""
    rows = []
    for (kind, name), starts in sorted(found.items()):
        chart, question, empty = (median(column) for column in zip(*starts, strict=True))
        slowest = max(each.chart for each in starts)
        times = (chart, chart / run, slowest, question, empty)
        row = [f"{time:.2f}" for time in times]
        rows.append([f"{kind}, {name}", len(starts), *row])
    table(["start", "turns", "chart s", "units", "slowest s", "question s", "empty s"], rows)
    print(f"\nunit: {run:.2f} s; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end")
    for kind, target in TARGETS.items():
        if here := found.get((kind, "here")):
            verdict(f"units, {kind}", median(s.chart for s in here) / run, target, is_limit=True)
            verdict(
                f"s of an empty page, {kind}", median(s.empty for s in here), 1.0, is_limit=True
            )


if __name__ == "__main__":
    main()
