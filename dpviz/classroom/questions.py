"""What a room can be asked: one of several sentences, a number, a curve, or something private."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpviz import privacy
from dpviz.types import DpvizError, check_range

MAX_TEXT = 600
"""Characters of a question, and of what is said at its end."""
MAX_OPTION = 200
"""Characters of an option, a unit, or a name beside a chart."""
MAX_OPTIONS = 8
MAX_POINTS = 24
"""Places at most at which a curve is drawn."""
MAX_STEPS = 1000
"""Steps at most between a number's least and most."""
DECIMALS = 9
"""Decimals of a number that are kept."""
MIN_STEP = 1e-6, 1e-9
"""Finest step, and its least share of the numbers on the scale: answers keep their places."""
COIN, SERVER = "coin", "server"
WAYS = (COIN, SERVER)


@dataclass(frozen=True)
class Choice:
    """One of several sentences.

    Attributes:
        text: the question; options: 2 to 8 sentences;
        right: the place of the right one, from 0, where there is one;
        then: said when the room's answers are shown.

    Raises:
        DpvizError: where it cannot be asked.
    """

    text: str
    options: tuple[str, ...]
    right: int | None = None
    then: str = ""

    def __post_init__(self) -> None:
        _texts(self.text, self.then)
        _strings("An option", self.options, 2, MAX_OPTIONS)
        if self.right is not None:
            _whole_number("The right option's place", self.right, 0, len(self.options) - 1)

    def checked(self, value: Any) -> int:
        """The place of the chosen option.

        Raises:
            DpvizError: where there is none at it.
        """
        return _whole_number("The chosen option's place", value, 0, len(self.options) - 1)


@dataclass(frozen=True)
class Number:
    """A number on a scale of even steps.

    Attributes:
        text: the question; least, most, step: of the scale; unit: written behind the number;
        right: the true one, where there is one; then: said when the room's answers are shown.

    Raises:
        DpvizError: where it cannot be asked.
    """

    text: str
    least: float
    most: float
    step: float
    unit: str = ""
    right: float | None = None
    then: str = ""

    def __post_init__(self) -> None:
        _texts(self.text, self.then)
        _string("A unit", self.unit, 0, MAX_OPTION)
        low = check_range("The least number", self.least, -1e12, 1e12)
        high = check_range("The most", self.most, low, 1e12)
        finest = max(MIN_STEP[0], MIN_STEP[1] * abs(low), MIN_STEP[1] * abs(high))
        check_range("The width of the scale", high - low, finest, 2e12)
        step = check_range("The step", self.step, finest, high - low)
        check_range("The number of steps", (high - low) / step, 1, MAX_STEPS)
        if self.right is not None:
            check_range("The true number", self.right, -1e12, 1e12)

    def checked(self, value: Any) -> float:
        """The number, on the nearest step.

        Raises:
            DpvizError: where it lies beyond the scale.
        """
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise DpvizError(
                f"The answer is no number; use one from {self.least:g} to {self.most:g}."
            )
        number = check_range("The answer", value, self.least, self.most)
        steps = math.floor((number - self.least) / self.step + 0.5)
        return min(round(self.least + steps * self.step, DECIMALS), float(self.most))


@dataclass(frozen=True)
class Curve:
    """A curve of percentages that is drawn by hand, over which the true one is laid.

    Attributes:
        text: the question; names: what each place along the chart is called, increasing;
        places: where each stands along it, from 0 to 1; below, beside: what stands there;
        scale: how places are to be read, where not by their distance;
        truth: the true curve, (mean, low, high) in percent at each place, or nothing;
        then: said when the room's answers are shown.

    Raises:
        DpvizError: where it cannot be asked.
    """

    text: str
    names: tuple[str, ...]
    places: tuple[float, ...]
    below: str
    beside: str
    scale: str = ""
    truth: tuple[tuple[float, float, float], ...] = ()
    then: str = ""

    def __post_init__(self) -> None:
        _texts(self.text, self.then)
        _strings("A place's name", self.names, 2, MAX_POINTS)
        for words in (self.below, self.beside, self.scale):
            _string("A name beside the chart", words, 0, MAX_OPTION)
        for place in self.places:
            check_range("A place along the chart", place, 0, 1)
        for share in (share for three in self.truth for share in three):
            check_range("A true percentage", share, 0, 100)
        if len(self.places) != len(self.names) or len(self.truth) not in (0, len(self.names)):
            raise DpvizError(
                f"The curve has {len(self.names)} names, {len(self.places)} places and"
                f" {len(self.truth)} true values; give as many of each, or no true values."
            )

    def checked(self, value: Any) -> tuple[int, ...]:
        """The percentages of a drawn curve, whole numbers.

        Raises:
            DpvizError: where these are not as many as there are places, or beyond 0 to 100.
        """
        if not isinstance(value, list | tuple) or len(value) != len(self.names):
            raise DpvizError(f"The answer is no curve; draw all of its {len(self.names)} points.")
        return tuple(_whole_number("A point of the curve", share, 0, 100) for share in value)


@dataclass(frozen=True)
class Private:
    """A sensitive yes-or-no question.

    Attributes:
        text: the question;
        way: "coin": a coin falls on the phone, which sends what was recorded and nothing else
            (randomised response); "server": the true answer goes to the teacher's machine, which
            gives away one noisy count;
        epsilon: that one answer costs; then: said when the estimate is shown.

    Raises:
        DpvizError: where it cannot be asked.
    """

    text: str
    way: str
    epsilon: float
    then: str = ""

    def __post_init__(self) -> None:
        _texts(self.text, self.then)
        if self.way not in WAYS:
            raise DpvizError(f"The way is {self.way!r}; use one of {', '.join(WAYS)}.")
        check_range("ε", self.epsilon, 0.01, 20)

    @property
    def honesty(self) -> float:
        """The share of own answers that the phone's coin lets through."""
        return self.threshold / privacy.COIN_STEPS

    @property
    def threshold(self) -> int:
        """Below which of the whole numbers under 2^32 the phone's coin lets the own answer through:
        no more often than epsilon allows.
        """
        return privacy.coin_threshold(self.epsilon)

    def checked(self, value: Any) -> bool:
        """True for yes.

        Raises:
            DpvizError: for anything but "yes" and "no".
        """
        if value not in ("yes", "no"):
            raise DpvizError("The answer is neither yes nor no; use one of these.")
        return bool(value == "yes")


Question = Choice | Number | Curve | Private


def _texts(text: object, then: object) -> None:
    _string("The question", text, 1, MAX_TEXT)
    _string("What is said at the end", then, 0, MAX_TEXT)


def _string(name: str, words: object, low: int, high: int) -> None:
    """Refuse what is no text of that length, or has characters nobody sees."""
    if not isinstance(words, str) or not low <= len(words.strip()) <= len(words) <= high:
        raise DpvizError(f"{name} is no text that fits; use {low} to {high} characters.")
    if not all(letter.isprintable() or letter == "\n" for letter in words):
        raise DpvizError(f"{name} holds characters that cannot be shown; use letters and signs.")


def _strings(name: str, words: Sequence[str], low: int, high: int) -> None:
    check_range(f"{name.split()[-1].capitalize()}s, their number", len(words), low, high)
    for text in words:
        _string(name, text, 1, MAX_OPTION)


def _whole_number(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise DpvizError(f"{name} is no whole number; use one from {low} to {high}.")
    return int(check_range(name, value, low, high))
