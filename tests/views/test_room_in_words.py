"""What the sentences of a room say is what was computed, and no more."""

from dpviz.views import live_class_page


def test_class_of_thirty_is_described_in_both_modes():
    said = live_class_page.class_plain(1.0, 30)
    assert "give or take 32 of 100" in said and "give or take 10 of 100" in said
    assert "next to nothing" in live_class_page.class_plain(0.1, 10)
    precise = live_class_page.class_precise(1.0, 30)
    assert "n = 30" in precise and "h = 0.462" in precise and "± 3.0 people (10.0%)" in precise


def test_reveal_states_estimate_with_interval():
    found = live_class_page.estimate_share("server", 1.0, 30, 12)
    assert "About 12 of 30 say yes" in live_class_page.estimate_text(found)
    assert "from 9 to 15" in live_class_page.estimate_text(found)
    assert "forgotten" in live_class_page.origin_text(found)
    nothing = live_class_page.estimate_share("server", 0.1, 4, 2)
    assert "any number from 0 to all" in live_class_page.estimate_text(nothing)


def test_budgets_of_several_questions_add_up():
    assert live_class_page.spent_text(()) == "nothing yet"
    assert live_class_page.spent_text((0.5, 1.0)) == "ε = 0.5 + 1 = 1.5"


def test_curves_are_counted_by_their_verdicts():
    said = live_class_page.drawing_summary(["right", "gap", "gap"])
    assert said == "Of **3** curves: 1 well drawn, 0 roughly so and 2 far off."
