from dpviz.plots.settings import BestValues


def make_chart():
    found = {1.0: (2, (1, 2)), 0.1: (1, (1, 2, 5))}
    return BestValues.from_values(found, (1, 2, 5), "K", "dppl-publick", "zcdp", 1e-5)


def examples():
    return [(make_chart(),)]


def test_info_is_exact():
    chart = make_chart()
    assert chart.budgets == (0.1, 1.0) and chart.best == (1, 2)
    assert chart.not_worse == ((1, 2, 5), (1, 2))
    bars, dots, line = chart.figure().to_dict()["data"]
    assert list(bars["y"])[:2] == [1, 5] and len(dots["x"]) == 5 and list(line["y"]) == [1, 2]
    assert chart.table()[1]["not significantly worse"] == "1, 2"
