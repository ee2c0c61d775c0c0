from types import SimpleNamespace

from dpviz.plots.coinpress import CoinpressRadii

PLAN = SimpleNamespace(
    radii=(4.0, 2.0, 1.0, 0.5), steps=[SimpleNamespace(clip=c, sd=c / 10) for c in (5.0, 3.0, 2.0)]
)
WALK = [SimpleNamespace(clipped=c, norm=1 + c) for c in (0.0, 0.5, 1.0)]
RUNS = ([(PLAN, WALK)] * 2, ("a", "<b>"), (False, True), 0, "class")


def examples():
    return [(CoinpressRadii.from_schedules(*RUNS, walked=walked),) for walked in (False, True)]


def test_info_is_exact():
    known, seen = (chart for (chart,) in examples())
    assert known.runs[0].is_current and known.runs[1].diverges
    assert known.runs[1].values["radius r"] == PLAN.radii
    assert seen.runs[0].values["clipped share"] == (0.0, 0.5, 1.0)
    assert len(known.figure().data) == 6
    assert len(known.table()) == 2 * (4 + 3 + 3)
    assert "&lt;b&gt;" in known.figure().data[0].hovertemplate
