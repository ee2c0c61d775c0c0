"""The answer of Trade-off: the cost of privacy, public data alone, equal leakage."""

import math
from dataclasses import replace

import pytest

from dpviz.diagnostics import attack_bound
from dpviz.methods import METHODS
from dpviz.plots.budget_curves import BudgetCurve, Line
from dpviz.stats import interval
from dpviz.types import Budget, DataConfig, Guarantee
from dpviz.views import guarantee_in_words, phrases, trade_off_page
from dpviz.views.equal_leakage import EqualLeakage

PICTURES = DataConfig("mnist5k", "glyphnet")
RARE = ("3", "7", "9")
EXACT = interval([0.94], noisy=False)


def pure(epsilon, notion="pure", adjacency="add or remove one record"):
    return Guarantee(notion, epsilon, 1e-5, adjacency, "the encoder", epsilon, 0.1, "a source")


def line(key, *means):
    points = tuple(interval([m - 0.004, m, m + 0.004]) for m in means)
    return Line(key, key, tuple(10.0**i for i in range(len(means))), points)


CURVE = BudgetCurve(
    "minority",
    Budget(1.0),
    (line("dppl-public", 0.70, 0.84), line("noisy-gd", 0.37, 0.85)),
    (Line("class-mean", "Class mean", (math.inf,), (EXACT,)),),
    0.1,
    3,
    quiet=(("dppl-public", interval([0.88])), ("noisy-gd", interval([0.86]))),
)
PUBLIC = Line("public-reference", "Public data only", (math.inf,), (interval([0.76], noisy=False),))
GIVEN = {"dppl-public": pure(1.0), "noisy-gd": pure(1.22, "gdp")}


def equal(**means):
    points = {
        key.replace("_", "-"): interval([m - 0.004, m, m + 0.004]) for key, m in means.items()
    }
    return EqualLeakage(0.623, points, GIVEN)


def said(curve=CURVE, now=1.0, rare=RARE, found=None, voice=trade_off_page.plain):
    return voice(curve, PICTURES, now, rare, found)


def precise(*args, **more):
    return said(*args, voice=trade_off_page.precise, **more)


def test_newcomer_reads_natural_frequencies():
    assert said() == (
        "At this privacy setting, DPPL-Public recognizes **70 of 100** images of rare digits (3, 7"
        " and 9). Without noise it would be **88**."
    )
    assert "the private linear probe recognizes **85 of 100**" in said(now=10.0)
    assert not any(sign in said() for sign in ("IR", "ε", "δ", "DP)", "%", "1e-5", "minority"))


def test_noiseless_reference_is_same_method_not_best():
    assert precise() == (
        "At IR 1 and (1, 1e-5)-DP, DPPL-Public classifies **70%** of images of rare digits (3, 7"
        " and 9) correctly; without noise it would be **88%**."
    )
    assert "94" not in precise() + said(), "the class mean is another method"
    waiting = replace(CURVE, quiet=CURVE.quiet[1:])
    assert "without noise" not in (said(waiting) + precise(waiting)).lower()


def beside_public(share):
    points = (interval([share - 0.004, share, share + 0.004]),)
    return replace(CURVE, references=(replace(PUBLIC, points=points),))


@pytest.mark.parametrize(
    ("share", "verdict"),
    [
        (0.76, "the best private method is significantly worse."),
        (0.70, "no private method is significantly better."),
    ],
)
def test_public_data_come_first_unless_private_is_better(share, verdict):
    answer = precise(beside_public(share))
    rare = "images of rare digits (3, 7 and 9)"
    start = f"Public data alone classifies **{100 * share:.0f}%** of {rare} correctly; {verdict}"
    assert answer.startswith(f"{start} At IR 1 and")
    assert said(beside_public(share)).startswith(
        f"Public images alone recognize **{100 * share:.0f}"
    )


def test_worse_public_data_come_second():
    answer = precise(beside_public(0.60))
    told = "Public data alone reaches **60%**, significantly less than the best private method."
    assert answer.startswith("At IR 1 and") and told in answer


def test_answer_states_missing_result_without_private_data():
    unlabeled = DataConfig("mnist5k", "glyphnet", public="letters")
    first = "No public image has a label of these classes, so no result without private data"
    assert trade_off_page.precise(CURVE, unlabeled, 1.0, ("3",)).startswith(first)
    assert first not in precise()


def test_methods_are_compared_at_equal_leakage():
    alike = equal(dppl_public=0.70, noisy_gd=0.7005)
    assert precise(found=alike).endswith(
        " At equal leakage (attacker's best guess 62.3%), the private linear probe (**70%**) and"
        " DPPL-Public (**70%**) are not significantly different."
    )
    apart = said(found=equal(dppl_public=0.70, noisy_gd=0.85))
    assert apart.endswith(
        "the private linear probe recognizes **85** and DPPL-Public **70**, clearly fewer."
    )
    once = EqualLeakage(0.623, {key: interval([0.5], noisy=True) for key in GIVEN}, GIVEN)
    assert "One seed cannot tell" in precise(found=once)


def test_equal_leakage_result_is_stated_once():
    same = EqualLeakage(0.6, CURVE.points_at(1.0), GIVEN)
    ends = "At the same leakage, the private linear probe reaches **37%**, significantly less."
    assert precise(found=same).endswith(ends)


def test_best_method_is_corrected_for_selection():
    crowd = {f"m{i}": interval([0.48, 0.49, 0.50]) for i in range(9)}
    two = {"dppl-public": interval([0.50, 0.51, 0.52]), "noisy-gd": interval([0.47, 0.48, 0.49])}
    few, many = EqualLeakage(0.6, two, GIVEN), EqualLeakage(0.6, two | crowd, GIVEN)
    assert "not significantly" not in precise(found=few)
    assert "not significantly different" in precise(found=many)


def test_equal_class_sizes_have_no_minority():
    assert "rare" not in said(rare=()) and "have the same size" in said(rare=())


def test_chance_accuracy_is_named():
    blind = replace(CURVE, lines=(line("dppl-public", 0.1), line("noisy-gd", 0.09)))
    assert "not clearly better than guessing (10)" in said(blind)
    assert "not clearly more than guessing (10%)" in precise(blind)


def test_guarantee_has_one_figure_everywhere():
    one = pure(1.0)
    assert guarantee_in_words.gain(one) == "A guess is right at most 74 times in 100"
    assert dict(guarantee_in_words.rows_of(one))["an attacker is"].startswith("73.2%")
    assert "74 times in 100" in guarantee_in_words.odds({"A": one}, precise=False)
    assert "73.2%" in guarantee_in_words.odds({"A": one})
    assert attack_bound.success_bound(one) < 0.74
    nothing = pure(math.inf)
    assert "every time" in guarantee_in_words.gain(nothing)


def test_every_private_method_has_a_description():
    private = {key for key, method in METHODS.items() if method.private}
    assert set(phrases.METHOD_TEXTS) == private
