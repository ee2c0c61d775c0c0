"""The page "Mixed privacy" without a browser, and the exact numbers behind its charts."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from dpviz.data import uploads
from dpviz.diagnostics import adamix_steps
from dpviz.methods.parts import mixed_gradients as arithmetic
from dpviz.plots import adamix_trace, boost_by_public_shots, error_by_budget, preset_errors
from dpviz.run import experiment
from dpviz.types import Budget, Guarantee, Result, RunSpec, Scores
from tests.kit.seen import charts, markdown, opened
from tests.kit.toys import blurred_content

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "mixed_privacy.py")


@pytest.fixture
def own():
    return uploads.keep(blurred_content(30, 40, 1.5))


def page(own, **link):
    return opened(PAGE, {"data": own, "ir": "10", "n": "3", "adamix.max_steps": "8", **link})


def sentence(at):
    return next(m.value for m in at.markdown if m.value.startswith("With "))


def test_the_sentence_says_what_the_runs_say(own):
    at = page(own, eps="0.5", shots="5", seed="4")
    settings = {"max_steps": 8, "shots": 5}
    specs = [
        RunSpec(
            uploads.shown(uploads.path(own)),
            None,
            "adamix",
            Budget(0.5),
            ir=10.0,
            params=tuple((settings | {"draw": s}).items()),
            seed=s,
        )
        for s in (4, 5, 6)
    ]
    mean = 100 * np.mean([1 - r.scores.balanced for r in experiment.sweep(specs)])
    said = re.search(r"AdaMix errs on \*\*([\d.]+)\s%\*\*", sentence(at))
    assert float(said[1]) == pytest.approx(mean, abs=0.51)
    assert "5 public examples a class, IR 10 and (0.5, 1e-5)-DP" in sentence(
        at
    ) and "paragon < AdaMix < NGD" in sentence(at)
    assert len(charts(at)) == 2 and all(c.proto.alt for c in at.get("plotly_chart"))


def test_controls_move_the_numbers(own):
    at = page(own, table="true")
    seen = [sentence(at)]
    at.number_input(key="eps").set_value(0.05).run()
    seen.append(sentence(at))
    at.select_slider(key="shots").set_value(10).run()
    seen.append(sentence(at))
    at.select_slider(key="lrx").set_value(10.0).run()
    seen.append(sentence(at))
    assert len(set(seen)) == 4 and not at.exception and not at.error
    assert "--param lr=0.5" in " ".join(code.value for code in at.code)
    at.multiselect(key="pre").set_value(["no-init"]).run()
    assert "no-init errs on" in sentence(at) and "paper's order" not in sentence(at)


def test_settings_leave_ablations_what_they_are(own):
    at = page(
        own,
        table="true",
        start="label-prototypes",
        pre="AdaMix,no-init,no-projection",
        **{"adamix.rank": "2"},
    )
    commands = dict(enumerate(at.code[-1].value.split("\n")))
    assert "rank=2" in commands[0] and "init=label-prototypes" in commands[0]
    assert "init=none" in commands[1] and "rank=0" in commands[2]


@pytest.mark.parametrize(
    ("look", "words"),
    [("parts", "the public start"), ("boost", "Boost of AdaMix"), ("steps", "AdaMix clips")],
)
def test_each_look_opens_from_a_link(own, look, words):
    at = page(own, mix=look)
    assert words.lower() in markdown(at).lower() and len(charts(at)) == 2
    assert look != "steps" or "private view" in markdown(at)


def test_other_domains_need_a_bundled_set(own):
    assert "one public set" in page(own, mix="domain").info[0].value


def test_undefined_boost_is_shown_as_undefined(own):
    at = page(own, mix="boost", eps="100", ir="1", n="2")
    assert "undefined" in next(m.value for m in at.markdown if m.value.startswith("Boost of"))
    assert any(
        "undefined" in (t.get("hovertemplate") or "") and t["mode"] == "markers"
        for t in charts(at)[-1]["data"]
    )


@pytest.mark.parametrize("changes", [{"y_public": None}, {"X_public": None, "y_public": None}])
def test_without_labelled_public_records_a_sentence_says_so(changes):
    at = page(uploads.keep(blurred_content(30, 40, 1.5, **changes)))
    assert "public set" in at.error[0].value.lower() and "X_public and y_public" in at.info[0].value


def test_a_link_with_nonsense_falls_back(own):
    at = page(
        own, mix="nothing", pre="nobody", shots="3.5", lrx="x", start="?", eps="-1", scale="cube"
    )
    assert (
        "2 public examples a class" in sentence(at)
        and "(1, 1e-5)-DP" in sentence(at)
        and not at.error
    )


# ------------------------------------------------------------------------------------------ numbers


def result(budget, seed, accuracy):
    promise = Guarantee("gdp", 1.0, 1e-5, "add", "none", 1.0, 0.5, "here")
    scores = Scores(accuracy, accuracy, accuracy, (accuracy,) * 4)
    return Result(
        RunSpec("toy", None, "adamix", Budget(budget), seed=seed),
        scores,
        promise,
        (0,),
        (5,) * 4,
        0.1,
        {},
    )


def test_error_curve_exactly():
    runs = [
        result(b, s, a) for b, s, a in [(1.0, 0, 0.5), (1.0, 1, 0.7), (3.0, 0, 0.8), (3.0, 1, 0.8)]
    ]
    found = error_by_budget.info(
        {"AdaMix": runs + runs[:1], "paragon": [result(math.inf, 0, 0.9)], "NGD": []},
        "balanced",
        "approx",
        1e-5,
    )
    assert [line.name for line in found.lines] == ["AdaMix"] and found.lines[0].budgets == (
        1.0,
        3.0,
    )
    assert [p.mean for p in found.lines[0].points] == pytest.approx([0.4, 0.2])
    assert (
        found.levels[0].points[0].mean == pytest.approx(0.1)
        and found.chance == 0.75
        and found.seeds == 2
    )
    assert found.at(3.0)["AdaMix"].mean == pytest.approx(0.2)


@pytest.mark.parametrize("log", [False, True])
def test_figures_are_what_plotly_takes(log):
    import plotly.graph_objects as go

    runs = [result(b, s, 0.5 + s / 10) for b in (1.0, 3.0) for s in (0, 1)]
    curve = error_by_budget.info(
        {"AdaMix": runs, "paragon": [result(math.inf, 0, 0.9)]}, "balanced", "approx", 1e-5, ["NGD"]
    )
    bars = preset_errors.info(
        {(n, s): (0.1, 0.2) for n in ("AdaMix", "NGD") for s in ("one", "two")}, "balanced"
    )
    for figure in (error_by_budget.figure(curve, 1.0, log), preset_errors.figure(bars)):
        go.Figure(figure.to_dict())  # checks every name and value


def test_boost_exactly():
    assert boost_by_public_shots.boost([0.3], [0.2], [0.1]).value == pytest.approx(
        2.0
    ) and math.isnan(boost_by_public_shots.boost([0.3], [0.2], [0.1]).low)
    same = boost_by_public_shots.boost([0.3, 0.3], [0.2, 0.2], [0.1, 0.1])
    assert (same.value, same.low, same.high) == pytest.approx((2.0, 2.0, 2.0))
    assert not boost_by_public_shots.boost(
        [0.3, 0.3], [0.104, 0.105], [0.1, 0.1]
    ).defined  # within half a point
    assert not boost_by_public_shots.boost(
        [0.3, 0.3], [0.1, 0.3], [0.1, 0.1]
    ).defined  # cannot be told from the paragon
    assert not boost_by_public_shots.boost(
        [0.3, 0.3], [0.05, 0.05], [0.1, 0.1]
    ).defined  # below the paragon


def test_fieller_interval_covers_as_it_says():
    """2,000 trials of 5 runs, true ratio 2: coverage is in 95 ± 2 points; a false alarm has chance
    below 1e-4.
    """
    rng = np.random.default_rng(0)
    draws = rng.normal([0.4, 0.2], [0.03, 0.03], (2000, 5, 2))
    found = [boost_by_public_shots.boost(d[:, 0], d[:, 1], np.zeros(5)) for d in draws]
    covered = np.mean([b.low <= 2 <= b.high for b in found if b.defined])
    assert sum(b.defined for b in found) > 1990 and abs(covered - 0.95) < 0.02


def test_boost_info_and_words():
    errors = {("Only-Public", 1): (0.5,), ("AdaMix", 1): (0.3,), ("paragon", 1): (0.1,)}
    errors |= {("Only-Public", 2): (0.4,), ("AdaMix", 2): (0.1,), ("paragon", 2): (0.1,)}
    shown = boost_by_public_shots.info(errors, ("AdaMix",), 2)
    assert shown.shots == (1, 2) and [
        boost_by_public_shots.words(v) for v in shown.lines[0][1]
    ] == [
        "2",
        "undefined",
    ]
    figure = boost_by_public_shots.figure(shown)
    assert figure.data[0]["y"][1] is None and list(figure.data[1]["x"]) == [1.0]


def test_steps_of_a_run():
    path = arithmetic.Path(
        *(np.array([1.0, 2.0]) for _ in range(2)),
        np.array([[1, 2, 3], [4, 5, 6.0]]),
        *(np.array([0.5, 0.25]) for _ in range(4)),
    )
    shown = adamix_trace.info(path)
    assert (
        shown.steps == 2
        and shown.traces[0].values == (2.0, 5.0)
        and shown.traces[0].band == ((1.0, 4.0), (3.0, 6.0))
    )
    rows = adamix_trace.table(shown)
    assert rows[1]["threshold τ"] == 2.0 and rows[0]["records clipped"] == 0.5
    assert len(adamix_trace.figure(shown).data) == 8


def test_the_watched_run_is_the_scored_one(own):
    spec = RunSpec(
        uploads.shown(uploads.path(own)), None, "adamix", Budget(1.0), params=(("max_steps", 5),)
    )
    seen = adamix_steps.path(spec)
    assert len(seen.threshold) == 5 and (seen.threshold > 0).all() and (seen.kept <= 1 + 1e-6).all()


def test_bars_exactly():
    bars = preset_errors.info(
        {("AdaMix", "one"): (0.1, 0.3), ("AdaMix", "two"): (0.2,), ("NGD", "one"): (0.4,)},
        "balanced",
    )
    assert bars.names == ("AdaMix", "NGD") and bars.series == ("one", "two")
    assert (
        bars.points["AdaMix", "one"].mean == pytest.approx(0.2)
        and bars.points["NGD", "one"].mean == 0.4
    )
    drawn = preset_errors.figure(bars).data
    assert len(drawn) == 4 and list(drawn[2]["x"]) == [0.2]
