from dpviz.plots.classroom import MAX_BARS, Tally, number_tally


def examples():
    return [
        (Tally.from_counts(("It <b>rises", "It falls"), (3, 0), 1),),
        (Tally.from_counts(("Yes", "No"), (0, 0)),),
        (number_tally((5, 5, 100), 0, 100, 5, "%", 62),),
        (number_tally((), 1, 3, 1),),
    ]


def test_bars_are_counts_and_correct_answer_is_marked():
    drawn = examples()[0][0].figure().to_dict()
    assert drawn["data"][0]["x"] == [3, 0]
    names = drawn["layout"]["yaxis"]["ticktext"]
    assert names == ["It &lt;b&gt;rises", "✓ It falls"], "strangers' signs are written out"


def test_every_number_is_counted_once():
    chart = number_tally([0, 4, 9, 10, 95, 100], 0, 100, 1, "%")
    assert sum(chart.counts) == 6 and len(chart.counts) <= MAX_BARS
    assert chart.names[0] == "0 to 5" and chart.counts[0] == 2 and chart.counts[-1] == 1
    few = number_tally([1, 3, 3], 1, 3, 1)
    assert (few.names, few.counts) == (("1", "2", "3"), (1, 0, 2))


def test_true_value_beyond_scale_is_drawn():
    drawn = number_tally((1,), 0, 10, 1, "", 14).figure().to_dict()
    assert drawn["layout"]["xaxis"]["range"][1] == 14
