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


def centering() -> str:
    """Whether features are centered on the public mean: yes or no."""
    return param_widgets.widget(prep.CENTRE, f"f.{prep.CENTRE.name}")


def principal_directions() -> int:
    """How many main directions of the public set are kept; 0 keeps all."""
    return param_widgets.widget(prep.PCA, f"f.{prep.PCA.name}")


def preparation(centred: str, kept: int) -> str:
    """What is done to features, as ``RunSpec.features`` writes it."""
    values = {prep.CENTRE.name: centred, prep.PCA.name: kept}
    text = settings_in_names.write(values, prep.PARAMS)
    if text:
        st.caption(
            "Computed from the public set alone, so it costs no privacy; each card lists it as"
            " public."
        )
    return text
