"""Questions for a live class: a choice, a number, a curve, a race, or a private yes or no."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpviz import privacy
from dpviz.text import live_class as words
from dpviz.types import DpvizError, check_range

#: Characters of an explanation before a question.
MAX_SETUP = 1000
#: Characters of a question, and of the explanation after it.
MAX_TEXT = 600
#: Characters of an option, a unit, or an axis title.
MAX_OPTION = 200
MAX_OPTIONS = 8
#: Points of a curve.
MAX_POINTS = 24
#: Steps of a number's scale.
MAX_STEPS = 1000
#: Decimals of a number.
DECIMALS = 9
#: Smallest step, absolute and as a share of the scale's numbers, so that answers stay exact.
MIN_STEP = 1e-6, 1e-9
COIN, SERVER = "coin", "server"
WAYS = (COIN, SERVER)


@dataclass(frozen=True)
class Choice:
    """A question with options.

    Attributes:
        text: the question.
        options: 2 to 8 options.
        right: index of the right option, if there is one.
        then: explanation shown with the results.
        setup: explanation shown before the question.

    Raises:
        DpvizError: If a field is invalid.
    """

    text: str
    options: tuple[str, ...]
    right: int | None = None
    then: str = ""
    setup: str = ""

    def __post_init__(self) -> None:
        _texts(self.text, self.then)
        _string("The explanation", self.setup, 0, MAX_SETUP)
        _strings("option", self.options, 2, MAX_OPTIONS)
        if self.right is not None:
            _whole_number("The index of the right option", self.right, 0, len(self.options) - 1)

    def checked(self, value: Any) -> int:
        """Return the index of the chosen option.

        Raises:
            DpvizError: If there is no such option.
        """
        return _whole_number("The index of the chosen option", value, 0, len(self.options) - 1)


@dataclass(frozen=True)
class Number:
    """A question for a number on a scale.

    Attributes:
        text: the question.
        least, most, step: the scale.
        unit: text after the number.
        right: the true number, if there is one.
        then: explanation shown with the results.

    Raises:
        DpvizError: If a field is invalid.
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
        _string("The unit", self.unit, 0, MAX_OPTION)
        low = check_range("The smallest number", self.least, -1e12, 1e12)
        high = check_range("The largest number", self.most, low, 1e12)
        finest = max(MIN_STEP[0], MIN_STEP[1] * abs(low), MIN_STEP[1] * abs(high))
        check_range("The length of the scale", high - low, finest, 2e12)
        step = check_range("The step", self.step, finest, high - low)
        check_range("The number of steps", (high - low) / step, 1, MAX_STEPS)
        if self.right is not None:
            check_range("The true number", self.right, -1e12, 1e12)

    def checked(self, value: Any) -> float:
        """Return the number, rounded to the nearest step.

        Raises:
            DpvizError: If it is outside the scale.
        """
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise DpvizError(f"The answer must be a number from {self.least:g} to {self.most:g}.")
        number = check_range("The answer", value, self.least, self.most)
        steps = math.floor((number - self.least) / self.step + 0.5)
        return min(round(self.least + steps * self.step, DECIMALS), float(self.most))


@dataclass(frozen=True)
class Curve:
    """A question for a curve of percentages, drawn by hand.

    Attributes:
        text: the question.
        names: names of the points along the horizontal axis.
        places: position of each point on it, from 0 to 1.
        below, beside: titles of the horizontal and the vertical axis.
        scale: note on a logarithmic axis.
        truth: the true curve, (mean, low, high) in percent for each point, or nothing.
        then: explanation shown with the results.
        setup: explanation shown before the question.

    Raises:
        DpvizError: If a field is invalid.
    """

    text: str
    names: tuple[str, ...]
    places: tuple[float, ...]
    below: str
    beside: str
    scale: str = ""
    truth: tuple[tuple[float, float, float], ...] = ()
    then: str = ""
    setup: str = ""

    def __post_init__(self) -> None:
        _texts(self.text, self.then)
        _string("The explanation", self.setup, 0, MAX_SETUP)
        _strings("point name", self.names, 2, MAX_POINTS)
        for title in (self.below, self.beside, self.scale):
            _string("An axis title", title, 0, MAX_OPTION)
        for place in self.places:
            check_range("A point's position", place, 0, 1)
        for share in (share for three in self.truth for share in three):
            check_range("A true percentage", share, 0, 100)
        if len(self.places) != len(self.names) or len(self.truth) not in (0, len(self.names)):
            raise DpvizError(
                f"The curve has {len(self.names)} names, {len(self.places)} positions and"
                f" {len(self.truth)} true values. Give the same number of each, or no true values."
            )

    def checked(self, value: Any) -> tuple[int, ...]:
        """Return the percentages of a drawn curve, whole numbers.

        Raises:
            DpvizError: If a point is missing or outside 0 to 100.
        """
        if not isinstance(value, list | tuple) or len(value) != len(self.names):
            raise DpvizError(f"Incomplete curve: draw all {len(self.names)} points.")
        return tuple(_whole_number("A point of the curve", share, 0, 100) for share in value)


@dataclass(frozen=True)
class Race:
    """A question in which each phone chooses ε for a data owner, such as a hospital.

    Attributes:
        text: the question.
        epsilons: 2 to 8 increasing values of ε.
        truth: (mean accuracy, its low and high end, attacker's best guess) in percent for each ε,
            or nothing.
        public: accuracy in percent with public images alone, if it is known.
        then: explanation shown with the results.
        setup: explanation shown before the question.

    Raises:
        DpvizError: If a field is invalid.
    """

    text: str
    epsilons: tuple[float, ...]
    truth: tuple[tuple[float, float, float, float], ...] = ()
    public: float | None = None
    then: str = ""
    setup: str = ""

    def __post_init__(self) -> None:
        _texts(self.text, self.then)
        _string("The explanation", self.setup, 0, MAX_SETUP)
        check_range("The number of ε values", len(self.epsilons), 2, MAX_OPTIONS)
        for epsilon in self.epsilons:
            check_range("ε", epsilon, 0.01, 20)
        if list(self.epsilons) != sorted(set(self.epsilons)):
            given = ", ".join(f"{epsilon:g}" for epsilon in self.epsilons)
            raise DpvizError(f"The ε values must increase, got {given}.")
        public = () if self.public is None else (self.public,)
        for share in (*public, *(share for four in self.truth for share in four)):
            check_range("A true percentage", share, 0, 100)
        if len(self.truth) not in (0, len(self.epsilons)):
            raise DpvizError(
                f"The race has {len(self.epsilons)} ε values and {len(self.truth)} true values."
                " Give the same number of each, or no true values."
            )

    def checked(self, value: Any) -> int:
        """Return the index of the chosen ε.

        Raises:
            DpvizError: If there is no such ε.
        """
        return _whole_number("The index of the chosen ε", value, 0, len(self.epsilons) - 1)


@dataclass(frozen=True)
class Private:
    """A sensitive yes-or-no question.

    Attributes:
        text: the question.
        way: "coin" for randomized response on the phone, which sends the recorded answer only;
            "server" for true answers, of which the teacher's computer publishes one noisy count.
        epsilon: privacy budget of one answer.
        then: explanation shown with the estimate.

    Raises:
        DpvizError: If a field is invalid.
    """

    text: str
    way: str
    epsilon: float
    then: str = ""

    def __post_init__(self) -> None:
        _texts(self.text, self.then)
        if self.way not in WAYS:
            raise DpvizError(f"`way` must be one of {', '.join(WAYS)}, got {self.way!r}.")
        check_range("ε", self.epsilon, 0.01, 20)

    @property
    def honesty(self) -> float:
        """The share of answers that are the phone's own."""
        return self.threshold / privacy.COIN_STEPS

    @property
    def threshold(self) -> int:
        """The number below which a draw from 0 to 2^32 − 1 keeps the own answer, rounded down."""
        return privacy.coin_threshold(self.epsilon)

    def checked(self, value: Any) -> bool:
        """Return True for yes.

        Raises:
            DpvizError: For anything but "yes" and "no".
        """
        if value not in ("yes", "no"):
            raise DpvizError(f"The answer must be yes or no, got {str(value)[:20]!r}.")
        return bool(value == "yes")


Question = Choice | Number | Curve | Race | Private


def _texts(text: object, then: object) -> None:
    if isinstance(text, str) and not text.strip():
        raise DpvizError(words.NO_QUESTION)
    _string("The question", text, 1, MAX_TEXT)
    _string("The explanation afterward", then, 0, MAX_TEXT)


def _string(name: str, text: object, low: int, high: int) -> None:
    """Check a text's length and that all of its characters are printable."""
    if not isinstance(text, str) or not low <= len(text.strip()) <= len(text) <= high:
        raise DpvizError(f"{name} must have {low} to {high} characters.")
    if not all(letter.isprintable() or letter == "\n" for letter in text):
        raise DpvizError(f"{name} has unprintable characters. Use letters and symbols.")


def _strings(name: str, words: Sequence[str], low: int, high: int) -> None:
    check_range(f"The number of {name}s", len(words), low, high)
    for text in words:
        _string(f"Each {name}", text, 1, MAX_OPTION)


def _whole_number(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise DpvizError(f"{name} must be a whole number from {low} to {high}.")
    return int(check_range(name, value, low, high))
