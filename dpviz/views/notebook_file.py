"""A page's runs as a notebook that computes them again."""

from __future__ import annotations

import dataclasses
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from dpviz.data import uploads
from dpviz.text import export as text
from dpviz.text.template import render_text
from dpviz.types import Budget, Result, RunSpec

PLACEHOLDER_BUDGET = Budget(1.0)


def notebook(title: str, link: str, specs: Iterable[RunSpec]) -> bytes:
    """Return an ``.ipynb`` file that runs the specs and shows table and chart.

    Args:
        title: of the page; link: of the view.
    """
    cells = [
        ("markdown", render_text(text.NOTEBOOK["head"], title=title, link=link)),
        ("code", "import dpviz\n\n%load_ext dpviz.notebook"),
        ("code", code(specs)),
        ("code", "results = dpviz.sweep(specs)\nresults"),
        ("code", "results.plot()"),
    ]
    content = {
        "cells": [_cell(number, *cell) for number, cell in enumerate(cells)],
        "metadata": {"kernelspec": {"display_name": "Python 3", "name": "python3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, ensure_ascii=False, indent=1).encode()


def of_results(title: str, link: str, results: Sequence[Result]) -> bytes:
    """Return ``notebook`` of the specs of results."""
    return notebook(title, link, [result.spec for result in results])


def code(specs: Iterable[RunSpec]) -> str:
    """Return Python that makes a list of these specs: one comprehension per group.

    A group has all its budgets in all its draws and seeds; other specs are groups of their own.
    """
    groups: dict[RunSpec, list[RunSpec]] = defaultdict(list)
    for spec in dict.fromkeys(specs):
        shared = dataclasses.replace(spec, budget=PLACEHOLDER_BUDGET, seed=0, draw=0)
        groups[shared].append(spec)
    lines = ["specs = []"]
    for members in groups.values():
        lines += [_comprehension(part) for part in _products(members)]
    return "\n".join(lines)


def _products(members: Sequence[RunSpec]) -> list[list[RunSpec]]:
    """Divide specs into full products of budgets, draws and seeds."""
    by_axis: dict[tuple[str, float], list[RunSpec]] = defaultdict(list)
    for spec in members:
        by_axis[spec.budget.axis, spec.budget.delta].append(spec)
    found = []
    for part in by_axis.values():
        size = 1
        for values in _values(part):
            size *= len(values)
        found += [part] if size == len(part) else [[spec] for spec in part]
    return found


def _values(part: Sequence[RunSpec]) -> tuple[list[Any], list[Any], list[Any]]:
    """Return the budgets, draws and seeds of specs, in their order."""
    columns = zip(*((s.budget.value, s.draw, s.seed) for s in part), strict=True)
    budgets, draws, seeds = (list(dict.fromkeys(column)) for column in columns)
    return budgets, draws, seeds


def _comprehension(part: Sequence[RunSpec]) -> str:
    spec, (budgets, draws, seeds) = part[0], _values(part)
    facts = {n: v for n, v in spec.non_default_fields.items() if n not in ("dataset", "draw")}
    if isinstance(facts.get("public"), str):
        facts["public"] = uploads.portable(facts["public"])
    settings = [f"{name}={value!r}" for name, value in facts.items()]
    settings += [f"settings={dict(spec.params)!r}"] if spec.params else []
    inner = "".join(f"\n        {setting}," for setting in settings)
    values = ", ".join(f'float("{v}")' if v == float("inf") else repr(v) for v in budgets)
    return (
        "specs += [\n"
        f"    dpviz.spec(\n        {spec.method!r},\n        {uploads.portable(spec.dataset)!r},"
        f"\n        budget=dpviz.Budget(value, {spec.budget.axis!r}, {spec.budget.delta!r}),"
        f"\n        draw=draw,\n        seed=seed,{inner}\n    )\n"
        f"    for value in [{values}]\n    for draw in {draws!r}\n    for seed in {seeds!r}\n]"
    )


def _cell(number: int, kind: str, source: str) -> dict[str, Any]:
    cell: dict[str, Any] = {
        "cell_type": kind,
        "id": f"cell-{number}",
        "metadata": {},
        "source": source.splitlines(keepends=True),
    }
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})
