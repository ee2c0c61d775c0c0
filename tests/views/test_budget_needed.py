"""The question asked backwards, on curves small enough to read."""

import math
from dataclasses import replace

from dpviz.plots.budget_curves import BudgetCurve, Line
from dpviz.stats import interval
from dpviz.types import Budget, Guarantee
from dpviz.views import equal_leakage
from tests.kit.seen import page

BUDGETS = (0.1, 1.0, 10.0)
FACTS = (1e-5, "add or remove one record", "the encoder", 1.0, 0.1, "a source")


def line(method, *means):
    return Line(
        method, method.title(), BUDGETS, tuple(interval([m - 0.02, m + 0.02]) for m in means)
    )


def curve(*lines):
    return BudgetCurve("minority", Budget(0.1), lines, (), 0.1, 2)


def made_clear(need):
    """A method's need, significantly above the target from its smallest budget on."""
    clear = {"clear_budget": need.budget, "clear_guess": need.guess}
    return replace(need, significant=need.reached, **clear)


def test_least_leakage_is_that_of_significant_budgets_and_means_are_noted():
    """A method whose mean reaches the target with less leakage is named, though not significant."""
    sure = Line("sure", "Sure", BUDGETS, tuple(interval([m] * 5) for m in (0.1, 0.3, 0.9)))
    noisy = Line("noisy", "Noisy", BUDGETS, tuple(interval([m, m + 0.3]) for m in (0.1, 0.5, 0.5)))
    later = Line(
        "later", "Later", BUDGETS, (interval([0.1] * 5), interval([0.5, 0.75]), interval([0.9] * 5))
    )
    drawn, loose = curve(sure, noisy, later), Guarantee("pure", 1.0, *FACTS)
    tight = Guarantee("gdp", 0.2, *FACTS)
    given = {("sure", 10.0): loose, ("noisy", 1.0): tight, ("later", 1.0): tight}
    needs = equal_leakage.needed_budgets(drawn, 0.6, given | {("later", 10.0): tight})
    assert {need.method: need.clear_budget for need in needs} == {
        "sure": 10.0,
        "noisy": math.inf,
        "later": 10.0,
    }
    said = equal_leakage.needed_sentence(needs, drawn, 0.6)
    assert "Later leaks least. Required budget: **(10, 1e-5)-DP**" in said
    looser = equal_leakage.needed_budgets(drawn, 0.6, given | {("later", 10.0): loose})
    said = equal_leakage.needed_sentence(looser, drawn, 0.6)
    assert "On average, Later reaches the target with less" in said or (
        "On average, Noisy reaches the target with less leakage: a best guess of at most 54%."
        in said
    )


def test_smallest_budget_keeping_target_is_found():
    drawn = curve(
        line("late", 0.1, 0.3, 0.7), line("early", 0.2, 0.61, 0.8), line("never", 0.1, 0.2, 0.5)
    )
    loose, tight = Guarantee("pure", 1.0, *FACTS), Guarantee("gdp", 0.2, *FACTS)
    given = {("early", 1.0): loose, ("late", 10.0): loose}
    needs = equal_leakage.needed_budgets(drawn, 0.6, given)
    assert [(n.method, n.budget) for n in needs] == [
        ("early", 1.0),
        ("late", 10.0),
        ("never", math.inf),
    ]
    assert needs[0].previous_budget == 0.1 and not needs[0].significant and not needs[2].reached
    unclear = equal_leakage.needed_sentence(needs, drawn, 0.6)
    assert "No method is significantly above" in unclear and "Early" not in unclear
    clear = tuple(map(made_clear, needs))
    sentence = equal_leakage.needed_sentence(clear, drawn, 0.6).replace("\u00a0", " ")
    assert sentence.startswith(
        "For significantly more than **60%** accuracy (on the smallest quarter of the classes)"
    )
    assert (
        "Required budget: **(1, 1e-5)-DP**" in sentence and "at most 73.2% (chance 50%)" in sentence
    )
    assert sentence.endswith("Target not reached by 1 of 3 methods.")
    needs = equal_leakage.needed_budgets(drawn, 0.6, {("early", 1.0): loose, ("late", 10.0): tight})
    clear = tuple(map(made_clear, needs))
    said = equal_leakage.needed_sentence(clear, drawn, 0.6)
    assert "Late leaks least. Required budget: **(10, 1e-5)-DP**" in said, "Phi(0.1) = 0.5398"
    assert said.endswith(
        "The smallest ε (1) is that of Early; an attacker's best guess is then at most 73.2%."
    ), "e / (1 + e) = 0.7311"
    rows = equal_leakage.needed_table(needs, drawn)
    assert rows[2]["smallest ε"] == "not reached" and rows[1]["significant"] == "no"
    assert [row["attacker's best guess"] for row in rows] == ["54%", "73.2%", ""]


def test_temporary_rise_at_small_budget_does_not_count():
    needs = equal_leakage.needed_budgets(
        curve(line("bumpy", 0.7, 0.5, 0.8)), 0.6, {("bumpy", 10.0): Guarantee("pure", 1.0, *FACTS)}
    )
    assert needs[0].budget == 10.0 and needs[0].previous_budget == 1.0


def test_target_reached_everywhere_and_nowhere():
    given = {("good", 0.1): Guarantee("pure", 1.0, *FACTS)}
    assert (
        equal_leakage.needed_budgets(curve(line("good", 0.7, 0.8, 0.9)), 0.6, given)[
            0
        ].previous_budget
        is None
    )
    low = curve(line("bad", 0.1, 0.2, 0.3))
    needs = equal_leakage.needed_budgets(low, 0.6, {})
    said = equal_leakage.needed_sentence(needs, low, 0.6)
    assert "No computed budget reaches" in said and "At best, Bad reaches 30%" in said
    assert "Select a private method" in equal_leakage.needed_sentence((), curve(), 0.6)


def test_page_states_the_required_budget(own):
    at = page(own, m="dppl-mean,noisy-gd", back="true", want="90", score="balanced")
    said = next(
        m.value
        for m in at.markdown
        if m.value.startswith("For significantly more than **90%** accuracy (mean over classes)")
    )
    assert "leaks least" in said and len(at.dataframe) >= 1
    assert not any(
        m.value.startswith("For significantly") for m in page(own, m="dppl-mean").markdown
    ), "closed, nothing is asked"
