"""Answers and figures on an attack at low false positive rates."""

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
    return words.AttackSummary(title, private, made, attack, title)


KEPT = Rate(0.01, 0.0124, 0.0113, 0.0135, 0.0005, 900.0, 0.01978, False)
LOOSE = Rate(0.01, 0.0787, 0.067, 0.092, 0.006, 900.0, 1.0, False)
BOTH = [told("logistic", False, LOOSE), told("DPPL-Mean", True, KEPT)]


def test_plain_answer_is_about_the_private_method():
    said = words.low_fpr_plain(BOTH, "picture")
    assert "finds **1.2%** of the used images" in said and "at most **1.98%**" in said
    assert "participants" in words.low_fpr_plain(BOTH, "person")
    assert "7.9%" in words.low_fpr_finding(False, BOTH)
    only = words.low_fpr_plain(BOTH[:1], "picture")
    assert "**7.9%**" in only and "No guarantee limits" in only


def test_answer_is_about_the_private_method_that_leaks_most():
    more = dataclasses.replace(KEPT, tpr=0.015)
    assert words.lead([*BOTH, told("B", True, more)]).title == "B"
    above = dataclasses.replace(KEPT, tpr=0.011, above=True)
    assert words.lead([*BOTH, told("C", True, above)]).title == "C"


def test_panels_show_members_found_and_the_limit():
    private, loose = words.low_fpr_panels(BOTH)
    assert private.title == "DPPL-Mean" and private.counts == {"strong": 1, "ring": 1}
    assert loose.counts == {"strong": 8} and "no limit" in loose.alt
    (unknown,) = words.low_fpr_panels([told("a", True, None)])
    assert unknown.counts == {} and unknown.value == words.TOO_FEW
    many = [told(str(i), True, KEPT) for i in range(9)]
    assert len(words.low_fpr_panels([*many, BOTH[0]])) == words.MAX_PANELS


def test_random_variation_and_significant_results_are_described():
    blind = dataclasses.replace(KEPT, low=0.009)
    assert "not clearly better than chance at finding used images" in words.low_fpr_plain(
        [told("a", True, blind)], "picture"
    )
    broken = dataclasses.replace(KEPT, tpr=0.1, above=True)
    assert "guarantee is violated" in words.low_fpr_plain([told("a", True, broken)], "picture")
    assert "significantly above the limit" in words.low_fpr_precise([told("a", True, broken)])
    assert "too few images" in words.low_fpr_plain([told("a", True, None)], "picture")


def test_precise_text_gives_rate_with_interval_and_limit():
    said = words.low_fpr_precise([told("DPPL-Mean", True, KEPT)]).replace("\\", "")
    assert "LiRA on DPPL-Mean has a TPR of **1.2% (1.1–1.4)** at 1% FPR" in said
    assert "limits every attack to **1.98%**" in said
    said = words.low_fpr_precise([told("logistic", False, LOOSE)])
    assert "TPR of **7.9% (6.7–9.2)** at 1% FPR" in said and "limits every" not in said, "no limit"
