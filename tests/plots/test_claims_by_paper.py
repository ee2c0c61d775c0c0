from dpviz.plots import claims_by_paper

COUNTS = {
    "AdaMix": {"holds": 5, "does not hold": 2},
    "Neural collapse": {"holds": 0, "cannot be told": 3},
}


def drawn():
    return claims_by_paper.info(COUNTS)


def examples():
    return [(drawn(),), (claims_by_paper.info({"AdaMix": {}}),)]


def test_each_outcome_of_each_paper_is_counted():
    chart = drawn()
    assert chart.papers == ("AdaMix", "Neural collapse")
    assert dict(chart.counts) == {
        "holds": (5, 0),
        "does not hold": (2, 0),
        "cannot be told": (0, 3),
    }
    assert claims_by_paper.table(chart)[0] == {
        "paper": "AdaMix",
        "holds": 5,
        "does not hold": 2,
        "cannot be told": 0,
    }
    assert "AdaMix: 5 holds, 2 does not hold" in claims_by_paper.alt(chart)
    bar = claims_by_paper.figure(chart).data[0]
    assert list(bar.text) == ["5", ""]
