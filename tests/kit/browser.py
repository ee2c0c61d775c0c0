"""What the browser tests share: a server of its own, and how a page is opened, read and waited
for.
"""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakKeyDictionary

import pytest

from dpviz.data import uploads
from tests.kit.seen import PRECISE
from tests.kit.toys import content

PROGRAMS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
"""The first, which has no window, loads a page with an eighth less work."""
CHROMIUM = Path(
    os.environ.get("CHROMIUM") or next((p for p in PROGRAMS if p.exists()), PROGRAMS[0])
)
ROOT = Path(__file__).resolve().parents[2]
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()
PATIENCE = 60_000
STILL = {"reduced_motion": "reduce"}
"""As readers ask who want no animations, which cost a fifth of a core as long as a page waits."""
DESK = STILL | {"viewport": {"width": 1440, "height": 1000}}
PHONE = STILL | {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
PHONE_IN_THE_DARK = pytest.mark.parametrize(
    "tab", [{"color_scheme": "dark", "viewport": {"width": 390, "height": 844}}], indirect=True
)


@contextmanager
def serving(folder, refine=False, prefetch=False):
    """The app on a free port with its cache in ``folder``, which holds an upload already.

    Args:
        refine: idle pages add seeds; else numbers stay as they are while a test looks.
        prefetch: likely next settings are computed while nobody does anything.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log, address = folder / "log", f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "dpviz.ui.server.serve", "--server.port", str(port)]
    environment = os.environ | {"DPVIZ_CACHE": str(folder / "cache")}
    environment["DPVIZ_REFINE"] = "1" if refine else "0"
    environment["DPVIZ_PREFETCH"] = "1" if prefetch else "0"
    with log.open("w") as out:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT
        )
        try:
            _wait_for_health(f"{address}/_stcore/health", process)
            yield {
                "url": address,
                "log": log,
                "process": process,
                "cache": folder / "cache",
                "own": keep(folder / "cache", content()),
            }
        finally:
            process.terminate()
            process.wait(20)


def _wait_for_health(address, process):
    for _ in range(300):
        assert process.poll() is None, "the server ended before it answered"
        try:
            with urllib.request.urlopen(address, timeout=1) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server did not answer within 30 s")


def keep(cache, upload):
    """Put an upload into the server's cache; returns its name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPVIZ_CACHE", str(cache))
        return uploads.keep(upload)


def forget(tab, settings):
    """Make a tab as empty as a new one."""
    _clear(tab)
    tab.emulate_media(media="null")
    adapt(tab, settings)


def _clear(tab):
    if tab.url.startswith("http"):
        tab.evaluate("localStorage.clear(), sessionStorage.clear()")
    tab.goto("about:blank")
    tab.context.clear_cookies()


_visits = WeakKeyDictionary()
"""Of each tab, the address that ``visit`` opened, and the one that the tab then showed."""


def visit(page, address, ready, moved=False):
    """Open an address as a new visitor, and wait until ``ready()`` and settled.

    A tab that shows it from an earlier test is kept as it is, which takes a module with ``ONE_VISIT
    = True``: else ``tab`` is empty for each test.

    Args:
        moved: an earlier test may have changed settings of the page.
    """
    asked, shown = _visits.get(page, ("", ""))
    part = (lambda url: url.partition("?")[0]) if moved else str
    if asked != address or part(page.url) != part(shown):
        _clear(page)
        page.goto(address)
        ready()
        settled(page)
        _visits[page] = (address, page.url)


RESIZABLE = {"viewport", "color_scheme", "reduced_motion"}
"""Settings that an open tab can change."""


def adapt(tab, settings):
    """Give an open tab these settings of RESIZABLE."""
    tab.set_viewport_size(settings["viewport"])
    tab.emulate_media(
        color_scheme=settings.get("color_scheme", "light"),
        reduced_motion=settings["reduced_motion"],
    )


def settled(page):
    """The server has said what the browser may have shown ahead of it, and its script is over."""
    page.locator("[data-ahead]").wait_for(state="detached", timeout=PATIENCE)
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(
        timeout=PATIENCE
    )


def begin(page, server, path="trade-off", moved=False, **link):
    """Open Trade-off on the upload, in the precise voice; ``moved`` as ``visit`` has it."""
    link = PRECISE | {"data": server["own"], "ir": "10"} | link
    visit(
        page,
        f"{server['url']}/{path}?" + "&".join(f"{k}={v}" for k, v in link.items()),
        # a server's first page computes all that it shows
        lambda: page.locator(".js-plotly-plot").first.wait_for(timeout=2 * PATIENCE),
        moved,
    )


def sentence(page, words):
    """The first text that matches ``words``, as soon as it is there."""
    found = page.locator('[data-testid="stMarkdown"]', has_text=re.compile(words)).first
    found.wait_for(timeout=PATIENCE)
    return found.inner_text()


def every_look_fits(page, looks):
    """Each closer look, by its title, shows its words and needs no sideways scroll at 390
    pixels.
    """
    for title, words in looks:
        page.get_by_role("radio", name=title, exact=True).or_(
            page.get_by_role("button", name=title, exact=True)
        ).first.click()
        page.get_by_text(re.compile(words)).first.wait_for(timeout=PATIENCE)
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert all(c.bounding_box()["width"] <= 390 for c in page.locator(".js-plotly-plot").all())


MARKS = """() => {
  const chart = document.querySelector(".st-key-picture .js-plotly-plot");
  if (chart.told === undefined) chart.on("plotly_animated", () => (chart.told = true));
  chart.told = false;
  const told = (mark) => [mark.getAttribute("transform"), mark.getAttribute("d"),
    mark.querySelector("text")?.getAttribute("y"), mark.textContent].join(" ");
  return [...chart.querySelectorAll(".scatterlayer .trace")].map((trace) => [
    [...trace.querySelectorAll(".lines path")].map((line) => line.getAttribute("d")).join("")
      .replaceAll("M0,0", ""),
    ...[...trace.querySelectorAll(".points path, .textpoint")].map(told),
  ]);
}"""
"""Every mark of the chart that follows the hand, a list a trace: where it is and what it says."""


CHART = "document.querySelector('.st-key-picture .js-plotly-plot')"


def same_as_by_plotly(page, release):
    """True if a chart under the hand, which ``release`` lets go, shows already what Plotly draws
    once it is told.
    """
    known, drawn = page.evaluate(f"JSON.stringify({CHART}.data)"), page.evaluate(MARKS)
    release()
    page.wait_for_function(f"{CHART}.told")
    assert known != page.evaluate(f"JSON.stringify({CHART}.data)"), "Plotly was told before"
    return drawn == page.evaluate(MARKS)
