"""Verdicts on theorems: the printed constant fails, the proved one passes the same trial."""

from types import SimpleNamespace

import pytest

from dpviz.diagnostics import collapse_exact, collapse_theory
from dpviz.diagnostics.collapse_theory import THEOREMS, Setting
from dpviz.papers import claims
from dpviz.papers.checks import (
    collapse_bounds,
    collapse_records,
    collapse_setup,
)
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, THEORY

WANTED = {
    collapse_bounds.zero_error: DOES_NOT,
    collapse_bounds.sensitivity: DOES_NOT,
    collapse_bounds.projected: DOES_NOT,
    collapse_bounds.simple_conversion: HOLDS,
    collapse_records.half_threshold: HOLDS,
    collapse_records.remark_rate: HOLDS,
    collapse_records.logarithmic: HOLDS,
    collapse_records.fixed_threshold: HOLDS,
    collapse_records.moved_training: DOES_NOT,
    collapse_records.imbalance: DOES_NOT,
    collapse_records.table_without_noise: DOES_NOT,
    collapse_records.table_apart: HOLDS,
    collapse_records.domains: HOLDS,
    collapse_bounds.stated_rate: DOES_NOT,
    collapse_bounds.below_threshold: HOLDS,
    collapse_setup.invariant: HOLDS,
    collapse_setup.public_pca: HOLDS,
    collapse_setup.centred_imbalance: HOLDS,
    collapse_setup.offset_without_noise: HOLDS,
    collapse_setup.cosine_sign: DOES_NOT,
    collapse_setup.offset_cancels: HOLDS,
    collapse_setup.centred_sensitivity: HOLDS,
    collapse_setup.centred_guarantee: DOES_NOT,
    collapse_bounds.shrunk_sensitivity: HOLDS,
    collapse_bounds.projected_condition: DOES_NOT,
    collapse_setup.public_mean: DOES_NOT,
}


@pytest.mark.parametrize("check", WANTED, ids=lambda check: check.__name__)
def test_statement_is_checked_against_exact_values(check):
    assert check().outcome == WANTED[check]


def test_printed_constant_fails_where_proved_one_holds():
    assert collapse_bounds.bound("3.3").outcome == DOES_NOT
    s = Setting(16, 64, 0.03, 0.01)
    error = THEOREMS["3.3"].error(s)
    trial = collapse_bounds.Trial(s, error, error, THEOREMS["3.3"].proved(s))
    assert collapse_bounds.bound_verdict([trial], "here").outcome == HOLDS
    missed = trial._replace(printed=THEOREMS["3.3"].printed(s))
    assert collapse_bounds.bound_verdict([missed], "here").outcome == DOES_NOT


def test_no_comparable_setting_gives_no_verdict():
    assert collapse_bounds.bound_verdict([], "here").outcome == CANNOT_TELL
    idle = collapse_bounds.Trial(Setting(16, 64, 0.03, 0.01), 0.1, 0.1, 1.0)
    assert collapse_bounds.bound_verdict([idle], "here").outcome == CANNOT_TELL


def test_printed_records_have_one_criterion():
    covered = lambda needed, printed: collapse_records.covered(needed, printed)[0]
    assert covered([10, 100, 1000], [5.0, 50.0, 500.0]) == HOLDS
    assert covered([10, 20, 40], [10.0, 100.0, 1000.0]) == HOLDS, "loose is no fault"
    assert covered([10, 100, 1000], [10.0, 50.0, 100.0]) == DOES_NOT
    assert covered([100, 10, 40], [10.0, 10.0, 10.0]) == DOES_NOT, "a rise after a fall counts"
    assert covered([10, None], [10.0, 10.0]) == DOES_NOT
    assert covered([200, 210], [10.0, 10.0]) == CANNOT_TELL, "the constant is large"
    assert covered([10], [10.0]) == CANNOT_TELL


@pytest.mark.parametrize("key", ["3.2", "3.3"])
def test_records_are_compared_at_every_rho(key):
    result = collapse_records.by_rho(key)
    assert result.outcome == HOLDS
    assert all(f"at ρ = {rho:g}" in result.because for rho in (1e-4, 1e-2, 1, 4, 8))


@pytest.mark.parametrize(
    ("interval", "outcome"), [((0.9, 0.99), DOES_NOT), ((0.4, 0.6), CANNOT_TELL)]
)
def test_steps_erring_beyond_threshold_refute_claim(monkeypatch, interval, outcome):
    sample = lambda s, setting, draws: SimpleNamespace(ends=interval)
    monkeypatch.setattr(collapse_bounds.collapse_draws, "several_steps", sample)
    assert collapse_bounds.below_threshold().outcome == outcome


def test_every_table_row_is_checked():
    result = collapse_records.table_noisy()
    assert result.outcome == HOLDS
    for name in ("perfect", "independent", "test features", "offset", "10%"):
        assert name in result.because
    assert "Adversarial" in result.because


def test_table_fails_generally_holds_with_independent_coordinates():
    result = collapse_records.table_noisy_any()
    assert result.outcome == DOES_NOT
    assert "with which the formula holds" in result.because


def test_theorem_4_1_bound_holds_with_rho():
    first = Setting(64, 16, 0.03, 0.001)
    error = collapse_theory.projected_error(first, 0.001)
    assert collapse_theory.projected_printed(first, 0.001) < error
    assert error <= collapse_theory.projected_printed(first, 0.001, first.rho)


@pytest.mark.parametrize(("stretched", "outcome"), [(1.0, HOLDS), (2.0, DOES_NOT)])
def test_shrunk_records_lose_bounds_with_more_noise(monkeypatch, stretched, outcome):
    def error(case, s):
        length = collapse_exact.CASES[case].longest(s.p, s.beta) * stretched
        return collapse_exact.error(case, s.n, s.p, s.beta, s.rho, length)

    monkeypatch.setattr(collapse_bounds, "_shrunk_error", error)
    monkeypatch.setattr(collapse_bounds, "GRID", collapse_bounds.GRID[::7])
    assert collapse_bounds.shrunk_bounds().outcome == outcome


def test_loss_without_slope_changes_verdict():
    flat = collapse_setup.LOSSES | {"flat": lambda margin: (margin - 0.0) ** 2}
    assert collapse_setup.invariance_verdict(flat).outcome == DOES_NOT


def test_every_theorem_and_table_has_a_row():
    keys = {c.key for c in claims("collapse") if THEORY in c.grounds or c.links}
    names = ("f1", "t3.1", "t3.2", "t3.3", "t3.4", "t4.1", "table1-gd", "table1-noisy")
    assert {f"collapse-{name}" for name in names} <= keys
