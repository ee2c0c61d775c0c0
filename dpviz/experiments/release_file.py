"""Private releases as files, each with a card of its guarantee and its assumptions.

The noise comes from system entropy through exact samplers. No seed is stored, so a release cannot
be repeated; each further release spends the budget again.
"""

from __future__ import annotations

import copy
import dataclasses
import io
import json
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from dpviz import data, methods, privacy
from dpviz.data import synthetic
from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.experiments import experiment, method_verdicts, store, units
from dpviz.experiments.method_verdicts import Verdict
from dpviz.experiments.result_files import READING, plain, reading_of
from dpviz.machine import public_mode
from dpviz.machine.threads import one_numeric_thread
from dpviz.mechanisms import SYSTEM, Transcript, UnitNoise, watched
from dpviz.text import guarantee_cards as cards
from dpviz.text.template import render_text
from dpviz.types import (
    Budget,
    Dataset,
    DpvizError,
    Exponential,
    Gaussian,
    Method,
    Minimiser,
    Parallel,
    Plan,
    Release,
    RunSpec,
)

NOT_FINITE = "A release needs a finite budget, got inf. Set a finite budget."


def release(spec: RunSpec, verdict: Verdict | None = None) -> bytes:
    """Return a new release of a spec, without its seed, as an ``.npz`` file without pickles.

    The file has these fields only: ``weights`` (C, d) float32, ``bias`` (C,) float32,
    ``normalise`` (a truth value), ``chosen`` (C, K) int64 rows of the public set where the method
    picks from it, and ``card``, the JSON of ``card``.

    Args:
        verdict: on the method's code; the stored one by default. Without a verdict the card says
            "not verified" instead of "proved".

    Raises:
        DpvizError: for a spec that cannot work, that has nothing to release, or whose method's code
            failed its checks; in public mode.
    """
    public_mode.refuse("checks")
    plan = planned(spec)
    words = card(spec, plan, verdict)
    return write(draw(experiment.prepared(spec), plan), words)


def refusal(spec: RunSpec, verdict: Verdict | None = None) -> str:
    """Return why there is nothing to release, in a sentence, or an empty text.

    Args:
        verdict: on the method's code; the stored one by default.
    """
    method = methods.get(spec.method)
    if not method.private:
        return f"{method.title} is not private, so it cannot be released. Use a private method."
    if (verdict := verdict or method_verdicts.stored(method)) and verdict.failures:
        return _failed(method, "; ".join(verdict.failures))
    if not spec.budget.private:
        return NOT_FINITE
    if units.read_off(spec):
        return units.UNRELEASABLE
    if spec.public is None and data.default_public(spec.dataset) == HELD_ASIDE:
        return (
            f"The default public set of {spec.dataset} is part of its private images. Use --public"
            " held-aside to accept this, or name another public set."
        )
    return no_sampler(experiment.planned(spec))


def planned(spec: RunSpec) -> Plan:
    """Return the plan of a release, with the proved guarantee.

    For a target epsilon and delta, or a target best guess, the plan has the rho that implies it.

    Raises:
        DpvizError: for a spec that cannot work, or that has nothing to release.
    """
    if reason := refusal(spec):
        raise DpvizError(reason)
    plan = experiment.planned(spec)
    if fault := wrong_name(plan, spec.method):
        raise DpvizError(_failed(methods.get(spec.method), fault))
    return proved(
        lambda budget: experiment.planned(dataclasses.replace(spec, budget=budget)), spec.budget
    )


def proved(planned: Callable[[Budget], Plan], budget: Budget) -> Plan:
    """Return the plan of a release that spends a budget, with the proved guarantee.

    Args:
        planned: returns the plan of a budget.

    Raises:
        DpvizError: for a budget that is not finite, or a method without an exact sampler.
    """
    if not budget.private:
        raise DpvizError(NOT_FINITE)
    plan = planned(budget)
    if fault := no_sampler(plan):
        raise DpvizError(fault)
    # discrete noise is proved in zCDP only: calibration to the exact Gaussian curve is not enough
    is_exact = budget.axis in ("approx", "guess")
    if is_exact and any(isinstance(e, Gaussian) for e in plan.draws.values()):
        plan = planned(Budget(privacy.allowed_rho(budget), "zcdp", budget.delta))
    return dataclasses.replace(plan, guarantee=privacy.proved(plan))


def no_sampler(plan: Plan) -> str:
    """Return why a plan has no exact sampler, in a sentence, or an empty text."""
    if not any(isinstance(event, Minimiser) for event in plan.draws.values()):
        return ""
    return (
        f"{methods.get(plan.method).title} cannot be released: no exact sampler is known for its"
        " noise. Use another private method, such as noisy-gd."
    )


def wrong_name(plan: Plan, key: str) -> str:
    """Return what is wrong if a plan is not of the method with this key; else an empty string.

    A release is drawn by the method that its plan names, so this method must be the checked one.
    """
    return (
        ""
        if plan.method == key
        else f"the plan names the method “{plan.method}” instead of “{key}”"
    )


def draw(ready: Dataset, plan: Plan) -> Release:
    """Draw one release of a plan from system entropy.

    Raises:
        DpvizError: If the method does not draw each planned event from the system's entropy.
    """
    method = methods.get(plan.method)
    rule, _, faults = recorded(method, ready, plan)
    if faults:
        raise DpvizError(_failed(method, "; ".join(faults)))
    return rule


def recorded(
    method: Method, ready: Dataset, plan: Plan
) -> tuple[Release, Transcript, tuple[str, ...]]:
    """Return a release from the system's entropy, the outputs of its draws, and their faults.

    The faults are sentences without a full stop, on draws that are missing or use other noise.
    """
    # events are recorded by identity; copies are in no other thread's plan
    plan = dataclasses.replace(plan, events=copy.deepcopy(dict(plan.events)))
    seeded = set()

    def note_source(name: str, noise: UnitNoise) -> UnitNoise:
        if noise.seed != SYSTEM or noise.values is not None:
            seeded.add(name)
        return noise

    with one_numeric_thread(), watched(plan.draws, note_source) as outputs:
        rule = method.fit(ready, [plan], [SYSTEM]).releases[0][0]
    faults = [
        f"a release does not draw the planned noise “{name}”"
        for name in plan.draws
        if not outputs.outputs[name]
    ]
    faults += [f"a release draws the noise “{name}” from a seed" for name in sorted(seeded)]
    return rule, outputs, tuple(faults)


def card(spec: RunSpec, plan: Plan, verdict: Verdict | None = None) -> dict[str, Any]:
    """Return the card of a release; it contains no value from private records.

    Raises:
        DpvizError: where the method's code failed its checks.
    """
    method = methods.get(spec.method)
    verdict = verdict or method_verdicts.stored(method)
    if verdict and verdict.failures:
        raise DpvizError(_failed(method, "; ".join(verdict.failures)))
    guarantee = dataclasses.asdict(plan.guarantee)
    if plan.guarantee.of_record is None:
        del guarantee["of_record"]
    for name in (*READING, "schedule"):
        del guarantee[name]
    return plain(
        {
            "method": method.title,
            "settings": _settings(spec, plan),
            "guarantee": {
                ("proved" if verdict else "not verified"): guarantee
                | {"noise": _noise(plan), "how": cards.PROOF},
                **reading_of(plan.guarantee),
                "assumed": [
                    *cards.ASSUMPTIONS,
                    *_sensitivities(plan),
                    cards.SEARCHED_SENSITIVITIES if verdict else cards.NOT_VERIFIED,
                ],
            },
            "classes": list(experiment.prepared(spec).class_names),
            "predict": cards.PREDICTION,
            "versions": store.versions() | {"opendp": version("opendp")},
        }
    )


def _settings(spec: RunSpec, plan: Plan) -> dict[str, Any]:
    """Return the public settings, without the name of own data.

    That name may be a hash of private records or a folder of this machine.
    """
    encoder, sign, weights = (spec.encoder or "").partition("@")
    is_named = spec.dataset in data.DATASETS or synthetic.is_synthetic(spec.dataset)
    return {
        "data": spec.dataset if is_named else "own data",
        # whether any image is held aside may be private
        "public": HELD_ASIDE if spec.public == HELD_ASIDE else experiment.prepared(spec).public_key,
        "encoder": f"{encoder}{sign}{Path(weights).name}" or None,
        "features": spec.features,
        "ir": spec.ir,
        "records": spec.records,
        **{
            n: spec.non_default_fields[n]
            for n in ("unit", "per_person", "draw")
            if n in spec.non_default_fields
        },
        "method": spec.method,
        "params": dict(plan.params),
        "budget": dataclasses.asdict(spec.budget),
    }


def _failed(method: Method, faults: str) -> str:
    return (
        f"{method.title} cannot be released: a check of its code failed ({faults}). Fix the method,"
        " or use another method."
    )


def _sensitivities(plan: Plan) -> list[str]:
    """Return what the proof takes as given of each draw: value, norm and neighbors."""
    neighbors = plan.guarantee.adjacency
    return [
        render_text(
            cards.SENSITIVITY["l2" if isinstance(event, Gaussian) else "range"],
            event=name,
            neighbors=neighbors,
            sensitivity=f"{event.sensitivity:g}",
        )
        for name, event in plan.draws.items()
    ]


def _noise(plan: Plan) -> dict[str, dict[str, Any]]:
    """Return the events of a plan, from which the guarantee can be recomputed."""
    return {
        name: {"parallel": [_event(part) for part in event.events]}
        if isinstance(event, Parallel)
        else _event(event)
        for name, event in plan.events.items()
    }


MECHANISM_NAMES = {
    Gaussian: "discrete Gaussian",
    Exponential: "exponential mechanism",
}
"""Mechanisms of the events of a release."""


def _event(event: Any) -> dict[str, Any]:
    return {"mechanism": MECHANISM_NAMES[type(event)], **dataclasses.asdict(event)}


ARRAY_TYPES = {"weights": np.float32, "bias": np.float32, "normalise": np.bool_, "chosen": np.int64}
"""Types of the fields of a ``Release`` in its file."""


def arrays(rule: Release) -> dict[str, Any]:
    """Return all that a file holds of a rule, each array of one type and in one memory order."""
    fields = {field.name: getattr(rule, field.name) for field in dataclasses.fields(Release)}
    return {
        name: np.array(value, ARRAY_TYPES[name], order="C")
        for name, value in fields.items()
        if value is not None
    }


def write(rule: Release, words: dict[str, Any]) -> bytes:
    """Return the file content of a release and its card."""
    file = io.BytesIO()
    np.savez(file, card=np.array(json.dumps(words, ensure_ascii=False)), **arrays(rule))
    return file.getvalue()
