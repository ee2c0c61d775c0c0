from dataclasses import replace
from types import SimpleNamespace

from dpviz.plots.audits import ANY_NOISE, GAUSSIAN_NOISE, BoundByCanaries, RepeatedAudit
from dpviz.plots.kit.style import ACCENT, WRONG
from dpviz.text.charts import AXES, BOUND_FORMS

POINTS = (
    SimpleNamespace(canaries=10, approx=0.0, gdp=0.0, seconds=0.004),
    SimpleNamespace(canaries=1000, approx=2.4, gdp=3.5, seconds=0.257),
)
FOUND = SimpleNamespace(
    points=POINTS,
    many=SimpleNamespace(runs=20_000, epsilon=7.12, seconds=16.4),
    claimed=8.0,
    delta=1e-5,
)


def make_chart(counts=(), **other):
    return BoundByCanaries.from_audit(SimpleNamespace(**vars(FOUND) | other), counts)


def examples():
    caught = SimpleNamespace(runs=1_500, epsilon=12.0, seconds=2.0)
    pure = tuple(SimpleNamespace(**vars(point) | {"gdp": None}) for point in POINTS)
    charts = (
        make_chart(),
        make_chart(points=(), many=None),
        make_chart(many=caught),
        make_chart(points=pure, delta=0),
    )
    return [(chart,) for chart in charts]


def test_info_is_exact():
    chart = make_chart((10, 30, 1000))
    assert chart.counts == (10, 30, 1000) and chart.claimed == 8 and chart.delta == 1e-5
    assert [(p.canaries, p.approx, p.gdp) for p in chart.points] == [(10, 0, 0), (1000, 2.4, 3.5)]
    assert chart.repeated == RepeatedAudit(20_000, 7.12, 16.4)
    assert make_chart(points=(), many=None).points == ()


def test_seconds_are_at_counts_and_repeated_runs():
    figure = make_chart((10, 30, 1000)).figure()
    assert figure.layout.xaxis.ticktext == ("10<br>< 0.01 s", "30<br>…", "1,000<br>0.26 s")
    promised, many = [words.text for words in figure.layout.annotations]
    assert promised == "Claimed: ε = 8" and many == "20,000 runs: ε ≥ 7.12, 16 s"


def test_claim_without_gaussian_noise_has_one_line():
    *_, pure = [chart for (chart,) in examples()]
    (line,) = pure.figure().data
    assert list(line.y) == [0.0, 2.4] and line.name == BOUND_FORMS[ANY_NOISE]
    assert pure.figure().layout.yaxis.title.text == AXES["epsilon_bound"]
    assert [line.name for line in make_chart().figure().data] == [
        BOUND_FORMS[GAUSSIAN_NOISE],
        BOUND_FORMS[ANY_NOISE],
    ]


def test_line_above_the_claim_is_marked_wrong():
    kept, over = make_chart(), make_chart(claimed=3.0)
    colours = [[line.line.color for line in c.figure().data] for c in (kept, over)]
    assert colours == [[ACCENT, ACCENT], [WRONG, ACCENT]]


def test_names_of_two_levels_are_apart():
    kept, over = ("left", "bottom"), ("right", "bottom")
    for chart, expected in (
        (make_chart(), [kept, ("left", "top")]),
        (make_chart(claimed=3.0), [over, kept]),
    ):
        found = chart.figure().layout.annotations
        assert [(words.xanchor, words.yanchor) for words in found] == expected


def test_axis_contains_all_points():
    for (chart,) in examples():
        highest = max([chart.claimed, *(p.gdp or p.approx for p in chart.points)])
        assert chart.figure().layout.yaxis.range[1] > highest
    assert replace(make_chart(), claimed=100.0).top > 100
