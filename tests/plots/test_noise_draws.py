import pytest

from dpviz.plots.noise_draws import MAX_DOTS, MethodDraws, NoiseDraws, TrainingCurves, TrainingLine

MEANS = MethodDraws("dppl-mean", "DPPL-Mean", (60, 61, 62), (0.2, 0.4, 0.9))
MANY = MethodDraws(
    "noisy-gd", "Private linear probe", tuple(range(60, 90)), tuple(n / 100 for n in range(30))
)
LATE = MethodDraws("dppl-public", "DPPL-Public", (61,), (0.5,))


STEPS = TrainingLine("noisy-gd", "Private linear probe", (0, 1, 2), (0.1, 0.6, 0.5))


def draws():
    return [
        (NoiseDraws("minority", (MEANS, MANY), 62, 0.7),),
        (NoiseDraws("balanced", (MEANS, LATE), 62),),
    ]


def examples():
    return [*draws(), (TrainingCurves("balanced", (STEPS,)),)]


def test_training_curve_marks_last_step():
    chart = TrainingCurves("balanced", (STEPS,))
    (line,) = chart.figure().data
    assert line.y == (0.1, 0.6, 0.5) and list(line.marker.size) == [0, 0, 10]
    assert chart.table()[1] == {"method": "noisy-gd", "step": 1, "balanced": 0.6}


def test_last_twenty_draws_and_this_one_are_drawn():
    ((chart,), _) = draws()
    dots, _, mean, large, *others = chart.figure().data
    assert dots.x == (0.2, 0.4, 0.9) and mean.x == (pytest.approx(0.5),)
    assert large.x == (0.9,) and large.text == ("90%",) and large.customdata == ("Seed 62: 90%",)
    assert others[0].x == MANY.accuracies[-MAX_DOTS:] and len(others[0].x) == 20


def test_range_covers_all_draws():
    low, high = MANY.range
    assert 0 < low < 0.01 and 0.28 < high < 0.29
    ((chart,), _) = draws()
    words = chart.figure().data[6].customdata[0]
    assert words.startswith("30 draws<br>Mean: 14%") and words.endswith("to 28%")


def test_method_without_this_draw_has_no_large_dot():
    _, (chart,) = draws()
    assert len(chart.figure().data) == 4 + 1


def test_public_line_is_at_its_accuracy():
    with_line, without = (chart.figure().layout for (chart,) in draws())
    assert with_line.shapes[0].x0 == with_line.shapes[0].x1 == 0.7
    assert with_line.annotations[-1].text == "Public images alone: 70%"
    assert not without.shapes


def test_table_has_each_draw_with_its_seed():
    _, (chart,) = draws()
    assert chart.table()[-2:] == [
        {"method": "dppl-mean", "seed": 62, "balanced": 0.9},
        {"method": "dppl-public", "seed": 61, "balanced": 0.5},
    ]
