"""A move in a real browser: key press to repainted words, page by page, beside a page that does nothing.

Needs Chromium and requirements-dev.txt. Each page is walked once over the budgets first, so that what is
timed is a move to a view that was seen before. Median of ten moves.

    make bench BENCH=benchmarks/page_moves.py
"""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from _common import table, verdict
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
FLAGS = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-sync".split()
PAGES = {
    "": "At IR",
    "dp-means": "At IR",
    "public-prototypes": "At IR",
    "mixed-privacy": "With 2 public examples",
    "who-pays": "At IR",
    "attackers-view": "At \\(",
    "teachers-vote": "100 teachers",
}
"""Address, and how its sentence begins."""
SLIDERS = {"teachers-vote": "Threshold T, % of teachers"}
"""The slider that is moved, where it is not the budget."""
EMPTY = """import streamlit as st
budget = st.select_slider("Budget ε", [.01, .02, .03, .05, .1, .2, .3, .5, 1., 2., 3., 5., 10.], 1.)
st.markdown(f"At IR and ({budget:g}) nothing is drawn.")
"""
MOVES = 10
WATCH = """begins => {
  const words = () => [...document.querySelectorAll('[data-testid="stMarkdown"]')]
    .map(e => e.innerText).find(t => new RegExp(begins).test(t));
  let before = words();
  addEventListener('keydown', () => { window.pressed = performance.now(); before = words(); }, true);
  new MutationObserver(() => {
    const now = words();
    if (window.moved === null && now && now !== before) requestAnimationFrame(() => { window.moved ??= performance.now(); });
  }).observe(document.body, {subtree: true, childList: true, characterData: true});
}"""
"""The browser's own clock, from the key to the first frame with other words: asking it from outside would slow it."""


@contextmanager
def served(*command: str):
    """The address of a server that this starts and ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["--server.port", str(port), "--server.headless", "true"]
    process = subprocess.Popen([sys.executable, "-m", *command, *options], cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        _wait(f"http://127.0.0.1:{port}/_stcore/health")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()


def _wait(address: str) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(address, timeout=1)
            return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(address)


def settled(page: Page) -> None:
    """Wait until the script has run and a moment has passed."""
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(timeout=180_000)
    page.wait_for_timeout(400)


def moves(page: Page, address: str, begins: str, name: str = "Budget ε") -> list[float]:
    """Milliseconds of each move of a slider by an arrow key, to and fro."""
    page.goto(address)
    words = page.locator('[data-testid="stMarkdown"]', has_text=re.compile(begins)).first
    words.wait_for(timeout=180_000)
    settled(page)
    page.evaluate(WATCH, begins)
    slider = page.get_by_role("slider", name=name)
    times = []
    for turn in range(2 * 3 + MOVES):
        slider.focus()
        page.evaluate("window.moved = null")
        page.keyboard.press("ArrowLeft" if turn % 2 == 0 else "ArrowRight")
        page.wait_for_function("window.moved !== null", timeout=60_000, polling=100)
        times.append(page.evaluate("window.moved - window.pressed"))
        settled(page)
    return times[-MOVES:]


def main() -> None:
    """Print the table."""
    found = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        empty = Path(folder) / "empty.py"
        empty.write_text(EMPTY)
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        with served("streamlit", "run", str(empty)) as address:
            found["empty page"] = moves(browser.new_page(), address, "At IR")
        with served("dpviz.ui.serve") as address:
            for path, begins in PAGES.items():
                found[path or "trade-off"] = moves(browser.new_page(), f"{address}/{path}", begins, SLIDERS.get(path, "Budget ε"))
        browser.close()
    base = median(found["empty page"])
    rows = [(name, f"{median(ms):.0f}", f"{max(ms):.0f}", f"{median(ms) / base:.1f}") for name, ms in found.items()]
    table(["page", "median ms", "worst ms", "× empty"], rows)
    for name, ms in list(found.items())[1:]:
        verdict(f"ms a move, {name}", median(ms), 300, most=True)


if __name__ == "__main__":
    main()
