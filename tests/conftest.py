"""Small data that every test may use; nothing is downloaded and nothing outside a temporary folder
is written.
"""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import numpy as np
import pytest
import torch

if not torch.cuda.is_available():
    os.environ.setdefault(
        "TRITON_INTERPRET", "1"
    )  # read once, by whatever test imports triton first

from dpviz.types import Dataset, Head


def toy_data(
    per_class: int = 40, classes: int = 4, d: int = 12, public: int = 150, seed: int = 0
) -> Dataset:
    """Well-separated non-negative features with a labelled public set and a head of 20 source
    classes; arrays are read-only.
    """
    rng = np.random.default_rng(seed)
    centres = np.abs(rng.normal(size=(classes, d))) + 3 * np.eye(classes, d)

    def draw(labels: np.ndarray) -> np.ndarray:
        return np.abs(centres[labels] + 0.4 * rng.normal(size=(len(labels), d))).astype(np.float32)

    y, y_test, y_public = (
        np.repeat(np.arange(classes), n).astype(np.int64)
        for n in (per_class, 25, public // classes)
    )
    arrays = [draw(y), y, draw(y_test), y_test, draw(y_public), y_public]
    for array in arrays:
        array.setflags(write=False)
    x, y, x_test, y_test, x_public, y_public = arrays
    names = tuple(f"class {c}" for c in range(classes))
    source = Head(
        np.random.default_rng(1).normal(size=(20, d)).astype(np.float32), np.zeros(20, np.float32)
    )
    mark = f"toy-{per_class}-{classes}-{d}-{public}-{seed}"
    return Dataset(
        "toy",
        None,
        x,
        y,
        x_test,
        y_test,
        names,
        mark,
        x_public,
        y_public,
        "toy",
        head=lambda: source,
    )


def packed(arrays: dict) -> bytes:
    """An upload of these arrays; those that are None are left out."""
    file = io.BytesIO()
    np.savez(file, **{name: array for name, array in arrays.items() if array is not None})
    return file.getvalue()


@pytest.fixture(scope="session")
def toy() -> Dataset:
    return toy_data()


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    """Each test has a cache folder of its own, unless it shares one on purpose."""
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path_factory.mktemp("cache")))


SCREENSHOTS = Path(__file__).parent / "screenshots"
KNOWN = re.compile(r"/[a-z-]+/_stcore/(health|host-config)$")
"""Streamlit asks for these beside a page's own address first (streamlit #7074)."""


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
def server(browser, tmp_path_factory):
    """The app, one for all browser tests of a process; ``first`` is what its first visitor saw, who
    came by a link.
    """
    from tests.kit.browser import DESK, begin, serving

    with serving(tmp_path_factory.mktemp("server")) as running:
        visitor = browser.new_page(**DESK)
        begin(visitor, running, "trade-off")
        running["first"] = visitor.locator("body").inner_text()
        visitor.close()
        yield running


@pytest.fixture
def page(server, browser, request):
    """An open page that must not complain: console, page errors, other hosts, the server's log."""
    from tests.kit.browser import DESK

    context = browser.new_context(**(DESK | getattr(request, "param", {})))
    found = context.new_page()
    complaints, logged = [], len(server["log"].read_text())
    found.on(
        "console",
        lambda m: (
            complaints.append(m.text + m.location["url"])
            if m.type == "error" and not KNOWN.search(m.location["url"])
            else None
        ),
    )
    found.on("pageerror", lambda e: complaints.append(str(e)))
    found.on(
        "request",
        lambda r: (
            complaints.append(r.url)
            if not r.url.startswith((server["url"], "data:", "blob:"))
            else None
        ),
    )
    yield found
    if getattr(request.node, "failed", False):
        SCREENSHOTS.mkdir(exist_ok=True)
        found.screenshot(path=SCREENSHOTS / f"{request.node.name}.png")
    context.close()
    assert not complaints
    assert "Traceback" not in server["log"].read_text()[logged:]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Let ``page`` know that its test failed."""
    report = yield
    item.failed = report.failed
    return report


def pytest_collection_modifyitems(items):
    """Browser tests first: they wait more than they compute, and the many short ones then fill both
    cores to the end.

    One that fails, and no other test, is tried once more: on a busy machine a page may come late.
    """
    items.sort(
        key=lambda item: (
            not any(word in item.path.name for word in ("browser", "accessibility", "looks"))
        )
    )
    for item in items:
        if "browser" in item.fixturenames:
            item.add_marker(pytest.mark.flaky(reruns=1))
