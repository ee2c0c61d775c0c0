from dpviz.plots import best_by_budget


def drawn():
    found = {1.0: (2, (1, 2)), 0.1: (1, (1, 2, 5))}
    return best_by_budget.info(found, (1, 2, 5), "K", "dppl-publick", "zcdp", 1e-5)


def examples():
    return [(drawn(),)]


def test_info_is_exact():
    chart = drawn()
    assert chart.budgets == (0.1, 1.0) and chart.best == (1, 2)
    assert chart.may_be == ((1, 2, 5), (1, 2))
    bars, dots, line = best_by_budget.figure(chart).to_dict()["data"]
    assert list(bars["y"])[:2] == [1, 5] and len(dots["x"]) == 5 and list(line["y"]) == [1, 2]
    assert best_by_budget.table(chart)[1]["may be best"] == "1, 2"
