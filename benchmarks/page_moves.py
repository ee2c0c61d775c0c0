"""A move in a real browser, page by page, beside a page that does nothing.

Timed by the browser's own clock from the key press: until the sentence is another one, and until
the main chart shows what it shows in the end. Where the browser has both at hand for every budget,
it also says when the server's own answer stood there. Beside the milliseconds, which other work on
the machine stretches, stand the CPU time of the server and that of the browser's main thread a
move, which it hardly does. Each page is walked over the budgets first, so that what is timed is a
move to a view that was seen before. Medians of ten moves, CPU time as the mean.

Needs Chromium and requirements-dev.txt.

    make bench BENCH=benchmarks/page_moves.py
    PYTHONPATH=. python benchmarks/page_moves.py dp-means                    some pages alone
    PYTHONPATH=. python benchmarks/page_moves.py --old ../dpviz-0.2.0        an older checkout too
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

from _common import table, verdict
from _served import in_turns, precisely, served
from playwright.sync_api import CDPSession, Page, sync_playwright

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-sync"
).split()
THRESHOLD = "Threshold T, % of teachers"
PAGES = {
    "trade-off": (".st-key-picture",),
    "dp-means": (".st-key-dp-means-map",),
    "public-prototypes": (".frames",),
    "mixed-privacy": (".st-key-picture",),
    "who-pays": (".st-key-picture",),
    "attackers-view": (".st-key-picture",),
    "teachers-vote": (".st-key-teachers-vote-bars", THRESHOLD),
    "neural-collapse": (".st-key-picture",),
    "neural-collapse?data=etf&etf.n=10000&etf.dim=1024": (".st-key-picture",),
    "trade-off?as=grid": (".st-key-picture",),
    **{
        f"mixed-privacy?mix={look}": (f'[class*="st-key-mixed-privacy-{look}"]',)
        for look in ("curves", "attacked", "bounds")
    },
    "dp-means?look=means": (".st-key-dp-means-estimators",),
    "dp-means?look=near": (".st-key-dp-means-neighbours",),
    "neural-collapse?look=moved": (".st-key-neural-collapse-moved",),
    "neural-collapse?look=kept": (".st-key-neural-collapse-kept",),
    **{
        f"public-prototypes?see={look}": (f'[class*="st-key-public-prototypes-{look}"]',)
        for look in ("k", "size", "set")
    },
    **{
        f"teachers-vote?look={look}": (f'[class*="st-key-teachers-vote-{look}"]', THRESHOLD)
        for look in ("learned", "tables", "student")
    },
}
"""Where the main chart of an address is, and the slider that is moved if it is not the budget. A
chart drawn twice in one run has a number after its key, hence the beginnings.
"""
EMPTY = """import streamlit as st
budget = st.select_slider("Budget ε", [.01, .02, .03, .05, .1, .2, .3, .5, 1., 2., 3., 5., 10.], 1.)
with st.container(key="answer"):
    st.markdown(f"At ({budget:g}) nothing is drawn.")
"""
MOVES = 10
WATCH = """chart => {
  const words = () => document.querySelector('.st-key-answer')?.innerText;
  const told = e => (e.tagName === 'text' ? e.textContent : e.dataset.name);
  const marks = () => document.querySelector(chart)?.querySelectorAll('path, text, img, .on') ?? [];
  // one line may be one path or several, and leave an empty one
  const shown = () => [...marks()].map(e => e.getAttribute('d') ?? e.src ?? told(e)).join('')
    .replaceAll('M0,0', '');
  const all = {subtree: true, childList: true, characterData: true, attributes: true};
  const next = set => requestAnimationFrame(() => set(performance.now()));
  const inside = r => (r.target.closest ? r.target : r.target.parentElement)?.closest(chart)
    || [...r.addedNodes].some(n => n.querySelector?.(chart));
  let before = words();
  addEventListener('keydown', () => {
    window.pressed = performance.now();
    before = words();
    window.looks = [[0, shown()]];
  }, true);
  new MutationObserver(records => {
    const now = words();
    if (!now || now === before) return;
    if (window.moved === null) next(at => { window.moved ??= at; });
    if (window.answered === null && !document.querySelector('[data-ahead]'))
      next(at => { window.answered ??= at; });
  }).observe(document.body, {...all, attributeFilter: ['data-ahead']});
  new MutationObserver(records => {
    if (records.some(inside)) next(at => window.looks.push([at, shown()]));
  }).observe(document.body, {...all, attributeFilter: ['d', 'style', 'transform', 'class']});
}"""
"""The browser's own clock, from the key to the first frame with other words, and what the chart
showed when.
"""
DRAWN = """() => {
  const last = window.looks.at(-1)[1];
  const other = window.looks.findLastIndex(([, look]) => look !== last);
  return other < 0 ? null : window.looks[other + 1][0] - window.pressed;
}"""
"""Milliseconds until the chart showed what it showed in the end; null where it never changed."""


@dataclass(frozen=True)
class Move:
    """Milliseconds of one move: until other words, until the server's words, until the chart is
    done, and CPU of server and main thread.
    """

    words: float
    answered: float
    chart: float
    server: float
    browser: float


def settled(page: Page) -> None:
    """Wait until the script has run and a moment has passed."""
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(
        timeout=180_000
    )
    page.wait_for_timeout(400)


def open_page(page: Page, address: str) -> None:
    """Go to a page and wait until it shows its answer."""
    page.goto(address)
    page.locator(".st-key-answer", has_text=re.compile(r"\w")).first.wait_for(timeout=180_000)
    settled(page)


def opened(page: Page, address: str) -> CDPSession:
    """Go to a page and wait until it stands; what the browser tells about it."""
    open_page(page, address)
    inner = page.context.new_cdp_session(page)
    inner.send("Performance.enable", {"timeDomain": "threadTicks"})
    return inner


def moves(page: Page, address: str, pid: int, chart: str, name: str = "Budget ε") -> list[Move]:
    """Moves of a slider by an arrow key, to and fro."""
    inner = opened(page, address)
    page.evaluate(WATCH, chart)
    slider = page.get_by_role("slider", name=name)
    all_moves = []
    for turn in range(2 * 3 + MOVES):
        slider.focus()
        page.evaluate("window.moved = window.answered = null")
        cpu_before = _cpu(pid), main_thread(inner)
        page.keyboard.press("ArrowLeft" if turn % 2 == 0 else "ArrowRight")
        page.wait_for_function("window.answered !== null", timeout=60_000, polling=100)
        settled(page)
        words, answered = page.evaluate(
            "[window.moved - window.pressed, window.answered - window.pressed]"
        )
        all_moves.append(
            Move(
                words,
                answered,
                page.evaluate(DRAWN) or 0.0,
                _cpu(pid) - cpu_before[0],
                main_thread(inner) - cpu_before[1],
            )
        )
    return all_moves[-MOVES:]


def _cpu(pid: int) -> float:
    """CPU milliseconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def main_thread(inner: CDPSession) -> float:
    """CPU milliseconds of a page's main thread so far."""
    return 1000 * next(
        m["value"]
        for m in inner.send("Performance.getMetrics")["metrics"]
        if m["name"] == "TaskDuration"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("pages", nargs="*", default=list(PAGES))
    parser.add_argument("--old", type=Path, help="an older checkout to compare with")
    options, moves_by_page = parser.parse_args(), {}
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        empty = Path(folder) / "empty.py"
        empty.write_text(EMPTY)
        with served("streamlit", "run", str(empty)) as (address, process):
            moves_by_page["empty page"] = moves(
                browser.new_page(), address, process.pid, ".st-key-none"
            )
        servers = in_turns(stack, options.old)
        for path in options.pages:
            for name, (address, process) in servers.items():
                row = path if name == "here" else f"{path}, {name}"
                page = browser.new_page()
                moves_by_page[row] = moves(
                    page, f"{address}/{precisely(path)}", process.pid, *PAGES[path]
                )
                print(
                    f"{row} is measured", *_row(row, moves_by_page[row], 1.0)[1:], file=sys.stderr
                )
                page.close()
        browser.close()
    base = median(m.words for m in moves_by_page["empty page"])
    rows = [_row(name, moves_of_page, base) for name, moves_of_page in moves_by_page.items()]
    table(
        [
            "page",
            "words ms",
            "× empty",
            "chart ms",
            "slowest ms",
            "server's words ms",
            "server CPU ms",
            "main thread CPU ms",
        ],
        rows,
    )
    for name, moves_of_page in list(moves_by_page.items())[1:]:
        verdict(
            f"ms a move, {name}",
            max(median(m.words for m in moves_of_page), median(m.chart for m in moves_of_page)),
            300,
            is_limit=True,
        )


def _row(name: str, moves_of_page: list[Move], base: float) -> tuple[str, ...]:
    words, chart = median(m.words for m in moves_of_page), median(m.chart for m in moves_of_page)
    slowest = max(max(m.words, m.chart) for m in moves_of_page)
    chart_text = f"{chart:.0f}" if chart > 0 else "none"
    own = median(m.answered for m in moves_of_page)
    return (
        name,
        f"{words:.0f}",
        f"{words / base:.1f}",
        chart_text,
        f"{slowest:.0f}",
        f"{own:.0f}",
        f"{fmean(m.server for m in moves_of_page):.0f}",
        f"{fmean(m.browser for m in moves_of_page):.0f}",
    )


if __name__ == "__main__":
    main()
