"""The answer of Trade-off: the cost of privacy, public data alone, equal leakage."""

import math
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from dpviz.diagnostics import attack_bound
from dpviz.plots.budget_curves import BudgetCurve, Line
from dpviz.stats import interval
from dpviz.types import Budget, DataConfig, Guarantee
from dpviz.views import guarantee_in_words, phrases, trade_off_page
from dpviz.views.equal_leakage import EqualLeakage

PICTURES = DataConfig("mnist5k", "glyphnet")
RARE = ("3", "7", "9")
EXACT = interval([0.94], noisy=False)


def pure(epsilon, notion="pure", adjacency="add or remove one record"):
    return Guarantee(notion, epsilon, 1e-5, adjacency, "the encoder", epsilon, 0.1, "a source")


def line(key, *means):
    points = tuple(interval([m - 0.004, m, m + 0.004]) for m in means)
    return Line(key, key, tuple(10.0**i for i in range(len(means))), points)


CURVE = BudgetCurve(
    "minority",
    Budget(1.0),
    (line("dppl-public", 0.70, 0.84), line("noisy-gd", 0.37, 0.85)),
    (Line("class-mean", "Class mean", (math.inf,), (EXACT,)),),
    0.1,
    3,
    quiet=(
        ("dppl-public", interval([0.88], noisy=False)),
        ("noisy-gd", interval([0.86], noisy=False)),
    ),
)
PUBLIC = Line("public-reference", "Public data only", (math.inf,), (interval([0.76], noisy=False),))
GIVEN = {"dppl-public": pure(1.0), "noisy-gd": pure(1.22, "gdp")}


def equal(**means):
    points = {
        key.replace("_", "-"): interval([m - 0.004, m, m + 0.004]) for key, m in means.items()
    }
    return EqualLeakage(0.623, points, GIVEN)


def over_draws(point):
    """The same numbers over five data draws without spread."""
    return replace(point, draws=tuple((draw, point.mean) for draw in range(5)))


def drawn(curve):
    lines = [replace(one, points=tuple(map(over_draws, one.points))) for one in curve.lines]
    return replace(curve, lines=tuple(lines), draws=5)


def equal_over_draws(**means):
    once = equal(**means)
    return replace(once, points={key: over_draws(point) for key, point in once.points.items()})


def summary(curve=CURVE, rare=RARE, config=PICTURES):
    return trade_off_page.Summary(curve, config, rare)


def said(curve=CURVE, now=1.0, rare=RARE):
    return summary(curve, rare).answer(now, precise=False).replace("\\", "").replace("\u00a0", " ")


def precise(curve=CURVE, now=1.0, rare=RARE):
    return summary(curve, rare).answer(now, precise=True).replace("\\", "").replace("\u00a0", " ")


def finding(equal, is_precise=True):
    return summary().finding(1.0, is_precise, equal).replace("\u00a0", " ")


def test_plain_answer_uses_natural_frequencies():
    assert said() == (
        "At ε = 1, DPPL-Public recognizes **70 of 100** test images of rare classes. Without noise"
        " it would be **88**."
    )
    assert said(now=10.0).startswith("At ε = 10, the private linear probe recognizes **85 of 100**")
    assert not any(sign in said() for sign in ("IR", "δ", "DP)", "%", "1e-5", "minority"))


def test_answer_states_cost_of_noise_before_public_images():
    assert said(beside_public(0.76)) == (
        "At ε = 1, noise costs DPPL-Public **18 points** of accuracy on rare classes. Public images"
        " alone do better: **76%**, compared with 70%."
    )
    free = replace(beside_public(0.76), quiet=(("dppl-public", interval([0.701], noisy=False)),))
    assert said(free).startswith("At ε = 1, noise costs DPPL-Public no clear accuracy on rare")
    unknown = replace(beside_public(0.76), quiet=())
    assert said(unknown).startswith("At ε = 1, DPPL-Public is the best private method. Public")


def test_noiseless_reference_is_same_method_not_best():
    assert precise() == (
        "At (1, 1e-5)-DP, DPPL-Public classifies **70%** of test images of rare classes"
        " correctly; without noise, **88%**."
    )
    assert "94" not in precise() + said(), "the class mean is another method"
    waiting = replace(CURVE, quiet=CURVE.quiet[1:])
    assert "without noise" not in (said(waiting) + precise(waiting)).lower()


def beside_public(share):
    points = (interval([share - 0.004, share, share + 0.004]),)
    return replace(CURVE, references=(replace(PUBLIC, points=points),))


@pytest.mark.parametrize(
    ("share", "verdict"),
    [
        (0.76, "are significantly better than DPPL-Public"),
        (0.699, "no significant gain"),
        (0.701, "Use public images alone."),
    ],
)
def test_public_data_come_first_unless_private_is_better(share, verdict):
    answer = precise(beside_public(share))
    assert answer.startswith("At (1, 1e-5)-DP") and verdict in answer
    assert f"**{100 * share:.0f}%**" in answer and "**18 points**" in answer
    assert re.search("public images (alone|of the same)", said(beside_public(share)).lower())


def test_public_images_are_advised_only_where_at_least_as_good():
    advised = lambda share: "se public images alone" in said(beside_public(share))
    assert "Public images alone do better" in said(beside_public(0.76))
    assert advised(0.701) and not advised(0.699) and not advised(0.60)
    private = {"dppl-public": interval([0.696, 0.70, 0.704])}
    public = lambda share: interval([share - 0.004, share, share + 0.004])
    tiles = [trade_off_page.public_tile(public(share), private) for share in (0.76, 0.701, 0.6)]
    assert [tile.note for tile in tiles] == [
        "clearly better, if you have such images",
        "not beaten, if you have such images",
        "clearly worse",
    ]


def test_preliminary_numbers_give_no_advice():
    starts = {
        0.76: "public images alone do better",
        0.701: "no private method clearly beats public images alone",
    }
    for share, start in (starts | {0.60: "DPPL-Public does better"}).items():
        early = replace(summary(beside_public(share)), preliminary=True)
        plain = early.answer(1.0, precise=False).replace("\\", "").replace("\u00a0", " ")
        assert plain.startswith(f"So far at ε = 1, {start}: **") and "**70" in plain
        assert "se public images alone" not in plain + early.answer(1.0, precise=True)
    private = {"dppl-public": interval([0.696, 0.70, 0.704])}
    public = lambda share: interval([share - 0.004, share, share + 0.004])
    tiles = [trade_off_page.public_tile(public(x), private, True) for x in (0.76, 0.701, 0.6)]
    assert [tile.note for tile in tiles] == ["better so far", "not beaten so far", "clearly worse"]


def test_private_method_that_beats_public_data_is_said_to():
    assert "Public images alone do clearly worse: **60%**" in said(beside_public(0.60))
    assert "is significantly better than public images alone" in precise(beside_public(0.60))


def test_methods_are_compared_at_equal_leakage():
    leakage = replace(CURVE, budget=Budget(62.0, "guess"))
    at_leakage = lambda equal: summary(leakage).finding(1.0, True, equal).replace("\u00a0", " ")
    assert at_leakage(equal(dppl_public=0.70, noisy_gd=0.7005)) == (
        "At equal attacker success, the private linear probe and DPPL-Public do not differ"
        " significantly: 70% and 70%"
    )
    assert at_leakage(equal(dppl_public=0.70, noisy_gd=0.85)).endswith(
        "the private linear probe is significantly better than DPPL-Public on one data draw:"
        " 85% vs. 70%"
    )
    once = EqualLeakage(0.623, {key: interval([0.5], noisy=True) for key in GIVEN}, GIVEN)
    assert "One seed cannot show" in finding(once)


@pytest.mark.parametrize(
    ("own", "probe", "ending"),
    [
        (
            0.70,
            0.7005,
            "At equal ε, DPPL-Public leads; at equal attacker success it has no clear lead",
        ),
        (0.70, 0.85, "the private linear probe leads instead of DPPL-Public"),
        (0.85, 0.70, "beats the private linear probe, even at equal attacker success"),
    ],
)
def test_finding_covers_equal_budget_and_leakage(own, probe, ending):
    means = {"dppl_public": own, "noisy_gd": probe}
    several, here = summary(drawn(CURVE)), "on one data draw"

    def words(view, equal, precise):
        return view.finding(1.0, precise, equal).replace("\u00a0", " ")

    plain = words(several, equal_over_draws(**means), False)
    assert plain.endswith(ending)
    assert plain == words(summary(), equal(**means), False), "the same words for one draw"
    assert here in words(summary(), equal(**means), True).lower()
    assert here in words(several, equal(**means), True).lower(), "one draw at equal leakage"
    assert here not in words(several, equal_over_draws(**means), True).lower()


@pytest.mark.parametrize(
    ("other", "expected"),
    [(0.5, "leads, but allows better attacks"), (2.0, "leads; at equal attacker success")],
)
def test_plain_subtitle_names_the_weakest_guarantee(other, expected):
    def run(method, value):
        spec = SimpleNamespace(method=method, budget=Budget(1.0))
        return SimpleNamespace(spec=spec, guarantee=pure(value))

    runs = [run("dppl-public", 1.0), run("noisy-gd", other)]
    view = trade_off_page.Summary(CURVE, PICTURES, RARE, runs)
    words = view.finding(1.0, False, equal(dppl_public=0.70, noisy_gd=0.7005))
    assert f"DPPL-Public {expected}" in words


def test_public_images_are_better_on_one_draw_or_over_draws():
    once = beside_public(0.76)
    assert "on one data draw." in precise(once)
    several = drawn(once)
    public = replace(PUBLIC, points=(over_draws(once.references[0].points[0]),))
    several = replace(several, references=(public,))
    assert "are significantly better" in precise(several) and "draw" not in precise(several)
    assert said(several) == said(once), "the same words for one draw"


def test_finding_names_level_methods_once():
    level = replace(CURVE, lines=(line("dppl-public", 0.70), line("noisy-gd", 0.7005)))
    title = summary(level).finding(1.0, False, equal(dppl_public=0.70, noisy_gd=0.7005))
    assert title == "No private method clearly leads, even at equal attacker success"


@pytest.mark.parametrize(
    ("share", "title"),
    [
        (0.05, "A private method clearly beats public images alone at every ε"),
        (0.76, "A private method clearly beats public images alone only at ε = 10"),
        (0.99, "None of these private methods clearly beats public images alone up to ε = 10"),
    ],
)
def test_plain_title_compares_all_budgets_with_public_images(share, title):
    view = summary(beside_public(share))
    assert view.finding(1.0, False).replace("\u00a0", " ") == title
    assert view.finding(1.0, True) != title
    early = replace(view, preliminary=True)
    assert early.finding(1.0, False) == "Accuracy against privacy budget", "nothing compared yet"


def test_best_method_is_corrected_for_selection():
    crowd = {f"m{i}": interval([0.48, 0.49, 0.50]) for i in range(9)}
    two = {"dppl-public": interval([0.50, 0.51, 0.52]), "noisy-gd": interval([0.47, 0.48, 0.49])}
    few, many = EqualLeakage(0.6, two, GIVEN), EqualLeakage(0.6, two | crowd, GIVEN)
    assert "not significant" not in finding(few)
    assert "at equal attacker success, the difference is not significant" in finding(many)


def test_fall_below_chance_is_explained():
    low = replace(
        CURVE, lines=(line("dppl-mean", 0.04, 0.06, 0.8), line("noisy-gd", 0.05, 0.09, 0.8))
    )
    note = trade_off_page.below_chance(low)
    assert "Below chance: " in note and "mean" in note and "noisy" not in note
    assert not trade_off_page.below_chance(CURVE)
    assert not trade_off_page.below_chance(replace(low, metric="balanced"))


def test_bounded_range_explains_the_best_guess():
    once = replace(pure(1.0), bounded_range=True)
    note = phrases.bounded_range(once, "DPPL-Public")
    assert "at most 62.3%, not the 73.2%" in note
    assert phrases.bounded_range(pure(1.0), "A") == ""


def test_equal_class_sizes_have_no_minority():
    assert said(rare=()) == said() and "rare classes" in said()


def test_chance_accuracy_is_named():
    blind = replace(CURVE, lines=(line("dppl-public", 0.1), line("noisy-gd", 0.09)))
    assert "no private method clearly beats chance" in said(blind)
    assert "no private method differs significantly from chance (10%)" in precise(blind)


def test_guarantee_has_one_figure_everywhere():
    one = pure(1.0)
    assert guarantee_in_words.gain(one) == "Attacker's best guess: 73.2%"
    assert dict(guarantee_in_words.rows_of(one))["attacker's best guess"].startswith(
        "at most 73.2%"
    )
    assert "73.2%" in guarantee_in_words.odds({"A": one}, precise=False)
    assert "73.2%" in guarantee_in_words.odds({"A": one})
    assert attack_bound.success_bound(one) < 0.74
    nothing = pure(math.inf)
    assert "No limit" in guarantee_in_words.gain(nothing)
