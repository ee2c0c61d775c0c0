"""Every lesson, step by step, in a real browser."""

import re

from dpviz.views.lessons import LESSONS
from tests.kit.browser import PATIENCE, settled


def test_every_lesson_can_be_walked_to_its_end(page, server):
    page.goto(f"{server['url']}/lessons")
    for key, lesson in LESSONS.items():
        page.locator(f".st-key-lesson-{key}").get_by_text("Start →").click(timeout=PATIENCE)
        _walk(page, lesson)


def _walk(page, lesson):
    strip = page.locator(".st-key-lesson")
    for at, step in enumerate(lesson.steps):
        strip.get_by_text(f"step {at + 1} of {len(lesson.steps)}").wait_for(timeout=PATIENCE)
        if at and lesson.steps[at - 1].ask:
            strip.get_by_text(
                re.compile(
                    r"You said: it falls by more than 20\spoints. (That is what|What) happened"
                )
            ).wait_for(timeout=PATIENCE)
        settled(page)
        if step.ask:
            strip.locator("label").filter(has_text="It falls by more than 20 points").click()
            strip.get_by_text("Show me →").click(timeout=PATIENCE)
        elif at + 1 < len(lesson.steps):
            strip.get_by_text("Next →").click()
    strip.get_by_text("All lessons").click()
    page.get_by_text("What would you like to see for yourself?").wait_for(timeout=PATIENCE)
