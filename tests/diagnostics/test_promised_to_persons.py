"""What pages work out beside runs is promised to whom the runs are: the noise of every number is
that of the plan for persons, and a number that is promised to one record says so.
"""

import dataclasses
import math

import numpy as np
import pytest

from dpviz import data as data_package
from dpviz import privacy
from dpviz.diagnostics import teacher_polls, vote_answers
from dpviz.diagnostics.teacher_polls import Poll
from dpviz.methods import pate
from dpviz.methods.parts import teachers
from dpviz.methods.parts.teachers import Ensemble
from dpviz.privacy import vote_costs
from dpviz.privacy.vote_ledger import Setting
from dpviz.run import experiment
from dpviz.types import Material
from tests.kit.toys import toy_data


@pytest.fixture(autouse=True)
def crowd(monkeypatch):
    """Persons of the toy data: eight records each, of several classes."""
    toy = toy_data()
    made = dataclasses.replace(toy, persons=np.arange(len(toy.x)) % 20)
    monkeypatch.setattr(data_package, "load", lambda *a, **k: made)
    return made


def material(**more):
    return Material("toy", None, **more)


# ------------------------------------------------------------------------------------------- votes


def test_votes_cost_a_person_what_they_cost_a_record_and_a_record_that_of_two_teachers():
    by = Setting(6.0, 2.0, 3.0, 1e-5)
    votes = np.tile([[9, 1, 0], [4, 3, 3]], (5, 1))
    answers = vote_answers.answer(votes, by, 0)
    alone = teacher_polls.promise(material(), answers)
    whole = teacher_polls.promise(material(unit="person", per_person=5), answers)
    for name in ("notion", "value", "rho", "epsilon_delta"):
        assert getattr(alone, name) == getattr(whole, name) == getattr(answers.guarantee(), name)
    assert alone.adjacency == privacy.ADD_REMOVE and alone.of_record is None
    assert whole.adjacency == privacy.ADD_REMOVE_PERSON
    assert whole.unit == "one person = at most 5 images, which are kept"
    mu = pate.MOVED * math.hypot(
        *map(privacy.event_mu, vote_costs.events(10, answers.answered.sum(), 2.0, 3.0).values())
    )
    assert whole.of_record == pytest.approx(privacy.gdp_epsilon(mu, 1e-5))


def test_the_code_of_a_poll_asks_for_whole_persons_where_it_does():
    by, of = Setting(6.0, 2.0, 3.0, 1e-5), material(unit="person", per_person=5)
    code = teacher_polls.python(Poll(of, Ensemble("linear", 12, by_person=True)), by, 10)
    found: dict = {}
    exec(code.replace("votes.npz", "/dev/null"), found)
    asked = Ensemble("linear", 12, by_person=True)
    again = teachers.counted(experiment.prepared(of), asked)
    assert np.array_equal(found["found"].counts, again.counts)
    assert "by_person" not in teacher_polls.python(Poll(of, Ensemble("linear", 12)), by, 10)
