"""Random walks: how soon a page answers moves that nobody made before, with prefetch and without.

Each move is one step of a random slider of the side bar, after a pause in which a person would look
at the page. Timed by the browser's clock from the key press until the answer has other words, or
until the server has sent the same words again. Both servers begin with an empty store and make
the same moves, one server after the other.

Needs Chromium and requirements-dev.txt.

    make bench BENCH=benchmarks/random_walks.py
    PYTHONPATH=. python benchmarks/random_walks.py --moves 200 trade-off mixed-privacy
    PYTHONPATH=. python benchmarks/random_walks.py --moves 40 --servers prefetch
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import ExitStack
from statistics import median

import numpy as np
from _common import table, verdict
from _served import precisely, served
from page_moves import FLAGS, open_page
from playwright.sync_api import Page, sync_playwright

PAGES = (
    *("trade-off", "dp-means", "public-prototypes", "mixed-privacy", "neural-collapse"),
    *("who-pays", "attackers-view", "teachers-vote", "many-pictures", "maps"),
)
PATIENCE = 180_000
SERVERS = {"prefetch": "1", "none": "0"}
"""Value of DPVIZ_PREFETCH by server."""
QUICK_MS, QUICK_SHARE, P95_MS = 300, 0.85, 1000
SLIDERS = '[data-testid="stSidebar"] input[type="range"]:not(details:not([open]) *)'
WATCH = """() => {
  const app = document.querySelector('[data-testid="stApp"]');
  const words = () => document.querySelector('.st-key-answer')?.textContent.trim();
  const elements = () => [...document.querySelectorAll('.st-key-answer [data-stale="true"]')];
  const old = () => elements().some((one) => one.textContent.trim());
  const note = () => requestAnimationFrame(() => { window.answered ??= performance.now(); });
  let before = '', ran = false, wasOld = false;
  addEventListener('keydown', () => {
    [before, ran, wasOld] = [words(), false, false];
    [window.answered, window.pressed] = [null, performance.now()];
  }, true);
  new MutationObserver(() => {
    const now = words();
    ran ||= app.dataset.testScriptState === 'running';
    wasOld ||= old();
    const ended = ran && app.dataset.testScriptState === 'notRunning';
    const again = ran && wasOld && !old();
    if (ended || (now && !/Computing/.test(now) && (again || now !== before))) note();
  }).observe(document.body, {subtree: true, childList: true, characterData: true,
    attributes: true, attributeFilter: ['data-test-script-state', 'data-stale']});
}"""


def walk(page: Page, rng: np.random.Generator) -> float | None:
    """Make one move; return its milliseconds, None where the slider was at its end."""
    sliders = page.locator(SLIDERS)
    slider = sliders.nth(int(rng.integers(sliders.count())))
    before = slider.input_value()
    slider.focus()
    page.evaluate("window.answered = null")
    page.keyboard.press("ArrowRight" if rng.random() < 0.5 else "ArrowLeft")
    if slider.input_value() == before:
        return None
    page.wait_for_function("window.answered !== null", timeout=PATIENCE, polling=50)
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(
        timeout=PATIENCE
    )
    return float(page.evaluate("window.answered - window.pressed"))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("pages", nargs="*", default=list(PAGES))
    parser.add_argument("--moves", type=int, default=200)
    parser.add_argument("--pause", type=float, default=4.0, help="mean seconds between moves")
    parser.add_argument("--servers", nargs="+", choices=list(SERVERS), default=list(SERVERS))
    options = parser.parse_args()
    times: dict[tuple[str, str], list[float]] = {}
    with ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        for name in options.servers:
            setting = SERVERS[name]
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            with served("dpviz.ui.server.serve", DPVIZ_CACHE=folder, DPVIZ_PREFETCH=setting) as (
                address,
                _,
            ):
                for path in options.pages:
                    rng = np.random.default_rng(0)
                    page = browser.new_page(viewport={"width": 1440, "height": 900})
                    open_page(page, f"{address}/{precisely(path)}")
                    page.evaluate(WATCH)
                    found = times[path, name] = []
                    for _ in range(options.moves):
                        page.wait_for_timeout(1000 * rng.uniform(0.5, 1.5) * options.pause)
                        if (spent := walk(page, rng)) is not None:
                            found.append(spent)
                    page.close()
                    print(path, name, *_row(found), file=sys.stderr)
        browser.close()
    head = ["page", "server", "moves", f"≤ {QUICK_MS} ms", "median ms", "p95 ms", "slowest ms"]
    table(head, [(path, name, *_row(found)) for (path, name), found in times.items()])
    for path in options.pages:
        if not (found := times.get((path, "prefetch"))):
            continue
        share = float(np.mean(np.array(found) <= QUICK_MS))
        verdict(f"share of moves within {QUICK_MS} ms, {path}", share, QUICK_SHARE)
        verdict(f"p95 ms, {path}", float(np.quantile(found, 0.95)), P95_MS, is_limit=True)


def _row(found: list[float]) -> tuple[str, ...]:
    quick = float(np.mean(np.array(found) <= QUICK_MS))
    figures = median(found), float(np.quantile(found, 0.95)), max(found)
    return f"{len(found)}", f"{100 * quick:.0f}%", *(f"{ms:.0f}" for ms in figures)


if __name__ == "__main__":
    main()
