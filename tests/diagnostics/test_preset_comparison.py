"""Runs by the names of the AdaMix paper, compared by hand."""

import numpy as np
import pytest

from dpviz.data import data_set_table, omniglot
from dpviz.diagnostics import preset_comparison
from dpviz.diagnostics.preset_comparison import PRIVATE, orders
from dpviz.methods.adamix_presets import PRESETS
from dpviz.stats import interval
from dpviz.types import Budget


def test_presets_are_compared_seed_by_seed():
    below = np.array([0.01, 0.012, 0.011])
    one = np.array([0.1, 0.3, 0.5])
    order = lambda a, b: orders({"pair": (interval(list(a)), interval(list(b)))})["pair"]
    assert order(one, one + below) == 1 and order(one + below, one) == -1
    assert order(one, one[::-1]) == 0 and order(one[:1], one[1:2]) == 0
    assert preset_comparison.gain(interval([0.1, 0.2]), interval([0.2, 0.4])) == pytest.approx(15)


def test_compared_presets_are_corrected_jointly():
    barely = interval([0.10, 0.20, 0.30]), interval([0.106, 0.210, 0.309])
    assert orders({"alone": barely}) == {"alone": 1}
    tied = interval([0.1, 0.2, 0.3]), interval([0.3, 0.1, 0.2])
    assert orders({"one of many": barely} | dict.fromkeys(range(20), tied))["one of many"] == 0


def test_paper_order_is_checked_for_available_neighbors():
    errors = {"NGD": (0.3, 0.31), "paragon": (0.1, 0.11), "AdaMix from zero": (0.0, 0.0)}
    known = {name: interval(v) for name, v in errors.items()}
    pairs = preset_comparison.paper_pairs(known, Budget(3.0))
    assert orders(pairs) == {("paragon", "NGD"): 1}


def test_fully_private_is_last_at_strict_budgets_only():
    errors = dict.fromkeys(("NGD", "Only-Public", "Fully-Private"), interval([0.1, 0.2]))
    last = ("Only-Public", "Fully-Private")
    asked = (Budget(1.0), Budget(3.0), Budget(0.1, "zcdp"), Budget(np.inf))
    found = [last in preset_comparison.paper_pairs(errors, budget) for budget in asked]
    assert found == [True, False, False, False]


def test_pool_sizes_match_public_sets():
    characters = len(omniglot.CHARACTERS)
    for key, most in preset_comparison.POOL_SIZES.items():
        assert data_set_table.DATASETS[key].size.startswith(f"{characters * most:,} images")


def test_settings_keep_ablations_unchanged():
    changes = {"rank": 7, "init": "class-names", "sigma": 9.0}
    made = {name: preset_comparison.settings(PRESETS[name], changes, 2.0, 5, 3) for name in PRIVATE}
    assert made["AdaMix"]["rank"] == 7 and made["AdaMix"]["init"] == "class-names"
    assert made["AdaMix from zero"]["init"] == "none" and made["AdaMix unprojected"]["rank"] == 0
    assert made["AdaMix"]["lr"] == made["NGD"]["lr"] == 2 * 0.005
    assert all(one["shots"] == 5 and one["shots_draw"] == 3 for one in made.values())
    paragon = preset_comparison.settings(PRESETS["paragon"], changes, 2.0, 5, 3)
    assert "sigma" not in paragon and "rank" not in paragon
