"""Controls of the page Trade-off: those that every page has, with several methods."""

from __future__ import annotations

from dataclasses import replace

from dpviz.ui.widgets import panel_controls, shared_controls
from dpviz.views.view import View

METHODS = ("dppl-mean", "dppl-public", "noisy-gd", "class-mean", "logistic")
"""Those chosen at first."""


def sidebar() -> View:
    """All controls of the page."""

    def methods() -> shared_controls.Fields:
        chosen = shared_controls.choose_methods(METHODS) | shared_controls.noise_seeds(refined=True)
        return chosen | shared_controls.data_draws()

    view = shared_controls.sidebar_of(View, methods, only=panel_controls.budgets)
    return replace(view, methods=shared_controls.with_reference(view, view.methods))
