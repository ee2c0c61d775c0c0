from dataclasses import replace

import optuna
import pytest

from dpviz.plots.setting_maps import SCORES_PART, Trials
from dpviz.stats import interval
from dpviz.text.charts import LABELS


def make_chart(count=5):
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(0), direction="maximize")
    score = lambda trial: trial.suggest_float("a", 0, 0.5) + trial.suggest_float("b", 0, 0.1)
    study.optimize(score, n_trials=count)
    return Trials(study, "balanced", "dppl-mean")


def with_levels():
    levels = {
        "again": ("with fresh noise", interval([0.3])),
        "public": ("public images alone", interval([0.2])),
    }
    return replace(make_chart(), **levels, guesses=((1, 0.623), (2, 0.7), (5, 0.943)))


def examples():
    return [(make_chart(),), (with_levels(),)]


def test_cost_stands_above_scores():
    figure = with_levels().figure()
    guess, words = (trace for trace in figure.data if trace.yaxis == "y3")
    assert list(guess.y) == [0.623, 0.7, 0.943]
    assert [word.strip() for word in words.text] == ["62.3% after 1 trial", "94.3% after 5 trials"]
    assert figure.layout.yaxis3.domain[0] > figure.layout.yaxis.domain[1]
    named = [figure.data[place].name for place in figure.layout.meta["lines"]]
    assert named == [LABELS["best_so_far"], "with fresh noise", "public images alone"]
    chance = figure.layout.shapes[-1]
    assert (chance.yref, chance.y0, chance.line.dash) == ("y3", 0.5, "dash")
    ways, (low, high) = figure.layout.shapes[1:3], figure.layout.yaxis.range
    assert [way.y0 for way in ways] == pytest.approx(
        [SCORES_PART * (score - low) / (high - low) for score in (0.3, 0.2)]
    )


def test_arrow_shows_fall_when_run_again():
    chart = with_levels()
    fall = next(trace for trace in chart.figure().data if trace.name == "with fresh noise")
    assert list(fall.y) == [chart.study.best_value, 0.3]
    assert 5 < fall.x[0] == fall.x[1] < chart.figure().layout.xaxis.range[1], "after all trials"
    names = chart.figure().data[-1].text
    assert "<b>30%</b> with fresh noise" in [name.strip() for name in names]


def test_equal_percents_of_default_and_winner_share_a_name():
    figure = replace(with_levels(), default=("default settings", interval([0.304]))).figure()
    names = " ".join(figure.data[-1].text)
    assert names.count("30%") == 1 and LABELS["default_and_again"] in names
    assert "with fresh noise" not in names


def test_default_settings_have_their_line():
    default = "default settings", interval([0.25, 0.27])
    line = next(
        t for t in replace(with_levels(), default=default).figure().data if t.name == default[0]
    )
    assert list(line.y) == [default[1].mean] * 2


def test_axis_leaves_out_few_low_trials():
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(0), direction="maximize")
    scores = iter([0.88, 0.15, *[0.7] * 8])
    study.optimize(lambda trial: next(scores), n_trials=10)
    chart = Trials(study, "balanced", "dppl-mean")
    dots = chart.figure().data[0]
    assert chart.score_range == pytest.approx((0.6, 0.93)) and chart.has_scores_below
    assert (dots.marker.symbol[1], dots.y[1], dots.text[1]) == ("triangle-down", 0.6, "15%")
    assert dots.customdata[1] == 0.15 and dots.text[0] == ""
    assert not make_chart(3).has_scores_below, "one in three is not few"


def test_running_best_never_decreases():
    trials = make_chart()
    one, best, winner, _ = trials.figure().data
    assert list(one.x) == [1, 2, 3, 4, 5] and winner.y[0] == max(one.y)
    assert (one.name, best.name) == (LABELS["one_trial"], LABELS["best_so_far"])
    assert (
        list(best.y) == sorted(best.y)
        and best.x[-1] == 5.5
        and max(one.y) == trials.study.best_value
    )


def test_importances_need_a_few_trials():
    assert make_chart(3).importances() is None
    shown = make_chart(6).importances()
    assert sum(shown.data[0].x) == pytest.approx(1)
    assert len(make_chart().slices().data) == 2


def test_few_trials_have_whole_ticks():
    assert make_chart(4).figure().layout.xaxis.dtick == 1
    assert list(make_chart(20).figure().layout.xaxis.tickvals) == [1, 5, 10, 15, 20]
