"""Work that takes too much of something, for a process with caps."""

import os
import threading
import time
from pathlib import Path

from dpviz.machine import notes


def act(question, progress):
    """``question``: what to take too much of, and a folder to do it in."""
    what, folder = question
    progress(what, 0, 1)
    if what == "memory":
        held = []
        while True:
            held.append(bytearray(2**24))
    if what == "time":
        while True:
            pass
    if what == "disk":
        with (Path(folder) / "full").open("wb") as file:
            while True:
                file.write(bytes(2**20))
    if what == "crash":
        os.abort()
    if what == "note":
        beside = threading.Thread(
            target=lambda: [notes.publish(f"{place} {'long' * 9000}") for place in range(60)]
        )
        beside.start()
        while beside.is_alive():
            progress("stage" * 9000, 0, 1)
    if what == "wait":
        while True:
            progress(what, 0, 1)
            time.sleep(0.01)
    return what, os.getpid()
