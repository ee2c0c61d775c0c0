"""Styles and scripts that run in the browser."""

from pathlib import Path

from dpviz.caches import cached


@cached(32)
def asset(name: str) -> str:
    """A file of this folder."""
    return Path(__file__).with_name(name).read_text()
