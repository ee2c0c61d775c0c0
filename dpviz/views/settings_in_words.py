"""The settings of a page in words, and what changed between two of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dpviz.data import DATASETS, public_title, uploads
from dpviz.encoders import availability
from dpviz.formatting import SYMBOLS, number
from dpviz.methods import METHODS
from dpviz.types import FACTS
from dpviz.views.page_config import PageConfig

Words = dict[str, tuple[str, str]]
"""Label and value in words, by setting."""
TITLES: dict[str, Callable[[str], str]] = {
    "dataset": lambda key: DATASETS[key].title if key in DATASETS else key,
    "encoder": availability.title,
    "public": public_title,
}
"""Where a fact is a key, what people read of it."""
EMPTY = {
    "encoder": "none, features as they come",
    "public": "as it comes with the data",
    "features": "as they come",
    "records": "all",
    "per_person": "all",
    "classes": "as in the data",
}
"""How a fact that is left empty is said."""


def words(view: PageConfig) -> Words:
    """All settings of a view; parameters of methods with their defaults."""
    last = view.first_seed + view.seeds - 1
    rows: Words = {
        fact.name: (fact.metadata["title"], value_text(fact.name, value))
        for fact, value in zip(FACTS, view.facts.values(), strict=True)
    }
    rows |= {
        "budget": (SYMBOLS[view.budget.axis], number(view.budget.value)),
        "delta": ("δ", number(view.budget.delta)),
        "seeds": (
            ("noise seeds", f"{view.first_seed} to {last}")
            if view.seeds > 1
            else ("noise seed", str(last))
        ),
        **({"draws": ("data draws", str(view.draws))} if view.draws > 1 else {}),
        "methods": ("methods", ", ".join(view.titles.values())),
    }
    changed = {key: dict(pairs) for key, pairs in view.params}
    for key in view.methods:
        if key not in METHODS:  # a page's own, without settings
            continue
        for p in METHODS[key].params:
            rows[f"{key}.{p.name}"] = (
                f"{METHODS[key].title} {p.name}",
                str(changed.get(key, {}).get(p.name, p.default)),
            )
    return rows


def value_text(name: str, value: Any) -> str:
    """A fact of the material: rows of tables by their titles, numbers short."""
    if value in (None, "", 0):
        return EMPTY.get(name, "none")
    if name == "dataset" and uploads.display_name(value):
        return uploads.title(Path(value).stem)
    if isinstance(value, str):
        return TITLES[name](value) if name in TITLES else value
    return f"{value:,}" if isinstance(value, int) else number(value)


def changes(one: Mapping[str, tuple[str, str]], other: Mapping[str, tuple[str, str]]) -> list[str]:
    """What differs, as ``ε 1 → 0.3``; settings of a method that only one side has say nothing."""
    return [
        _change_text(*one[key], *other[key])
        for key in one
        if key in other and one[key] != other[key]
    ]


def _change_text(before: str, a: str, after: str, b: str) -> str:
    return f"{before} {a} → {b}" if before == after else f"{before} {a} → {after} {b}"


def toml(view: PageConfig, several: Mapping[str, Sequence[Any]] = MappingProxyType({})) -> str:
    """The settings for ``python -m dpviz sweep``; JSON's words for text, numbers and lists are
    TOML's too.

    Args:
        several: facts that take several values.
    """
    fields = view.given | {"ir": view.ir, "axis": view.budget.axis, "delta": view.budget.delta}
    if view.draws > 1:
        fields["draw"] = list(range(view.draw, view.draw + view.draws))
    fields |= {name: list(values) for name, values in several.items()}
    fields["budgets"] = view.budgets
    fields["seeds"] = list(range(view.first_seed, view.first_seed + view.seeds))
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
    for key in view.methods:
        lines += ["", f"[methods.{key}]"]
        lines += [f"{name} = {json.dumps(value)}" for name, value in dict(view.params).get(key, ())]
    if called := uploads.display_name(view.dataset):
        lines[:0] = [
            f"# dataset is {called}, an upload of one server. On another machine, replace its path",
            f"# by that of your file ({uploads.portable(view.dataset)}).",
        ]
    return "\n".join(lines) + "\n"
