"""Which addresses something may be downloaded from."""

from __future__ import annotations

from urllib.parse import urlsplit

from dpviz.types import DpvizError

LOOPBACK_HOSTS = ("127.0.0.1", "::1", "localhost")
"""Hosts that plain http reaches without leaving this machine."""


def secure(url: str) -> str:
    """An address whose answers nobody changes along the way: https, or this machine.

    Raises:
        DpvizError: for any other.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" and not (
        parts.scheme == "http" and parts.hostname in LOOPBACK_HOSTS
    ):
        raise DpvizError(
            f"{url} is not https, so what comes from there may be anyone's; use https."
        )
    return url
