"""Rooms: seats, answers, phases, and their end."""

import threading

import pytest

from dpviz.classroom import Choice, Curve, LiveClasses, Number, Private, Race
from dpviz.classroom.live_class import (
    ENDED,
    LETTERS,
    MAX_ABSENCE,
    MAX_CLASSES,
    MAX_SEATS,
)
from dpviz.classroom.stream import seat_state
from dpviz.types import DpvizError

PICK = Choice("Which?", ("this", "that", "neither"), right=1)
SCALE = Number("How many?", 0, 100, 5, "%")
DRAWN = Curve("How does it run?", ("1", "2", "4"), (0.0, 0.5, 1.0), "ε", "accuracy, %")
RACE = Race("Choose ε.", (0.1, 1.0, 10.0))
TRUTH = ((30.0, 25.0, 35.0, 50.7), (93.0, 92.0, 94.0, 55.4), (96.0, 95.0, 97.0, 84.2))
COIN = Private("Did you ever?", "coin", 1.0)
TRUE = Private("Did you ever?", "server", 1.0)


class Clock:
    """Time that passes when it is told to."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def classes(clock):
    return LiveClasses(clock)


@pytest.fixture
def live_class(classes):
    return classes.open("teacher")


def test_code_has_unambiguous_letters(live_class):
    assert len(live_class.code) == 5 and set(live_class.code) <= set(LETTERS)
    assert not set(LETTERS) & set("ILO01")


def test_tally_counts_each_device_once(live_class):
    mine, other = live_class.join(), live_class.join()
    asked = live_class.ask(PICK)
    for seat, value in ((mine, 0), (mine, 2), (other, 2), (mine, 1)):
        live_class.answer(seat, asked, value)
    shot = live_class.snapshot()
    assert (shot.joined, shot.answered, shot.tally) == (2, 2, (0, 1, 1))
    assert live_class.answer_of(mine) == 1


def test_race_counts_last_choice_and_hides_truth_until_reveal(live_class):
    first, second = live_class.join(), live_class.join()
    number = live_class.ask(RACE)
    for seat, value in ((first, 0), (first, 2), (second, 2)):
        live_class.answer(seat, number, value)
    assert live_class.snapshot().tally == (0, 0, 2) and live_class.answer_of(first) == 2
    asked = seat_state(live_class, first)
    assert asked["asked"] == {"kind": "race"} | {
        "setup": "",
        "text": "Choose ε.",
        "epsilons": (0.1, 1.0, 10.0),
    }
    assert "came" not in asked
    live_class.reveal("Mean.", number, truth=TRUTH, public=81.8, then="Public images.")
    came = seat_state(live_class, first)["came"]
    assert (came["tally"], came["truth"], came["public"]) == ((0, 0, 2), TRUTH, 81.8)
    with pytest.raises(DpvizError, match="question is closed"):
        live_class.answer(first, number, 1)


def test_tabs_and_returning_phones_share_a_seat(live_class):
    seat = live_class.join()
    assert live_class.join(seat) == seat
    live_class.count_connection(seat, 1)
    live_class.count_connection(seat, 1)
    live_class.count_connection(seat, -1)
    assert live_class.snapshot().connected == 1
    live_class.count_connection(seat, -1)
    live_class.count_connection(seat, -1)  # torn twice is torn
    shot = live_class.snapshot()
    assert (shot.joined, shot.connected) == (1, 0)
    assert live_class.join(seat) == seat


def test_seat_of_another_class_is_invalid(classes, live_class):
    elsewhere = classes.open("other").join()
    asked = live_class.ask(PICK)
    assert live_class.join(elsewhere) != elsewhere
    with pytest.raises(DpvizError, match="has not joined"):
        live_class.answer(elsewhere, asked, 0)


def test_late_phone_gets_the_question(live_class):
    asked = live_class.ask(PICK)
    live_class.answer(live_class.join(), asked, 0)
    assert live_class.snapshot().tally == (1, 0, 0)


def test_seat_above_the_limit_is_refused(live_class):
    seats = [live_class.join() for _ in range(MAX_SEATS)]
    assert len(set(seats)) == MAX_SEATS == 200
    with pytest.raises(DpvizError, match="All 200 places"):
        live_class.join()
    assert live_class.join(seats[7]) == seats[7]


def test_answers_are_refused_after_question_closes(live_class):
    seat = live_class.join()
    first = live_class.ask(PICK)
    live_class.close()
    with pytest.raises(DpvizError, match="question is closed"):
        live_class.answer(seat, first, 0)
    second = live_class.ask(SCALE)
    with pytest.raises(DpvizError, match="question is closed"):
        live_class.answer(seat, first, 0)
    live_class.answer(seat, second, 42)
    live_class.reveal("so it is")
    with pytest.raises(DpvizError, match="question is closed"):
        live_class.answer(seat, second, 5)
    shot = live_class.snapshot()
    assert (shot.phase, shot.numbers, shot.words) == ("revealed", (40.0,), "so it is")


def test_answers_are_sorted(live_class):
    asked = live_class.ask(DRAWN)
    for curve in ([90, 50, 10], [10, 50, 90]):
        live_class.answer(live_class.join(), asked, curve)
    assert live_class.snapshot().curves == ((10, 50, 90), (90, 50, 10))


@pytest.mark.parametrize("private", [COIN, TRUE])
def test_second_private_answer_is_refused(live_class, private):
    seat, asked = live_class.join(), live_class.ask(private)
    live_class.answer(seat, asked, "yes")
    with pytest.raises(DpvizError, match="second answer would cost"):
        live_class.answer(seat, asked, "no")
    assert live_class.answer_of(seat) is True, "what it was is told to nobody"
    live_class.ask(private)
    assert live_class.snapshot().spent == (1.0, 1.0), "asked twice costs twice"


def test_recorded_coin_answers_are_counted(live_class):
    asked = live_class.ask(COIN)
    for said in ("yes", "no", "no"):
        live_class.answer(live_class.join(), asked, said)
    assert live_class.snapshot().tally == (1, 2)
    live_class.close()
    with pytest.raises(DpvizError, match="no true answers"):
        live_class.private_yes_count()


def test_true_answers_are_hidden_and_counted_once(live_class):
    asked = live_class.ask(TRUE)
    for said in ("yes", "no", "yes"):
        live_class.answer(live_class.join(), asked, said)
    with pytest.raises(DpvizError, match="is still open"):
        live_class.private_yes_count()
    live_class.close()
    shot = live_class.snapshot()
    assert (shot.answered, shot.tally, shot.numbers, shot.curves) == (3, (), (), ())
    assert live_class.private_yes_count() == 2
    assert set(live_class._answers.values()) == {None}, "they are forgotten"
    with pytest.raises(DpvizError, match="already been counted"):
        live_class.private_yes_count()
    assert live_class.snapshot() == shot


@pytest.mark.parametrize(
    ("question", "value"),
    [
        *((PICK, value) for value in (-1, 3, 1.5, "1", None, True, [1], {})),
        *((SCALE, value) for value in (-1, 101, float("nan"), float("inf"), "5", None, False)),
        *((RACE, value) for value in (-1, 3, 0.1, "1", None, True, [1], {})),
        *((DRAWN, value) for value in ([1, 2], [1, 2, 101], [1, 2, 3.5], "123", None, [1, 2, "3"])),
        *((COIN, value) for value in (True, "maybe", None, 1, ["yes"])),
    ],
)
def test_invalid_answer_is_refused(live_class, question, value):
    seat, asked = live_class.join(), live_class.ask(question)
    with pytest.raises(DpvizError, match=r"(use|must|draw) .*\.$"):
        live_class.answer(seat, asked, value)
    assert live_class.snapshot().answered == 0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Choice("", ("a", "b")),
        lambda: Choice("x" * 601, ("a", "b")),
        lambda: Choice("a\x00b", ("a", "b")),
        lambda: Choice("a", ("a",)),
        lambda: Choice("a", tuple("abcdefghi")),
        lambda: Choice("a", ("a", "")),
        lambda: Choice("a", ("a", "b"), right=2),
        lambda: Number("a", 5, 4, 1),
        lambda: Number("a", 0, 1, 0),
        lambda: Number("a", 0, 1, 1e-9),
        lambda: Number("a", 0, float("inf"), 1),
        lambda: Number("a", 0, 1e-300, 1e-301),
        lambda: Number("a", 0, 1e-5, 1e-7),
        lambda: Number("a", 1e12 - 1, 1e12, 0.5),
        lambda: Curve("a", ("1", "2"), (0.0,), "x", "y"),
        lambda: Curve("a", ("1", "2"), (0.0, 2.0), "x", "y"),
        lambda: Race("a", (1.0,)),
        lambda: Race("a", (0.0, 1.0)),
        lambda: Race("a", (0.1, float("nan"))),
        lambda: Race("a", (1.0, 0.1)),
        lambda: Race("a", (1.0, 1.0)),
        lambda: Race("a", tuple(0.1 * k for k in range(1, 10))),
        lambda: Race("a", (0.1, 1.0), TRUTH),
        lambda: Race("a", (0.1, 1.0, 10.0), (*TRUTH[:2], (101.0, 0.0, 0.0, 0.0))),
        lambda: Race("a", (0.1, 1.0), public=101.0),
        lambda: Private("a", "post", 1),
        lambda: Private("a", "coin", 0),
        lambda: Private("a", "coin", float("nan")),
    ],
)
def test_invalid_question_is_refused(wrong):
    with pytest.raises(DpvizError, match="(?i)(use|give|must|enter) "):
        wrong()


def test_class_ends_without_its_teacher(classes, live_class, clock):
    seat, asked = live_class.join(), live_class.ask(PICK)
    live_class.answer(seat, asked, 0)
    clock.now = MAX_ABSENCE
    live_class.touch()
    clock.now = 2 * MAX_ABSENCE
    classes.end_abandoned()
    assert classes.find(live_class.code) is live_class
    clock.now += 1
    classes.end_abandoned()
    assert classes.find(live_class.code) is None and classes.find_by_owner("teacher") is None
    shot = live_class.snapshot()
    assert (shot.phase, shot.joined, shot.answered, shot.question) == ("ended", 0, 0, None)
    for late in (
        live_class.join,
        live_class.close,
        lambda: live_class.ask(PICK),
        lambda: live_class.answer(seat, 1, 0),
    ):
        with pytest.raises(DpvizError, match="has ended"):
            late()


def test_one_class_per_teacher_and_few_in_all(classes):
    first = classes.open("teacher")
    second = classes.open("teacher")
    assert first.phase == "ended" and classes.find_by_owner("teacher") is second
    others = [classes.open() for _ in range(MAX_CLASSES - 1)]
    with pytest.raises(DpvizError, match="live classes are open"):
        classes.open()
    others[0].end()
    classes.open()


def test_listeners_are_called_for_phases_only(live_class):
    told = []
    no_more = live_class.on_change(lambda: told.append(live_class.phase))
    seat, asked = live_class.join(), live_class.ask(PICK)
    live_class.answer(seat, asked, 0)
    live_class.close()
    live_class.close()
    live_class.reveal()
    no_more()
    no_more()
    live_class.end()
    assert told == ["asked", "closed", "revealed"]


def test_threads_get_different_seats(live_class):
    asked, seats = live_class.ask(PICK), []

    def come():
        for _ in range(25):
            seats.append(live_class.join())
            live_class.answer(seats[-1], asked, 0)

    threads = [threading.Thread(target=come) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(seats)) == 200 and live_class.snapshot().tally == (200, 0, 0)


def test_reveal_changes_late_fields_only():
    live_class = LiveClasses().open("teacher")
    seat = live_class.join()
    number = live_class.ask(Private("Do you?", "server", 0.1))
    live_class.answer(seat, number, "yes")
    for changed in ({"epsilon": 20.0}, {"way": "coin"}, {"text": "Another?"}):
        with pytest.raises(DpvizError, match="cannot change"):
            live_class.reveal("words", **changed)
    assert live_class.snapshot().question.epsilon == 0.1 and not any(live_class.snapshot().tally)


def test_late_tab_affects_its_own_question_only():
    live_class = LiveClasses().open("teacher")
    first = live_class.ask(Choice("One?", ("a", "b")))
    second = live_class.ask(Private("Two?", "server", 1.0))
    live_class.close(first)
    live_class.reveal("words of the first", first)
    assert live_class.snapshot().phase == "asked" and not live_class.snapshot().words
    live_class.close(second)
    with pytest.raises(DpvizError, match="newer question"):
        live_class.private_yes_count(first)
    assert live_class.private_yes_count(second) == 0


@pytest.mark.parametrize("scale", [(0, 1e-4, 1e-6), (-2e9, 2e9, 1e8), (0.5, 0.7, 1e-3)])
def test_finest_scale_keeps_each_answer(scale):
    least, most, step = scale
    number = Number("a", least, most, step)
    assert number.checked(most) == most
    assert number.checked(least + 3 * step) == pytest.approx(least + 3 * step, rel=1e-3)


def test_teachers_code_is_needed_in_full():
    now = [0.0]
    classes = LiveClasses(lambda: now[0])
    room = classes.open("a")
    for wrong in ("", room.teacher_code[:-1], room.code, "é" * 12):
        with pytest.raises(DpvizError, match="No open class"):
            classes.resume(wrong, "b")
    now[0] += 60
    assert classes.resume(f" {room.shown_teacher_code} ", "b") is room and room.owner == "b"
    assert room.last_touch == now[0] and room.teacher_code not in repr(room.snapshot())


def test_resuming_ends_the_previous_class_of_the_same_teacher():
    classes = LiveClasses()
    first, second = classes.open("a"), classes.open("b")
    assert classes.resume(second.teacher_code, "a") is second
    assert first.phase == ENDED and classes.find_by_owner("a") is second
