"""Accuracy against budget as a grid of panels: over which settings it goes, the runs of each panel,
and why some cannot be run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product, zip_longest
from typing import Any

from dpviz.data import DATASETS, persons_known, public_available, suiting_encoder, uploads
from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.encoders import availability
from dpviz.encoders.encoder_table import CURATED
from dpviz.formatting import number
from dpviz.methods import METHODS
from dpviz.plots.budget_curves import MAX_PANELS, PANELS_PER_ROW, BudgetCurve, Panel, Panels
from dpviz.types import Result
from dpviz.views import settings_in_words
from dpviz.views.page_config import Group, PageConfig

ORDERS = {
    "ir": "imbalance ratio",
    "records": "records per class",
    "encoder": "encoder",
    "dataset": "data set",
    "method": "method",
    "unit": "unit of privacy",
}
"""Over what a grid may go."""
RATIOS = (1, 10, 50)
"""Of those of the DPPL papers, up to the one that pages begin with: few, so that nobody waits."""
RECORD_COUNTS = (100, 0)
UNITS = {"picture": "per image", "person": "per person"}
NO_PERSONS = "This data set does not name the person of each image."
PERSON_BOUND = 5
"""Records a person where the promise is to persons and the view has no bound."""


@dataclass(frozen=True)
class Side:
    """One order of a grid: its name and the values in order."""

    name: str
    values: tuple[Any, ...]


NOTHING = Side("", (None,))
"""Of a grid that goes over one order alone."""


@dataclass(frozen=True)
class GridRequest:
    """Panels around a view, row after row: ``down`` has a value a row, ``across`` one a column."""

    view: PageConfig
    across: Side
    down: Side = NOTHING

    @property
    def columns(self) -> int:
        """Panels in a row."""
        wrapped = min(len(self.across.values), PANELS_PER_ROW)
        return wrapped if self.down == NOTHING else len(self.across.values)

    @property
    def cells(self) -> list[tuple[Any, Any]]:
        """(value down, value across) of each panel that is drawn, in reading order."""
        return list(product(self.down.values, self.across.values))[:MAX_PANELS]

    @property
    def views(self) -> list[PageConfig]:
        """What each panel asks for."""
        return [self._view(cell) for cell in self.cells]

    def _view(self, cell: tuple[Any, Any]) -> PageConfig:
        view = self.view
        for side, value in zip((self.down, self.across), cell, strict=True):
            if side.name:
                view = CHANGES[side.name](view, value)
        return view

    @property
    def titles(self) -> list[str]:
        """Of each panel."""
        words = [_words(side) for side in (self.across, self.down)]
        return [
            " · ".join(
                texts[value]
                for texts, value in zip(words, cell[::-1], strict=True)
                if value in texts
            )
            for cell in self.cells
        ]

    @property
    def reasons(self) -> list[str]:
        """Why a panel cannot be run, where that is known beforehand; else empty."""
        return [reason(view) for view in self.views]

    @property
    def groups(self) -> list[tuple[Group, ...]]:
        """The runs of each panel: a group a method; none where it cannot be run."""
        return [
            () if why else tuple(view.groups())
            for view, why in zip(self.views, self.reasons, strict=True)
        ]

    def same(self) -> str:
        """What is the same in all panels, in words."""
        names = {self.across.name, self.down.name}
        words = settings_in_words.words(self.view)
        fixed = [
            words[name] for name in ("dataset", "encoder", "ir", "records") if name not in names
        ]
        return ", ".join(f"{title} {value}" for title, value in fixed)


def _method(view: PageConfig, key: str) -> PageConfig:
    references = tuple(m for m in view.methods if not METHODS[m].private)
    return replace(view, methods=(key, *references))


def _dataset(view: PageConfig, key: str) -> PageConfig:
    """The same on other data: with the encoder and the public set that suit these, where the view
    has those that suit its own.
    """
    if key == view.dataset:
        return view
    encoder, public = view.encoder, view.public
    if encoder is None or encoder == suiting_encoder(view.dataset):
        encoder = suiting_encoder(key)
    available = public_available(key)
    if public not in available or (public == HELD_ASIDE and key not in DATASETS):
        public = available[0] if available else None
    return replace(view, dataset=key, encoder=encoder, public=public)


def _unit(view: PageConfig, unit: str) -> PageConfig:
    bound = (view.per_person or PERSON_BOUND) if unit == "person" else 0
    return replace(view, unit=unit, per_person=bound)


CHANGES: Mapping[str, Callable[[PageConfig, Any], PageConfig]] = {
    "ir": lambda view, ratio: replace(view, ir=ratio),
    "records": lambda view, records: replace(view, records=records),
    "encoder": lambda view, key: replace(view, encoder=key),
    "dataset": _dataset,
    "method": _method,
    "unit": _unit,
}
"""A view with another value of an order."""


def reason(view: PageConfig) -> str:
    """Why a view cannot be run here; empty where it can, or where that shows only once it is."""
    row = DATASETS.get(view.dataset)
    if row and not row.is_on_disk():
        return f"Not on disk. {row.get()}"
    if view.encoder and (why := availability.refusal(view.encoder)):
        return why
    if view.unit == "person" and not persons_known(view.dataset):
        return NO_PERSONS
    return ""


# --------------------------------------------------------------------------------- values and words


def value_text(name: str, value: Any) -> str:
    """A value of an order, as the title of a panel has it."""
    if name == "ir":
        return f"IR {number(value)}"
    if name == "records":
        return f"{value:,} per class" if value else "all records"
    if name == "encoder":
        return availability.title(value) if value else "features"
    if name == "dataset":
        return (
            DATASETS[value].title
            if value in DATASETS
            else settings_in_words.value_text(name, value)
        )
    return METHODS[value].title if name == "method" else UNITS[value]


def _words(side: Side) -> dict[Any, str]:
    """Each value in words; long names by their beginnings where these tell them apart."""
    if not side.name:
        return {}
    titles = {value: value_text(side.name, value) for value in side.values}
    if side.name not in ("encoder", "dataset"):
        return titles
    short = {value: title.split(" (")[0].split(",")[0] for value, title in titles.items()}
    short_titles = list(short.values())
    return {v: t if short_titles.count(t) == 1 else f"{t} ({v})" for v, t in short.items()}


def values(name: str, view: PageConfig) -> dict[str, Any]:
    """All values of an order that may be chosen, by what stands for each in a link."""
    if name == "ir":
        options: Iterable[Any] = sorted({1, 2, 5, 10, 20, 50, 100, 200, 500, _whole(view.ir)})
    elif name == "records":
        options = sorted({5, 10, 20, 50, 100, 200, 500, 1000, view.records or 100}) + [0]
    elif name == "encoder":
        options = dict.fromkeys([*availability.titles(), *CURATED, *filter(None, [view.encoder])])
    elif name == "dataset":
        private = [key for key, row in DATASETS.items() if "private" in row.roles and key != "etf"]
        private.sort(key=lambda key: not DATASETS[key].is_on_disk())
        options = dict.fromkeys([*private, view.dataset])
    elif name == "method":
        options = [key for key, row in METHODS.items() if row.private]
    else:
        options = UNITS
    return {_key(name, value): value for value in options}


def _key(name: str, value: Any) -> str:
    if name == "records":
        return str(value) if value else "all"
    if name == "dataset" and uploads.display_name(value):
        return "own"
    return number(value) if name == "ir" else str(value)


def _whole(ratio: float) -> float:
    return int(ratio) if ratio == int(ratio) else ratio


def first(name: str, view: PageConfig) -> tuple[str, ...]:
    """The values that a grid begins with, as in ``values``."""
    if name == "ir":
        return tuple(_key(name, ratio) for ratio in RATIOS)
    if name == "records":
        return tuple(_key(name, n) for n in RECORD_COUNTS)
    if name == "encoder":
        suits = suiting_encoder(view.dataset)
        grey = suits == "glyphnet"
        candidates = ("scatter" if grey else "scatter-colour", suits, view.encoder)
        available = availability.titles()
        return tuple(dict.fromkeys(key for key in candidates if key in available))
    if name == "dataset":
        return ("mnist5k", "clothes")
    if name == "method":
        return tuple(key for key in view.methods if METHODS[key].private)
    return tuple(UNITS)


def possible(view: PageConfig) -> dict[str, str]:
    """Titles of the orders that a grid around a view may go over."""
    pictures = view.encoder is not None and view.dataset in DATASETS
    impossible = set() if pictures else {"encoder"}
    impossible |= set() if pictures else {"dataset"}
    impossible |= set() if persons_known(view.dataset) else {"unit"}
    return {name: title for name, title in ORDERS.items() if name not in impossible}


# -------------------------------------------------------------------------------------------- files

SEPARATE_FILES = ("dataset", "unit")
"""Orders of which each value brings other facts along: a sweep file each."""


def tomls(grid: GridRequest) -> dict[str, str]:
    """The sweep files that give a grid again, by name; values with nothing to run are left out."""
    cells = [
        dict(zip((grid.down.name, grid.across.name), cell, strict=True))
        for cell, why in zip(grid.cells, grid.reasons, strict=True)
        if not why
    ]
    lists = {name: list(dict.fromkeys(cell[name] for cell in cells)) for name in _names(cells)}
    separate = [name for name in SEPARATE_FILES if name in lists]
    files: dict[str, Any] = {}
    for values_of_file in product(*(lists[name] for name in separate)):
        view = grid.view
        for name, value in zip(separate, values_of_file, strict=True):
            view = CHANGES[name](view, value)
        names: tuple[str, ...] = ("ir", "records", "encoder")
        swept = {name: lists[name] for name in names if name in lists}
        if methods := lists.get("method"):
            references = [key for key in view.methods if not METHODS[key].private]
            view = replace(view, methods=(*methods, *references))
        files["-".join(["grid", *map(str, values_of_file)])] = settings_in_words.toml(view, swept)
    return files


def _names(cells: Sequence[Mapping[str, Any]]) -> list[str]:
    return [name for name in (cells[0] if cells else ()) if name]


# ------------------------------------------------------------------------------------------- charts


@dataclass(frozen=True)
class PanelState:
    """What there is of a panel: its runs, methods still to come, and what was refused."""

    results: Sequence[Result] = ()
    waiting: Sequence[str] = ()
    error: str = field(default="")


def chart_of(grid: GridRequest, states: Sequence[PanelState], metric: str) -> Panels:
    """The chart of what is there; ``states``: of each panel."""
    budget = grid.view.budget
    panels = []
    for view, title, why, state in zip(grid.views, grid.titles, grid.reasons, states, strict=True):
        curve = BudgetCurve.from_results(state.results, view.titles, metric, budget, state.waiting)
        refused = why or state.error
        panels.append(Panel(title, curve, refused if not state.results else "", view == grid.view))
    return Panels.from_panels(panels, grid.columns)


def all_runs(groups: Iterable[Iterable[Group]]) -> list[Group]:
    """The groups of all panels, each once: a curve for every panel before the second of any, and
    what has no noise last.
    """
    turns = zip_longest(*groups)
    groups_once = dict.fromkeys(group for turn in turns for group in turn if group)
    return sorted(groups_once, key=lambda group: not group[0].budget.private)


def lowest_and_highest(chart: Panels, current: float) -> tuple[Panel, Panel] | None:
    """The panels whose best method is right least and most often, of those where that is known."""
    best = {
        i: max(point.mean for point in panel.curve.points_at(current).values())
        for i, panel in enumerate(chart.panels)
        if any(point.is_measured for point in panel.curve.points_at(current).values())
    }
    if not best:
        return None
    rank = lambda i: (best[i] if math.isfinite(best[i]) else 0.0, -i)
    return chart.panels[min(best, key=rank)], chart.panels[max(best, key=rank)]


# -------------------------------------------------------------------------------- of what was run


def varied(results: Sequence[Result]) -> dict[str, str]:
    """Titles of the orders of which some private runs have several values."""
    private = [r for r in results if METHODS[r.spec.method].private]
    return {
        name: title
        for name, title in ORDERS.items()
        if len({getattr(r.spec, name) for r in private}) > 1
    }


def of_results(results: Sequence[Result], across: str, down: str, metric: str) -> Panels:
    """A grid of runs that are there; a method without noise is drawn in each panel of its data.

    Args:
        across, down: orders, the second may be nothing; results: alike in all others but method.
    """
    sides = [_side(results, name) for name in (down, across)]
    rows, columns = sides
    first, words = results[0].spec, [_words(side) for side in sides]
    panels = []
    for cell in product(rows.values, columns.values):
        cell_results = [r for r in results if all(map(_is_of, (r, r), sides, cell))]
        titles = {
            key: METHODS[key].title for key in METHODS if any(_has(r, key) for r in cell_results)
        }
        curve = BudgetCurve.from_results(cell_results, titles, metric, first.budget)
        titles_of_cell = [
            texts[value] for texts, value in zip(words, cell, strict=True) if value in texts
        ]
        panels.append(
            Panel(" · ".join(titles_of_cell[::-1]), curve, "" if cell_results else MISSING)
        )
    wrapped = min(len(columns.values), PANELS_PER_ROW)
    return Panels.from_panels(panels, len(columns.values) if down else wrapped)


MISSING = "Not in this sweep"


def _has(result: Result, method: str) -> bool:
    return result.spec.method == method


def _is_of(result: Result, side: Side, value: Any) -> bool:
    """Whether a run belongs to a panel; one of a method without noise to those of every method."""
    if not side.name or (side.name == "method" and not METHODS[result.spec.method].private):
        return True
    return getattr(result.spec, side.name) == value


def _side(results: Sequence[Result], name: str) -> Side:
    if not name:
        return NOTHING
    private = [r for r in results if METHODS[r.spec.method].private]
    distinct = dict.fromkeys(getattr(r.spec, name) for r in private)
    if name in ("ir", "records"):
        return Side(name, tuple(sorted(distinct, key=lambda v: v or math.inf)))
    return Side(name, tuple(distinct))
