"""Controls of the Calculator page: a mechanism, δ, the attacker's prior, images per person."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from dpviz.privacy import pasted_configuration
from dpviz.privacy.calculator import needs_delta
from dpviz.privacy.stated_mechanisms import (
    ExponentialChoice,
    LaplaceNoise,
    Mechanism,
    NoisySteps,
    PublishedGuarantee,
    TeacherVotes,
)
from dpviz.text import calculator as text
from dpviz.ui.frame import detail_level
from dpviz.ui.widgets import bounded, budget_control, side_bar
from dpviz.ui.widgets.choices import choice
from dpviz.views import calculator_page

#: Keys in the link begin with this.
PREFIX = "g."
#: Range and first value of each number; a whole number counts something.
RANGES: dict[str, tuple[Any, Any, Any]] = {
    "sigma": (0.01, 1e6, 1.1),
    "rate": (1e-9, 1.0, 0.01),
    "steps": (1, 10_000_000, 1000),
    "releases": (1, 10_000_000, 1),
    "scale": (0.01, 1e6, 1.0),
    "choice": (1e-6, 1e3, 1.0),
    "queries": (1, 10_000_000, 1000),
    "answered": (1, 10_000_000, 500),
    "sigma1": (0.01, 1e6, 150.0),
    "sigma2": (0.01, 1e6, 40.0),
    "value": (1e-6, 1e6, 3.0),
}
#: Priors in percent.
PRIORS = (1, 99, 50)
#: The numbers of each mechanism that phones show below the chart.
MAIN = {
    "dp-sgd": ("sigma", "rate", "steps"),
    "gaussian": ("sigma", "releases"),
    "laplace": ("scale", "releases"),
    "exponential": ("choice", "releases"),
    "pate": ("queries", "answered", "sigma2"),
    "published": ("value",),
}
#: Images per person of the control, at most.
MAX_IMAGES = 100


@dataclass(frozen=True)
class Request:
    """What is asked: arguments of ``calculate``, and a note on a pasted text in Markdown."""

    mechanism: Mechanism
    delta: float | None
    prior: float
    images: int
    note: str = ""


def sidebar() -> Request:
    """Draw all controls.

    Raises:
        DpvizError: for a pasted text that states no mechanism.
    """
    with side_bar.draw():
        st.header(text.HEADERS["mechanism"])
        kind = choice(*(st.selectbox, text.KIND, text.KINDS, "dp-sgd", "mech"), help=text.KIND_HELP)
        place = st.container()
        st.header(text.HEADERS["attacker"])
        percent = bounded.slider(
            *(text.LABELS["prior"], *PRIORS),
            key=f"{PREFIX}prior",
            help=text.HELP["prior"],
            bind="query-params",
        )
        with side_bar.extra():
            images = bounded.number_input(
                *(text.LABELS["images"], 1, MAX_IMAGES, 1),
                key=f"{PREFIX}images",
                help=text.HELP["images"],
                bind="query-params",
            )
        with side_bar.foot():
            st.html(f'<a class="dp-button" href="?" target="_self">{text.RESET}</a>')
    with place:
        mechanism, delta, note = _pasted() if kind == "pasted" else (_mechanism(kind), None, "")
        if kind in MAIN:
            copies = {f"{PREFIX}{name}": partial(_phone_number, name) for name in MAIN[kind]}
            bounded.repeat_row_on_phones(copies)
        if delta is None and _uses_delta(mechanism):
            with side_bar.extra():
                delta = budget_control.choose_delta()
    return Request(mechanism, delta, percent / 100, int(images), note)


def _number(name: str) -> Any:
    low, high, first = RANGES[name]
    options = {} if isinstance(first, int) else {"format": "%g"}
    return bounded.number_input(
        *(_label(name), low, high, first),
        key=f"{PREFIX}{name}",
        help=text.HELP[name],
        bind="query-params",
        **options,
    )


def _label(name: str) -> str:
    return detail_level.at_level(text.LABELS[name], text.PLAIN_LABELS.get(name))


def _phone_number(name: str, **copy: Any) -> None:
    """Draw a number once more, below its name; ``copy``: its key, and what follows a change."""
    low, high, first = RANGES[name]
    form = {} if isinstance(first, int) else {"format": "%g"}
    bounded.number_input(_label(name), low, high, first, **form | copy)


def _mechanism(kind: str) -> Mechanism:
    if kind == "dp-sgd":
        return NoisySteps(_number("sigma"), _number("rate"), _number("steps"))
    if kind == "gaussian":
        return NoisySteps(_number("sigma"), 1.0, _number("releases"))
    if kind == "laplace":
        return LaplaceNoise(_number("scale"), _number("releases"))
    if kind == "exponential":
        return ExponentialChoice(_number("choice"), _number("releases"))
    return _votes() if kind == "pate" else _published()


def _votes() -> TeacherVotes:
    queries = _number("queries")
    with side_bar.extra():
        answered = _number("answered")
        tested = st.toggle(
            *(text.LABELS["tested"], True),
            key=f"{PREFIX}tested",
            help=text.HELP["tested"],
            bind="query-params",
        )
        sigma1 = _number("sigma1") if tested else math.inf
    answers = min(answered, queries) if tested else queries
    return TeacherVotes(queries, answers, sigma1, _number("sigma2"))


def _published() -> PublishedGuarantee:
    notion = choice(
        *(st.selectbox, text.LABELS["notion"], text.PUBLISHED_NOTIONS, "approx"),
        f"{PREFIX}notion",
        help=text.HELP["notion"],
    )
    value = _number("value")
    unit = choice(
        *(st.selectbox, text.LABELS["unit"], text.PUBLISHED_UNITS, "record", f"{PREFIX}unit"),
        help=text.HELP["unit"],
    )
    with side_bar.extra():
        delta = budget_control.choose_delta() if notion == "approx" else 0.0
    return PublishedGuarantee(notion, value, delta, unit)


def _pasted() -> tuple[Mechanism, float | None, str]:
    pasted = st.text_area(
        *(text.LABELS["paste"], text.CODE_PASTED),
        key=f"{PREFIX}paste",
        height=200,
        help=text.HELP["paste"],
    )
    found = pasted_configuration.read(pasted)
    note = calculator_page.read_values(found.library, found.values)
    return found.mechanism, found.delta, note


def _uses_delta(mechanism: Mechanism) -> bool:
    """Return whether δ is asked for: where it is needed, or where it lowers ε."""
    return needs_delta(mechanism) or (
        isinstance(mechanism, LaplaceNoise | ExponentialChoice) and mechanism.steps > 1
    )
