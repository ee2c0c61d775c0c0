import math

import pytest

from dpviz.plots.budget_curves import ErrorCurve
from dpviz.types import Budget
from tests.kit.charts import result


def examples():
    runs = [result("adamix", b, s, 0.5 + s / 10) for b in (1.0, 3.0) for s in (0, 1)]
    presets = {"AdaMix": runs, "paragon": [result("adamix", math.inf, 0, 0.9)]}
    curve = ErrorCurve.from_results(presets, "balanced", Budget(0.1), ["NGD"])
    return [(curve, 1.0, scale) for scale in ("zoomed", "linear", "log")]


def test_info_is_exact():
    runs = [
        result("adamix", b, s, a)
        for b, s, a in [(1.0, 0, 0.5), (1.0, 1, 0.7), (3.0, 0, 0.8), (3.0, 1, 0.8)]
    ]
    found = ErrorCurve.from_results(
        {"AdaMix": runs + runs[:1], "paragon": [result("adamix", math.inf, 0, 0.9)], "NGD": []},
        "balanced",
        Budget(0.1),
    )
    assert [line.name for line in found.lines] == ["AdaMix"] and found.lines[0].budgets == (
        1.0,
        3.0,
    )
    assert [p.mean for p in found.lines[0].points] == pytest.approx([0.4, 0.2])
    assert (
        found.levels[0].points[0].mean == pytest.approx(0.1)
        and found.chance == 0.75
        and found.seeds == 2
    )
    assert found.errors_at(3.0)["AdaMix"].mean == pytest.approx(0.2)
