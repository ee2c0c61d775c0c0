"""What the sentences of a room say is what was computed, and no more."""

from dpviz.views import live_class_page


def test_class_of_thirty_is_described_in_both_modes():
    said = live_class_page.class_text(1.0, 30, precise=False)
    assert "a class of 30" in said and "within **±32%**" in said
    assert "almost nothing" in live_class_page.class_text(0.1, 10, precise=False)
    precise = live_class_page.class_text(1.0, 30, precise=True)
    assert (
        "**±32%** of the class with coin flips" in precise
        and "**±10%** with a trusted server" in precise
    )


def test_reveal_states_estimate_with_interval():
    found = live_class_page.estimate_share("server", 1.0, 30, 12)
    assert "About 12 of 30 say yes" in live_class_page.estimate_text(found)
    assert "interval: 9 to 15" in live_class_page.estimate_text(found)
    assert "deleted" in live_class_page.origin_text(found)
    nothing = live_class_page.estimate_share("server", 0.1, 4, 2)
    assert "covers every number" in live_class_page.estimate_text(nothing)


def test_budgets_of_several_questions_add_up():
    assert live_class_page.spent_text(()) == "none yet"
    assert live_class_page.spent_text((0.5, 1.0)) == "ε = 0.5 + 1 = 1.5"


def test_curves_are_counted_by_their_verdicts():
    said = live_class_page.drawing_summary(["right", "gap", "gap"])
    assert said == "Curves: **1** well drawn, 0 roughly right, 2 far off."
