"""Controls of features: the settings of synthetic ones, and what is done to any before a method
sees them.
"""

from __future__ import annotations

import streamlit as st

from dpviz.data import preparation as prep
from dpviz.data import settings_in_names
from dpviz.data import synthetic as etf
from dpviz.ui.widgets import param_widgets

FIRST = ("beta", "dim", "n")
"""In sight; the others are folded."""


def synthetic(name: str) -> str | None:
    """The full name of the synthetic data set that is chosen; None if another one is."""
    if name != etf.KEY:
        return None
    st.caption(
        ":material/science: Synthetic: generated around an equiangular tight frame, nothing in it"
        " is real."
    )
    rows = {param.name: param for param in etf.PARAMS}
    values = {key: param_widgets.widget(rows[key], f"etf.{key}") for key in FIRST}
    with st.expander("Classes, offset, test perturbation, imbalance"):
        values |= {
            key: param_widgets.widget(param, f"etf.{key}")
            for key, param in rows.items()
            if key not in FIRST
        }
        st.caption("The public set is a sample of the same frame, with the same shift and offset.")
    return etf.name(**values)


def preparation() -> str:
    """What is done to features, as ``RunSpec.features`` writes it."""
    values = {
        param.name: param_widgets.widget(param, f"f.{param.name}")
        for param in (prep.CENTRE, prep.PCA)
    }
    if any(values[p.name] != p.default for p in (prep.CENTRE, prep.PCA)):
        st.caption(
            "Computed from the public set alone, so it costs no privacy; each card lists it as"
            " public."
        )
    return settings_in_names.write(values, prep.PARAMS)
