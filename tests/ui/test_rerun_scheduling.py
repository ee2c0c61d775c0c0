"""Pages of one server run one after another."""

import threading
import time

import pytest

from dpviz.ui.live import rerun_scheduling


def together(work, threads=4):
    """Run ``work`` on so many threads; the most that were inside at once."""
    inside, most, lock = [], [], threading.Lock()

    def one():
        with rerun_scheduling.turn():
            with lock:
                inside.append(1)
                most.append(len(inside))
            work()
            with lock:
                inside.pop()

    running = [threading.Thread(target=one) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return max(most)


@pytest.fixture
def patient(monkeypatch):
    monkeypatch.setattr(rerun_scheduling, "TURN_TIMEOUT", 60.0)


def test_one_page_runs_at_a_time(patient):
    assert together(lambda: time.sleep(0.05)) == 1


def test_waiting_page_lets_others_run(patient):
    met = threading.Barrier(3, timeout=30)

    def waits():
        with rerun_scheduling.give_way():
            met.wait()

    assert together(waits, threads=3) == 3


def test_no_page_waits_forever(monkeypatch):
    monkeypatch.setattr(rerun_scheduling, "TURN_TIMEOUT", 0.01)
    assert together(lambda: time.sleep(0.3)) > 1


def test_failing_page_returns_its_turn(patient):
    with pytest.raises(ZeroDivisionError), rerun_scheduling.turn():
        raise ZeroDivisionError
    assert together(lambda: None) == 1


def test_waiting_without_turn_takes_none(patient):
    with rerun_scheduling.give_way():
        pass
    assert together(lambda: None, threads=2) == 1


def test_page_does_not_wait_for_cached_browser_assets(monkeypatch):
    slept = []
    monkeypatch.setattr(rerun_scheduling.time, "sleep", slept.append)
    monkeypatch.setattr(rerun_scheduling.st, "session_state", {})
    rerun_scheduling.flush_page(brief=True)
    assert sum(slept) == pytest.approx(rerun_scheduling.FIRST_PAUSE), (
        "a first visit has nothing at hand"
    )
    slept.clear()
    rerun_scheduling.flush_page(brief=True)
    assert sum(slept) == pytest.approx(rerun_scheduling.KEY_REPEAT)
