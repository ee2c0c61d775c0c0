"""What the charts show, exactly, on results small enough to work out by hand; and that plotly
accepts the figures.
"""

import math
import sys
import threading

import plotly.graph_objects as go
import pytest

from dpviz import words
from dpviz.methods import METHODS
from dpviz.plots import accuracy_by_budget, class_accuracy, class_sizes
from dpviz.plots.kit import figures, style
from dpviz.stats import Interval, interval, within_noise
from dpviz.types import Budget, Guarantee, Result, RunSpec, Scores
from dpviz.words import percent, spread

TITLES = {"dppl-mean": "DPPL-Mean", "noisy-gd": "Private linear probe", "class-mean": "Class mean"}


def result(method, budget, seed, accuracy, per=(1.0, 0.5, 0.0, 0.5)):
    spec = RunSpec("toy", None, method, Budget(budget), ir=10.0, params=(), seed=seed)
    promise = Guarantee(
        "gdp", 0.3, 1e-5, "add or remove one record", "the encoder", budget, 0.04, "a source"
    )
    scores = Scores(accuracy + 0.1, accuracy, accuracy / 2, per)
    return Result(spec, scores, promise, (2,), (40, 20, 4, 9), 0.5, {"dpviz": "0"})


@pytest.fixture
def results():
    cells = [
        ("dppl-mean", 0.1, 0.2),
        ("dppl-mean", 1.0, 0.6),
        ("noisy-gd", 0.1, 0.1),
        ("noisy-gd", 1.0, 0.5),
    ]
    found = [result(m, b, s, a + 0.02 * s) for m, b, a in cells for s in (0, 1)]
    return [*found, result("class-mean", math.inf, 0, 0.9)]


def test_interval_is_the_t_interval():
    # two runs: half-width is t(0.975, 1) * sd / sqrt 2 = 12.7062 * 0.01
    found = interval([0.5, 0.52])
    assert found.mean == pytest.approx(0.51) and found.runs == 2
    assert found.high - found.mean == pytest.approx(12.7062 * 0.01, rel=1e-5)
    assert interval([0.0, 0.02]).low == 0 and interval([1.0, 0.98]).high == 1
    assert interval([0.4]) == Interval(0.4, 0.4, 0.4, 1)


def test_within_noise_is_welch():
    close, far = interval([0.50, 0.52, 0.54]), interval([0.90, 0.91, 0.92])
    assert within_noise(close, interval([0.51, 0.53, 0.55])) and not within_noise(close, far)
    assert within_noise(interval([0.1]), interval([0.9])), "a single run tells nothing of noise"
    assert within_noise(interval([0.5, 0.5]), interval([0.5, 0.5]))
    assert not within_noise(interval([0.5, 0.5]), interval([0.6, 0.6]))


def test_percentages_are_rounded_to_what_the_interval_supports():
    assert (
        percent(Interval(0.4712, 0.44, 0.5, 5)) == "47 %"
        and spread(Interval(0.4712, 0.44, 0.5, 5)) == "44–50"
    )
    assert percent(Interval(0.4712, 0.470, 0.473, 5)) == "47.1 %"
    assert percent(Interval(math.nan, math.nan, math.nan, 5)) == "untested"


def test_numbers_as_people_write_them():
    assert [words.number(v) for v in (0.01, 1.0, 1e-5, math.inf, 2.5e7)] == [
        "0.01",
        "1",
        "1e-5",
        "∞",
        "2.5e7",
    ]


def test_curve_info_is_exact(results):
    curve = accuracy_by_budget.info(results, TITLES, "balanced", "approx", 1e-5, ["DPPL-Public"])
    assert [line.method for line in curve.lines] == ["dppl-mean", "noisy-gd"]
    assert [line.method for line in curve.references] == ["class-mean"]
    assert curve.budgets == (0.1, 1.0) and curve.chance == 0.25 and curve.seeds == 2
    assert curve.at(1.0)["dppl-mean"].mean == pytest.approx(0.61)
    assert curve.at(0.1)["noisy-gd"].mean == pytest.approx(0.11)
    assert curve.references[0].points[0].mean == 0.9
    assert curve.waiting == ("DPPL-Public",) and "N = 2" in accuracy_by_budget.caption(curve)
    minority = accuracy_by_budget.info(results, TITLES, "minority", "approx", 1e-5)
    assert minority.at(1.0)["dppl-mean"].mean == pytest.approx(0.305)


def test_curve_figure_has_a_frame_a_budget_whose_numbers_follow(results):
    curve = accuracy_by_budget.info(results, TITLES, "balanced", "approx", 1e-5)
    drawn = accuracy_by_budget.figure(curve, 1.0)
    checked = go.Figure(drawn.to_dict())
    assert checked.layout.yaxis.range == (0, 1) and checked.layout.xaxis.type == "log"
    assert [frame.name for frame in checked.frames] == ["0.1", "1"]
    assert checked.layout.sliders[0].active == 1
    texts = [" ".join(frame.data[2].text) for frame in checked.frames]
    assert texts[0] != texts[1] and "<b>61 %</b>" in texts[1]
    steady, moving = len(checked.data) - 3, checked.frames[0].traces
    assert moving == tuple(range(steady, steady + 3)), "only marker and numbers move"
    assert [t.text for t in checked.data[-3:]] == [t.text for t in checked.frames[1].data]


def test_an_empty_curve_keeps_places_and_draws():
    curve = accuracy_by_budget.info([], TITLES, "balanced", "approx", 1e-5, list(TITLES.values()))
    checked = go.Figure(accuracy_by_budget.figure(curve, 1.0).to_dict())
    assert [a.text for a in checked.layout.annotations] == [f"{t} …" for t in TITLES.values()]
    assert not checked.frames and not checked.layout.sliders


def test_class_sizes_are_ranked_and_the_minority_marked():
    sizes = class_sizes.info((40, 20, 4, 9), (2,), ("a", "b", "<i>c", "d"))
    assert sizes == class_sizes.ClassSizes(
        ("a", "b", "d", "<i>c"), (40, 20, 9, 4), (False, False, False, True)
    )
    drawn = class_sizes.figure(sizes)
    assert drawn.data[0].customdata[3] == "&lt;i&gt;c, minority"
    assert "from 40 down to 4" in class_sizes.alt(sizes)


def test_per_class_info_follows_the_same_order(results):
    chart = class_accuracy.info(results, TITLES, ("a", "b", "c", "d"), 1.0)
    assert chart.names == ("a", "b", "d", "c") and chart.minority == (False, False, False, True)
    assert [d.method for d in chart.methods] == list(TITLES) and [
        d.private for d in chart.methods
    ] == [True, True, False]
    assert [p.mean for p in chart.methods[0].points] == [1.0, 0.5, 0.5, 0.0]
    assert len(class_accuracy.figure(chart).layout.shapes) == 1


def test_every_method_has_a_look_of_its_own():
    looks = [style.look(key) for key in METHODS]
    assert len(set(looks)) == len(looks)
    assert style.look("not-there-yet") == style.look("not-there-yet")
    assert all(
        style.look(key).colour == style.GREY for key, row in METHODS.items() if not row.private
    )


def test_a_figure_can_be_copied_while_another_copies_it():
    figure = go.Figure([go.Bar(y=[1, 2], marker={"pattern": {"shape": ["/", ""]}})] * 8)
    wrong, often = [], sys.getswitchinterval()

    def copy_often():
        for _ in range(20):
            try:
                assert all(trace.type == "bar" for trace in figures.copied(figure).data)
            except Exception as error:
                wrong.append(error)

    threads = [threading.Thread(target=copy_often) for _ in range(3)]
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(often)
    assert not wrong
