"""Lessons in a real browser: a curve drawn by hand, and a walk to the end; all of them step by step
where ``DPVIZ_ALL_LESSONS`` is set.
"""

import os
import re

import pytest

from dpviz.views import lessons
from dpviz.views.lessons import CHANGES, LESSONS, Drawing, Outcome, Reason
from tests.kit.browser import PATIENCE, settled

DRAWINGS = sorted(
    (
        (lesson, at)
        for lesson in LESSONS.values()
        for at, step in enumerate(lesson.steps)
        if isinstance(step.ask, Drawing)
    ),
    key=lambda place: place[0].steps[place[1]].ask.curve == "runs",
)
"""Those by a formula first, which need no runs."""
SMALL = pytest.mark.parametrize(
    "tab", [{"viewport": {"width": 1280, "height": 720}, "has_touch": True}], indirect=True
)
IN_VIEW = """(key) => {
  const box = document.querySelector(`.st-key-${key}`)?.getBoundingClientRect();
  return box?.height > 0 && box.top >= 50 && box.top + Math.min(box.height, 150) <= innerHeight;
}"""
"""Whether the named element is in view below the page's head."""
TAKEN_DOWN = """([lesson, step]) =>
  JSON.parse(localStorage.getItem("dpviz:lessons"))?.lessons[lesson]?.came[step]?.mark"""
"""Whether the browser has kept what came of a prediction: on a busy machine, after it is read."""


@SMALL
def test_curve_accepts_all_inputs_and_truth_is_overlaid(page, server):
    lesson, at = DRAWINGS[0]
    page.goto(f"{server['url']}/{lessons.address(lesson, at)[2:]}")
    chart = page.locator(".dp-draw svg")
    chart.wait_for(timeout=PATIENCE)
    settled(page)
    points, box = page.locator(".dp-draw circle"), chart.bounding_box()
    show = page.get_by_role("button", name="Show me the true curve")
    xs = [point.bounding_box()["x"] + 7 for point in points.all()]
    _mouse(page, xs[0], xs[1], box)
    _touch(page, xs[2:-1], box)
    assert show.is_disabled()
    points.nth(len(xs) - 2).focus()
    for key in ("ArrowRight", "PageUp", "ArrowDown"):
        page.keyboard.press(key)
    drawn = [point.get_attribute("aria-valuetext") for point in points.all()]
    assert all(re.fullmatch(r"\d+%", value) for value in drawn), drawn
    assert int(drawn[-1][:-1]) == min(int(drawn[-2][:-1]) + 10, 100) - 1, "moved by the keys"
    show.click()
    page.locator(".dp-draw path.true").wait_for(timeout=PATIENCE)
    assert page.locator(".dp-draw path.true").get_attribute("d").count("L") == len(xs) - 1
    page.locator(".st-key-lesson").get_by_text(
        re.compile("^(Well drawn|Roughly right|Far off)")
    ).wait_for(timeout=PATIENCE)
    assert page.locator(".st-key-lesson .dp-next").inner_text() == "Next →"


def _mouse(page, left, right, box):
    page.mouse.move(left - 4, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(right + 4, box["y"] + 120, steps=3)
    page.mouse.up()


def _touch(page, xs, box):
    finger = page.context.new_cdp_session(page)
    for kind, places in (
        ("touchStart", xs[:1]),
        *(("touchMove", [x]) for x in xs),
        ("touchEnd", []),
    ):
        touched = [{"x": x, "y": box["y"] + 80} for x in places]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})


@SMALL
def test_completed_lesson_is_marked_on_path(page, server):
    lesson = next(iter(LESSONS.values()))
    page.goto(f"{server['url']}/{lessons.address(lesson, 0)[2:]}")
    _walk(page, lesson)
    own = page.locator(f'[data-lesson="{lesson.key}"]')
    own.get_by_text("✓ done").wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Delete my progress").click()
    own.get_by_text("✓ done").wait_for(state="detached")
    page.get_by_role("link", name="Next lesson").wait_for()
    page.goto(f"{server['url']}/lessons")
    page.get_by_text(lesson.gist).wait_for(timeout=PATIENCE)
    own.get_by_role("link", name="Start").wait_for()
    assert "questions" in page.get_by_role("link", name="Quiz:").get_attribute("href")


@pytest.mark.skipif(
    not os.environ.get("DPVIZ_ALL_LESSONS"), reason="takes minutes: set DPVIZ_ALL_LESSONS=1"
)
@SMALL
@pytest.mark.parametrize("key", LESSONS)
def test_every_lesson_can_be_completed(page, server, key):
    page.goto(f"{server['url']}/lessons")
    page.locator(f'[data-lesson="{key}"] a').click(timeout=PATIENCE)
    _walk(page, LESSONS[key])


def _walk(page, lesson):
    strip = page.locator(".st-key-lesson")
    for at, step in enumerate(lesson.steps):
        strip.get_by_text(f"Step {at + 1} of {len(lesson.steps)}").wait_for(timeout=PATIENCE)
        if at and isinstance(lesson.steps[at - 1].ask, Outcome | Reason):
            page.locator(".st-key-lesson-before p").wait_for(timeout=PATIENCE)
            page.wait_for_function(TAKEN_DOWN, arg=[lesson.key, at - 1], timeout=PATIENCE)
        settled(page)
        assert not page.locator('[data-testid="stAlertContentError"]').count(), (lesson.key, at)
        if step.at and not step.covered and not isinstance(step.ask, Drawing):
            page.wait_for_function(IN_VIEW, arg=step.at, timeout=PATIENCE)
        _predict(page, strip, step.ask)
        strip.locator(".dp-next").filter(has_not_text="Skip").click(timeout=PATIENCE)
    end = page.locator(".st-key-lesson-end")
    end.get_by_text("Lesson finished").wait_for(timeout=PATIENCE)
    asked = sum(step.ask is not None for step in lesson.steps)
    if asked:
        end.locator("li small").nth(asked - 1).wait_for(timeout=PATIENCE)


def _predict(page, strip, ask):
    if isinstance(ask, Outcome):
        strip.locator("label").filter(has_text=CHANGES["lost"]).click()
    if isinstance(ask, Reason):
        strip.get_by_role("radiogroup").locator("label").nth(0).click()
    if isinstance(ask, Drawing):
        box = page.locator(".st-key-lesson-drawing .dp-draw svg").bounding_box()
        _mouse(page, box["x"] + 40, box["x"] + box["width"] - 10, box)
        page.get_by_role("button", name="Show me the true curve").click()
        page.locator(".st-key-lesson-drawing path.true").wait_for(timeout=PATIENCE)
        settled(page)


@pytest.mark.parametrize("tab", [{"viewport": {"width": 1440, "height": 900}}], indirect=True)
def test_text_of_slides_stands_beside_the_page_without_navigation(page, server):
    address = lessons.address(LESSONS["promise"], 0, present="1")[2:]
    page.goto(f"{server['url']}/{address}")
    page.locator(".st-key-lesson").wait_for(timeout=PATIENCE)
    settled(page)
    page.locator(".st-key-own-answer").first.wait_for(timeout=PATIENCE)
    # the layout may still change when the script has ended
    page.wait_for_function(
        """() => {
          const [text, shown] = [".st-key-lesson", ".st-key-own-answer"]
            .map((place) => document.querySelector(place).getBoundingClientRect());
          return shown.left >= text.right;
        }""",
        timeout=PATIENCE,
    )
    assert not page.locator("#loading nav").is_visible()
