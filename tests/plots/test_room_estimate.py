from dpviz.plots.classroom import YesEstimate


def examples():
    return [(YesEstimate(30, count, low, high),) for count, low, high in ((12.4, 9, 15), (0, 0, 3))]


def test_estimate_is_in_its_interval():
    drawn = examples()[0][0].figure().to_dict()
    everybody, interval, rule = drawn["data"]
    ends = [[min(one["x"]), max(one["x"])] for one in (everybody, interval, rule)]
    assert ends == [[0, 30], [9, 15], [12.4, 12.4]]
    assert "12 (9–15)" in drawn["layout"]["annotations"][0]["text"]
