"""Faults around a private method: accounting, unit of privacy, preprocessing, uncounted runs."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from dpviz import privacy
from dpviz.audits.faults.model import Make, Mistake, Setting, as_planned, usual
from dpviz.audits.user_level import given_to_person
from dpviz.methods import adamix, dp_ls, dppl_mean, dppl_public, noisy_gd
from dpviz.methods.components.worst_neighbours import records
from dpviz.text import faults as text
from dpviz.types import Budget, Dataset, Guarantee, Method, Plan, Release
from dpviz.types.audit_case import less_noise

# --------------------------------------------------------------------------- steps that are squared


def _squared(method: Method) -> Make:
    honest = as_planned(method)

    def make(data: Dataset, plan: Plan, seeds: Sequence[int]) -> list[Release]:
        event, params = plan.gaussian("gradients"), plan.params
        mu, times = event.sensitivity * math.sqrt(event.times) / event.sigma, event.times
        if "max_steps" in params:  # steps are what the budget pays for
            times = min(max(int(params["sigma"] * mu), 1), params["max_steps"])
        dearer = dataclasses.replace(event, times=times, sigma=event.sensitivity * times / mu)
        mistaken = dataclasses.replace(plan, events={**plan.events, "gradients": dearer})
        return honest(data, mistaken, seeds)

    return make


MANY_STEPS = 4
"""Steps: the noise is twice as large as need be."""


def _many_steps(method: Method, budget: Budget) -> Setting:
    own = usual(method, budget)
    name = "max_steps" if "max_steps" in own.params else "steps"
    return dataclasses.replace(own, params={**own.params, name: MANY_STEPS})


SQUARED = Mistake(
    "steps-squared",
    "https://arxiv.org/abs/2203.11481",
    (adamix.KEY, noisy_gd.KEY),
    _squared,
    _many_steps,
)


# ------------------------------------------------------------------- a picture that is not a person

PERSON_RECORDS = 10
"""Records of the person who is in or not."""


def _of_a_person(method: Method, budget: Budget) -> Setting:
    own = usual(method, budget)
    return dataclasses.replace(
        own,
        with_record=given_to_person(own.with_record, own.without_record, PERSON_RECORDS),
        without_record=given_to_person(own.without_record, own.with_record, PERSON_RECORDS),
        difference=text.FAULTS["picture-as-person"]["difference"],
    )


def _to_person(claim: Guarantee) -> Guarantee:
    return dataclasses.replace(
        claim,
        adjacency=privacy.ADD_REMOVE_PERSON,
        unit=f"one person, with up to {PERSON_RECORDS} records",
    )


def _for_persons(method: Method) -> Make:
    """With the noise that hides all records of a person."""
    honest = as_planned(method)
    return lambda data, plan, seeds: honest(data, less_noise(plan, 1 / PERSON_RECORDS), seeds)


PICTURE = Mistake(
    "picture-as-person",
    "https://arxiv.org/abs/2406.14322",
    (dppl_mean.KEY, noisy_gd.KEY, dppl_public.KEY, dp_ls.KEY),
    as_planned,
    _of_a_person,
    claim=_to_person,
    make_right=_for_persons,
)


# ---------------------------------------------------------------------- a private mean


def _centred(method: Method) -> Make:
    """Train on centered features, and convert the classifier: w (x - m) = w x - w m."""
    honest = as_planned(method)

    def make(data: Dataset, plan: Plan, seeds: Sequence[int]) -> list[Release]:
        mean = data.x.mean(axis=0, dtype=np.float64).astype(np.float32)
        made = honest(dataclasses.replace(data, x=data.x - mean), plan, seeds)
        return [
            dataclasses.replace(one, bias=one.bias - one.weights @ mean, normalise=False)
            for one in made
        ]

    return make


FAR_LENGTH = 20.0
"""Length of the record that is added; others have length 1."""


def _far_record(method: Method, budget: Budget) -> Setting:
    """One long record, across all others: it moves the mean, and so every record."""
    base, labels = [[0.0, 1.0]] * 15 + [[0.0, -1.0]] * 5 + [[1.0, 0.0]], [0] * 20 + [1]
    with_record, without_record = (
        records([*base, [FAR_LENGTH, 0.0]], [*labels, 0]),
        records(base, labels),
    )
    own = usual(method, budget)
    return dataclasses.replace(
        own,
        with_record=with_record,
        without_record=without_record,
        difference=text.FAULTS["private-mean"]["difference"],
    )


CENTRED = Mistake(
    "private-mean",
    "https://arxiv.org/abs/2403.13041",
    (dppl_mean.KEY, noisy_gd.KEY),
    _centred,
    _far_record,
)


# ---------------------------------------------------------------- uncounted tuning

LEARNING_RATES = (1.0, 3.0, 10.0, 30.0, 60.0, 100.0, 300.0, 1000.0)
"""Learning rates that are tried."""
TRIAL_STREAM = 10**12
"""Seeds of one trial, which no other trial has."""


def _best_of_all(method: Method) -> Make:
    """A run at every learning rate, each at the full budget; the one that is shown is right on most
    of the private records.
    """
    honest = as_planned(method)

    def make(data: Dataset, plan: Plan, seeds: Sequence[int]) -> list[Release]:
        trials = []
        for trial, rate in enumerate(LEARNING_RATES, start=1):
            tried = dataclasses.replace(plan, params={**plan.params, "lr": rate})
            trials.append(honest(data, tried, [trial * TRIAL_STREAM + seed for seed in seeds]))
        return [max(runs, key=lambda run: _right(run, data)) for runs in zip(*trials, strict=True)]

    return make


def _right(release: Release, data: Dataset) -> float:
    """Share of the private records that it gets right."""
    return float(np.mean(release.predict(data.x) == data.y))


def _casting_vote(method: Method, budget: Budget) -> Setting:
    """Two records that no rule can both get right, and one more that decides which rule is best."""
    base, labels = [[1.0, 0.0]] * 2, [0, 1]
    return Setting(
        method,
        {"steps": 1, "count": "public", "batch": 1},
        budget,
        records([*base, [1.0, 0.0]], [*labels, 0]),
        records(base, labels),
        lambda release, data: np.sign(release.weights[0, 0] - release.weights[1, 0]),
        text.FAULTS["tuned-for-free"]["difference"],
    )


TUNED = Mistake(
    "tuned-for-free",
    "https://arxiv.org/abs/2110.03620",
    (noisy_gd.KEY,),
    _best_of_all,
    setting=_casting_vote,
)
