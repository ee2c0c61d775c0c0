"""Trade-off in plain words: whole numbers that move with the runs, and no symbol."""

import math
from dataclasses import replace

import pytest

from dpviz.diagnostics import attack_bound
from dpviz.methods import METHODS
from dpviz.plots.accuracy_by_budget import BudgetCurve, Line
from dpviz.stats import interval
from dpviz.types import Guarantee, Material
from dpviz.views import accuracy_sentence, equal_gain, guarantee_in_words, methods_in_plain_words
from dpviz.views import trade_off_in_plain_words as plain

PICTURES = Material("toy", "glyphnet")
RARE = ("3", "7", "9")
EXACT = interval([0.94], noisy=False)


def pure(epsilon, notion="pure", adjacency="add or remove one record"):
    return Guarantee(notion, epsilon, 1e-5, adjacency, "the encoder", epsilon, 0.1, "a source")


def line(key, *means):
    points = tuple(interval([m - 0.004, m, m + 0.004]) for m in means)
    return Line(key, key, tuple(10.0**i for i in range(len(means))), points)


CURVE = BudgetCurve(
    "minority",
    "approx",
    1e-5,
    (line("dppl-public", 0.70, 0.84), line("noisy-gd", 0.37, 0.85)),
    (Line("class-mean", "Class mean", (math.inf,), (EXACT,)),),
    0.1,
    3,
    quiet=(("dppl-public", interval([0.88])), ("noisy-gd", interval([0.86]))),
)
PROMISES = {
    ("dppl-public", 1.0): pure(1.0),
    ("dppl-public", 10.0): pure(10.0),
    ("noisy-gd", 1.0): pure(0.27, "gdp"),
    ("noisy-gd", 10.0): pure(1.2, "gdp"),
}


def said(curve=CURVE, now=1.0, rare=RARE, promises=PROMISES):
    return plain.answer(curve, PICTURES, now, rare, promises)


def test_a_newcomer_reads_whole_numbers_that_move():
    assert said() == (
        "At this privacy setting the rare digits 3, 7 and 9 are recognised **70 times in 100** by"
        " DPPL-Public (one public picture for each class) and **37** by the"
        " private linear probe (the usual private training); without noise, **88** and **86**."
        " Someone for whom it was a coin toss whether your picture was used is right at most **74"
        " times in 100** after the first, **56** after the second; before, 50. Allowed to give away"
        " as much as the first, the second recognises **85**."
    )
    assert "**85 times in 100** by the private linear probe" in said(now=10.0)
    assert not any(sign in said() for sign in ("IR", "ε", "δ", "DP)", "%", "1e-5", "minority"))


def test_without_noise_is_the_same_method_and_not_the_best_reference():
    precise = accuracy_sentence.answer(CURVE, PICTURES, 1.0)
    assert "without noise the same methods would be **88 %** and **86 %**" in precise
    assert "94" not in precise + said(), "the class mean is another method"
    waiting = replace(CURVE, quiet=CURVE.quiet[:1])
    assert "without noise" not in said(waiting) + accuracy_sentence.answer(waiting, PICTURES, 1.0)


def test_the_stricter_method_is_told_where_it_may_give_away_as_much():
    precise = lambda promises: accuracy_sentence.answer(CURVE, PICTURES, 1.0, True, promises)
    assert precise(PROMISES).endswith(
        "; where an attacker may be right as often after both (73.2 %, prior 1/2), noisy-gd, at"
        " ε = 10, gives **85 %**."
    )
    tie = replace(CURVE, lines=(CURVE.lines[0], line("noisy-gd", 0.37, 0.7005)))
    assert "the second recognises **70**, a difference that luck alone can make." in said(tie)
    strict = PROMISES | {("noisy-gd", 10.0): pure(1.3, "gdp")}
    assert "Allowed" not in said(promises=strict), "no larger budget allows no more"
    assert "as often" not in precise(strict)
    turned = PROMISES | {("noisy-gd", 1.0): pure(9.0), ("noisy-gd", 10.0): pure(10.0)}
    assert "Allowed" not in said(promises=turned)
    both = turned | {("noisy-gd", 1.0): pure(2.0), ("dppl-public", 10.0): pure(1.5)}
    assert "as much as the second, the first recognises **84**." in said(promises=both)


def test_classes_that_are_as_large_are_no_minority():
    assert "rare" not in said(rare=()) and "all are as large" in said(rare=())
    equal = accuracy_sentence.answer(CURVE, PICTURES, 1.0, minority=False)
    assert "the minority is" not in equal and "all are as large" in equal


def test_luck_and_blind_guessing_are_said_in_plain_words():
    near = replace(CURVE, lines=(line("dppl-public", 0.5), line("noisy-gd", 0.499)))
    assert "a difference that luck alone can make" in said(near)
    blind = replace(CURVE, lines=(line("dppl-public", 0.1), line("noisy-gd", 0.09)))
    assert "neither clearly better than blind guessing, which is right 10 times in 100" in said(
        blind
    )


def test_a_limit_near_certainty_is_no_limit_in_the_words():
    loose = said(promises=PROMISES | {("dppl-public", 1.0): pure(9.0)})
    assert "may be right **nearly every time** after the first, is right at most" in loose
    assert "more than 99" not in loose


def test_promises_that_protect_alike_are_told_at_once():
    alike = PROMISES | {("noisy-gd", 1.0): pure(1.0)}
    assert "at most **74 times in 100** after either; before, 50." in said(promises=alike)
    assert equal_gain.info(CURVE, alike, 1.0) is None


def test_methods_are_compared_where_an_attacker_gains_as_much():
    found = equal_gain.info(CURVE, PROMISES, 1.0)
    assert found.most == pytest.approx(math.e / (1 + math.e))
    assert [(row.title, row.budget) for row in found.rows] == [
        ("noisy-gd", 10.0),
        ("dppl-public", 1.0),
    ], "Phi(0.6) = 0.726 is below 0.731: the probe may spend ten times as much"
    less = PROMISES | {("noisy-gd", 10.0): pure(1.3, "gdp")}
    assert [row.budget for row in equal_gain.info(CURVE, less, 1.0).rows] == [1.0, 1.0]


def test_one_promise_has_one_figure_wherever_it_stands():
    one = pure(1.0)
    assert guarantee_in_words.gain(one) == "A guess is right at most 74 times in 100"
    assert dict(guarantee_in_words.rows_of(one))["an attacker is"].startswith("73.2 %")
    assert "74 times in 100" in guarantee_in_words.odds({"A": one}, precise=False)
    assert "73.2 %" in guarantee_in_words.odds({"A": one})
    assert attack_bound.most_right(one) < 0.74
    nothing = pure(math.inf)
    assert "every time" in guarantee_in_words.gain(nothing)


def test_every_private_method_says_what_it_does():
    private = {key for key, method in METHODS.items() if method.private}
    assert set(methods_in_plain_words.WHAT) == private
