"""Widgets from ``Param``: a method's settings as a form, each one in the link."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from dpviz.types import Method, Param
from dpviz.ui.widgets import bounded

FEW = 200
"""Steps up to which a slider is still easy to set."""


def form(method: Method) -> tuple[tuple[str, Any], ...]:
    """Widgets for all params of a method; returns what differs from the defaults."""
    values = {p.name: widget(p, f"{method.key}.{p.name}") for p in method.params}
    return tuple((p.name, values[p.name]) for p in method.params if values[p.name] != p.default)


def widget(param: Param, key: str) -> Any:
    """The widget of one param, bound to the link under ``key``."""
    common: dict[str, Any] = {"key": key, "help": param.help, "bind": "query-params"}
    if param.choices:
        return st.selectbox(
            param.label, param.choices, index=param.choices.index(param.default), **common
        )
    if param.log or not math.isfinite(param.high - param.low) or _steps(param) > FEW:
        return _box(param, common)
    return bounded.slider(param.label, param.low, param.high, param.default, _step(param), **common)


def _step(param: Param) -> Any:
    if param.integer:
        return int(param.step or 1)
    return float(param.step or (param.high - param.low) / 100)


def _steps(param: Param) -> float:
    return (param.high - param.low) / _step(param)


def _box(param: Param, common: dict[str, Any]) -> Any:
    low, high = (None if math.isinf(b) else type(param.default)(b) for b in (param.low, param.high))
    step = int(param.step or 1) if param.integer else param.step or _grain(param.default)
    return bounded.number_input(
        param.label,
        low,
        high,
        param.default,
        step,
        format=None if param.integer else "%g",
        **common,
    )


def _grain(value: float) -> float:
    """A tenth of the default's magnitude."""
    return 10.0 ** (math.floor(math.log10(abs(value))) - 1) if value else 0.1
