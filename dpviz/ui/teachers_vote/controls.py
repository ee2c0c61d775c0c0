"""The controls of the page "Teachers vote"."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import streamlit as st

from dpviz.diagnostics.pate_votes import Poll
from dpviz.methods.components import teachers
from dpviz.methods.components.teachers import Ensemble
from dpviz.privacy.vote_ledger import Setting
from dpviz.types import Budget
from dpviz.ui.widgets import bounded, budget_control, shared_controls
from dpviz.ui.widgets.choices import choice, segments
from dpviz.views.page_config import PageConfig

KEY = "teachers-vote"
RULES = {"confident": "Confident-GNMax", "gnmax": "GNMax"}
QUERIES = (10, 20, 50, 100, 150, 200, 300, 500, 1000, 2000)
TEACHERS = (10, 20, 50, 100, 150, 250, 500, 750, 1000, 1500, 2000)
RATIO = 5
"""The imbalance ratio at first: one at which a hundred teachers still know something."""


@dataclass(frozen=True)
class Request:
    """What the controls say: data as every page has it, the ensemble, and how its votes are
    aggregated.
    """

    view: PageConfig
    poll: Poll
    setting: Setting
    queries: int

    @property
    def seed(self) -> int:
        """The noise's."""
        return self.view.first_seed


def sidebar() -> Request:
    """All controls; data under the keys they have on the other pages."""
    with st.sidebar:
        st.header("Data")
        material = shared_controls.data(RATIO)
        st.header("Privacy")
        material = replace(material, **budget_control.unit_fields(material.dataset))
        rule = segments("Aggregator", RULES, "confident", "rule", help=_RULE_HELP)
        shares = _noise(rule == "confident")
        queries = _stops("Queries asked", QUERIES, "asked", _QUERIES_HELP)
        if subject := budget_control.no_persons_note(material.dataset):
            st.caption(subject)
        st.header("Method")
        kinds = {key: title for key, title in teachers.KINDS.items() if key != "prompt"}
        kind = choice(st.selectbox, "Teachers learn", kinds, "linear", "teach", help=_KIND_HELP)
        st.caption(kinds[kind])  # the box cuts it short
        count = _stops("Teachers", TEACHERS, "M", _TEACHERS_HELP)
        pool, delta, seed = _extra_controls("all" if material.encoder is None else "named")
        shared_controls.reset_link(delta)
    budget = Budget(1.0, delta=delta)
    view = PageConfig(
        **material.facts, budget=budget, first_seed=seed, seeds=1, methods=("class-mean",)
    )
    threshold, sigma1, sigma2 = (share * count for share in shares)
    setting = Setting(threshold, sigma1, sigma2, delta)
    ensemble = Ensemble(kind, count, pool=pool, by_person=material.unit == "person")
    return Request(view, Poll(material, ensemble), setting, queries)


def _stops(label: str, options: tuple[int, ...], key: str, words: str) -> int:
    return int(bounded.select_slider(label, options, 100, key=key, help=words, bind="query-params"))


def _noise(tests: bool) -> tuple[float, float, float]:
    """T, sigma1 and sigma2 as shares of the teachers."""
    threshold, sigma1 = -math.inf, math.inf
    if tests:
        threshold = _share("Threshold T", 0, 120, 80, "T", _T_HELP)
        sigma1 = _share(
            "Test noise σ₁", 1, 100, 40, "s1", "Paid on every query asked, answered or not."
        )
    sigma2 = _share("Vote noise σ₂", 1, 100, 20, "s2", "Paid on every query answered.")
    budget_control.draw_ends("more private", "more accurate")
    return threshold, sigma1, sigma2


def _share(label: str, low: int, high: int, first: int, key: str, words: str) -> float:
    title, link = f"{label}, % of teachers", "query-params"
    downwards = range(high, low - 1, -1)  # more noise, and a higher bar, are more private: left
    return int(bounded.select_slider(title, downwards, first, key=key, help=words, bind=link)) / 100


def _extra_controls(usual: str) -> tuple[str, float, int]:
    """Pool, delta and noise seed; ``usual``: the pool at first, every record where own data may
    bring no names.
    """
    with st.expander("Pool, δ, noise seed"):
        pool = choice(st.radio, "Queries come from", teachers.POOLS, usual, "pool", help=_POOL_HELP)
        delta = budget_control.choose_delta()
        words = "The same seed gives the same noise, whatever the settings."
        seed = bounded.number_input(
            "Noise seed", 0, 2**31, 0, key="seed", help=words, bind="query-params"
        )
    return pool, delta, int(seed)


_RULE_HELP = (
    "Confident-GNMax first tests, with noise, whether enough teachers agree; if not, it refuses and"
    " spends little. GNMax answers every query."
)
_QUERIES_HELP = (
    "More: more answers, each of which costs privacy. Queries are public records that the teachers"
    " are asked to label, in an order drawn without looking at votes."
)
_T_HELP = (
    "Higher: fewer queries are answered, and less privacy is spent. A query is answered if its"
    " winner has this many votes, as far as the test can tell through its noise."
)
_KIND_HELP = (
    "What each teacher trains on its own share of the private records. Visual prompts are compared"
    " further down: they need minutes."
)
_TEACHERS_HELP = (
    "More teachers drown more noise, but know less each: each has a share of its own, which no"
    " other sees."
)
_POOL_HELP = (
    "The names of public records choose the queries and mark the answers; students do not see them."
)
