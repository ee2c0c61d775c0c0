"""The settings of a page in words, and what changed between two of them."""

from __future__ import annotations

from collections.abc import Mapping

from dpviz.data import DATASETS
from dpviz.encoders import ENCODERS
from dpviz.methods import METHODS
from dpviz.views.view import View
from dpviz.words import SYMBOLS, number

Words = dict[str, tuple[str, str]]
"""Label and value in words, by setting."""


def words(view: View) -> Words:
    """All settings of a view; parameters of methods with their defaults."""
    last = view.first_seed + view.seeds - 1
    rows: Words = {
        "data": (
            "data",
            DATASETS[view.dataset].title if view.dataset in DATASETS else view.dataset,
        ),
        "encoder": (
            "encoder",
            (
                ENCODERS[view.encoder].title
                if view.encoder in ENCODERS
                else "none, features as they come"
            ),
        ),
        "public": ("public set", _public(view)),
        "features": ("features", view.features or "as they come"),
        "ir": ("IR", number(view.ir)),
        "budget": (SYMBOLS[view.budget.axis], number(view.budget.value)),
        "delta": ("δ", number(view.budget.delta)),
        "seeds": (
            ("noise seeds", f"{view.first_seed} to {last}")
            if view.seeds > 1
            else ("noise seed", str(last))
        ),
        "methods": ("methods", ", ".join(view.titles.values())),
    }
    changed = {key: dict(pairs) for key, pairs in view.params}
    for key in view.methods:
        for p in METHODS[key].params:
            rows[f"{key}.{p.name}"] = (
                f"{METHODS[key].title} {p.name}",
                str(changed.get(key, {}).get(p.name, p.default)),
            )
    return rows


def _public(view: View) -> str:
    if view.public is None:
        return "as it comes with the data"
    return DATASETS[view.public].title if view.public in DATASETS else view.public


def changes(one: Mapping[str, tuple[str, str]], other: Mapping[str, tuple[str, str]]) -> list[str]:
    """What differs, as ``ε 1 → 0.3``; settings of a method that only one side has say nothing."""
    return [
        _change(*one[key], *other[key]) for key in one if key in other and one[key] != other[key]
    ]


def _change(before: str, a: str, after: str, b: str) -> str:
    return f"{before} {a} → {b}" if before == after else f"{before} {a} → {after} {b}"
