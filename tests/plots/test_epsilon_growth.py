from types import SimpleNamespace

from dpviz.plots.teachers import COUNTING_WAYS, EpsilonGrowth

GROWTH = SimpleNamespace(
    queries=(1, 10),
    answered=(1, 7),
    independent=(0.5, 2.0),
    converted=(0.6, 2.5),
    sanitised=(0.1, 1.0),
    dependent=(0.4, 0.9),
    expected=(),
    proof=(0.2, 0.8),
    spread=(0.2, 0.3),
)


def examples():
    plain = SimpleNamespace(**vars(GROWTH) | {"sanitised": (), "spread": ()})
    alone = EpsilonGrowth.from_growth(GROWTH, 1e-5, ("independent",))
    charts = [(EpsilonGrowth.from_growth(growth, 1e-5),) for growth in (GROWTH, plain)]
    return [*charts, (alone, False)]


def test_info_is_exact():
    chart = EpsilonGrowth.from_growth(GROWTH, 1e-5)
    assert [way for way, _ in chart.lines] == [
        "independent",
        "converted",
        "sanitised",
        "dependent",
        "proof",
    ]
    band = chart.figure().data[0]
    assert list(band.y) == [0.5, 1.6, 0.4, 0.0], "two standard deviations, never below 0"
    name, *_ = COUNTING_WAYS["independent"]
    assert chart.table()[1][name] == 2.0
