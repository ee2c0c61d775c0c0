"""What holds for every chart, the next one too: ``info``, ``figure`` and ``alt``, a figure that
Plotly accepts in the template all share, and a test of its own, whose ``examples`` are drawn here.
"""

from __future__ import annotations

import importlib
import pkgutil

import plotly.graph_objects as go
import pytest

from dpviz import plots
from dpviz.plots.kit.template import AS_SENT, TEMPLATE, on_white

MODULES = [each.name for each in pkgutil.iter_modules(plots.__path__) if not each.ispkg]
CHARTS = [n for n in MODULES if not hasattr(importlib.import_module(f"dpviz.plots.{n}"), "html")]
"""All but the pictures in HTML."""


def parts(name):
    """A chart, and its examples: the arguments of its figure."""
    chart = importlib.import_module(f"dpviz.plots.{name}")
    return chart, importlib.import_module(f"tests.plots.test_{name}").examples()


@pytest.mark.parametrize("name", MODULES)
def test_it_has_a_test_of_its_own(name):
    assert any(
        n.startswith("test_") for n in dir(importlib.import_module(f"tests.plots.test_{name}"))
    )


@pytest.mark.parametrize("name", CHARTS)
def test_it_takes_its_data_from_info_and_says_in_words_what_it_shows(name):
    chart, examples = parts(name)
    assert callable(chart.info) and examples
    assert all(chart.alt(args[0]) for args in examples)


@pytest.mark.parametrize("name", CHARTS)
def test_plotly_accepts_it(name):
    chart, examples = parts(name)
    for args in examples:
        go.Figure(chart.figure(*args).to_dict())  # checks every name and value


@pytest.mark.parametrize("name", CHARTS)
def test_it_is_drawn_in_the_template_with_ranges_that_stay(name):
    chart, examples = parts(name)
    for args in examples:
        layout = chart.figure(*args).to_dict()["layout"]
        assert layout["template"] == AS_SENT
        axes = [layout[key] for key in layout if key.startswith(("xaxis", "yaxis"))]
        assert axes and not any("fixedrange" in axis for axis in axes), "said by the template"


@pytest.mark.parametrize("template", [TEMPLATE, on_white()], ids=["page", "paper"])
def test_the_template_fixes_ranges_on_the_page_and_on_paper(template):
    assert template.layout.xaxis.fixedrange and template.layout.yaxis.fixedrange


def test_a_chart_on_paper_is_black_on_white():
    assert on_white().layout.plot_bgcolor == "white" and TEMPLATE.layout.plot_bgcolor is None
