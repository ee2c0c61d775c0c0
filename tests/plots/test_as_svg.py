"""No chart holds what a page that is taken along would lose."""

import copy
import json

import pytest

from dpviz.methods import METHODS, PRESETS
from dpviz.plots.kit.as_svg import DASHES, SCRIPTS, SYMBOLS, unsupported
from dpviz.plots.kit.drawing import copy_figure
from dpviz.types.line_style import _SPARE, line_style
from dpviz.ui.assets import asset
from tests.kit.every_chart import CHARTS, chart_examples


def figures(name):
    """The figures of a chart's examples, as they are written into a page."""
    return [
        json.loads(copy_figure(chart.figure(*settings)).to_json())
        for chart, *settings in chart_examples()[name]
    ]


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_entry_is_supported_as_svg(name):
    assert [unsupported(figure) for figure in figures(name)] == [[]] * len(figures(name))


def test_unsupported_entries_are_named():
    whole = figures("ClassAccuracy")[0]
    for place, entry, named in [
        (("data", 0), {"type": "violin"}, "trace violin"),
        (("data", 0), {"stackgroup": "one"}, "scatter.stackgroup"),
        (("data", 0), {"marker": {"symbol": "octagon"}}, "scatter.marker.symbol=octagon"),
        (("layout",), {"polar": {"hole": 0.1}}, "layout.polar"),
        (("layout", "xaxis"), {"type": "date"}, "xaxis.type=date"),
        (("layout",), {"annotations": [{"arrowhead": 2}]}, "annotations.arrowhead"),
        (("layout",), {"shapes": [{"type": "path"}]}, "shapes.type=path"),
    ]:
        changed = part = copy.deepcopy(whole)
        for step in place:
            part = part[step]
        part.update(entry)
        assert any(lost.startswith(named) for lost in unsupported(changed)), named


def test_every_line_style_is_drawn():
    looks = [*(line_style(name) for name in [*METHODS, *PRESETS]), *_SPARE]
    assert len(looks) > 30
    assert not {each.marker for each in looks} - SYMBOLS
    assert not {each.dash for each in looks} - DASHES


def test_grouped_bars_are_named_unsupported():
    bars = [{"type": "bar", "x": [1], "y": [2]}] * 2
    assert unsupported({"data": bars, "layout": {}}) == ["layout.barmode=group"]


def test_script_inserts_text_as_text():
    script = "".join(map(asset, SCRIPTS))
    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "eval(",
        "import ",
        'setAttribute("style',
    ):
        assert word not in script, word
