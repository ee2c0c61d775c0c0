"""Settings of a page in words, and the comparison of two views."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dpviz.data import DATASETS, public_title, uploads
from dpviz.encoders import availability
from dpviz.formatting import METRICS, SYMBOLS, literal, number, percent, points
from dpviz.methods import METHODS
from dpviz.stats import Interval, accuracy, difference, significant_differences
from dpviz.types import DATA_FIELDS, Result
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
        for fact, value in zip(DATA_FIELDS, view.facts.values(), strict=True)
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


def changes(
    first: Mapping[str, tuple[str, str]], second: Mapping[str, tuple[str, str]]
) -> list[str]:
    """What differs, as ``ε 1 → 0.3``; settings of a method that only one side has say nothing."""
    return [
        _change_text(*first[key], *second[key])
        for key in first
        if key in second and first[key] != second[key]
    ]


def _change_text(before: str, a: str, after: str, b: str) -> str:
    return f"{before} {a} → {b}" if before == after else f"{before} {a} → {after} {b}"


def toml(view: PageConfig, several: Mapping[str, Sequence[Any]] = MappingProxyType({})) -> str:
    """The settings for ``python -m dpviz sweep``; JSON's words for text, numbers and lists are
    TOML's too.

    Args:
        several: facts that take several values.
    """
    fields = view.non_default_fields | {
        "ir": view.ir,
        "axis": view.budget.axis,
        "delta": view.budget.delta,
    }
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


@dataclass(frozen=True)
class Pin:
    """A view as numbers and words alone.

    Attributes:
        words: its settings; scores: mean and interval of each method (title) and metric.
    """

    words: Words
    scores: dict[str, dict[str, Interval]]


def pin(view: PageConfig, results: Sequence[Result]) -> Pin:
    """A pin of the results at the budget looked at and of the references."""
    methods = dict.fromkeys(r.spec.method for r in results)
    mine = {key: [r for r in results if r.spec.method == key] for key in methods}
    scores = {
        METHODS[key].title: {m: accuracy(runs, m) for m in METRICS} for key, runs in mine.items()
    }
    return Pin(words(view), scores)


def pin_sentence(a: Pin, b: Pin, metric: str) -> str:
    """What changed in the settings, and what that did to each method, in Markdown."""
    changed = changes(a.words, b.words)
    if not changed:
        return "**A is pinned.** Move a control: the difference from A is written here."
    head = literal("; ".join(changed))
    texts = [
        f"{title} **{METRICS[metric].lower()} {change.words}**"
        for title, change in _score_changes(a, b, metric).items()
    ]
    return f"**A → B: {head}.** {'; '.join(texts) or 'No method is in both'}."


def pin_table(a: Pin, b: Pin, metric: str) -> list[dict[str, str]]:
    """A row a method in either; nothing where no setting changed."""
    if not changes(a.words, b.words):
        return []
    score_changes, rows = _score_changes(a, b, metric), []
    for title in dict.fromkeys([*a.scores, *b.scores]):
        first, other = (side.scores.get(title, {}).get(metric) for side in (a, b))
        change = score_changes.get(title)
        rows.append(
            {
                "": title,
                "A": percent(first) if first else "not drawn",
                "B": percent(other) if other else "not drawn",
                "B − A": change.difference if change else "",
                "told apart": (change.verdict or "yes") if change else "",
            }
        )
    return rows


@dataclass(frozen=True)
class Change:
    """What a change of settings did to a method: a difference in points, and whether it is more
    than noise, in words; empty where it is.
    """

    difference: str
    verdict: str

    @property
    def words(self) -> str:
        """Both."""
        return f"{self.difference}, {self.verdict}" if self.verdict else self.difference


def _score_changes(a: Pin, b: Pin, metric: str) -> dict[str, Change]:
    """Of each method in both, all told together."""
    pairs = {
        title: (a.scores[title][metric], b.scores[title][metric])
        for title in b.scores
        if title in a.scores
    }
    differences = [difference(*pair) for pair in pairs.values()]
    return {
        title: Change(points(gap.gap, gap.half), verdict(*pairs[title], clear))
        for title, gap, clear in zip(
            pairs, differences, significant_differences(differences), strict=True
        )
    }


def verdict(a: Interval, b: Interval, clear: bool) -> str:
    """``within noise`` and the like, empty where the difference is clear."""
    if a == b:
        return "the same"
    if math.isinf(a.sd + b.sd):
        return "a single run: its noise cannot be told"
    return "" if clear else "within noise"
