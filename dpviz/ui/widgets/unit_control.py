"""To whom a promise is made, beside the budget: each picture, or each person with a bound on how
many pictures of a person are in.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpviz.data import persons_known
from dpviz.ui.widgets.choices import choice, segments

UNIT, BOUND = "unit", "k"
"""Keys, which stand in the link."""
TITLES = {"picture": "each picture", "person": "each person"}
BOUNDS = (1, 2, 3, 5, 10, 20, 50)
FIRST, ALL = "5", "all"
NOBODY = "The promise is to each record: these data do not say whose they are."
ELSEWHERE = "On this page the promise is to each picture."
UNIT_HELP = (
    "Neighbours differ by one picture, or by one person with all pictures. Most methods then need"
    " as many times the noise as a person may have pictures; PATE gives a person one teacher, and"
    " the private probe can clip each person as a whole."
)
BOUND_HELP = (
    "Which are kept depends on that person alone. Few: data are lost. Many: more noise. All: how"
    " many that is at most is read off the private data, which the promise does not cover, unless a"
    " method does not need it."
)


def fields(dataset: str) -> dict[str, Any]:
    """The unit and the bound, as fields of a Material; none where the data do not know persons."""
    known = persons_known(dataset)
    if known is None:  # data not read yet: as the link has it
        known = st.session_state.get(UNIT, st.query_params.get(UNIT)) == "person"
    if not known:
        return {}
    unit = segments("Promised to", TITLES, "picture", UNIT, help=UNIT_HELP)
    if unit == "picture":
        return {}
    titles = {str(bound): f"{bound}" for bound in BOUNDS} | {ALL: ALL}
    label = "Pictures a person, at most"
    chosen = choice(st.select_slider, label, titles, FIRST, BOUND, help=BOUND_HELP)
    return {"unit": unit, "per_person": 0 if chosen == ALL else int(chosen)}


def sentence(dataset: str, offered: bool) -> str:
    """Why there is no choice; empty where there is one or it is not known yet."""
    known = persons_known(dataset)
    if known is False:
        return NOBODY
    return "" if offered or known is None else ELSEWHERE
