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
    assert "AdaMix: 5 Holds, 2 Fails, 0 Undecided" in chart.alt()


def test_numbers_are_in_the_middle_of_wide_parts():
    figure = make_chart().figure()
    bars = figure.data
    assert [bar.text for bar in bars] == [("5", ""), None, None]
    assert [list(bar.x) for bar in bars] == [[5, None], [2, None], [None, 3]], "no edge of nothing"
    numbers = figure.layout.meta["panels"]["wide"]["annotations"]
    assert [(n["x"], n["y"], n["text"]) for n in numbers] == [(6, 0, "2"), (1.5, 1, "3")]
    assert not any("color" in n.get("font", {}) for n in numbers), "the page's own ink"


def test_runs_without_an_answer_are_one_outlined_part():
    untested = {"not tested here": 4, "premise not met here": 2}
    partly = ClaimCounts.from_counts({"A": {"holds": 4} | untested, "B": {}})
    figure = partly.figure()
    assert [list(bar.x) for bar in figure.data] == [[4, None], [6, None]]
    assert figure.layout.yaxis.ticktext == (
        "A<br>4 of 10 experiments tested",
        "B<br>0 of 0 experiments tested",
    )
    assert partly.table()[0]["premise not met here"] == 2, "the table keeps both"


def test_names_are_above_the_bars_on_a_narrow_page():
    places = make_chart().figure().layout.meta["panels"]
    names = [name["text"] for name in places["narrow"]["annotations"]]
    assert names[:2] == [
        "AdaMix: 7 of 7 experiments tested",
        "Neural collapse: 3 of 3 experiments tested",
    ]
    assert places["narrow"]["margin.l"] < 20 and not places["narrow"]["yaxis.showticklabels"]
    assert places["wide"]["yaxis.showticklabels"]


def test_short_parts_have_no_number():
    figure = ClaimCounts.from_counts({"A": {"holds": 1, "undecided": 99}}).figure()
    assert figure.data[0].text == ("",)
    places = ClaimCounts.from_counts({"A": {"holds": 60, "undecided": 1}}).figure().layout.meta
    assert len(places["panels"]["wide"]["annotations"]) == 1
    assert len(places["panels"]["narrow"]["annotations"]) == 1, "the name alone"
