"""Tries of the runs with neural collapse: a change that is there is told, and one that is not;
noise and nothing to compare give no verdict.
"""

import dataclasses

import pytest

from dpviz.papers.checks import collapse_experiments as tries
from dpviz.papers.checks import collapse_made as made
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, Ground
from dpviz.stats import interval

GROUND = Ground("mnist5k")


@pytest.fixture(autouse=True)
def small(tmp_path, monkeypatch):
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    for name, value in {"LOW": 10, "HIGH": 200, "ERRING_RECORDS": 300}.items():
        monkeypatch.setattr(made, name, value)


def sure(mean):
    """An error that all seeds agree on."""
    return interval([mean - 1e-4, mean, mean + 1e-4])


def unsure(mean):
    return interval([mean - 0.05, mean, mean + 0.05])


def given(monkeypatch, module, *means):
    """Errors of a check's runs, in their order, in place of training."""
    monkeypatch.setattr(module, "errors", lambda runs, seeds=4: dict(zip(runs, means, strict=True)))


def test_rise_differs_from_no_rise():
    shifted = {"test": "stochastic", "size": 0.5}
    assert made.grows(True, **shifted).outcome == HOLDS
    assert made.grows(False, **shifted).outcome == DOES_NOT


def test_no_error_gives_no_verdict_on_a_rise(monkeypatch):
    right = dataclasses.replace(sure(0.1), mean=0.0, low=0.0, high=0.0, sd=0.0, values=(0.0,) * 3)
    given(monkeypatch, made, right, right)
    assert made.grows(False).outcome == CANNOT_TELL
    given(monkeypatch, made, right, right)
    assert made.grows(True).outcome == CANNOT_TELL


@pytest.mark.parametrize(
    ("later", "rises", "stays"),
    [
        (sure(0.2), HOLDS, DOES_NOT),
        (sure(0.11), DOES_NOT, HOLDS),
        (unsure(0.13), CANNOT_TELL, CANNOT_TELL),
    ],
)
def test_rise_needs_its_whole_interval(monkeypatch, later, rises, stays):
    given(monkeypatch, made, sure(0.1), later)
    assert made.grows(True).outcome == rises
    assert made.grows(False).outcome == stays


def test_changes_decide_together():
    assert tries.outcome_of_signs([1, 1]) == HOLDS
    assert tries.outcome_of_signs([1, 0]) == CANNOT_TELL
    assert tries.outcome_of_signs([1, -1, 0]) == DOES_NOT
    assert tries.outcome_of_signs([]) == CANNOT_TELL


@pytest.mark.parametrize(
    ("private", "quiet", "outcome"),
    [
        (sure(0.3), sure(0.3), HOLDS),
        (unsure(0.12), sure(0.3), CANNOT_TELL),
        (sure(0.3), sure(0.05), DOES_NOT),
    ],
)
def test_moving_hurts_both_requires_both_significant(monkeypatch, private, quiet, outcome):
    given(monkeypatch, tries, sure(0.1), private, sure(0.1), quiet)
    assert tries.moves_hurt_both(GROUND).outcome == outcome


@pytest.mark.parametrize(
    ("errors", "outcome"),
    [((0.3, 0.2, 0.2), HOLDS), ((0.2, 0.2, 0.3), DOES_NOT), ((0.1, 0.2, 0.2), DOES_NOT)],
)
def test_dimension_alone_may_help_but_not_hurt(monkeypatch, errors, outcome):
    given(monkeypatch, tries, *map(sure, errors))
    assert tries.dimension_alone(GROUND).outcome == outcome


@pytest.mark.parametrize(
    ("later", "outcome"),
    [
        ((sure(0.5), sure(0.21)), HOLDS),
        ((sure(0.5), sure(0.4)), DOES_NOT),
        ((sure(0.5), unsure(0.23)), CANNOT_TELL),
    ],
)
def test_dimension_must_hurt_only_noisy_training(monkeypatch, later, outcome):
    private, quiet = later
    given(monkeypatch, tries, sure(0.2), private, sure(0.2), quiet)
    assert tries.dimension_hurts_once_moved(GROUND).outcome == outcome


@pytest.mark.parametrize(("small", "outcome"), [(0.3, HOLDS), (0.5, CANNOT_TELL), (0.7, DOES_NOT)])
def test_ten_directions_must_beat_all_coordinates(monkeypatch, small, outcome):
    given(monkeypatch, tries, sure(0.5), sure(small))
    assert tries.ten_directions_beat_all(GROUND).outcome == outcome


@pytest.mark.parametrize(("large", "outcome"), [(0.21, HOLDS), (0.4, DOES_NOT)])
def test_dimension_with_directions_uses_only_directions(monkeypatch, large, outcome):
    given(monkeypatch, tries, *map(sure, (0.2, 0.4, 0.2, 0.6, large, 0.8)))
    assert tries.dimension_with_directions(GROUND).outcome == outcome


def test_ten_directions_must_beat_fifty_and_a_hundred(monkeypatch):
    for errors, outcome in (
        ((0.5, 0.49, 0.4, 0.3), HOLDS),
        ((0.5, 0.3, 0.4, 0.2), DOES_NOT),  # a hundred help
        ((0.5, 0.49, 0.2, 0.3), DOES_NOT),  # fifty are better
    ):
        given(monkeypatch, tries, *map(sure, errors))
        assert tries.few_directions_help(GROUND).outcome == outcome
    given(monkeypatch, tries, sure(0.5), sure(0.49), unsure(0.33), sure(0.3))
    assert tries.few_directions_help(GROUND).outcome == CANNOT_TELL


def test_centring_is_tested_only_where_an_offset_hurts(monkeypatch):
    uneven = (0.1, 0.4, 0.3)
    for even, outcome in (
        ((0.1, 0.4, 0.11), HOLDS),
        ((0.1, 0.1, 0.1), CANNOT_TELL),
        ((0.1, 0.4, 0.3), DOES_NOT),
    ):
        calls = iter((even, uneven))
        monkeypatch.setattr(
            made,
            "errors",
            lambda runs, seeds, calls=calls: dict(zip(runs, map(sure, next(calls)), strict=True)),
        )
        assert made.centring_restores().outcome == outcome


def test_near_equality_has_a_margin():
    assert tries.similarity_sign(sure(0.1), sure(0.12)) == 1
    assert tries.similarity_sign(sure(0.1), sure(0.2)) == -1
    assert tries.similarity_sign(sure(0.1), unsure(0.12)) == 0


@pytest.mark.parametrize(
    ("scaled", "outcome"),
    [((1.0, 2.0), HOLDS), ((2.0, 1.0), CANNOT_TELL), ((1.0, 1.0), CANNOT_TELL)],
)
def test_encoders_of_different_dimensions_use_both_measures(scaled, outcome):
    interval = lambda middle: (middle - 0.01, middle, middle + 0.01)
    wide = [interval(first) for first in scaled]
    assert tries.shifts_verdict([interval(0.1), interval(0.2)], wide, 1, "So").outcome == outcome


def test_widths_are_subset_own_and_copied():
    assert tries.widths(GROUND) == (32, 128, 512)
    assert tries.widths(Ground("clothes")) == (320, 1280, 5120)


def _none():
    return interval([0.0, 0.0, 0.0])


def test_imbalance_uses_the_printed_number_of_records(monkeypatch):
    for even, uneven, outcome in (
        (_none(), _none(), HOLDS),
        (sure(0.1), sure(0.11), HOLDS),
        (sure(0.1), sure(0.3), DOES_NOT),
    ):
        given(monkeypatch, made, sure(0.1), sure(0.3), even, uneven)
        assert made.imbalance_alone().outcome == outcome


def test_each_step_count_has_its_best_rate(monkeypatch):
    def level(best, rest):
        return [sure(best if name.endswith(" 0.6") else rest) for name in names]

    names = [
        f"{n} {k} {r:g}" for n in made.STEP_RECORDS for k in (1, 10, 100) for r in made.STEP_RATES
    ]
    given(monkeypatch, made, *level(0.1, 0.5))
    assert made.iterations_are_alike().outcome == HOLDS
    given(monkeypatch, made, *(_none() for _ in names))
    assert made.iterations_are_alike().outcome == CANNOT_TELL
    given(monkeypatch, made, *(sure(0.1 if " 1 " in name else 0.3) for name in names))
    assert made.iterations_are_alike().outcome == DOES_NOT


def test_overlapping_medians_of_encoders_decide_nothing():
    assert tries.smaller((0.1, 0.11, 0.12), (0.2, 0.21, 0.22)) == 1
    assert tries.smaller((0.2, 0.21, 0.22), (0.1, 0.11, 0.12)) == -1
    assert tries.smaller((0.1, 0.11, 0.21), (0.2, 0.21, 0.22)) == 0
