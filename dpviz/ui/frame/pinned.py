"""A result pinned as A, and what is different now, B, written out with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from dpviz.methods import METHODS
from dpviz.stats import Interval, difference, interval
from dpviz.types import Result
from dpviz.ui.widgets.text import literal
from dpviz.views import settings_in_words
from dpviz.views.view import View
from dpviz.words import METRICS, percent, points


@dataclass(frozen=True)
class Pin:
    """A view as numbers and words alone.

    Attributes:
        words: its settings; scores: mean and interval of each method (title) and metric.
    """

    words: settings_in_words.Words
    scores: dict[str, dict[str, Interval]]


def pin(view: View, results: Sequence[Result]) -> Pin:
    """A pin of the results at the budget looked at and of the references."""
    methods = dict.fromkeys(r.spec.method for r in results)
    mine = {key: [r.scores for r in results if r.spec.method == key] for key in methods}
    scores = {
        METHODS[key].title: {m: interval([getattr(s, m) for s in found]) for m in METRICS}
        for key, found in mine.items()
    }
    return Pin(settings_in_words.words(view), scores)


def show(key: str, view: View, results: Sequence[Result], metric: str) -> None:
    """The button that pins, or the comparison with what is pinned.

    Args:
        key: of the page; results: at the budget looked at, and references.
    """
    place, b = f"{key}:pin", pin(view, results)
    a = st.session_state.get(place)
    if a is None:
        st.button(
            "Pin this as A",
            key="pin",
            icon=":material/keep:",
            on_click=_keep,
            args=(place, b),
            help=HELP,
        )
        return
    with st.container(border=True, key="pinned"):
        st.markdown(sentence(a, b, metric))
        rows = table(a, b, metric)
        if rows:
            st.dataframe(pd.DataFrame(rows), hide_index=True)
            st.caption(CAPTION)
        with st.container(horizontal=True):
            st.button(
                "Unpin A", key="unpin", icon=":material/keep_off:", on_click=_forget, args=(place,)
            )
            st.button(
                "Pin B as the new A",
                key="pin",
                icon=":material/keep:",
                on_click=_keep,
                args=(place, b),
                disabled=not rows,
            )


HELP = "Go on moving the controls; the difference from here is then written out."
CAPTION = (
    "±: 95 % Welch interval over the noise seeds, A and B taken as independent; within noise: the"
    " interval holds 0. A is kept until you close the page."
)


def _keep(place: str, value: Pin) -> None:
    st.session_state[place] = value


def _forget(place: str) -> None:
    st.session_state.pop(place, None)


def sentence(a: Pin, b: Pin, metric: str) -> str:
    """What changed in the settings, and what that did to each method, in Markdown."""
    changed = settings_in_words.changes(a.words, b.words)
    if not changed:
        return "**A is pinned.** Move a control: the difference from A is written here."
    head = literal("; ".join(changed))
    told = [
        f"{title} **{METRICS[metric].lower()}"
        f" {_apart(a.scores[title][metric], b.scores[title][metric])}**"
        for title in b.scores
        if title in a.scores
    ]
    return f"**A → B: {head}.** {'; '.join(told) or 'No method is in both'}."


def _apart(a: Interval, b: Interval) -> str:
    return f"{points(*difference(a, b))}{verdict(a, b)}"


def verdict(a: Interval, b: Interval) -> str:
    """``, within noise`` and the like, empty where the difference is clear."""
    if a.mean == b.mean and a.sd == b.sd:
        return ", the same"
    if min(a.runs, b.runs) < 2:
        return " (a single run: its noise cannot be told)"
    apart, half = difference(a, b)
    return ", within noise" if abs(apart) <= half else ""


def table(a: Pin, b: Pin, metric: str) -> list[dict[str, str]]:
    """A row a method in either; nothing where no setting changed."""
    if not settings_in_words.changes(a.words, b.words):
        return []
    rows = []
    for title in dict.fromkeys([*a.scores, *b.scores]):
        one, other = (side.scores.get(title, {}).get(metric) for side in (a, b))
        both = one is not None and other is not None
        row = {
            "": title,
            "A": percent(one) if one else "not drawn",
            "B": percent(other) if other else "not drawn",
        }
        rows.append(
            row
            | {
                "B − A": points(*difference(one, other)) if both else "",
                "told apart": _told(one, other) if both else "",
            }
        )
    return rows


def _told(a: Interval, b: Interval) -> str:
    return verdict(a, b).strip(" ,()") or "yes"
