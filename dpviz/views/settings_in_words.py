"""Settings of a page in words, and the comparison of two views."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dpviz.data import DATASETS, public_title, synthetic, uploads
from dpviz.encoders import availability
from dpviz.formatting import METRICS, SYMBOLS, budget_at_level, literal, number, percent, points
from dpviz.methods import METHODS
from dpviz.stats import Interval, accuracy, difference, significant_differences
from dpviz.text import settings as text
from dpviz.text.template import render, render_text
from dpviz.types import DATA_FIELDS, Budget, Result
from dpviz.views.page_config import PageConfig

Words = dict[str, tuple[str, str]]
"""Label and value in words, by setting."""
TITLES: dict[str, Callable[[str], str]] = {
    "dataset": lambda key: DATASETS[key].title if key in DATASETS else key,
    "encoder": availability.title,
    "public": public_title,
}
"""Title of a fact that is a key."""


def words(view: PageConfig) -> Words:
    """Return all settings of a view, with the methods' parameters."""
    last = view.first_seed + view.seeds - 1
    rows: Words = {
        fact.name: (fact.metadata["title"], value_text(fact.name, value))
        for fact, value in zip(DATA_FIELDS, view.facts.values(), strict=True)
    }
    rows |= {
        "budget": (SYMBOLS[view.budget.axis], number(view.budget.value)),
        "delta": ("δ", number(view.budget.delta)),
        "seeds": (
            (text.SEEDS, render_text(text.SEED_RANGE, first=view.first_seed, last=last))
            if view.seeds > 1
            else (text.SEED, str(last))
        ),
        **({"draws": (text.DRAWS, str(view.draws))} if view.draws > 1 else {}),
        "methods": (text.METHODS, ", ".join(view.titles.values())),
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


def runs(view: PageConfig) -> list[str]:
    """Return the noise seeds and the data draws behind each point."""
    last_seed, last_draw = view.first_seed + view.seeds - 1, view.draw + view.draws - 1
    return [
        render_text(
            text.FOOT_SEEDS["several" if view.seeds > 1 else "one"],
            seeds=view.seeds,
            first=str(view.first_seed),
            last=str(last_seed),
        ),
        render_text(
            text.FOOT_DRAWS["several" if view.draws > 1 else "one"],
            draws=view.draws,
            first=str(view.draw),
            last=str(last_draw),
        ),
    ]


def value_text(name: str, value: Any) -> str:
    """Return a setting of the data: keys as titles, numbers short."""
    if value in (None, "", 0):
        return text.EMPTY.get(name, text.NOT_SET)
    if name == "dataset" and uploads.display_name(value):
        return uploads.title(Path(value).stem)
    if isinstance(value, str):
        return TITLES[name](value) if name in TITLES else value
    return f"{value:,}" if isinstance(value, int) else number(value)


def phone_line(dataset: str, ratio: float, budget: Budget | None = None) -> str:
    """Return data set, imbalance ratio and budget in a line: ``MNIST · imbalance 50 · ε = 1``."""
    is_synthetic = synthetic.is_synthetic(dataset)
    title = DATASETS[synthetic.KEY].title if is_synthetic else value_text("dataset", dataset)
    case = "original" if ratio == 1 else "changed"
    parts = [render_text(text.PHONE_DATA[case], data=title, ratio=ratio)]
    if budget is not None:
        parts.append(budget_at_level(budget, precise=False))
    return " · ".join(parts)


def changes(
    first: Mapping[str, tuple[str, str]], second: Mapping[str, tuple[str, str]]
) -> list[str]:
    """Return what differs, as ``ε 1 → 0.3``, of the settings that both sides have."""
    return [
        _change_text(*first[key], *second[key])
        for key in first
        if key in second and first[key] != second[key]
    ]


def _change_text(label: str, before: str, other: str, after: str) -> str:
    template = text.CHANGE if label == other else text.CHANGED_LABEL
    return render_text(template, label=label, before=before, other=other, after=after)


def toml(view: PageConfig, several: Mapping[str, Sequence[Any]] = MappingProxyType({})) -> str:
    """Return the settings for ``dpviz sweep``; JSON values are TOML values here.

    Args:
        several: settings with several values each.
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
        path = uploads.portable(view.dataset)
        lines.insert(0, render_text(text.UPLOAD_COMMENT, name=called, path=path))
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Pin:
    """A pinned view.

    Attributes:
        words: its settings.
        scores: accuracy of each method (title) and metric.
    """

    words: Words
    scores: dict[str, dict[str, Interval]]


def pin(view: PageConfig, results: Sequence[Result]) -> Pin:
    """Return a pin of the results at the selected budget and of the references."""
    methods = dict.fromkeys(r.spec.method for r in results)
    mine = {key: [r for r in results if r.spec.method == key] for key in methods}
    scores = {
        METHODS[key].title: {m: accuracy(runs, m) for m in METRICS} for key, runs in mine.items()
    }
    return Pin(words(view), scores)


def pin_sentence(a: Pin, b: Pin, metric: str) -> str:
    """Return the changed settings and their effect on each method, in Markdown."""
    changed = changes(a.words, b.words)
    if not changed:
        return text.PINNED
    name = METRICS[metric].lower()
    scores = [
        render(text.SCORE, method=title, metric=name, change=change.words)
        for title, change in _score_changes(a, b, metric).items()
    ]
    facts = {"changes": literal("; ".join(changed)), "scores": "; ".join(scores)}
    facts["scores"] = facts["scores"] or text.NO_COMMON_METHOD
    return render(text.COMPARED, **facts)


def pin_table(a: Pin, b: Pin, metric: str) -> list[dict[str, str]]:
    """Return a row per method in either view; nothing where no setting changed."""
    if not changes(a.words, b.words):
        return []
    score_changes, rows = _score_changes(a, b, metric), []
    for title in dict.fromkeys([*a.scores, *b.scores]):
        first, other = (side.scores.get(title, {}).get(metric) for side in (a, b))
        change = score_changes.get(title)
        row = {
            "method": title,
            "a": percent(first) if first else text.NOT_SHOWN,
            "b": percent(other) if other else text.NOT_SHOWN,
            "difference": change.difference if change else "",
            "significant": (change.verdict or text.CLEAR) if change else "",
        }
        rows.append({text.COLUMNS[name]: value for name, value in row.items()})
    return rows


@dataclass(frozen=True)
class Change:
    """Effect of changed settings on a method.

    Attributes:
        difference: in points; verdict: whether it is significant, empty where it is.
    """

    difference: str
    verdict: str

    @property
    def words(self) -> str:
        """Difference and verdict."""
        if not self.verdict:
            return self.difference
        return render(text.WITH_VERDICT, difference=self.difference, verdict=self.verdict)


def _score_changes(a: Pin, b: Pin, metric: str) -> dict[str, Change]:
    """Return the change of each method in both views, compared together."""
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
    """Return why a difference is not significant; empty where it is."""
    if a == b:
        return text.SAME
    if math.isinf(a.sd + b.sd):
        return text.SINGLE_RUN
    return "" if clear else text.UNCLEAR


def significance(a: Interval, b: Interval, clear: bool) -> str:
    """Return whether a difference is significant, or why it is not."""
    return verdict(a, b, clear) or text.CLEAR
