"""The Class page without a browser: from an open room to what came, for one visitor alone."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.classroom import LIVE_CLASSES, listener
from dpviz.experiments import experiment
from dpviz.experiments.jobs import results_in_memory
from dpviz.formatting import plain
from dpviz.text import live_class as text
from dpviz.text import questions
from dpviz.text.template import render
from dpviz.types import Budget, RunSpec
from dpviz.ui.frame import visitor
from dpviz.ui.live import long_work
from dpviz.ui.live_class import opening, reveal
from dpviz.views import class_race
from tests.kit.phones import until
from tests.kit.seen import APP
from tests.kit.toys import labelled_content

pytestmark = pytest.mark.slow
A, B = "a" * 32, "b" * 32


@pytest.fixture
def open_beyond(monkeypatch):
    """As under ``dpviz app --room``, without anyone listening."""
    monkeypatch.setattr(listener, "_bound", [("127.0.0.1", 8502)])
    yield
    for owner in (A, B):
        if room := LIVE_CLASSES.find_by_owner(owner):
            room.end()


def opened(who=A, **link):
    at = AppTest.from_file(APP, default_timeout=90).switch_page("pages/class.py")
    at.session_state[visitor.VISITOR] = who
    for key, value in link.items():
        at.query_params[key] = value
    return drawn(at)


def drawn(changed):
    """The page after a run; ``changed``: the page, or what was moved on it."""
    at = changed.run()
    assert not at.exception, at.exception
    return at


def words(at):
    said = [one.value for some in (at.markdown, at.caption, at.error) for one in some]
    return " ".join(said + [one.proto.body for one in at.get("html")]).replace("\u00a0", " ")


def charts(at):
    return [json.loads(one.proto.spec) for one in at.get("plotly_chart")]


def begun():
    at = opened()
    drawn(at.button(key="class-begin").click())
    return at, LIVE_CLASSES.find_by_owner(A)


def answered(room, *values):
    for value in values:
        room.answer(room.join(), room.snapshot().number, value)


def ask_own(at, asked, options):
    drawn(at.segmented_control(key="class-kind").set_value("own"))
    at.text_input(key="class-text").set_value(asked)
    drawn(at.text_area(key="class-options").set_value(options))
    drawn(at.button(key="class-ask").click())


def ask_private(at, way):
    drawn(at.segmented_control(key="class-kind").set_value("private"))
    at.text_input(key="class-private").set_value("Did you ever cheat?")
    drawn(at.radio(key="class-way").set_value(way))
    drawn(at.button(key="class-ask").click())


def test_page_without_listener_gives_reason_at_disabled_button():
    at = opened()
    assert at.button(key="class-begin").disabled
    assert text.BLOCKED["remote"].partition(":")[0] in words(at)


@pytest.mark.parametrize(
    ("case", "setting", "address", "names", "headers"),
    [
        ("", "", "127.0.0.1", [], {"host": "localhost:8501"}),
        ("", "", "::1", [], {"host": "127.0.0.1:8501"}),
        ("off", "off", "127.0.0.1", [], {"host": "localhost:8501"}),
        ("address", "", "0.0.0.0", [], {"host": "localhost:8501"}),
        ("address", "", "192.168.1.5", [], {"host": "localhost:8501"}),
        ("proxy", "", "127.0.0.1", ["dp.example.org"], {"host": "localhost:8501"}),
        ("proxy", "", "127.0.0.1", [], {"host": "localhost", "x-forwarded-for": "1.2.3.4"}),
        ("proxy", "", "127.0.0.1", [], {"host": "localhost", "via": "1.1 cache"}),
        ("remote", "", "127.0.0.1", [], {"host": "dp.example.org"}),
        ("remote", "", "127.0.0.1", [], {}),
    ],
)
def test_class_opens_only_for_local_visitors_of_a_local_server(
    case, setting, address, names, headers
):
    found, fields = opening._blocked(setting, address, names, headers)
    assert found == case and (not case or render(text.BLOCKED[case], **fields))


def test_private_tab_states_accuracy_and_who_learns_answers(open_beyond):
    at = opened(eps="1.0", teach="private")
    assert "a class of 30" in words(at) and "±32%" in words(at)
    (chart,) = charts(at)
    assert len(chart["frames"]) == 9
    drawn(at.number_input(key="eps").set_value(3.0))
    said = words(at)
    for rows in text.WHO_KNOWS.values():
        assert all(value in said.replace("&#x27;", "'") for _, value in rows)
    assert "δ = 0" in said and text.COSTS_AGAIN in said


def test_old_address_opens_results():
    at = AppTest.from_file(APP, default_timeout=90).switch_page("pages/class_results.py")
    assert questions.RESULTS_INTRO in words(drawn(at))


def test_next_question_follows_the_lessons(open_beyond):
    at, room = begun()
    drawn(at.button(key="class-next").click())
    first = room.snapshot().question
    assert first.setup and first.setup[:20] in words(at)
    assert all(plain(option) in words(at) for option in first.options)
    drawn(at.button(key="class-reveal").click())
    drawn(at.button(key="class-next").click())
    assert room.snapshot().number == 2 and room.snapshot().question.text != first.text


def test_question_survives_reload_from_asking_to_reveal(open_beyond):
    at, room = begun()
    assert room.code in words(at) and "127.0.0.1:8502" in words(at)
    ask_own(at, "Which <b>one</b>?", "this\nthat")
    answered(room, 0, 1, 1)
    drawn(at)
    assert "<b>3</b> of 3 answered" in words(at) and "Which \\<b\\>one" in words(at)
    assert not charts(at), "the tally is hidden until it is asked for"
    drawn(at.toggle(key="class-growing").set_value(True))
    assert charts(at)[0]["data"][0]["x"] == [1, 2]
    again = opened()  # a refresh: another session of the same visitor
    drawn(again.button(key="class-reveal").click())
    assert room.phase == "revealed" and charts(again)[0]["data"][0]["x"] == [1, 2]
    assert "**3 people** answered" in words(again)


def test_other_visitor_cannot_see_live_class(open_beyond):
    _, room = begun()
    other = opened(B)
    assert room.code not in words(other)
    drawn(other.button(key="class-begin").click())
    assert (
        LIVE_CLASSES.find_by_owner(B).code in words(other) and LIVE_CLASSES.find_by_owner(A) is room
    )


def test_other_page_links_back_and_keeps_live_class(open_beyond, monkeypatch):
    monkeypatch.setenv(listener.SETTING, "127.0.0.1:8502")
    _, room = begun()
    room.last_touch -= 500
    last = room.last_touch
    frame = "from dpviz.ui.frame import teachers_view\nteachers_view.note_live_class('lessons')"
    at = AppTest.from_string(frame)
    at.session_state[visitor.VISITOR] = A
    assert f"Back to your live class {room.code}" in words(drawn(at)) and room.last_touch > last
    other = AppTest.from_string(frame)
    other.session_state[visitor.VISITOR] = B
    assert not words(drawn(other))


def test_invalid_question_is_refused_with_message(open_beyond):
    at, room = begun()
    ask_own(at, "", "this\nthat")
    assert room.phase == "waiting" and text.NO_QUESTION in words(at).replace("\\", "")
    ask_own(at, "Which?", "alone")
    assert room.phase == "waiting" and at.error


def test_lesson_question_shows_drawing_with_true_curve(open_beyond):
    at, room = begun()
    at.selectbox(key="class-lesson").set_value("promise")
    drawn(at)
    steps = at.selectbox(key="class-step-promise").options
    from dpviz.views.lessons import LESSONS, Drawing

    places = [i for i, step in enumerate(LESSONS["promise"].steps) if isinstance(step.ask, Drawing)]
    assert steps and places, "a curve by a formula, which needs no runs"
    drawn(at.selectbox(key="class-step-promise").set_value(places[0]))
    drawn(at.button(key="class-ask").click())
    size = len(room.snapshot().question.names)
    answered(room, [50] * size, [10] * size)
    drawn(at.button(key="class-reveal").click())
    names = [trace.get("name") for trace in charts(at)[0]["data"]]
    assert len([name for name in names if name]) == 2, "the class and the truth"
    assert len(room.snapshot().question.truth) == size and "Curves: **0** well drawn" in words(at)


@pytest.mark.parametrize("kind", ["Outcome", "Drawing"])
def test_stopped_runs_of_a_lesson_keep_its_results_back(kind, monkeypatch):
    from dpviz.views import lessons

    step, after = next(
        (lesson.steps[i], lesson.steps[i + 1])
        for lesson in lessons.LESSONS.values()
        for i, step in enumerate(lesson.steps)
        if type(step.ask).__name__ == kind and getattr(step.ask, "method", True)
    )
    job = SimpleNamespace(complete=False, missing=["a group"])
    monkeypatch.setattr(long_work, "collect", lambda *arguments: job)
    assert reveal._of_lesson(step, after, None) is None
    job.missing = []  # all others failed: the answers are shown without the truth
    assert reveal._of_lesson(step, after, None) == ("", {})


@pytest.fixture
def toy_race(tmp_path, monkeypatch):
    """Races on toy features: the run of a budget and a seed."""
    path = tmp_path / "toy.npz"
    path.write_bytes(labelled_content())
    spec = lambda budget, seed: RunSpec(str(path), None, class_race.METHOD, budget, seed=seed)
    monkeypatch.setattr(class_race, "_spec", spec)
    return spec


def test_race_shows_counts_first_and_computed_curve_after(open_beyond, toy_race):
    at, room = begun()
    drawn(at.segmented_control(key="class-kind").set_value("race"))
    drawn(at.button(key="class-ask").click())
    answered(room, 0, 5, 5, 5)
    drawn(at)
    assert "<b>4</b> of 4 answered" in words(at) and not charts(at)
    assert "0.1, 0.3, 1, 2, 5, 10" in words(at)
    drawn(at.toggle(key="class-growing").set_value(True))
    assert charts(at)[0]["data"][0]["x"] == [1, 0, 0, 0, 0, 3]
    groups = class_race.groups(class_race.EPSILONS)
    until(lambda: results_in_memory(groups, long_work.SWEEPS).complete)  # before the reveal
    drawn(at.button(key="class-reveal").click())
    race = room.snapshot().question
    runs = [
        [experiment.run(toy_race(Budget(epsilon), seed)) for seed in range(class_race.SEEDS)]
        for epsilon in race.epsilons
    ]
    assert race.truth == tuple(map(class_race.point, runs)) and race.public is not None
    (chart,) = charts(at)
    assert chart["data"][-1]["text"] == ["1", "", "", "", "", "3"]
    mean = class_race.mean_text((1, 0, 0, 0, 0, 3), race.truth)
    assert mean in words(at) and room.snapshot().words == mean.replace("**", "")
    assert race.then in words(at).replace("\\", "")


def test_race_without_answers_shows_curve(open_beyond, toy_race):
    at, room = begun()
    drawn(at.segmented_control(key="class-kind").set_value("race"))
    drawn(at.button(key="class-ask").click())
    drawn(at.button(key="class-reveal").click())
    assert room.snapshot().words == text.NOBODY and text.NOBODY in words(at) and charts(at)


def test_stopped_race_continues_to_its_results(open_beyond, toy_race, monkeypatch):
    monkeypatch.setattr(reveal, "prepare", lambda live_class: None)
    at, room = begun()
    drawn(at.segmented_control(key="class-kind").set_value("race"))
    drawn(at.button(key="class-ask").click())
    groups = tuple(class_race.groups(class_race.EPSILONS))
    at.session_state[f"{reveal.KEY}:stopped"] = groups
    drawn(at.button(key="class-reveal").click())
    assert room.phase == "closed"
    drawn(at.button(key=f"{reveal.KEY}:go").click())
    assert room.phase == "revealed" and room.snapshot().question.truth


def test_race_that_cannot_be_computed_shows_no_results(open_beyond, toy_race, monkeypatch):
    faulty = lambda budget, seed: replace(toy_race(budget, seed), params=(("unknown", "1"),))
    monkeypatch.setattr(class_race, "_spec", faulty)
    at, room = begun()
    drawn(at.segmented_control(key="class-kind").set_value("race"))
    drawn(at.button(key="class-ask").click())
    answered(room, 0)
    drawn(at.button(key="class-reveal").click())
    assert room.phase == "closed" and not charts(at) and "unknown" in words(at)


def test_true_answers_are_released_once_with_noise(open_beyond):
    at, room = begun()
    ask_private(at, "server")
    answered(room, *["yes"] * 3 + ["no"] * 17)
    drawn(at)
    assert not at.toggle and not charts(at), "no count is shown before the release"
    drawn(at.button(key="class-reveal").click())
    told = room.snapshot().words
    assert "of 20 say yes" in told
    assert all(room.snapshot().words == told for _ in range(3) if drawn(at) and opened())
    assert "Published count" in words(at) and set(room._answers.values()) == {None}


def test_coin_answers_give_estimate_and_repeat_costs_double(open_beyond):
    at, room = begun()
    for _ in range(2):
        ask_private(at, "coin")
        answered(room, *["yes"] * 12 + ["no"] * 18)
        drawn(at.button(key="class-reveal").click())
    assert "12 of 30 recorded answers are yes" in words(at)
    drawn(at.segmented_control(key="teach").set_value("private"))
    assert "ε = 1 + 1 = 2" in words(at)


def test_unanswered_question_is_reported_and_class_ends(open_beyond):
    at, room = begun()
    ask_private(at, "server")
    drawn(at.button(key="class-reveal").click())
    assert text.NOBODY in words(at)
    drawn(at.button(key="class-end").click())
    assert LIVE_CLASSES.find_by_owner(A) is None and room.phase == "ended"
    assert at.button(key="class-begin")


def resumed(code, who=B, button="class-take"):
    at = opened(who)
    at.text_input(key="class-teacher-code").set_value(code)
    return drawn(at.button(key=button).click())


def test_another_browser_resumes_a_class_with_the_teachers_code(open_beyond):
    at, room = begun()
    assert (
        room.shown_teacher_code in words(at).replace("\\-", "-")
        and room.shown_teacher_code.count("-") == 2
    )
    assert "No open class has this code" in words(resumed("WRNG-CDES-NEVR"))
    assert LIVE_CLASSES.find_by_owner(A) is room
    at = resumed(room.shown_teacher_code.lower())
    assert LIVE_CLASSES.find_by_owner(B) is room and LIVE_CLASSES.find_by_owner(A) is None
    assert room.code in words(at)


def test_another_browser_ends_a_class_with_the_teachers_code(open_beyond):
    _, room = begun()
    at = resumed(room.shown_teacher_code, button="class-take-end")
    assert room.phase == "ended" and not LIVE_CLASSES.any_open
    assert at.button(key="class-begin") and not at.text_input
