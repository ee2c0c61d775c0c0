"""Rooms: seats, answers, phases, and their end."""

import threading

import pytest

from dpviz.classroom import Choice, Curve, LiveClasses, Number, Private
from dpviz.classroom.rooms import LETTERS, MOST_CLASSES, MOST_SEATS, UNTOUCHED
from dpviz.types import DpvizError

PICK = Choice("Which?", ("this", "that", "neither"), right=1)
SCALE = Number("How many?", 0, 100, 5, "%")
DRAWN = Curve("How does it run?", ("1", "2", "4"), (0.0, 0.5, 1.0), "ε", "accuracy, %")
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
def rooms(clock):
    return LiveClasses(clock)


@pytest.fixture
def room(rooms):
    return rooms.open("teacher")


def test_a_code_is_read_aloud_without_doubt(room):
    assert len(room.code) == 5 and set(room.code) <= set(LETTERS)
    assert not set(LETTERS) & set("ILO01")


def test_the_tally_counts_each_device_once(room):
    mine, other = room.join(), room.join()
    asked = room.ask(PICK)
    for seat, value in ((mine, 0), (mine, 2), (other, 2), (mine, 1)):
        room.answer(seat, asked, value)
    shot = room.snapshot()
    assert (shot.joined, shot.answered, shot.tally) == (2, 2, (0, 1, 1))
    assert room.said(mine) == 1


def test_two_tabs_and_who_comes_back_have_one_seat(room):
    seat = room.join()
    assert room.join(seat) == seat
    room.connected(seat, 1)
    room.connected(seat, 1)
    room.connected(seat, -1)
    assert room.snapshot().connected == 1
    room.connected(seat, -1)
    room.connected(seat, -1)  # torn twice is torn
    shot = room.snapshot()
    assert (shot.joined, shot.connected) == (1, 0)
    assert room.join(seat) == seat


def test_a_seat_of_another_room_is_none(rooms, room):
    elsewhere = rooms.open("other").join()
    asked = room.ask(PICK)
    assert room.join(elsewhere) != elsewhere
    with pytest.raises(DpvizError, match="has no seat"):
        room.answer(elsewhere, asked, 0)


def test_who_comes_late_is_asked(room):
    asked = room.ask(PICK)
    room.answer(room.join(), asked, 0)
    assert room.snapshot().tally == (1, 0, 0)


def test_the_seat_after_the_last_is_refused_in_a_sentence(room):
    seats = [room.join() for _ in range(MOST_SEATS)]
    assert len(set(seats)) == MOST_SEATS == 200
    with pytest.raises(DpvizError, match="All 200 seats"):
        room.join()
    assert room.join(seats[7]) == seats[7]


def test_answers_end_with_the_question(room):
    seat = room.join()
    first = room.ask(PICK)
    room.close()
    with pytest.raises(DpvizError, match="no more answers"):
        room.answer(seat, first, 0)
    second = room.ask(SCALE)
    with pytest.raises(DpvizError, match="no more answers"):
        room.answer(seat, first, 0)
    room.answer(seat, second, 42)
    room.reveal("so it is")
    with pytest.raises(DpvizError, match="no more answers"):
        room.answer(seat, second, 5)
    shot = room.snapshot()
    assert (shot.phase, shot.numbers, shot.words) == ("revealed", (40.0,), "so it is")


def test_answers_stand_in_an_order_that_tells_nobody_when(room):
    asked = room.ask(DRAWN)
    for curve in ([90, 50, 10], [10, 50, 90]):
        room.answer(room.join(), asked, curve)
    assert room.snapshot().curves == ((10, 50, 90), (90, 50, 10))


@pytest.mark.parametrize("private", [COIN, TRUE])
def test_the_first_private_answer_stands(room, private):
    seat, asked = room.join(), room.ask(private)
    room.answer(seat, asked, "yes")
    with pytest.raises(DpvizError, match="first answer stands"):
        room.answer(seat, asked, "no")
    assert room.said(seat) is True, "what it was is told to nobody"
    room.ask(private)
    assert room.snapshot().spent == (1.0, 1.0), "asked twice costs twice"


def test_what_coins_recorded_is_counted(room):
    asked = room.ask(COIN)
    for said in ("yes", "no", "no"):
        room.answer(room.join(), asked, said)
    assert room.snapshot().tally == (1, 2)
    room.close()
    with pytest.raises(DpvizError, match="No true answers"):
        room.private_yes_count()


def test_true_answers_are_in_no_snapshot_and_counted_once(room):
    asked = room.ask(TRUE)
    for said in ("yes", "no", "yes"):
        room.answer(room.join(), asked, said)
    with pytest.raises(DpvizError, match="still come in"):
        room.private_yes_count()
    room.close()
    shot = room.snapshot()
    assert (shot.answered, shot.tally, shot.numbers, shot.curves) == (3, (), (), ())
    assert room.private_yes_count() == 2
    assert set(room._answers.values()) == {None}, "they are forgotten"
    with pytest.raises(DpvizError, match="counted already"):
        room.private_yes_count()
    assert room.snapshot() == shot


@pytest.mark.parametrize(
    ("question", "value"),
    [
        *((PICK, value) for value in (-1, 3, 1.5, "1", None, True, [1], {})),
        *((SCALE, value) for value in (-1, 101, float("nan"), float("inf"), "5", None, False)),
        *((DRAWN, value) for value in ([1, 2], [1, 2, 101], [1, 2, 3.5], "123", None, [1, 2, "3"])),
        *((COIN, value) for value in (True, "maybe", None, 1, ["yes"])),
    ],
)
def test_what_is_no_answer_is_refused_in_a_sentence(room, question, value):
    seat, asked = room.join(), room.ask(question)
    with pytest.raises(DpvizError, match=r"; (use|draw) .*\.$"):
        room.answer(seat, asked, value)
    assert room.snapshot().answered == 0


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
        lambda: Private("a", "post", 1),
        lambda: Private("a", "coin", 0),
        lambda: Private("a", "coin", float("nan")),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(wrong):
    with pytest.raises(DpvizError, match="; (use|give) "):
        wrong()


def test_a_room_ends_with_its_teacher(rooms, room, clock):
    seat, asked = room.join(), room.ask(PICK)
    room.answer(seat, asked, 0)
    clock.now = UNTOUCHED
    room.touch()
    clock.now = 2 * UNTOUCHED
    rooms.end_untouched()
    assert rooms.find(room.code) is room
    clock.now += 1
    rooms.end_untouched()
    assert rooms.find(room.code) is None and rooms.of("teacher") is None
    shot = room.snapshot()
    assert (shot.phase, shot.joined, shot.answered, shot.question) == ("ended", 0, 0, None)
    for late in (room.join, room.close, lambda: room.ask(PICK), lambda: room.answer(seat, 1, 0)):
        with pytest.raises(DpvizError, match="has ended"):
            late()


def test_a_teacher_has_one_room_and_there_are_few(rooms):
    first = rooms.open("teacher")
    second = rooms.open("teacher")
    assert first.phase == "ended" and rooms.of("teacher") is second
    others = [rooms.open() for _ in range(MOST_CLASSES - 1)]
    with pytest.raises(DpvizError, match="rooms are open"):
        rooms.open()
    others[0].end()
    rooms.open()


def test_phones_are_told_of_phases_not_of_answers(room):
    told = []
    no_more = room.on_change(lambda: told.append(room.phase))
    seat, asked = room.join(), room.ask(PICK)
    room.answer(seat, asked, 0)
    room.close()
    room.close()
    room.reveal()
    no_more()
    no_more()
    room.end()
    assert told == ["asked", "closed", "revealed"]


def test_many_threads_take_no_seat_twice(room):
    asked, seats = room.ask(PICK), []

    def come():
        for _ in range(25):
            seats.append(room.join())
            room.answer(seats[-1], asked, 0)

    threads = [threading.Thread(target=come) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(seats)) == 200 and room.snapshot().tally == (200, 0, 0)


def test_what_was_promised_with_a_question_stands():
    room = LiveClasses().open("teacher")
    seat = room.join()
    number = room.ask(Private("Do you?", "server", 0.1))
    room.answer(seat, number, "yes")
    for changed in ({"epsilon": 20.0}, {"way": "coin"}, {"text": "Another?"}):
        with pytest.raises(DpvizError, match="cannot change"):
            room.reveal("words", **changed)
    assert room.snapshot().question.epsilon == 0.1 and not any(room.snapshot().tally)


def test_a_late_tab_closes_reveals_and_counts_its_own_question_alone():
    room = LiveClasses().open("teacher")
    first = room.ask(Choice("One?", ("a", "b")))
    second = room.ask(Private("Two?", "server", 1.0))
    room.close(first)
    room.reveal("words of the first", first)
    assert room.snapshot().phase == "asked" and not room.snapshot().words
    room.close(second)
    with pytest.raises(DpvizError, match="asked since"):
        room.private_yes_count(first)
    assert room.private_yes_count(second) == 0


@pytest.mark.parametrize("scale", [(0, 1e-4, 1e-6), (-2e9, 2e9, 1e8), (0.5, 0.7, 1e-3)])
def test_finest_scale_keeps_each_answer(scale):
    least, most, step = scale
    number = Number("a", least, most, step)
    assert number.checked(most) == most
    assert number.checked(least + 3 * step) == pytest.approx(least + 3 * step, rel=1e-3)
