"""What is said of an attack at few false alarms, in both voices."""

import dataclasses
import math

from dpviz import privacy
from dpviz.diagnostics.low_fpr import Rate
from dpviz.diagnostics.membership_attack import Judged
from dpviz.diagnostics.shadow_attack import AttackResult, ShadowAttack
from dpviz.types import Guarantee
from dpviz.views import attackers_view_page as words


def told(title, private, rate, attack="lira"):
    promise = Guarantee("gdp", 1.0, 1e-5, privacy.ADD_REMOVE, "", math.inf, math.inf, "this test")
    found = AttackResult(attack, None, None, 0.5, 0.01, (None, rate), (None, None), (), ())
    made = ShadowAttack({attack: found}, promise, 64, Judged(9, 9, 1.0), (), (), ())
    return words.AttackSummary(title, private, made, attack)


KEPT = Rate(0.01, 0.0124, 0.0113, 0.0135, 0.0005, 900.0, 0.01978, False)
LOOSE = Rate(0.01, 0.0787, 0.067, 0.092, 0.006, 900.0, 1.0, False)


def test_plain_text_puts_guarantee_before_unlimited_methods():
    said = words.low_fpr_plain(
        [told("logistic", False, LOOSE), told("DPPL-Mean", True, KEPT)], "picture"
    )
    assert "Of 1,000 pictures that were used" in said and "practised on 63 fits" in said
    assert said.index("**12** in what DPPL-Mean") < said.index("**79** in what logistic")
    assert "accusing 10 of 1,000" in said and "no attack more than 20" in said
    assert said.count("nothing limits") == 1
    assert "people" in words.low_fpr_plain([told("DPPL-Mean", True, KEPT)], "person")


def test_random_variation_and_significant_results_are_described():
    blind = dataclasses.replace(KEPT, low=0.009)
    assert "no more than blind guessing" in words.low_fpr_plain([told("a", True, blind)], "picture")
    broken = dataclasses.replace(KEPT, tpr=0.1, above=True)
    assert "the promise is broken" in words.low_fpr_plain([told("a", True, broken)], "picture")
    assert "**above it**" in words.low_fpr_precise([told("a", True, broken)])
    assert "too few pictures" in words.low_fpr_plain([told("a", True, None)], "picture")


def test_precise_text_gives_rates_with_intervals_and_limits():
    said = words.low_fpr_precise([told("DPPL-Mean", True, KEPT), told("logistic", False, LOOSE)])
    assert "LiRA on 64 shadow models" in said and "**1.2% (1.1 to 1.4)** at 1% FPR" in said
    assert "at most 1.98%" in said and "too few to tell at 0.1% FPR" in said
    assert "logistic TPR **7.9% (6.7 to 9.2)** at 1% FPR and" in said, "nothing limits it"
