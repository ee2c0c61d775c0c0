import math
from dataclasses import replace

import pytest

from dpviz.plots.budget_curves import PresetCurve
from dpviz.text.charts import MARKER_KEYS
from dpviz.types import Budget
from tests.kit.charts import result


def examples():
    runs = [result("adamix", b, s, 0.5 + s / 10) for b in (1.0, 3.0) for s in (0, 1)]
    presets = {"AdaMix": runs, "paragon": [result("adamix", math.inf, 0, 0.9)]}
    curve = PresetCurve.from_results(presets, "balanced", Budget(0.1), ["NGD"])
    charts = [(curve, 1.0, scale) for scale in ("zoomed", "linear")]
    return [*charts, *((with_lead(), 1.0, scale) for scale in ("zoomed", "linear"))]


def test_info_is_exact():
    runs = [
        result("adamix", b, s, a)
        for b, s, a in [(1.0, 0, 0.5), (1.0, 1, 0.7), (3.0, 0, 0.8), (3.0, 1, 0.8)]
    ]
    found = PresetCurve.from_results(
        {"AdaMix": runs + runs[:1], "paragon": [result("adamix", math.inf, 0, 0.9)], "NGD": []},
        "balanced",
        Budget(0.1),
    )
    assert [line.name for line in found.lines] == ["AdaMix"] and found.lines[0].budgets == (
        1.0,
        3.0,
    )
    assert [p.mean for p in found.lines[0].points] == pytest.approx([0.6, 0.8])
    assert (
        found.levels[0].points[0].mean == pytest.approx(0.9)
        and found.chance == 0.25
        and found.seeds == 2
    )
    assert found.accuracies_at(3.0)["AdaMix"].mean == pytest.approx(0.8)


def with_lead():
    runs = {
        "AdaMix": [result("adamix", b, 0, a) for b, a in ((1.0, 0.4), (4.0, 0.8))],
        "NGD": [result("adamix", b, 0, 0.1) for b in (1.0, 4.0)],
        "Only-Public": [result("adamix", math.inf, 0, 0.6)],
    }
    curve = PresetCurve.from_results(runs, "balanced", Budget(1.0))
    return replace(curve, lead="AdaMix", clear=frozenset({4.0}))


def test_areas_show_gain_and_loss_of_the_lead():
    figure = with_lead().figure(1.0, "linear")
    gain, loss = figure.data[:2]
    assert list(gain["x"][:3]) == pytest.approx([1, 2, 4]), "crossing in the middle of a log axis"
    assert list(gain["y"]) == pytest.approx([0.6, 0.6, 0.8, 0.6, 0.6, 0.6])
    assert list(loss["y"]) == pytest.approx([0.4, 0.6, 0.6, 0.6, 0.6, 0.6])


def test_lead_is_strong_and_alone_has_a_number():
    chart = with_lead()
    figure = chart.figure(4.0, "zoomed")
    lines = {trace["name"]: trace for trace in figure.data if trace["name"]}
    assert lines["AdaMix"]["line"]["width"] > lines["NGD"]["line"]["width"]
    small, large = lines["AdaMix"]["marker"]["size"]
    assert small < large, "a large marker where the difference is significant"
    numbers = [text for text in figure.data[-1]["text"] if "%" in text]
    assert len(numbers) == 1 and "80%" in numbers[0]
    assert chart.zoom_bottom == 0.2, "of the lead, not of the other lines"


def test_significant_loss_is_a_cross():
    chart = replace(with_lead(), clear=frozenset({1.0, 4.0}), worse=frozenset({1.0}))
    marker = next(t for t in chart.figure(1.0).data if t["name"] == "AdaMix")["marker"]
    assert marker["symbol"][0] == "x" != marker["symbol"][1]
    assert marker["color"][0] != marker["color"][1]


def test_line_that_leaves_the_zoomed_chart_ends_with_an_arrow():
    runs = {
        "AdaMix": [result("adamix", b, 0, 0.8) for b in (1.0, 4.0)],
        "NGD": [result("adamix", b, 0, a) for b, a in ((1.0, 0.5), (4.0, 0.9))],
        "Only-Public": [result("adamix", math.inf, 0, 0.8)],
    }
    chart = replace(PresetCurve.from_results(runs, "balanced", Budget(1.0)), lead="AdaMix")
    assert chart.zoom_bottom == 0.7
    down = "triangle-down"
    arrows = [t for t in chart.figure(1.0, "zoomed").data if t["marker"]["symbol"] == down]
    [arrow] = [t for t in arrows if not t["name"]]
    assert list(arrow["x"]) == pytest.approx([2.0]) and list(arrow["y"]) == [0.7]
    assert [words.strip("\u2007") for words in arrow["text"]] == ["<b>down to 50%</b>"]
    linear = chart.figure(1.0, "linear").data
    assert not any(
        t["mode"] == "markers+text" and not t["name"] and "off" in str(t["text"]) for t in linear
    )


def test_public_examples_are_named_by_their_number():
    names = [t["name"] for t in replace(with_lead(), shots=2).figure(1.0).data]
    assert "2 examples per class" in names and "Public examples only" not in names


def test_markers_have_a_legend_where_they_are_drawn():
    chart = replace(with_lead(), clear=frozenset({1.0, 4.0}), worse=frozenset({1.0}))
    shown = lambda figure: [t["name"] for t in figure.data if t["showlegend"]]
    assert shown(chart.figure(1.0, precise=False)) == [
        MARKER_KEYS[f"{key}_alone"].fill(False) for key in ("better", "worse")
    ]
    assert shown(with_lead().figure(1.0)) == [MARKER_KEYS["better_alone"].fill(True)]
    named = shown(replace(chart, shots=2).figure(1.0, precise=False))
    assert named[0] == "Clearly better than its 2 public examples per class"
    unknown = replace(with_lead(), clear=None).figure(1.0)
    assert not shown(unknown) and unknown.layout.showlegend is False


def test_references_are_grey_and_differ_in_dashes():
    runs = {
        "AdaMix": [result("adamix", b, 0, 0.8) for b in (1.0, 4.0)],
        "NGD": [result("adamix", b, 0, 0.8) for b in (1.0, 4.0)],
        **{
            name: [result("adamix", math.inf, 0, 0.8)]
            for name in ("Only-Public", "paragon", "Public images alone")
        },
    }
    chart = replace(PresetCurve.from_results(runs, "balanced", Budget(1.0)), lead="AdaMix")
    lines = [t for t in chart.figure(1.0, precise=False).data if t["name"] and t["line"]["color"]]
    looks = {t["name"]: (t["line"]["color"], t["line"]["dash"]) for t in lines}
    levels = [looks[name] for name in ("Public examples only", "No privacy", "All public images")]
    assert len(set(levels)) == 3 and len({colour for colour, _ in levels}) == 1
    assert looks["NGD"][0] not in {colour for colour, _ in levels}


def test_plain_chart_with_public_reference_leaves_out_examples():
    runs = {
        "AdaMix": [result("adamix", b, 0, 0.8) for b in (1.0, 4.0)],
        **{n: [result("adamix", math.inf, 0, 0.7)] for n in ("Only-Public", "Public images alone")},
    }
    curve = PresetCurve.from_results(runs, "balanced", Budget(1.0))
    fields = {"clear": frozenset({1.0}), "reference": "Public images alone"}
    chart = replace(curve, lead="AdaMix", shots=2, **fields)
    names = {p: [t["name"] for t in chart.figure(1.0, precise=p).data] for p in (True, False)}
    assert "2 examples per class" in names[True] and "2 examples per class" not in names[False]
    assert "All public images" in names[False]
    assert MARKER_KEYS["better_public"].fill(False) in names[False]
