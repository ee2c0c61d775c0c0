"""A room's private answers show no more than their claim, and what spends twice of it is caught.

Some noise is the system's, new every time: bounds here are wrong once in a million trials.
"""

import numpy as np
import pytest

from dpviz import mechanisms, privacy
from dpviz.audits import bounds, private_answers

RUNS = 5_000


@pytest.mark.parametrize("epsilon", [0.5, 1.0])
def test_count_and_coin_within_claim_faulty_variants_caught(epsilon, monkeypatch):
    monkeypatch.setattr(bounds, "CONFIDENCE", 1 - 1e-6)
    for row in private_answers.audit(RUNS, epsilon):
        assert 0.5 * epsilon < row.audited <= row.claimed == epsilon < row.variant_audited, row


def test_noisy_yes_counts_are_integers():
    told = mechanisms.yes_counts(np.full(50, 3), 1.0)
    assert told.dtype == np.int64 and told.shape == (50,) and len(set(told.tolist())) > 2
    again = mechanisms.yes_counts(np.full(50, 3), 1.0, 7)
    assert again.tolist() == mechanisms.yes_counts(np.full(50, 3), 1.0, 7).tolist()


def test_claim_names_unit_and_adjacency():
    claim = privacy.one_answer("server", 0.7)
    assert (claim.notion, claim.value) == ("pure", 0.7)
    assert "answer" in claim.unit and "replace" in claim.adjacency and "number" in claim.public
