import plotly.graph_objects as go
import pytest

from dpviz.plots.budget_curves import BudgetCurve
from dpviz.plots.kit.readout import CONNECTOR_OPACITY, spread_out
from dpviz.plots.kit.style import rgba, text_colour
from dpviz.types import Budget
from tests.kit.charts import TITLES, results


def make_chart(runs, metric="balanced", waiting=()):
    return BudgetCurve.from_results(runs, TITLES, metric, Budget(1.0), waiting)


def examples():
    return [(make_chart(results(), waiting=["DPPL-Public"]), 1.0), (make_chart([]), 1.0)]


def test_info_is_exact():
    curve = make_chart(results(), waiting=["DPPL-Public"])
    assert [line.method for line in curve.lines] == ["dppl-mean", "noisy-gd"]
    assert [line.method for line in curve.references] == ["class-mean"]
    assert curve.budgets == (0.1, 1.0) and curve.chance == 0.25 and curve.seeds == 2
    assert curve.points_at(1.0)["dppl-mean"].mean == pytest.approx(0.61)
    assert curve.points_at(0.1)["noisy-gd"].mean == pytest.approx(0.11)
    assert curve.references[0].points[0].mean == 0.9
    assert curve.waiting == ("DPPL-Public",) and "2 noise seeds" in curve.caption()
    assert make_chart(results(), "minority").points_at(1.0)["dppl-mean"].mean == pytest.approx(
        0.305
    )


def test_every_budget_has_a_frame():
    checked = go.Figure(make_chart(results()).figure(1.0).to_dict())
    assert checked.layout.yaxis.range == (0, 1) and checked.layout.xaxis.type == "log"
    assert [frame.name for frame in checked.frames] == ["0.1", "1"]
    assert [frame.data[0].meta for frame in checked.frames] == [0, 1]
    texts = [" ".join(frame.data[-2].text) for frame in checked.frames]
    assert texts[0] != texts[1] and "<b>61%</b>" in texts[1]
    steady, moving = len(checked.data) - 5, checked.frames[0].traces
    assert moving[:5] == tuple(range(steady, steady + 5)), "only marker, budget and numbers move"
    assert [t.text for t in checked.data[-5:]] == [t.text for t in checked.frames[1].data[:5]]
    assert {frame.data[-1].text for frame in checked.frames} == {checked.data[-6].text}
    assert checked.data[steady].meta == 1, "the chart says where it stands"


def test_names_are_at_line_ends_and_apart():
    checked = go.Figure(make_chart(results()).figure(1.0).to_dict())
    words, _, _, _, _, numbers = checked.data[-6:]
    ways, bars = checked.layout.shapes[:4], checked.layout.shapes[4:]
    assert [w.y0 for w in ways] == [pytest.approx(y) for y in (0.61, 0.51, 0.9, 0.25)]
    assert list(words.y) == [w.y1 for w in ways] == [bar.yanchor for bar in bars]
    assert set(words.x) == {1.0} and words.xaxis == "x2", "where no zoom moves them"
    assert all(s.xref == "paper" and s.xanchor == 1 and s.x0 > 0 for s in (*ways, *bars)), "outside"
    named = [checked.data[i] for i in checked.layout.meta["lines"]]
    colors = [rgba(line.line.color, CONNECTOR_OPACITY) for line in named]
    assert [way.line.color for way in ways] == colors
    assert {way.layer for way in ways} == {"below"}, "hidden while a reader has zoomed"
    assert [bar.fillcolor for bar in bars] == [line.line.color for line in named]
    assert all(line.name in text for line, text in zip(named, words.text, strict=True))
    assert words.text[0].strip() == "DPPL-Mean", "its number is at the budget, not at its end"
    assert "Class mean <b>90%" in words.text[2]
    assert (
        words.textfont.color
        == numbers.textfont.color
        == tuple(text_colour(line.line.color) for line in named)
    )
    assert "Chance <b>25%</b>" in words.text[3], "where no number that moves can lie on it"
    assert list(numbers.x) == [1.0] * 4 and "<b>61%</b>" in numbers.text[0]
    assert not numbers.text[2].strip(), "what no budget moves has its number at its name"
    assert spread_out([0.5, 0.5, 0.52], 0.1) == pytest.approx([0.5067, 0.4067, 0.6067], abs=1e-4)
    assert spread_out([0.2, 0.9], 0.1) == pytest.approx([0.2, 0.9])
    assert spread_out([0.97, 1.0], 0.1) == pytest.approx([0.9, 1.0]), "within the plot"
    assert spread_out([0.5] * 3, 0.6) == pytest.approx([1.0, 0.5, 0.0]), "as far as there is room"


def test_empty_curve_keeps_layout_and_draws():
    curve = make_chart([], waiting=list(TITLES.values()))
    checked = go.Figure(curve.figure(1.0).to_dict())
    assert [a.text for a in checked.layout.annotations] == [f"{t} …" for t in TITLES.values()]
    assert not checked.frames


def test_plain_chart_names_levels_on_their_line_and_draws_one_band():
    chart = make_chart(results())
    plain = go.Figure(chart.figure(1.0, False).to_dict())
    notes = [note for note in plain.layout.annotations if note.name == "level"]
    assert notes and all("%</b>" in note.text for note in notes)
    assert len(plain.layout.meta["lines"]) == 4 - len(notes), "no name twice"
    bands = [trace.fillcolor for trace in plain.data if trace.fill == "toself"]
    assert sum(not color.endswith(",0)") for color in bands) <= 1
    assert TITLES[chart.banded] in chart.caption(False)
