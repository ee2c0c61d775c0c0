"""Sliders and number boxes whose kept value fits their range.

Pages share controls by key, and their ranges may differ. A value that another page, the link or
Undo left behind is moved into the range before the widget is made, since Streamlit ends the page
otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st


def slider(
    label: str, low: Any, high: Any, value: Any, step: Any = None, *, key: str, **options: Any
) -> Any:
    """``st.slider``; the kept value of ``key`` is moved into [low, high]."""
    _settle(key, lambda kept: clamped(kept, low, high, value))
    return st.slider(label, low, high, value, step, key=key, **options)


def number_input(
    label: str, low: Any, high: Any, value: Any, step: Any = None, *, key: str, **options: Any
) -> Any:
    """``st.number_input``; the kept value of ``key`` is moved into [low, high]."""
    _settle(key, lambda kept: clamped(kept, low, high, value))
    return st.number_input(label, low, high, value, step, key=key, **options)


def select_slider(
    label: str, options: Sequence[Any], value: Any, *, key: str, **widget_options: Any
) -> Any:
    """``st.select_slider`` over numbers; the kept value of ``key`` moves to the nearest option."""
    _settle(key, lambda kept: _nearest(kept, options, value))
    return st.select_slider(label, options, value, key=key, **widget_options)


def _settle(key: str, fit: Callable[[Any], Any]) -> None:
    if key in st.session_state:
        value_now = st.session_state[key]
        fitting = fit(value_now)
        if fitting != value_now or type(fitting) is not type(value_now):
            st.session_state[key] = fitting


def clamped(kept: Any, low: Any, high: Any, default: Any) -> Any:
    """``kept`` inside [low, high] in the default's type; the default where it is no number."""
    if isinstance(default, tuple):
        if not isinstance(kept, list | tuple) or len(kept) != len(default):
            return default
        return tuple(
            clamped(one, low, high, first) for one, first in zip(kept, default, strict=True)
        )
    if not _is_number(kept):
        return default
    above = kept if low is None else max(kept, low)
    kind = type(kept if default is None else default)
    return kind(above if high is None else min(above, high))


def _nearest(kept: Any, options: Sequence[Any], default: Any) -> Any:
    if not _is_number(kept):
        return default
    return min(options, key=lambda option: abs(option - kept))


def _is_number(kept: Any) -> bool:
    return isinstance(kept, int | float) and not isinstance(kept, bool) and math.isfinite(kept)
