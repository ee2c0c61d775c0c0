"""Images of the Public prototypes page: by seed at each budget, and of one seed over budgets."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import streamlit as st

from dpviz import caches
from dpviz.diagnostics import prototype_choices
from dpviz.diagnostics.prototype_choices import Draws
from dpviz.experiments import experiment
from dpviz.formatting import SYMBOLS, budget_at_level, number, numbers
from dpviz.plots.kit.drawing import class_order, membership, select, visible_minority
from dpviz.plots.prototypes import (
    PrototypeGrid,
    Tile,
    column_style,
    drawn_classes,
    grid_frames,
    grid_legend,
)
from dpviz.stats import accuracy
from dpviz.text import public_prototypes as text
from dpviz.text.template import render, render_text
from dpviz.types import Dataset, RunSpec
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.public_prototypes import answer
from dpviz.ui.public_prototypes.answer import KEY, Choices, Comparisons
from dpviz.ui.widgets import cards, live_budget
from dpviz.ui.widgets.live_budget import BudgetFrames
from dpviz.views.data_draws import STEP

#: Most seeds whose images are shown.
MAX_SEEDS = 5
#: Names below the classes that are not rare, and below those that are.
GROUPS = (text.MANY_IMAGES, text.FEW_IMAGES)
Cell = tuple[int, int, int]
"""Budget, seed, class."""


def draw(choices: Choices, compared: Comparisons) -> bool:
    """Draw the images; return whether they only followed the budget."""
    view = choices.view
    with page_parts.picture():
        cards.private_view()
        content = (choices.any_budget, choices.draws.budgets, choices.draws.seeds, choices.metric)
        first_budget, is_kept = live_budget.first_drawn(KEY, content, view.budget.value)
        precise = detail_level.precise()
        tiles = lambda at: answer.tiles(choices.with_budget(at), compared, precise)
        frames = BudgetFrames(
            KEY,
            choices.budgets,
            view.budget.value,
            precise=lambda at: answer.answer(choices.with_budget(at), True),
            plain=lambda at: answer.answer(choices.with_budget(at), False),
            tiles=lambda at: page_parts.tiles_html(tiles(at)),
            finding=lambda at: title(choices.with_budget(at)),
            slides=True,
        )
        with st.container(key=f"{KEY}-grid"):
            st.html(by_seed(choices, first_budget))
        followed = live_budget.follow(f"{KEY}-grid", frames) and is_kept
        words, legend = text.GRID_ALT.fill(precise), _legend(choices)
        page_parts.html(KEY, words, lambda: f"{by_seed(choices, view.budget.value)}{legend}")
        st.html(legend)
    return followed


def _legend(choices: Choices) -> str:
    """Return what the signs below the images mean, as HTML."""
    precise, has_labels = detail_level.precise(), choices.draws.own is not None
    wrong = text.LEGEND["wrong" if has_labels else "unlabeled"]
    shown = {
        "accuracy": True,
        "right": precise and has_labels,
        "alike": has_labels,
        "wrong": True,
        "odds": precise,
    }
    words = text.LEGEND | {"wrong": wrong}
    return grid_legend([(sign, words[sign]) for sign, is_drawn in shown.items() if is_drawn])


def by_seed(choices: Choices, current: float) -> str:
    """Return the images as HTML: per budget one row per seed and one column per class.

    At the plain level, there is only the first seed's row, without probabilities.

    Args:
        current: the budget that is shown.
    """
    place = choices.budgets.index(current)
    minority = visible_minority(choices.exact.minority_classes, choices.data.counts)
    arguments = (choices.any_budget, choices.draws, choices.budgets, minority, place)
    return _frames(*arguments, detail_level.precise())


@caches.cached(20)
def _frames(
    spec: RunSpec,
    draws: Draws,
    budgets: tuple[float, ...],
    minority: tuple[int, ...],
    current: int,
    precise: bool,
) -> str:
    data, places = experiment.prepared(spec), range(len(budgets))
    if precise:
        odds = prototype_choices.chances(spec, budgets, draws.chosen[: len(budgets)])
        grids = [_by_seed(data, draws, minority, place, odds[place]) for place in places]
    else:
        grids = [_first_seed(data, draws, minority, place) for place in places]
    return grid_frames(
        list(zip(numbers(budgets), grids, strict=True)),
        current,
        text.GRID_ALT.fill(precise),
    )


def title(choices: Choices) -> str:
    """Return the title of the images: how many show their class, where labels are known."""
    draws, precise = choices.draws, detail_level.precise()
    fields: dict[str, object] = {
        "budget": budget_at_level(choices.view.budget, precise),
        "accuracy": accuracy(choices.current_results, choices.metric),
    }
    if draws.own is None:
        return text.GRID_TITLES["unnamed"].fill(precise, **fields)
    own, alike = draws.own[choices.row], answer.look_alikes(draws, choices.row)
    if not precise:
        own, alike = own[0], alike[0]
    right, similar = int(own.sum()), int(alike.sum())
    fields |= {"right": right, "picks": own.size, "alike": similar}
    fields |= {"wrong": own.size - right - similar, "runs": len(draws.seeds)}
    case = "named" if len(draws.seeds) > 1 else "single"
    return text.GRID_TITLES[case].fill(precise, **fields)


def _by_seed(
    data: Dataset, draws: Draws, minority: Sequence[int], place: int, odds: np.ndarray
) -> PrototypeGrid:
    seeds = range(min(MAX_SEEDS, len(draws.seeds)))
    classes = drawn_classes(class_order(data.counts))
    tiles = _tiles(data, draws, [[(place, s, c) for c in classes] for s in seeds], odds)
    sides = tuple(render_text(text.SEED, seed=str(draws.seeds[s])) for s in seeds)
    small = membership(minority, classes)
    return PrototypeGrid(select(data.class_names, classes), sides, tiles, small, GROUPS)


def _first_seed(data: Dataset, draws: Draws, minority: Sequence[int], place: int) -> PrototypeGrid:
    """Return the first seed's row, without marks of images that show their class."""
    classes = drawn_classes(class_order(data.counts))
    tiles = _tiles(data, draws, [[(place, 0, c) for c in classes]])
    small = membership(minority, classes)
    names = select(data.class_names, classes)
    return PrototypeGrid(names, ("",), tiles, small, GROUPS, checks=False)


def draw_budgets(choices: Choices) -> list[dict[str, object]]:
    """Draw one row per class and one column per budget, of the first seed; return the table."""
    data, draws = choices.data, choices.draws
    cards.private_view()
    st.markdown(answer.finding(choices))
    st.html(column_style(choices.row, len(draws.budgets)))
    st.html(by_budget(choices))
    words = text.BUDGETS_CAPTION.fill(detail_level.precise(), seed=choices.view.first_seed)
    case = "draws" if choices.all_draws else "runs"
    accuracies = render(
        text.ACCURACY_ROW[case],
        group=choices.group_in_sentence,
        draws=STEP.draws,
        runs=len(draws.seeds),
    )
    st.caption(f"{words} {text.CURRENT_BUDGET} {accuracies}")
    return [
        {
            "class": data.class_names[c],
            "budget": budget,
            "public image": int(draws.chosen[b, 0, c]),
            "called": name_of(data, int(draws.chosen[b, 0, c])),
            "accuracy": draws.results[b][0].scores.per_class[c],
        }
        for c in class_order(data.counts)
        for b, budget in enumerate(draws.budgets)
    ]


def by_budget(choices: Choices) -> str:
    """Return the same as HTML."""
    data, draws = choices.data, choices.draws
    classes = drawn_classes(class_order(data.counts))
    cells = [[(b, 0, c) for b in range(len(draws.budgets))] for c in classes]
    heads = tuple(number(b) for b in draws.budgets)
    names = tuple(data.class_names[c] for c in classes)
    means = [choices.mean(b) for b in draws.budgets]
    percents = ["–" if math.isnan(mean) else f"{100 * mean:.0f}" for mean in means]
    corner = SYMBOLS[choices.view.budget.axis]
    second = (text.ACCURACY_HEAD, *percents)
    grid = PrototypeGrid(heads, names, _tiles(data, draws, cells), corner=corner, second=second)
    return grid.html(text.BUDGETS_ALT, small=True)


def _tiles(
    data: Dataset,
    draws: Draws,
    cells: Sequence[Sequence[Cell]],
    odds: np.ndarray | None = None,
) -> tuple[tuple[Tile, ...], ...]:
    rows = np.unique([draws.chosen[cell] for line in cells for cell in line])
    images = data.thumbnails("public", rows) if data.thumbnails else [None] * len(rows)
    pictures = dict(zip(rows.tolist(), images, strict=True))
    alike = {b: answer.look_alikes(draws, b) for b in {b for line in cells for b, _, _ in line}}

    def tile(cell: Cell) -> Tile:
        b, s, c = cell
        row = int(draws.chosen[cell])
        return Tile(
            row,
            pictures[row],
            _label(data, row),
            draws.own is not None and bool(draws.own[cell]),
            draws.results[b][s].scores.per_class[c],
            None if odds is None else float(odds[s, c]),
            bool(alike[b][s, c]),
            name_of(data, row),
        )

    return tuple(tuple(tile(cell) for cell in line) for line in cells)


def _label(data: Dataset, row: int) -> str | None:
    """Return the label of a public image below it; letters among digits are named as such."""
    name = name_of(data, row)
    if name is None or not all(map(str.isdigit, data.class_names)):
        return name
    is_letter = len(name) == 1 and name.isalpha()
    return render_text(text.LETTER, kind=name) if is_letter else name


def name_of(data: Dataset, row: int) -> str | None:
    """Return the label of a public image; None without labels."""
    if data.y_public is None or data.y_public[row] < 0:
        return None
    names, label = prototype_choices.public_names(data), int(data.y_public[row])
    return names[label] if names else render_text(text.LABEL, label=str(label))
