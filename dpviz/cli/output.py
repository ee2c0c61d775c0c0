"""Output of commands: JSON to standard output, progress to standard error."""

from __future__ import annotations

import io
import json
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from typing import IO, Any

from dpviz.text import cli as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError

#: Characters of an error message, which may repeat a very long argument.
MAX_ERROR_CHARACTERS = 1_000
#: Seconds between two lines of progress if standard error is not a terminal.
LINE_INTERVAL = 5.0
#: Levels of output: no progress; progress; also warnings and tracebacks of errors.
QUIET, NORMAL, VERBOSE = 0, 1, 2
level = NORMAL


def set_level(wanted: int) -> None:
    """Set the level of output of this process."""
    global level
    level = wanted
    if wanted == VERBOSE:
        warnings.simplefilter("default")


class _Clock:
    """Times of the last line of progress and of the start of the current stage."""

    def __init__(self) -> None:
        self.last = time.monotonic()
        self._stage: tuple[int, int, float] = (0, 0, 0.0)

    def left(self, done: int, total: int) -> str:
        """Return the remaining time of a stage with ``total`` steps, or "" if it is unknown."""
        now = time.monotonic()
        if self._stage[0] != total or done < self._stage[1]:
            self._stage = (total, done, now)
        _, first, began = self._stage
        if done <= first or done >= total or now - began < 1:
            return ""
        seconds = (now - began) * (total - done) / (done - first)
        return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"


_clock = _Clock()


def prepare() -> None:
    """Start the clock of a command and make both outputs accept every character.

    A closed output becomes the null device. Otherwise print() would write text for a closed
    standard error to standard output.
    """
    global _clock
    _clock = _Clock()
    set_level(NORMAL)
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class _Checked:
    """Output stream that calls ``failed`` with the first error of a write, and then drops all
    text.
    """

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
        """Redirect to the null device, since Python would write the text again at exit."""
        with suppress(OSError), open(os.devnull, "w") as null:
            os.dup2(null.fileno(), self._stream.fileno())


def _refuse_output(error: OSError) -> None:
    if isinstance(error, BrokenPipeError):
        raise error
    raise DpvizError(
        f"Cannot write to standard output ({error.strerror or error}). Redirect it to another file."
    ) from error


@contextmanager
def checked() -> Iterator[None]:
    """Write all of standard output before the end of the block.

    Raises:
        DpvizError: If standard output cannot be written.
        BrokenPipeError: If nothing reads from the pipe.
    """
    stream: Any = _Checked(sys.stdout, _refuse_output)
    with redirect_stdout(stream):
        try:
            yield
        finally:
            stream.flush()


@contextmanager
def errors_optional() -> Iterator[None]:
    """Ignore errors of writes to standard error in the block."""
    stream: Any = _Checked(sys.stderr, lambda error: None)
    with redirect_stderr(stream):
        yield


def print_json(value: Any) -> None:
    """Print ``value`` as indented JSON, in ASCII where standard output cannot encode it."""
    content = json.dumps(value, indent=2, ensure_ascii=False)
    try:
        content.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        content = json.dumps(value, indent=2)
    print(content)


def progress(stage: str, done: int, total: int) -> None:
    """Print progress and the remaining time to standard error.

    A terminal shows one line that changes. A file or pipe gets a line every
    ``LINE_INTERVAL`` seconds.

    Args:
        stage: name of the stage; done: finished units; total: all units, 0 if unknown.
    """
    if level == QUIET:
        return
    line = stage
    if total:
        left = _clock.left(done, total)
        template = text.PROGRESS["timed" if left else "known"]
        line = render_text(template, stage=stage, done=str(done), total=str(total), left=left)
    if sys.stderr.isatty():
        end = "\n" if total and done >= total else ""
        print(f"\r{line}\033[K", end=end, file=sys.stderr, flush=True)
    elif time.monotonic() - _clock.last >= LINE_INTERVAL:
        _clock.last = time.monotonic()
        print(line, file=sys.stderr, flush=True)


def exit_status(failures: list[str], checks: int) -> int:
    """Print failures to standard error; return exit status 1 if there are any, else 0."""
    for failure in failures:
        print(render_text(text.FAILED, text=failure), file=sys.stderr)
    if failures:
        print(render_text(text.FAILED_COUNT, failed=len(failures), checks=checks), file=sys.stderr)
    return int(bool(failures))


def refuse(error: DpvizError) -> None:
    """Print an error without control characters, cut in the middle if it is very long."""
    message = f"{error} {error.options}".strip()
    if len(message) > MAX_ERROR_CHARACTERS:
        half = MAX_ERROR_CHARACTERS // 2
        message = f"{message[:half]} … {message[-half:]}"
    clean = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message)
    print(clean, file=sys.stderr)
