"""The AdaMix page without a browser, and the exact numbers behind its charts."""

import dataclasses
import math
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.data import uploads
from dpviz.diagnostics import preset_comparison
from dpviz.diagnostics.attack_bound import most_auc
from dpviz.experiments import experiment
from dpviz.methods.adamix_presets import PRESETS
from dpviz.plots.settings import RecordsLine
from dpviz.stats import interval
from dpviz.text import mixed_privacy as text
from dpviz.text.template import render
from dpviz.types import Budget, DataConfig, RunSpec, Scores
from dpviz.ui.mixed_privacy import answer
from dpviz.ui.mixed_privacy.public_or_private import records_needed
from tests.kit.charts import result
from tests.kit.own_files import with_paths
from tests.kit.seen import charts, markdown, opened
from tests.kit.toys import blurred_content

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "mixed_privacy.py")


@pytest.fixture
def own():
    return uploads.keep(blurred_content(30, 40, 1.5))


def page(own, **link):
    return opened(PAGE, {"data": own, "ir": "10", "n": "3", "adamix.max_steps": "8", **link})


def sentence(at):
    return next(m.value for m in at.markdown if m.value.startswith("At ("))


def tile(at, label):
    row = next(h.proto.body for h in at.get("html") if 'class="dp-tiles"' in h.proto.body)
    return re.search(rf"{label}.*?<strong>(.*?)</strong>", row)[1]


def test_answer_matches_run_results(own):
    at = page(own, eps="0.5", shots="5", seed="4")
    settings = {"max_steps": 8, "shots": 5}
    specs = [
        RunSpec(
            uploads.display_path(uploads.path(own)),
            None,
            "adamix",
            Budget(0.5),
            ir=10.0,
            params=tuple((settings | {"shots_draw": s}).items()),
            seed=s,
        )
        for s in (4, 5, 6)
    ]
    mean = 100 * np.mean([r.scores.balanced for r in experiment.sweep(specs)])
    shown = tile(at, render(text.TILE_ACCURACY, lead="AdaMix"))
    assert float(shown.rstrip("%")) == pytest.approx(mean, abs=0.51) and shown in sentence(at)
    assert "At (0.5, 1e-5)-DP" in sentence(at) and "No privacy > AdaMix > NGD" in markdown(at)
    assert len(charts(at)) == 1 and all(c.proto.alt for c in at.get("plotly_chart"))


@pytest.mark.parametrize(
    ("fully", "ngd", "better"),
    [(0.97, 0.9, "Fully-Private"), (0.81, 0.97, "NGD"), (0.8, 0.7, "")],
)
def test_better_private_preset_is_named_in_both_modes(fully, ngd, better):
    presets = {"AdaMix": 0.8, "NGD": ngd, "Fully-Private": fully}
    budgets = dict.fromkeys(presets, 3.0) | {"Only-Public": math.inf}
    results = {
        name: [result("adamix", budget, s, presets.get(name, 0.6) + s / 25) for s in range(3)]
        for name, budget in budgets.items()
    }
    view = SimpleNamespace(budget=Budget(3.0), lead="AdaMix", shots=2)
    vars(view).update(vars(DataConfig("toy", "raw", ir=10.0)), with_budget=lambda budget: view)
    accuracies = answer.accuracies_now(results, view, "balanced")
    for precise in (True, False):
        said = answer.answer(results, view, 3.0, "balanced", precise)
        best = {"best": better or "?", "value": accuracies.get(better, accuracies["AdaMix"])}
        expected = text.BEST["lead"].fill(precise, lead="AdaMix", **best)
        assert said.endswith(expected) == bool(better)


def test_single_run_of_public_images_is_compared():
    scores = [result("adamix", 3.0, seed, 0.4 + seed / 50) for seed in range(5)]
    public = [result("public", math.inf, 0, 0.8)]
    comparison = answer.PublicComparison(public)
    accuracies = {"AdaMix": preset_comparison.accuracy(scores, "balanced")}
    assert comparison.signs(accuracies, "balanced") == {"AdaMix": -1}


@pytest.mark.parametrize(("epsilon", "last"), [(1.0, True), (3.0, False)])
def test_paper_order_is_shown_with_its_premise(epsilon, last):
    levels = {"AdaMix": 0.8, "NGD": 0.7, "Only-Public": 0.6, "Fully-Private": 0.9}
    results = {
        name: [result("adamix", epsilon, s, level + s / 50) for s in range(3)]
        for name, level in levels.items()
    }
    view = SimpleNamespace(budget=Budget(epsilon), lead="AdaMix", shots=2)
    vars(view).update(vars(DataConfig("toy", "raw", ir=10.0)), with_budget=lambda budget: view)
    said = answer.order_sentences(results, view, "balanced")
    assert "AdaMix > NGD > Public examples only" in said[0]
    assert ("Public examples only > Fully-Private" in said[0]) == last
    assert render(text.FEW_CLASSES, classes=4) in said
    wide = {name: [dataclasses.replace(r, scores=WIDE) for r in some]
            for name, some in results.items()}  # fmt: skip
    assert "many classes" not in " ".join(answer.order_sentences(wide, view, "balanced"))


WIDE = Scores(0.5, 0.5, 0.5, (0.5,) * 37)


def test_controls_change_the_numbers(own):
    at = page(own, mix="table")
    seen = [sentence(at)]
    at.number_input(key="eps").set_value(0.05).run()
    seen.append(sentence(at))
    at.select_slider(key="shots").set_value(10).run()
    seen.append(sentence(at))
    at.select_slider(key="lrx").set_value(10.0).run()
    seen.append(sentence(at))
    assert len(set(seen)) == 4 and not at.exception and not at.error
    assert "--param lr=0.05" in " ".join(code.value for code in at.code)
    at.segmented_control(key="mix-tab").set_value("compare").run()
    assert "differently than in the paper" in markdown(at)
    at.multiselect(key="pre").set_value(["no-init"]).run()
    assert "AdaMix from zero" in sentence(at) and "differently than in the paper" not in markdown(
        at
    )


def test_settings_do_not_change_ablations(own):
    at = page(
        own,
        mix="table",
        start="label-prototypes",
        pre="AdaMix,no-init,no-projection",
        **{"adamix.rank": "2"},
    )
    commands = dict(enumerate(at.code[-1].value.split("\n")))
    assert "rank=2" in commands[0] and "init=label-prototypes" in commands[0]
    assert "init=none" in commands[1] and "rank=0" in commands[2]


@pytest.mark.parametrize(
    ("look", "words"),
    [
        ("parts", text.PARTS["AdaMix from zero"]),
        ("boost", "The boost of AdaMix"),
        ("steps", "AdaMix clips"),
        ("curves", "AdaMix with zeros has an accuracy of"),
        ("attacked", "the attack on AdaMix reaches an area under the curve of"),
        ("bounds", "The corrected bound allows"),
        ("records", "With 2 images per class, public images alone classify"),
    ],
)
def test_each_view_opens_from_a_link(own, look, words):
    at = page(own, mix=look)
    assert words.lower() in markdown(at).lower()
    assert len(charts(at)) == (3 if look == "steps" else 2)
    assert look != "steps" or "**AdaMix:" in markdown(at) or "AdaMix: **" in markdown(at)
    assert look not in ("steps", "attacked", "bounds") or "private view" in markdown(at)


def test_preset_attacks_match_attackers_page(own):
    at = page(own, mix="attacked", pre="AdaMix", eps="1", table="true")
    table = next(f.value for f in at.dataframe if "area" in f.value.columns)
    assert set(table["preset"]) == set(PRESETS) and sum(table["preset"] == "AdaMix") == 3
    row = table[(table["preset"] == "AdaMix") & (table["budget"] == 1)].iloc[0]
    names: dict = {}
    code = next(c.value for c in at.code if "membership_attack" in c.value)
    exec(with_paths(code), names)
    assert row["area"] == pytest.approx(names["found"].auc) and names["found"].design == "coin"
    assert row["area limit"] == pytest.approx(most_auc(names["found"].guarantee))
    assert f"**{row['area']:.3f} ± " in markdown(at)
    at.segmented_control(key="design").set_value("test").run()
    again = next(f.value for f in at.dataframe if "area" in f.value.columns)
    assert list(again["area"]) != list(table["area"]) and list(again["accuracy"]) == list(
        table["accuracy"]
    )


def test_bounds_are_shown_with_measurements(own):
    at = page(own, mix="bounds", table="true", eps="3")
    told = next(h.proto.body for h in at.get("html") if "dp-wide" in h.proto.body)
    rows = [dict(re.findall('data-head="(.*?)">(.*?)</td>', row)) for row in told.split("<tr>")[2:]]
    assert rows[-1]["theorem"] == "Theorem 4" and len(rows) == 11
    drawn = next(f.value for f in at.dataframe if "noise σ" in f.value.columns)
    value = lambda line: drawn[(drawn["line"] == line) & (drawn["noise σ"] == 40)].iloc[0, 2]
    lines = text.BOUND_LINES
    holds = value(lines["follows"]) <= value(lines["follows-bound"])
    assert holds and rows[4]["verdict"].startswith("holds"), "a bound that is proved"
    said = markdown(at)
    assert f"excess loss over the best classifier is **{value(lines['follows']):.2g}** nats" in said
    assert f"The printed bound allows **{value(lines['printed-bound']):,.0f}** nats" in said
    at.number_input(key="eps").set_value(0.5).run()
    assert markdown(at) != said and not at.exception


def test_other_domains_need_a_bundled_set(own):
    assert "one public set" in page(own, mix="domain").info[0].value


def test_undefined_boost_is_shown_as_undefined(own):
    at = page(own, mix="boost", eps="100", ir="1", n="2")
    assert "undefined" in next(m.value for m in at.markdown if m.value.startswith("The boost of"))
    assert any(
        "undefined" in (t.get("hovertemplate") or "") and t["mode"] == "markers"
        for t in charts(at)[-1]["data"]
    )


@pytest.mark.parametrize("changes", [{"y_public": None}, {"X_public": None, "y_public": None}])
def test_missing_labeled_public_records_give_message(changes):
    at = page(uploads.keep(blurred_content(30, 40, 1.5, **changes)))
    assert "public set" in at.error[0].value.lower() and "X_public and y_public" in at.info[0].value


def test_invalid_link_falls_back(own):
    at = page(
        own, mix="nothing", pre="nobody", shots="3.5", lrx="x", start="?", eps="-1", scale="cube"
    )
    assert (
        at.select_slider(key="shots").value == 2 and "(1, 1e-5)-DP" in sentence(at) and not at.error
    )


# ------------------------------------------------------------------------------------------ numbers


def test_watched_run_is_the_scored_one(own):
    spec = RunSpec(
        uploads.display_path(uploads.path(own)),
        None,
        "adamix",
        Budget(1.0),
        params=(("max_steps", 5),),
    )
    seen = preset_comparison.run_path(spec)
    assert (
        len(seen.threshold) == 5
        and (seen.threshold > 0).all()
        and (seen.kept_share <= 1 + 1e-6).all()
    )


def test_private_records_replace_public_ones_at_run_values(own):
    at = page(own, mix="records", eps="0.5", shots="5", n="2")
    data = uploads.display_path(uploads.path(own))
    settings = {"max_steps": 8, "init": "none", "clip_mode": "fixed", "rank": 0}
    settings |= {"public_use": "none", "shots": 1}
    specs = [
        RunSpec(
            *(data, None, "adamix", Budget(0.5)),
            params=tuple((settings | {"shots_draw": seed}).items()),
            seed=seed,
            records=5,
        )
        for seed in (0, 1)
    ]
    mean = 100 * np.mean([r.scores.balanced for r in experiment.sweep(specs)])
    said = next(m.value for m in at.markdown if "number of private images reaches" in m.value)
    reached = re.search(r"private images reaches \*\*([\d.]+)%\*\* at \(0\.5, 1e-5\)-DP", said)
    assert float(reached[1]) == pytest.approx(mean, abs=0.51)
    commands = at.code[-1].value.split("\n")
    assert len(commands) == 4 and all("--ir 1.0" in one for one in commands)
    assert "--records" not in commands[0] and "--records 5" in commands[1]
    assert "--budget inf" in commands[2] and "--param shots=5" in commands[3]


@pytest.mark.parametrize(
    ("means", "least"), [((0.2, 0.6, 0.5, 0.7, 0.8), 20), ((0.9,) * 5, 1), ((0.1,) * 5, None)]
)
def test_fewest_records_is_where_line_stays_above(means, least):
    values = (1, 5, 10, 20, 0)
    line = RecordsLine("private", "adamix", False, values, tuple(interval([m]) for m in means))
    assert records_needed(line, 0.6) == least
