"""Plain sentences: whole numbers out of the numbers shown, no symbol, noise told as noise."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from dpviz.run import tuning
from dpviz.run.tuning_again import Merit
from dpviz.stats import interval
from dpviz.types import Budget, Guarantee
from dpviz.views import tuning_in_plain_words, whole_numbers

ONE = Guarantee("pure", 1.0, 1e-5, "add or remove one record", "", 1.0, 0.5, "")


def signs(sentence):
    """What a reader who knows no statistics could not read aloud."""
    return [sign for sign in "εδρσμ±βτ≤≥=%" if sign in sentence]


def test_whole_numbers_keep_all_and_nothing_for_what_is_exactly_so():
    said = [whole_numbers.hundredths(x) for x in (0.0, 0.001, 0.705, 0.999, 1.0)]
    assert said == [0, 1, 71, 99, 100]
    assert [whole_numbers.at_most(x) for x in (0.554, 0.7, 0.9999, 1.0)] == [
        "56",
        "70",
        "more than 99",
        "100",
    ]
    assert "at most **74 times in 100**" in whole_numbers.guess([ONE])


@pytest.fixture
def study():
    search = tuning.Search("own.npz", None, method="dppl-mean", budget=Budget(1.0), trials=20)
    trials = (tuning.Trial({"clip": 1.0}, 0.78, ONE),) * 20
    costs = tuning.Costs(1.0, 9.4, {"geometric": 3.0}, 20.0, "", False)
    return tuning.Tuned(search, trials, costs, SimpleNamespace())


def test_the_best_of_many_tries_is_told_with_its_luck_and_its_price(study):
    about = [interval([mean - 0.01, mean, mean + 0.01]) for mean in (0.63, 0.70)]
    told = tuning_in_plain_words.sentence(study, Merit(0.78, *about, -1))
    assert "best of 20 tries" in told and "**78 times in 100**" in told
    assert "20" in told and "**63**: the best was partly luck" in told and "more: **70**" in told
    assert "at most **74 times in 100**" in told and "all of them, **more than 99**" in told
    assert not signs(told)
    even = tuning_in_plain_words.sentence(study, Merit(0.63, *about, 0))
    assert "cannot be told apart" in even and "luck" not in even
    secret = replace(study, search=replace(study.search, count="geometric"))
    secret = replace(secret, costs=replace(study.costs, holds=True))
    assert "a secret number of tries" in tuning_in_plain_words.sentence(secret, None)
    assert "nothing to show" in tuning_in_plain_words.sentence(replace(study, trials=()), None)
