"""Controls of the PATE page."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.diagnostics.pate_votes import Poll
from dpviz.methods.components import teachers
from dpviz.methods.components.teachers import Ensemble
from dpviz.privacy.vote_ledger import Setting
from dpviz.text import controls as shared
from dpviz.text import teachers_vote as text
from dpviz.types import Budget
from dpviz.ui.frame import detail_level
from dpviz.ui.widgets import bounded, budget_control, shared_controls, side_bar
from dpviz.ui.widgets.choices import choice, segments
from dpviz.views import settings_in_words
from dpviz.views.page_config import PageConfig

KEY = "teachers-vote"
RULES = text.RULES
QUERIES = (10, 20, 50, 100, 150, 200, 300, 500, 1000, 2000)
TEACHERS = (10, 20, 50, 100, 150, 250, 500, 750, 1000, 1500, 2000)
#: First imbalance ratio, at which a hundred teachers are still useful.
RATIO = 5


@dataclass(frozen=True)
class Request:
    """Settings of the page: data, ensemble, and aggregation of votes."""

    view: PageConfig
    poll: Poll
    setting: Setting
    queries: int

    @property
    def seed(self) -> int:
        """Seed of the noise."""
        return self.view.first_seed


def draw(threshold_place: DeltaGenerator) -> Request:
    """Draw all controls; data have the same keys as on other pages.

    Args:
        threshold_place: below the chart; all other controls are in the sidebar.
    """
    with side_bar.draw():
        st.header(shared.HEADERS["data"])
        material = shared_controls.data(RATIO, domain_visible=False)
        st.header(shared.HEADERS["privacy"])
        material = replace(material, **budget_control.unit_fields(material.dataset))
        with side_bar.extra():
            rule = segments(text.RULE, RULES, "confident", "rule", help=text.RULE_HELP)
        shares = _noise(rule == "confident", threshold_place)
        with side_bar.extra():
            queries = _stops(text.QUERIES, QUERIES, "asked", text.QUERIES_HELP)
            if note := budget_control.no_persons_note(material.dataset):
                st.caption(note)
        st.header(shared.HEADERS["method"])
        kinds = text.TEACH_KINDS
        with side_bar.extra():
            kind = choice(st.selectbox, text.TEACH, kinds, "linear", "teach", help=text.TEACH_HELP)
        count = _stops(text.TEACHERS, TEACHERS, "M", text.TEACHERS_HELP)
        pool, delta, seed = _more_settings("all" if material.encoder is None else "named")
        line = settings_in_words.phone_line(material.dataset, material.ir)
        shared_controls.reset_link(delta, line=line)
    budget = Budget(1.0, delta=delta)
    view = PageConfig(
        **material.facts, budget=budget, first_seed=seed, seeds=1, methods=("class-mean",)
    )
    threshold, sigma1, sigma2 = (share * count for share in shares)
    setting = Setting(threshold, sigma1, sigma2, delta)
    ensemble = Ensemble(kind, count, pool=pool, by_person=material.unit == "person")
    return Request(view, Poll(material, ensemble), setting, queries)


def _stops(label: str, options: tuple[int, ...], key: str, help_text: str) -> int:
    return int(
        bounded.select_slider(label, options, 100, key=key, help=help_text, bind="query-params")
    )


def _noise(tests: bool, threshold_place: DeltaGenerator) -> tuple[float, float, float]:
    """Draw T, sigma1 and sigma2; return them as shares of the teachers."""
    threshold, sigma1 = -math.inf, math.inf
    if tests:
        with threshold_place:
            # upward, as the axis of the chart
            label = text.THRESHOLD[detail_level.precise()]
            threshold = _share(label, range(101), 80, "T", text.THRESHOLD_HELP)
        with side_bar.extra():
            sigma1 = _share(text.TEST_NOISE, NOISE, 40, "s1", text.TEST_NOISE_HELP)
    label = text.VOTE_NOISE[detail_level.precise()]
    sigma2 = _share(label, NOISE, 20, "s2", text.VOTE_NOISE_HELP)
    budget_control.draw_ends(*text.NOISE_ENDS)
    return threshold, sigma1, sigma2


#: Noise in percent of the teachers. More noise is more private: left.
NOISE = range(100, 0, -1)


def _share(label: str, percents: range, first: int, key: str, help_text: str) -> float:
    chosen = bounded.select_slider(
        label, percents, first, key=key, help=help_text, bind="query-params"
    )
    return int(chosen) / 100


def _more_settings(usual: str) -> tuple[str, float, int]:
    """Draw pool, delta and noise seed; ``usual``: the first pool, all images where own data may
    have no class names.
    """
    with side_bar.fold(text.SETTINGS):
        pool = choice(st.selectbox, text.POOL, teachers.POOLS, usual, "pool", help=text.POOL_HELP)
        delta = budget_control.choose_delta()
        seed = bounded.number_input(
            text.SEED, 0, 2**31, 0, key="seed", help=text.SEED_HELP, bind="query-params"
        )
    return pool, delta, int(seed)
