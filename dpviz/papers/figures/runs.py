"""Cells of figures: runs of methods over a grid of budgets, data sets and settings."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from dpviz.data import DATASETS
from dpviz.methods import METHODS
from dpviz.papers.figures.model import Cell, Place
from dpviz.types import Budget, RunSpec

#: Public sets for the prototypes' papers, the paper's own first. Only the last is downloaded.
IMAGENET = ("imagenet64", "imagenet", "tiny-imagenet")


def cell(panel: str, line: str, x: Place, spec: RunSpec, seeds: int, draw: str = "") -> Cell:
    """One cell with ``seeds`` runs.

    Args:
        draw: parameter of the method that follows the seed, such as the draw of public shots.
    """
    if not (METHODS[spec.method].private and spec.budget.private) and not draw:
        seeds = 1
    specs = (_draw_spec(spec, seed, draw) for seed in range(seeds))
    return Cell(panel, line, x, tuple(specs))


def _draw_spec(spec: RunSpec, seed: int, draw: str) -> RunSpec:
    drawn_params = ((draw, seed),) if draw else ()
    return dataclasses.replace(spec, seed=seed, params=spec.params + drawn_params)


def over_budgets(
    panel: str,
    facts: Mapping[str, Any],
    methods: Iterable[str],
    budgets: Iterable[Budget],
    seeds: int,
    params: Mapping[str, Mapping[str, Any]] | None = None,
) -> list[Cell]:
    """Cells of methods over a budget axis.

    Args:
        facts: fields of a ``DataConfig``; params: settings of each method, by its key.
    """
    chosen = {key: tuple(own.items()) for key, own in (params or {}).items()}
    return [
        cell(
            panel,
            METHODS[method].title,
            budget.value,
            RunSpec(**facts, method=method, budget=budget, params=chosen.get(method, ())),
            seeds,
        )
        for method in methods
        for budget in budgets
    ]


def on_axis(axis: str, *values: float, delta: float = 1e-5) -> tuple[Budget, ...]:
    """Budgets on one axis."""
    return tuple(Budget(value, axis, delta) for value in values)


def imagenet() -> str:
    """The public set on disk that is nearest to the paper's ImageNet, else Tiny-ImageNet."""
    return next((key for key in IMAGENET if DATASETS[key].state == "there"), IMAGENET[-1])
