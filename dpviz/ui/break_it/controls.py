"""The controls of the page "Break it": the data, the promise, the method and what is wrong with
it.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpviz.audit import faults
from dpviz.audit.faults import Mistake
from dpviz.formatting import number
from dpviz.methods import METHODS
from dpviz.run.jobs import Group
from dpviz.types import DELTA, Budget, Method
from dpviz.ui.break_it.work import AccuracySpec, audit_group
from dpviz.ui.frame import page_parts
from dpviz.ui.widgets import shared_controls
from dpviz.ui.widgets.choices import choice, requested
from dpviz.views.page_config import PageConfig
from dpviz.views.phrases import RIVAL

RATIO = 10
NONE = "none"
MISTAKE, NOTICED, METHOD, GUARANTEE = "mistake", "noticed", "of", "promise"
FIRST = next(iter(faults.MISTAKES))
GUARANTEES = (1, 2, 4, 8, 16)
ANSWERS = {"yes": "Yes, I would", "no": "No", "show": "Just show me"}
GUARANTEE_HELP = (
    "What the method promises, ε at δ = 1e-5. At a larger one most mistakes show in fewer results;"
    " sets that are counted wrongly show at a small one."
)
METHOD_HELP = "Those that can have this mistake. The audit uses each one's own worst neighbours."


@dataclass(frozen=True)
class BreakView(PageConfig):
    """A view of one method, and what is wrong with it: the key of a mistake, or ``none``."""

    mistake: str

    @property
    def method(self) -> str:
        """The method's key."""
        return self.methods[0]

    @property
    def subject(self) -> Method:
        """The method."""
        return faults.subject(self.method)

    @property
    def titles(self) -> dict[str, str]:
        """The method's name, in the table of methods or not."""
        return {self.method: self.subject.title}

    @property
    def wrong(self) -> Mistake | None:
        """The mistake, if there is one."""
        return None if self.mistake == NONE else faults.get(self.mistake)

    @property
    def audit(self) -> Group:
        """The looks of its audit."""
        return audit_group(self.method, self.mistake, self.budget, self.first_seed)

    @property
    def accuracy(self) -> Group:
        """What is asked of real data."""
        of = self.method if self.method in METHODS else RIVAL  # the data are the same
        return (AccuracySpec(self.spec(of), self.mistake, self.seeds),)


def switches() -> str:
    """What is wrong, one at a time; another one asks anew whether it would have been noticed."""
    titles = {NONE: "Nothing"} | {key: one.title for key, one in faults.MISTAKES.items()}
    return choice(
        *(st.pills, "What is wrong with the program?", titles, FIRST, MISTAKE),
        required=True,
        on_change=_restart,
    )


def _restart() -> None:
    for key in (NOTICED, METHOD, GUARANTEE):
        st.session_state.pop(key, None)
        st.query_params.pop(key, None)


def noticed() -> str | None:
    """Whether the visitor would have noticed; None before an answer."""
    return choice(
        *(st.segmented_control, "Would you have noticed from the accuracy?", ANSWERS, None, NOTICED)
    )


def noticed_before() -> str | None:
    """What was answered so far; a link may say it of a view that does not ask."""
    page_parts.current_page().choices.add(NOTICED)
    return st.session_state.setdefault(NOTICED, requested(NOTICED, None))


def sidebar() -> BreakView:
    """All controls but the switches, which are the page's own."""
    wrong = requested(MISTAKE, FIRST)
    wrong = wrong if wrong in (NONE, *faults.MISTAKES) else FIRST
    with st.sidebar:
        st.header("Data")
        material = shared_controls.data(RATIO)
        st.header("Privacy")
        budget = _guarantee_control(wrong)
        st.header("Method")
        method = _method(wrong)
        seeds = shared_controls.noise_seeds(n_help=N_HELP, seed_help=SEED_HELP)
        shared_controls.reset_link()
    return BreakView(**material.facts | seeds, budget=budget, methods=(method,), mistake=wrong)


N_HELP = "Of the two accuracies. The audit makes as many releases as it needs."
SEED_HELP = "Another one draws other noise, for the accuracies and for the audit."


def _guarantee_control(wrong: str) -> Budget:
    titles = {str(value): f"{value:g}" for value in GUARANTEES}
    mistake = _mistake(wrong)
    first = f"{mistake.budget.value:g}" if mistake else "4"
    chosen = choice(
        *(st.select_slider, "Promised ε", titles, first, GUARANTEE), help=GUARANTEE_HELP
    )
    shared_controls.ends("more private", "less private")
    st.caption(f"δ = {number(DELTA)}. Neighbours: one record more or less, as each card says.")
    return Budget(float(chosen))


def _method(wrong: str) -> str:
    mistake = _mistake(wrong)
    titles = {key: faults.subject(key).title for key in _subjects(mistake)}
    first = next(iter(titles)) if mistake and mistake.methods else RIVAL
    return choice(st.selectbox, "Method", titles, first, METHOD, help=METHOD_HELP)


def _mistake(wrong: str) -> Mistake | None:
    """The mistake of a key that a link may have made up."""
    return faults.MISTAKES.get(wrong)


def _subjects(mistake: Mistake | None) -> list[str]:
    """Keys of the methods that a mistake can be made in; all private ones for any method's."""
    if mistake and mistake.methods:
        return list(mistake.methods)
    return [key for key, method in METHODS.items() if method.private]
