"""Verdicts on theorems: the printed constant fails, the proved one passes the same trial."""

import pytest

from dpviz.diagnostics.collapse_theory import THEOREMS, Setting
from dpviz.papers import claims
from dpviz.papers.checks import collapse_bounds, collapse_records, collapse_setup
from dpviz.papers.model import DOES_NOT, HOLDS, THEORY

WANTED = {
    collapse_bounds.zero_error: DOES_NOT,
    collapse_bounds.sensitivity: DOES_NOT,
    collapse_bounds.projected: DOES_NOT,
    collapse_bounds.simple_conversion: HOLDS,
    collapse_records.half_threshold: HOLDS,
    collapse_records.moved_training: DOES_NOT,
    collapse_setup.cosine_sign: DOES_NOT,
    collapse_setup.offset_cancels: DOES_NOT,
    collapse_setup.public_mean: DOES_NOT,
}


@pytest.mark.parametrize("check", WANTED, ids=lambda check: check.__name__)
def test_a_statement_is_tried_against_exact_values(check):
    assert check().outcome == WANTED[check]


def test_the_printed_constant_fails_where_the_proved_one_holds():
    assert collapse_bounds.bound("3.3").check().outcome == DOES_NOT
    s = Setting(16, 64, 0.03, 0.01)
    error = THEOREMS["3.3"].error(s)
    trial = collapse_bounds.Trial(s, error, error, THEOREMS["3.3"].proved(s))
    assert collapse_bounds.told([trial], "here").outcome == HOLDS
    missed = trial._replace(printed=THEOREMS["3.3"].printed(s))
    assert collapse_bounds.told([missed], "here").outcome == DOES_NOT


def test_every_theorem_and_table_has_its_row():
    keys = {c.key for c in claims("collapse") if THEORY in c.grounds or c.links}
    named = ("f1", "t3.1", "t3.2", "t3.3", "t3.4", "t4.1", "table1-gd", "table1-noisy")
    assert {f"collapse-{name}" for name in named} <= keys
