"""The fold "Ask it backwards": an accuracy is asked for, the smallest budget that gives it is the
answer.
"""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dpviz.plots.accuracy_by_budget import BudgetCurve
from dpviz.views import budget_needed

HELP = (
    "Accuracy of the kind chosen above the chart. Only budgets on the chart are looked at; nothing"
    " is interpolated."
)


def fold(curve: BudgetCurve, ir: float) -> None:
    """The fold itself, in the link with its target."""
    folded = st.expander(
        "Ask it backwards: which budget is enough?", key="back", bind="query-params"
    )
    if not folded.open:
        return
    with folded:
        wanted = st.slider(
            "Accuracy wanted, %", 1, 99, 60, key="want", bind="query-params", help=HELP
        )
        needs = budget_needed.info(curve, wanted / 100)
        st.markdown(budget_needed.sentence(needs, curve, ir, wanted / 100))
        rows = pd.DataFrame(budget_needed.table(needs, curve, wanted / 100))
        st.dataframe(rows, hide_index=True)
        st.download_button(
            "CSV",
            rows.to_csv(index=False),
            "needed.csv",
            "text/csv",
            on_click="ignore",
            icon=":material/download:",
        )
        st.caption(
            "A budget counts from where on the mean stays at the target or above for every larger"
            " budget computed; “within noise” means that the 95 % interval still reaches below it."
        )
