"""Plain sentences: whole numbers out of the numbers shown, no symbol, noise told as noise."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from dpviz import privacy
from dpviz.stats import interval
from dpviz.text import method_tiles
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
    assert "at most **73.2%** of the time" in phrases.guess([ONE])
    instead = replace(ONE, adjacency=privacy.REPLACE_IN_CLASS)
    assert "your image or another image of its class was used" in phrases.guess([instead])
    assert phrases.times(0.001) == "**less than once in 100**"


OF = SimpleNamespace(unit="picture")


def about(*means):
    return [interval([mean - 0.01, mean, mean + 0.01]) for mean in means]


def attack(average, best, unsure=0.01):
    informed = lambda right: SimpleNamespace(right=right, unsure=unsure)
    return SimpleNamespace(everyone=informed(average), easiest=informed(best))


def test_attack_answer_states_the_limit_and_the_most_exposed():
    def tell(quiet, prior=0.5, unit="picture", guarantee=ONE):
        limit = attackers_view_page.weakest({"DPPL-Mean": guarantee}, prior)
        return attackers_view_page.loss_answer(False, limit, quiet, Budget(1.0), unit)

    quiet = attack(0.54, 0.92)
    assert tell(quiet).startswith("At ε\u00a0=\u00a01, ")
    assert "With DPPL" in tell(None) and "at most **73.2%** of the time" in tell(quiet)
    assert "Without noise: **92%** for the most exposed." in tell(quiet)
    assert not [sign for sign in signs(tell(quiet)) if sign not in "ε=%"]
    assert "whether you took part" in tell(quiet, unit="person")
    assert "whether you took part" in tell(None, unit="person")
    assert "Without noise" not in tell(None)
    assert "Without noise" not in tell(SimpleNamespace(everyone=None, easiest=None))
    assert "and a prior of 10%, attackers" in tell(None, 0.1)
    assert "nearly every time" in tell(quiet, guarantee=replace(ONE, value=20.0))
    none = attackers_view_page.loss_answer(False, None, quiet, Budget(1.0), "picture")
    assert none.startswith("Select a private method")


def test_attack_finding_compares_measured_success_with_chance_and_limit():
    limit = attackers_view_page.weakest({"A": ONE}, 0.5)
    find = lambda right, unsure: attackers_view_page.loss_finding(
        False, limit, attack(0.5, right, unsure), "DP-LS"
    )
    assert find(0.56, 0.1).startswith(r"DP\-LS: simple attack")
    assert "not clearly better than chance" in find(0.56, 0.1)
    assert "slightly better than chance" in find(0.56, 0.01)
    assert "right in 66% of guesses" in find(0.66, 0.01)
    assert "any attack up to 73.2%" in find(0.66, 0.01)
    assert "above the limit" in find(0.9, 0.01) and "exceeds" not in find(0.74, 0.01)


def test_spending_answer_states_median_loss():
    rare = np.arange(10) < 3
    run = who_pays_page.Spending("AdaMix", np.where(rare, 0.8, 0.3), rare)

    def tell(run, full=False, unit="picture"):
        return who_pays_page.answer(False, run, full, Budget(1.0), unit)

    assert "AdaMix, a typical rare-class image uses **80%** of it" in tell(run)
    assert "a common-class image **30%**" in tell(run)
    assert tell(run).startswith("All images have the same limit, ε\u00a0=\u00a01. With AdaMix")
    assert "people with rare images use **80%**" in tell(run, unit="person")
    alike = replace(run, rare=np.zeros(10, bool))
    assert "typical image uses **30%**" in tell(alike) and "rare" not in tell(alike)
    assert "every image uses the full" in tell(run, full=True)
    find = lambda *runs: who_pays_page.finding(False, runs, "AdaMix")
    assert (
        find(run)
        == "AdaMix: typical rare images use about three quarters of their limit, common ones about"
        " a third"
    )
    full = replace(run, share=np.where(rare, 1.0, 0.24))
    assert (
        find(full) == "AdaMix: typical rare images use up their limit, common ones about a quarter"
        " of it"
    )
    assert find(replace(full, rare=~rare)).startswith(
        "AdaMix: typical common images use up their limit, rare"
    )
    close = replace(run, share=np.where(rare, 0.75, 0.8))
    assert find(close).startswith("AdaMix: common classes use slightly more of their limit")
    assert "about the same" in find(replace(run, share=np.ones(10)))
    assert find(replace(run, rare=np.zeros(10, bool))) == "Losses by method"


def test_second_method_is_compared_with_the_first():
    rare = np.arange(10) < 3
    first = who_pays_page.Spending("GDP", np.where(rare, 1.0, 0.24), rare)
    second = replace(first, title="AdaMix", share=np.where(rare, 0.78, 0.65))
    compare = lambda *runs: who_pays_page.second_method(runs)
    assert compare(first, second) == "AdaMix narrows the gap: rare 78%, common 65%."
    assert compare(first, first) == "GDP has about the same gap: rare 100%, common 24%."
    assert compare(second, first).startswith("GDP widens the gap")
    turned = replace(second, share=np.where(rare, 0.2, 0.8))
    assert compare(first, turned) == "AdaMix reverses the gap: rare 20%, common 80%."
    named = replace(second, title="the private linear probe")
    assert compare(first, named).startswith("The private linear probe narrows the gap")
    assert not compare(first) and not compare(first, replace(second, rare=np.zeros(10, bool)))


@pytest.mark.parametrize(
    ("sign", "case"), [(1, "helps"), (-1, "hurts"), (0, "level"), (None, "alone")]
)
def test_mixed_sentence_states_whether_private_images_help(sign, case):
    lead, only = about(0.21, 0.3)
    quiet = interval([0.05], noisy=False)
    accuracies = {"AdaMix": lead, "Only-Public": only, "paragon": quiet}
    told = mixed_privacy_page.answer(accuracies, "AdaMix", sign, "", "ε = 1", False)
    fields = {"lead": "AdaMix", "accuracy": lead, "examples": only, "budget": "ε = 1"}
    expected = mixed_text.ANSWERS[case].fill(False, **fields)
    assert told == expected and "**21%**" in told and ("**30%**" in told) == (case != "alone")
    tiles = mixed_privacy_page.tiles(accuracies, "AdaMix", 2, "balanced", None, [ONE])
    assert [tile.value for tile in tiles] == ["21%", "30%", method_tiles.PENDING, "73.2%"]
    assert tiles[0].note == "5% without privacy" and tiles[1].note == "2 per class"


def test_vote_title_counts_results_changed_by_noise():
    votes, outcomes = [90, 85, 40, 30], ["right", "refused", "wrong", "refused"]
    title = lambda threshold: teachers_vote_page.chart_title(votes, outcomes, threshold)
    shown = lambda threshold: title(threshold).replace("\u00a0", " ")
    both = "Noise blurs the threshold: 1 answered below it, 1 unanswered above"
    assert shown(80.0) == both
    assert shown(20.0) == "Noise blurs the threshold: 2 queries unanswered above it"
    assert shown(90.0) == "Noise blurs the threshold: 1 query answered below it"
    exact = teachers_vote_page.chart_title([90, 30], ["right", "refused"], 80.0)
    assert exact.startswith("Noise changes no result")
    assert title(-np.inf).startswith("Every query is answered")
    counts = lambda threshold: teachers_vote_page.answered_by_side(votes, outcomes, threshold)
    both = "Answered: 1 of 2 queries above the threshold, 1 of 2 below."
    assert counts(80.0).replace("\u00a0", " ") == both and not counts(-np.inf)
    assert "all above" in counts(20.0) and "all below" in counts(95.0)
    correct = teachers_vote_page.correct_by_side(votes, outcomes, 80.0, 100)
    assert "100%" in correct and correct.endswith("The difference is not clear.")


def test_collapse_sentence_states_accuracy_loss():
    cost = lambda spread, lost: neural_collapse_page.Cost(f"S{spread}", spread, about(lost)[0])
    told = lambda costs: neural_collapse_page.answer(costs, "ε = 1", False)
    said = lambda case, **fields: collapse_text.ANSWERS[case].fill(False, budget="ε = 1", **fields)
    few = told([cost(0.4, 0.12)])
    assert few == said("one", name="S0.4", change=-0.12)
    assert "−12\u00a0points" in few
    every = [cost(0.1, 0.02), cost(0.2, 0.2), cost(0.3, 0.5)]
    ends = {"tight": "S0.1", "tight_change": -0.02, "wide": "S0.3", "wide_change": -0.5}
    assert told(every) == said("ordered", **ends)
    turned = [replace(one, nc1=1 - one.nc1) for one in every]
    ends = {"tight": "S0.3", "tight_change": -0.5, "wide": "S0.1", "wide_change": -0.02}
    assert told(turned) == said("unordered", **ends)
    assert told([cost(0.1, 0.001)]) == said("one-level", name="S0.1")
    assert told([cost(0.1, 0.001), cost(0.3, 0.5)]) == said(
        "costs_one", name="S0.3", change=-0.5, other="S0.1"
    )
    assert told([cost(0.1, 0.001), cost(0.3, -0.5)]) == said(
        "clear", name="S0.3", change=0.5, other="S0.1"
    )
    two = told([cost(0.1, 0.02), cost(0.3, 0.5)])
    ends = {"tight": "S0.1", "tight_change": -0.02, "wide": "S0.3", "wide_change": -0.5}
    assert two == said("costs_both", **ends) and "50\u00a0points" in two


def test_vote_answer_compares_its_student_with_public_images():
    outcome = teachers_vote_page.VoteOutcome(100, 20.2, 100, 39, 32, 39, 0.71, 95, 80.0)
    public = interval([0.71, 0.73])
    said = lambda *accuracies: teachers_vote_page.answer(outcome, ONE, False, *accuracies)
    assert said(public) == said() == said(None, public), "both have to be known"
    cases = {"worse": 0.2, "level": 0.72, "better": 0.99}
    for case, mean in cases.items():
        student = interval([mean, mean + 0.002])
        assert said(public, student) == f"{said()} {teachers_text.STUDENT_ALONE[case]}"
        assert len(said(public, student).split()) <= 25


def test_collapse_fact_only_where_tight_classes_cost_less():
    cost = lambda spread, lost: neural_collapse_page.Cost(f"S{spread}", spread, about(lost)[0])
    [fact] = neural_collapse_page.spread_fact([cost(0.1, 0.001), cost(0.3, 0.5)], False)
    assert fact == collapse_text.SPREAD_FACT.fill(False, tight="S0.1", ratio=3.0)
    assert not neural_collapse_page.spread_fact([cost(0.1, 0.5), cost(0.3, 0.001)], False)
    assert not neural_collapse_page.spread_fact([cost(0.1, 0.5)], False)


def test_vote_and_data_sentences_use_whole_numbers():
    outcome = teachers_vote_page.VoteOutcome(100, 20.2, 100, 39, 32, 39, 0.71, 95, 80.0)
    told = teachers_vote_page.answer(outcome, ONE, False)
    counts = {"count": 39, "asked": 100, "correct": 32}
    assert told == teachers_text.ANSWERS["known"].fill(False, **counts)
    tiles = teachers_vote_page.tiles(outcome, ONE, None, interval([0.61]))
    assert [tile.value for tile in tiles] == ["39 of 100", "73.2%", "61%", method_tiles.PENDING]
    assert tiles[0].note == "32 correct" and "71%" in tiles[2].help
    none = teachers_vote_page.tiles(replace(outcome, answered=0, right=0, labeled=0), ONE, None)
    assert none[2].value == "–" and none[2].note == "no answers"
    private, _, classes, _ = data_page.tiles((40, 400), (10, 10))
    assert private.value == "440" and classes.note == "40 to 400 images each"
    assert not signs(data_page.answer("MNIST", "ready", "GlyphNet", (3, 5), precise=False))
