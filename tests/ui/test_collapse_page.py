"""The page "Neural collapse" without a browser, synthetic data on the others, and the exact numbers
of its charts.
"""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from dpviz.data import uploads
from dpviz.diagnostics import collapse_runs
from dpviz.experiments import experiment
from dpviz.stats import interval
from dpviz.text import neural_collapse as text
from dpviz.types import Budget, RunSpec
from dpviz.ui.live import long_work
from dpviz.ui.neural_collapse import against_dimension, changed_features, sections
from dpviz.ui.widgets import charts as widgets
from tests.kit.seen import charts, markdown, opened
from tests.kit.toys import content

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]

APP = str(Path(__file__).resolve().parents[2] / "app.py")
ETF = {
    "data": "etf",
    "etf.dim": "16",
    "etf.n": "300",
    "etf.beta": "0.1",
    "beside": "",
    "n": "3",
    "noisy-gd.steps": "10",
}
NAME = "etf:dim=16,n=300,beta=0.1"


def page(where="neural_collapse", **link):
    return opened(APP, link, f"pages/{where}.py", 120)


def sentence(at):
    return next(m.value for m in at.markdown if m.value.startswith("At ("))


def tile(at, label):
    row = next(h.proto.body for h in at.get("html") if 'class="dp-tiles"' in h.proto.body)
    return re.search(rf'{label}.*?<strong>(.*?)</strong><p class="[^"]*">(.*?)</p>', row).groups()


@pytest.mark.parametrize(("look", "ahead"), [("needed", True), ("dim", False)])
def test_formula_view_does_not_wait_for_training(look, ahead, monkeypatch):
    collect, show, seen = long_work.collect, widgets.show, []

    def waiting(key, groups, status, draw, begin=lambda: None, **more):
        if key == "neural-collapse":
            begin()
        return collect(key, groups, status, draw, **more)

    def noted(figure, alt, key, *args, **more):
        seen.append(key)
        return show(figure, alt, key, *args, **more)

    monkeypatch.setattr(long_work, "collect", waiting)
    monkeypatch.setattr(widgets, "show", noted)
    at = page(**ETF, look=look)
    assert (seen[0] != "neural-collapse") == ahead
    assert len(charts(at)) == 2


def test_answer_matches_run_results():
    at = page(**ETF, eps="0.3", seed="5")
    settings = (("steps", 10),)
    noisy = experiment.sweep(
        [RunSpec(NAME, None, "noisy-gd", Budget(0.3), params=settings, seed=s) for s in (5, 6, 7)]
    )
    quiet = experiment.run(
        RunSpec(NAME, None, "noisy-gd", Budget(float("inf")), params=settings, seed=5)
    )
    cost = 100 * (quiet.scores.balanced - np.mean([r.scores.balanced for r in noisy]))
    _, note = tile(at, "Synthetic")
    change = note.split()[0].replace("−", "-")
    assert float(change) == pytest.approx(-cost, abs=0.51)
    assert "At (0.3, 1e-5)-DP" in sentence(at) and text.SYNTHETIC in sentence(at)
    assert len(charts(at)) == 1 and all(c.proto.alt for c in at.get("plotly_chart"))
    assert not at.error


def test_controls_change_the_numbers():
    at = page(**ETF)
    state = lambda: sentence(at) + " ".join(h.proto.body for h in at.get("html"))
    seen = [state()]
    at.number_input(key="eps").set_value(0.05).run()
    seen.append(state())
    at.slider(key="etf.beta").set_value(0.3).run()
    seen.append(state())
    at.selectbox(key="f.centre").set_value("yes").run()
    at.number_input(key="f.pca").set_value(2).run()
    seen.append(state())
    assert len(set(seen)) == 4 and not at.exception and not at.error
    html = " ".join(h.proto.body for h in at.get("html"))
    assert "mean feature" in html and "synthetic feature vector" in html


@pytest.mark.parametrize(
    ("look", "words"),
    [
        ("class", "All measures are zero in a perfect collapse"),
        ("dim", text.ONCE_PERTURBED),
        ("moved", text.ONLY_MOVED),
        ("imbalanced", text.IMBALANCED_CLAIM),
        ("kept", "with 10 public directions and"),
        ("pca", "With K − 1 = 9 public directions"),
        ("skew", text.SKEW_CLAIM),
        ("step", "One noisy step on two perfectly collapsed classes"),
    ],
)
def test_each_view_opens_from_a_link(look, words, monkeypatch):
    monkeypatch.setattr(collapse_runs, "DRAWS", 5)
    monkeypatch.setattr(collapse_runs, "DIMS", (10, 32))
    monkeypatch.setattr(collapse_runs, "ALPHAS", (0.5, 0.9))
    at = page(**ETF, look=look)
    assert words in markdown(at) and len(charts(at)) >= 2 and not at.error
    at.session_state["table"] = True
    at.run()
    assert len(at.dataframe) == 1 and not at.exception
    at.segmented_control(key="look-tab").set_value("table").run()
    assert any("--dataset etf:" in c.value for c in at.code) and not at.exception


def test_one_step_compares_two_three_and_ten_classes(monkeypatch):
    monkeypatch.setattr(collapse_runs, "DRAWS", 2)
    at = page(**ETF, look="step")
    told = re.search(
        r"of 1% or less, one noisy step needs \*\*([\d,]+)\*\* records of two classes\. For"
        r" three classes it needs \*\*([\d,]+)\*\*, for ten \*\*([\d,]+)\*\*",
        markdown(at),
    )
    few, some, many = (int(n.replace(",", "")) for n in told.groups())
    assert few < some < many and not at.exception
    assert "K = 10" in json.dumps(charts(at)[-1])


THEORY = {
    "map": "If β = p^(−1/2), one step",
    "needed": "One private step needs",
    "theorems": "Printed bounds that hold here",
    "corners": "The ideal for three classes is −0.50",
}


def test_theory_view_uses_chosen_settings():
    at = page(**ETF, look="map", mn="50", moved="train", along="half", three10="1,4,7")
    for look, words in THEORY.items():
        tab = next(tab for tab, looks in sections.GROUPS.items() if look in looks)
        at.segmented_control(key="look-tab").set_value(tab).run()
        at.segmented_control(key="look").set_value(look).run()
        assert words in markdown(at) and len(charts(at)) >= 2 and not at.error and not at.exception
        assert any("collapse_" in c.value for c in at.code), "what gives a number again"
        there = any("dp-wide" in h.proto.body for h in at.get("html"))
        assert there == (look == "theorems"), "the theorems' table goes with its look"
    assert at.multiselect(key="three10").value == ["1", "4", "7"]


def test_multi_step_and_projection_theorems_plot_against_records():
    at = page(**ETF, look="theorems", thm="3.4", tn="10", tp="64", tb="0")
    for key, line in {
        "3.4": text.THEOREM_LINES["drawn"],
        "4.1": text.THEOREM_LINES["exact"],
    }.items():
        at.session_state["thm"] = key
        at.run()
        assert not at.error and not at.exception and at.selectbox(key="thm").value == key
        drawn = [trace["name"] for trace in charts(at)[-1]["data"] if "name" in trace]
        assert line in drawn and "Printed bound" in drawn


def test_own_features_appear_beside_synthetic_ones():
    at = page(data=uploads.keep(content()), beside="etf", n="2", ir="5", **{"noisy-gd.steps": "10"})
    assert all(tile(at, name) for name in (text.TITLES["own"], text.TITLES["synthetic"]))
    assert sentence(at)


def test_invalid_link_falls_back_bad_settings_are_reported():
    at = page(
        **ETF
        | {
            "look": "x",
            "beside": "nobody",
            "etf.alpha": "7",
            "eps": "-1",
            "move": "x",
            "by": "9",
        }
    )
    assert "(0.1, 1e-5)-DP" in sentence(at)
    at = page(**ETF | {"etf.dim": "4"})
    assert "dim must be at least 10" in at.error[0].value
    at = page(**ETF | {"f.pca": "99"})
    assert "must be at most 16" in at.error[0].value


@pytest.mark.parametrize(
    "where",
    ["trade_off", "dp_means", "public_prototypes", "who_pays", "attackers_view", "mixed_privacy"],
)
def test_synthetic_features_and_preparation_work_on_every_page(where):
    at = page(
        where,
        **ETF
        | {
            "ir": "2",
            "n": "2",
            "f.pca": "9",
            "f.centre": "yes",
            "adamix.max_steps": "5",
            "m": "dppl-mean,dppl-public",
            "tab": "guarantees",
            "look": "cost",
            "see": "cost",
        },
    )
    assert not at.error, [e.value for e in at.error]
    assert "9 principal directions" in " ".join(h.proto.body for h in at.get("html")) + markdown(at)
    assert (
        any("centre=yes,pca=9" in c.value and "--dataset etf:" in c.value for c in at.code)
        or not at.code
    )


@pytest.mark.parametrize(("kind", "holds"), [("adversarial", True), ("stochastic", False)])
def test_gradient_descent_counts_only_without_adversary(kind, holds):
    sure = lambda mean: interval([mean - 1e-4, mean, mean + 1e-4])
    names = ("Private", "Gradient descent")
    for more in (", perturbed", ", moved"):
        lines = {name: {16: sure(0.1), 1024: sure(0.1)} for name in names}
        lines |= {f"{name}{more}": {16: sure(0.1), 1024: sure(0.9)} for name in names}
        said = (
            changed_features._dimension_answer(lines, kind, False)
            if more == ", perturbed"
            else against_dimension._moved_answer(lines, "test", kind)
        )
        assert ("**holds here**" in said) == holds
        assert ("The paper makes no claim about gradient descent" in said) == holds
