"""Runs of a sweep as a table: columns, filters, the best row of each group, two rows compared."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import numpy as np

from dpviz.diagnostics import attack_bound
from dpviz.experiments.result_files import PRIVATE
from dpviz.formatting import METRICS, SYMBOLS, number, points, setting_text
from dpviz.methods import METHODS
from dpviz.stats import Difference, Interval, accuracy, difference, significant_differences
from dpviz.text import run_table as text
from dpviz.text import sweeps
from dpviz.text.template import render, render_text
from dpviz.types import Result, RunSpec
from dpviz.views import run_links, settings_in_words

#: Columns that a reader sees at first, before and after those of varied data settings.
FIRST, LAST = ("method", "settings"), ("budget", "mean", "low", "high", "runs", "guess")
#: Columns by which rows can be filtered and grouped, besides data settings.
CATEGORIES = ("method", "settings", "budget", "tag")
#: Data settings of a row; runs on several data draws are one row.
FACTS = tuple(name for name in sweeps.LABELS if name != "draw")


@dataclass(frozen=True, eq=False)
class Row:
    """One setting: its runs over noise seeds and data draws."""

    runs: tuple[Result, ...]

    @property
    def spec(self) -> RunSpec:
        """Its first run."""
        return self.runs[0].spec

    @property
    def key(self) -> str:
        """Name of the setting, alike in all sweeps."""
        return setting_of(self.spec).digest[:16]

    @property
    def draws(self) -> set[int]:
        """Its data draws."""
        return {run.spec.draw for run in self.runs}

    @property
    def private(self) -> bool:
        """Whether the runs have noise."""
        return METHODS[self.spec.method].private and self.spec.budget.private

    @property
    def budget_text(self) -> str:
        """The budget as a number, or that there is no noise."""
        return number(self.spec.budget.value) if self.private else text.NO_BUDGET

    def score(self, metric: str) -> Interval:
        """Accuracy over seeds and draws."""
        return accuracy(self.runs, metric)

    @property
    def guess(self) -> float:
        """The attacker's best guess; nan without noise."""
        return attack_bound.success_bound(self.runs[0].guarantee) if self.private else math.nan


def setting_of(spec: RunSpec) -> RunSpec:
    """Return the run without seed and draw."""
    return replace(spec, seed=0, draw=0)


def rows(results: Sequence[Result]) -> list[Row]:
    """Return a row per setting, in the order of the first runs."""
    found: dict[RunSpec, list[Result]] = {}
    for result in results:
        found.setdefault(setting_of(result.spec), []).append(result)
    return [Row(tuple(runs)) for runs in found.values()]


@dataclass(frozen=True)
class RunTable:
    """Rows of a sweep, read at one score.

    Attributes:
        rows: all of them; metric: the score; tags: words of the reader, by key of a row.
        varied_params: names of a method's settings that vary or differ from their defaults.
    """

    rows: tuple[Row, ...]
    metric: str
    tags: Mapping[str, str]
    varied_params: Mapping[str, set[str]]

    @classmethod
    def from_results(
        cls, results: Sequence[Result], metric: str, tags: Mapping[str, str]
    ) -> RunTable:
        """Make the table of a sweep's results."""
        found = rows(results)
        return cls(tuple(found), metric, tags, varied_params(found))

    @property
    def columns(self) -> dict[str, str]:
        """Titles of all columns, by key: those of ``first_columns`` come first."""
        params = sorted({name for row in self.rows for name, _ in row.spec.params})
        others = [name for name in FACTS if name not in self._varied_facts]
        keys = [*FIRST, *self._varied_facts, *LAST, "epsilon", "seconds"]
        keys += [name for name in METRICS if name != self.metric] + others
        titles = {key: self._title(key) for key in keys}
        return titles | {
            f"param.{name}": render_text(text.PARAM_COLUMN, name=name) for name in params
        }

    @property
    def first_columns(self) -> tuple[str, ...]:
        """Columns that a reader sees at first."""
        return (*FIRST, *self._varied_facts, *LAST)

    @property
    def _varied_facts(self) -> tuple[str, ...]:
        return tuple(n for n in FACTS if len({getattr(row.spec, n) for row in self.rows}) > 1)

    @property
    def categories(self) -> dict[str, str]:
        """Titles of the columns with several values, by which rows are filtered and grouped."""
        keys = [*CATEGORIES, *self._varied_facts]
        values = {key: {self.words(row, key) for row in self.rows} for key in keys}
        return {key: self._title(key) for key in keys if len(values[key]) > 1}

    def _title(self, key: str) -> str:
        if key in sweeps.LABELS:
            return sweeps.LABELS[key]
        if key in METRICS:
            return render_text(text.COLUMNS["mean"], metric=METRICS[key])
        budget = self.rows[0].spec.budget
        fields = {"metric": METRICS[self.metric], "symbol": SYMBOLS[budget.axis]}
        return render_text(text.COLUMNS[key], **fields, delta=budget.delta)

    def words(self, row: Row, key: str) -> str:
        """Return a value of ``categories`` in words."""
        if key == "method":
            return METHODS[row.spec.method].title
        if key == "settings":
            return settings_text(row.spec, self.varied_params[row.spec.method])
        if key == "budget":
            return row.budget_text
        if key == "tag":
            return self.tags.get(row.key, text.NO_TAG)
        return settings_in_words.value_text(key, getattr(row.spec, key))

    @property
    def filters(self) -> dict[str, str]:
        """Titles of the filters, by ``column:value`` without commas."""
        return {
            self._filter(row, key): render_text(
                text.FILTER, column=title, value=self.words(row, key)
            )
            for key, title in self.categories.items()
            for row in self.rows
        }

    def _filter(self, row: Row, key: str) -> str:
        return f"{key}:{self.words(row, key)}".replace(",", ";")

    def filtered(self, chosen: Iterable[str]) -> list[Row]:
        """Return the rows that have one of the chosen values of each chosen column."""
        wanted: dict[str, set[str]] = {}
        for name in chosen:
            wanted.setdefault(name.partition(":")[0], set()).add(name)
        return [
            row
            for row in self.rows
            if all(self._filter(row, key) in names for key, names in wanted.items())
        ]

    def best(self, some: Sequence[Row], by: Sequence[str]) -> dict[Row, int]:
        """Return the row with the highest accuracy of each group, and the size of its group.

        Rows without test images are left out, and without noise where others have noise.

        Args:
            by: columns whose values a group shares.
        """
        groups: dict[tuple[str, ...], dict[Row, float]] = {}
        for row in [row for row in some if row.private] or some:
            if (score := row.score(self.metric)).is_measured:
                group = tuple(self.words(row, key) for key in by)
                groups.setdefault(group, {})[row] = score.mean
        return {max(means, key=means.__getitem__): len(means) for means in groups.values()}

    def cells(
        self, some: Sequence[Row], columns: Sequence[str], sizes: Mapping[Row, int] | None = None
    ) -> list[dict[str, Any]]:
        """Return the cells of rows by title: tags and these columns.

        Tags have a column even if there are none, so that a first one leaves a sorted table as it
        is.

        Args:
            sizes: as of ``best``.
        """
        titles = self.columns | {"tag": self._title("tag")}
        keys = ("tag", *columns)
        names = {key: self._private(key, titles[key]) for key in keys}
        numeric = {key for key in keys if self._is_number(key)}
        table = []
        for row in some:
            score = row.score(self.metric)
            cells = {} if sizes is None else {text.BEST_OF: sizes[row]}
            for key in keys:
                is_number = key in numeric
                value = getattr(row.spec, key) if is_number else self._cell(row, key, score)
                cells[names[key]] = value
            table.append(cells)
        return table

    def _private(self, key: str, title: str) -> str:
        """Return a column's name, marked if its numbers depend on private class sizes."""
        by_minority = "minority" in (key, self.metric if key in text.SCORES else "")
        return f"{PRIVATE}.{title}" if by_minority or key == "seconds" else title

    def _cell(self, row: Row, key: str, score: Interval) -> Any:
        share = lambda value: round(100 * value, 1)
        if key in text.SCORES:
            return share(getattr(score, key))
        if key in METRICS:
            return share(row.score(key).mean)
        if key.startswith("param."):
            return dict(row.spec.params).get(key.removeprefix("param."))
        guarantee = row.runs[0].guarantee
        numbers = {
            "tag": lambda: self.tags.get(row.key, ""),
            "budget": lambda: row.spec.budget.value if row.private else math.nan,
            "runs": lambda: len(row.runs),
            "guess": lambda: _tenths_up(100 * row.guess),
            "epsilon": lambda: guarantee.epsilon_delta if row.private else math.nan,
            "seconds": lambda: round(fmean(run.seconds for run in row.runs), 4),
        }
        return numbers[key]() if key in numbers else self.words(row, key)

    def _is_number(self, key: str) -> bool:
        """Return whether a data setting is a number in all rows, so that it sorts as one."""
        values = {getattr(row.spec, key) for row in self.rows} if key in FACTS else {""}
        return all(isinstance(value, int | float) and value for value in values)

    def link(self, row: Row) -> str:
        """Return the address of Trade-off with the row's settings."""
        return run_links.trade_off([run.spec for run in row.runs])


def _tenths_up(percent: float) -> float:
    """Return a limit in percent with one digit, rounded up; nan stays."""
    return percent if math.isnan(percent) else math.ceil(10 * percent - 1e-6) / 10


def varied_params(some: Sequence[Row]) -> dict[str, set[str]]:
    """Return names of each method's settings that vary or differ from their defaults."""
    values: dict[str, dict[str, set[Any]]] = {}
    for row in some:
        method = row.spec.method
        if method not in values:
            values[method] = {param.name: {param.default} for param in METHODS[method].params}
        for name, value in row.spec.params:
            values[method].setdefault(name, set()).add(value)
    return {
        method: {name for name, different in found.items() if len(different) > 1}
        for method, found in values.items()
    }


def settings_text(spec: RunSpec, names: set[str]) -> str:
    """Return some settings of a run as ``name value``, separated by commas."""
    parts = [
        render_text(text.PARAM, name=name, value=setting_text(value))
        for name, value in spec.params
        if name in names
    ]
    return ", ".join(parts) or text.DEFAULTS


# ----------------------------------------------------------------------------------- two rows


def side(row: Row) -> str:
    """Return a row's method and budget, in Markdown."""
    template = text.SIDE if row.private else text.SIDE_WITHOUT_NOISE
    symbol = SYMBOLS[row.spec.budget.axis]
    title = METHODS[row.spec.method].title
    return render(template, method=title, symbol=symbol, budget=row.budget_text)


def changed_settings(first: Row, second: Row) -> list[dict[str, str]]:
    """Return a table row per setting that differs between two rows."""
    sides = [_all_settings(row) for row in (first, second)]
    names = dict.fromkeys([*sides[0], *sides[1]])
    pairs = {name: [side.get(name, text.NO_VALUE) for side in sides] for name in names}
    columns = text.DIFFERENCE_COLUMNS
    return [
        {columns["name"]: name, columns["a"]: a, columns["b"]: b}
        for name, (a, b) in pairs.items()
        if a != b
    ]


def _all_settings(row: Row) -> dict[str, str]:
    spec = row.spec
    facts = {
        sweeps.LABELS[name]: settings_in_words.value_text(name, getattr(spec, name))
        for name in FACTS
    }
    symbol = SYMBOLS[spec.budget.axis]
    seeds = {run.spec.seed for run in row.runs}
    return (
        {text.COLUMNS["method"]: METHODS[spec.method].title}
        | facts
        | {
            render_text(text.COLUMNS["budget"], symbol=symbol): row.budget_text,
            text.SEEDS: _numbers_text(seeds),
            text.DRAWS: _numbers_text(row.draws),
        }
        | {name: setting_text(value) for name, value in spec.params}
    )


def _numbers_text(values: set[int]) -> str:
    low, high = min(values), max(values)
    return str(low) if low == high else render_text(text.FROM_TO, low=str(low), high=str(high))


def gap(first: Row, second: Row, metric: str) -> Difference:
    """Return the difference of two rows, second minus first.

    Test images are compared one by one if both rows have the same data and data draws.
    """
    a, b = first.score(metric), second.score(metric)
    same_images = first.spec.dataset == second.spec.dataset and first.draws == second.draws
    if not same_images and a.parts is not None and b.parts is not None:
        sizes = len(a.parts), len(b.parts)
        a = replace(a, parts=np.concatenate([a.parts, np.zeros(sizes[1])]))
        b = replace(b, parts=np.concatenate([np.zeros(sizes[0]), b.parts]))
    return difference(a, b)


def changed_scores(first: Row, second: Row) -> list[dict[str, str]]:
    """Return a table row per metric: both sides with intervals, and their difference.

    Significance is by Holm over all metrics.
    """
    pairs = {metric: (first.score(metric), second.score(metric)) for metric in METRICS}
    pairs = {m: pair for m, pair in pairs.items() if all(side.is_measured for side in pair)}
    gaps = [gap(first, second, metric) for metric in pairs]
    columns = text.DIFFERENCE_COLUMNS
    table = [
        {
            columns["name"]: METRICS[metric],
            columns["a"]: render_text(text.INTERVAL, point=pair[0]),
            columns["b"]: render_text(text.INTERVAL, point=pair[1]),
            columns["difference"]: points(change.gap, change.half),
            columns["significant"]: settings_in_words.significance(*pair, clear),
        }
        for (metric, pair), change, clear in zip(
            pairs.items(), gaps, significant_differences(gaps), strict=True
        )
    ]
    guesses = [row.guess for row in (first, second)]
    if guesses[0] != guesses[1] and not any(map(math.isnan, guesses)):
        table.append(
            {
                columns["name"]: text.GUESS,
                columns["a"]: render_text(text.AT_MOST, guess=guesses[0]),
                columns["b"]: render_text(text.AT_MOST, guess=guesses[1]),
                columns["difference"]: points(guesses[1] - guesses[0], math.inf),
                columns["significant"]: text.EXACT,
            }
        )
    return table
