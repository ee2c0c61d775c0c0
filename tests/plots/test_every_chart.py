"""What holds for every chart, the next one too: ``figure`` and ``alt``, a figure that Plotly
accepts in the template all share, and an example in a test, which is drawn here.
"""

from __future__ import annotations

import plotly.graph_objects as go
import pytest

from dpviz.plots.kit.drawing import TEMPLATE, TEMPLATE_JSON, white_template
from tests.kit.every_chart import CHARTS, chart_examples


def test_every_chart_has_examples():
    assert len(CHARTS) > 50 and set(CHARTS) == set(chart_examples())


@pytest.mark.parametrize("name", CHARTS)
def test_chart_has_words(name):
    assert all(chart.alt() for chart, *_ in chart_examples()[name])


@pytest.mark.parametrize("name", CHARTS)
def test_plotly_accepts_chart(name):
    for chart, *settings in chart_examples()[name]:
        go.Figure(chart.figure(*settings).to_dict())  # checks every name and value


@pytest.mark.parametrize("name", CHARTS)
def test_chart_has_template_and_keeps_zoom(name):
    for chart, *settings in chart_examples()[name]:
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
