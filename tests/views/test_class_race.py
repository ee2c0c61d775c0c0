"""Numbers of the class race are computed, and its sentences state them."""

import pytest

from dpviz.diagnostics import attack_bound
from dpviz.experiments import experiment
from dpviz.views import class_race

TRUTH = ((30.0, 25.0, 35.0, 50.7), (90.0, 88.0, 92.0, 60.7))


def test_means_weigh_each_hospital():
    said = class_race.mean_text((1, 3), TRUTH)
    assert said == "Mean of this class: accuracy **75%**, attacker's best guess **58.2%**."


@pytest.mark.slow
def test_points_are_means_of_runs_and_the_public_line_is_between(monkeypatch):
    monkeypatch.setattr(class_race, "SEEDS", 2)
    *groups, public = class_race.groups((class_race.EPSILONS[0], class_race.EPSILONS[-1]))
    results = [[experiment.run(spec) for spec in group] for group in groups]
    for runs, epsilon in zip(results, (0.1, 10.0), strict=True):
        mean, low, high, guess = class_race.point(runs)
        assert mean == pytest.approx(50 * sum(run.scores.balanced for run in runs), abs=0.06)
        assert low <= mean <= high
        assert 0 <= guess - 100 * attack_bound.success_bound(runs[0].guarantee) <= 0.1
        assert {run.spec.budget.value for run in runs} == {epsilon}
    private, accurate = map(class_race.point, results)
    alone = class_race.public_accuracy([experiment.run(spec) for spec in public])
    assert private[0] < alone < accurate[0], "below some ε, public images alone are better"
    assert 50 < private[3] < accurate[3] < 100
