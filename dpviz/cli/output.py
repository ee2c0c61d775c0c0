"""What commands write: JSON to standard output, progress to standard error."""

from __future__ import annotations

import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from typing import IO, Any

from dpviz.types import DpvizError

MAX_ERROR_CHARACTERS = 1_000
"""Characters of an error message, which may repeat a very long argument."""
LINE_INTERVAL = 5.0
"""Seconds between two lines of progress where standard error is not a terminal."""


class _Clock:
    """Times of the last line of progress and of the start of the present stage."""

    def __init__(self) -> None:
        self.last = time.monotonic()
        self._stage: tuple[int, int, float] = (0, 0, 0.0)

    def left(self, done: int, total: int) -> str:
        """Return the time that a stage of so many steps still takes, as far as is known."""
        now = time.monotonic()
        if self._stage[0] != total or done < self._stage[1]:
            self._stage = (total, done, now)
        _, first, began = self._stage
        if done <= first or done >= total or now - began < 1:
            return ""
        seconds = (now - began) * (total - done) / (done - first)
        minutes = f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
        return f", about {minutes} left"


_clock = _Clock()


def prepare() -> None:
    """Start the clock of a command and make both outputs accept every character.

    A closed output becomes the null device: print() of Python writes what is meant for a closed
    standard error to standard output.
    """
    global _clock
    _clock = _Clock()
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class _Checked:
    """An output stream that calls ``failed`` with the error of a write, and then loses all text."""

    def __init__(self, stream: IO[str], failed: Callable[[OSError], object]) -> None:
        self._stream, self._failed = stream, failed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        with self._checked():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with self._checked():
            self._stream.flush()

    @contextmanager
    def _checked(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._discard()
            self._failed(error)

    def _discard(self) -> None:
        """Send to the null device what Python would write again at its end."""
        with suppress(OSError), open(os.devnull, "w") as null:
            os.dup2(null.fileno(), self._stream.fileno())


def _refuse_output(error: OSError) -> None:
    if isinstance(error, BrokenPipeError):
        raise error
    raise DpvizError(
        f"Cannot write to standard output ({error.strerror or error}); send it to another place."
    ) from error


@contextmanager
def checked() -> Iterator[None]:
    """Write all of standard output before the end of the block.

    Raises:
        DpvizError: if standard output cannot be written.
        BrokenPipeError: if nothing reads from the pipe.
    """
    stream: Any = _Checked(sys.stdout, _refuse_output)
    with redirect_stdout(stream):
        try:
            yield
        finally:
            stream.flush()


@contextmanager
def errors_optional() -> Iterator[None]:
    """Lose messages that standard error does not take, and go on."""
    stream: Any = _Checked(sys.stderr, lambda error: None)
    with redirect_stderr(stream):
        yield


def print_json(value: Any) -> None:
    """Print ``value`` as indented JSON, in ASCII where standard output cannot encode it."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2)
    print(text)


def progress(stage: str, done: int, total: int) -> None:
    """Show on standard error how far the work is, and how long it still takes.

    A terminal shows one line that changes. A file or pipe gets a line every
    ``LINE_INTERVAL`` seconds.

    Args:
        what: stage; done: finished units; total: all units, 0 if unknown.
    """
    count = f": {done} of {total}{_clock.left(done, total)}" if total else ""
    if sys.stderr.isatty():
        end = "\n" if total and done >= total else ""
        print(f"\r{stage}{count}\033[K", end=end, file=sys.stderr, flush=True)
    elif time.monotonic() - _clock.last >= LINE_INTERVAL:
        _clock.last = time.monotonic()
        print(f"{stage}{count}", file=sys.stderr, flush=True)


def exit_status(failures: list[str], checks: int) -> int:
    """Return exit status 1 where checks failed, named on standard error; else 0."""
    for failure in failures:
        print(f"Failed: {failure}.", file=sys.stderr)
    if failures:
        print(f"{len(failures)} of {checks} audits failed.", file=sys.stderr)
    return int(bool(failures))


def refuse(error: DpvizError) -> None:
    """Print an error without control characters, cut in the middle if it is very long."""
    text = f"{error} {error.options}".strip()
    if len(text) > MAX_ERROR_CHARACTERS:
        text = f"{text[: MAX_ERROR_CHARACTERS // 2]} … {text[-MAX_ERROR_CHARACTERS // 2 :]}"
    clean = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
    print(clean, file=sys.stderr)
