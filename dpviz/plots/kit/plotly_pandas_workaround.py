"""Plotly looks for pandas among the imported modules at each value that it checks, and so finds one
that another thread is still importing, without names: an error in the middle of a chart.
"""

from __future__ import annotations

from types import ModuleType

from _plotly_utils import basevalidators, optional_imports, utils
from plotly.io import _json

#: Version of Plotly whose private names are replaced here.
TESTED_VERSION = "7.1.0"


def complete_module(name: str, should_load: bool = True) -> ModuleType | None:
    """Plotly's ``get_module``, but None for a module that is still being imported: no value is of
    its kind yet.
    """
    module = optional_imports.get_module(name, should_load)
    spec = getattr(module, "__spec__", None)
    return None if getattr(spec, "_initializing", False) else module


def patch_plotly() -> None:
    """Let Plotly look for modules with ``complete_module``."""
    for user in (basevalidators, utils, _json):
        user.get_module = complete_module
