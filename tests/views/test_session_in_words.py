"""Text of the session ledger: totals or the reason why there is none, and each line."""

import math
from dataclasses import replace

from dpviz.formatting import literal
from dpviz.privacy import ADD_REMOVE, REPLACE_IN_CLASS
from dpviz.privacy.session_accountant import Ledger, Line
from dpviz.privacy.session_totals import Scope, Total
from dpviz.text import session as session_text
from dpviz.types import Budget, RunSpec
from dpviz.views import session_in_words


def spec(method="dppl-mean", **change):
    return RunSpec("mnist", "gone", method=method, budget=Budget(1.0), **change)


def whole(*lines, epsilon=2.0, adjacency=ADD_REMOVE, **more):
    facts = {"restated": False, "runs": 5, "selections": 0, "rho": 0.25, "beyond": 0} | more
    total = Total(adjacency=adjacency, epsilon=epsilon, **facts)
    totals = (total,) if lines else ()
    return session_in_words.whole(Ledger(lines, totals, 1.5, 8.0), 1e-5)


FIVE = Line(spec(), 5, 1, (0, 1, 2, 3, 4), 2.0, False, None)


def test_empty_session_is_stated():
    assert session_text.NOTHING in whole()


def test_bounded_session_has_both_totals():
    said = whole(FIVE)
    assert "fixed beforehand:** ε = 2 at δ = 1e-5 (neighbors: add or remove one record)" in said
    assert "after seeing results:** ε = 8 at δ = 1e-5, the session cap." in said
    assert "The runs use ρ = 0.25 of 1.5." in said
    assert "5 runs: 1 budget, seeds 0 to 4; ε = 2 on its own." in said
    assert said.count(session_text.REPLAY) == 1 and "No bound" not in said


def test_runs_beyond_the_cap_have_no_adaptive_total():
    said = whole(FIVE, beyond=2)
    assert "Runs beyond the session cap of ρ = 1.5: the last 2 of 5." in said
    assert "fixed beforehand:** ε = 2" in said and "ε = 8" not in said
    assert session_text.BEST_OF_MANY in whole(FIVE, selections=1)


def test_restated_relations_are_reported():
    printed = Line(spec(), 1, 1, (7,), 1.0, False, None, adjacency=REPLACE_IN_CLASS)
    said = whole(FIVE, printed, adjacency=REPLACE_IN_CLASS, restated=True, epsilon=4.92)
    assert "ε = 4.92" in said and "replace one record within its class)" in said
    assert session_text.RESTATED in said
    assert said.count("Neighbors: ") == 2, "each line names its own"
    assert "Neighbors: " not in whole(FIVE)


def test_separate_totals_have_no_sum():
    facts = {"restated": False, "runs": 1, "selections": 0, "rho": 0.25, "beyond": 0}
    totals = tuple(Total(adjacency=who, epsilon=2.0, **facts) for who in ("one", "other"))
    said = session_in_words.whole(Ledger((FIVE,), totals, 1.5, 8.0), 1e-5)
    assert session_text.SEVERAL_UNITS in said and "after seeing results" not in said
    assert "(neighbors: one)" in said and "(neighbors: other)" in said


def scoped(**scope):
    facts = {"restated": False, "runs": 1, "selections": 0, "rho": 0.25, "beyond": 0}
    return Total(adjacency=ADD_REMOVE, epsilon=2.0, scope=Scope(**scope), **facts)


def test_disputed_records_are_named_beside_each_total():
    own, labeled = ("/up/own.npz", ""), ("/up/own.npz", "public")
    held = ("mnist5k", "held-aside")
    one = scoped(protects=frozenset({own, labeled, held}), labeled=True)
    other = scoped(protects=frozenset({own}), public=frozenset({labeled, held}))
    said = session_in_words.whole(Ledger((FIVE,), (one, other), 1.5, 8.0), 1e-5)
    names = "public records of own\\.npz and set-aside images of MNIST, 5,000 digits"
    assert f"or one labeled public record where a run protects it; {names} protected)" in said
    assert f"one record; {names} treated as public)" in said


def test_starting_points_are_named():
    drawn = "at the rows of the file, after the long-tailed subset was selected"
    few = replace(FIVE, scope=Scope(starts=drawn))
    assert f"Start of each guarantee: {drawn}." in whole(few)
    said = whole(few, replace(FIVE, scope=Scope(starts="at the rows of the file")))
    assert session_text.DIFFERENT_STARTS in said
    assert f"Begins {drawn}." in said and "Begins at the rows of the file." in said
    assert "begins" not in whole(FIVE), "data that are gone"


def test_shared_noise_states_its_reason():
    own = Line(spec(), 26, 13, (0, 7), 9.0, True, None)
    said = whole(own, epsilon=9.0)
    assert said.index(session_text.UNBOUNDED) < said.index("fixed beforehand:** ε = 9")
    assert "after seeing results" not in said
    assert "26 runs: 13 budgets, 2 seeds; no bound, since budgets share one seed" in said
    public, k = spec("dppl-public"), spec("dppl-publick")
    said = whole(Line(public, 1, 1, (3,), 1.0, False, k))
    assert "1 run, seed 3; ε = 1 on its own. Shares noise with DPPL" in said
    other = spec(params=(("form", "printed"),))
    said = whole(
        Line(spec(), 1, 1, (3,), 1.0, False, other), Line(other, 1, 1, (3,), 1, False, None)
    )
    assert "the same method with other settings" in said and "form printed" in said


def test_best_of_a_study_has_no_number():
    said = whole(Line(spec("noisy-gd"), 0, 1, (), 3.0, False, None), epsilon=3.0)
    assert "best of a secret number of runs; ε = 3 on its own" in said


def test_releases_have_no_seed():
    said = whole(Line(spec(), 2, 1, (), 2.0, False, None, True))
    assert "2 releases with noise from system entropy; ε = 2 on its own." in said


def test_unbounded_runs_have_no_number():
    said = whole(Line(spec(), 1, 1, (0,), math.inf, False, None), epsilon=math.inf)
    assert session_text.UNKNOWN in said and "∞" not in said and "ε = 8" not in said


def test_long_session_is_truncated_and_names_stay_text():
    lines = [Line(spec(seed=i), 1, 1, (i,), 1.0, False, None) for i in range(50)]
    assert "include 10 more" in whole(*lines)
    hostile = RunSpec("/up/[a](b).npz", None, method="dppl-mean", budget=Budget(1.0))
    assert "[a](b)" not in whole(Line(hostile, 1, 1, (0,), 1.0, False, None))
    assert literal("[a](b)") in whole(Line(hostile, 1, 1, (0,), 1.0, False, None))
