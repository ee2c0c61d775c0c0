"""A teacher and two phones, from the code on the screen to the end of the room."""

import json
import re
import socket

import pytest

from dpviz.classroom import listener
from tests.kit.browser import DESK, PATIENCE, serving

pytestmark = pytest.mark.slow
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}


@pytest.fixture(scope="module")
def room_server(browser, tmp_path_factory):
    """The app as ``dpviz app --room`` starts it, its phones' address beside it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(listener.SETTING, f"127.0.0.1:{port}")
        with serving(tmp_path_factory.mktemp("room")) as running:
            yield running | {"phones": f"http://127.0.0.1:{port}"}


@pytest.fixture
def visitors(browser):
    """``visitors(settings)``: a page of somebody else each time, that must not fail."""
    opened, wrong = [], []

    def new(**settings):
        page = browser.new_context(**settings).new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        opened.append(page)
        return page

    yield new
    for page in opened:
        page.context.close()
    assert not wrong


def shows(page, words):
    page.get_by_text(re.compile(words)).first.wait_for(timeout=PATIENCE)


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def press(page, name):
    button(page, name).click(timeout=PATIENCE)


def wide(page):
    return page.evaluate("document.documentElement.scrollWidth > window.innerWidth")


def test_phones_answer_and_private_question_stays_private(room_server, visitors):
    teacher = visitors(**DESK)
    teacher.goto(f"{room_server['url']}/class")
    press(teacher, "Open a live class")
    code = teacher.locator(".dp-room strong").inner_text(timeout=PATIENCE)
    assert teacher.locator(".dp-room img").evaluate("(qr) => qr.complete && qr.naturalWidth > 0")
    phones = [visitors(**PHONE) for _ in range(2)]
    for phone in phones:
        phone.goto(f"{room_server['phones']}/{code}")
        shows(phone, "You have joined")
    shows(teacher, "2 phones joined")

    press(teacher, "Ask")  # the first lesson's first prediction, whose right answer is known
    for place, phone in enumerate(phones):
        phone.locator(".options button").nth(place).click(timeout=PATIENCE)
        shows(phone, "Answer sent")
    teacher.locator(".dp-count", has_text="2 of 2 answered").wait_for(timeout=PATIENCE)
    assert not teacher.locator(".st-key-picture .js-plotly-plot").count(), "nobody is led"
    teacher.goto(f"{room_server['url']}/class?present=1")  # the cookie leads back to the room
    counted = teacher.locator(".dp-count b")
    counted.wait_for(timeout=PATIENCE)
    assert counted.evaluate("(b) => parseFloat(getComputedStyle(b).fontSize)") > 60
    press(teacher, "Show results")
    teacher.locator(".st-key-picture .js-plotly-plot").wait_for(timeout=PATIENCE)
    shows(teacher, "Right answers")
    assert not button(teacher, "End the class").count(), "by no slip of the hand"
    press(teacher, "Back to all settings")
    for phone in phones:
        shows(phone, "1 of 2")

    teacher.get_by_text("Private yes or no", exact=True).click()
    teacher.get_by_label("Yes-or-no question").fill("Did you ever <i>cheat</i>?")
    press(teacher, "Ask")
    sent = []
    phones[0].on("request", lambda r: sent.append(r.post_data) if "/answer" in r.url else None)
    for phone in phones:
        shows(phone, "Did you ever <i>cheat</i>")
        press(phone, "Yes")
        shows(phone, "Answer sent. It cannot")
    leaves = phones[0].locator("dd.leaves").inner_text().strip("“”")
    assert [json.loads(one)["value"] for one in sent] == [leaves], "what the coin said, no more"
    teacher.locator(".dp-count", has_text="2 of 2 answered").wait_for(timeout=PATIENCE)
    press(teacher, "Show results")
    shows(teacher, "of 2 say yes")
    shows(phones[1], "of 2 say yes")
    assert not wide(phones[0]) and not wide(teacher)

    other = visitors(**PHONE)
    other.goto(f"{room_server['url']}/class")
    button(other, "Open a live class").wait_for(timeout=PATIENCE)
    assert code not in other.locator("body").inner_text() and not wide(other)
    press(teacher, "End the class")
    press(teacher, "End it for everyone")
    button(teacher, "Open a live class").wait_for(timeout=PATIENCE)
    shows(phones[0], "The live class has ended")
    assert "Traceback" not in room_server["log"].read_text()
