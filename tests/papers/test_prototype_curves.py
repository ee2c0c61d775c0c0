"""Tries of curves with made-up accuracies: what is claimed, its contrary and noise are told."""

import pytest

from dpviz.papers.checks import comparisons
from dpviz.papers.checks import first_version as first
from dpviz.papers.checks import prototype_curves as curves
from dpviz.papers.checks.prototype_curves import FirstVersion, Run
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, Ground
from dpviz.stats import interval

HERE = Ground("mnist5k")
LOW, HIGH = Run("noisy-gd", 1.0), Run("dppl-public", 1.0)
ORDER = {HOLDS: (0.5, 0.9), DOES_NOT: (0.9, 0.5), CANNOT_TELL: (0.7, 0.7)}


def about(mean, spread=0.002):
    return interval([mean - spread, mean, mean + spread, mean])


def shown(monkeypatch, accuracy):
    """Runs answered by ``accuracy(run)``."""

    def points(ground, runs, metric):
        return {run: about(accuracy(run), 0.002 + len(run.method) % 3 / 1000) for run in runs}

    for module in (curves, first):
        monkeypatch.setattr(module, "points", points)


@pytest.mark.parametrize("outcome", ORDER)
def test_higher_accuracy_decides(monkeypatch, outcome):
    result = dict(zip((LOW, HIGH), ORDER[outcome], strict=True))
    shown(monkeypatch, result.get)
    assert curves.higher([(LOW, HIGH)])(HERE).outcome == outcome


@pytest.mark.parametrize(
    ("short", "outcome"), [(0.01, HOLDS), (0.2, DOES_NOT), (comparisons.MARGIN, CANNOT_TELL)]
)
def test_a_match_allows_its_margin(monkeypatch, short, outcome):
    shown(monkeypatch, {LOW: 0.9, HIGH: 0.9 - short}.get)
    assert curves.higher([(LOW, HIGH)], margin=comparisons.MARGIN)(HERE).outcome == outcome


def test_empty_comparison_is_refused(monkeypatch):
    shown(monkeypatch, lambda run: 0.9)
    with pytest.raises(ValueError, match="empty"):
        curves.higher([])(HERE)


@pytest.mark.parametrize("outcome", ORDER)
def test_growing_lead_differs_from_a_lead(monkeypatch, outcome):
    even, uneven = ORDER[outcome]

    def accuracy(run):
        place = uneven if ("ir", 100.0) in run.facts else even
        return place if run.method.startswith("dppl") else 0.1

    shown(monkeypatch, accuracy)
    assert first.lead_grows(HERE).outcome == outcome


@pytest.mark.parametrize("outcome", ORDER)
def test_outperformed_claim_gives_stated_outcome(monkeypatch, outcome):
    own, rival = ORDER[outcome]
    shown(monkeypatch, lambda run: own if run.method.startswith("dppl") else rival)
    assert first.outperformed("balanced")(HERE).outcome == outcome
    turned = {HOLDS: DOES_NOT, DOES_NOT: HOLDS, CANNOT_TELL: CANNOT_TELL}
    assert first.outperformed("minority", turned=True)(HERE).outcome == turned[outcome]
    shown(monkeypatch, lambda run: 0.9 if run.method == "dp-ls" else 0.5)
    assert first.outperformed("balanced")(HERE).outcome == HOLDS
    shown(monkeypatch, lambda run: 0.09 if run.method.startswith("dppl") else 0.01)
    assert first.outperformed("minority", turned=True)(HERE).outcome == CANNOT_TELL


@pytest.mark.parametrize(
    ("count", "outcome"), [(0.85, HOLDS), (0.55, DOES_NOT), (0.7, CANNOT_TELL)]
)
def test_nearer_to_the_mean_decides(monkeypatch, count, outcome):
    results = {"dppl-mean": 0.9, "dppl-public": 0.5, "dppl-publick": count}
    shown(monkeypatch, lambda run: results[run.method])
    assert first.several_near_mean(HERE).outcome == outcome


@pytest.mark.parametrize(
    ("count", "outcome"), [(0.7, HOLDS), (0.95, DOES_NOT), (0.3, DOES_NOT), (0.5, CANNOT_TELL)]
)
def test_best_k_decides_whether_several_lie_between(monkeypatch, count, outcome):
    def accuracy(run):
        if run.method == "dppl-publick":
            return count if dict(run.params)["k"] == 3 else count - 0.1
        return {"dppl-mean": 0.9, "dppl-public": 0.5}[run.method]

    shown(monkeypatch, accuracy)
    between, reach = curves.several_between(HERE), first.several_reach(HERE)
    assert between.outcome == outcome and "K = 3" in between.because
    assert reach.outcome == outcome


def test_budget_needed_outside_decides_nothing(monkeypatch):
    largest = {"dppl-mean": 0.9, "dppl-publick": 0.7, "dppl-public": 0.5}
    enough = {"dppl-mean": 1.0, "dppl-publick": 10.0, "dppl-public": 0.1}
    shown(monkeypatch, lambda run: largest[run.method] if run.budget >= enough[run.method] else 0.1)
    assert first.several_reach(HERE).outcome == CANNOT_TELL


@pytest.mark.parametrize("outcome", ORDER)
def test_best_prototype_is_compared_with_best_baseline(monkeypatch, outcome):
    rival, top = ORDER[outcome]
    best = {"dppl-public": top, "dppl-mean": 0.1, "noisy-gd": rival}
    shown(monkeypatch, lambda run: best.get(run.method, 0.2))
    assert curves.MINORITY(HERE).outcome == outcome


def test_first_version_runs_coinpress_and_states_it(monkeypatch):
    values = []
    check = curves.first_version(lambda g: values.append(g) or curves.Verdict(HOLDS, "So."))
    assert check(HERE).because == "So. DPPL-Mean is CoinPress here."
    (ground,) = values
    mean = Run("dppl-mean", 1.0, params=(("k_pool", 2),))
    assert isinstance(ground, FirstVersion)
    assert dict(curves._specs(ground, mean)[0].params) == {"form": "coinpress", "k_pool": 2}
    assert not curves._specs(ground, LOW)[0].params and not curves._specs(HERE, LOW)[0].params


def test_classes_are_equal_at_ratio_1(monkeypatch):
    clothes = Ground("clothes")
    assert curves.equal(HERE, {"ir": 1.0}) == {"ir": 1.0}
    assert curves.equal(clothes, {"ir": 1.0}) == {"ir": 1.0, "records": 80}
    assert curves.equal(clothes, {"ir": 10.0}) == {"ir": 10.0}
    assert curves.equal_text(clothes, [Run("dp-ls", 1.0, (("ir", 1.0),))]).startswith(
        " At IR 1, each class has 80"
    )
