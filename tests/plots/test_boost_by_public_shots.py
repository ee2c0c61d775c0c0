import math

import numpy as np
import pytest

from dpviz.plots import adamix
from dpviz.plots.adamix import BoostCurve, boost_text
from dpviz.stats import interval

MEANS = {("Only-Public", 1): 0.5, ("AdaMix", 1): 0.3, ("paragon", 1): 0.1}
MEANS |= {("Only-Public", 2): 0.4, ("AdaMix", 2): 0.1, ("paragon", 2): 0.1}
ERRORS = {key: interval([mean]) for key, mean in MEANS.items()}


def boost(*errors):
    return adamix.boost(*(interval(list(values)) for values in errors))


def examples():
    return [(BoostCurve.from_errors(ERRORS, ("AdaMix",), now),) for now in (2, 9)]


def test_boost_is_exact():
    assert boost([0.3], [0.2], [0.1]).value == pytest.approx(2.0) and math.isnan(
        boost([0.3], [0.2], [0.1]).low
    )
    same = boost([0.3, 0.3], [0.2, 0.2], [0.1, 0.1])
    assert (same.value, same.low, same.high) == pytest.approx((2.0, 2.0, 2.0))
    assert not boost([0.3, 0.3], [0.104, 0.105], [0.1, 0.1]).defined  # within half a point
    assert not boost([0.3, 0.3], [0.1, 0.3], [0.1, 0.1]).defined  # cannot be told from the paragon
    assert not boost([0.3, 0.3], [0.05, 0.05], [0.1, 0.1]).defined  # below the paragon


def test_fieller_interval_has_stated_coverage():
    """2,000 trials of 5 runs, true ratio 2: coverage is in 95 ± 2 points; a false alarm has chance
    below 1e-4.
    """
    rng = np.random.default_rng(0)
    draws = rng.normal([0.4, 0.2], [0.03, 0.03], (2000, 5, 2))
    found = [boost(d[:, 0], d[:, 1], np.zeros(5)) for d in draws]
    covered = np.mean([b.low <= 2 <= b.high for b in found if b.defined])
    assert sum(b.defined for b in found) > 1990 and abs(covered - 0.95) < 0.02


def test_info_and_text_show_boosts():
    shown = BoostCurve.from_errors(ERRORS, ("AdaMix",), 2)
    assert shown.shots == (1, 2) and [boost_text(v) for v in shown.lines[0][1]] == [
        "2",
        "undefined",
    ]
    figure = shown.figure()
    assert figure.data[0]["y"][1] is None and list(figure.data[1]["x"]) == [1.0]
