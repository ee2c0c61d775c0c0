"""Plain sentences: whole numbers out of the numbers shown, no symbol, noise told as noise."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from dpviz import privacy
from dpviz.run import tuning
from dpviz.run.tuning_again import Merit
from dpviz.stats import interval
from dpviz.text import mixed_privacy as mixed_text
from dpviz.text import neural_collapse as collapse_text
from dpviz.text import teachers_vote as teachers_text
from dpviz.types import Budget, Guarantee
from dpviz.views import (
    attackers_view_page,
    data_page,
    mixed_privacy_page,
    neural_collapse_page,
    phrases,
    teachers_vote_page,
    tuning_page,
    who_pays_page,
)

ONE = Guarantee("pure", 1.0, 1e-5, "add or remove one record", "", 1.0, 0.5, "")


def signs(sentence):
    """What a reader who knows no statistics could not read aloud."""
    return [sign for sign in "εδρσμ±βτ≤≥=%" if sign in sentence]


def test_natural_frequencies_reserve_0_and_100_for_exact():
    said = [phrases.hundredths(x) for x in (0.0, 0.001, 0.705, 0.999, 1.0)]
    assert said == [0, 1, 71, 99, 100]
    said = [phrases.out_of_100(x) for x in (0.0, 0.001, 0.006, 0.705)]
    assert said == ["0", "less than 1", "1", "71"], "0.1% is not said as 1 in 100"
    assert [phrases.upper_bound_text(x) for x in (0.554, 0.7, 0.9999, 1.0)] == [
        "56",
        "70",
        "more than 99",
        "100",
    ]
    assert "at most **74 times in 100**" in phrases.guess([ONE])
    instead = replace(ONE, adjacency=privacy.REPLACE_IN_CLASS)
    assert "used and not another of its class is right" in phrases.guess([instead])
    both = phrases.guess([ONE, instead])
    assert "was used (or, after another method here, whether your picture was used and not" in both
    assert phrases.times(0.001) == "**less than once in 100**"
    assert phrases.limit(0.9999) == "may be right **nearly every time**"


@pytest.fixture
def study():
    search = tuning.Search("own.npz", None, method="dppl-mean", budget=Budget(1.0), trials=20)
    trials = (tuning.Trial({"clip": 1.0}, 0.78, ONE),) * 20
    costs = tuning.Costs(1.0, 9.4, {"geometric": 3.0}, 20.0, "", False)
    return tuning.Tuned(search, trials, costs, SimpleNamespace())


def test_best_of_many_states_variation_and_cost(study):
    means = about(0.63, 0.70)
    told = tuning_page.sentence(study, Merit(0.78, *means, -1))
    assert "best of 20 tries" in told and "**78 times in 100**" in told
    assert "20" in told and "**63**: the best was partly luck" in told and "more: **70**" in told
    assert "at most **74 times in 100**" in told and "all of them, **nearly every time**" in told
    assert not signs(told)
    even = tuning_page.sentence(study, Merit(0.63, *means, 0))
    assert "cannot be told apart" in even and "luck" not in even
    above = tuning_page.sentence(study, Merit(0.78, *reversed(means), 1))
    assert "usual settings' **63**, on the test pictures that the search chose by" in above
    secret = replace(study, search=replace(study.search, count="geometric"))
    secret = replace(secret, costs=replace(study.costs, holds=True))
    assert "a secret number of tries" in tuning_page.sentence(secret, None)
    assert "nothing to show" in tuning_page.sentence(replace(study, trials=()), None)


def test_showing_all_trials_uses_tightest_composition(study):
    pick = replace(ONE, rho=0.1233, bounded_range=True)
    tried = replace(study, trials=tuple(replace(t, guarantee=pick) for t in study.trials))
    told = tuning_page.sentence(tried, None)
    assert "at most **63 times in 100**" in told
    after = int(told.split("all of them, **")[1].split("**")[0])
    assert 85 < after <= 98, "2.466-zCDP, where 9.4-DP alone allows more than 99"


OF = SimpleNamespace(unit="picture")


def about(*means):
    return [interval([mean - 0.01, mean, mean + 0.01]) for mean in means]


def attack(average, best, unsure=0.01):
    informed = lambda right: SimpleNamespace(right=right, unsure=unsure)
    return SimpleNamespace(everyone=informed(average), easiest=informed(best))


def test_weak_average_attack_is_described_with_exposed_records():
    tell = lambda noisy, quiet, prior=0.5: attackers_view_page.loss_attack_answer(
        [ONE], OF, prior, "DPPL-Mean", noisy, quiet
    )
    told = tell(attack(0.5, 0.56), attack(0.54, 0.92))
    assert (
        "at most **74 times in 100**" in told
        and "its average over all, 54 in 100, hides them" in told
    )
    assert "**92 times in 100** about the one picture in 20" in told and not signs(told)
    assert told.endswith("works best on then, the same attack is right **56 times in 100**.")
    assert "and 54 in 100 on average over all" in tell(None, attack(0.54, 0.56)), (
        "luck may hide nobody"
    )
    assert attackers_view_page.CHANCE_TEXT in tell(attack(0.5, 0.56, 0.1), attack(0.54, 0.92))
    assert "an average" in tell(attack(0.5, 0.5), SimpleNamespace(everyone=None, easiest=None))
    assert "10 in 100 likely beforehand" in tell(None, None, 0.1)


def test_spending_sentence_states_median_loss_and_recognition():
    rare = np.arange(10) < 3
    share, right = np.where(rare, 0.8, 0.3), np.where(rare, 0.5, 1.0)
    run = who_pays_page.Spending("AdaMix", share, rare, right)
    told = who_pays_page.sentence([run, replace(run, title="B")], [ONE] * 2, OF)
    assert "a rare class gives away **80** of these 100" in told and "others **30**" in told
    assert "with B, **80** and **30**" in told and not signs(told)
    assert "With AdaMix the rare ones pay more and get less: it recognises 50 in 100" in told
    alike = replace(run, rare=np.zeros(10, bool))
    assert "get less" not in who_pays_page.sentence([alike], [ONE], OF)


@pytest.mark.parametrize(
    ("sign", "case"), [(1, "helps"), (-1, "hurts"), (0, "level"), (None, "alone")]
)
def test_mixed_sentence_states_whether_private_images_help(sign, case):
    lead, only = about(0.21, 0.3)
    quiet = interval([0.05], noisy=False)
    errors = {"AdaMix": lead, "Only-Public": only, "paragon": quiet}
    told = mixed_privacy_page.answer(errors, "AdaMix", sign, "", "ε = 1", False)
    expected = mixed_text.ANSWERS[case].at(False, lead="AdaMix", error=lead, public=only)
    assert told == expected and "**21%**" in told and ("**30%**" in told) == (case != "alone")
    tiles = mixed_privacy_page.tiles(errors, "AdaMix", 2, "balanced", None, [ONE])
    assert [tile.value for tile in tiles] == ["21%", "30%", mixed_text.PENDING, "74%"]
    assert tiles[0].note == "+16 points vs. no privacy" and tiles[1].note == "2 per class"


def test_collapse_sentence_states_accuracy_loss():
    cost = lambda spread, lost: neural_collapse_page.Cost(f"S{spread}", spread, about(lost)[0])
    told = lambda costs: neural_collapse_page.answer(costs, "ε = 1", False)
    answers = collapse_text.ANSWERS
    few = told([cost(0.4, 0.12)])
    assert few == answers["one"].at(False, name="S0.4", change=-0.12)
    assert "−12\u00a0points" in few
    every = [cost(0.1, 0.02), cost(0.2, 0.2), cost(0.3, 0.5)]
    ends = {"tight": "S0.1", "tight_change": -0.02, "wide": "S0.3", "wide_change": -0.5}
    assert told(every) == answers["ordered"].at(False, **ends)
    turned = [replace(one, nc1=1 - one.nc1) for one in every]
    ends = {"tight": "S0.3", "tight_change": -0.5, "wide": "S0.1", "wide_change": -0.02}
    assert told(turned) == answers["unordered"].at(False, **ends)
    assert told([cost(0.1, 0.001)]) == answers["one-level"].at(False, name="S0.1")
    assert told([cost(0.1, 0.001), cost(0.3, 0.5)]) == answers["clear"].at(
        False, name="S0.3", change=-0.5, other="S0.1"
    )


def test_vote_and_data_sentences_use_whole_numbers():
    outcome = teachers_vote_page.VoteOutcome(100, 20.2, 100, 39, 32, 39, 0.71, 95, 80.0)
    told = teachers_vote_page.answer(outcome, ONE, False)
    assert told == teachers_text.ANSWERS["known"].at(False, answered=0.39, right=32 / 39)
    tiles = teachers_vote_page.tiles(outcome, ONE, None)
    assert [tile.value for tile in tiles] == ["39 of 100", "71%", "74%", teachers_text.PENDING]
    assert tiles[0].note == "32 correct" and tiles[1].note == "20 private images each"
    data = data_page.sentence("MNIST", (40, 400), (10, 10), "GlyphNet", True)
    assert "**440** pictures" in data and "from 40 to 400 of each" in data and not signs(data)
