import numpy as np
import pytest

from dpviz.plots.audits import RATE_GRID, RATE_SCALES, TradeOff
from dpviz.text.charts import LABELS

ALARMS, MISSES = np.array([0.01, 0.2]), np.array([0.7, 0.1])
WITHIN = [np.stack([np.maximum(v - 0.05, 0), v + 0.05], axis=1) for v in (ALARMS, MISSES)]


def chart(breaks=None, scale="linear"):
    there = (1 - WITHIN[0][:, 1]) ** 2
    return TradeOff(ALARMS, MISSES, *WITHIN, (1 - RATE_GRID) ** 2, there, breaks, scale)


def examples():
    return [(chart(breaks, scale),) for breaks in (None, 1) for scale in RATE_SCALES]


def test_only_broken_guarantee_is_named():
    kept, broken = (chart(breaks).figure() for breaks in (None, 1))
    assert len(broken.data) == len(kept.data) + 4 and chart(1).violations == [0, 1]
    assert broken.data[-1].name == LABELS["test_worst"]
    assert list(broken.data[-1].x) == [0.2]


def test_row_has_misses_allowed_at_most_false_alarms():
    row = chart(1).table()[1]
    assert row["violates the guarantee"] and row["false alarms at most"] == pytest.approx(0.25)
    assert row["misses allowed at these false alarms"] == pytest.approx(0.5625, abs=1e-3)


def test_gaussian_guarantee_is_straight_on_normal_quantiles():
    from scipy import stats

    allowed = stats.norm.cdf(-1 - stats.norm.ppf(RATE_GRID))
    drawn = TradeOff(ALARMS, MISSES, *WITHIN, allowed, MISSES, None, "normal").figure().data[1]
    inside = (np.abs(drawn.x) < 2.5) & (np.abs(drawn.y) < 2.5)
    assert np.array(drawn.y)[inside] == pytest.approx(-1 - np.array(drawn.x)[inside], abs=1e-6)
