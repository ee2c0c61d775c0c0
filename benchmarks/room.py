"""A room full of people on one server: everybody moves the budget, again and again, while one asks
for heavy work.

Starts a server of its own on the loopback address and speaks to it as browsers do, without drawing.
Prints how long a move takes from the message that leaves until the sentence and the main chart have
come back, and until all has (the server holds the rest back for a moment on purpose); the server's
memory; and how many settings were answered in several ways, as by more data draws.

    make bench BENCH=benchmarks/room.py                               30 people, a minute each
    PYTHONPATH=. .venv/bin/python benchmarks/room.py --minutes 5      ten minutes in all
    PYTHONPATH=. .venv/bin/python benchmarks/room.py --old ../other   and in another checkout
    PYTHONPATH=. .venv/bin/python benchmarks/room.py --sessions 200   also open and close so many,
    and compare memory
    PYTHONPATH=. .venv/bin/python benchmarks/room.py --at-once 100    also open so many together
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import quantiles

from _common import table, verdict
from _served import served
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from dpviz.views.page_config import STOPS

ROOT = Path(__file__).resolve().parent.parent
TARGET, BESIDE = 0.4, 1.0
"""Seconds until sentence and main chart, of 95 moves in 100: seen before, and beside heavy work."""
PAUSE = 2.0
"""Seconds between two moves of one person, more or less."""
SWEPT = STOPS["approx"]
"""The budgets that every page computes at once."""
BOX = "-eps"
"""End of the id of the box that holds the budget."""
ANSWERS = ("At (", "So far at (")
"""Begins of the answer at the level Precise: its budget."""
RATIOS = (1, 2, 5, 10, 20, 30, 50, 100)
QUERY = "voice=precise&ir={ir}&m=dppl-mean,dppl-public,noisy-gd,class-mean"
HEAVY = "voice=precise&ir=50&m=dppl-auto,dppl-mean-projected,adamix&n=20&seed={seed}"

Answers = dict[tuple[int, int], set[str]]
"""What was shown, by ratio and stop."""


class Person:
    """One session: opens a page by its link, then moves the budget slider."""

    def __init__(self, port: int, query: str) -> None:
        """Opens the page and waits until it is drawn; ``first``: seconds until its main chart."""
        self.open = ExitStack()
        self.socket = self.open.enter_context(
            connect(
                f"ws://127.0.0.1:{port}/_stcore/stream",
                max_size=None,
                subprotocols=[Subprotocol("streamlit")],
            )
        )
        self.query, self.link, self.page, self.box = query, query, "", ""
        self.words = ""
        self.first, _ = self.run(BackMsg())

    def run(self, message: BackMsg, patience: float = 120.0) -> tuple[float, float]:
        """Send a rerun and read until its script is done; seconds until the main chart and until
        the end.
        """
        message.rerun_script.query_string = self.link
        message.rerun_script.page_script_hash = self.page
        started, answered = time.perf_counter(), 0.0
        self.socket.send(message.SerializeToString())
        while True:
            answer = ForwardMsg()
            answer.ParseFromString(self.socket.recv(timeout=patience))
            self._take(answer)
            if not answered and answer.delta.new_element.WhichOneof("type") == "plotly_chart":
                answered = time.perf_counter() - started
            if (
                answer.WhichOneof("type") == "script_finished"
                and answer.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
            ):
                return answered, time.perf_counter() - started

    def move(self, stop: int) -> tuple[float, float]:
        """Put the budget on a stop, which is then in the link, too."""
        self.link, self.words = f"{self.query}&eps={SWEPT[stop]:g}", ""
        message = BackMsg()
        state = message.rerun_script.widget_states.widgets.add()
        state.id, state.double_value = self.box, SWEPT[stop]
        return self.run(message)

    def _take(self, answer: ForwardMsg) -> None:
        if answer.WhichOneof("type") == "new_session":
            self.page = answer.new_session.page_script_hash
        element = answer.delta.new_element
        if element.WhichOneof("type") == "number_input" and element.number_input.id.endswith(BOX):
            self.box = element.number_input.id
        if element.WhichOneof("type") == "markdown" and element.markdown.body.startswith(ANSWERS):
            self.words = element.markdown.body
        if element.WhichOneof("type") == "exception":
            raise RuntimeError(element.exception.message)

    def close(self) -> None:
        """Leave."""
        self.open.close()


def memory(process: subprocess.Popen) -> float:
    """Resident MiB of the server and the processes it started."""
    total = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
        except OSError:
            continue
        if str(process.pid) in (status.parent.name, fields.get("PPid", "").strip()):
            total += int(fields.get("VmRSS", "0 kB").split()[0])
    return total / 1024


def see_all_stops(port: int, ir: int) -> None:
    """Open the page at a ratio and look at each budget, so that later moves were seen before."""
    person = Person(port, QUERY.format(ir=ir))
    for stop in range(len(SWEPT)):
        person.move(stop)
    person.close()


def sit(
    person: Person, ir: int, until: float, times: list[tuple[float, float]], shown: Answers
) -> None:
    """Move every now and then, and note the answer."""
    chance = random.Random(ir + id(person))
    time.sleep(chance.uniform(0, 1.5) * PAUSE)  # nobody waits for a sign to begin
    while time.perf_counter() < until:
        stop = chance.randrange(len(SWEPT))
        times.append(person.move(stop))
        shown.setdefault((ir, stop), set()).add(person.words)
        time.sleep(chance.uniform(0.5, 1.5) * PAUSE)


def room(
    port: int, people: int, seconds: float, heavy: bool
) -> tuple[list[tuple[float, float]], list[set[str]]]:
    """Everybody's move times, and the answers of settings that were answered in several ways."""
    seats = [(Person(port, QUERY.format(ir=ir)), ir) for ir in (RATIOS * people)[:people]]
    times: list[tuple[float, float]] = []
    shown: Answers = {}
    until = time.perf_counter() + seconds
    threads = [
        threading.Thread(target=sit, args=(person, ir, until, times, shown)) for person, ir in seats
    ]
    for thread in threads:
        thread.start()
    seed = 0
    while heavy and time.perf_counter() < until:
        asking = Person(port, HEAVY.format(seed=(seed := seed + 100)))
        asking.close()
    for thread in threads:
        thread.join()
    for person, _ in seats:
        person.close()
    # whoever asks for the same is told the same, and others are told something else
    mixed = [words for words in shown.values() if len(words) > 1 or "" in words]
    return times, mixed


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--people", type=int, default=30)
    options.add_argument("--minutes", type=float, default=1.0)
    options.add_argument("--sessions", type=int, default=0)
    options.add_argument("--at-once", type=int, default=0)
    options.add_argument("--old", type=Path, help="another checkout, measured before this one")
    args = options.parse_args()
    rows = []
    for name, root in {"before": args.old, "here": ROOT}.items():
        if root:
            rows += evening(name, root.resolve(), args)
    heads = ["", "moves", "median ms", "p95 ms", "p95 ms, all", "in several ways", "MiB"]
    table(heads, rows)


def evening(name: str, root: Path, args: argparse.Namespace) -> list[list]:
    """A checkout's rows of the table: moves seen before, and beside heavy work."""
    rows = []
    with (
        tempfile.TemporaryDirectory() as folder,
        served("dpviz.ui.server.serve", root=root, DPVIZ_CACHE=folder, PYTHONPATH=str(root)) as (
            address,
            process,
        ),
    ):
        port = int(address.rpartition(":")[2])
        for ir in RATIOS:
            see_all_stops(port, ir)
        rows.append([f"{name}: memory before", *[""] * 5, f"{memory(process):.0f}"])
        for kind, most in (("all moves seen before", TARGET), ("one asks for heavy work", BESIDE)):
            times, mixed = room(port, args.people, 60 * args.minutes, most == BESIDE)
            answers, ends = zip(*times, strict=True)
            middle, high = (quantiles(answers, n=20)[place] for place in (9, 18))
            figures = (middle, high, quantiles(ends, n=20)[18])
            shown = [f"{1000 * seconds:.0f}" for seconds in figures]
            held = f"{memory(process):.0f}"
            rows.append([f"{name}: {kind}", str(len(times)), *shown, str(len(mixed)), held])
            print(*rows[-1], sep=" · ", file=sys.stderr)
            words = f"{name}: p95 of an answer in seconds, {args.people} people, {kind}"
            verdict(words, high, most, is_limit=True)
        if args.sessions:
            churn(port, process, args.sessions)
        if args.at_once:
            together(port, args.at_once)
    return rows


def churn(port: int, process: subprocess.Popen, sessions: int) -> None:
    """Open and close many sessions and compare memory."""
    before = memory(process)
    for k in range(sessions):
        Person(port, QUERY.format(ir=RATIOS[k % len(RATIOS)])).close()
    time.sleep(5)
    after = memory(process)
    print(f"{sessions} sessions opened and closed: {before:.0f} MiB before, {after:.0f} MiB after")
    verdict("memory after over before", after / before, 1.2, is_limit=True)


def together(port: int, sessions: int) -> None:
    """Open many sessions at the same moment and count those that get their first chart."""
    opened: list[Person] = []
    enter = lambda k: opened.append(Person(port, QUERY.format(ir=RATIOS[k % len(RATIOS)])))
    threads = [threading.Thread(target=enter, args=(k,)) for k in range(sessions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    drawn = [person.first for person in opened if person.first]
    print(f"first chart of the last of {sessions} opened at once: {max(drawn):.1f} s")
    verdict(f"first charts of {sessions} sessions opened at once", len(drawn), sessions)
    for person in opened:
        person.close()


if __name__ == "__main__":
    main()
