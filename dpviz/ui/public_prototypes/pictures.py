"""The pictures of the page "Public prototypes": what is picked by seed at each budget, and what one
seed picks as the budget grows.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from dpviz import caches
from dpviz.diagnostics import prototype_choices
from dpviz.diagnostics.prototype_choices import Draws
from dpviz.formatting import SYMBOLS, budget_text, number, numbers, percent
from dpviz.plots.kit.drawing import class_order, membership, select, visible_minority
from dpviz.plots.prototypes import PrototypeGrid, Tile, drawn_classes, grid_frames
from dpviz.run import experiment
from dpviz.stats import accuracy
from dpviz.types import Dataset, RunSpec
from dpviz.ui.frame import detail_level
from dpviz.ui.public_prototypes.answer import Choices
from dpviz.views import phrases

MAX_SEEDS = 5
"""Most seeds whose pictures are shown."""
Cell = tuple[int, int, int]
"""Budget, seed, class."""


def by_seed(choices: Choices, current: float) -> str:
    """The main picture: for every budget a row a seed, a column a class; ``current`` is the budget
    that is shown. In the plain voice it is the first seed's row, without odds.
    """
    place = choices.budgets.index(current)
    minority = visible_minority(choices.exact.minority_classes, choices.data.counts)
    arguments = (
        choices.any_budget,
        choices.draws,
        choices.budgets,
        choices.metric,
        minority,
        place,
    )
    return _frames(*arguments, detail_level.precise())


@caches.cached(20)
def _frames(
    spec: RunSpec,
    draws: Draws,
    budgets: tuple[float, ...],
    metric: str,
    minority: tuple[int, ...],
    current: int,
    precise: bool,
) -> str:
    data, places = experiment.prepared(spec), range(len(budgets))
    specs = [prototype_choices.with_budget(spec, b) for b in budgets]
    if precise:
        odds = prototype_choices.chances(spec, budgets, draws.chosen[: len(budgets)])
        words = [_frame_words(frame_spec, draws, metric) for frame_spec in specs]
        grids = [_by_seed(data, draws, minority, place, odds[place]) for place in places]
    else:
        words = [_plain_words(frame_spec, draws) for frame_spec in specs]
        grids = [_first_seed(data, draws, minority, place) for place in places]
    return grid_frames(
        list(zip(numbers(budgets), words, grids, strict=True)),
        current,
        f"The public pictures picked for each class{', a row a noise seed' * precise}.",
    )


def _plain_words(spec: RunSpec, draws: Draws) -> str:
    """A line above the row that is shown in the plain voice."""
    value = spec.budget.value
    start = f"{SYMBOLS[spec.budget.axis]} = {number(value)}"
    if draws.own is None:
        return start
    own = draws.own[draws.budgets.index(value), 0]
    return f"{start}: {int(own.sum())} of {own.size} picks are of their class in this draw"


def _frame_words(spec: RunSpec, draws: Draws, metric: str) -> str:
    value, bear = spec.budget.value, ""
    if draws.own is not None:
        own = draws.own[draws.budgets.index(value)]
        bear = f"{int(own.sum())} of {own.size} bear their class's name · "
    right = accuracy(draws.results_at(value), metric)
    if not right.is_measured:
        return f"{budget_text(spec.budget)}: {bear}no test record is of the minority"
    text = f"{phrases.METRIC_SUBJECTS[metric]} {percent(right)} of the time"
    return f"{budget_text(spec.budget)}: {bear}{text}"


def _by_seed(
    data: Dataset, draws: Draws, minority: Sequence[int], place: int, odds: np.ndarray
) -> PrototypeGrid:
    seeds = range(min(MAX_SEEDS, len(draws.seeds)))
    classes = drawn_classes(class_order(data.counts))[::-1]
    tiles = _tiles(data, draws, [[(place, s, c) for c in classes] for s in seeds], odds)
    sides = tuple(f"seed {draws.seeds[s]}" for s in seeds)
    small = membership(minority, classes)
    return PrototypeGrid(select(data.class_names, classes), sides, tiles, small)


def _first_seed(data: Dataset, draws: Draws, minority: Sequence[int], place: int) -> PrototypeGrid:
    """The first seed's row alone, with one mark: fewer than half of a class are right."""
    classes = drawn_classes(class_order(data.counts))[::-1]
    (row,) = _tiles(data, draws, [[(place, 0, c) for c in classes]])
    bare = tuple(dataclasses.replace(tile, own=False) for tile in row)
    small = membership(minority, classes)
    return PrototypeGrid(select(data.class_names, classes), ("",), (bare,), small)


def by_budget(choices: Choices) -> str:
    """A row a class, a column a budget, the first seed: the same noise against a growing budget."""
    data, draws = choices.data, choices.draws
    classes = drawn_classes(class_order(data.counts))
    cells = [[(b, 0, c) for b in range(len(draws.budgets))] for c in classes]
    heads = tuple(number(b) for b in draws.budgets)
    names = tuple(data.class_names[c] for c in classes)
    return PrototypeGrid(heads, names, _tiles(data, draws, cells)).html(
        "The picture picked for each class at each budget, with the first noise seed.",
        small=True,
    )


def _tiles(
    data: Dataset,
    draws: Draws,
    cells: Sequence[Sequence[Cell]],
    odds: np.ndarray | None = None,
) -> tuple[tuple[Tile, ...], ...]:
    rows = np.unique([draws.chosen[cell] for line in cells for cell in line])
    images = data.thumbnails("public", rows) if data.thumbnails else [None] * len(rows)
    pictures = dict(zip(rows.tolist(), images, strict=True))

    def tile(cell: Cell) -> Tile:
        b, s, c = cell
        row = int(draws.chosen[cell])
        return Tile(
            row,
            pictures[row],
            name_of(data, row),
            draws.own is not None and bool(draws.own[cell]),
            draws.results[b][s].scores.per_class[c],
            None if odds is None else float(odds[s, c]),
        )

    return tuple(tuple(tile(cell) for cell in line) for line in cells)


def name_of(data: Dataset, row: int) -> str | None:
    """What a public picture is called; None without labels."""
    if data.y_public is None or data.y_public[row] < 0:
        return None
    names, label = prototype_choices.public_names(data), int(data.y_public[row])
    return names[label] if names else f"label {label}"


def legend(choices: Choices) -> str:
    """What the signs under the pictures mean."""
    if not detail_level.precise():
        return _plain_legend(choices)
    own = "✓ it bears the class's name. " if choices.draws.own is not None else ""
    return (
        "A row a noise seed, a column a class, smallest first; the minority is underlined. Under"
        " each picture: its public label, the share of its class's test records that are right"
        " with this draw (✗ and dimmed: fewer than half), and p, where there is room for it, the"
        f" probability with which it was picked. {own}The pictures are what is released; p and the"
        " shares are not."
    )


def _plain_legend(choices: Choices) -> str:
    noun = "picture" if choices.view.encoder else "record"
    rare = ", the rare ones underlined" if len(set(choices.data.counts)) > 1 else ""
    draws = len(choices.draws.seeds)
    addition = f" One draw of {draws} is shown: the others, and" if draws > 1 else " How"
    return (
        f"A column a class{rare}. Under each picture: what it shows, and how many in 100 test"
        f" {noun}s of the class are recognised by it; ✗ and dimmed: fewer than half.{addition}"
        " how likely each pick was, are told in precise words. The pictures are what is released;"
        " what stands below them is not."
    )


def by_budget_words(choices: Choices) -> str:
    """What the strip of budgets shows."""
    symbol, end = SYMBOLS[choices.view.budget.axis], ""
    same = detail_level.at_level(f"Noise seed {choices.view.first_seed}", "The same draw of noise")
    if border := choices.nonsense:
        lost = f"{symbol} = {number(border)}"
        end = f" From {lost} down, over half of the accuracy above guessing is gone."
    return (
        f"← more private · {symbol} · more accurate →, ∞ without noise; the budget now is"
        f" underlined. {same} for all columns, so only the budget"
        f" changes; outlined and dimmed: fewer than half of the class right.{end}"
    )
