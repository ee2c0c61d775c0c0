"""Tab of Calculator that splits a budget over releases."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpviz import api
from dpviz.privacy import budget_split
from dpviz.privacy.budget_split import BudgetSplit
from dpviz.text import budget_split as text
from dpviz.types import DELTA, Budget, DpvizError
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.widgets import bounded, export
from dpviz.ui.widgets.choices import segments
from dpviz.views import budget_split_page, notebook_file

#: Range and first value of the total and of the number of analysts.
TOTAL, ANALYSTS = (0.001, 1e4, 1.0), (1, 100, 2)
RELEASES = "\n".join(
    f"{name} = {weight}" for name, weight in zip(text.FIRST_NAMES, (1, 2, 1), strict=True)
)
STATED_RELEASES = "\n".join(f"{name} = 0.5" for name in text.FIRST_NAMES)
#: Method and data of the runs of the notebook.
METHOD, DATA, ENCODER = "dppl-mean", "mnist5k", "glyphnet"


def draw(delta: float) -> None:
    """Draw total, releases, plan and its files.

    Args:
        delta: of every epsilon; 0 stands for the default.
    """
    by_total = segments(text.LABELS["way"], text.WAYS, "total", "g.plan") == "total"
    left, middle, right = st.columns([1, 1, 2])
    with left:
        total = (
            bounded.number_input(
                *(text.LABELS["total"], *TOTAL),
                key="g.total",
                help=text.HELP["total"],
                bind="query-params",
                format="%g",
            )
            if by_total
            else None
        )
    with middle:
        analysts = bounded.number_input(
            *(text.LABELS["analysts"], *ANALYSTS),
            key="g.analysts",
            help=text.HELP["analysts"],
            bind="query-params",
        )
    with right:
        kind, first, key = (
            ("releases", RELEASES, "g.split") if by_total else ("each", STATED_RELEASES, "g.each")
        )
        lines = st.text_area(text.LABELS[kind], first, key=key, help=text.HELP[kind])
    try:
        shares = budget_split_page.shares(lines)
        plan = (
            budget_split.split(Budget(total, "approx", delta or DELTA), shares)
            if total is not None
            else budget_split.of_epsilons(shares, delta or DELTA)
        )
    except DpvizError as error:
        st.error(str(error))
        return
    precise = detail_level.precise()
    st.html(page_parts.finding_html(budget_split_page.finding(plan, precise)))
    export.table(budget_split_page.rows(plan), "budget-plan", text.TAB)
    st.markdown(budget_split_page.analysts(plan, int(analysts)))
    st.caption(budget_split_page.caption(plan, precise))
    files = st.columns(2)
    with files[0]:
        export.download(
            text.LABELS["file"], budget_split.to_toml(plan), "budget-plan.toml", "text/plain"
        )
    with files[1]:
        export.download(
            text.LABELS["notebook"],
            partial(notebook, plan, st.context.url or ""),  # made once it is asked for
            "budget-plan.ipynb",
            "application/x-ipynb+json",
        )


def notebook(plan: BudgetSplit, link: str) -> bytes:
    """Return a notebook that simulates each release of a plan on bundled digits."""
    budgets = [Budget(release.rho, "zcdp", plan.total.delta) for release in plan.releases]
    specs = [
        api.spec(METHOD, DATA, budget=budget, encoder=ENCODER, seed=place)
        for place, budget in enumerate(budgets)
    ]
    return notebook_file.notebook(text.TAB, link, specs)
