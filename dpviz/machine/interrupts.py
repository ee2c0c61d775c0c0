"""The end of a command at SIGINT, where raising KeyboardInterrupt does not end it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STOP_MESSAGE = "Stopped. Finished results are stored. Run the same command again to continue."
EXIT_STATUS = 130


@contextmanager
def exit_at_once() -> Iterator[None]:
    """End the process at SIGINT with a sentence, without waiting for threads.

    Use this only around work that leaves no file unfinished. A SIGINT that is ignored, as after
    nohup, stays ignored.
    """
    main = threading.current_thread() is threading.main_thread()
    previous = signal.getsignal(signal.SIGINT)
    if not main or previous in (None, signal.SIG_IGN):
        yield
        return
    signal.signal(signal.SIGINT, _exit)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)


@contextmanager
def sigint_deferred() -> Iterator[None]:
    """Raise the KeyboardInterrupt of a SIGINT at the end of the block.

    Processes that the block starts ignore SIGINT: a terminal sends it to all processes of a
    command, and only the first one handles it.
    """
    main = threading.current_thread() is threading.main_thread()
    handle = signal.getsignal(signal.SIGINT)
    if not main or not callable(handle) or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # its start would unblock SIGINT
    received: list[FrameType | None] = []
    signal.signal(signal.SIGINT, lambda number, frame: received.append(frame))
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)
        signal.signal(signal.SIGINT, handle)
        if received:
            handle(signal.SIGINT, received[0])


def caused_by_interrupt(error: BaseException | None) -> bool:
    """Return whether SIGINT caused an error, as in an import that raises ImportError instead."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _exit(number: int, frame: FrameType | None) -> None:
    try:
        os.write(2, f"{STOP_MESSAGE}\n".encode())
    finally:
        os._exit(EXIT_STATUS)
