"""How numbers, units, budgets and accuracies are written everywhere."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dpviz.stats import Interval
from dpviz.types import Budget, DataConfig, Guarantee
from dpviz.types.checks import short_exponent

MAX_LISTED_NAMES = 8
"""Most names that a sentence or a card lists."""
METRICS = {"minority": "Rare classes", "balanced": "All classes", "overall": "All images"}


METRIC_WORDS = {
    "minority": "on the smallest quarter of the classes",
    "balanced": "mean over classes",
    "overall": "on all test images",
}


SYMBOLS = {"approx": "ε", "guess": "best guess", "zcdp": "ρ", "paper": "paper ε"}


def number(value: float, places: int = 4) -> str:
    """A budget or delta as people write it: 0.01, 1e-5, ∞."""
    text = f"{value:.{places}g}"
    if text in ("inf", "nan"):
        return {"inf": "∞", "nan": "unknown"}[text]
    return short_exponent(text)


def setting_text(value: object) -> str:
    """The value of a setting: a float as a number, anything else as it is."""
    return number(value) if isinstance(value, float) else str(value)


def exact(value: float) -> str:
    """All digits of a value, as a person would type it: a total that must not be rounded."""
    text = number(value, 17) if not math.isfinite(value) else repr(float(value)).removesuffix(".0")
    return short_exponent(text)


def large_delta(guarantee: Guarantee, protected: int) -> str:
    """A sentence where delta is above 1/n, else empty. It reads how many there are to whom the
    promise is, records or persons: ``protected``.
    """
    if not math.isfinite(guarantee.value) or guarantee.delta * protected <= 1:
        return ""
    template = LARGE_DELTA if guarantee.of_record is None else LARGE_PERSON_DELTA
    return template.format(delta=number(guarantee.delta))


LARGE_DELTA = (
    "δ = {delta} is above 1/n: publishing one random record in full would satisfy it. The number n"
    " is private (private view)."
)
LARGE_PERSON_DELTA = (
    "δ = {delta} is above 1/n: publishing all records of one random person would satisfy it. The"
    " number n is private (private view)."
)


def bound(value: float, places: int = 3) -> str:
    """What nothing exceeds, rounded up, so that what is printed holds as well."""
    scale = 10**places
    return f"{math.ceil(value * scale - 1e-9) / scale:.{places}f}"


def percent_up(share: float, places: int = 1) -> str:
    """What no share exceeds, in hundredths, rounded up: ``62.3``; ``more than 99.9`` where it falls
    short of certainty by less, which is kept for what is certain.
    """
    scale = 10**places
    percent = math.ceil(100 * scale * share - 1e-6)
    return (
        f"more than {100 - 1 / scale:g}"
        if percent >= 100 * scale and share < 1
        else f"{percent / scale:g}"
    )


def percent_down(share: float, places: int = 1) -> str:
    """What no share falls below, in hundredths, rounded down: ``62.2``."""
    scale = 10**places
    return f"{math.floor(100 * scale * share + 1e-6) / scale:g}"


def percent_exact(share: float) -> str:
    """A chosen share in hundredths with all its digits: ``99.6``."""
    return exact(float(f"{100 * share:.12g}"))


def number_up(value: float, places: int = 4) -> str:
    """What no value exceeds, as ``number`` writes it: its digits are rounded up."""
    if not math.isfinite(value) or value <= 0:
        return number(value)
    return _digits(value, lambda scaled: math.ceil(scaled - 1e-9), places)


def number_down(value: float) -> str:
    """What no value falls below, as ``number`` writes it: its four digits are rounded down."""
    if not math.isfinite(value) or value <= 0:
        return number(value)
    return _digits(value, lambda scaled: math.floor(scaled + 1e-9), 4)


def _digits(value: float, whole: Callable[[float], int], places: int) -> str:
    scale = 10.0 ** (places - 1 - math.floor(math.log10(value)))
    if not math.isfinite(scale):
        return number(value, places)
    return number(float(f"{whole(value * scale) / scale:.{places}g}"), places)


def listed(names: Sequence[str]) -> str:
    """3, 7 and 9."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def rounded(value: float, places: int) -> str:
    """As ``number``, to fewer significant places."""
    return number(float(f"{value:.{places}g}"))


def numbers(values: Sequence[float]) -> list[str]:
    """Each as ``number`` writes it, with all its digits where two would read the same."""
    short = [number(value) for value in values]
    return [
        words if short.count(words) == 1 else f"{value!r}"
        for words, value in zip(short, values, strict=True)
    ]


def minus(text: str) -> str:
    """A number that is written already, with a true minus."""
    return text.replace("-", "−")


def unbroken(words: str) -> str:
    """A sentence in which no line ends between a number and its unit."""
    return re.sub(
        r"(?<=\d) (?=points\b|± )|(?<=±) (?=\d)|(?<=\w) (?== (\*\*)?[\d∞])|(?<=\w =)"
        r" (?=(\*\*)?[\d∞])",
        "\u00a0",
        words,
    )


def printable(name: str) -> str:
    """A stranger's file name with signs that do not print written out."""
    return name if name.isprintable() else ascii(name)[1:-1]


def class_named(name: str, start: bool = False) -> str:
    """A class as a sentence calls it, or begins with it."""
    label = name if name.lower().startswith("class") else f"class {name}"
    return label[0].upper() + label[1:] if start else label


def abridged(names: Sequence[str]) -> str:
    """Return names with commas; of many, the first ones and how many more there are.

    A single name is never left out: its place is no shorter.
    """
    if len(names) <= MAX_LISTED_NAMES + 1:
        return ", ".join(names)
    return f"{', '.join(names[:MAX_LISTED_NAMES])} and {len(names) - MAX_LISTED_NAMES} more"


def budget_text(budget: Budget, written: Callable[[float], str] = number) -> str:
    """A budget in words, delta always with it.

    Args:
        written: writes a number, such as ``exact``.
    """
    value = written(budget.value)
    if budget.axis == "approx":
        return f"({value}, {written(budget.delta)})-DP"
    if budget.axis == "guess":
        # below 100%, which no budget allows
        return f"best guess {exact(budget.value) if value == '100' else value}%"
    return f"{value}-zCDP" if budget.axis == "zcdp" else f"ε = {value} on the paper axis"


def budget_at_level(budget: Budget, precise: bool) -> str:
    """A budget in words, without its unit and delta at the level Plain: ``ε = 1``."""
    if precise or budget.axis == "guess":
        return budget_text(budget)
    return f"{SYMBOLS[budget.axis]} = {number(budget.value)}"


def subset(config: DataConfig) -> str:
    """Which part of the private records is read and to whom the promise is, in words: ``IR 50``,
    ``IR 50 (at most 40 records per class)``, ``IR 50 (at most 5 records per person), per person``.
    """
    bounds = ("class", config.records), ("person", config.per_person)
    limits = ", ".join(
        f"{limit:,} record{'s' if limit > 1 else ''} per {label}"
        for label, limit in bounds
        if limit
    )
    whom = "" if config.unit == "picture" else ", per person"
    ratio = "original class sizes" if config.has_original_sizes else f"IR {number(config.ir)}"
    draw_text = f", data draw {config.draw}" if config.draw else ""
    return f"{ratio}{limits and f' (at most {limits})'}{whom}{draw_text}"


def ratio_reached(ratios: Sequence[float]) -> str:
    """Imbalance ratios of class sizes in words: ``actual imbalance ratio: 49.8``. Private."""
    low, high = f"{min(ratios):.1f}", f"{max(ratios):.1f}"
    return (
        f"actual imbalance ratio: {low}"
        if low == high
        else f"actual imbalance ratio: {low} to {high}"
    )


def points(mean: float, half: float, single_places: int = 0) -> str:
    """A difference of accuracies in words: ``−18 ± 6 points``; without ± where it is not known,
    with ``single_places`` decimals.
    """
    sign = "−" if mean < 0 else "+"
    places = 1 if 100 * half < 1 else 0
    give = "" if math.isinf(half) else f" ± {100 * half:.{places}f}"
    return f"{sign}{abs(100 * mean):.{places if give else single_places}f}{give} points"


def digits(value: Interval) -> int:
    """Decimals of a percentage that the interval supports: one where it is below a point wide."""
    return 1 if 0 < value.high - value.low < 0.01 else 0


UNTESTED = "untested"
"""In place of an accuracy where no test record is of the classes that it counts."""


def percent(value: Interval) -> str:
    """``47%``, or ``47.2%`` where the interval supports it; never ``100.0%``."""
    if not value.is_measured:
        return UNTESTED
    return _percentage(value.mean, digits(value))


def percents(values: Sequence[Interval]) -> list[str]:
    """Write shares as ``percent`` does, in tenths where it would write different ones alike."""
    written = [percent(value) for value in values]
    is_measured = all(value.is_measured for value in values)
    if not is_measured or len(set(written)) == len(written):
        return written
    return [_percentage(value.mean, 1) for value in values]


def _percentage(share: float, places: int) -> str:
    shown = f"{100 * share:.{places}f}"
    return "100%" if shown == "100.0" else f"{shown}%"


def shown_difference(value: Interval | float, reference: Interval | float) -> float:
    """Return a difference of shares, each rounded as ``percent`` and ``share`` show it.

    So the difference agrees with the percentages beside it.
    """
    return round(_rounded_share(value) - _rounded_share(reference), 6)


#: Difference of two accuracies from which whole percentages show it, and the smallest one shown.
WHOLE_DIFFERENCE, SMALLEST_DIFFERENCE = 0.01, 0.0005


def compared(value: Interval, reference: float) -> tuple[str, str, float]:
    """Return two accuracies as percentages and their difference as these state it.

    Both have one decimal where their difference is below a point or the interval supports it.
    """
    gap = abs(value.mean - reference)
    places = 1 if SMALLEST_DIFFERENCE <= gap < WHOLE_DIFFERENCE else digits(value)
    first, second = (_percentage(share, places) for share in (value.mean, reference))
    difference = float(first.rstrip("%")) - float(second.rstrip("%"))
    return first, second, round(difference / 100, 6)


def _rounded_share(value: Interval | float) -> float:
    if isinstance(value, Interval):
        return float(f"{100 * value.mean:.{digits(value)}f}") / 100
    return float(f"{100 * value:.0f}") / 100


def right(mean: float) -> str:
    """``47% right``, or ``untested``."""
    return UNTESTED if math.isnan(mean) else f"{share(mean)} right"


def share(mean: float) -> str:
    """``47%`` of a mean whose interval is not shown, or ``untested``."""
    return UNTESTED if math.isnan(mean) else f"{100 * mean:.0f}%"


def spread(value: Interval) -> str:
    """``44–50``, empty where the spread is not known."""
    if value.low == value.high or not value.is_measured:
        return ""
    places = digits(value)
    return f"{100 * value.low:.{places}f}–{100 * value.high:.{places}f}"


INTERVAL_NOTE = (
    "Bands and ± are 95% intervals over noise seeds and test records. Comparisons use Holm's"
    " correction."
)
"""What every page means by a band and by a significant difference."""


@dataclass(frozen=True)
class BandTexts:
    """What the bands of a chart are, by what they hold: plain and precise."""

    draws: tuple[str, str]
    seeds: tuple[str, str]
    one_seed: tuple[str, str]


BANDS = BandTexts(
    draws=(
        "Shaded: 95% confidence bands from {draws} data draws with {seeds} runs each.",
        "Bands: 95% intervals over {draws} data draws, {seeds} noise seeds each, and test records.",
    ),
    seeds=(
        "Shaded: 95% confidence bands from {seeds} runs with different noise.",
        "Bands: 95% intervals over {seeds} noise seeds and test records.",
    ),
    one_seed=("One run: no confidence bands.", "One noise seed: no bands."),
)
BARS = BandTexts(
    draws=(
        "Error bars: 95% confidence intervals from {draws} data draws with {seeds} runs each.",
        "Error bars: 95% intervals over {draws} data draws, {seeds} noise seeds each, and test"
        " records.",
    ),
    seeds=(
        "Error bars: 95% confidence intervals from {seeds} runs with different noise.",
        "Error bars: 95% intervals over {seeds} noise seeds and test records.",
    ),
    one_seed=("One run: no error bars.", "One noise seed: no error bars."),
)


def bands(seeds: int, precise: bool = True, bars: bool = False, draws: int = 1) -> str:
    """Return what the bands of a chart are, or its error bars, for its caption."""
    texts = BARS if bars else BANDS
    pair = texts.one_seed if seeds < 2 else texts.draws if draws > 1 else texts.seeds
    return pair[precise].format(draws=draws, seeds=seeds)


def plain(text: str) -> str:
    """``text`` for HTML."""
    return html.escape(str(text))


WORD_JOINER = "\u2060"
"""A word joiner: it shows nothing, and keeps the signs around it apart for the page's Markdown."""
AUTOLINK_PLACES = re.compile(r":(?=\S)|(?<=www)(?=\.)|(?=@)", re.IGNORECASE)
"""Places in addresses, e-mail addresses and names of emojis. Streamlit's Markdown makes links and
emojis of these after it has taken out the backslashes, so that no backslash prevents it.
"""


def literal(text: str) -> str:
    """Return ``text`` for Markdown as it is: no sign has a meaning, no address becomes a link."""
    escaped = AUTOLINK_PLACES.sub(rf"\g<0>{WORD_JOINER}", str(text))
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|<>~$:&])", r"\\\1", escaped)
