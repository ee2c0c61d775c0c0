"""A browser for those tests that need one, and the order of all. Nothing is downloaded, and nothing
outside a temporary folder is written.
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

import pytest
import torch

from dpviz.machine import threads

if not torch.cuda.is_available():
    # read once, by whatever test imports triton first
    os.environ.setdefault("TRITON_INTERPRET", "1")

# a page of one test would otherwise fill caches and use a core while the next test runs
os.environ.setdefault("DPVIZ_PREFETCH", "0")

pytest_plugins = ["tests.kit.fixtures"]

SCREENSHOTS = Path(__file__).parents[1] / "cache" / "screenshots"
LONG = {
    "test_every_page_browser.py",
    *("test_contract.py", "test_links.py", "test_audit.py", "test_lessons.py"),
}
"""Files that a process works on for longest, with a browser and without."""
KNOWN = re.compile(r"/[a-z-]+/_stcore/(health|host-config)$")
"""Streamlit asks for these beside a page's own address first (streamlit #7074)."""


@pytest.fixture(autouse=True, scope="session")
def one_core():
    """Where a process runs tests beside others, each has a core: threads of both would wait for
    one another, which takes half again as long where the work is small.
    """
    beside = "PYTEST_XDIST_WORKER" in os.environ
    with threads.limited_cores(1) if beside else contextlib.nullcontext():
        yield


@pytest.fixture(scope="session")
def browser():
    """Chromium; without it, or without playwright, the test is skipped."""
    from tests.kit.browser import CHROMIUM, FLAGS

    playwright = pytest.importorskip(
        "playwright.sync_api", reason="browser tests need the playwright package"
    )
    if not CHROMIUM.exists():
        pytest.skip(f"browser tests need Chromium at {CHROMIUM}")
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def tabs(browser):
    """``tabs(settings)``, an empty tab, one for all settings that differ in what an open tab can
    change, until it is closed: it loads the app's scripts once, which costs more than a page.
    """
    from tests.kit.browser import RESIZABLE, adapt, forget

    kept = {}

    def of(settings):
        name = repr(sorted(item for item in settings.items() if item[0] not in RESIZABLE))
        for other, tab in kept.items():
            if other != name and not tab.is_closed() and tab.url != "about:blank":
                forget(tab, settings)  # an open page goes on working
        if name not in kept or kept[name].is_closed():
            kept[name] = browser.new_context(**settings).new_page()
        adapt(kept[name], settings)
        return kept[name]

    return of


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The app, one for all browser tests of a process."""
    from tests.kit.browser import serving

    with serving(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def tab(tabs, request):
    """An empty tab; as the test before left it in a module with ``ONE_VISIT``, where tests share
    pages by ``visit``. A picture is kept of one whose test failed.
    """
    from tests.kit.browser import DESK, forget

    settings = DESK | getattr(request, "param", {})
    found = tabs(settings)
    yield found
    if getattr(request.node, "failed", False):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        found.screenshot(path=SCREENSHOTS / f"{request.node.name}.png")
        found.context.close()
    elif not (request.node.followed and getattr(request.module, "ONE_VISIT", False)):
        forget(found, settings)


@pytest.fixture
def page(server, tab):
    """An open page of a new visitor that must not complain: console, page errors, other hosts, the
    server's log.
    """
    complaints, logged = [], len(server["log"].read_text())
    listeners = {
        "console": lambda m: (
            complaints.append(m.text + m.location["url"])
            if m.type == "error" and not KNOWN.search(m.location["url"])
            else None
        ),
        "pageerror": lambda e: complaints.append(str(e)),
        "request": lambda r: (
            complaints.append(r.url)
            if not r.url.startswith((server["url"], "data:", "blob:"))
            else None
        ),
    }
    for event, listener in listeners.items():
        tab.on(event, listener)
    yield tab
    tab.evaluate("0")  # events until now arrive before the answer
    for event, listener in listeners.items():
        tab.remove_listener(event, listener)
    assert not complaints
    assert "Traceback" not in server["log"].read_text()[logged:]


def pytest_runtest_protocol(item, nextitem):
    """Let ``tab`` know whether another test of the module follows."""
    item.followed = nextitem is not None and nextitem.path == item.path


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Let ``tab`` know that its test failed."""
    report = yield
    item.failed = report.failed
    return report


def pytest_collection_modifyitems(items):
    """Browser tests first: they wait more than they compute. Then the files that take minutes, so
    that the many short ones fill both cores to the end.

    One that fails, and no other test, is tried once more: on a busy machine a page may come late.
    """
    items.sort(
        key=lambda item: (
            "browser" not in item.path.name,
            item.path.name not in LONG,
        )
    )
    for item in items:
        if "browser" in item.fixturenames:
            item.add_marker(pytest.mark.flaky(reruns=1))
            item.add_marker(pytest.mark.browser)
