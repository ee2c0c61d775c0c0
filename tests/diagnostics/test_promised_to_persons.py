"""What pages work out beside runs is promised to whom the runs are: the noise of every number is
that of the plan for persons, and a number that is promised to one record says so.
"""

import dataclasses
import itertools
import math

import numpy as np
import pytest

from dpviz import data as data_package
from dpviz import privacy
from dpviz.diagnostics import (
    coinpress_steps,
    collapse_measures,
    collapse_runs,
    mean_errors,
    pate_votes,
    prototype_choices,
    vote_answers,
)
from dpviz.diagnostics.pate_votes import Poll
from dpviz.experiments import experiment
from dpviz.methods import METHODS, dppl_mean, pate
from dpviz.methods.components import teachers
from dpviz.methods.components.teachers import Ensemble
from dpviz.privacy import vote_costs
from dpviz.privacy.vote_ledger import Setting
from dpviz.types import Budget, DataConfig, RunSpec
from tests.kit.toys import toy_data


@pytest.fixture(autouse=True)
def crowd(monkeypatch):
    """Sets how many persons the records of the toy data are from, at first eight each."""

    def of(persons):
        toy = toy_data()
        made = dataclasses.replace(toy, persons=np.arange(len(toy.x)) % persons)
        monkeypatch.setattr(data_package, "load", lambda *a, **k: made)

    of(20)
    return of


def material(**more):
    return DataConfig("toy", None, **more)


def spec(method="dppl-mean", **more):
    asked = RunSpec("toy", None, method, **{"budget": Budget(1.0)} | more)
    return experiment.complete(asked)


def pair(method="dppl-mean", most=5, **more):
    """A run promised to records, and the same, on the same records, promised to persons."""
    few = spec(method, per_person=most, **more)
    return few, dataclasses.replace(few, unit="person")


# ------------------------------------------------------------------------------------------- votes


def test_user_moves_one_teacher_and_record_moves_two():
    by = Setting(6.0, 2.0, 3.0, 1e-5)
    votes = np.tile([[9, 1, 0], [4, 3, 3]], (5, 1))
    answers = vote_answers.answer(votes, by, 0)
    alone = pate_votes.guarantee_of(material(), answers)
    whole = pate_votes.guarantee_of(material(unit="person", per_person=5), answers)
    for name in ("notion", "value", "rho", "epsilon_delta"):
        assert getattr(alone, name) == getattr(whole, name) == getattr(answers.guarantee(), name)
    assert alone.adjacency == privacy.ADD_REMOVE and alone.of_record is None
    assert whole.adjacency == privacy.ADD_REMOVE_PERSON
    assert whole.unit == "one person = at most 5 images; further records are dropped"
    mu = pate.TEACHERS_PER_RECORD * math.hypot(
        *map(privacy.event_mu, vote_costs.events(10, answers.answered.sum(), 2.0, 3.0).values())
    )
    assert whole.of_record == pytest.approx(privacy.gdp_epsilon(mu, 1e-5))


def test_poll_code_requests_whole_users_when_needed():
    by, of = Setting(6.0, 2.0, 3.0, 1e-5), material(unit="person", per_person=5)
    code = pate_votes.python(Poll(of, Ensemble("linear", 12, by_person=True)), by, 10)
    found: dict = {}
    exec(code.replace("votes.npz", "/dev/null"), found)
    asked = Ensemble("linear", 12, by_person=True)
    again = teachers.count_votes(experiment.prepared(of), asked)
    assert np.array_equal(found["found"].counts, again.counts)
    assert "by_person" not in pate_votes.python(Poll(of, Ensemble("linear", 12)), by, 10)


# ------------------------------------------------------------------------------------- class means


@pytest.mark.parametrize("form", ["sum", "printed", "coinpress"])
def test_class_mean_noise_follows_user_level_plan(form):
    few, whole = pair(params=(("form", form),))
    data, planned = experiment.prepared(whole), experiment.planned(whole)
    of = METHODS["dppl-mean"].check(dict(whole.params))
    plan = dppl_mean.plan(data.sizes, Budget(1.0), of)
    sigmas = [event.sigma for event in planned.events.values()]
    twins = [event.sigma for event in plan.events.values()]
    assert np.allclose(np.array(sigmas) / twins, 5, rtol=1e-6)
    for ready in (data, mean_errors.rehearsal(data, 12, 2)):
        (pooled,) = mean_errors.pooling(ready, whole, (1,), (0,))
        (twin,) = mean_errors.pooling(ready, few, (1,), (0,))
        right = np.median(mean_errors.noise_lengths(ready, planned))
        assert pooled.noise == right != pytest.approx(twin.noise)
    (turned,), (twin,) = (mean_errors.turns(s, (0,))[:1] for s in (whole, few))
    assert turned.ratio > 1.5 * twin.ratio


def test_coinpress_outcome_uses_user_level_noise():
    few, whole = pair()
    (one, *_), (twin, *_) = (coinpress_steps.by_class(s) for s in (whole, few))
    settings = dict(whole.params) | {"form": "coinpress"}
    planned = experiment.planned(dataclasses.replace(whole, params=tuple(settings.items())))
    events = planned.events.values()
    for (run, _), found in ((one, True), (twin, False)):
        told = [step.needed / step.gamma for step in run.steps]
        assert (told == pytest.approx([event.sigma for event in events])) == found


# -------------------------------------------------------------------------------------- prototypes


def test_choice_probabilities_follow_user_level_plan():
    few, whole = pair("dppl-public", budget=Budget(3.0))
    planned = experiment.planned(whole)
    event = prototype_choices.event_of(whole)
    assert event == planned.events["selection"]
    one = prototype_choices.event_of_record(whole)
    assert one.epsilon * 5 == pytest.approx(event.epsilon)
    assert one.epsilon / one.sensitivity == pytest.approx(event.epsilon / event.sensitivity)
    odds, twin = prototype_choices.odds(whole), prototype_choices.odds(few)
    assert (odds.candidates > twin.candidates).all()
    drawn = prototype_choices.draws(whole, (3.0, 100.0), (0, 1))
    for result in itertools.chain(*drawn.results):
        again = experiment.run(result.spec)
        assert result.scores == again.scores and result.guarantee == again.guarantee
    assert prototype_choices.event_of_record(few) == prototype_choices.event_of(few)


# ------------------------------------------------------------------------------- one noisy step


def test_one_step_error_uses_user_level_noise():
    params = tuple(collapse_runs.one_step(4).items())
    few, whole = pair("noisy-gd", params=params, budget=Budget(0.4))
    runs = experiment.sweep([dataclasses.replace(whole, seed=s) for s in range(60)])
    wrong = [1 - run.scores.balanced for run in runs]
    data, sure = experiment.prepared(whole), 4 * np.std(wrong) / math.sqrt(len(wrong))
    exact = [collapse_measures.one_step_error(data, collapse_runs.step_mu(s)) for s in (whole, few)]
    assert abs(np.mean(wrong) - exact[0]) < sure < abs(np.mean(wrong) - exact[1])
    assert collapse_runs.step_mu(few) == pytest.approx(5 * collapse_runs.step_mu(whole))
    clipped = dataclasses.replace(whole, params=(*params, ("person", "clip")))
    assert collapse_runs.step_mu(clipped) is None


def test_single_record_users_match_record_level_numbers(crowd):
    crowd(160)
    for method in ("dppl-mean", "dppl-public"):
        alone, whole = spec(method), spec(method, unit="person", per_person=1)
        if method == "dppl-public":
            found = [prototype_choices.odds(s).probability for s in (alone, whole)]
        else:
            turned = [mean_errors.turns(s, (0, 1)) for s in (alone, whole)]
            found = [[dataclasses.astuple(turn) for turn in turns] for turns in turned]
            radii = [[run.radii for run, _ in coinpress_steps.by_class(s)] for s in (alone, whole)]
            assert radii[0] == radii[1]
        assert np.array_equal(*found)
