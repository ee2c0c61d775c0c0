"""A class with real browsers: what students see, and what leaves their phones."""

import json
from contextlib import contextmanager

import pytest

from dpviz.classroom import Choice, Curve, LiveClasses, Number, Private, Race
from tests.kit import axe
from tests.kit.phones import listening, until

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
PICK = Choice("Which <b>one</b>?", ("this & that", "<img src=x onerror=alert(1)>"), right=0)
SCALE = Number("How many?", 0, 100, 1, "%", right=30)
DRAWN = Curve("How does it run?", ("1", "2", "4"), (0, 0.5, 1), "ε", "accuracy, %")
RACE = Race("Choose ε.", (0.1, 1.0, 10.0))
RACE_TRUTH = ((30.0, 25.0, 35.0, 50.7), (93.0, 92.0, 94.0, 55.4), (96.0, 95.0, 97.0, 84.2))
WAIT = 20_000


@pytest.fixture(scope="module")
def served():
    classes = LiveClasses()
    with listening(classes) as port:
        yield f"http://127.0.0.1:{port}", classes


@pytest.fixture
def live_class(served):
    opened = served[1].open("teacher")
    yield opened
    opened.end()


@pytest.fixture
def phone(browser, served, live_class):
    """Gives phones that have joined the room; nobody's browser may complain but of the network."""
    kept, complaints = [], []

    @contextmanager
    def given(**more):
        context = browser.new_context(**PHONE | more)
        kept.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda told: _complained(told, complaints))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.goto(f"{served[0]}/{live_class.code}")
        page.get_by_text("You have joined. The").wait_for()
        yield page

    yield lambda **more: given(**more).__enter__()
    for context in kept:
        context.close()
    assert not complaints


def _complained(told, complaints):
    if told.type in ("error", "warning") and "ERR_INTERNET_DISCONNECTED" not in told.text:
        complaints.append(told.text)


def fits(page):
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_choice_is_answered_changed_and_revealed(phone, live_class):
    phones = [phone() for _ in range(3)]
    live_class.ask(PICK)
    for page in phones:
        page.get_by_role("heading", name="Which <b>one</b>?").wait_for()
        assert page.locator("img, b:not(.top b, .letter)").count() == 0 and fits(page)
        page.get_by_role("button", name="this & that").tap()
        page.get_by_text("Answer sent").wait_for()
    phones[0].get_by_role("button", name="<img").tap()
    until(lambda: live_class.snapshot().tally == (2, 1))
    late = phone_reloaded(phones[0])
    assert late.get_by_role("button", name="<img").get_attribute("aria-pressed") == "true"
    assert "of 3" not in phones[1].content(), "nobody sees the tally before the reveal"
    live_class.reveal("Two of three.")
    for page, own in zip(phones, ("your answer", "your answer, right"), strict=False):
        page.get_by_text("Two of three.", exact=True).wait_for()
        page.get_by_text(own, exact=True).wait_for()
        assert page.get_by_text("2 of 3").count() == 1 and fits(page)
    assert live_class.snapshot().joined == 3
    live_class.end()
    phones[0].get_by_text("The live class has ended").wait_for()


def test_phone_sees_accuracy_and_exposure_of_its_own_hospital(phone, live_class):
    phones = [phone(), phone(color_scheme="dark")]
    live_class.ask(RACE)
    for page in phones:
        page.get_by_role("button", name="ε = 10", exact=True).tap()
        page.get_by_text("Answer sent").wait_for()
    phones[0].get_by_role("button", name="ε = 0.1", exact=True).tap()
    until(lambda: live_class.snapshot().tally == (1, 0, 1))
    assert "84.2" not in phones[1].content(), "nothing is shown before the reveal"
    live_class.reveal("Mean of the class.", truth=RACE_TRUTH, public=81.8, then="No patient.")
    own = "accuracy 30%", "accuracy 96%"
    for page, words, guess in zip(phones, own, ("50.7%", "84.2%"), strict=True):
        page.get_by_text("Mean of the class.", exact=True).wait_for()
        said = page.locator("p.own").inner_text()
        assert words in said and f"at most {guess} of the time" in said
        assert page.locator("tr.own").inner_text().split()[1:] == ["(yours)", words[9:], guess, "1"]
        assert page.get_by_role("row", name="Public images alone 82% 50%").count() == 1
        assert fits(page)


def phone_reloaded(page):
    page.reload()
    page.get_by_role("heading").wait_for()
    return page


def test_returning_phone_keeps_seat_and_draft(phone, live_class):
    page = phone()
    live_class.ask(SCALE)
    page.get_by_role("slider").fill("42")
    page.context.set_offline(True)
    page.get_by_role("button", name="Send").tap()
    page.get_by_text("Not sent yet").wait_for()
    page.context.set_offline(False)
    page.get_by_text("Answer sent").wait_for()
    assert (
        live_class.snapshot().numbers == (42.0,)
        and page.get_by_role("slider").input_value() == "42"
    )
    live_class.reveal()
    page.get_by_text("yours: 42%; true value: 30%").wait_for()
    assert live_class.snapshot().joined == 1


def test_phone_sends_the_recorded_answer_only(phone, live_class):
    """Sent once, though the network fails first: the coin falls once."""
    page, sent = phone(color_scheme="dark"), []
    page.on("request", lambda asked: sent.append(asked.post_data))
    live_class.ask(Private("Did you ever?", "coin", 0.1))
    page.context.set_offline(True)
    page.get_by_role("button", name="Yes").tap()
    leaves = page.locator(".leaves").inner_text().strip("“”")
    assert page.get_by_role("button", name="No").is_disabled()
    page.get_by_text("Not sent yet").wait_for()
    page.context.set_offline(False)
    page.get_by_text("Answer sent. It cannot").wait_for()
    answers = {json.loads(body)["value"] for body in sent if body and "value" in body}
    assert answers == {leaves}
    assert live_class.snapshot().tally == ((1, 0) if leaves == "yes" else (0, 1))
    phone_reloaded(page).get_by_text("Answer sent. It cannot").wait_for()
    assert page.get_by_role("button", name="Yes").is_disabled()
    assert page.get_by_role("button", name="Yes").get_attribute("aria-pressed") == "false"


def test_reload_before_the_answer_keeps_the_coin(phone, live_class):
    page, sent = phone(), []
    live_class.ask(Private("Did you ever?", "coin", 0.1))
    page.route("**/answer", lambda asked: sent.append(asked.request.post_data_json["value"]))
    page.get_by_role("button", name="Yes").tap()
    page.locator(".leaves").wait_for()
    for _ in range(5):  # by a coin of its own each would say the other half of the time
        page.reload()
        page.get_by_text("Sending").wait_for()
        assert page.get_by_role("button", name="Yes").is_disabled()
    page.unroute("**/answer")
    phone_reloaded(page).get_by_text("Answer sent. It cannot").wait_for()
    assert len(sent) == 6 and len(set(sent)) == 1
    assert live_class.snapshot().tally == ((1, 0) if sent[0] == "yes" else (0, 1))


def test_phone_says_what_the_server_knows(phone, live_class):
    page = phone()
    live_class.ask(Private("Did you ever?", "server", 1.0))
    page.get_by_text("Your true answer goes to the teacher's computer").wait_for()
    page.get_by_role("button", name="Yes").tap()
    page.get_by_text("Answer sent. It cannot").wait_for()
    live_class.close()
    assert live_class.private_yes_count() == 1


def test_curve_is_drawn_by_touch_and_keys(phone, live_class):
    page = phone()
    live_class.ask(DRAWN)
    points = page.get_by_role("slider")
    points.first.focus()
    for _ in range(3):
        page.keyboard.press("End")
        page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Send my curve").tap()
    page.get_by_text("Answer sent").wait_for()
    assert live_class.snapshot().curves == ((100, 100, 100),)
    live_class.reveal(truth=((50, 40, 60),) * 3)
    page.get_by_text("Thin lines: 1 curve ").wait_for()
    assert page.locator("path.other").count() == 1 and fits(page)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phone_pages_pass_axe(phone, live_class, scheme):
    page = phone(color_scheme=scheme)

    def wrong(state):
        page.get_by_text(state).first.wait_for()
        page.evaluate(axe.script())
        found = page.evaluate("async () => (await axe.run(document)).violations")
        return [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]

    assert not wrong("You have joined")
    for question in (PICK, SCALE, DRAWN, RACE, Private("Did you ever?", "coin", 1.0)):
        live_class.ask(question)
        assert not wrong(question.text)
        for _ in range(3):
            value = {Choice: 1, Number: 5, Curve: [1, 2, 3], Race: 1}.get(type(question), "yes")
            live_class.answer(live_class.join(), live_class.snapshot().number, value)
        known = {"truth": RACE_TRUTH, "public": 81.8} if question is RACE else {}
        live_class.reveal("So it came.", **known)
        assert not wrong("So it came.")
    page.goto(page.url.rpartition("/")[0])
    assert not wrong("Join a live class")
