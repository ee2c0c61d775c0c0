"""What a made-up crowd tells, and what one of it gives away."""

import itertools
import math
from statistics import fmean, pstdev

import pytest

from dpviz import privacy
from dpviz.diagnostics import attack_bound
from dpviz.text import your_answer as text
from dpviz.views import your_answer_page
from dpviz.views.your_answer_page import CrowdQuestion


def test_band_covers_95_percent_and_half_does_not():
    """400 seeds: fewer than 90% or more than 99% inside comes less than once in 10,000 times."""
    inside = half = 0
    for seed in range(400):
        asked = CrowdQuestion(40, 300, 2, seed)
        found = your_answer_page.estimate(asked)
        off = abs(found.share - asked.yes / asked.people)
        inside, half = inside + (off <= found.half), half + (off <= found.half / 2)
    assert 0.90 < inside / 400 < 0.99 and half / 400 < 0.80


def test_estimate_and_other_crowds_are_unbiased():
    """Within 4 standard errors of the true share."""
    seeds, honesty = 400, 20
    asked = [CrowdQuestion(honesty, 500, 1, seed) for seed in range(seeds)]
    error = your_answer_page.estimate(asked[0]).half / your_answer_page.NORMAL
    shares = [your_answer_page.estimate(one).share for one in asked]
    assert abs(fmean(shares) - 0.3) < 4 * error / math.sqrt(seeds)
    others = [share for one in asked for share in your_answer_page.other_crowds(one, honesty)]
    assert abs(fmean(others) - 0.3) < 4 * error / math.sqrt(len(others))
    assert pstdev(others) == pytest.approx(error, rel=0.1)


def test_repeated_answers_add_up_and_bounds_round_up():
    asked = CrowdQuestion(50, 100, 3)
    assert asked.epsilon == pytest.approx(3 * math.log(3))
    assert asked.belief == pytest.approx(27 / 28)
    found = your_answer_page.estimate(asked)
    guess, guarantee, *_ = your_answer_page.tiles(asked, found)
    assert guess.value == "84.4%" and guarantee.value == "3.3"
    often = CrowdQuestion(95, 100, 10)
    assert your_answer_page.tiles(often, found)[0].value == "more than 99.9%"
    assert "**3.3-DP**" in your_answer_page.answer(asked, found, precise=True)
    rows = dict(your_answer_page.guarantee_rows(asked, found))
    assert "ε = 1.1," in rows[text.ROWS["each"]] and "ε = 3.3," in rows[text.ROWS["all"]]


def test_optimal_guess_matches_best_of_all_rules():
    """Beside every sequence of recorded answers, and the belief that is its bound."""
    best = attack_bound.most_right_of_responses
    for honesty, times in itertools.product((0.05, 0.5, 0.95), (1, 2, 3, 5, 10)):
        p = (1 + honesty) / 2
        said = [sum(one) for one in itertools.product((0, 1), repeat=times)]
        chances = [(p**n * (1 - p) ** (times - n), (1 - p) ** n * p ** (times - n)) for n in said]
        right = best(honesty, times)
        assert right == pytest.approx(sum(map(max, chances)) / 2)
        bound = privacy.belief_bound(0.5, times * privacy.response_epsilon(honesty))
        assert right < bound if times > 1 else right == pytest.approx(bound)
    assert [round(1000 * best(0.5, k)) for k in (1, 2, 3, 5, 10)] == [*(750, 750, 844, 896, 951)]
