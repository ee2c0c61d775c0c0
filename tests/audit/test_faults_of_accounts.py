"""Published formulas that err, the textbook's noise, votes of teachers, tuning: each is caught, and
not without its mistake.
"""

import pytest

from dpviz.audits import faults, trade_off_audit
from dpviz.audits.faults import model

TRIED = {
    "noise-by-count": 250,
    "sets-by-rank": 1_200,
    "one-noise": 250,
    "low-bits": 1_760,
    "threshold-free": 1_760,
    "teachers-by-position": 250,
    "tuned-for-free": 250,
}
"""Releases of each neighbour that show the mistake in the first of its methods."""


def looks(most: int) -> tuple[int, ...]:
    return tuple(n for n in trade_off_audit.INTERIM_COUNTS if n <= most)


def broken(watched, most: int) -> bool:
    sample, claim = watched
    return any(look.broken for look in trade_off_audit.watch(sample, claim, looks(most), learn=600))


@pytest.mark.parametrize("key", TRIED)
def test_faulty_variant_is_caught_and_correct_variant_passes(key):
    mistake = faults.get(key)
    method = faults.subject(mistake.methods[0])
    assert broken(mistake.faulty_sample(method, mistake.budget), TRIED[key])
    assert not broken(model.honest_at(mistake, method, mistake.budget), 250)
