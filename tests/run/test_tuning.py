"""Tuning: reproducible, resumable, refused where the promise would be another, and priced."""

import dataclasses
import json
import math
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from dpviz import privacy
from dpviz.cli import main
from dpviz.data.imbalance import minority_classes
from dpviz.experiments import experiment, study_files, tuning, tuning_again, tuning_report
from dpviz.methods import METHODS
from dpviz.privacy import private_selection
from dpviz.text.tuning_costs import SCOPES
from dpviz.types import Budget, Cancelled, DpvizError
from tests.kit.toys import content

pytestmark = pytest.mark.slow


@pytest.fixture
def file(tmp_path):
    (tmp_path / "own.npz").write_bytes(content())
    return str(tmp_path / "own.npz")


def search(file, **change):
    return tuning.Search(
        file, None, budget=Budget(1.0), **({"method": "dppl-public", "trials": 6} | change)
    )


def told(tuned):
    return [(trial.params, trial.score) for trial in tuned.trials]


@pytest.mark.parametrize("sampler", tuning.SAMPLERS)
def test_interrupted_study_continues_as_if_unbroken(file, sampler, tmp_path_factory, monkeypatch):
    whole = tuning.run(search(file, sampler=sampler, trials=14))
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path_factory.mktemp("again")))

    def stop(what, done, total):
        if done == 11:
            raise Cancelled

    wish = search(file, sampler=sampler, trials=14)
    with pytest.raises(Cancelled):
        tuning.run(wish, stop)
    assert told(tuning.run(wish)) == told(whole)
    assert told(tuning.run(search(file, sampler=sampler, trials=6))) == told(whole)[:6], (
        "fewer trials are the first of them"
    )


def test_cancel_takes_effect_within_a_trial(file):
    told = []

    def stop(what, done, total):
        told.append((done, total))
        if told.count((done, total)) == 2:  # the first is before the trial
            raise Cancelled

    with pytest.raises(Cancelled):
        tuning.run(search(file, trials=6), stop)
    assert len(tuning.run(search(file, trials=6)).trials) == 6


def test_other_seeds_use_other_settings_and_noise(file):
    first, second = tuning.run(search(file)), tuning.run(search(file, seed=1))
    assert told(first) != told(second)
    noise = {s.spec(trial=i).seed for s in (first.search, second.search) for i in range(6)}
    assert len(noise) == 12


def test_best_score_matches_its_run(file):
    found = tuning.run(search(file, metric="minority"))
    best = found.trials[found.best]
    again = experiment.sweep(
        [found.search.spec(tuple(best.params.items()), found.best)], use_store=False
    )[0]
    assert best.score == again.scores.minority == max(t.score for t in found.trials)


NEEDS_AN_ENCODER = "prom-pate"
"""It maps the source scores of an encoder, which features in a file come without."""


def test_method_impossible_on_data_is_refused(file):
    with pytest.raises(DpvizError, match="the encoder's class scores"):
        tuning.space(search(file, method=NEEDS_AN_ENCODER))


@pytest.mark.parametrize(
    "key",
    [
        k
        for k, method in METHODS.items()
        if method.params and method.private and k != NEEDS_AN_ENCODER
    ],
)
def test_search_space_contains_only_valid_params(file, key):
    import optuna

    wish = search(file, method=key)
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0))
    for _ in range(5):
        trial = study.ask()
        for param in tuning.space(wish):
            assert METHODS[key].check({param.name: tuning.suggest(trial, param)})


def test_plan_with_weaker_guarantee_is_refused(file, monkeypatch):
    (form,) = tuning.space(search(file, method="dppl-mean", only=("form",)))
    assert form.choices == ("sum",), "printed and coinpress protect against replacing a record only"
    assert "Neighbors differ" in tuning._refusal(
        search(file, method="dppl-mean"), (("form", "printed"),)
    )
    assert "below d_max" in tuning._refusal(search(file), (("d_min", 1.9), ("d_max", 1.0)))
    assert not tuning._refusal(search(file), (("d_min", 1.0), ("d_max", 1.5)))
    weak = experiment.planned(search(file).spec(())).guarantee
    monkeypatch.setattr(
        experiment,
        "planned",
        lambda spec: type(
            "P",
            (),
            {"guarantee": dataclasses.replace(weak, rho=weak.rho * (1 + bool(spec.params)))},
        ),
    )
    assert "Weaker guarantee" in tuning._refusal(search(file), (("d_min", 1.0),))


def test_refused_settings_are_redrawn_and_others_unchanged(file, monkeypatch):
    """Windows that are none are drawn half of the time; by random search the others stay as they
    were drawn.
    """
    found = tuning.run(search(file, sampler="random", trials=12))
    assert len(found.trials) == 12
    assert all(t.params["d_min"] < t.params["d_max"] for t in found.trials)
    monkeypatch.setattr(tuning, "_refusal", lambda *_: "never")
    with pytest.raises(DpvizError, match="None of .* settings is valid.* never"):
        tuning.run(search(file, sampler="random", trials=13))


def test_best_of_many_is_optimistic_rerun_is_not(file):
    """Settings that change nothing: whoever wins does so by noise alone, so fresh noise takes it
    back.
    """
    found = tuning.run(search(file, method="noisy-gd", only=("clip",), trials=2))
    again = experiment.sweep(tuning_again.winner_again(found))
    told_ = tuning_again.merit(found, again, again)
    assert told_.sign == 0 and told_.winner.runs == tuning_again.REPEATED_RUNS
    specs = *tuning_again.winner_again(found), *tuning_again.default_again(found)
    used = {spec.seed for spec in specs}
    assert len(used) == len(specs), "noise that two runs share would break the sum of their costs"
    last, beyond = found.search.spec(trial=9_999), dataclasses.replace(found.search, seed=1).spec()
    assert last.seed < min(used) <= max(used) < beyond.seed
    assert tuning_again.cost(found) > found.costs.composed


def test_costs_have_known_values(file):
    found = tuning.run(search(file, method="noisy-gd", only=("clip",), trials=3))
    mu = privacy.gdp_mu(1.0, 1e-5)
    assert found.costs.one == pytest.approx(1.0) and found.costs.composed == pytest.approx(
        privacy.gdp_epsilon(math.sqrt(3) * mu, 1e-5)
    )
    run = private_selection.OneRun(mu**2 / 2, mu=mu)
    assert found.costs.selected["geometric"] == pytest.approx(
        private_selection.selected_epsilon(run, 3, 1.0, 1e-5), rel=1e-6
    )
    assert not found.costs.holds and "TPE" in found.costs.applies
    drawn = tuning.costs(search(file, sampler="random", count="geometric"), ())
    assert drawn.holds and drawn.composed == 0
    assert "fixed" in tuning.costs(search(file, sampler="random"), ()).applies
    assert tuning.costs(search(file, method="logistic"), ()).one == math.inf


def test_number_of_trials_is_drawn_if_random(file):
    numbers = {
        tuning.planned_trials(search(file, sampler="random", count="geometric", seed=s))
        for s in range(20)
    }
    assert len(numbers) > 3 and min(numbers) >= 1
    assert tuning.planned_trials(search(file)) == 6


def test_concurrent_runs_cannot_share_a_study(file, monkeypatch):
    monkeypatch.setattr(study_files, "PATIENCE", 0.2)
    with (
        study_files.locked(tuning.place(search(file))),
        pytest.raises(DpvizError, match="Another process"),
    ):
        tuning.run(search(file))


def test_study_waits_for_one_being_stopped(file):
    with ThreadPoolExecutor() as pool:
        with study_files.locked(tuning.place(search(file))):
            waiting = pool.submit(tuning.run, search(file))
            time.sleep(0.3)
            assert not waiting.done()
        assert len(waiting.result(30).trials) == 6


def test_command_prints_the_cost(file, capsys):
    argv = [
        "tune",
        "--dataset",
        file,
        "--method",
        "dppl-public",
        "--budget",
        "1",
        "--trials",
        "4",
        "--sampler",
        "random",
        "--count",
        "geometric",
    ]
    assert main([*argv, "--json"]) == 0
    told_ = json.loads(capsys.readouterr().out)
    assert (
        told_["best"]["params"].keys() == {"d_min", "d_max"}
        and told_["epsilon"]["best_alone_holds"]
    )
    assert (
        told_["epsilon"]["one_run_tuned_for_free"]
        <= 1
        < told_["epsilon"]["best_alone_shown"]["geometric"]
        == told_["epsilon"]["of_what_is_told"]
    )
    assert "the test rows of the file" in told_["public"]
    assert told_["adjacency"] and told_["starts"] and told_["defaults"]
    assert told_["unit"] == "one record = one row of the file" and told_["held_aside"] == 0
    assert main(argv) == 0 and "Cost of a single run" in capsys.readouterr().out


def secret(file, **change):
    return search(file, sampler="random", count="geometric", **change)


def open_part(tuned):
    return {k: v for k, v in tuning_report.summary(tuned).items() if k != "private_view"}


def test_values_outside_the_theorem_are_a_private_view(file):
    """Another number of trials and another place of the winner change nothing that is told."""
    found = tuning.run(secret(file, seed=3))
    best = found.trials[found.best]
    worse = dataclasses.replace(best, score=best.score / 2)
    others = [
        dataclasses.replace(
            found, trials=trials, costs=tuning.costs(found.search, trials), search=wish
        )
        for trials, wish in (
            ((best,), found.search),
            ((worse, worse, worse, best, worse), found.search),
            ((worse, best), secret(file, seed=9)),
        )
    ]
    for other in others:
        assert open_part(other) == open_part(found)
        assert tuning_report.sentence(other) == tuning_report.sentence(found)
    number = len(found.trials)
    assert tuning_report.summary(found)["private_view"]["all_trials"]["number"] == number
    assert open_part(found)["epsilon"]["of_what_is_told"] == found.costs.selected["geometric"]
    fixed = dataclasses.replace(found.search, count="fixed")
    shown = dataclasses.replace(found, search=fixed, costs=tuning.costs(fixed, found.trials))
    assert open_part(shown)["all_trials"]["number"] == number, "all are told and paid for"
    assert open_part(shown)["epsilon"]["of_what_is_told"] == shown.costs.composed
    none = dataclasses.replace(found, trials=())
    assert "0" not in tuning_report.sentence(none)


def test_choice_by_minority_has_no_selection_guarantee(file):
    found = tuning.run(secret(file, metric="minority", seed=3))
    assert not found.costs.holds and "rare classes" in found.costs.applies
    assert found.cost == found.costs.composed
    assert tuning.costs(secret(file, seed=3), ()).holds, "the same study by balanced accuracy"


def test_minority_scores_are_under_private_view(file):
    found = tuning.run(search(file, metric="minority"))
    told_ = open_part(found)
    assert told_["best"] is None and "all_trials" not in told_
    assert told_["told"] == SCOPES["without_scores"]
    assert not told_["epsilon"]["best_alone_holds"] and "rare classes" in told_["epsilon"]["why"]
    private, best = tuning_report.summary(found)["private_view"], found.trials[found.best]
    assert private["best"] == {"params": best.params, "score": best.score}
    assert [one["score"] for one in private["all_trials"]["each"]] == [s for _, s in told(found)]


@pytest.mark.parametrize(("metric", "marked"), [("minority", True), ("balanced", False)])
def test_text_marks_minority_score_as_private_view(file, metric, marked):
    text = tuning_report.sentence(tuning.run(search(file, metric=metric)))
    assert text.count("Private view, not covered by the guarantee: ") == marked
    assert ("Cost of showing only the best" in text) != marked


def test_progress_hides_a_secret_number_of_trials(file):
    told = []
    tuning.run(secret(file, seed=1), lambda what, *far: told.append((what, far)))
    assert {far for what, far in told if what.startswith("Tuning")} == {(0, 0)}


@pytest.mark.parametrize(
    "more, says",
    [
        (["--metric", "luck"], "metric"),
        (["--trials", "0"], "Trials must be"),
        (["--trials", "few"], "must be a number between 1 and 10000"),
        (["--only", "colour"], "Unknown parameter `colour`"),
        (["--seed", "4000"], "between 0 and 3999"),
        (["--method", "class-mean"], "no settings"),
        (["--budget", "-1"], "got -1."),
    ],
)
def test_invalid_search_is_an_error(file, capsys, more, says):
    assert main(["tune", "--dataset", file, "--method", "dppl-public", "--budget", "1", *more]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("metric", ["minority", "balanced"])
def test_minority_without_test_records_is_no_metric(metric, tmp_path):
    test = np.repeat(np.arange(4), 25)
    x = np.random.default_rng(0).random((25, 12), np.float32)
    kept = int(minority_classes((60,) * 4)[0] == 0)
    made = content(X_test=x, y_test=np.full_like(test[:25], kept))
    (tmp_path / "own.npz").write_bytes(made)
    wanted = search(str(tmp_path / "own.npz"), metric=metric, trials=1)
    if metric == "balanced":
        assert tuning.run(wanted).best == 0
        return
    with pytest.raises(
        DpvizError, match="unknown: the rare classes have no test records. Use the metric balanced"
    ):
        tuning.run(wanted)
