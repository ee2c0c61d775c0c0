"""What holds for every chart, the next one too: ``figure`` and ``alt``, a figure that Plotly
accepts in the template all share, and an example in a test, which is drawn here.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections import defaultdict

import plotly.graph_objects as go
import pytest

from dpviz import plots
from dpviz.plots.kit.drawing import TEMPLATE, TEMPLATE_JSON, white_template
from tests import plots as tests_of_plots


def chart_classes():
    """Names of the classes of ``dpviz.plots`` that can draw themselves."""
    families = [each.name for each in pkgutil.iter_modules(plots.__path__) if not each.ispkg]
    modules = [importlib.import_module(f"dpviz.plots.{name}") for name in families]
    values = [value for module in modules for value in vars(module).values()]
    return {v.__name__ for v in values if inspect.isclass(v) and hasattr(v, "figure")}


def chart_examples():
    """Examples by the name of the chart's class: a chart, then the settings of its figure."""
    found = defaultdict(list)
    for test in pkgutil.iter_modules(tests_of_plots.__path__):
        module = importlib.import_module(f"tests.plots.{test.name}")
        for example in getattr(module, "examples", list)():
            found[type(example[0]).__name__].append(example)
    return found


CHARTS = sorted(chart_classes())
EXAMPLES = chart_examples()


def test_every_chart_has_examples():
    assert len(CHARTS) > 50 and set(CHARTS) == set(EXAMPLES)


@pytest.mark.parametrize("name", CHARTS)
def test_chart_has_words(name):
    assert all(chart.alt() for chart, *_ in EXAMPLES[name])


@pytest.mark.parametrize("name", CHARTS)
def test_plotly_accepts_chart(name):
    for chart, *settings in EXAMPLES[name]:
        go.Figure(chart.figure(*settings).to_dict())  # checks every name and value


@pytest.mark.parametrize("name", CHARTS)
def test_chart_has_template_and_keeps_zoom(name):
    for chart, *settings in EXAMPLES[name]:
        layout = chart.figure(*settings).to_dict()["layout"]
        assert layout["template"] == TEMPLATE_JSON
        axes = [layout[key] for key in layout if key.startswith(("xaxis", "yaxis"))]
        assert axes and layout["uirevision"] and "dragmode" not in layout


@pytest.mark.parametrize("template", [TEMPLATE, white_template()], ids=["page", "paper"])
def test_template_lets_readers_zoom_and_hide_lines(template):
    assert template.layout.xaxis.fixedrange is None and template.layout.yaxis.fixedrange is None
    assert template.layout.legend.itemclick == "toggle"


def test_chart_on_paper_is_black_on_white():
    assert white_template().layout.plot_bgcolor == "white" and TEMPLATE.layout.plot_bgcolor is None
