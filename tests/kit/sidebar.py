"""A sidebar with several methods, without the page that it belongs to."""

from dpviz.ui.widgets import shared_controls
from dpviz.views.page_config import PageConfig


def sidebar() -> PageConfig:
    """Draw it, and return the view."""
    return shared_controls.sidebar_of(
        PageConfig,
        lambda: (
            shared_controls.choose_methods(shared_controls.FIRST_METHODS)
            | shared_controls.noise_seeds()
        ),
    )
