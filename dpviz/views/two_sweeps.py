"""Two sweeps side by side: their rows joined on shared settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.formatting import METRICS, SYMBOLS, points, setting_text
from dpviz.methods import METHODS
from dpviz.stats import significant_differences
from dpviz.text import run_table as text
from dpviz.text import sweeps
from dpviz.text.template import render, render_text
from dpviz.types import DATA_FIELDS
from dpviz.views import run_table, settings_in_words
from dpviz.views.run_table import Row

#: Data settings that are joined on.
FACTS = tuple(field.name for field in DATA_FIELDS if field.name != "draw")
Name = tuple[str, str]
"""Method and setting; the method is "" for settings of the data."""


@dataclass(frozen=True)
class TwoSweeps:
    """Rows of two sweeps with the same settings.

    Attributes:
        pairs: one row of each sweep; metric: the score.
        constants: settings with one value in each sweep, but not the same; not joined on.
        unmatched: number of rows of each sweep without a partner.
    """

    pairs: tuple[tuple[Row, Row], ...]
    metric: str
    constants: Mapping[Name, tuple[Any, Any]]
    unmatched: tuple[int, int]

    @classmethod
    def from_rows(cls, first: Sequence[Row], second: Sequence[Row], metric: str) -> TwoSweeps:
        """Join the rows of two sweeps."""
        values = [_values(side) for side in (first, second)]
        constants = {
            name: (*some, *others)
            for name, some in values[0].items()
            if len(some) == 1 == len(others := values[1].get(name, set())) and some != others
        }
        partners = {_shared(row, constants): row for row in second}
        pairs = tuple(
            (row, partners[key]) for row in first if (key := _shared(row, constants)) in partners
        )
        return cls(pairs, metric, constants, (len(first) - len(pairs), len(second) - len(pairs)))

    def table(self) -> list[dict[str, Any]]:
        """Return a table row per pair; significance is by Holm over all pairs."""
        gaps = [run_table.gap(*pair, self.metric) for pair in self.pairs]
        clear = significant_differences(gaps)
        titles, some = self._titles(), [row for row, _ in self.pairs]
        params = run_table.varied_params(some)
        table = []
        for (row, other), gap, significant in zip(self.pairs, gaps, clear, strict=True):
            scores = row.score(self.metric), other.score(self.metric)
            cells = {titles["method"]: METHODS[row.spec.method].title}
            names = {
                name
                for name in params[row.spec.method]
                if (row.spec.method, name) not in self.constants
            }
            cells[titles["settings"]] = run_table.settings_text(row.spec, names)
            cells |= {
                sweeps.LABELS[fact]: settings_in_words.value_text(fact, getattr(row.spec, fact))
                for fact in self._varied_facts()
            }
            cells[titles["budget"]] = row.budget_text
            cells |= {
                titles["a"]: render_text(text.INTERVAL, point=scores[0]),
                titles["b"]: render_text(text.INTERVAL, point=scores[1]),
                titles["difference"]: points(gap.gap, gap.half),
                titles["significant"]: settings_in_words.significance(*scores, significant),
            }
            table.append(cells)
        return table

    def _titles(self) -> dict[str, str]:
        symbol = SYMBOLS[self.pairs[0][0].spec.budget.axis]
        fields = {"metric": METRICS[self.metric], "symbol": symbol}
        return {key: render_text(title, **fields) for key, title in text.PAIR_COLUMNS.items()}

    def _varied_facts(self) -> list[str]:
        some = [row.spec for row, _ in self.pairs]
        labelled = [fact for fact in run_table.FACTS if ("", fact) not in self.constants]
        return [fact for fact in labelled if len({getattr(spec, fact) for spec in some}) > 1]

    def caption(self) -> str:
        """Return how many rows are joined, and what else differs between the sweeps."""
        words = render(
            text.PAIRS, pairs=len(self.pairs), first=self.unmatched[0], second=self.unmatched[1]
        )
        changes = [
            render_text(text.CHANGE, name=_title(name), a=_words(name, a), b=_words(name, b))
            for name, (a, b) in self.constants.items()
        ]
        return f"{words} {render(text.ALL_CHANGES, changes=changes)}" if changes else words


def _values(rows: Sequence[Row]) -> dict[Name, set[Any]]:
    """Return the values of each setting of the data and of the methods."""
    values: dict[Name, set[Any]] = {}
    for row in rows:
        for name, value in _settings(row).items():
            values.setdefault(name, set()).add(value)
    return values


def _settings(row: Row) -> dict[Name, Any]:
    spec = row.spec
    facts: dict[Name, Any] = {("", fact): getattr(spec, fact) for fact in FACTS}
    return facts | {(spec.method, name): value for name, value in spec.params}


def _shared(row: Row, constants: Mapping[Name, Any]) -> tuple[Any, ...]:
    """Return what a row is joined on."""
    kept = {name: value for name, value in _settings(row).items() if name not in constants}
    budget = row.spec.budget if row.private else None
    return row.spec.method, budget, tuple(sorted(kept.items(), key=lambda item: item[0]))


def _title(name: Name) -> str:
    method, setting = name
    if method:
        return render_text(sweeps.METHOD_AXIS, method=METHODS[method].title, label=setting)
    titles = {field.name: field.metadata["title"] for field in DATA_FIELDS}
    return sweeps.LABELS.get(setting, titles[setting])


def _words(name: Name, value: Any) -> str:
    method, setting = name
    if method:
        return setting_text(value)
    return settings_in_words.value_text(setting, value)
