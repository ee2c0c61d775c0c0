import pytest

from dpviz.data import uploads
from dpviz.diagnostics.training_curve import MAX_POINTS, training_curve
from dpviz.experiments import experiment
from dpviz.formatting import METRICS
from dpviz.types import Budget, RunSpec


def spec(dataset, method, **params):
    budget = Budget(2.0)
    return RunSpec(str(dataset), None, method, budget, params=tuple(params.items()), seed=3)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("noisy-gd", {"steps": 12}),
        ("noisy-gd", {"steps": 300, "count": "public", "batch": 100}),
        ("adamix", {"max_steps": 8}),
        ("adamix", {"max_steps": 8, "iterate": "averaged"}),
    ],
)
def test_last_step_is_the_run(labelled, method, params):
    run = spec(uploads.path(labelled), method, **params)
    curve, scores = training_curve(run), experiment.run(run).scores
    steps = experiment.planned(run).gaussian("gradients").times
    assert steps > 1
    assert list(curve) == sorted(curve) and min(curve) == 0 and max(curve) == steps
    assert len(curve) == min(steps + 1, MAX_POINTS)
    assert curve[steps] == {metric: getattr(scores, metric) for metric in METRICS}
