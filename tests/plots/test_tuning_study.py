import optuna
import pytest

from dpviz.plots.setting_maps import Trials
from dpviz.text.charts import LABELS


def make_chart(count=5):
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(0), direction="maximize")
    score = lambda trial: trial.suggest_float("a", 0, 0.5) + trial.suggest_float("b", 0, 0.1)
    study.optimize(score, n_trials=count)
    return Trials(study, "balanced", "dppl-mean")


def examples():
    return [(make_chart(),)]


def test_running_best_never_decreases():
    trials = make_chart()
    one, best, winner = trials.figure().data
    assert list(one.x) == [1, 2, 3, 4, 5] and winner.y[0] == max(one.y)
    assert (one.name, best.name) == (LABELS["one_trial"], LABELS["best_so_far"])
    assert list(best.y) == sorted(best.y) and max(one.y) == trials.study.best_value


def test_importances_need_a_few_trials():
    assert make_chart(3).importances() is None
    shown = make_chart(6).importances()
    assert sum(shown.data[0].x) == pytest.approx(1)
    assert len(make_chart().slices().data) == 2
