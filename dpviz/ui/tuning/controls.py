"""Controls of the Tuning page."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpviz.experiments.tuning import COUNTS, SAMPLERS, Search
from dpviz.methods import METHODS
from dpviz.text import tuning as text
from dpviz.ui.widgets import bounded, shared_controls, side_bar
from dpviz.ui.widgets.choices import choice
from dpviz.views.page_config import PageConfig

FIRST_METHOD = "dppl-public"
MAX_TRIALS = 200


def sidebar() -> Search:
    """Draw the controls of the side bar and return the search, without its metric."""
    return shared_controls.sidebar_of(Search, _method, domain_visible=False)


def view_of(search: Search) -> PageConfig:
    """Return the data and budget of a search, and its method with defaults."""
    return PageConfig(
        **search.facts,
        budget=search.budget,
        first_seed=search.seed,
        seeds=1,
        methods=(search.method,),
    )


def _method() -> dict[str, Any]:
    titles = {key: row.title for key, row in METHODS.items() if row.private and row.params}
    help_text = text.METHOD_HELP
    method = choice(st.selectbox, text.METHOD, titles, FIRST_METHOD, "tm", help=help_text)
    trials = bounded.slider(
        text.TRIALS,
        2,
        MAX_TRIALS,
        20,
        key="trials",
        help=text.TRIALS_HELP,
        bind="query-params",
    )
    # the answer depends on it most
    draw = lambda **copy: bounded.slider(text.TRIALS, 2, MAX_TRIALS, 20, **copy)
    bounded.repeat_on_phones("trials", draw)
    with side_bar.extra():
        help_text = text.SAMPLER_HELP
        sampler = choice(st.selectbox, text.SAMPLER, SAMPLERS, "tpe", "sampler", help=help_text)
        count = choice(st.selectbox, text.COUNT, COUNTS, "fixed", "count", help=text.COUNT_HELP)
    drawn = {"method": method, "trials": int(trials), "sampler": sampler, "count": count}
    return drawn | _extra_controls(method)


def _extra_controls(method: str) -> dict[str, Any]:
    """Draw the settings to vary and the seed."""
    with side_bar.fold(text.MORE_SETTINGS, text.MORE_PART):
        names = {p.name: p.label for p in METHODS[method].params}
        only = choice(st.multiselect, text.ONLY, names, (), f"only.{method}", help=text.ONLY_HELP)
        seed = bounded.number_input(
            text.SEED, 0, 3999, 0, key="tseed", help=text.SEED_HELP, bind="query-params"
        )
    return {"only": only, "seed": int(seed)}
