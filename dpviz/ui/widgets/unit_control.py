"""To whom a promise is made, beside the budget: each record, or each person with a bound on how
many records of a person are in.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpviz.data import persons_known
from dpviz.ui.widgets.choices import choice, segments

UNIT, BOUND = "unit", "k"
"""Keys, which stand in the link."""
BOUNDS = (1, 2, 3, 5, 10, 20, 50)
FIRST, ALL = "5", "all"
NO_PERSONS = "The promise is to each record: these data do not say whose they are."
UNIT_HELP = (
    "“Each person” hides whether any {0} of a person was used, not one alone: neighbours differ by"
    " one person with all {0}s. Most methods then need as many times the noise as a person may have"
    " {0}s; PATE gives a person one teacher, and the private probe can clip each person as a whole."
)
BOUND_HELP = (
    "To the right more of each person's are kept, and more noise is needed; to the left data are"
    " lost. Which are kept depends on that person alone. All: how many that is at most is read off"
    " the private data, which the promise does not cover, unless a method does not need it."
)


def fields(dataset: str) -> dict[str, Any]:
    """Unit and bound as fields of a DataConfig; none where the data name no persons."""
    known = persons_known(dataset)
    if known is None:  # data not read yet: as the link has it
        known = st.session_state.get(UNIT, st.query_params.get(UNIT)) == "person"
    if not known:
        return {}
    one = "record" if dataset.endswith(".npz") else "picture"
    units = {"picture": f"each {one}", "person": "each person"}
    unit = segments("Promised to", units, "picture", UNIT, help=UNIT_HELP.format(one))
    if unit == "picture":
        return {}
    titles = {str(bound): f"{bound}" for bound in BOUNDS} | {ALL: ALL}
    label = f"{one.capitalize()}s a person, at most"
    chosen = choice(st.select_slider, label, titles, FIRST, BOUND, help=BOUND_HELP)
    return {"unit": unit, "per_person": 0 if chosen == ALL else int(chosen)}


def sentence(dataset: str) -> str:
    """Why there is no choice; empty where there is one or it is not known yet."""
    return NO_PERSONS if persons_known(dataset) is False else ""
