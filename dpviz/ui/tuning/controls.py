"""The controls of the page "Tuning"."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpviz.methods import METHODS
from dpviz.run.tuning import COUNTS, SAMPLERS, Search
from dpviz.ui.widgets import bounded, shared_controls
from dpviz.ui.widgets.choices import choice
from dpviz.views.page_config import PageConfig

FIRST_METHOD = "dppl-public"
MAX_TRIALS = 200
SAMPLER_HELP = (
    "TPE finds good settings sooner. Random search is what the selection theorems can price."
)
COUNT_HELP = (
    "The theorems need a number drawn at random and kept secret. It is drawn from the seed here, so"
    " that you can look behind the curtain."
)


def sidebar() -> Search:
    """All controls of the page; the search's metric stands above the chart."""
    return shared_controls.sidebar_of(Search, _method)


def view_of(search: Search) -> PageConfig:
    """A study's data and budget, its method with its defaults."""
    return PageConfig(
        **search.facts,
        budget=search.budget,
        first_seed=search.seed,
        seeds=1,
        methods=(search.method,),
    )


def _method() -> dict[str, Any]:
    titles = {key: row.title for key, row in METHODS.items() if row.private and row.params}
    words = "Its own settings are moved, each inside its range."
    method = choice(st.selectbox, "Method to tune", titles, FIRST_METHOD, "tm", help=words)
    trials = bounded.slider(
        "Trials, or their mean",
        2,
        MAX_TRIALS,
        20,
        key="trials",
        help="Each is one more run on the private records.",
        bind="query-params",
    )
    sampler = choice(st.radio, "Settings come from", SAMPLERS, "tpe", "sampler", help=SAMPLER_HELP)
    count = choice(st.selectbox, "Number of trials", COUNTS, "fixed", "count", help=COUNT_HELP)
    drawn = {"method": method, "trials": int(trials), "sampler": sampler, "count": count}
    return drawn | _extra_controls(method)


def _extra_controls(method: str) -> dict[str, Any]:
    """Which settings are moved, and the seed."""
    with st.expander("Which settings, seed"):
        names = {p.name: p.label for p in METHODS[method].params}
        words = "None chosen: all are moved."
        only = choice(st.multiselect, "Move only", names, (), f"only.{method}", help=words)
        words = "Of settings, noise and number of trials."
        seed = bounded.number_input(
            "Seed", 0, 3999, 0, key="tseed", help=words, bind="query-params"
        )
    return {"only": only, "seed": int(seed)}
