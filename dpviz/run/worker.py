"""Sweeps in a process of their own, so that one person's heavy work does not slow another's page.

The process is started when it is first needed, keeps its data and code between sweeps, and speaks
through a
pipe: specs in, progress and results out. Results go into the store that both share.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
import traceback
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from dpviz.run import experiment
from dpviz.types import Cancelled, DpvizError, Result, RunSpec

BEAT = 0.1
"""Seconds between two looks at whether to stop."""
PATIENCE = 2.0
"""Seconds that a batch has to end by itself after a stop; then the process ends with it."""
NICE = 10
"""How far it steps back where the pages want the cores as well."""
ENDED = (
    "The process that did this work ended before it was done; ask again, what was finished is kept."
)


class Worker:
    """One such process, or none until it is needed; one sweep at a time."""

    def __init__(self) -> None:
        """Starts nothing yet."""
        self._process: subprocess.Popen | None = None
        self._pipe: Connection | None = None
        self._turn = threading.Lock()

    def sweep(self, specs: tuple[RunSpec, ...], progress: experiment.Progress) -> list[Result]:
        """``experiment.sweep(specs, progress)``, in the process.

        Raises:
            DpvizError: for a setting that cannot work, or if the process ended.
            Cancelled: if ``progress`` asked for it; batches that were done stay stored.
            RuntimeError: with the process's traceback, for what nobody foresaw.
        """
        with self._turn:
            pipe = self._started()
            try:
                pipe.send(specs)
                return self._listen(pipe, progress)
            except (EOFError, OSError):
                self.close()
                raise DpvizError(ENDED) from None

    def _listen(self, pipe: Connection, progress: experiment.Progress) -> list[Result]:
        stage, stopped = ("Starting a process for this", 0, 0), None
        while True:
            while not pipe.poll(BEAT):
                stopped = stopped or self._stop(pipe, progress, stage)
                if stopped and time.monotonic() - stopped > PATIENCE:
                    self.close()
                    raise Cancelled
            kind, value = pipe.recv()
            if kind == "stage":
                stage = value
                stopped = stopped or self._stop(pipe, progress, stage)
            elif kind == "done":
                return value
            else:
                raise {"cancelled": Cancelled, "error": DpvizError, "crash": RuntimeError}[kind](
                    value
                )

    @staticmethod
    def _stop(
        pipe: Connection, progress: experiment.Progress, stage: tuple[str, int, int]
    ) -> float | None:
        """Tell how far it is; the time once the process was asked to stop, which it does after its
        batch.
        """
        try:
            progress(*stage)
        except Cancelled:
            pipe.send("stop")
            return time.monotonic()
        return None

    def _started(self) -> Connection:
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._pipe, other = Pipe()
            command = [sys.executable, "-m", "dpviz.run.worker", str(other.fileno())]
            self._process = subprocess.Popen(
                command, pass_fds=[other.fileno()], cwd=Path(__file__).parents[2]
            )
            other.close()
        return self._pipe

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._pipe.close()
        self._process = self._pipe = None


def serve(pipe: Connection) -> None:
    """The process: answer sweeps until the other side is gone."""
    while True:
        try:
            specs = pipe.recv()
        except EOFError:
            return
        if specs != "stop":  # one that came after the end of its sweep
            pipe.send(_answer(pipe, specs))


def _answer(pipe: Connection, specs: tuple[RunSpec, ...]) -> tuple[str, Any]:
    def progress(*stage: Any) -> None:
        pipe.send(("stage", stage))
        if pipe.poll():
            pipe.recv()
            raise Cancelled

    try:
        return "done", experiment.sweep(specs, progress)
    except Cancelled:
        return "cancelled", None
    except DpvizError as error:
        return "error", str(error)
    except Exception:
        return "crash", traceback.format_exc()


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(NICE)
    serve(Connection(int(sys.argv[1])))
