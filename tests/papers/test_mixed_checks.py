"""Verdicts on the AdaMix paper: from figures that are given, each outcome and no other."""

import dataclasses

import numpy as np
import pytest

from dpviz.diagnostics import numerical_convergence
from dpviz.methods.components import public_sets
from dpviz.papers import claims
from dpviz.papers.checks import mixed_curves as curves
from dpviz.papers.checks import mixed_records as records
from dpviz.papers.checks import mixed_runs as runs
from dpviz.papers.checks import mixed_theory as exact
from dpviz.papers.checks.mixed_runs import Run
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, NOT_TRIED, VACUOUS, Ground
from dpviz.stats import interval

GROUND = Ground("mnist5k")
WIGGLE = np.array([-0.002, -0.001, 0.0, 0.001, 0.002])
A, B, C = Run("AdaMix"), Run("NGD"), Run("PPGD")


def error(mean, spread=1.0):
    """Five seeds around a mean, in an order of its own, so that pairing takes no noise away."""
    order = np.random.default_rng(round(1e6 * mean)).permutation(WIGGLE)
    return interval([float(mean + spread * w) for w in order])


def stand_in(monkeypatch, wrong):
    """Errors by the preset or a function of the run, in place of runs."""
    settings = wrong if callable(wrong) else lambda run: wrong[run.preset]

    def result(ground, wanted, seeds=range(5)):
        return {run: error(settings(run)) for run in wanted}

    for module in (runs, curves, records):
        monkeypatch.setattr(module, "errors", result)


@pytest.mark.parametrize(
    ("first", "second", "spread", "outcome"),
    [
        (0.1, 0.2, 1, HOLDS),
        (0.2, 0.1, 1, DOES_NOT),
        (0.1, 0.101, 1, CANNOT_TELL),
        (0.1, 0.2, 100, CANNOT_TELL),
    ],
)
def test_lower_error_differs_from_higher_and_from_noise(first, second, spread, outcome):
    results = {A: error(first, spread), B: error(second, spread)}
    assert runs.less_error_verdict([(A, B)], results).outcome == outcome


def test_one_reversed_comparison_refutes_claim():
    results = {A: error(0.1), B: error(0.2), C: error(0.05)}
    assert runs.less_error_verdict([(A, B), (A, C)], results).outcome == DOES_NOT
    noise = results | {C: error(0.1005)}
    assert runs.less_error_verdict([(A, B), (A, C)], noise).outcome == CANNOT_TELL


@pytest.mark.parametrize(
    ("extra", "spread", "outcome"),
    [
        (0.01, 1, HOLDS),  # clearly more, and little
        (-0.2, 1, HOLDS),
        (0.06, 1, DOES_NOT),
        (0.03, 1, CANNOT_TELL),
        (0.01, 30, CANNOT_TELL),
    ],
)
def test_margin_decides_near_equality(extra, spread, outcome):
    results = {A: error(0.3, spread), B: error(0.3 + extra, spread)}
    assert runs.at_most_verdict([(A, B)], results).outcome == outcome


def test_margin_is_capped_by_possible_error_decrease():
    A_, B_ = error(0.03), error(0.045)
    assert runs.at_most_verdict([(A, B)], {A: A_, B: B_}).outcome == DOES_NOT
    assert runs.at_most_verdict([(A, B)], {A: A_, B: error(0.032, 0.1)}).outcome == HOLDS
    nothing = error(0.0, 0)
    assert runs.at_most_verdict([(A, B)], {A: nothing, B: nothing}).outcome == CANNOT_TELL


def test_verdict_names_its_comparisons_and_deciding_digit():
    results = {A: error(0.1), B: error(0.2), C: error(0.3)}
    assert (
        "(2 comparisons, Holm-corrected)"
        in runs.less_error_verdict([(A, B), (A, C)], results).because
    )
    assert "compared among" not in runs.less_error_verdict([(A, B)], results).because


def test_ppgd_with_small_improvement_holds(monkeypatch):
    for gained, outcome in ((0.01, HOLDS), (0.1, DOES_NOT), (-0.1, HOLDS)):
        stand_in(monkeypatch, {"PPGD": 0.3 - gained, "Only-Public": 0.3})
        assert curves.NO_BETTER_THAN_PUBLIC(GROUND).outcome == outcome


def test_rates_are_chosen_on_other_data_set(monkeypatch):
    requests = []

    def result(ground, wanted, seeds=range(5)):
        wanted = list(wanted)
        requests.append((ground.dataset, set(seeds), {run.rate for run in wanted}))
        right = {"AdaMix": 1.0, "NGD": 0.1}
        return {run: error(0.1 + 0.1 * (run.rate != right[run.preset])) for run in wanted}

    monkeypatch.setattr(runs, "errors", result)
    outcomes = runs.less_error([(A, B)], rated=True)(GROUND)
    assert outcomes.outcome == CANNOT_TELL  # at a shared rate one of them would seem to win
    chosen = ("clothes", set(runs.CHOOSING), set(runs.RATES))
    assert requests == [chosen, ("mnist5k", set(range(5)), {1.0, 0.1})]
    assert "0.0005, 0.001, 0.0025, 0.005 on the data set clothes" in outcomes.because
    assert Run("NGD", rate=0.1).words == "NGD at ε 3, η = 0.0005"


def test_large_budget_limit_is_untested_with_fewer_steps(monkeypatch):
    stand_in(monkeypatch, {"AdaMix": 0.1, "Only-Public": 0.1, "paragon": 0.1})
    outcomes = curves.REACHES_LIMITS(GROUND)
    assert outcomes.outcome == NOT_TRIED and "gives no ε" in outcomes.because
    assert (
        "AdaMix at ε 100: the budget covers 44,630 steps, but the limit is 5,000"
        in outcomes.because
    )
    assert runs.at_most([(Run("paragon"), Run("AdaMix", 3.0))])(GROUND).outcome == HOLDS


def test_omniglot_has_own_rank_ablations_keep_theirs():
    total = lambda preset, key: dict(runs.specs(Ground(key), Run(preset))[0].params).get("rank")
    assert total("AdaMix", "omniglot-60") == 30 and total("NGD", "omniglot-60") == 0
    assert total("AdaMix", "mnist5k") is None
    assert "P = 9 unless stated (3 and 30 on Omniglot)" in runs.SETTINGS


def test_fully_private_uses_every_available_public_image():
    shots = lambda run: dict(runs.specs(Ground("omniglot-60"), run)[0].params)["shots"]
    assert shots(Run("AdaMix")) == 3
    assert public_sets.share_of(shots(Run("Fully-Private"))) == 1
    first = Run("Fully-Private", params=(("shots", 1),), facts=(curves.FIVE_SHOT_PUBLIC,))
    assert public_sets.share_of(shots(first)) == pytest.approx(1 / 5)
    assert dict(runs.specs(GROUND, Run("Fully-Private"))[0].params)["shots"] == runs.SHOTS


def test_verdict_states_its_learning_rate():
    results = {A: error(0.1), B: error(0.2)}
    assert (
        "All run at η = 0.005; the paper takes the best"
        in runs.less_error_verdict([(A, B)], results).because
    )
    assert "All run at" not in runs.less_error_verdict([(A, B)], results, runs.BEST_RATES).because


def test_full_batch_against_samples_at_one_budget(monkeypatch):
    requests, ahead = [], {}

    def probe(ground, method, budget, rate, seeds):
        requests.append((tuple(seeds), rate))
        best = {"noisy-gd": 6.0, "noisy-sgd": 60.0}[method]
        return error((0.6 if method == "noisy-gd" else 0.6 - ahead["by"]) - 0.2 * (rate != best))

    monkeypatch.setattr(curves, "probe", probe)
    for settings, outcome in ((0.2, HOLDS), (-0.2, DOES_NOT), (0.0, CANNOT_TELL)):
        ahead["by"] = settings
        assert curves.full_beats_sampled(GROUND).outcome == outcome
    assert {rate for seeds, rate in requests if seeds == tuple(range(runs.SEEDS))} == {6.0, 60.0}
    assert max(curves.PROBE_RATES) == 200


def test_settings_are_named_in_words():
    run = runs.Run("NGD", 3.0, (("public_use", "none"), ("sigma", 5.0), ("max_steps", 1000)))
    assert run.words == "NGD at ε 3, no public images, σ 5, up to 1000 steps"


def test_ten_times_as_many_are_compared_everywhere(monkeypatch):
    def wrong(factor):
        return lambda run: 0.2 if run.preset == "Only-Public" else 0.2 * factor

    for factor, outcome in ((1.5, HOLDS), (0.5, DOES_NOT), (1.001, CANNOT_TELL)):
        stand_in(monkeypatch, wrong(factor))
        outcomes = curves.public_is_worth_more(GROUND)
        assert outcomes.outcome == outcome
    first = lambda run: 0.1 if dict(run.facts).get("records") == 20 and run.budget == 3 else 0.3
    stand_in(monkeypatch, lambda run: 0.2 if run.preset == "Only-Public" else first(run))
    assert curves.public_is_worth_more(GROUND).outcome == HOLDS


def test_boost_is_a_ratio_to_the_upper_bound():
    small = [error(0.4), error(0.2), error(0.1)]  # a boost of 3
    even = [error(0.25), error(0.15), error(0.1)]  # 3 again, though it takes off half as much
    fewer = [error(0.16), error(0.14), error(0.1)]  # 1.5
    assert curves.boosts_verdict(small, even).outcome == CANNOT_TELL
    assert curves.boosts_verdict(small, fewer).outcome == HOLDS
    assert curves.boosts_verdict(fewer, small).outcome == DOES_NOT
    at_limit = [error(0.2), error(0.1), error(0.1)]
    assert "is undefined" in curves.boosts_verdict(small, at_limit).because
    assert curves.boosts_verdict(small, at_limit).outcome == CANNOT_TELL


def test_boost_matches_the_chart(monkeypatch):
    from dpviz.plots.adamix import boost

    items = [error(0.4), error(0.2), error(0.1)]
    sample = boost(*items)
    assert np.exp(curves.log_boost(*items).mean) == pytest.approx(sample.value)
    half = curves.difference(interval([0.0]), curves.log_boost(*items))
    assert half.gap == pytest.approx(np.log(sample.value))


def test_better_encoder_is_decided_without_privacy():
    limits, private = (Run("paragon"), Run("paragon", rate=2.0)), [(A, B)]
    clear = {limits[0]: error(0.1), limits[1]: error(0.2), A: error(0.2), B: error(0.3)}
    assert curves.encoders_verdict(limits, private, clear).outcome == HOLDS
    turned = clear | {A: error(0.4)}
    assert curves.encoders_verdict(limits, private, turned).outcome == DOES_NOT
    again = clear | {limits[1]: error(0.1005)}
    outcomes = curves.encoders_verdict(limits, private, again)
    assert outcomes.outcome == CANNOT_TELL and "neither encoder" in outcomes.because


def test_names_are_tested_only_with_text_encoders(monkeypatch):
    outcomes = curves.by_names("none", names_first=True)
    monkeypatch.setattr(curves.availability, "titles", lambda: {"glyphnet": "G"})
    assert outcomes(GROUND).outcome == NOT_TRIED and "clip-b16" in outcomes(GROUND).because
    monkeypatch.setattr(curves.availability, "titles", lambda: {"glyphnet": "G", "clip-b16": "C"})
    monkeypatch.setattr(curves.availability, "reads_names", lambda key: key == "clip-b16")
    stand_in(monkeypatch, lambda run: 0.1 if dict(run.params)["init"] == "class-names" else 0.2)
    assert outcomes(GROUND).outcome == HOLDS and "clip-b16" in outcomes(GROUND).because
    assert curves.by_names("few-shot", names_first=False)(GROUND).outcome == DOES_NOT


# ------------------------------------------------------------------------------------------ records


def seen(**rows):
    return {
        name: records.PresetAttack(error(wrong), area, spread)
        for name, (wrong, area, spread) in rows.items()
    }


def test_order_that_turns_between_error_and_attack_is_seen():
    again = {"AdaMix": (0.1, 0.52, 0.002), "NGD": (0.2, 0.55, 0.002), "PPGD": (0.3, 0.6, 0.002)}
    assert records.order_verdict(seen(**again)).outcome == HOLDS
    assert records.order_verdict(seen(**again | {"PPGD": (0.3, 0.5, 0.002)})).outcome == DOES_NOT
    wide = {name: (wrong, area, 0.1) for name, (wrong, area, _) in again.items()}
    assert records.order_verdict(seen(**wide)).outcome == CANNOT_TELL
    alike = {name: (0.1, area, spread) for name, (_, area, spread) in again.items()}
    assert records.order_verdict(seen(**alike)).outcome == CANNOT_TELL  # of no pair one errs less


def test_best_trade_off_requires_being_undominated():
    best = {"AdaMix": (0.1, 0.52, 0.002), "NGD": (0.2, 0.52, 0.002), "PPGD": (0.1, 0.6, 0.002)}
    assert records.trade_off_verdict(seen(**best)).outcome == HOLDS
    assert records.trade_off_verdict(seen(**best | {"NGD": (0.05, 0.5, 0.002)})).outcome == DOES_NOT
    outcomes = records.trade_off_verdict(seen(**best | {"NGD": (0.05, 0.52, 0.002)}))
    assert outcomes.outcome == CANNOT_TELL and "in error: NGD." in outcomes.because


@pytest.mark.parametrize(
    ("adamix", "single", "outcome"),
    [
        ((0.9, 0.1), (0.5, 0.3), HOLDS),
        ((0.5, 0.1), (0.9, 0.3), DOES_NOT),  # farther from the guarantee
        ((0.9, 0.3), (0.5, 0.1), DOES_NOT),  # and wider apart
        ((0.9, 0.1), (0.9, 0.3), CANNOT_TELL),
    ],
)
def test_losses_are_compared_by_center_and_spread(adamix, single, outcome):
    shares = {
        name: [middle + wiggle + wide * np.linspace(-0.1, 0.1, 21) for wiggle in order]
        for name, (middle, wide), order in (
            ("AdaMix", adamix, WIGGLE),
            ("Fully-Private", single, WIGGLE[[1, 3, 0, 4, 2]]),
        )
    }
    outcomes = records.losses_verdict(shares)
    assert outcomes.outcome == outcome
    assert ("span significantly smaller" in outcomes.because) == (adamix[1] < single[1])


# ------------------------------------------------------------------------------------------- theory


def test_misprint_is_named_once_and_costs_no_verdict():
    outcomes = exact.printed_rho(), exact.composed_rho(), exact.same_ratio()
    assert [first.outcome for first in outcomes] == [HOLDS] * 3
    assert ["T²" in first.because for first in outcomes] == [True, False, False]
    assert "14 steps in place of 206" in outcomes[0].because
    assert exact.rho_of_epsilon().outcome == HOLDS


def test_gaussian_analysis_is_tight_looser_one_is_not():
    assert exact.tight().outcome == HOLDS
    assert exact.tightness_verdict([(1.0, 1.1e-5, 1e-5)], 206).outcome == DOES_NOT
    assert exact.printed_delta(1.0, 1.0) == pytest.approx(0.126936737507, rel=1e-9)
    assert exact.least_delta(1.0, 1.0) == pytest.approx(0.126936737507, rel=1e-5)


def test_third_theorem_fails_only_under_both_readings():
    problem = numerical_convergence.Problem()
    right = numerical_convergence.ConvergenceCheck(0.0, 0.0, 1.0, 1.0)
    bound = 0.3475
    for excess, outcome in ((0.8, DOES_NOT), (0.45, CANNOT_TELL), (0.3, HOLDS)):
        printed = numerical_convergence.ConvergenceCheck(excess, 0.001, 0.1, bound)
        assert exact.third_theorem_verdict(problem, printed, right).outcome == outcome
    noisy = dataclasses.replace(printed, excess=0.8, error=0.2)
    assert exact.third_theorem_verdict(problem, noisy, right).outcome == HOLDS


def test_bound_at_chance_level_is_vacuous():
    rows_over = [0.1, 0.11, 0.09, 0.1, 0.1]
    assert exact.bound_on_data_verdict(rows_over, 0.5, 2.0, "x").outcome == HOLDS
    outcomes = exact.bound_on_data_verdict(rows_over, 5.0, 2.0, "x")
    assert outcomes.outcome == VACUOUS and "is vacuous" in outcomes.because
    assert exact.bound_on_data_verdict(rows_over, 0.05, 2.0, "x").outcome == DOES_NOT
    assert exact.bound_on_data_verdict(rows_over, 0.1, 2.0, "x").outcome == CANNOT_TELL


def test_claims_without_numbers_have_a_row():
    keys = {claim.key for claim in claims("mixed")}
    names = (
        *("tight", "rho", "ratio", "full-batch", "f1-ends", "f1-trade", "f2-best", "f2-gone"),
        *("f3-limit", "f4-above-names", "f4-prototypes", "tails"),
    )
    assert {f"mixed-{name}" for name in names} <= keys
