"""The link of a view: which controls it holds, how it is written, and what could not be used of one
that was followed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dpviz.ui.frame import page_record, undo
from dpviz.ui.widgets.text import literal
from dpviz.words import number

OTHERS = frozenset({"lesson", "step", "said", "only", "ask", "present", "embed", "embed_options"})
"""Names in a link that are no controls."""
LONGEST, MOST = 40, 6
"""Signs of a value, and notes, that are shown."""
RAW, NOTE = "links:raw", "links:note"


def controls() -> dict[str, Any]:
    """Values of the controls drawn in this run, by their name in the link."""
    context = get_script_run_ctx()
    shown = context.shared.widget_ids_this_run
    keys = list(st.session_state)
    with context.session_state.query_params() as params:
        bindings = {key: params.get_binding_for_param(key) for key in keys}
    bound = {key for key, binding in bindings.items() if binding and binding.widget_id in shown}
    return {key: _kept(st.session_state[key]) for key in sorted(bound | page_record.now().choices)}


def _kept(value: Any) -> Any:
    return list(value) if isinstance(value, list | tuple) else value


def written(values: Mapping[str, Any], choices: set[str]) -> dict[str, list[str]]:
    """Values as a link writes them.

    Args:
        choices: names whose lists are written with commas; other lists repeat the name.
    """
    found = {}
    for key, value in values.items():
        words = [_word(v) for v in value] if isinstance(value, list) else [_word(value)]
        found[key] = [",".join(words)] if key in choices else words
    return found


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return number(value) if float(number(value)) == value else repr(value)
    return str(value)


def address(page: str, values: Mapping[str, Any], choices: set[str]) -> str:
    """The link of a view, every control in it, relative to the server's address."""
    return f"{page}?{urlencode(written(values, choices), doseq=True)}"


# ------------------------------------------------------------------------ what a link could not say


def begin() -> bool:
    """Take down what the address says before any control reads it; True in the first run of a
    session.
    """
    first = RAW not in st.session_state
    if first:
        st.session_state[RAW] = {key: st.query_params.get_all(key) for key in st.query_params}
    return first


def show(place: Any, page: str, values: Mapping[str, Any], first: bool, whole: bool) -> None:
    """One note about what could not be used of the link, until a control is moved.

    Args:
        first: this was the first run of the session; whole: the page came to its end.
    """
    if first:
        found = notes(st.session_state[RAW], values, page_record.now().choices, whole)
        st.session_state[NOTE] = (page, dict(values), found)
    told = st.session_state.get(NOTE)
    if told and told[2] and told[0] == page and not undo.differ(told[1], values):
        place.info(
            f"Not all of the link could be used. {_few(told[2])}", icon=":material/link_off:"
        )


def notes(
    raw: Mapping[str, Sequence[str]], values: Mapping[str, Any], choices: set[str], whole: bool
) -> list[str]:
    """A sentence (Markdown, escaped) for each part of a link that was not taken as it stands.

    Args:
        raw: what the link says; values: what the controls stand at; whole: all controls were drawn.
    """
    now, found = written(values, choices), []
    for key, said in raw.items():
        if key in OTHERS:
            continue
        if key in now and not _same(said, now[key]):
            used = literal(_short(now[key])) or "nothing"
            found.append(f"**{literal(key[:LONGEST])}** cannot be {_quoted(said)}; {used} is used.")
        elif key not in now and whole:
            found.append(
                f"**{literal(key[:LONGEST])}** ({_quoted(said)}) is no setting of this view."
            )
    return found


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    return len(one) == len(other) and all(
        a.lower() == b.lower() or _float(a) == _float(b) for a, b in zip(one, other, strict=True)
    )


def _float(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word


def _quoted(words: Sequence[str]) -> str:
    return f"“{literal(_short(words))}”"


def _short(words: Sequence[str]) -> str:
    text = ", ".join(words)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _few(found: Sequence[str]) -> str:
    more = f" And {len(found) - MOST} more." if len(found) > MOST else ""
    return " ".join(found[:MOST]) + more
