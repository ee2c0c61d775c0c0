"""Lessons: links that open, and predictions whose outcome is computed."""

import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.data import persons_known, uploads
from dpviz.experiments import experiment
from dpviz.stats import accuracy, difference
from dpviz.text import lessons as text
from dpviz.text import teach
from dpviz.ui.frame import lesson_strip
from dpviz.views import lesson_plan, lessons
from dpviz.views.lessons import LESSONS, Drawing, Lesson, Outcome, Reason, drawings
from tests.kit import whole_app
from tests.kit.lesson_steps import trade_off

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]

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
        for group in lessons.groups(before, before.ask, after)
    ]
    return lessons.change(difference(*sides).gap)


def test_every_prediction_outcome_matches_next_step():
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


@pytest.fixture
def toy_lesson(own, monkeypatch):
    """A lesson on a small upload, with a prediction of each kind."""
    step = lambda eps, look, ask=None, **more: trade_off(
        "dppl-mean", 1, eps, look, ask, data=own, score="balanced", **more
    )
    steps = (
        step(10, "Look here.", Outcome("And at 0.001?", "dppl-mean", "balanced"), covered=True),
        step(0.001, "Noise.", Reason("Why?", ("Noise.", "Luck."), 0, "It is large.")),
        step(1, "Now draw.", DRAWING, covered=True, at="picture"),
        step(1, "Done."),
    )
    lesson = Lesson("toy", "What is a toy?", "It is small.", steps, ("A toy is small.",))
    monkeypatch.setitem(LESSONS, "toy", lesson)
    kept, spec = uploads.display_path(uploads.path(own)), lessons.spec
    of_upload = lambda *asked: replace(spec(*asked), dataset=kept, encoder=None)
    monkeypatch.setattr(lessons, "spec", of_upload)
    return lesson


DRAWING = Drawing("Draw.", "eps", (0.001, 0.1, 10), "dppl-mean", "balanced", gap="It is a cliff.")


def links(at):
    return " ".join(h.proto.body for h in at.get("html"))


def tile(at):
    """The number in the first tile of the page."""
    return re.search(r"<strong>(\d+%)", links(at))[1]


def sentence(at, start):
    """From these words on: an answer may begin with public data alone."""
    return next(m[m.index(start) :] for m in words(at) if start in m)


def test_step_states_task_and_asks_prediction(toy_lesson):
    at = opened(lessons.address(toy_lesson, 0))
    assert "**What is a toy?** · Step 1 of 4" in words(at)
    assert "Look here." in words(at) and lesson_strip.COVER in links(at)
    assert text.SKIP in links(at) and text.BACK not in links(at)
    at.radio(key="predict-toy-0").set_value("lost").run()
    assert "said=lost" in links(at) and text.SHOW in links(at)


def test_next_step_states_prediction_outcome(toy_lesson):
    at = opened(lessons.address(toy_lesson, 1, "up", voice="precise"))
    said = sentence(at, "**Not quite: it falls")
    assert tile(at) == said.split(", **")[1].split("**")[0], (
        "the lesson and the page tell the same number"
    )
    assert at.radio(key="predict-toy-1").options == ["Noise.", "Luck."]
    away = [bit.split('"')[0] for bit in links(at).split('href="')[1:]]
    onward = [link for link in away if "lesson" in link]
    assert onward and all("voice=precise" in link for link in onward)


def test_reason_is_followed_by_correct_one(toy_lesson):
    reply = lambda said: lessons.reason_verdict(toy_lesson.steps[1].ask, said)
    assert reply("0").words == "**Right: Noise.** It is large."
    assert reply("1").mark == "wrong" and "**The right answer: Noise.**" in reply("1").words
    assert [reply(bad).mark for bad in ("", "2", "-1", "<b>")] == [""] * 4


def test_drawn_prediction_is_followed_by_true_curve(toy_lesson):
    link = lessons.address(toy_lesson, 2)
    assert lesson_strip.COVER in links(opened(link)) and lesson_strip.COVER in links(
        opened(f"{link}&drawn=1.2")
    )
    at = opened(f"{link}&drawn=100.100.100")
    gap = sentence(at, "**Far off.** ")
    assert gap.endswith("It is a cliff.") and lesson_strip.COVER not in links(at)
    page = opened(
        f"?data={toy_lesson.steps[0].link['data']}&m=dppl-mean&ir=1&eps=0.001&score=balanced"
        "&voice=precise"
    )
    true = tile(page)
    assert f"You drew 100%; the true value is {true}" in gap
    assert text.NEXT in links(at) and "Skip" not in links(at)


def test_lesson_end_summarizes_and_links_onward(toy_lesson):
    before = list(LESSONS)[-2]
    assert "lesson=toy" in links(whole_app.opened("lessons", ended=before))
    at = whole_app.opened("lessons", ended="toy")
    assert "- A toy is small." in " ".join(words(at)) and "Next lesson" not in links(at)


@pytest.mark.parametrize(
    "link",
    [
        "?lesson=nonsense&step=2",
        "?lesson=epsilon&step=99",
        "?lesson=epsilon&step=-1&said=<b>",
        "?only=<script>&ask=<b>x</b>",
    ],
)
def test_invalid_links_still_open(link, own):
    at = opened(link + f"&data={own}&m=dppl-mean")
    assert not any("<script>" in h.proto.body or "<b>" in h.proto.body for h in at.get("html"))


def test_revealing_chart_is_covered():
    """Where nothing changes but the budget, the chart of accuracy by budget tells."""
    beside = lambda step: {k: v for k, v in step.link.items() if k != "eps"}
    for lesson in LESSONS.values():
        for step, after in zip(lesson.steps, lesson.steps[1:], strict=False):
            if step.page != "trade-off":
                continue
            if isinstance(step.ask, Outcome):
                told = beside(step) == beside(after) and after.page == step.page
                assert step.covered == (told and step.ask.then is None), (lesson.key, step.look)
            if isinstance(step.ask, Drawing) and step.ask.curve == "runs":
                assert step.covered or step.ask.over != "eps", (lesson.key, step.look)


def test_every_step_has_page_and_answerable_question():
    files = (Path(APP).parent / "pages").glob("*.py")
    pages = {file.stem.replace("_", "-") for file in files}
    for lesson in LESSONS.values():
        assert 3 <= len(lesson.steps) <= 9 and lesson.steps[-1].ask is None
        for step in lesson.steps:
            assert step.page in pages
            if isinstance(step.ask, Outcome):
                assert lessons.spec(step, step.ask.method, 0).budget.private
            if isinstance(step.ask, Reason):
                assert step.ask.options[step.ask.right] and len(step.ask.options) > 1
            if isinstance(step.ask, Drawing):
                groups = drawings.groups(step, step.ask)
                assert groups or drawings.by_formula(step, step.ask)
                specs = [spec for group in groups for spec in group]
                assert all(s.unit == "picture" or persons_known(s.dataset) for s in specs)


def test_lesson_list_is_shown():
    at = whole_app.opened("lessons")
    assert any(
        m.startswith((f"{len(LESSONS)} lessons of about", f"{len(LESSONS)} lessons with"))
        for m in words(at)
    )


def test_step_shows_only_its_control_and_elements(own):
    lesson = LESSONS["epsilon"]
    at = opened(f"?lesson=epsilon&step=1&data={own}&m=dppl-mean")
    assert lesson.steps[0].control == "budget" and ".st-key-budget, .st-key-budget *" in links(at)
    at = opened(f"?lesson=epsilon&step=3&data={own}&m=dppl-mean")
    assert lesson_strip.NO_SIDE_BAR in links(at)


def test_steps_name_the_control_that_they_show():
    for lesson in LESSONS.values():
        for step in lesson.steps:
            invited = re.search(r"\b(?:Lower|Raise) ε\b", step.look)
            assert bool(step.control) == bool(invited), (lesson.key, step.look)


def test_estimate_is_shown_after_the_question_for_it():
    """The page's answer and chart give the estimate that the third step of the lesson asks for."""
    at = promise(3)
    assert lesson_strip.COVER in links(at) and lesson_strip.COVER_ANSWER in links(at)
    for step in (1, 2):
        assert lesson_strip.COVER + lesson_strip.COVER_ANSWER in links(promise(step))
    assert lesson_strip.COVER not in links(promise(4))


def promise(step):
    return opened(lessons.address(LESSONS["promise"], step - 1))


def test_teachers_note_of_every_lesson_is_folded_on_the_plan():
    at = AppTest.from_file(APP, default_timeout=60).switch_page("pages/class.py")
    at.query_params["teach"] = "plan"
    at.run()
    for key, lesson in LESSONS.items():
        at.selectbox(key="noted").set_value(key).run()
        assert not at.exception
        shown = " ".join(m.value for m in at.markdown).replace("\\", "").replace("\u00a0", " ")
        assert lesson.teacher.takeaway in shown and lesson.teacher.ask in shown
        assert f"{lesson_plan.minutes_in_class(lesson)} minutes" in shown
    [fold] = [fold for fold in at.expander if fold.label == teach.NOTES]
    assert not fold.proto.expanded and fold.selectbox
