from dpviz.plots import room_estimate


def examples():
    return [
        (room_estimate.info(30, count, low, high),)
        for count, low, high in ((12.4, 9, 15), (0, 0, 3))
    ]


def test_the_estimate_stands_in_its_interval_among_all():
    drawn = room_estimate.figure(examples()[0][0]).to_dict()
    everybody, interval, rule = drawn["data"]
    assert (everybody["base"], everybody["x"]) == ([0], [30])
    assert (interval["base"], interval["x"], rule["x"]) == ([9], [6], [12.4, 12.4])
    assert "about 12, between 9 and 15" in drawn["layout"]["annotations"][0]["text"]
