"""Sliders and number boxes whose kept value fits their range.

Pages share controls by key, and their ranges may differ. A value that another page, the link or
Undo left behind is moved into the range before the widget is made, since Streamlit ends the page
otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.ui.frame import page_parts


def slider(
    label: str, low: Any, high: Any, value: Any, step: Any = None, *, key: str, **options: Any
) -> Any:
    """``st.slider``; the kept value of ``key`` is moved into [low, high]."""
    _settle(key, lambda value_kept: clamped(value_kept, low, high, value))
    return st.slider(label, low, high, value, step, key=key, **options)


def number_input(
    label: str, low: Any, high: Any, value: Any, step: Any = None, *, key: str, **options: Any
) -> Any:
    """``st.number_input``; the kept value of ``key`` is moved into [low, high]."""
    _settle(key, lambda value_kept: clamped(value_kept, low, high, value))
    return st.number_input(label, low, high, value, step, key=key, **options)


def select_slider(
    label: str, options: Sequence[Any], value: Any, *, key: str, **widget_options: Any
) -> Any:
    """``st.select_slider`` over numbers; the kept value of ``key`` moves to the nearest option.

    Args:
        value: a number, or two for a range.
    """
    _settle(key, lambda value_kept: _nearest(value_kept, options, value))
    return st.select_slider(label, options, value, key=key, **widget_options)


def repeat_on_phones(key: str, draw: Callable[..., Any]) -> None:
    """Draw a control once more below the answer on phones, where the side bar is closed.

    Args:
        key: of the control, which has been drawn.
        draw: draws it, given the ``key`` and ``on_change`` of its copy.
    """
    page_parts.current_page().phone_slider = lambda: _draw_again(key, draw)


def repeat_row_on_phones(draws: Mapping[str, Callable[..., Any]]) -> None:
    """Draw controls once more in a row on phones; ``draws``: as in ``repeat_on_phones``, by key."""

    def again() -> None:
        with st.container(horizontal=True, key=f"phone-numbers-{len(draws)}"):
            for key, draw in draws.items():
                _draw_again(key, draw)

    page_parts.current_page().phone_slider = again


def _draw_again(key: str, draw: Callable[..., Any]) -> None:
    copy = f"{key}-phone"

    def take() -> None:
        st.session_state[key] = st.session_state[copy]

    st.session_state[copy] = st.session_state[key]
    draw(key=copy, on_change=take)


def _settle(key: str, fit: Callable[[Any], Any]) -> None:
    if key in st.session_state:
        value_now = st.session_state[key]
        fitting = fit(value_now)
        if fitting != value_now or type(fitting) is not type(value_now):
            st.session_state[key] = fitting


def clamped(value_kept: Any, low: Any, high: Any, default: Any) -> Any:
    """Return the value inside [low, high] in the default's type; the default if it is no number."""
    if isinstance(default, tuple):
        if not isinstance(value_kept, list | tuple) or len(value_kept) != len(default):
            return default
        return tuple(
            clamped(item, low, high, first_default)
            for item, first_default in zip(value_kept, default, strict=True)
        )
    if not _is_number(value_kept):
        return default
    raised = value_kept if low is None else max(value_kept, low)
    kind = type(value_kept if default is None else default)
    return kind(raised if high is None else min(raised, high))


def _nearest(value_kept: Any, options: Sequence[Any], default: Any) -> Any:
    if isinstance(default, tuple):
        if not isinstance(value_kept, list | tuple) or len(value_kept) != len(default):
            return default
        return tuple(map(_nearest, value_kept, [options] * len(default), default))
    if not _is_number(value_kept):
        return default
    return min(options, key=lambda option: abs(option - value_kept))


def _is_number(value_kept: Any) -> bool:
    return (
        isinstance(value_kept, int | float)
        and not isinstance(value_kept, bool)
        and math.isfinite(value_kept)
    )
