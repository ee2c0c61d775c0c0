"""A move that nobody made before, in a real browser, page by page, beside the same of an older
checkout.

Each move begins at a page with a first seed that was never asked for, and goes one step of a slider
to the right. Timed by the browser's own clock from the key press: until the answer has other words
than before (until the script has ended, where they stay), until it has those that it keeps, until
the main chart shows what it shows in the end, and until the page's script has ended, cards, closer
look and all. Words that stood before the last ones are told, since an answer that is put right
later is none. Data and features are there already; results go to a throw-away folder. Checkouts
take turns, so that what else the machine does stretches both. Each page's medians are told on
stderr as soon as they are there.

Needs Chromium and requirements-dev.txt.

    make bench BENCH=benchmarks/new_moves.py
    PYTHONPATH=. python benchmarks/new_moves.py --old ../dpviz-0.2.0 --moves 10 trade-off
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import NamedTuple

from _common import table, verdict
from _served import in_turns, precisely
from page_moves import DRAWN, FLAGS, WATCH, open_page, settled
from playwright.sync_api import Page, sync_playwright

RATIO, SHOTS = "Imbalance ratio", "Public shots a class"
PICTURE = ".st-key-picture"
MOVES = {
    "trade-off": (PICTURE, RATIO, 400, 1000),
    "mixed-privacy": (PICTURE, RATIO, 400, 2000),
    "mixed-privacy?ir=10": (PICTURE, SHOTS, 400, 2000),
    "neural-collapse": (PICTURE, RATIO, 700, 700),
    "dp-means": (".st-key-dp-means-map", RATIO, 700, 700),
    "public-prototypes": (".frames", RATIO, 700, 700),
    "who-pays": (PICTURE, RATIO, 700, 700),
    "attackers-view": (PICTURE, RATIO, 700, 700),
    "teachers-vote": (".st-key-teachers-vote-bars", RATIO, 700, 700),
}
"""Where the main chart of an address is, the slider that is moved, and the milliseconds until words
and picture that are wanted.
"""
PATIENCE = 180_000
"""Milliseconds that a page or a move may take."""
ANSWERED = """() => {
  const app = document.querySelector('[data-testid="stApp"]');
  const state = () => app.dataset.testScriptState;
  const words = () => document.querySelector('.st-key-answer')?.textContent.trim();
  const next = set => requestAnimationFrame(() => set(performance.now()));
  let last = words();
  window.said = [];
  new MutationObserver(() => {
    const now = words();
    if (!now || now === last) return;
    last = now;
    next(at => window.said.push([at, now]));
  }).observe(document.body, {subtree: true, childList: true, characterData: true});
  window.still = 0;
  new MutationObserver(() => {
    if (state() === 'notRunning') window.still = performance.now();
  }).observe(app, {attributeFilter: ['data-test-script-state']});
}"""
"""Logs each frame with other words in the answer, and when the script ended last."""


class Move(NamedTuple):
    """Milliseconds from the key until other words stood in the answer, until its last ones did,
    until the chart was done and until the script had ended.
    """

    words: float
    last_words: float
    picture: float
    page: float


HEADS = ("first new words", "last words", "picture", "whole page")


def move(page: Page, address: str, chart: str, slider: str) -> Move:
    """One move."""
    open_page(page, address)
    page.evaluate(WATCH, chart)
    page.evaluate(ANSWERED)
    page.get_by_role("slider", name=slider).focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "window.said.length > 0 || window.still > 0", timeout=PATIENCE, polling=50
    )
    settled(page)
    pressed, sentences, ended = page.evaluate("[window.pressed, window.said, window.still]")
    for _, words in sentences[:-1]:
        print(f"  stood for a while: {words}", file=sys.stderr)
    times = [at for at, _ in sentences] or [ended]  # the same words at both settings
    first, last = times[0] - pressed, times[-1] - pressed
    return Move(first, last, page.evaluate(DRAWN) or 0.0, ended - pressed)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("pages", nargs="*", default=list(MOVES))
    parser.add_argument("--old", type=Path, help="an older checkout to compare with")
    parser.add_argument("--moves", type=int, default=10)
    options = parser.parse_args()
    moves_by_server: dict[tuple[str, str], list[Move]] = defaultdict(list)
    with ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        servers = in_turns(stack, options.old)
        for path in options.pages:
            began = time.perf_counter()
            for seed in range(1, options.moves + 2):  # the first one embeds and imports
                for name, (server, _) in servers.items():
                    page = browser.new_page()
                    link = f"{server}/{precisely(path)}&seed={100 * seed}"
                    times = move(page, link, *MOVES[path][:2])
                    page.close()
                    if seed > 1:
                        moves_by_server[path, name].append(times)
            medians_text = "; ".join(
                f"{name} {_told(moves_by_server[path, name])}" for name in servers
            )
            print(f"{path}, {time.perf_counter() - began:.0f} s: {medians_text}", file=sys.stderr)
        browser.close()
    rows = [
        (path, MOVES[path][1], name, *map("{:.0f}".format, _medians(moves_by_server[path, name])))
        for path in options.pages
        for name in servers
    ]
    table(["page", "moved", "checkout", *(f"{head} ms" for head in HEADS)], rows)
    for path in options.pages:
        medians = _medians(moves_by_server[path, "here"])
        words, picture = MOVES[path][2:]
        verdict(f"ms until the last words, {path}", medians.last_words, words, is_limit=True)
        verdict(f"ms until the picture, {path}", medians.picture, picture, is_limit=True)


def _medians(moves: list[Move]) -> Move:
    return Move(*(median(times) for times in zip(*moves, strict=True)))


def _told(moves: list[Move]) -> str:
    return ", ".join(f"{h} {ms:.0f} ms" for h, ms in zip(HEADS, _medians(moves), strict=True))


if __name__ == "__main__":
    main()
