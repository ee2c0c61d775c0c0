"""The ledger in words: a total or the reason why there is none, and each line."""

import math

from dpviz.privacy.sitting_ledger import Ledger, Line
from dpviz.types import Budget, RunSpec
from dpviz.views import sitting_in_words
from dpviz.words import literal


def spec(method="dppl-mean", **change):
    return RunSpec("mnist", "gone", method=method, budget=Budget(1.0), **change)


def whole(*lines, fresh=2.0):
    return sitting_in_words.whole(Ledger(lines, fresh), 1e-5)


def test_nothing_shown_is_said():
    assert sitting_in_words.NOTHING in whole()


def test_a_bounded_sitting_has_its_price():
    said = whole(Line(spec(), 5, 1, (0, 1, 2, 3, 4), 2.0, False, None))
    assert "**Together: ε = 2 at δ = 1e-5**" in said
    assert "5 runs: 1 budget, seeds 0 to 4; ε = 2 alone." in said
    assert said.count(sitting_in_words.REPLAY) == 1 and "no bound" not in said


def test_shared_noise_has_its_reason():
    own = Line(spec(), 26, 13, (0, 7), 9.0, True, None)
    said = whole(own, fresh=9.0)
    assert "Together: no bound" in said and "noise of its own: ε = 9 at δ = 1e-5" in said
    assert "26 runs: 13 budgets, 2 seeds; no bound, as budgets of one seed share" in said
    public, k = spec("dppl-public"), spec("dppl-publick")
    said = whole(Line(public, 1, 1, (3,), 1.0, False, k))
    assert "1 run, seed 3; ε = 1 alone; shares noise with DPPL" in said
    other = spec(params=(("form", "printed"),))
    said = whole(
        Line(spec(), 1, 1, (3,), 1.0, False, other), Line(other, 1, 1, (3,), 1, False, None)
    )
    assert "the same method at other settings" in said and "form printed" in said


def test_the_best_of_a_study_tells_no_number():
    said = whole(Line(spec("noisy-gd"), 0, 1, (), 3.0, False, None), fresh=3.0)
    assert "the best of a secret number of runs, shown alone; ε = 3 alone" in said


def test_releases_have_no_seed():
    said = whole(Line(spec(), 2, 1, (), 2.0, False, None, True))
    assert "2 releases from the system's entropy; ε = 2 alone." in said


def test_what_nothing_bounds_is_not_a_number():
    said = whole(Line(spec(), 1, 1, (0,), math.inf, False, None), fresh=math.inf)
    assert "nothing is known to bound it" in said and "∞" not in said


def test_a_long_sitting_is_cut_and_names_from_outside_stay_text():
    lines = [Line(spec(seed=i), 1, 1, (i,), 1.0, False, None) for i in range(50)]
    assert "and 10 more" in whole(*lines)
    hostile = RunSpec("/up/[a](b).npz", None, method="dppl-mean", budget=Budget(1.0))
    assert "[a](b)" not in whole(Line(hostile, 1, 1, (0,), 1.0, False, None))
    assert literal("[a](b)") in whole(Line(hostile, 1, 1, (0,), 1.0, False, None))
