"""Undo and redo of the controls, per page and visitor: their values after each completed run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

MAX_STEPS = 50
"""Steps kept a page; the oldest go first."""
#: Session key of the page that ran last.
LAST_PAGE = "undo:page"


@dataclass
class History:
    """Values of the controls, oldest first, and the place of the present ones.

    Attributes:
        begun: their run has yet to end; arrived: the visitor comes from another page, whose changes
            are no changes of this page.
    """

    steps: list[dict[str, Any]] = field(default_factory=list)
    position: int = -1
    begun: bool = False
    arrived: bool = False

    def note(self, values: Mapping[str, Any], begun: bool = False) -> None:
        """Take down the present values; whatever was undone before a change is forgotten.

        Args:
            begun: the run has only begun, so that some of these controls may be gone at its end.
        """
        arrived, self.arrived = self.arrived, False
        if arrived and self.steps:
            self.steps[self.position :] = [dict(values)]
            self.begun = False
            return
        if self.steps and not differ(self.steps[self.position], values):
            if not begun:
                before = {} if self.begun else self.steps[self.position]
                self.steps[self.position] = {**before, **values}
                self.begun = False
            return
        del self.steps[self.position + 1 :]
        self.steps = [*self.steps, dict(values)][-MAX_STEPS:]
        self.position, self.begun = len(self.steps) - 1, begun

    def move(self, by: int) -> dict[str, Any]:
        """Go back (-1) or on (1); the values there."""
        self.position = min(max(self.position + by, 0), len(self.steps) - 1)
        return self.steps[self.position]


def differ(values: Mapping[str, Any], other_values: Mapping[str, Any]) -> bool:
    """True where a control that both know has two values; one that only appeared or vanished is no
    change.
    """
    return any(values[key] != other_values[key] for key in values.keys() & other_values.keys())


def history(page: str) -> History:
    """The history of a page for this person."""
    return st.session_state.setdefault(f"memory:{page}", History())


def begin(page: str) -> None:
    """Take down what the controls stand at when a run begins: the next key may cut it short before
    its end.
    """
    past = history(page)
    past.arrived |= st.session_state.get(LAST_PAGE, page) != page
    st.session_state[LAST_PAGE] = page
    if past.steps and not past.arrived:
        past.note(
            {
                key: st.session_state[key]
                for key in past.steps[past.position]
                if key in st.session_state
            },
            begun=True,
        )


def buttons(page: str) -> None:
    """Draw the two buttons; each is disabled where there is nothing to go to."""
    past = history(page)
    last = len(past.steps) - 1
    _button("Undo", UNDO, "Mod+Z", page, -1, past.position == 0)
    _button("Redo", REDO, "Mod+Shift+Z", page, 1, past.position == last)


UNDO, REDO = "Undo the last change of a control (Ctrl+Z).", "Redo the change (Ctrl+Shift+Z)."


def _button(label: str, words: str, shortcut: str, page: str, by: int, disabled: bool) -> None:
    st.button(
        label,
        key=label.lower(),
        help=words,
        icon=f":material/{label.lower()}:",
        disabled=disabled,
        shortcut=shortcut,
        on_click=_move,
        args=(page, by),
    )


def _move(page: str, by: int) -> None:
    begin(page)  # a control may have been moved in the same moment
    for key, value in history(page).move(by).items():
        if st.session_state.get(key) != value:
            st.session_state[key] = value
