"""Answer, tiles and finding of Tuning agree with the study."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from dpviz.experiments import tuning as runs
from dpviz.experiments.tuning_again import Merit
from dpviz.stats import interval
from dpviz.text import tuning
from dpviz.types import Budget, Guarantee
from dpviz.types.guarantee import Sampled
from dpviz.views import tuning_page

ONE = Guarantee("pure", 1.0, 1e-5, "add or remove one record", "", 1.0, 0.5, "")


def about(*means):
    return [interval([mean - 0.01, mean, mean + 0.01]) for mean in means]


@pytest.fixture
def study():
    search = runs.Search("own.npz", None, method="dppl-mean", budget=Budget(1.0), trials=20)
    trials = (runs.Trial({"clip": 1.0}, 0.78, ONE),) * 20
    costs = runs.Costs(1.0, 9.4, {"geometric": 3.0}, 20.0, "", False)
    return runs.Tuned(search, trials, costs, SimpleNamespace())


def test_best_of_many_states_variation_and_cost(study):
    means = about(0.63, 0.70)
    merit = Merit(0.78, *means, -1)
    precise, plain = tuning_page.answers(study, merit)
    assert "ε = **9.4**" in precise.replace("\u00a0", " ") and "**63% (" in precise
    assert "20 settings" in plain and "instead of **73.2%**" in plain and "ε" not in plain
    assert "clearly worse than the default" in plain
    alone = tuning_page.answers(replace(study, trials=study.trials[:1]), merit)
    assert "all trials (1) costs" in alone[0] and "After trying 1 setting," in alone[1]
    assert tuning_page.chart_title(study, merit).endswith("costs privacy and loses accuracy")
    winner, default, guess = tuning_page.tiles(study, merit, None, False)
    assert winner.note.replace("\u00a0", " ") == "mean of 3 new runs"
    assert "78%" in tuning_page.tiles(study, merit, None, True)[0].note
    assert default.note == tuning.DIFFERENCES[-1].fill(False)
    assert guess.value == "more than 99.9%" and guess.note == "one trial: 73.2%"
    assert "the same as all trials" in tuning_page.winner_cost(study)
    even = Merit(0.63, *means, 0)
    assert tuning_page.tiles(study, even, None, True)[1].note == tuning.DIFFERENCES[0].fill(True)
    assert tuning_page.chart_title(study, even).startswith("The first of 20 trials, with def")
    other = replace(study, trials=(runs.Trial({"clip": 0.5}, 0.78, ONE), *study.trials[1:]))
    assert tuning_page.chart_title(other, even).startswith("The first of 20 trials stays")
    late = replace(study, trials=(runs.Trial({"clip": 1.0}, 0.5, ONE), *study.trials[1:]))
    assert tuning_page.chart_title(late, even).endswith("gains no clear accuracy")
    above = Merit(0.78, *reversed(means), 1)
    assert tuning_page.tiles(study, above, None, False)[1].note == tuning.DIFFERENCES[1].fill(False)
    secret = replace(study, search=replace(study.search, count="geometric"))
    secret = replace(secret, costs=replace(study.costs, holds=True))
    assert "a secret number of trials" in tuning_page.answers(secret, None)[0]
    assert "20" not in "".join(tuning_page.answers(secret, None))
    assert "20" not in tuning_page.chart_title(secret, even)
    assert "ε = 3." in tuning_page.chart_subtitle(study, True).replace("\u00a0", " ")
    assert not tuning_page.chart_subtitle(secret, True)
    assert "nothing to show" in tuning_page.answers(replace(study, trials=()), None)[1]


def test_showing_all_trials_uses_tightest_composition(study):
    pick = replace(ONE, rho=0.1233, bounded_range=True)
    tried = replace(study, trials=tuple(replace(t, guarantee=pick) for t in study.trials))
    assert "62.3%" in tuning_page.tiles(tried, None, None, False)[2].note
    after = tuning_page.guess_after(tried, pick)
    assert 0.85 < after <= 0.98, "2.466-zCDP, where 9.4-DP alone allows more than 99%"


def test_sampled_releases_of_one_trial_do_not_bound_all(study):
    one = replace(ONE, notion="approx", sampled=Sampled(0.25, 0.1, 100))
    tried = replace(study, trials=tuple(replace(t, guarantee=one) for t in study.trials))
    assert tuning_page.guess_after(tried, one) > 0.9
    assert tuning_page.tiles(tried, None, None, False)[2].runs.startswith("(ε, δ)-DP")


def test_cost_of_all_trials_names_counted_runs(study, monkeypatch):
    monkeypatch.setattr(tuning_page.tuning_again, "cost", lambda study: 24.6)
    first, both = tuning_page.all_rows(study)
    assert first == ("20 trials", "ε = 9.4 at δ = 1e-5")
    assert both == ("Trials and 40 fresh runs", "ε = 24.6 at δ = 1e-5")
    secret = replace(study, costs=replace(study.costs, holds=True))
    assert len(tuning_page.all_rows(secret)) == 1
