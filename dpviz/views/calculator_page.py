"""Values and sentences of the guarantee calculator."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from dpviz.privacy import calculator
from dpviz.privacy.calculator import Account, NotionValue
from dpviz.privacy.other_accountants import OtherEpsilon
from dpviz.privacy.stated_mechanisms import (
    Mechanism,
    NoisySteps,
    PublishedGuarantee,
)
from dpviz.text import calculator as text
from dpviz.text.template import render_text

#: Deltas of the curve, from large to small.
DELTAS = np.array([float(f"1e-{places}") for places in range(1, 13)])


def case_of(mechanism: Mechanism) -> str:
    """Return the key of a mechanism in the texts."""
    if isinstance(mechanism, NoisySteps) and mechanism.rate == 1:
        return "gaussian"
    return mechanism.kind


def notion_sentences(account: Account) -> list[str]:
    """Return ρ and μ, or why there is none."""
    parts = ((text.RHO, account.rho), (text.MU, account.mu))
    return [_stated_text(templates, stated) for templates, stated in parts]


def _stated_text(templates: dict[str, str], stated: NotionValue) -> str:
    return render_text(templates[stated.case], value=stated.value, bound=stated.bound)


def assumptions(account: Account) -> list[str]:
    """Return what the guarantee assumes, and what it does with several images of a person."""
    mechanism = account.mechanism
    return [*text.ASSUMPTIONS[case_of(mechanism)], text.GROUPS[_group_case(account)]]


def _group_case(account: Account) -> str:
    mechanism = account.mechanism
    if isinstance(mechanism, PublishedGuarantee) and mechanism.unit == "person":
        return "person"
    if account.images == 1:
        return "one"
    case = case_of(mechanism)
    return case if case in text.GROUPS else "linear"


def to_json(account: Account, others: Sequence[OtherEpsilon] = ()) -> dict[str, Any]:
    """Return everything about a stated mechanism; None where no value is valid."""
    guarantee = account.guarantee
    stated = {
        field.name: getattr(account.mechanism, field.name)
        for field in dataclasses.fields(account.mechanism)
    }
    result: dict[str, Any] = {
        "mechanism": {"kind": account.mechanism.kind} | stated,
        "epsilon": account.epsilon,
        "delta": account.delta,
        "rho": account.rho.value,
        "mu": account.mu.value,
        "best_guess": account.best_guess,
        "prior": account.prior,
        "images_per_person": account.images,
        "adjacency": guarantee.adjacency,
        "unit": guarantee.unit,
        "assumptions": assumptions(account),
        "rho_note": notion_sentences(account)[0],
        "mu_note": notion_sentences(account)[1],
        "source": guarantee.source,
        "curve": [
            {"delta": float(delta), "epsilon": float(epsilon)}
            for delta, epsilon in zip(
                DELTAS, calculator.epsilon_curve(account.for_person, DELTAS), strict=True
            )
        ],
    }
    if others:
        result["libraries"] = [dataclasses.asdict(other) for other in others]
    return result
