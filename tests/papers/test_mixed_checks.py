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
    by = wrong if callable(wrong) else lambda run: wrong[run.preset]

    def found(ground, wanted, seeds=range(5)):
        return {run: error(by(run)) for run in wanted}

    for module in (runs, curves, records):
        monkeypatch.setattr(module, "errors", found)


@pytest.mark.parametrize(
    ("first", "second", "spread", "outcome"),
    [
        (0.1, 0.2, 1, HOLDS),
        (0.2, 0.1, 1, DOES_NOT),
        (0.1, 0.101, 1, CANNOT_TELL),
        (0.1, 0.2, 100, CANNOT_TELL),
    ],
)
def test_less_is_told_from_more_and_from_noise(first, second, spread, outcome):
    found = {A: error(first, spread), B: error(second, spread)}
    assert runs.less_error_verdict([(A, B)], found).outcome == outcome


def test_one_comparison_the_other_way_round_is_enough_against_a_claim():
    found = {A: error(0.1), B: error(0.2), C: error(0.05)}
    assert runs.less_error_verdict([(A, B), (A, C)], found).outcome == DOES_NOT
    noise = found | {C: error(0.1005)}
    assert runs.less_error_verdict([(A, B), (A, C)], noise).outcome == CANNOT_TELL


@pytest.mark.parametrize(
    ("more", "spread", "outcome"),
    [
        (0.01, 1, HOLDS),  # clearly more, and little
        (-0.2, 1, HOLDS),
        (0.06, 1, DOES_NOT),
        (0.03, 1, CANNOT_TELL),
        (0.01, 30, CANNOT_TELL),
    ],
)
def test_a_margin_decides_what_is_nearly_equal(more, spread, outcome):
    found = {A: error(0.3, spread), B: error(0.3 + more, spread)}
    assert runs.at_most_verdict([(A, B)], found).outcome == outcome


def test_a_margin_is_no_larger_than_the_error_can_fall():
    A_, B_ = error(0.03), error(0.045)
    assert runs.at_most_verdict([(A, B)], {A: A_, B: B_}).outcome == DOES_NOT
    assert runs.at_most_verdict([(A, B)], {A: A_, B: error(0.032, 0.1)}).outcome == HOLDS
    nothing = error(0.0, 0)
    assert runs.at_most_verdict([(A, B)], {A: nothing, B: nothing}).outcome == CANNOT_TELL


def test_a_verdict_names_among_how_many_it_is_told_and_the_digit_on_which_it_hangs():
    found = {A: error(0.1), B: error(0.2), C: error(0.3)}
    assert "(told among 2, Holm)" in runs.less_error_verdict([(A, B), (A, C)], found).because
    assert "told among" not in runs.less_error_verdict([(A, B)], found).because


def test_ppgd_that_improves_little_holds_though_the_difference_is_clear(monkeypatch):
    for gained, outcome in ((0.01, HOLDS), (0.1, DOES_NOT), (-0.1, HOLDS)):
        stand_in(monkeypatch, {"PPGD": 0.3 - gained, "Only-Public": 0.3})
        assert curves.NO_BETTER_THAN_PUBLIC(GROUND).outcome == outcome


def test_each_side_has_the_best_rate_on_the_other_data_set(monkeypatch):
    asked = []

    def found(ground, wanted, seeds=range(5)):
        wanted = list(wanted)
        asked.append((ground.dataset, set(seeds), {run.rate for run in wanted}))
        right = {"AdaMix": 1.0, "NGD": 0.1}
        return {run: error(0.1 + 0.1 * (run.rate != right[run.preset])) for run in wanted}

    monkeypatch.setattr(runs, "errors", found)
    told = runs.less_error([(A, B)], rated=True)(GROUND)
    assert told.outcome == CANNOT_TELL  # at a shared rate one of them would seem to win
    chosen = ("clothes", set(runs.CHOOSING), set(runs.RATES))
    assert asked == [chosen, ("mnist5k", set(range(5)), {1.0, 0.1})]
    assert "0.0005, 0.001, 0.0025, 0.005 on the data set clothes" in told.because
    assert Run("NGD", rate=0.1).words == "NGD at ε 3, η = 0.0005"


def test_limit_at_large_budget_is_not_tried_with_fewer_steps(monkeypatch):
    stand_in(monkeypatch, {"AdaMix": 0.1, "Only-Public": 0.1, "paragon": 0.1})
    told = curves.ENDS(GROUND)
    assert told.outcome == NOT_TRIED and "gives no ε" in told.because
    assert "AdaMix at ε 100: the budget pays for 44,630 steps; the ceiling is 5,000" in told.because
    assert runs.at_most([(Run("paragon"), Run("AdaMix", 3.0))])(GROUND).outcome == HOLDS


def test_omniglot_has_a_rank_of_its_own_and_ablations_keep_theirs():
    of = lambda preset, key: dict(runs.specs(Ground(key), Run(preset))[0].params).get("rank")
    assert of("AdaMix", "omniglot-60") == 30 and of("NGD", "omniglot-60") == 0
    assert of("AdaMix", "mnist5k") is None
    assert "P = 9 unless stated (3 and 30 on Omniglot)" in runs.SETTINGS


def test_fully_private_trains_on_every_public_image_that_others_may_use():
    shots = lambda run: dict(runs.specs(Ground("omniglot-60"), run)[0].params)["shots"]
    assert shots(Run("AdaMix")) == 3
    assert public_sets.share_of(shots(Run("Fully-Private"))) == 1
    one = Run("Fully-Private", params=(("shots", 1),), facts=(curves.FIVE_SHOT_PUBLIC,))
    assert public_sets.share_of(shots(one)) == pytest.approx(1 / 5)
    assert dict(runs.specs(GROUND, Run("Fully-Private"))[0].params)["shots"] == runs.SHOTS


def test_a_verdict_says_which_learning_rate_it_has():
    found = {A: error(0.1), B: error(0.2)}
    assert (
        "All run at η = 0.005; the paper takes the best"
        in runs.less_error_verdict([(A, B)], found).because
    )
    assert "All run at" not in runs.less_error_verdict([(A, B)], found, runs.BEST_RATES).because


def test_all_records_against_samples_at_one_promise_each_at_its_best_rate(monkeypatch):
    asked, ahead = [], {}

    def probe(ground, method, budget, rate, seeds):
        asked.append((tuple(seeds), rate))
        best = {"noisy-gd": 6.0, "noisy-sgd": 60.0}[method]
        return error((0.6 if method == "noisy-gd" else 0.6 - ahead["by"]) - 0.2 * (rate != best))

    monkeypatch.setattr(curves, "probe", probe)
    for by, outcome in ((0.2, HOLDS), (-0.2, DOES_NOT), (0.0, CANNOT_TELL)):
        ahead["by"] = by
        assert curves.full_beats_sampled(GROUND).outcome == outcome
    assert {rate for seeds, rate in asked if seeds == tuple(range(runs.SEEDS))} == {6.0, 60.0}
    assert max(curves.PROBE_RATES) == 200


def test_settings_are_told_in_words():
    run = runs.Run("NGD", 3.0, (("public_use", "none"), ("sigma", 5.0), ("max_steps", 1000)))
    assert run.words == "NGD at ε 3, no public pictures, σ 5, up to 1000 steps"


def test_ten_times_as_many_are_looked_for_everywhere(monkeypatch):
    def wrong(factor):
        return lambda run: 0.2 if run.preset == "Only-Public" else 0.2 * factor

    for factor, outcome in ((1.5, HOLDS), (0.5, DOES_NOT), (1.001, CANNOT_TELL)):
        stand_in(monkeypatch, wrong(factor))
        told = curves.public_is_worth_more(GROUND)
        assert told.outcome == outcome
    one = lambda run: 0.1 if dict(run.facts).get("records") == 20 and run.budget == 3 else 0.3
    stand_in(monkeypatch, lambda run: 0.2 if run.preset == "Only-Public" else one(run))
    assert curves.public_is_worth_more(GROUND).outcome == HOLDS


def test_a_boost_is_a_ratio_to_the_paragon():
    few = [error(0.4), error(0.2), error(0.1)]  # a boost of 3
    even = [error(0.25), error(0.15), error(0.1)]  # 3 again, though it takes off half as much
    less = [error(0.16), error(0.14), error(0.1)]  # 1.5
    assert curves.boosts_verdict(few, even).outcome == CANNOT_TELL
    assert curves.boosts_verdict(few, less).outcome == HOLDS
    assert curves.boosts_verdict(less, few).outcome == DOES_NOT
    at_limit = [error(0.2), error(0.1), error(0.1)]
    assert "division by nothing" in curves.boosts_verdict(few, at_limit).because
    assert curves.boosts_verdict(few, at_limit).outcome == CANNOT_TELL


def test_the_boost_is_the_charts(monkeypatch):
    from dpviz.plots.adamix import boost

    some = [error(0.4), error(0.2), error(0.1)]
    drawn = boost(*some)
    assert np.exp(curves.log_boost(*some).mean) == pytest.approx(drawn.value)
    half = curves.difference(interval([0.0]), curves.log_boost(*some))
    assert half.apart == pytest.approx(np.log(drawn.value))


def test_which_encoder_is_better_is_told_without_privacy():
    limits, private = (Run("paragon"), Run("paragon", rate=2.0)), [(A, B)]
    clear = {limits[0]: error(0.1), limits[1]: error(0.2), A: error(0.2), B: error(0.3)}
    assert curves.encoders_verdict(limits, private, clear).outcome == HOLDS
    turned = clear | {A: error(0.4)}
    assert curves.encoders_verdict(limits, private, turned).outcome == DOES_NOT
    same = clear | {limits[1]: error(0.1005)}
    told = curves.encoders_verdict(limits, private, same)
    assert told.outcome == CANNOT_TELL and "neither encoder" in told.because


def test_names_are_tried_where_an_encoder_reads_them_and_nothing_else_is(monkeypatch):
    told = curves.by_names("none", names_first=True)
    monkeypatch.setattr(curves.availability, "titles", lambda: {"glyphnet": "G"})
    assert told(GROUND).outcome == NOT_TRIED and "clip-b16" in told(GROUND).because
    monkeypatch.setattr(curves.availability, "titles", lambda: {"glyphnet": "G", "clip-b16": "C"})
    monkeypatch.setattr(curves.availability, "reads_names", lambda key: key == "clip-b16")
    stand_in(monkeypatch, lambda run: 0.1 if dict(run.params)["init"] == "class-names" else 0.2)
    assert told(GROUND).outcome == HOLDS and "clip-b16" in told(GROUND).because
    assert curves.by_names("few-shot", names_first=False)(GROUND).outcome == DOES_NOT


# ------------------------------------------------------------------------------------------ records


def seen(**rows):
    return {
        name: records.PresetAttack(error(wrong), area, spread)
        for name, (wrong, area, spread) in rows.items()
    }


def test_an_order_that_turns_between_error_and_attack_is_told():
    same = {"AdaMix": (0.1, 0.52, 0.002), "NGD": (0.2, 0.55, 0.002), "PPGD": (0.3, 0.6, 0.002)}
    assert records.order_verdict(seen(**same)).outcome == HOLDS
    assert records.order_verdict(seen(**same | {"PPGD": (0.3, 0.5, 0.002)})).outcome == DOES_NOT
    wide = {name: (wrong, area, 0.1) for name, (wrong, area, _) in same.items()}
    assert records.order_verdict(seen(**wide)).outcome == CANNOT_TELL
    alike = {name: (0.1, area, spread) for name, (_, area, spread) in same.items()}
    assert records.order_verdict(seen(**alike)).outcome == CANNOT_TELL  # of no pair one errs less


def test_a_trade_off_is_best_where_no_other_is_better_in_one():
    best = {"AdaMix": (0.1, 0.52, 0.002), "NGD": (0.2, 0.52, 0.002), "PPGD": (0.1, 0.6, 0.002)}
    assert records.trade_off_verdict(seen(**best)).outcome == HOLDS
    assert records.trade_off_verdict(seen(**best | {"NGD": (0.05, 0.5, 0.002)})).outcome == DOES_NOT
    told = records.trade_off_verdict(seen(**best | {"NGD": (0.05, 0.52, 0.002)}))
    assert told.outcome == CANNOT_TELL and "in error: NGD." in told.because


@pytest.mark.parametrize(
    ("adamix", "alone", "outcome"),
    [
        ((0.9, 0.1), (0.5, 0.3), HOLDS),
        ((0.5, 0.1), (0.9, 0.3), DOES_NOT),  # farther from the guarantee
        ((0.9, 0.3), (0.5, 0.1), DOES_NOT),  # and wider apart
        ((0.9, 0.1), (0.9, 0.3), CANNOT_TELL),
    ],
)
def test_losses_are_nearer_and_more_alike(adamix, alone, outcome):
    shares = {
        name: [middle + wiggle + wide * np.linspace(-0.1, 0.1, 21) for wiggle in order]
        for name, (middle, wide), order in (
            ("AdaMix", adamix, WIGGLE),
            ("Fully-Private", alone, WIGGLE[[1, 3, 0, 4, 2]]),
        )
    }
    told = records.losses_verdict(shares)
    assert told.outcome == outcome
    assert ("span significantly smaller" in told.because) == (adamix[1] < alone[1])


# ------------------------------------------------------------------------------------------- theory


def test_the_misprint_is_told_once_and_costs_no_verdict():
    told = exact.printed_rho(), exact.composed_rho(), exact.same_ratio()
    assert [one.outcome for one in told] == [HOLDS] * 3
    assert ["T²" in one.because for one in told] == [True, False, False]
    assert "14 steps in place of 206" in told[0].because
    assert exact.rho_of_epsilon().outcome == HOLDS


def test_the_gaussian_analysis_is_tight_and_a_looser_one_is_not():
    assert exact.tight().outcome == HOLDS
    assert exact.tightness_verdict([(1.0, 1.1e-5, 1e-5)], 206).outcome == DOES_NOT
    assert exact.printed_delta(1.0, 1.0) == pytest.approx(0.126936737507, rel=1e-9)
    assert exact.least_delta(1.0, 1.0) == pytest.approx(0.126936737507, rel=1e-5)


def test_the_third_theorem_fails_only_where_both_readings_of_it_do():
    problem = numerical_convergence.Problem()
    right = numerical_convergence.ConvergenceCheck(0.0, 0.0, 1.0, 1.0)
    bound = 0.3475
    for excess, outcome in ((0.8, DOES_NOT), (0.45, CANNOT_TELL), (0.3, HOLDS)):
        printed = numerical_convergence.ConvergenceCheck(excess, 0.001, 0.1, bound)
        assert exact.third_theorem_verdict(problem, printed, right).outcome == outcome
    noisy = dataclasses.replace(printed, excess=0.8, error=0.2)
    assert exact.third_theorem_verdict(problem, noisy, right).outcome == HOLDS


def test_a_bound_that_allows_what_guessing_loses_says_nothing():
    over = [0.1, 0.11, 0.09, 0.1, 0.1]
    assert exact.bound_on_data_verdict(over, 0.5, 2.0, "x").outcome == HOLDS
    told = exact.bound_on_data_verdict(over, 5.0, 2.0, "x")
    assert told.outcome == VACUOUS and "says nothing" in told.because
    assert exact.bound_on_data_verdict(over, 0.05, 2.0, "x").outcome == DOES_NOT
    assert exact.bound_on_data_verdict(over, 0.1, 2.0, "x").outcome == CANNOT_TELL


def test_claims_without_a_number_have_their_row():
    keys = {claim.key for claim in claims("mixed")}
    named = (
        *("tight", "rho", "ratio", "full-batch", "f1-ends", "f1-trade", "f2-best", "f2-gone"),
        *("f3-limit", "f4-above-names", "f4-prototypes", "tails"),
    )
    assert {f"mixed-{name}" for name in named} <= keys
