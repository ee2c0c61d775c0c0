"""The sentence on a falling accuracy, and differences in tiles."""

import pytest

from dpviz.formatting import shown_difference
from dpviz.plots.budget_curves import PresetCurve, PresetLine
from dpviz.stats import interval
from dpviz.types import Budget
from dpviz.ui.mixed_privacy import answer
from dpviz.views import mixed_privacy_page
from dpviz.views.mixed_privacy_page import fall_sentence

BUDGETS = (0.1, 1.0, 2.0)


def near(mean):
    return interval([mean - 0.01, mean, mean + 0.01])


def curve(adamix, other=(0.1, 0.1, 0.9)):
    line = lambda name, means: PresetLine(name, BUDGETS, tuple(map(near, means)))
    levels = [
        PresetLine(name, (float("inf"),), (interval([mean], noisy=False),))
        for name, mean in (("Only-Public", 0.85), ("Public images alone", 0.98), ("paragon", 0.99))
    ]
    lines = line("AdaMix", adamix), line("NGD", other)
    return PresetCurve("minority", Budget(0.1), lines, tuple(levels), 0.1)


def test_falling_accuracy_is_explained():
    assert fall_sentence(curve((0.7, 0.73, 0.75)), "AdaMix") == ""
    fall = fall_sentence(curve((0.7, 0.73, 0.41)), "AdaMix")
    assert "falls from 73% at ε\u00a0=\u00a01 to 41%" in fall and "A possible reason" in fall


def test_tile_difference_agrees_with_rounded_shares():
    private, quiet = interval([0.69, 0.7144]), interval([0.8764], noisy=False)
    assert round(100 * (private.mean - quiet.mean)) == -17, "70% and 88%"
    assert round(100 * shown_difference(private, quiet)) == -18
    points = {"AdaMix": interval([0.745, 0.7255]), "paragon": interval([0.8754], noisy=False)}
    tile, *_ = mixed_privacy_page.tiles(points, "AdaMix", 2, "balanced", None, [])
    assert (tile.value, tile.note) == ("74%", "88% without privacy")


def points():
    private = {"AdaMix": near(0.83), "NGD": near(0.84), "Fully-Private": near(0.87)}
    return private | {"Only-Public": near(0.81), "paragon": near(0.95)}


PUBLIC = interval([0.82], noisy=False)


def answered(accuracies, better="", signs=None, against_alone=1, precise=False, budget="ε = 1"):
    public = PUBLIC if signs else None
    fields = (accuracies, "AdaMix", against_alone, better, budget, precise, public, signs or {})
    return mixed_privacy_page.answer(*fields).replace("\u00a0", " ").replace("\\", "")


@pytest.mark.parametrize(
    ("sign", "verdict"),
    [(1, "clearly beats"), (0, "does not clearly beat"), (-1, "is clearly worse than")],
)
def test_answer_compares_with_all_public_images(sign, verdict):
    said = answered(points(), signs={"AdaMix": sign})
    begin = f"At ε = 1, AdaMix (**83%**) {verdict} all public images alone (**82%**)."
    assert said.startswith(begin)


def test_answer_names_best_private_method():
    assert answered(points()).endswith("Fully-Private (87%) may be better only by chance.")
    signs = {"AdaMix": 0, "Fully-Private": 1}
    assert answered(points(), signs=signs).endswith("Fully-Private (87%) clearly beats them.")
    signs = {"AdaMix": 0, "Fully-Private": 0}
    assert answered(points(), signs=signs).endswith("may be better only by chance.")
    said = answered(points(), better="Fully-Private", signs={"AdaMix": 1, "Fully-Private": 1})
    assert said.endswith("Fully-Private (87%) clearly beats AdaMix.")
    assert "Fully" not in answered(points() | {"AdaMix": near(0.869)})


def test_answer_without_public_images_compares_with_examples():
    begin = "At ε = 1, AdaMix is **83%** accurate, clearly more than its public examples alone"
    assert answered(points()).startswith(f"{begin} (**81%**).")


@pytest.mark.parametrize("sign", [0, -1, 1, None])
@pytest.mark.parametrize("against_alone", [1, 0, -1])
@pytest.mark.parametrize("better", ["", "Fully-Private"])
@pytest.mark.parametrize("precise", [False, True])
def test_whole_answer_is_short(sign, against_alone, better, precise):
    signs = None if sign is None else {"AdaMix": sign, "Fully-Private": 1}
    budget = "(1, 1e-5)-DP per person"
    said = answered(points(), better, signs, against_alone, precise, budget)
    limit = 33 if precise else 25
    assert len(said.split()) <= limit and said.count("**") == 4, said


def test_tile_names_best_private_method():
    accuracies = points()
    tile = lambda better, signs: mixed_privacy_page.tiles(
        accuracies, "AdaMix", 2, "balanced", None, [], signs, better
    )[1]
    assert tile("", {}).note == "Fully-Private, not clearly better than AdaMix"
    assert tile("NGD", {}).value == "84%" and tile("NGD", {}).note.startswith("NGD, clearly better")
    compared = tile("", {"AdaMix": 0, "Fully-Private": 1})
    assert (compared.value, compared.note) == ("87%", "Fully-Private")
    assert compared.runs == "clearly better than all public images"
    accuracies["AdaMix"] = near(0.869)
    assert tile("", {}).note == "AdaMix"
    del accuracies["NGD"], accuracies["Fully-Private"]
    assert (tile("", {}).value, tile("", {}).note) == ("81%", "2 per class"), "public examples"


@pytest.mark.parametrize(
    ("sign", "note"),
    [(1, "clearly worse than AdaMix"), (-1, "clearly better than AdaMix")],
)
def test_tile_of_public_images_agrees_with_answer(sign, note):
    fields = (points(), "AdaMix", 2, "balanced", PUBLIC, [], {"AdaMix": sign})
    assert mixed_privacy_page.tiles(*fields)[2].note == note


def test_note_says_which_data_cannot_refute_adamix():
    assert "cannot refute AdaMix" in answer.premise_note("mnist5k")
    assert not answer.premise_note("omniglot-60")


@pytest.mark.parametrize(
    ("signs", "title"),
    [
        (
            (1, 0, -1),
            "Against its 2 public examples per class, AdaMix clearly wins at ε = 0.1, but"
            " loses at ε = 2",
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
    public = mixed_privacy_page.chart_title(by_budget, "AdaMix", "approx")
    reference = title.replace("its 2 public examples per class", "all public images")
    assert public.replace("\u00a0", " ") == reference


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
    assert "AdaMix clearly wins at ε = 0.1 to 0.5 and 2, but loses at ε = 3" in title
