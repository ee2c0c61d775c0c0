"""Plain sentences: whole numbers out of the numbers shown, no symbol, noise told as noise."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from dpviz import privacy
from dpviz.stats import interval
from dpviz.types import Guarantee
from dpviz.views import (
    attackers_view_page,
    data_page,
    mixed_privacy_page,
    neural_collapse_page,
    phrases,
    teachers_vote_page,
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
    ("sign", "says"), [(1, "help"), (-1, "more harm"), (0, "luck alone"), (None, "no noise")]
)
def test_mixed_sentence_states_whether_private_images_help(sign, says):
    lead, only = about(0.21, 0.3)
    quiet = interval([0.05], noisy=False)
    errors = {"AdaMix": lead, "Only-Public": only, "paragon": quiet}
    told = mixed_privacy_page.sentence(errors, "AdaMix", sign, None, 2, "balanced", [ONE])
    assert "2 public examples of each class" in told and "**21 times in 100**" in told
    assert says in told and "no noise at all, **5**" in told and not signs(told)


def test_collapse_sentence_states_accuracy_loss():
    cost = lambda spread, lost: neural_collapse_page.Cost(f"S{spread}", spread, about(lost)[0])
    few = neural_collapse_page.sentence([cost(0.4, 0.12)], [ONE])
    assert "**12** with the features S0.4" in few and "too few to test" in few and not signs(few)
    every = [cost(0.1, 0.02), cost(0.2, 0.2), cost(0.3, 0.5)]
    assert "so it is here" in neural_collapse_page.sentence(every, [ONE])
    turned = [replace(one, spread=1 - one.spread) for one in every]
    assert "does not hold" in neural_collapse_page.sentence(turned, [ONE])
    assert "none that luck" in neural_collapse_page.sentence([cost(0.1, 0.001)], [ONE])


def test_vote_and_data_sentences_use_whole_numbers():
    told = teachers_vote_page.sentence(
        teachers_vote_page.VoteOutcome(100, 20.2, 100, 39, 32, 39, 0.71), ONE
    )
    assert "**39 of 100** get an answer, **32** of them the right one" in told
    assert "right 71 times in 100" in told and not signs(told)
    assert told.endswith(
        "That counts all 100 as answered: how many get an answer depends on private pictures."
    )
    private, *_ = data_page.tiles((40, 400), (10, 10))
    assert private.value == "440" and private.note == "40 to 400 each"
    assert not signs(data_page.answer("MNIST", "ready", "GlyphNet", precise=False))
