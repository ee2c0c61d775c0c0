"""DP means, Public prototypes and One person, many pictures in plain words."""

from dataclasses import replace

from dpviz import privacy
from dpviz.stats import interval
from dpviz.types import Budget, DataConfig, Guarantee
from dpviz.views import dp_means_page, many_pictures_page, public_prototypes_page
from dpviz.views.dp_means_page import Rotation
from dpviz.views.many_pictures_page import Sides

OF = DataConfig("toy", "glyphnet")
PURE = Guarantee("pure", 1.0, 1e-5, "add or remove one record", "", 1.0, 0.1, "a source")
PERSON = replace(PURE, adjacency=privacy.ADD_REMOVE_PERSON)


def scores(right, quiet):
    return interval([right - 0.01, right + 0.01]), interval([quiet], noisy=False)


def no_symbols(said):
    return not any(sign in said for sign in ("ε", "δ", "IR ", "DP)", "%", "°", "minority"))


def test_dp_means_page_is_described_plainly():
    def said(right=0.1, lost=9, small=8):
        turned = Rotation(400, 9.4), Rotation(small, 78.0)
        return dp_means_page.answer(
            OF, "minority", ("3", "7"), scores(right, 0.94), turned, (lost, 10), PURE
        )

    assert "the rare digits 3 and 7 are recognised **10 times in 100**; without noise" in said()
    assert "manages **94**" in said() and "(8 pictures) by **78**" in said()
    assert "(1 picture)" in said(small=1) and "**22 times in 100**" in said(0.22)
    assert "in **9 of 10** classes" in said() and "find every class's average" in said(lost=0)
    assert "at most **74 times in 100**" in said() and no_symbols(said())


def test_public_prototypes_page_is_described_plainly():
    def said(picked=(31, 50), nonsense=0.5):
        return public_prototypes_page.answer(
            OF, "balanced", (), scores(0.7, 0.88), picked, nonsense, PURE, 5
        )

    assert "**31 of 50** picks (5 draws for each class) are of their class, and" in said()
    assert "**70 times in 100**; without noise the same method manages **88**." in said()
    assert "at **0.5** or less" in said() and "luck picks" not in said(nonsense=None)
    assert "draws" not in said(picked=None) and no_symbols(said())


def test_many_pictures_page_is_described_plainly():
    def said(person=0.5, sign=-1):
        scores = interval([0.69, 0.71]), interval([person - 0.01, person + 0.01])
        sides = Sides("DPPL-Mean", *scores, sign, 5, picked=True)
        return many_pictures_page.answer(False, sides, Budget(1.0), ())

    assert "costs **20\u00a0points** more than protecting each image" in said()
    assert "about **2\u00a0points** here" in said(0.68, 0) and "not clear" in said(0.68, 0)
    assert "no clear cost" in said(0.71, 0)
    assert "costs nothing here: **80%** instead of **70%**" in said(0.8, 1)
    one_seed = Sides("A", interval([0.7]), interval([0.6]), 0, 5, picked=True)
    assert "One noise seed cannot" in many_pictures_page.answer(False, one_seed, Budget(1.0), ())
    assert many_pictures_page.limit_text(1) == "at most 1 image per person"
    assert "all images" in many_pictures_page.limit_text(0)


def test_many_pictures_tiles_give_both_guarantees_and_the_attackers_guess():
    scores = interval([0.69, 0.71]), interval([0.49, 0.51])
    sides = Sides("DPPL-Mean", *scores, -1, 5, picked=True)
    made = many_pictures_page.tiles(sides, PERSON, interval([0.6]))
    assert [tile.value.split(" ")[0] for tile in made] == ["50%", "70%", "73.2%", "60%"]
    assert made[0].note == "−20 points vs. per image" and made[0].tone == "bad"
    assert "at most 5 images per person" in made[0].help
