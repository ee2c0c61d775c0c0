import pytest

from dpviz.plots.papers import ClaimCounts

COUNTS = {
    "AdaMix": {"holds": 5, "does not hold": 2},
    "Neural collapse": {"holds": 0, "undecided": 3},
}


def make_chart():
    return ClaimCounts.from_counts(COUNTS)


def examples():
    return [(make_chart(),), (ClaimCounts.from_counts({"AdaMix": {}}),)]


def test_outcomes_are_counted_per_paper():
    chart = make_chart()
    assert chart.papers == ("AdaMix", "Neural collapse")
    assert dict(chart.counts) == {
        "holds": (5, 0),
        "does not hold": (2, 0),
        "undecided": (0, 3),
    }
    assert chart.table()[0] == {
        "paper": "AdaMix",
        "holds": 5,
        "does not hold": 2,
        "undecided": 0,
    }
    assert "AdaMix: 5 Holds, 0 Undecided, 2 Fails" in chart.alt()


def test_numbers_are_in_the_middle_of_wide_parts():
    traces = make_chart().figure().data
    assert [bar.text for bar in traces[:3]] == [("5", ""), None, None]
    shares = [[500 / 7, None], [200 / 7, None]]
    assert [list(traces[i].x) for i in (0, 2)] == shares, "no edge of nothing"
    numbers = [t for t in traces if t.type == "scatter"]
    places = [list(zip(t.x, t.y, t.text, strict=True)) for t in numbers]
    assert places == [
        [(50, 1, "3")],
        [(pytest.approx(600 / 7), 0, "2")],
    ]
    assert not any(t.textfont.color for t in numbers), "the page's own, bright where it is dark"
    partly = ClaimCounts.from_counts({"A": {"holds": 4, "not tested here": 6}, "B": {}})
    bars = [bar for bar in partly.figure().data if bar.type == "bar"]
    assert [list(bar.x) for bar in bars] == [[100, None]], "shares of the tested runs"
    assert partly.figure().layout.yaxis.ticktext == (
        "A<br>4 of 10 experiments tested",
        "B<br>0 of 0 experiments tested",
    )
    short = ClaimCounts.from_counts({"A": {"holds": 99, "undecided": 1}})
    words = [t.text for t in short.figure().data if t.type == "scatter"]
    assert not any(words)


def test_names_are_above_the_bars_on_a_narrow_page():
    places = make_chart().figure().layout.meta["panels"]
    names = [name["text"] for name in places["narrow"]["annotations"]]
    assert names == [
        "AdaMix: 7 of 7 experiments tested",
        "Neural collapse: 3 of 3 experiments tested",
    ]
    assert places["narrow"]["margin.l"] < 20 and not places["narrow"]["yaxis.showticklabels"]
    assert places["wide"]["yaxis.showticklabels"] and not places["wide"]["annotations"]


def test_short_parts_have_no_number():
    bar = ClaimCounts.from_counts({"A": {"holds": 1, "undecided": 99}}).figure().data[0]
    assert bar.text == ("",)
