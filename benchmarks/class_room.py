"""A class in one room: so many phones join at the same moment, are asked, answer at the same
moment, half of them come back after a torn connection, and all hear the reveal; room after room.

The room and its listener are in this process, as they are in the dashboard's; the phones are light
ones, real sockets without a browser, in a process beside it, both on the same two cores. An answer
counts as seen when the room's snapshot, which the teacher's page draws, first holds it, from the
moment it was tapped.

    make bench BENCH=benchmarks/class_room.py                                200 phones, 20 rooms
    PYTHONPATH=. .venv/bin/python benchmarks/class_room.py --busy            beside a busy thread
    PYTHONPATH=. .venv/bin/python benchmarks/class_room.py --browsers 30     and with 30 browsers
    PYTHONPATH=. .venv/bin/python benchmarks/class_room.py --screen          and on the real screen
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from _common import table, verdict
from _served import free_port, served

from dpviz.classroom import Choice, LiveClass, Number, listener, open_class
from dpviz.ui.server import classroom_listener

ROOT = Path(__file__).resolve().parent.parent
CORES = 2
JOINED, SEEN, FLAT = 60.0, 2.0, 1.05
"""Seconds until all have joined, and until 95 of 100 answers are seen; memory after over before."""
WARM = 10
"""Rooms after which memory is to be flat."""
SCREEN = Path("/usr/bin/chromium")


class Phones:
    """The process beside this one."""

    def __init__(self) -> None:
        """Starts it."""
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "benchmarks" / "_light_phones.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def tell(self, **command: Any) -> Any:
        """Have it do something, and wait for what it says."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def memory() -> float:
    """Resident MiB of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def compute() -> None:
    """Hold the interpreter as often as it lets a thread."""
    while True:
        sum(range(1000))


def watch(address: LiveClass, people: int, times: dict[int, float]) -> threading.Thread:
    """Note when each answer, another number for each phone, is first in the snapshot."""

    def look() -> None:
        while len(times) < people:
            for value in address.snapshot().numbers:
                times.setdefault(int(value), time.monotonic())
            time.sleep(0.01)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    return thread


def lesson(port: int, phones: Phones, people: int) -> dict[str, Any]:
    """One room from its opening to its end: seconds of each thing that is waited for."""
    room = open_class()
    began = time.monotonic()
    phones.tell(do="join", port=port, code=room.code, people=people)
    while room.snapshot().connected < people:
        time.sleep(0.01)
    joined = time.monotonic() - began
    question_times, number = time.monotonic(), room.ask(Number("How many?", 0, people, 1))
    heard_times = phones.tell(do="heard", what=f"asked {number}")
    seen: dict[int, float] = {}
    watching = watch(room, people, seen)
    tapped = phones.tell(do="answer", number=number)
    watching.join(60)
    phones.tell(do="come back")
    shown_times = time.monotonic()
    room.reveal("So many.")
    revealed = phones.tell(do="heard", what=f"revealed {number}")
    shot = room.snapshot()
    assert (shot.joined, shot.answered) == (people, people), "a seat or an answer was lost"
    room.ask(Choice("Which?", ("this", "that")))
    room.end()
    phones.tell(do="leave")
    return {
        "joined": joined,
        "asked": max(heard_times) - question_times,
        "seen": [seen[i] - tapped[i] for i in range(people)],
        "revealed": max(revealed) - shown_times,
        "memory": memory(),
    }


def main() -> None:
    """Print the table and the verdicts."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--people", type=int, default=200)
    options.add_argument("--rooms", type=int, default=20)
    options.add_argument("--busy", action="store_true", help="beside a thread that computes")
    options.add_argument("--browsers", type=int, default=0, help="also so many real browsers")
    options.add_argument("--screen", action="store_true", help="also the dashboard's own page")
    args = options.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:CORES]))
    taken = listener.bind(("127.0.0.1", 0))
    classroom_listener.start(taken)
    port = taken.getsockname()[1]
    if args.busy:
        threading.Thread(target=compute, daemon=True).start()
    phones = Phones()
    lessons = [lesson(port, phones, args.people) for _ in range(args.rooms)]
    report(lessons, args.people)
    if args.browsers:
        browsers(port, args.browsers)
    if args.screen:
        screen(phones, args.people)


def report(lessons: list[dict[str, Any]], people: int) -> None:
    """All rooms in a table, and what was asked for."""
    p95 = lambda seen: quantiles(seen, n=20)[18]
    rows = [
        [f"room {i}", f"{one['joined']:.2f}", f"{one['asked']:.2f}"]
        + [f"{t:.2f}" for t in (median(one["seen"]), p95(one["seen"]), max(one["seen"]))]
        + [f"{one['revealed']:.2f}", f"{one['memory']:.0f}"]
        for i, one in enumerate(lessons, 1)
    ]
    head = ["", "joined s", "asked s", "seen: median s", "p95 s", "last s", "revealed s", "MiB"]
    table(head, rows)
    slowest = max(one["joined"] for one in lessons)
    verdict(
        f"seconds until {people} phones have joined, slowest room", slowest, JOINED, is_limit=True
    )
    seen = [second for one in lessons for second in one["seen"]]
    verdict(
        f"p95 of an answer's seconds until it is seen, {people} phones",
        p95(seen),
        SEEN,
        is_limit=True,
    )
    if len(lessons) > WARM:
        flat = lessons[-1]["memory"] / lessons[WARM - 1]["memory"]
        verdict(f"memory after {len(lessons)} rooms over after {WARM}", flat, FLAT, is_limit=True)


def browsers(port: int, count: int) -> None:
    """The same with real browsers, a context each: all joined, all answered, all shown the
    reveal.
    """
    from playwright.sync_api import sync_playwright

    room, times = open_class(), {}
    phone: dict[str, Any] = {
        "viewport": {"width": 390, "height": 844},
        "is_mobile": True,
        "has_touch": True,
    }
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=str(SCREEN), args=["--no-sandbox"])
        began = time.monotonic()
        pages = [chromium.new_context(**phone).new_page() for _ in range(count)]
        for page in pages:
            page.goto(f"http://127.0.0.1:{port}/{room.code}")
        for page in pages:
            page.get_by_text("You are in. The").wait_for(timeout=120_000)
        times["joined"] = time.monotonic() - began
        began = time.monotonic()
        room.ask(Choice("Which?", ("this", "that")))
        for i, page in enumerate(pages):
            page.get_by_role("button", name=("this", "that")[i % 2]).tap(timeout=120_000)
        for page in pages:
            page.get_by_text("Your answer is in").wait_for(timeout=120_000)
        times["answered, one tap after the other"] = time.monotonic() - began
        shot = room.snapshot()
        began = time.monotonic()
        room.reveal("So it is.")
        for page in pages:
            page.get_by_text("So it is.", exact=True).wait_for(timeout=120_000)
        times["revealed"] = time.monotonic() - began
        chromium.close()
    print(f"{count} browsers: " + ", ".join(f"{what} {t:.1f} s" for what, t in times.items()))
    verdict(f"answers of {count} browsers", sum(shot.tally), count)
    verdict(f"seconds until {count} browsers have joined", times["joined"], JOINED, is_limit=True)


COUNTED = """() => {
  window.counted = [];
  const look = () => {
    const found = document.querySelector(".dp-count b")?.textContent;
    if (found && window.counted.at(-1)?.[1] !== +found) window.counted.push([Date.now(), +found]);
  };
  new MutationObserver(look).observe(document.body, {subtree: true, childList: true,
    characterData: true});
}"""
"""Notes when the teacher's page first shows each count."""


def screen(phones: Phones, people: int) -> None:
    """The same on the dashboard itself: a teacher's browser, the room that it opens, a lesson's
    question; from each tap until the page shows that many answers. Taps come over 20 s.
    """
    from playwright.sync_api import sync_playwright

    port = free_port()
    with (
        served("dpviz.ui.server.serve", DPVIZ_ROOM=f"127.0.0.1:{port}") as (address, _),
        sync_playwright() as play,
    ):
        chromium = play.chromium.launch(executable_path=str(SCREEN), args=["--no-sandbox"])
        page = chromium.new_page()
        page.set_default_timeout(120_000)
        page.goto(f"{address}/class")
        page.get_by_role("button", name="Open a room").click()
        code = page.locator(".dp-room strong").inner_text()
        joined = max(phones.tell(do="join", port=port, code=code, people=people))
        page.get_by_text(f"{people} phones joined").wait_for()
        page.evaluate(COUNTED)
        page.get_by_role("button", name="Ask it").click()
        phones.tell(do="heard", what="asked 1")
        tapped = phones.tell(do="answer", number=1, options=2, apart=20 / people)
        page.get_by_text(f"{people} of {people} have answered").wait_for()
        ahead = time.time() - time.monotonic()
        texts = page.evaluate("window.counted")
        taps = [ahead + one for one in sorted(tapped)]
        late = [
            next(at for at, count in texts if count >= k) / 1000 - tap
            for k, tap in enumerate(taps, 1)
        ]
        chromium.close()
    phones.tell(do="leave")
    print(
        f"the dashboard's page: median {median(late):.2f} s, last {max(late):.2f} s after its tap"
    )
    verdict(
        f"seconds until {people} phones have joined the dashboard", joined, JOINED, is_limit=True
    )
    words = f"p95 of an answer's seconds until the page shows it, {people} phones"
    verdict(words, quantiles(late, n=20)[18], SEEN, is_limit=True)


if __name__ == "__main__":
    main()
