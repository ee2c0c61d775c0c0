"""Controls of the page Trade-off: those that every page has, with several methods."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from dpviz.ui.widgets import panel_controls, shared_controls, tuned_control
from dpviz.views.page_config import PageConfig

METHODS = ("dppl-mean", "dppl-public", "noisy-gd", "class-mean", "logistic")
"""Those chosen at first."""


def sidebar() -> PageConfig:
    """All controls of the page."""
    place: list[Any] = []

    def methods() -> shared_controls.Fields:
        place.append(st.container())
        chosen = shared_controls.choose_methods(METHODS) | shared_controls.noise_seeds(refined=True)
        return chosen | shared_controls.data_draws()

    tuned_control.arrive()
    view = shared_controls.sidebar_of(PageConfig, methods, only=panel_controls.budgets)
    with place[0]:
        tuned_control.show(view, view.methods, view.budget)
    return replace(view, methods=shared_controls.with_reference(view, view.methods))
