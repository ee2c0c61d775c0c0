"""Checks of files and addresses that a user names."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from urllib.parse import urlsplit

from dpviz.formatting import printable
from dpviz.types import DpvizError

LOOPBACK_HOSTS = ("127.0.0.1", "::1", "localhost")


def check_plain(path: str | Path, title: str) -> None:
    """Refuse a folder, pipe or device. Opening one of these may block forever.

    Args:
        path: the file; title: its name in the error message.

    Raises:
        DpvizError: for anything but a regular file.
        OSError: for a missing file or one without permission.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise _irregular(title)


def read_text(path: Path, max_bytes: int, kind: str) -> str:
    """Return the text of a UTF-8 file.

    Args:
        path: the file; max_bytes: largest size in bytes; kind: expected content, such as ``TOML``.

    Raises:
        DpvizError: if there is no readable regular file of UTF-8 text within ``max_bytes`` bytes.
    """
    title = printable(str(path))
    return decoded(read_bytes(path, max_bytes + 1, kind), max_bytes, kind, title)


def read_bytes(path: Path, max_bytes: int, kind: str) -> bytes:
    """Return the first ``max_bytes`` bytes of a file; ``kind`` as in ``read_text``.

    Raises:
        DpvizError: if there is no readable regular file.
    """
    title = printable(str(path))
    try:
        return _content(path, max_bytes, title)
    except (OSError, ValueError) as error:  # ValueError: no file can have such a name
        if isinstance(error, DpvizError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise DpvizError(
            f"Cannot read {title} ({reason}). Give the path of a {kind} file."
        ) from None


def decoded(content: bytes, max_bytes: int, kind: str, title: str) -> str:
    """Return the text of a file's content.

    Args:
        max_bytes, kind: as in ``read_text``; title: of the file in messages.

    Raises:
        DpvizError: for more than ``max_bytes`` bytes, or content that is not UTF-8.
    """
    if len(content) > max_bytes:
        raise DpvizError(
            f"{title} is too large: the limit is {max_bytes:,} bytes. Give a smaller {kind} file."
        )
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise DpvizError(f"{title} is not valid {kind}: {error}. Save it as UTF-8 text.") from None


def _content(path: Path, max_bytes: int, title: str) -> bytes:
    check_plain(path, title)
    # the path may name a pipe by now: such an open returns at once, too
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise _irregular(title)
        return file.read(max_bytes)


def _irregular(title: str) -> DpvizError:
    return DpvizError(f"{title} is a folder, pipe or device. Copy its content into a regular file.")


def secure(url: str) -> str:
    """Return the address if it is authenticated: https, or this machine.

    Raises:
        DpvizError: for any other address.
    """
    parts = urlsplit(url)
    is_local = parts.scheme == "http" and parts.hostname in LOOPBACK_HOSTS
    if parts.scheme != "https" and not is_local:
        raise DpvizError(
            f"{url} does not use https, so its content is not authenticated. Use https."
        )
    return url
