"""A method's runs on all data draws, computed once the page is drawn on one of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from dpviz.types import Result, RunSpec
from dpviz.ui import streamlit_internals
from dpviz.ui.live import long_work, refining, rerun_scheduling, session_cost
from dpviz.views import data_draws
from dpviz.views.data_draws import DrawRuns
from dpviz.views.page_config import Group, PageConfig


def of_view(key: str, view: PageConfig, method: str, results: Iterable[Result]) -> DrawRuns | None:
    """Return the runs at all budgets of a page; None while they are computed, and where a page
    keeps to one draw: in lessons, where a draw or seeds are chosen, and where runs are slow.

    Args:
        key: of the page; results: of the method on the page's draw, at all budgets.
    """
    spec = view.spec(method)
    if not is_on(spec, view.seeds, sum(run.seconds for run in results) / view.seeds):
        return None
    return collected(key, data_draws.curve_groups(view, method), data_draws.fixed_group(spec))


def is_on(spec: RunSpec, seeds: int, seconds: float) -> bool:
    """Return whether a page shows the accuracies of all data draws; the arguments are those of
    ``data_draws.are_affordable``.
    """
    has_visitor = streamlit_internals.is_server() or rerun_scheduling.no_browser
    return (
        has_visitor
        and not refining.DISABLED
        and "lesson" not in st.query_params
        and session_cost.is_below_cap()
        and data_draws.are_affordable(spec, seeds, seconds)
    )


def collected(key: str, groups: Sequence[Group], fixed: Group) -> DrawRuns | None:
    """Return the runs of groups with noise, and those that no budget changes; None while they are
    computed.
    """
    *noisy, rest = [
        # nobody waits for what is not stored
        long_work.late_results(
            f"{key}-draws-{place}",
            group,
            long_work.PROGRESS_DELAY if refining.recall([group]) else 0.0,
        )
        for place, group in enumerate([*groups, fixed])
    ]
    if not rest or not all(noisy):
        return None
    return data_draws.from_results([run for group in noisy for run in group], rest)
