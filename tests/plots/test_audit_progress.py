import math

from dpviz.plots.audits import AuditProgress, AuditStep
from dpviz.plots.kit.style import ACCENT, WRONG

KEPT = [AuditStep(250, 0.5, 0.9, math.inf, False), AuditStep(1000, 0.8, 0.9, 1.2, False)]
BROKEN = [*KEPT, AuditStep(4000, 1.4, math.inf, math.inf, True)]


def examples():
    return [(AuditProgress(steps, 1.0, 40_000),) for steps in (KEPT, BROKEN)]


def test_axis_holds_every_bound():
    chart = AuditProgress(BROKEN, 1.0, 40_000)
    drawn = chart.figure()
    assert list(drawn.data[1].y) == [0.5, 0.8, 1.4]
    assert drawn.layout.yaxis.range[1] == 2.0 and drawn.data[0].customdata[-1] == "∞"
    assert drawn.data[0].y[-1] is None
    assert [row["epsilon at least"] for row in chart.table()] == [0.5, 0.8, 1.4]


def test_broken_guarantee_is_red():
    colours = [AuditProgress.figure(*how).data[1].line.color for how in examples()]
    assert colours == [ACCENT, WRONG]
