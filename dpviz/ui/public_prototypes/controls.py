"""The controls of the page "Public prototypes"."""

from __future__ import annotations

from dpviz.methods import METHODS
from dpviz.ui.widgets import param_widgets, shared_controls
from dpviz.views.page_config import PageConfig

KEY = "public-prototypes"
METHOD, EXACT = "dppl-public", "class-mean"
N_HELP = "The noise is drawn anew N times; the pictures show up to five of these draws."


def sidebar() -> PageConfig:
    """All controls of the page, under the keys they have on the Trade-off page."""
    return shared_controls.one_method(
        METHOD, EXACT, lambda: param_widgets.form(METHODS[METHOD]), n_help=N_HELP
    )
