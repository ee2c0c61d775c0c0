"""Styles and scripts that run in the browser."""

from functools import cache
from pathlib import Path


@cache
def asset(name: str) -> str:
    """A file of this folder."""
    return Path(__file__).with_name(name).read_text()
