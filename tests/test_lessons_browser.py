"""Every lesson, step by step, in a real browser."""

import re

import pytest

from dpviz.ui.lesson_texts import LESSONS
from tests import test_browser
from tests.test_browser import PATIENCE, browser, page, server  # noqa: F401

pytestmark = test_browser.pytestmark


@pytest.mark.parametrize("key", LESSONS)
def test_a_lesson_can_be_walked_to_its_end(page, server, key):
    lesson = LESSONS[key]
    page.goto(f"{server['url']}/lessons")
    page.locator(f".st-key-lesson-{key}").get_by_text("Start →").click()
    strip = page.locator(".st-key-lesson")
    for at, step in enumerate(lesson.steps):
        strip.get_by_text(f"step {at + 1} of {len(lesson.steps)}").wait_for(timeout=PATIENCE)
        if at and lesson.steps[at - 1].ask:
            strip.get_by_text(re.compile(r"You said: it falls by more than 20\spoints. (That is what|What) happened")).wait_for(timeout=PATIENCE)
        page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
        if step.ask:
            strip.locator("label").filter(has_text="It falls by more than 20 points").click()
            strip.get_by_text("Show me →").click(timeout=PATIENCE)
        elif at + 1 < len(lesson.steps):
            strip.get_by_text("Next →").click()
    strip.get_by_text("All lessons").click()
    page.get_by_text("What would you like to see for yourself?").wait_for(timeout=PATIENCE)
