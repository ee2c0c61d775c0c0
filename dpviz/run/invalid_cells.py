"""Find the cells of a sweep that no method can run, so that the others run without them."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable

from dpviz.run import experiment
from dpviz.types import DataConfig, DpvizError, RunSpec


def without_invalid(specs: Iterable[RunSpec]) -> tuple[list[RunSpec], Counter[str]]:
    """Separate valid specs from invalid ones.

    Returns:
        The valid specs in their order, and the number of invalid ones by their error message.
    """
    valid: list[RunSpec] = []
    invalid: Counter[str] = Counter()
    reasons: dict[RunSpec, str] = {}
    unreadable: dict[DataConfig, str] = {}
    for spec in specs:
        first_seed_spec = dataclasses.replace(spec, seed=0)  # no plan depends on a seed
        if first_seed_spec not in reasons:
            reasons[first_seed_spec] = _error(first_seed_spec, unreadable)
        if reasons[first_seed_spec]:
            invalid[reasons[first_seed_spec]] += 1
        else:
            valid.append(spec)
    return valid, invalid


def _error(spec: RunSpec, unreadable: dict[DataConfig, str]) -> str:
    """The message why a spec cannot run; "" if it can. Data are read once in vain."""
    data = DataConfig(**spec.facts)
    if data in unreadable:
        return unreadable[data]
    try:
        full = experiment.complete(spec)
    except DpvizError as error:
        return str(error)
    try:
        experiment.prepared(full)
    except DpvizError as error:
        unreadable[data] = str(error)
        return str(error)
    try:
        experiment.planned(full)
    except DpvizError as error:
        return str(error)
    return ""
