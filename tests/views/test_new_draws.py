"""What a file carries to draw new noise: calibration, sums, accuracies, and what is refused."""

import dataclasses
import re

import numpy as np
import pytest

from dpviz import privacy
from dpviz.experiments import experiment
from dpviz.mechanisms import UTILITY_STEP
from dpviz.methods import dppl_mean
from dpviz.methods.components import public_scores
from dpviz.text import new_draws as text
from dpviz.types import Budget, DpvizError
from dpviz.views import front_page, new_draws
from dpviz.views.page_config import PageConfig
from tests.kit.browser import keep
from tests.kit.toys import content

EPSILONS = (0.01, 0.0317, 0.1, 0.555, 1.0, 3.3, 10.0)
VIEW = PageConfig(
    dataset="mnist5k",
    encoder="glyphnet",
    ir=50.0,
    budget=Budget(1.0),
    methods=(dppl_mean.KEY,),
    first_seed=0,
    seeds=1,
)


@pytest.fixture(scope="module")
def means():
    return new_draws.means(VIEW, "balanced")


@pytest.fixture(scope="module")
def picks():
    return new_draws.picks(front_page.spec("clothes", 1.0), np.arange(591), 128)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_noise_of_means_equals_that_of_plan(means, epsilon):
    spec = dataclasses.replace(VIEW.spec(dppl_mean.KEY), budget=Budget(epsilon))
    event = experiment.planned(spec).gaussian("sum")
    assert means.draw(epsilon, 1).scale == pytest.approx(event.sigma / event.sensitivity, rel=1e-12)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_noise_of_picks_equals_that_of_plan(picks, epsilon):
    event = experiment.planned(front_page.spec("clothes", epsilon)).exponential("selection")
    assert picks.draw(epsilon, 1).scale == pytest.approx(event.sensitivity / event.epsilon)
    assert event.epsilon == epsilon * (1 - privacy.PRIVATE_SIDE), "as the script computes it"


def test_sums_and_scores_equal_those_of_methods(means, picks):
    data = experiment.prepared(VIEW.spec(dppl_mean.KEY))
    params = experiment.complete(VIEW.spec(dppl_mean.KEY)).params
    assert np.array_equal(means.sums, dppl_mean.class_sums(data, dict(params)))
    clothes = experiment.prepared(front_page.spec("clothes", 1.0))
    scores = public_scores.utilities(clothes, 1.3, 1.9)
    assert np.array_equal(picks.scores * UTILITY_STEP, scores)
    assert picks.width * UTILITY_STEP == pytest.approx(0.6, abs=UTILITY_STEP)


def test_accuracy_is_close_to_runs(means, picks):
    """Both are means over independent noise; 6 points are four standard errors or more."""
    own = np.mean([means.draw(1.0, seed).accuracies[0] for seed in range(20)])
    specs = [VIEW.spec(dppl_mean.KEY, seed=seed) for seed in range(5)]
    runs = np.mean([experiment.run(spec).scores.balanced for spec in specs])
    assert own == pytest.approx(runs, abs=0.06)
    own = np.mean([picks.draw(10.0, seed).accuracies[0] for seed in range(20)])
    specs = [front_page.spec("clothes", 10.0, seed) for seed in range(5)]
    runs = np.mean([experiment.run(spec).scores.minority for spec in specs])
    assert own == pytest.approx(runs, abs=0.06)


def test_accuracies_of_groups_are_exact():
    y = np.array([0, 0, 1, 1, 1, 2])
    rows = np.eye(3, dtype=np.int8)[[0, 1, 1, 1, 0, 2]]
    scoring = new_draws.ScoringSet(rows, y, 3, ((0, 1), (0, 1, 2)))
    assert scoring.accuracies(np.eye(3)) == pytest.approx((7 / 12, 13 / 18))
    pooled = dataclasses.replace(scoring, groups=((0, 1, 2),), pooled=True)
    assert pooled.accuracies(np.eye(3)) == (4 / 6,)


def test_same_seed_gives_the_same_draw(means, picks):
    for carried in (means, picks):
        draws = [carried.draw(0.3, seed) for seed in range(6)]
        assert draws == [carried.draw(0.3, seed) for seed in range(6)]
        assert len(set(draws)) > 3


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"methods": ("dppl-public",)}, "needs DPPL-Mean"),
        ({"params": (("dppl-mean", (("form", "printed"),)),)}, "got printed"),
        ({"budget": Budget(1.0, "zcdp")}, "ρ-zCDP"),
        ({"dataset": "clothes", "encoder": "lite0-128"}, "600,000 numbers"),
        ({"dataset": "clothes", "encoder": "lite0-128", "unit": "person"}, "image-level"),
    ],
)
def test_unsuitable_view_is_refused(change, words):
    with pytest.raises(DpvizError, match=re.escape(words)):
        new_draws.means(dataclasses.replace(VIEW, **change), "balanced")


def test_private_data_are_refused(tmp_path, monkeypatch):
    upload = keep(tmp_path, content())
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    own = dataclasses.replace(VIEW, dataset=upload, encoder=None)
    with pytest.raises(DpvizError, match="needs published data, since the file"):
        new_draws.means(own, "balanced")


def test_only_data_with_a_source_count_as_published():
    assert all(map(new_draws.published, ("mnist5k", "clothes", "cifar10")))
    assert not any(map(new_draws.published, ("own.npz", "ffhq-gender", "arrays:1.npz", "")))


def test_group_names_exist_for_every_metric():
    assert set(text.GROUPS) == {"balanced", "minority", "overall"}
