"""Your own answer: the sentence moves with its controls, and the answer stays in the browser."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.kit.browser import PATIENCE, settled
from tests.kit.seen import html

pytestmark = pytest.mark.slow
APP = str(Path(__file__).resolve().parents[2] / "app.py")


def test_honest_coin_and_repeats_increase_privacy_loss():
    at = AppTest.from_file(APP, default_timeout=60).switch_page("pages/your_answer.py").run()
    shown = lambda: re.search("best guess.*?<strong>(.*?)</strong>", html(at))[1]
    assert shown() == "75%"
    at.select_slider(key="honest").set_value(80).run()
    assert shown() == "90%"
    at.slider(key="times").set_value(3).run()
    assert not at.exception and shown() == "97.2%"
    assert any("Attackers guess your answer right at most" in m.value for m in at.markdown)


def test_answer_is_recorded_in_browser_and_not_sent(page, server):
    page.goto(f"{server['url']}/your-answer?honest=50")
    coin = page.locator(".dp-coin")
    coin.get_by_text("nothing yet").wait_for(timeout=PATIENCE)
    settled(page)
    sent = []
    page.on("websocket", lambda socket: sent.append(socket.url))
    page.on("request", lambda request: sent.append(request.url))
    yes = coin.get_by_role("button", name="Yes")
    yes.focus()
    for _ in range(12):
        page.keyboard.press("Enter")
    words = coin.get_by_text(re.compile("Recorded so far")).inner_text()
    counts = list(map(int, re.findall(r"(\d+) ×", words)))
    assert sum(counts) == 12 and not sent
    assert yes.get_attribute("aria-pressed") == "true"
