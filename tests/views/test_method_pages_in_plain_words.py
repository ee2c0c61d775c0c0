"""DP means, Public prototypes and One person, many pictures in plain words."""

import math
from dataclasses import replace
from functools import partial

from dpviz import privacy
from dpviz.diagnostics.mean_errors import Turn
from dpviz.plots.paired_dots import PairedRow
from dpviz.stats import interval
from dpviz.text import dp_means as dp_means_text
from dpviz.types import Budget, DataConfig, Guarantee
from dpviz.views import dp_means_page, many_pictures_page, method_tiles, public_prototypes_page
from dpviz.views.many_pictures_page import Sides
from dpviz.views.phrases import untested

OF = DataConfig("toy", "glyphnet")
PURE = Guarantee("pure", 1.0, 1e-5, "add or remove one record", "", 1.0, 0.1, "a source")
PERSON = replace(PURE, adjacency=privacy.ADD_REMOVE_PERSON)


def scores(right, quiet):
    return interval([right - 0.01, right + 0.01]), interval([quiet], noisy=False)


def turns(*turned):
    return [Turn(n, angle, ratio, 60.0) for n, angle, ratio in turned]


def no_symbols(said):
    return not any(sign in said for sign in ("ε", "δ", "IR ", "DP)", "%", "°", "minority"))


def test_dp_means_answer_compares_accuracy_with_and_without_noise():
    def said(private, quiet, metric="minority", precise=False):
        return dp_means_page.answer(*scores(private, quiet), Budget(1.0), metric, precise)

    plain = "At ε = 1, noise lowers accuracy on rare classes from **94%** to **10%**."
    assert said(0.1, 0.94).replace("\u00a0", " ") == plain
    assert "lowers accuracy averaged over classes" in said(0.1, 0.94, "balanced", precise=True)
    assert "does not clearly change" in said(0.9, 0.9)
    assert "raises" in said(0.9, 0.1, "overall")
    assert said(math.nan, 0.9) == dp_means_text.ANSWERS["untested"].fill(False)


def test_dp_means_finding_counts_means_moved_too_far():
    near, far = (400, 9.4, 0.2), (8, 78.2, 2.44)
    said = lambda *rows: dp_means_page.finding(turns(*rows)).replace("\u00a0", " ")
    assert (
        said(near, far)
        == "Noise shifts 1 of 2 means by more than the distance to the nearest class"
    )
    assert (
        said(far, (9, 80.0, 1.0))
        == "Noise shifts all 2 means by more than the distance to the nearest class"
    )
    assert said(near) == "Noise shifts no mean by more than the distance to the nearest class"


def test_dp_means_finding_names_rare_classes_if_only_they_move():
    near, far = (400, 9.4, 0.2), (8, 78.2, 2.44)
    said = lambda rare, *rows: dp_means_page.finding(turns(*rows), rare).replace("\u00a0", " ")
    both = "Noise shifts all 2 rare-class means by more than the distance to the nearest class"
    assert said((1, 2), near, far, far) == both
    one = "Noise shifts the only rare-class mean by more than the distance to the nearest class"
    assert said((1,), near, far) == one
    some = "Noise shifts 2 of 4 means by more than the distance to the nearest class"
    assert said((1,), near, far, far, near) == some
    assert said((1, 2, 3), near, far, far, near) == some


def test_shift_exceeds_1_only_for_failing_classes():
    rows = turns((400, 9.4, 0.2), (8, 78.2, 2.44))
    moved = {c for c, turn in enumerate(rows) if dp_means_page.shift(turn) > 1}
    assert moved == dp_means_page.failing(rows) == {1}
    assert dp_means_page.shift(replace(rows[0], nearest=0.0)) == math.inf


def test_public_prototypes_answer_chooses_its_case():
    def said(right=31, lacking=(), private=0.7, quiet=0.88, precise=False, rare=("9",), alike=16):
        picks = public_prototypes_page.Picks(right, 50, lacking, alike)
        scored = scores(private, quiet)
        return public_prototypes_page.answer(Budget(1.0), picks, *scored, 0.1, rare, precise)

    assert said().startswith("Across all runs at") and said().endswith(
        "**31 of 50** prototypes show the right class. Most others are look-alikes."
    )
    assert said(alike=3).endswith("Most others are wrong.")
    assert said(right=30, alike=10).endswith("Half of the others are look-alikes.")
    assert said(right=50, alike=0).endswith("**50 of 50** prototypes show the right class.")
    assert "over all noise seeds" in said(precise=True) and "(1, 1e-5)-DP" in said(precise=True)
    assert said(lacking=("7", "9")).endswith("Classes without a public image: 7 and 9.")
    assert said(right=None, lacking=("7", "9")).startswith("No public image shows a private class")
    assert "without a label" in said(right=None, lacking=None)
    assert "do not beat chance" in said(quiet=0.1)
    assert said(private=float("nan")) == untested(("9",))


def test_public_prototypes_finding_names_the_border():
    border, smallest = Budget(0.5), Budget(0.01)

    def said(border, useful, metric):
        found = public_prototypes_page.finding(border, smallest, useful, metric)
        return found.replace("\u00a0", " ")

    lost = said(border, True, "minority")
    assert lost == "On rare classes, most of the accuracy above chance is lost at ε ≤ 0.5"
    assert "remains down to ε = 0.01" in said(None, True, "balanced")
    assert "does not exceed chance" in said(None, False, "overall")


def test_method_tiles_state_loss_and_subject_of_the_guess():
    private, quiet = scores(0.1, 0.94)
    fields = ("dppl-mean", "minority", ("3", "7"), OF)
    tile = method_tiles.accuracy_tile(*fields, (private, quiet), precise=False)
    assert (tile.label, tile.value) == ("Rare classes", "10%")
    assert tile.note == "94% without noise" and "Mean of 2 runs" in tile.help
    assert "3 and 7" in tile.help
    gained = method_tiles.accuracy_tile(*fields, scores(0.94, 0.88), precise=False)
    assert gained.note == "88% without noise"
    fields = (*fields[:-1], replace(OF, ir=50.0))
    drawn = method_tiles.accuracy_tile(*fields, (private, quiet), precise=False)
    assert (drawn.note, drawn.runs) == (tile.note, "2 runs, 1 data draw")
    assert "mean of 10 data draws" in drawn.help
    untested = interval([float("nan")]), quiet
    assert method_tiles.accuracy_tile(*fields, untested, precise=True).note == "no test images"
    guess_tile = partial(method_tiles.guess_tile, method="dppl-mean")
    assert "your image was used" in guess_tile(PURE).help
    assert "your images were used" in guess_tile(PERSON).help
    assert (guess_tile(PURE).value, guess_tile(PURE).note) == ("73.2%", "DPPL-Mean")
    assert guess_tile(PURE).runs == "pure DP, δ = 0"
    assert guess_tile(replace(PURE, notion="gdp")).runs == "Gaussian noise, δ = 1e-5"
    assert method_tiles.public_tile(None, "dppl-mean", private, OF).value == "–"
    public = method_tiles.public_tile(quiet, "dppl-mean", private, fields[-1])
    assert public.runs == "1 run, 1 data draw"


def test_many_pictures_page_is_described_plainly():
    def said(person=0.5, sign=-1, public=None):
        scores = interval([0.69, 0.71]), interval([person - 0.01, person + 0.01])
        sides = Sides("DPPL-Mean", *scores, sign, 5, picked=6)
        return many_pictures_page.answer(False, sides, Budget(1.0), (), public)

    assert "instead of each image costs DPPL\\-Mean **20\u00a0points** of accuracy" in said()
    assert "Public" not in said()
    assert said(public=interval([0.9])).endswith("Public images alone do better: **90%**.")
    assert "about **2\u00a0points**" in said(0.68, 0) and "not clear" in said(0.68, 0)
    assert "no clear cost" in said(0.71, 0)
    assert "costs nothing: **80%** instead of **70%**" in said(0.8, 1)
    one_seed = Sides("A", interval([0.7]), interval([0.6]), 0, 5, picked=6)
    assert "One noise seed cannot" in many_pictures_page.answer(False, one_seed, Budget(1.0), ())
    assert many_pictures_page.limit_text(1) == "at most 1 image per person"
    assert "all images" in many_pictures_page.limit_text(0)


def test_many_pictures_finding_states_cost_at_every_limit():
    image = interval([0.69, 0.71])
    low, high = (replace(image, mean=at, low=at - 0.01, high=at + 0.01) for at in (0.5, 0.6))
    sides = Sides("A", image, high, -1, 5, picked=6)

    def said(*signs):
        rows = [PairedRow(5, high, signs[0]), PairedRow(0, low, signs[1])]
        return many_pictures_page.finding(False, sides, rows, "A")

    growing = "Allowing more images per person costs A more: 10 to 20\u00a0points"
    assert said(-1, -1) == growing
    falling = [PairedRow(5, low, -1), PairedRow(0, high, -1)]
    least = "A: the cost is clear at every limit, least with all images: 10\u00a0points"
    assert many_pictures_page.finding(False, sides, falling, "A") == least
    wide = replace(high, low=0.4)
    unclear = [PairedRow(5, wide, -1), PairedRow(0, low, -1)]
    least = "A: the cost is clear at every limit, least with 5 images: 10\u00a0points"
    assert many_pictures_page.finding(False, sides, unclear, "A") == least
    assert said(0, -1) == "A: the cost is clear at 1 of 2 limits"
    equal = [PairedRow(5, high, -1), PairedRow(0, high, -1)]
    assert many_pictures_page.finding(False, sides, equal, "A").endswith("limit: 10\u00a0points")
    assert said(0, 0) == "A: no limit on images per person shows a clear cost"
    one_seed = replace(sides, person=interval([0.6]))
    assert many_pictures_page.finding(False, one_seed, ()) == "Accuracy by images per person"


def test_many_pictures_tiles_give_both_guarantees_and_the_attackers_guess():
    scores = interval([0.69, 0.71]), interval([0.49, 0.51])
    sides = Sides("DPPL-Mean", *scores, -1, 5, picked=6)
    made = many_pictures_page.tiles(sides, PERSON, interval([0.6]), precise=True)
    assert [tile.value.split(" ")[0] for tile in made] == ["50%", "70%", "73.2%", "60%"]
    assert made[0].note == "−20 points vs. per image" and made[0].tone == "bad"
    assert "at most 5 images per person" in made[0].help
