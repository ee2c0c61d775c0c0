"""The sentence on a rising error, and differences in tiles."""

import pytest

from dpviz.formatting import shown_difference
from dpviz.plots.budget_curves import ErrorCurve, ErrorLine
from dpviz.stats import interval
from dpviz.types import Budget
from dpviz.ui.mixed_privacy import answer
from dpviz.views import mixed_privacy_page
from dpviz.views.mixed_privacy_page import rise_sentence

BUDGETS = (0.1, 1.0, 2.0)


def near(mean):
    return interval([mean - 0.01, mean, mean + 0.01])


def curve(adamix, other=(0.9, 0.9, 0.1)):
    line = lambda name, means: ErrorLine(name, BUDGETS, tuple(map(near, means)))
    levels = [
        ErrorLine(name, (float("inf"),), (interval([mean], noisy=False),))
        for name, mean in (("Only-Public", 0.15), ("Public images only", 0.02), ("paragon", 0.01))
    ]
    lines = line("AdaMix", adamix), line("NGD", other)
    return ErrorCurve("minority", Budget(0.1), lines, tuple(levels), 0.9)


def test_rising_error_is_explained():
    assert rise_sentence(curve((0.3, 0.27, 0.25)), "AdaMix") == ""
    rise = rise_sentence(curve((0.3, 0.27, 0.59)), "AdaMix")
    assert "rises from 27% at ε\u00a0=\u00a01 to 59%" in rise and "frequent classes" in rise


def test_tile_difference_agrees_with_rounded_shares():
    private, quiet = interval([0.69, 0.7144]), interval([0.8764], noisy=False)
    assert round(100 * (private.mean - quiet.mean)) == -17, "70% and 88%"
    assert round(100 * shown_difference(private, quiet)) == -18
    errors = {"AdaMix": interval([0.255, 0.2745]), "paragon": interval([0.1246], noisy=False)}
    tile, *_ = mixed_privacy_page.tiles(errors, "AdaMix", 2, "balanced", None, [])
    assert (tile.value, tile.note) == ("26%", "12% without privacy")


def test_answer_names_lowest_private_error():
    errors = {"AdaMix": near(0.17), "NGD": near(0.16), "Fully-Private": near(0.13)}
    errors |= {"Only-Public": near(0.19), "paragon": near(0.05)}
    said = mixed_privacy_page.answer(errors, "AdaMix", 1, "", "ε = 1", False)
    begin = "At ε = 1, AdaMix has **17%** error, less than its public examples alone (**19%**)."
    assert said.replace("\u00a0", " ").startswith(begin)
    assert said.endswith("Private may be better only by chance.")
    said = mixed_privacy_page.answer(errors, "AdaMix", 1, "Fully-Private", "ε = 1", False)
    assert "only by chance" not in said and "Private has a clearly lower error" in said
    errors["AdaMix"] = near(0.131)
    said = mixed_privacy_page.answer(errors, "AdaMix", 1, "", "ε = 1", False)
    assert "only by chance" not in said


@pytest.mark.parametrize(
    ("sign", "added"),
    [
        (1, ""),
        (0, "All public images do about as well."),
        (-1, "All public images do clearly better."),
    ],
)
def test_answer_says_where_all_public_images_are_as_good(sign, added):
    errors = {"AdaMix": near(0.17), "Only-Public": near(0.19)}
    said = mixed_privacy_page.answer(errors, "AdaMix", 1, "", "ε = 1", False, sign)
    assert said.endswith(added) and ("public images" in said) == (sign != 1)


@pytest.mark.parametrize("sign", [0, -1, 1, None])
@pytest.mark.parametrize("against_alone", [1, 0, -1])
@pytest.mark.parametrize("better", ["", "Fully-Private"])
@pytest.mark.parametrize("precise", [False, True])
def test_whole_answer_is_short(sign, against_alone, better, precise):
    errors = {"AdaMix": near(0.17), "NGD": near(0.16), "Fully-Private": near(0.13)}
    errors |= {"Only-Public": near(0.19), "paragon": near(0.05)}
    budget = "(1, 1e-5)-DP per person"
    said = mixed_privacy_page.answer(errors, "AdaMix", against_alone, better, budget, precise, sign)
    two_sentences = sign in (0, -1)  # the second has a whole comparison of two errors
    limit = 33 if precise and two_sentences else 28 if precise else 25
    assert len(said.split()) <= limit, said


def test_tile_names_best_private_method():
    errors = {"AdaMix": near(0.17), "NGD": near(0.16), "Fully-Private": near(0.13)}
    errors |= {"Only-Public": near(0.19), "paragon": near(0.05)}
    tile = lambda better: mixed_privacy_page.tiles(
        errors, "AdaMix", 2, "balanced", None, [], None, better
    )[1]
    assert (tile("").value, tile("").note) == ("13%", "Fully-Private, not clearly better")
    assert tile("NGD").value == "16%" and tile("NGD").note == "NGD, clearly better"
    errors["AdaMix"] = near(0.131)
    assert tile("").note == "AdaMix"
    del errors["NGD"], errors["Fully-Private"]
    assert (tile("").value, tile("").note) == ("19%", "2 per class"), "public examples instead"


def test_note_says_which_data_cannot_refute_adamix():
    assert "cannot refute AdaMix" in answer.premise_note("mnist5k")
    assert not answer.premise_note("omniglot-60")


@pytest.mark.parametrize(
    ("signs", "title"),
    [
        (
            (1, 0, -1),
            "AdaMix clearly beats its 2 public examples per class at ε = 0.1, but loses to them"
            " at 2",
        ),
        ((-1, 0, -1), "AdaMix clearly loses to its 2 public examples per class at ε = 0.1 and 2"),
        ((-1, -1, -1), "AdaMix clearly loses to its 2 public examples per class at every budget"),
        ((0, 1, 1), "AdaMix clearly beats its 2 public examples per class at ε ≥ 1"),
        ((1, 0, 0), "AdaMix clearly beats its 2 public examples per class at ε = 0.1"),
        ((0, 0, 0), "AdaMix does not clearly beat its 2 public examples per class at any budget"),
    ],
)
def test_title_states_gains_and_losses(signs, title):
    by_budget = dict(zip(BUDGETS, signs, strict=True))
    found = mixed_privacy_page.chart_title(by_budget, "AdaMix", "approx", 2)
    assert found.replace("\u00a0", " ") == title


@pytest.mark.parametrize(
    ("better", "sentence"),
    [
        (((), (), ()), ""),
        (((), ("NGD",), ("NGD",)), "NGD clearly beats AdaMix at ε ≥ 1."),
        ((("NGD",), ("NGD",), ()), "NGD clearly beats AdaMix at ε = 0.1 and 1."),
        (
            ((), ("Fully-Private",), ("NGD",)),
            "Other private methods clearly beat AdaMix at ε ≥ 1.",
        ),
        ((("NGD", "PPGD"), (), ()), "Other private methods clearly beat AdaMix at ε = 0.1."),
    ],
)
def test_caption_says_where_other_private_methods_are_better(better, sentence):
    by_budget = dict(zip(BUDGETS, better, strict=True))
    found = mixed_privacy_page.beaten_sentence(by_budget, "AdaMix", "approx")
    assert found.replace("\u00a0", " ") == sentence


def test_neighboring_budgets_are_a_range():
    signs = dict(zip((0.1, 0.2, 0.5, 1, 2, 3), (1, 1, 1, 0, 1, -1), strict=True))
    title = mixed_privacy_page.chart_title(signs, "AdaMix", "approx", 1).replace("\u00a0", " ")
    assert "1 public example per class at ε = 0.1 to 0.5 and 2, but loses to them at 3" in title
