"""Mistakes around a private method: in its accounting, in the unit of its guarantee, in what was
done to the data before it, and in runs that are not counted.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from dpviz import privacy
from dpviz.audit.faults.model import Make, Mistake, Setting, as_planned, usual
from dpviz.audit.user_level import given_to_person
from dpviz.methods import adamix, dp_ls, dppl_mean, dppl_public, noisy_gd
from dpviz.methods.components.worst_neighbours import records
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


MANY = 4
"""Steps: the noise is twice as large as need be."""


def _many_steps(method: Method, budget: Budget) -> Setting:
    own = usual(method, budget)
    name = "max_steps" if "max_steps" in own.params else "steps"
    return dataclasses.replace(own, params={**own.params, name: MANY})


SQUARED = Mistake(
    "steps-squared",
    "Each step counted too dear",
    "The cost of many steps is overestimated, so there are fewer of them, or far more noise than"
    " the promise needs.",
    "ρ = T²/(2σ²) is printed where T Gaussian releases cost ρ = T/(2σ²): at σ = 20 and ε = 3 there"
    " are 14 steps instead of 206, or at a given T the noise is √T times as large.",
    "Golatkar et al. 2022, “Mixed Differential Privacy in Computer Vision” (AdaMix, CVPR),"
    " Propositions 2 and 5 as printed",
    "https://arxiv.org/abs/2203.11481",
    "Add up the ρ of the steps: T times 1/(2σ²).",
    (adamix.KEY, noisy_gd.KEY),
    _squared,
    _many_steps,
    safe="This one errs on the safe side: it adds more noise than the promise needs (the true cost"
    " is 1/T of the claimed ρ), so no test can break it. What it costs is accuracy, for nothing.",
)


# ------------------------------------------------------------------- a picture that is not a person

PERSON = 10
"""Records of the person who is in or not."""


def _of_a_person(method: Method, budget: Budget) -> Setting:
    own = usual(method, budget)
    return dataclasses.replace(
        own,
        with_record=given_to_person(own.with_record, own.without_record, PERSON),
        without_record=given_to_person(own.without_record, own.with_record, PERSON),
        difference=f"one person is in or out, with all {PERSON} records, which are alike",
    )


def _to_person(claim: Guarantee) -> Guarantee:
    return dataclasses.replace(
        claim,
        adjacency=privacy.ADD_REMOVE_PERSON,
        unit=f"one person, with up to {PERSON} records",
    )


def _for_persons(method: Method) -> Make:
    """With the noise that hides all records of a person."""
    honest = as_planned(method)
    return lambda data, plan, seeds: honest(data, less_noise(plan, 1 / PERSON), seeds)


PICTURE = Mistake(
    "picture-as-person",
    "Picture, read as person",
    "Each single picture is hidden, but a person who is in with ten of them is not.",
    "A release that is μ-GDP for one record is kμ-GDP for k of them, and an ε of one record is kε:"
    f" the neighbours here differ by {PERSON} records of one person, and the claim is that of one"
    " record.",
    "Chua et al. 2024, “Mind the Privacy Unit! User-Level Differential Privacy for Language Model"
    " Fine-Tuning”",
    "https://arxiv.org/abs/2406.14322",
    "Say whom the promise is to; bound what each person adds as a whole, or make the noise k times"
    " as large.",
    (dppl_mean.KEY, noisy_gd.KEY, dppl_public.KEY, dp_ls.KEY),
    as_planned,
    _of_a_person,
    claim=_to_person,
    make_right=_for_persons,
)


# ---------------------------------------------------------------------- a mean that nobody paid for


def _centred(method: Method) -> Make:
    """A rule for centred features, told as one for features as they are: w (x - m) = w x - w m."""
    honest = as_planned(method)

    def make(data: Dataset, plan: Plan, seeds: Sequence[int]) -> list[Release]:
        mean = data.x.mean(axis=0, dtype=np.float64).astype(np.float32)
        made = honest(dataclasses.replace(data, x=data.x - mean), plan, seeds)
        return [
            dataclasses.replace(one, bias=one.bias - one.weights @ mean, normalise=False)
            for one in made
        ]

    return make


FAR = 20.0
"""Length of the record that is added; others have length 1."""


def _far_record(method: Method, budget: Budget) -> Setting:
    """One long record, across all others: it moves the mean, and so every record."""
    base, labels = [[0.0, 1.0]] * 15 + [[0.0, -1.0]] * 5 + [[1.0, 0.0]], [0] * 20 + [1]
    with_record, without_record = records([*base, [FAR, 0.0]], [*labels, 0]), records(base, labels)
    own = usual(method, budget)
    return dataclasses.replace(
        own,
        with_record=with_record,
        without_record=without_record,
        difference=f"one record more, with features {FAR:g} times as long as those of all others",
    )


CENTRED = Mistake(
    "private-mean",
    "Private mean taken off",
    "Before the private method begins, the average of all records is taken off each, and nobody"
    " pays for that look.",
    "xᵢ − m with m = (1/n) Σ xᵢ: one record moves m, and with it every other record's features and"
    " what each adds to a sum. The promise counts with one record's part, at most τ; all n parts"
    " move.",
    "Hu, Sanyal & Schölkopf 2024, “Provable Privacy with Non-Private Pre-Processing” (ICML)",
    "https://arxiv.org/abs/2403.13041",
    "Centre by a public mean, or by a private one that is paid for.",
    (dppl_mean.KEY, noisy_gd.KEY),
    _centred,
    _far_record,
)


# ---------------------------------------------------------------- tuning that nobody accounts for

RATES = (1.0, 3.0, 10.0, 30.0, 60.0, 100.0, 300.0, 1000.0)
"""Learning rates that are tried."""
TRIAL = 10**12
"""Seeds of one trial, which no other trial has."""


def _best_of_all(method: Method) -> Make:
    """A run at every learning rate, each at the full budget; the one that is shown is right on most
    of the private records.
    """
    honest = as_planned(method)

    def make(data: Dataset, plan: Plan, seeds: Sequence[int]) -> list[Release]:
        trials = []
        for trial, rate in enumerate(RATES, start=1):
            tried = dataclasses.replace(plan, params={**plan.params, "lr": rate})
            trials.append(honest(data, tried, [trial * TRIAL + seed for seed in seeds]))
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
        "two records that contradict each other, and one more that has the casting vote",
    )


TUNED = Mistake(
    "tuned-for-free",
    "Tuned for free",
    "Several settings are tried on the private records and only the best is shown, as if the"
    " others had never been run.",
    f"K = {len(RATES)} runs, each with the whole budget; the best by accuracy on the private"
    " records is released. Runs compose, and the choice itself reads the records without noise.",
    "Papernot & Steinke 2022, “Hyperparameter tuning with Rényi differential privacy” (ICLR)",
    "https://arxiv.org/abs/2110.03620",
    "Choose settings on public data; or pay for all runs, or by a theorem for a random number of"
    " runs with a private score.",
    (noisy_gd.KEY,),
    _best_of_all,
    setting=_casting_vote,
)
