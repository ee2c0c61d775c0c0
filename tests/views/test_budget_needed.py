"""The question asked backwards, on curves small enough to read."""

import math

from dpviz.plots.accuracy_by_budget import BudgetCurve, Line
from dpviz.stats import interval
from dpviz.types import Guarantee, Material
from dpviz.views import budget_needed
from tests.kit.seen import page

BUDGETS = (0.1, 1.0, 10.0)
FACTS = (1e-5, "add or remove one record", "the encoder", 1.0, 0.1, "a source")


def line(method, *means):
    return Line(
        method, method.title(), BUDGETS, tuple(interval([m - 0.02, m + 0.02]) for m in means)
    )


def curve(*lines):
    return BudgetCurve("minority", "approx", 1e-5, lines, (), 0.1, 2)


def test_smallest_budget_from_which_on_the_target_is_kept():
    drawn = curve(
        line("late", 0.1, 0.3, 0.7), line("early", 0.2, 0.61, 0.8), line("never", 0.1, 0.2, 0.5)
    )
    needs = budget_needed.info(drawn, 0.6)
    assert [(n.method, n.budget) for n in needs] == [
        ("early", 1.0),
        ("late", 10.0),
        ("never", math.inf),
    ]
    assert needs[0].before == 0.1 and not needs[0].sure and not needs[2].reached
    loose, tight = Guarantee("pure", 1.0, *FACTS), Guarantee("gdp", 0.2, *FACTS)
    told = lambda promises: budget_needed.sentence(
        needs, drawn, Material("toy", None, ir=50), 0.6, promises
    )
    assert told({("early", 1.0): loose, ("late", 10.0): loose}) == (
        "For **60 %** minority accuracy at IR 50 Early needs the least ε: **(1, 1e-5)-DP**; 1 of 3"
        " do not reach it."
    )
    given = {("early", 1.0): loose, ("late", 10.0): tight}
    assert told(given).endswith(
        " But an attacker gains least from Late: right at most 54 % at ε = 10, against 73.2 %."
    ), "Phi(0.1) = 0.5398 and e / (1 + e) = 0.7311"
    rows = budget_needed.table(needs, drawn, 0.6, given)
    assert rows[2]["smallest ε computed"] == "not reached" and rows[0]["sure"] == "within noise"
    assert [row["an attacker is right at most"] for row in rows] == ["73.2 %", "54 %", ""]


def test_a_bump_at_a_small_budget_does_not_count():
    needs = budget_needed.info(curve(line("bumpy", 0.7, 0.5, 0.8)), 0.6)
    assert needs[0].budget == 10.0 and needs[0].before == 1.0


def test_reached_everywhere_and_nowhere():
    assert budget_needed.info(curve(line("good", 0.7, 0.8, 0.9)), 0.6)[0].before is None
    low = curve(line("bad", 0.1, 0.2, 0.3))
    needs = budget_needed.info(low, 0.6)
    said = budget_needed.sentence(needs, low, Material("toy", None), 0.6, {})
    assert "no method here" in said and "(10, 1e-5)-DP Bad comes closest, with 30 %" in said
    assert "choose a private method" in budget_needed.sentence(
        (), curve(), Material("toy", None), 0.6, {}
    )


def test_on_the_page(own):
    at = page(own, m="dppl-mean,noisy-gd", back="true", want="90", score="balanced")
    said = next(
        m.value
        for m in at.markdown
        if m.value.startswith("For **90 %** balanced accuracy at IR 10")
    )
    assert "needs the least" in said and len(at.dataframe) >= 1
    assert not any(m.value.startswith("For **") for m in page(own, m="dppl-mean").markdown), (
        "closed, nothing is asked"
    )
