"""Memory of the server while visitors move sliders without a pause.

Each visitor holds one WebSocket and asks for a page with new settings as soon as the last answer is
complete. Every minute the script prints the memory of the server and of its worker processes. The
last line compares the last minute with the middle of the run: a server that levels off gains
little.

    make bench BENCH=benchmarks/soak.py
    PYTHONPATH=. python benchmarks/soak.py --minutes 60 --visitors 4
"""

from __future__ import annotations

import argparse
import itertools
import random
import tempfile
import threading
import time
from pathlib import Path

from _common import table, verdict
from _served import served
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

PAGES = (
    "trade-off",
    "public-prototypes",
    "who-pays",
    "attackers-view",
    "dp-means",
    "mixed-privacy",
)
SEED = "First seed"
MOVES = 10
"""Moves on a page before the next page."""
EVERY = 60.0
PATIENCE = 180.0
GROWTH = 1.1


def visit(address: str, number: int, end: float, visits: list[int]) -> None:
    """Ask for one page after another until ``end``; each move has a first seed of its own."""
    socket = f"{address.replace('http', 'ws')}/_stcore/stream"
    draw = random.Random(number)
    pages = draw.sample(PAGES, len(PAGES))
    with connect(socket, subprotocols=["streamlit"], max_size=None) as line:  # type: ignore[list-item]
        for page in itertools.cycle(pages):
            seed = ""
            for _ in range(MOVES):
                asked = BackMsg()
                asked.rerun_script.page_name = page
                asked.rerun_script.query_string = "voice=precise"
                if seed:
                    state = asked.rerun_script.widget_states.widgets.add()
                    state.id, state.int_value = seed, draw.randrange(10**6)
                line.send(asked.SerializeToString())
                seed = answer(line) or seed
                visits[number] += 1
                if time.monotonic() > end:
                    return


def answer(line: ClientConnection) -> str:
    """Read one whole answer; returns the id of the box for the first seed, if it holds one."""
    box_id = ""
    while True:
        message = ForwardMsg()
        message.ParseFromString(line.recv(timeout=PATIENCE))
        if message.WhichOneof("type") == "script_finished":
            return box_id
        box = message.delta.new_element.number_input
        if box.label == SEED:
            box_id = box.id


def memory(pid: int) -> tuple[float, float]:
    """MiB of a process, and of its children together."""
    sizes: dict[int, tuple[int, float]] = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            told = dict(line.split(":", 1) for line in status.read_text().splitlines())
        except OSError:
            continue
        resident = float(told.get("VmRSS", "0 kB").split()[0]) / 1024
        sizes[int(status.parent.name)] = int(told["PPid"]), resident
    return sizes[pid][1], sum(size for parent, size in sizes.values() if parent == pid)


def main() -> None:
    """Run the visitors and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--visitors", type=int, default=3)
    arguments = parser.parse_args()
    rows: list[tuple[str, str, str, int]] = []
    memories: list[float] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        served("dpviz.ui.server.serve", DPVIZ_CACHE=folder) as (address, process),
    ):
        begin, done = time.monotonic(), [0] * arguments.visitors
        end = begin + 60 * arguments.minutes
        visitors = [
            threading.Thread(target=visit, args=(address, number, end, done), daemon=True)
            for number in range(arguments.visitors)
        ]
        for visitor in visitors:
            visitor.start()
        while time.monotonic() < end:
            time.sleep(min(EVERY, max(0.0, end - time.monotonic())))
            own, children = memory(process.pid)
            memories.append(own)
            minute = f"{(time.monotonic() - begin) / 60:.1f}"
            rows.append((minute, f"{own:,.0f}", f"{children:,.0f}", sum(done)))
            print(*rows[-1], flush=True)
        for visitor in visitors:
            visitor.join(PATIENCE)
    table(["minute", "server MiB", "workers MiB", "moves"], rows)
    growth = memories[-1] / memories[len(memories) // 2]
    verdict("growth over the second half", growth, GROWTH, is_limit=True)


if __name__ == "__main__":
    main()
