"""Tries of the proofs and estimators, each of which can also come out the other way."""

from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from dpviz.diagnostics import mean_estimators
from dpviz.diagnostics.mean_estimators import Setting
from dpviz.papers import claims
from dpviz.papers.checks import mean_estimation as means
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, ENCODERS, HOLDS, Ground
from dpviz.stats import measured
from dpviz.text.dp_means import ESTIMATORS_PRIOR
from dpviz.views import dp_means_page


def test_proofs_give_known_outcomes():
    assert means.gaussian_is_zcdp().outcome == HOLDS
    assert means.eighth_is_enough().outcome == HOLDS
    assert means.tail_holds().outcome == HOLDS


def test_clipping_wins_only_with_strong_prior():
    assert means.clipping_wins().outcome == HOLDS
    turned = means._lower([("coinpress", "sum")], means.STRONG)
    assert turned.outcome == DOES_NOT and "Clearly lower in 0 of 2" in turned.because


def test_estimators_worse_than_prior_are_not_compared(monkeypatch):
    best, worse, worst = (measured([x, x, x]) for x in (0.9, 1.5, 2.0))
    assert means.beats_prior(1.0, worst, best) and not means.beats_prior(1.0, worst, worse)
    # the prior is nearer here than the mean of all records without noise
    monkeypatch.setattr(means, "STRONG", replace(means.STRONG, centre=0.03))
    outcomes = means.clipping_wins()
    assert outcomes.outcome == CANNOT_TELL and "Compared: 0 of 12" in outcomes.because


def test_strong_prior_view_agrees_with_claim_row():
    (link,) = next(first for first in claims("prototypes") if first.key == "proto-f10").links
    linked = parse_qs(urlsplit(link.address).query)
    assert [float(linked[name][0]) for name in ("mcentre", "mradius")] == [
        means.STRONG.centre,
        means.STRONG.radius,
    ]
    result = mean_estimators.errors(means.STRONG, "rho", range(means.DRAWS), places=means.BUDGETS)
    text = dp_means_page.estimators_text(result, means.STRONG, Setting().rho, False)
    assert "**The sum form** is closest" in text and ESTIMATORS_PRIOR not in text


def test_estimators_worse_than_the_prior_decide_nothing(monkeypatch):
    silent = {
        key: {rho: measured([1.0, 2.0, 3.0]) for rho in means.BUDGETS}
        for key in ("sum", "printed", "coinpress", "friendly", "prior")
    }
    monkeypatch.setattr(mean_estimators, "errors", lambda *args, **extra: silent)
    assert means.clipping_wins().outcome == CANNOT_TELL
    assert means.coinpress_wins().outcome == CANNOT_TELL


def test_coinpress_gains_only_with_distant_mean(monkeypatch):
    assert means.coinpress_wins().outcome == HOLDS
    fewer = means.coinpress_is_closer()
    assert fewer.outcome == DOES_NOT and "lower in 2 of 3 comparisons, higher in 1" in fewer.because
    monkeypatch.setattr(means, "BUDGETS", (0.1, 1.0))
    assert means.coinpress_is_closer().outcome == HOLDS
    monkeypatch.setattr(means, "DISTANCES", means.DISTANCES[::-1])
    assert means.coinpress_wins().outcome == DOES_NOT
    assert means.core_wins().outcome == CANNOT_TELL


def test_clipping_suffers_only_with_distant_mean(monkeypatch):
    assert means.clipping_suffers().outcome == HOLDS
    monkeypatch.setattr(means, "NEAR", replace(means.FAR, centre=20.0, radius=60.0))
    assert means.clipping_suffers().outcome == DOES_NOT


def test_three_steps_cost_planned_budget(monkeypatch):
    assert means.steps_cost_rho().outcome == HOLDS
    monkeypatch.setattr(means.coinpress, "SPLIT", (0.1, 0.1, 0.5))
    assert means.steps_cost_rho().outcome == DOES_NOT


def test_paper_split_wins_and_worse_split_does_not(monkeypatch):
    assert means.split_wins().outcome == HOLDS
    monkeypatch.setattr(means, "SPLITS", dict(reversed(means.SPLITS.items())))
    assert means.split_wins().outcome == DOES_NOT


@pytest.mark.parametrize("dataset", ENCODERS)
def test_radius_grows_at_small_budgets(dataset):
    result = means.radius_diverges(Ground(dataset))
    assert result.outcome == HOLDS and "grows with each step at ρ = 0.0001" in result.because


def test_budget_is_scaled_to_records_and_dimensions():
    assert means.scaled(1e-3, 5000, 1280) == 1e-3
    assert means.scaled(1e-3, 500, 128) == pytest.approx(1e-2)


def test_known_share_is_compared_with_an_accuracy():
    half = means.constant(0.5, measured([0.9, 0.91, 0.92]))
    assert (half.mean, half.sd, half.runs) == (0.5, 0.0, 3)
