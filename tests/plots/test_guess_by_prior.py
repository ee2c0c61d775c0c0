from dpviz.plots.guarantees import GuessByPrior


def examples():
    return [(GuessByPrior((0.1, 0.5, 0.9), (0.91, 0.6234, 0.92), 0.5, 0.6234),)]


def test_guess_is_rounded_up_and_ring_is_at_chosen_prior():
    (chart,) = examples()[0]
    before, with_release, ring = chart.figure().data
    assert list(before["y"]) == [0.9, 0.5, 0.9]
    assert list(with_release["customdata"]) == ["91", "62.4", "92"]
    assert (list(ring["x"]), list(ring["y"])) == ([0.5], [0.6234])
    assert chart.table()[1] == {"prior": 0.5, "best guess": 0.6234, "without the release": 0.5}
