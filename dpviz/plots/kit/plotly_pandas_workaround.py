"""Plotly looks for pandas among the imported modules at each value that it checks, and so finds one
that another thread is still importing, without names: an error in the middle of a chart.
"""

from __future__ import annotations

from types import ModuleType

from _plotly_utils import basevalidators, optional_imports, utils
from plotly.io import _json


def whole(name: str, should_load: bool = True) -> ModuleType | None:
    """Plotly's ``get_module``, but for a module that is on its way in: no value is of its kind
    yet.
    """
    module = optional_imports.get_module(name, should_load)
    spec = getattr(module, "__spec__", None)
    return None if getattr(spec, "_initializing", False) else module


def mend() -> None:
    """Let Plotly look for modules with ``whole``."""
    for user in (basevalidators, utils, _json):
        user.get_module = whole
