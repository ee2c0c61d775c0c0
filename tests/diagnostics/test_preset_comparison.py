"""Runs by the names of the AdaMix paper, compared by hand."""

import numpy as np
import pytest

from dpviz.diagnostics import preset_comparison
from dpviz.diagnostics.preset_comparison import PRIVATE, orders
from dpviz.methods.adamix_presets import PRESETS
from dpviz.stats import interval


def test_presets_are_compared_seed_by_seed():
    below = np.array([0.01, 0.012, 0.011])
    one = np.array([0.1, 0.3, 0.5])
    order = lambda a, b: orders({"pair": (interval(list(a)), interval(list(b)))})["pair"]
    assert order(one, one + below) == 1 and order(one + below, one) == -1
    assert order(one, one[::-1]) == 0 and order(one[:1], one[1:2]) == 0
    assert preset_comparison.gain(interval([0.1, 0.2]), interval([0.2, 0.4])) == pytest.approx(15)


def test_presets_that_a_view_compares_are_compared_together():
    barely = interval([0.10, 0.20, 0.30]), interval([0.106, 0.210, 0.309])
    assert orders({"alone": barely}) == {"alone": 1}
    tied = interval([0.1, 0.2, 0.3]), interval([0.3, 0.1, 0.2])
    assert orders({"one of many": barely} | dict.fromkeys(range(20), tied))["one of many"] == 0


def test_the_papers_order_is_asked_of_neighbours_that_are_there():
    errors = {"NGD": (0.3, 0.31), "paragon": (0.1, 0.11), "AdaMix from zero": (0.0, 0.0)}
    pairs = preset_comparison.paper_pairs({name: interval(v) for name, v in errors.items()})
    assert orders(pairs) == {("paragon", "NGD"): 1}


def test_an_ablation_stays_an_ablation():
    changes = {"rank": 7, "init": "class-names", "sigma": 9.0}
    made = {name: preset_comparison.settings(PRESETS[name], changes, 2.0, 5, 3) for name in PRIVATE}
    assert made["AdaMix"]["rank"] == 7 and made["AdaMix"]["init"] == "class-names"
    assert made["AdaMix from zero"]["init"] == "none" and made["AdaMix unprojected"]["rank"] == 0
    assert made["AdaMix"]["lr"] == made["NGD"]["lr"] == 2 * 0.005
    assert all(one["shots"] == 5 and one["shots_draw"] == 3 for one in made.values())
    paragon = preset_comparison.settings(PRESETS["paragon"], changes, 2.0, 5, 3)
    assert "sigma" not in paragon and "rank" not in paragon
