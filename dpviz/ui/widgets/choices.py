"""Choices among named things whose keys, not titles, stand in the link, so that a link outlives a
new title.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from dpviz.ui.assets import asset
from dpviz.ui.frame import link_notes, page_parts


def choice(
    widget: Callable[..., Any],
    label: str,
    titles: Mapping[str, str],
    default: Any,
    key: str,
    always: bool = False,
    **options: Any,
) -> Any:
    """A select box, radio or segmented control over ``titles`` (key to title), in the link as
    ``key=…``.

    Args:
        default: a key, or a tuple of keys for a multiselect, which takes of a link what there is;
            always: in the link at its default as well, which may change.
    """
    value_now = _valid_choice(requested_value(key, default), default, titles)
    st.session_state[key] = list(value_now) if isinstance(value_now, tuple) else value_now
    page_parts.current_page().choices.add(key)
    page_parts.current_page().titles[key], page_parts.current_page().labels[key] = titles, label
    if isinstance(default, tuple):  # else the first that Down and Enter reach is "Select all"
        options["select_all"] = False
    value = widget(
        label, list(titles), format_func=titles.get, key=key, persist_state="session", **options
    )
    value = tuple(value) if isinstance(default, tuple) else value
    _publish(key, value, None if always else default)
    return value


def segments(label: str, titles: Mapping[str, str], default: str, key: str, **options: Any) -> str:
    """Titles side by side, of which one is always chosen."""
    return choice(st.segmented_control, label, titles, default, key, required=True, **options)


def tabs(titles: Mapping[str, str], key: str = "tab", old: Mapping[Any, str] | None = None) -> str:
    """Draw a row of tabs and return the key of the open one, in the link as ``key=…``.

    Draw only what the open tab holds: the others cost nothing.

    Args:
        titles: key to title, the first open at first; old: tab by the parameter of an earlier
            version's link that opened the same section.
    """
    page_parts.current_page().other_settings |= set(old or {})
    opened = [tab for parameter, tab in (old or {}).items() if link_notes.opened_with(parameter)]
    if opened and key not in st.session_state and key not in st.query_params:
        st.session_state[key] = opened[0]
    if link_notes.opened_with(key) or opened:
        part = st.components.v2.component("dpviz.land", js=asset("land_at_look.js"))
        part(key=f"hand-land-{key}")
    with st.container(key=f"tabs-{key}"):
        return segments("Details", titles, next(iter(titles)), key, label_visibility="collapsed")


def requested_value(key: str, default: Any) -> Any:
    """What a choice was last set to, or the link says of it; titles have not been looked at."""
    return st.session_state.get(key, _read(key, default))


def _valid_choice(value_now: Any, default: Any, titles: Mapping[str, str]) -> Any:
    """What can be chosen of what is asked for, else the default."""
    if not isinstance(default, tuple):
        return value_now if value_now in titles else default
    if not isinstance(value_now, list | tuple):
        return default
    return tuple(v for v in value_now if v in titles) or (default if value_now else ())


def _read(key: str, default: Any) -> Any:
    raw = st.query_params.get(key)
    if raw is None:
        return default
    return tuple(filter(None, raw.split(","))) if isinstance(default, tuple) else raw


def _publish(key: str, value: Any, default: Any) -> None:
    text = ",".join(value) if isinstance(value, tuple) else value
    if value == default:
        st.query_params.pop(key, None)
    elif st.query_params.get(key) != text:
        st.query_params[key] = text
