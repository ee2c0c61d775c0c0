"""Lessons: links that open, predictions whose outcome is computed, and a teacher's own view."""

from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.run import experiment
from dpviz.stats import Interval, accuracy, difference
from dpviz.ui.frame import lesson_strip
from dpviz.views import lesson_outcomes
from dpviz.views.lessons import LESSONS
from dpviz.views.lessons.model import Outcome
from dpviz.words import points

pytestmark = pytest.mark.slow

APP = str(Path(__file__).resolve().parents[2] / "app.py")
ASKS = [
    (lesson, at)
    for lesson in LESSONS.values()
    for at, step in enumerate(lesson.steps)
    if isinstance(step.ask, Outcome)
]


def outcome(lesson, at):
    before, after = lesson.steps[at], lesson.steps[at + 1]
    sides = [
        accuracy(experiment.sweep(group), before.ask.score)
        for group in lesson_outcomes.groups(before, after)
    ]
    return lesson_outcomes.change(difference(*sides).apart)


def test_every_prediction_comes_as_the_next_step_says():
    comes = {(lesson.key, at): lesson.steps[at].ask.comes for lesson, at in ASKS}
    assert {(lesson.key, at): outcome(lesson, at) for lesson, at in ASKS} == comes


def opened(link):
    """The app as the link opens it."""
    at = AppTest.from_file(APP, default_timeout=120)
    for name, value in parse_qsl(urlsplit(link).query):
        at.query_params[name] = value
    at.run()
    assert not at.exception and not at.error
    return at


def words(at):
    return [m.value.replace("\u00a0", " ") for m in at.markdown]


def test_a_step_says_what_to_look_at_and_asks():
    lesson = LESSONS["minorities"]
    at = opened(lesson_outcomes.address(lesson, 0))
    assert any(m.startswith("**Why do minorities pay?** · step 1 of 4") for m in words(at))
    assert lesson.steps[0].look in words(at) and at.radio(key="predict-minorities-0").value is None
    assert any(m.startswith("At IR 1 and (1, 1e-5)-DP the minority") for m in words(at)), (
        "the step sets the controls"
    )
    links = " ".join(h.proto.body for h in at.get("html"))
    assert "Skip the prediction" in links and "Back" not in links


def test_a_chart_that_gives_the_answer_away_is_covered_until_all_is_predicted():
    """Only the budget's lesson asks for what its own chart shows: the other questions change more
    than the budget.
    """
    for lesson in LESSONS.values():
        for step, after in zip(lesson.steps, lesson.steps[1:], strict=False):
            told = isinstance(step.ask, Outcome) and {
                k: v for k, v in step.link.items() if k != "eps"
            } == {k: v for k, v in after.link.items() if k != "eps"}
            assert step.covered == (told and step.ask.then is None)
    css = [
        " ".join(
            h.proto.body
            for h in opened(lesson_outcomes.address(LESSONS["epsilon"], at, "same")).get("html")
        )
        for at in (1, 2)
    ]
    assert lesson_strip.COVER in css[0] and lesson_strip.COVER not in css[1]


def test_the_next_step_says_what_came_true():
    at = opened(lesson_outcomes.address(LESSONS["minorities"], 1, "same"))
    said = next(m for m in words(at) if m.startswith("You said"))
    assert said.startswith(
        "You said: *it stays within 5 points*. **What happened: it falls by more than 20 points.**"
        " Minority accuracy of"
    )
    page = next(m for m in words(at) if m.startswith("At IR 50 and (1, 1e-5)-DP"))
    assert page.split("**")[1] == said.split("to **")[1].split("**")[0], (
        "the lesson and the page tell the same number"
    )


@pytest.mark.parametrize(
    "link",
    [
        "?lesson=nonsense&step=2",
        "?lesson=epsilon&step=99",
        "?lesson=epsilon&step=-1&said=<b>",
        "?only=<script>&ask=<b>x</b>",
    ],
)
def test_bad_links_still_open(link, own):
    at = opened(link + f"&data={own}&m=dppl-mean")
    assert not any("<script>" in h.proto.body or "<b>" in h.proto.body for h in at.get("html"))


def test_every_step_names_a_page_and_settings_there_are():
    files = (Path(APP).parent / "pages").glob("*.py")
    pages = {file.stem.replace("_", "-") for file in files}
    for lesson in LESSONS.values():
        assert 3 <= len(lesson.steps) <= 9 and lesson.steps[-1].ask is None
        for step in lesson.steps:
            assert step.page in pages
            if isinstance(step.ask, Outcome):
                assert lesson_outcomes.spec(step, step.ask.method, 0).budget.private


def test_changes_fall_under_one_answer_each():
    assert [lesson_outcomes.change(c) for c in (0.3, 0.051, 0.05, -0.05, -0.051, -0.2, -0.201)] == [
        "up",
        "up",
        "same",
        "same",
        "down",
        "down",
        "lost",
    ]


def test_verdict_gives_both_numbers_and_their_difference():
    before, after = Interval(0.9, 0.89, 0.91, 5, 0.01), Interval(0.4, 0.35, 0.45, 5, 0.04)
    said = lesson_outcomes.verdict(Outcome("", "dppl-mean"), before, after, "lost")
    assert (
        "**That is what happened.**" in said and "from **90 %** to **40 %**, −50 ± 5 points" in said
    )
    assert lesson_outcomes.verdict(Outcome("", "dppl-mean"), before, after, "<b>").startswith(
        "Minority accuracy"
    )
    assert (
        points(0.005, 0.001) == "+0.5 ± 0.1 points" and points(-0.2, float("inf")) == "−20 points"
    )


def test_the_list_of_lessons():
    at = AppTest.from_file(APP, default_timeout=60).run()
    at.switch_page("pages/lessons.py").run()
    assert not at.exception and any(
        m.startswith(f"**{len(LESSONS)} short lessons**") for m in words(at)
    )
    assert "only=budget" in at.code[0].value
