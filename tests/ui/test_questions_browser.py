"""Quiz and test in a real browser, by keyboard and by mouse, with nothing sent."""

import csv
import io

import pytest

from dpviz.views.questions import LETTERS, QUESTIONS, QUIZ, Choice, class_files, class_gain
from tests.kit.browser import PATIENCE, settled


@pytest.mark.parametrize("tab", [{"viewport": {"width": 1280, "height": 720}}], indirect=True)
def test_answers_stay_in_browser_until_exported_as_file(page, server):
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    page.goto(f"{server['url']}/questions?test=1")
    page.get_by_role("button", name="Begin").wait_for(timeout=PATIENCE)
    settled(page)
    assert sent, "what is sent is seen"
    sent.clear()
    page.get_by_role("button", name="Begin").click()
    first = page.evaluate("JSON.parse(localStorage.getItem('dpviz.questions')).first")
    second = "AB"[first == "A"]
    _answer(page, first, right=False)
    assert not page.get_by_text("Right answer:").count(), "solutions follow after the second test"
    assert not sent, "answers stay here"
    page.reload()
    page.get_by_text("Lessons finished in this browser: 0 of 14").wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="second test now (14 of 14 lessons left)").click()
    _answer(page, second, right=True)
    page.get_by_role("heading", name="0 of 12 right before, 12 of 12 after").wait_for()
    page.get_by_text(
        "Facts: 0 of 4 before, 4 after. New situations: 0 of 8 before, 8 after."
    ).wait_for()
    page.locator(".outcomes summary").first.click()
    page.get_by_text("Right answer:").first.wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download answers (CSV)").click()
    content = download.value.path().read_bytes()
    found = class_files.read([(download.value.suggested_filename, content)])
    of = class_gain.pairs(found.answers)
    assert not found.left_out and not of.before.any() and of.after.all()
    told = list(csv.DictReader(io.StringIO(content.decode())))
    assert {row["form"] for row in told[:12]} == {first} and set(told[0]) == {*class_files.COLUMNS}
    assert [row["right"] for row in told] == ["0"] * 12 + ["1"] * 12
    page.get_by_role("button", name="Delete my answers").click()
    page.get_by_role("button", name="Press again").click()
    page.get_by_role("button", name="Begin").wait_for()


@pytest.mark.parametrize("tab", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_quiz_explains_each_answer_and_states_chance(page, server):
    page.goto(f"{server['url']}/questions")
    for number, choice in enumerate(QUIZ.values()):
        page.get_by_role("heading", name=f"Question {number + 1} of 4").wait_for(timeout=PATIENCE)
        place = choice.right if number else (choice.right + 1) % len(LETTERS)
        page.locator(".options button").nth(place).press("Enter")
        page.get_by_text("Right." if number else "Not quite.").first.wait_for()
        page.locator(".row .main").press("Enter")
    page.get_by_role("heading", name="3 of 4 right").wait_for()
    page.get_by_text("By guessing, people get 1 of 4 right").wait_for()


def _answer(page, form, right):
    for number, question in enumerate(QUESTIONS.values(), start=1):
        page.get_by_role("heading", name=f"Question {number} of 12").wait_for(timeout=PATIENCE)
        asked = question.form(form)
        if isinstance(asked, Choice):
            at = asked.right if right else (asked.right + 1) % len(LETTERS)
            page.locator(".options input").nth(at).press("Space")
        elif right:
            _by_mouse(page, asked.truth)
        else:
            page.locator(".drawing input").nth(1).press("ArrowUp")
        onward = page.get_by_role("button", name="Next").or_(_done(page))
        assert onward.is_disabled()
        box = onward.bounding_box()
        assert 0 < box["y"] < box["y"] + box["height"] < 720, f"question {number}: not in view"
        page.locator(".sure input").nth(2).press("Space")
        if number == 3:
            _back_and_on(page)
        onward.press("Enter")


def _back_and_on(page):
    """One may go back: what was said, and how sure one was, is as it was left."""
    chosen = page.locator(".options input:checked").input_value()
    page.get_by_role("button", name="Back").press("Enter")
    page.get_by_role("heading", name="Question 2 of 12").wait_for()
    assert page.locator(".sure input:checked").input_value() == "75"
    page.get_by_role("button", name="Next").press("Enter")
    page.get_by_role("heading", name="Question 3 of 12").wait_for()
    assert page.locator(".options input:checked").input_value() == chosen
    assert page.locator(".sure input:checked").input_value() == "75"


def _done(page):
    return page.get_by_role("button", name="Finish")


def _by_mouse(page, truth):
    """Drag across the drawing in one go; a straight stroke first."""
    straight = [25 + 50 * i / (len(truth) - 1) for i in range(len(truth))]
    _stroke(page, straight, (0, -1), steps=7)
    _stroke(page, truth, range(len(truth)), steps=1)


def _stroke(page, values, through, steps):
    """Drag through some points; all points lie at these values afterwards."""
    inputs, box = page.locator(".drawing input"), page.locator(".drawing svg").bounding_box()
    scale = box["width"] / 480
    places = [
        (
            box["x"] + scale * (38 + (i + 0.5) * 432 / len(values)),
            box["y"] + scale * (12 + (100 - value) / 100 * 204),
        )
        for i, value in enumerate(values)
    ]
    page.mouse.move(*places[0])
    page.mouse.down()
    for i in through:
        page.mouse.move(*places[i], steps=steps)
    page.mouse.up()
    drawn = [int(inputs.nth(i).input_value()) for i in range(len(values))]
    assert all(abs(d - t) <= 2 for d, t in zip(drawn, values, strict=True)), drawn
