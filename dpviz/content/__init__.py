"""Lessons, questions and glossary terms as data files, and their reader."""

from __future__ import annotations

import re
import tomllib
from collections import UserDict
from collections.abc import Callable
from importlib import resources
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")


def read(name: str, package: str = __name__) -> dict[str, Any]:
    """Return a TOML file of a package. A line end within a text becomes a blank."""
    text = resources.files(package).joinpath(name).read_text(encoding="utf-8")
    return {key: _unwrapped(value) for key, value in tomllib.loads(text).items()}


def _unwrapped(value: Any) -> Any:
    if isinstance(value, str):
        return re.sub(r" *\n *", " ", value.strip(" \n"))
    if isinstance(value, list):
        return [_unwrapped(item) for item in value]
    if isinstance(value, dict):
        return {key: _unwrapped(item) for key, item in value.items()}
    return value


class LazyDict(UserDict[K, V]):
    """A dict that is filled at its first use."""

    def __init__(self, fill: Callable[[], dict[K, V]]) -> None:
        self._fill = fill

    def __getattr__(self, name: str) -> Any:
        if name != "data":
            raise AttributeError(name)
        self.data = self._fill()
        return self.data


#: Name and definition of each term of the glossary, by subject.
TERMS = LazyDict(
    lambda: {subject: tuple(rows.items()) for subject, rows in read("glossary.toml").items()}
)
#: Present name of each term that links from earlier versions name otherwise.
FORMER_TERMS = {
    "Neighbours": "Neighboring data sets",
    "Teaching replay": "Simulated with a fixed seed",
    "Within noise": "Not significantly different",
    "Guessing": "Chance",
    "Ceiling": "Accuracy without noise",
    "Grid": "Small multiples",
    "Minority": "Rare classes",
    "Shots": "Public examples",
}
