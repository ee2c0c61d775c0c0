from dpviz.plots.classroom import CrowdEstimate


def examples():
    points = [(5, -0.2, 0.49, 0.6), (50, 0.31, 0.4, 0.05), (95, 0.3, 0.31, 0.01)]
    return [(CrowdEstimate.from_points(points, 0.3, now),) for now in (5, 50)]


def test_estimates_are_exact_and_drawn_inside_the_axis():
    chart = examples()[0][0]
    assert [row["estimate"] for row in chart.table()] == [-0.2, 0.31, 0.3]
    drawn = chart.figure()
    assert list(drawn.data[2]["y"]) == [0.0, 0.31, 0.3] and drawn.data[2]["text"][0].endswith(
        "-20.0%"
    )
    assert min(drawn.data[0]["y"]) == 0
