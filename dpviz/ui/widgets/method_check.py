"""Check of a method's code before a release of it, started by a button, with its progress."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpviz import methods
from dpviz.experiments import method_verdicts
from dpviz.experiments.jobs import Group, Progress, Work, no_private_runs
from dpviz.experiments.method_verdicts import Verdict
from dpviz.ui.live import long_work

BUTTON = "Check the method"
UNCHECKED = (
    "The code of {method} was not checked on this machine. A release needs this check first. The"
    " check takes up to a minute."
)


@dataclass(frozen=True)
class _Task:
    """The check of one method."""

    method: str


def _check(group: Group, progress: Progress) -> list[Verdict]:
    from dpviz.audits import method_checks  # few pages draw a release

    return [method_checks.verdict(methods.get(task.method), progress) for task in group]


# on made-up data
CHECKS = Work(_check, private_runs=no_private_runs, feature="checks")


def verdict(key: str) -> Verdict | None:
    """Return the verdict on a method; without one, show the button that starts the check."""
    method, key_of_check = methods.get(key), f"method-check:{key}"
    if known := method_verdicts.stored(method):
        return known
    place = st.empty()
    if st.session_state.get(key_of_check):
        return long_work.run_one(key_of_check, _Task(key), CHECKS, place)
    with place.container():
        st.caption(UNCHECKED.format(method=method.title))
        st.button(
            BUTTON,
            key=f"{key_of_check}:start",
            icon=":material/fact_check:",
            on_click=_start,
            args=(key_of_check,),
        )
    return None


def _start(key: str) -> None:
    st.session_state[key] = True
