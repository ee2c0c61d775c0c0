from dpviz.plots.guarantees import GuessByImages


def examples():
    return [(GuessByImages((1, 2, 10), (0.5702, 0.6377, 0.9551), 0.5, 2, 0.6377),)]


def test_guesses_are_rounded_up_and_ring_is_at_chosen_images():
    (chart,) = examples()[0]
    figure = chart.figure()
    line, numbers, ring = figure.data
    assert list(line["text"]) == ["57.1%", "63.8%", "95.6%"]
    assert list(numbers["text"]) == ["57.1%", "<b>63.8%</b>", "95.6%"], "bold: the ring's"
    assert (list(ring["x"]), list(ring["y"])) == ([2], [0.6377])
    assert figure.layout.xaxis.ticktext == ("1", "2", "10")
    assert figure.layout.shapes[0].y0 == 0.5
    row = {"images per person": 2, "best guess": 0.6377, "without the release": 0.5}
    assert chart.table()[1] == row
