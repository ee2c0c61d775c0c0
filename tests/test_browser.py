"""The page in a real browser: it draws, follows keyboard and hand, survives a link, and asks nothing of the outside."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from dpviz.ui import uploads
from tests.test_pages import content

sync_api = pytest.importorskip("playwright.sync_api", reason="browser tests need the playwright package")
CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"browser tests need Chromium at {CHROMIUM}")

ROOT = Path(__file__).resolve().parent.parent
SCREENSHOTS = ROOT / "tests" / "screenshots"
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()
PATIENCE = 60_000
KNOWN = re.compile(r"/[a-z-]+/_stcore/(health|host-config)$")
"""Streamlit asks for these beside a page's own address first (streamlit #7074)."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = folder / "log"
    command = [sys.executable, "-m", "dpviz.ui.serve", "--server.port", str(port)]
    environment = os.environ | {"DPVIZ_CACHE": str(folder / "cache")}
    with log.open("w") as out:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT)
        try:
            _wait_for_health(f"http://127.0.0.1:{port}/_stcore/health", process)
            yield {"url": f"http://127.0.0.1:{port}", "log": log, "own": _upload(folder / "cache")}
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


def _upload(cache):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPVIZ_CACHE", str(cache))
        return uploads.keep(content())


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def page(server, browser, request):
    """An open page that must not complain: console, page errors, other hosts, the server's log."""
    context = browser.new_context(**({"viewport": {"width": 1440, "height": 1000}} | getattr(request, "param", {})))
    found = context.new_page()
    complaints = []
    found.on("console", lambda m: complaints.append(m.text + m.location["url"]) if m.type == "error" and not KNOWN.search(m.location["url"]) else None)
    found.on("pageerror", lambda e: complaints.append(str(e)))
    found.on("request", lambda r: complaints.append(r.url) if not r.url.startswith((server["url"], "data:", "blob:")) else None)
    yield found
    if getattr(request.node, "failed", True):
        SCREENSHOTS.mkdir(exist_ok=True)
        found.screenshot(path=SCREENSHOTS / f"{request.node.name}.png")
    context.close()
    assert not complaints
    assert "Traceback" not in server["log"].read_text()


def settled(page):
    """The server has said what the browser may have shown ahead of it, and its script is over."""
    page.locator("[data-ahead]").wait_for(state="detached", timeout=PATIENCE)
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)


def begin(page, server, path="", **link):
    link = {"data": server["own"], "ir": "10"} | link
    page.goto(f"{server['url']}/{path}?" + "&".join(f"{k}={v}" for k, v in link.items()))
    page.get_by_text("Class sizes as they are now").wait_for(timeout=PATIENCE)
    page.locator(".js-plotly-plot").first.wait_for(timeout=PATIENCE)
    settled(page)


def sentence(page, words):
    found = page.locator('[data-testid="stMarkdown"]', has_text=re.compile(words)).first
    found.wait_for(timeout=PATIENCE)
    return found.inner_text()


def every_look_fits(page, looks):
    """Each closer look, by its title, shows its words and needs no sideways scroll at 390 pixels."""
    for title, words in looks:
        page.get_by_role("radio", name=title, exact=True).or_(page.get_by_role("button", name=title, exact=True)).first.click()
        page.get_by_text(re.compile(words)).first.wait_for(timeout=PATIENCE)
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert all(c.bounding_box()["width"] <= 390 for c in page.locator(".js-plotly-plot").all())


def done(request):
    request.node.failed = False


def test_the_first_visitor_may_come_by_a_link(page, server, request):
    """First in this file: the server has had no visitor yet."""
    begin(page, server, "trade-off")
    assert page.get_by_text("Page not found").count() == 0
    done(request)


def test_keyboard_moves_the_budget_and_the_answer(page, server, request):
    begin(page, server)
    before = sentence(page, r"At IR 10 and \(1, 1e-5\)-DP")
    page.get_by_role("slider", name="Budget ε").focus()
    page.keyboard.press("ArrowLeft")
    after = sentence(page, r"At IR 10 and \(0\.5, 1e-5\)-DP")
    settled(page)
    assert before != after and "eps=0.5" in page.url
    done(request)


def frames_of_a_drag(page, grip, rail, steps=61):
    """Distinct read-outs of the chart while the mouse leads ``grip`` along ``rail``, button still down."""
    grip.scroll_into_view_if_needed()
    box, way = grip.bounding_box(), rail.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    seen = set()
    for step in range(steps):
        page.mouse.move(way["x"] + way["width"] * step / (steps - 1), y)
        seen.add(tuple(page.locator(".x2y2 .textpoint").all_text_contents()))
    return seen


def test_the_chart_follows_the_hand_without_the_server_which_settles_on_release(page, server, request):
    messages = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda payload: messages.append(payload)))
    begin(page, server)
    page.wait_for_timeout(500)
    messages.clear()
    distinct = frames_of_a_drag(page, page.locator(".slider-grip-rect").first, page.locator(".slider-rail-rect").first)
    assert len(distinct) >= 10 and not messages
    assert any("(10, 1e-5)-DP" in " ".join(words) for words in distinct)
    ahead = page.locator(".dp-ahead").inner_text()
    assert "At IR 10 and (10, 1e-5)-DP" in ahead, "the answer follows, too"
    page.mouse.up()
    page.locator(".dp-ahead").wait_for(state="detached", timeout=PATIENCE)
    assert page.locator(".st-key-answer [data-testid=stMarkdown]").last.inner_text() == ahead, "the server says the same"
    page.wait_for_function("location.search.includes('eps=10')")
    assert len(messages) == 1
    done(request)


def test_the_chart_follows_the_budget_slider_while_it_is_dragged(page, server, request):
    messages = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda payload: messages.append(payload)))
    begin(page, server)
    page.wait_for_timeout(500)
    messages.clear()
    control = page.locator(".st-key-eps_stop")
    distinct = frames_of_a_drag(page, control.locator("[data-testid=stSliderThumbValue]"), control.get_by_role("group"), 31)
    assert len(distinct) >= 10 and not messages
    page.mouse.up()
    sentence(page, r"At IR 10 and \(100, 1e-5\)-DP")
    done(request)


KEEP_WHAT_IS_SHOWN = """() => {
  const chart = document.querySelector('.st-key-picture .js-plotly-plot');
  const look = () => {
    const words = [...chart.querySelectorAll('.x2y2 .textpoint')].map((text) => text.textContent).join(' ');
    const budget = words.match(/\\(([\\d.]+), 1e-5\\)-DP/)?.[1];
    if (budget && budget !== chart.shown.at(-1)) chart.shown.push(budget);
  };
  chart.shown = [];
  look();
  new MutationObserver(look).observe(chart, { subtree: true, childList: true, characterData: true });
}"""


def test_one_click_plays_the_budget_from_the_largest_to_the_smallest(page, server, request):
    begin(page, server, eps="3")
    page.evaluate(KEEP_WHAT_IS_SHOWN)
    page.get_by_text("▶ sweep").first.click()
    sentence(page, r"At IR 10 and \(0\.01, 1e-5\)-DP")
    settled(page)
    shown = page.evaluate("document.querySelector('.st-key-picture .js-plotly-plot').shown")
    assert shown, "a move of the budget drew the chart anew"
    budgets = [float(budget) for budget in shown]
    assert budgets == [3, *sorted(budgets[1:], reverse=True)], "the chart went back on its way or afterwards"
    assert budgets[1] == 10 and budgets[-1] == 0.01
    done(request)


def test_a_link_reopens_the_view_and_reset_leaves_it(page, server, request):
    begin(page, server, "trade-off", eps="0.2", score="balanced", m="dppl-public", n="3", seed="7")
    assert "(0.2, 1e-5)-DP the average class" in sentence(page, "At IR 10")
    page.get_by_text("N = 3 noise seeds").wait_for()
    first = sentence(page, "At IR 10")
    page.reload()
    assert sentence(page, "At IR 10") == first
    settled(page)
    assert "score=balanced" in page.url and "m=dppl-public" in page.url and "eps=0.2" in page.url
    page.get_by_text("Reset everything").click()
    page.wait_for_function("location.search === ''")
    done(request)


@pytest.mark.parametrize("page", [{"color_scheme": "dark", "viewport": {"width": 390, "height": 844}}], indirect=True)
def test_a_phone_in_the_dark_needs_no_sideways_scroll(page, server, request):
    begin(page, server)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    chart = page.locator(".js-plotly-plot").first.bounding_box()
    assert chart["width"] <= 390
    done(request)


def test_a_refusal_is_a_sentence_on_the_page(page, server, request):
    page.goto(f"{server['url']}/?data={server['own']}&ir=1000")
    alert = page.get_by_role("alert").filter(has_text="without a record")
    alert.wait_for(timeout=PATIENCE)
    assert "Traceback" not in page.content()
    done(request)
