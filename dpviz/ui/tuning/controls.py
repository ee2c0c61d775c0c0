"""The controls of the page "Tuning"."""

from __future__ import annotations

import streamlit as st

from dpviz.methods import METHODS
from dpviz.run.tuning import COUNTS, SAMPLERS, Search
from dpviz.ui.widgets import shared_controls
from dpviz.ui.widgets.choices import choice
from dpviz.views.view import View

FIRST = "dppl-public"
MOST = 200
SAMPLER_HELP = (
    "TPE finds good settings sooner. Random search is what the selection theorems can price."
)
COUNT_HELP = (
    "The theorems need a number drawn at random and kept secret. It is drawn from the seed here, so"
    " that you can look behind the curtain."
)


def sidebar() -> tuple[View, Search]:
    """All controls of the page; the search's metric stands above the chart."""
    with st.sidebar:
        st.header("Data")
        material = shared_controls.data()
        st.header("Privacy")
        budget = shared_controls.privacy()
        st.header("Method")
        method, trials = _method()
        sampler = choice(
            st.radio, "Settings come from", SAMPLERS, "tpe", "sampler", help=SAMPLER_HELP
        )
        count = choice(st.selectbox, "Number of trials", COUNTS, "fixed", "count", help=COUNT_HELP)
        only, seed = _more(method)
        shared_controls.reset_link()
    view = View(
        **material.facts,
        budget=budget,
        first_seed=seed,
        seeds=1,
        methods=(method,),
    )
    search = Search(
        **material.facts,
        method=method,
        budget=budget,
        trials=trials,
        seed=seed,
        sampler=sampler,
        count=count,
        only=only,
    )
    return view, search


def _method() -> tuple[str, int]:
    titles = {key: row.title for key, row in METHODS.items() if row.private and row.params}
    words = "Its own settings are moved, each inside its range."
    method = choice(st.selectbox, "Method to tune", titles, FIRST, "tm", help=words)
    trials = st.slider(
        "Trials, or their mean",
        2,
        MOST,
        20,
        key="trials",
        help="Each is one more run on the private records.",
        bind="query-params",
    )
    return method, int(trials)


def _more(method: str) -> tuple[tuple[str, ...], int]:
    """Which settings are moved, and the seed."""
    with st.expander("Which settings, seed"):
        names = {p.name: p.label for p in METHODS[method].params}
        words = "None chosen: all are moved."
        only = choice(st.multiselect, "Move only", names, (), f"only.{method}", help=words)
        words = "Of settings, noise and number of trials."
        seed = st.number_input("Seed", 0, 3999, 0, key="tseed", help=words, bind="query-params")
    return only, int(seed)
