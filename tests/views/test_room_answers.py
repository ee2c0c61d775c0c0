"""What a room knows of itself: intervals that hold as often as they say, whoever says yes."""

import numpy as np
import pytest

from dpviz import mechanisms, privacy
from dpviz.views import live_class_page
from dpviz.views.live_class_page import BUDGETS, WAYS


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("people", [1, 10, 200])
def test_intervals_cover_95_percent_half_width_does_not(way, people):
    """A sum over all that may come; nothing is drawn."""
    said = np.arange(people + 1)[:, None]
    for epsilon in BUDGETS:
        table = live_class_page.chances(way, epsilon, people)
        low, high = live_class_page.intervals(way, epsilon, people)
        assert np.allclose(table.sum(axis=1), 1) and (low <= high).all()
        held = (table * ((low <= said) & (said <= high))).sum(axis=1)
        assert held.min() > 0.95 - 1e-9
        quarter = (high - low) // 4
        narrow = (low + quarter <= said) & (said <= high - quarter)
        assert people < 200 or epsilon > 0.5 or (table * narrow).sum(axis=1).min() < 0.9


def test_mid_range_count_error_equals_noise_quantile():
    for epsilon in (0.3, 1.0, 3.0):
        low, high = live_class_page.intervals("server", epsilon, 200)
        reach = privacy.count_reach(epsilon, 0.05)
        assert (low[100], high[100]) == (100 - reach, 100 + reach)


@pytest.mark.parametrize("way", WAYS)
def test_chances_match_the_mechanism(way):
    """20,000 rooms of a fixed seed; 5 standard deviations would come once in a million."""
    people, yes, epsilon, rooms = 6, 2, 1.0, 20_000
    if way == "coin":
        honesty = privacy.coin_threshold(epsilon) / privacy.COIN_STEPS
        own = np.tile(np.arange(people) < yes, rooms)
        told = mechanisms.randomised_response(own, honesty, 0).reshape(rooms, people).sum(axis=1)
    else:
        told = mechanisms.yes_counts(np.full(rooms, yes), epsilon, 0).clip(0, people)
    seen = np.bincount(told, minlength=people + 1) / rooms
    chance = live_class_page.chances(way, epsilon, people)[yes]
    assert (np.abs(seen - chance) < 5 * np.sqrt(chance / rooms)).all()


def test_estimate_stays_in_population_and_interval():
    for way in WAYS:
        for came in range(-5, 36):
            found = live_class_page.estimate_share(way, 0.5, 30, came)
            assert 0 <= found.low <= found.count <= found.high <= 30, found
    assert live_class_page.estimate_share("server", 1.0, 30, 14).count == 14
    coins = live_class_page.estimate_share("coin", 1.0, 30, 15)
    assert coins.count == pytest.approx(15) and coins.high - 15 == 15 - coins.low


def test_accuracy_grows_with_people_budget_and_trusted_server():
    share = lambda way, epsilon, n: live_class_page.half_width(way, epsilon, n) / n
    for way in WAYS:
        assert share(way, 1.0, 10) > share(way, 1.0, 30) > share(way, 1.0, 200)
        assert share(way, 0.3, 30) > share(way, 1.0, 30) > share(way, 3.0, 30)
    assert share("server", 1.0, 30) < share("coin", 1.0, 30) / 3
