"""Canary for the private names of Plotly that the workaround replaces."""

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

import plotly
import pytest
from _plotly_utils import basevalidators, optional_imports, utils
from plotly.io import _json

from dpviz.plots.kit import plotly_pandas_workaround as workaround
from dpviz.plots.kit.drawing import make_figure

USERS = (basevalidators, utils, _json)


@pytest.fixture
def half_imported_pandas(monkeypatch):
    half = ModuleType("pandas")
    half.__spec__ = ModuleSpec("pandas", None)
    half.__spec__._initializing = True
    monkeypatch.setitem(sys.modules, "pandas", half)


def chart_json():
    trace = {"type": "scatter", "y": (1.0, 2.0), "hovertext": ["a", "b"]}
    return make_figure([trace], 100).to_json()


def test_installed_plotly_is_the_tested_version():
    assert plotly.__version__ == workaround.TESTED_VERSION, (
        "run this file without the workaround: if it passes, delete the workaround; otherwise"
        " change TESTED_VERSION"
    )


def test_plotly_uses_the_replaced_function():
    assert all(user.get_module is workaround.complete_module for user in USERS)


def test_chart_is_drawn_while_pandas_is_imported(half_imported_pandas):
    assert '"hovertext":["a","b"]' in chart_json()


def test_plotly_alone_fails_while_pandas_is_imported(half_imported_pandas, monkeypatch):
    for user in USERS:
        monkeypatch.setattr(user, "get_module", optional_imports.get_module)
    with pytest.raises(AttributeError, match="pandas"):
        chart_json()
