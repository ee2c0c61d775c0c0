"""The page "Public prototypes": its controls, kept draws and odds, its sentence, its pictures and
its cards.
"""

from __future__ import annotations

import dataclasses
import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from dpviz.diagnostics import prototype_choices
from dpviz.diagnostics.prototype_choices import Draws, Odds
from dpviz.methods import METHODS
from dpviz.methods.parts import prototypes
from dpviz.plots import prototype_grid
from dpviz.plots.kit.classes import order
from dpviz.plots.prototype_grid import Grid, Tile
from dpviz.run import experiment
from dpviz.stats import interval
from dpviz.types import Budget, Dataset, Result, RunSpec
from dpviz.ui.live import page_caches
from dpviz.ui.widgets import cards, params, shared_controls
from dpviz.views import accuracy_sentence
from dpviz.views.view import STOPS, View
from dpviz.words import SYMBOLS, at, number, percent

METHOD, EXACT = "dppl-public", "class-mean"
ROWS = 5
"""Most seeds whose pictures are shown."""
N_HELP = "The noise is drawn anew N times; the pictures show up to five of these draws."


def sidebar() -> View:
    """All controls of the page, under the keys they have on the Trade-off page."""
    return shared_controls.one_method(
        METHOD, EXACT, lambda: params.form(METHODS[METHOD]), n_help=N_HELP
    )


def spec_of(view: View) -> RunSpec:
    """DPPL-Public at the budget looked at, first seed."""
    return view.spec(METHOD)


def window(spec: RunSpec) -> tuple[float, float]:
    """(d_min, d_max) of a spec, defaults filled in."""
    settings = METHODS[METHOD].check(dict(spec.params))
    return settings["d_min"], settings["d_max"]


# ------------------------------------------------------ kept by settings and content, shared by all


@dataclass(frozen=True, eq=False)
class Scene:
    """All that the page needs at once.

    Attributes:
        spec: at the budget looked at; data; draws: at every stop of the axis, the budget looked at
            and without noise; odds: at the budget looked at; exact: class means without noise;
            metric.
    """

    spec: RunSpec
    data: Dataset
    draws: Draws
    odds: Odds
    exact: Result
    metric: str

    @property
    def now(self) -> tuple[Result, ...]:
        """Results at the budget looked at, a seed each."""
        return self.draws.results[self.row]

    @property
    def row(self) -> int:
        """Place of the budget looked at."""
        return self.draws.budgets.index(self.spec.budget.value)

    def values(self, budget: float) -> list[float]:
        """The seeds' accuracies at a budget."""
        return self.draws.values(budget, self.metric)

    @property
    def quiet(self) -> float:
        """Accuracy of the choice without noise."""
        return self.values(math.inf)[0]

    @property
    def chance(self) -> float:
        """1/C."""
        return 1 / self.data.classes


def scene(view: View, exact: Result, metric: str) -> Scene:
    """The scene of a view.

    Raises:
        DpvizError: for settings that cannot work, such as data without a public set.
    """
    spec = spec_of(view)
    experiment.planned(spec)
    data, content = experiment.prepared(spec), mark(spec)
    seeds = tuple(range(view.first_seed, view.first_seed + view.seeds))
    # the stops alone, so that a budget between them draws for itself only
    stops = tuple(sorted({*STOPS[view.budget.axis], math.inf}))
    drawn = _draws(
        dataclasses.replace(spec, budget=dataclasses.replace(view.budget, value=1.0), seed=0),
        stops,
        seeds,
        content,
    )
    if view.budget.value not in stops:
        drawn = _joined(
            drawn, _draws(dataclasses.replace(spec, seed=0), (view.budget.value,), seeds, content)
        )
    return Scene(spec, data, drawn, _odds(spec, content), exact, metric)


def _joined(draws: Draws, extra: Draws) -> Draws:
    """Both, budgets in order."""
    budgets = draws.budgets + extra.budgets
    places = sorted(range(len(budgets)), key=lambda b: budgets[b])
    own = None if draws.own is None else np.concatenate([draws.own, extra.own])[places]
    results = draws.results + extra.results
    chosen = np.concatenate([draws.chosen, extra.chosen])[places]
    return Draws(
        tuple(budgets[b] for b in places),
        draws.seeds,
        chosen,
        tuple(results[b] for b in places),
        own,
    )


def mark(spec: RunSpec) -> str:
    """The content of a spec's data, so that a file that changed is not answered from memory."""
    ready = experiment.prepared(spec)
    return f"{ready.fingerprint} {ready.public_key}"


@page_caches.remembered(200)
def _draws(
    spec: RunSpec, budgets: tuple[float, ...], seeds: tuple[int, ...], content: str
) -> Draws:
    return prototype_choices.draws(spec, budgets, seeds)


@page_caches.remembered(8)
def _odds(spec: RunSpec, content: str) -> Odds:
    return prototype_choices.odds(spec)


def prepare_moves(data: Dataset) -> None:
    """Sum up the scores for every window while the visitor looks, so that moves of d_min and d_max
    are quick.
    """
    threading.Thread(target=prototypes.keep_grid, args=(data,), daemon=True).start()


# --------------------------------------------------------------------------------------- the answer


def answer(found: Scene, view: View) -> str:
    """One sentence in Markdown: what is picked now, how often that works, and from where on it is
    nonsense.
    """
    here = percent(interval(found.values(view.budget.value)))
    start = (
        f"At IR {number(view.ir)} and {at(view.budget)} {_picked(found)}"
        f" {accuracy_sentence.WHO[found.metric]} **{here}** of the time"
    )
    return (
        f"{start} (**{100 * found.quiet:.0f} %** if the choice were not noisy);"
        f" {_turn(found, view.budget.axis)}."
    )


def answer_at(found: Scene, view: View, budget: float) -> str:
    """The answer at any budget that has a frame."""
    view = view.at(budget)
    spec = dataclasses.replace(found.spec, budget=view.budget)
    return answer(dataclasses.replace(found, spec=spec), view)


def _picked(found: Scene) -> str:
    own = found.draws.own
    if own is None:
        return "the mechanism lets one public record stand for each class, and"
    mine = own[found.row]
    return f"**{int(mine.sum())} of {mine.size}** picked pictures bear their class's name and"


def nonsense(found: Scene) -> float | None:
    """The largest stop at which half of what the noiseless choice has above chance is gone; None if
    none.
    """
    half = found.chance + (found.quiet - found.chance) / 2
    lost = [
        b
        for b in found.draws.budgets
        if math.isfinite(b) and float(np.mean(found.values(b))) < half
    ]
    return max(lost, default=None)


def _turn(found: Scene, axis: str) -> str:
    symbol = SYMBOLS[axis]
    if found.quiet <= found.chance:
        return (
            "and even without noise the choice is no better than guessing, so there is nothing for"
            " noise to spoil"
        )
    border = nonsense(found)
    if border is None:
        return (
            f"down to {symbol} = {number(found.draws.budgets[0])} the picks keep more than half of"
            " that above chance"
        )
    return (
        f"**from {symbol} = {number(border)} down** the picks are more noise than choice: over half"
        " of what they had above chance is gone"
    )


# ------------------------------------------------------------------------------------- the pictures


def budgets(found: Scene) -> tuple[float, ...]:
    """Those that the main picture has a frame for."""
    return tuple(b for b in found.draws.budgets if math.isfinite(b))


def by_seed(found: Scene, view: View, now: float) -> str:
    """The main picture: for every budget a row a seed, a column a class; ``now`` is the one that is
    shown.
    """
    spec = dataclasses.replace(prototype_choices.with_budget(found.spec, 1.0), seed=0)
    return _frames(
        spec,
        found.draws.budgets,
        found.draws.seeds,
        found.metric,
        now,
        mark(spec),
        found,
        view.budget.delta,
    )


@page_caches.remembered(20)
def _frames(
    spec: RunSpec,
    known: tuple[float, ...],
    seeds: tuple[int, ...],
    metric: str,
    now: float,
    content: str,
    _found: Scene,
    delta: float,
) -> str:
    found, finite = _found, budgets(_found)
    odds = prototype_choices.chances(spec, finite, found.draws.chosen[: len(finite)])
    grids = [
        (
            number(b),
            _frame_words(found, place, spec.budget.axis, delta),
            _by_seed(found, place, odds[place]),
        )
        for place, b in enumerate(finite)
    ]
    return prototype_grid.frames(
        grids, finite.index(now), "The public pictures picked for each class, a row a noise seed."
    )


def _frame_words(found: Scene, place: int, axis: str, delta: float) -> str:
    budget, own = found.draws.budgets[place], found.draws.own
    bear = (
        ""
        if own is None
        else f"{int(own[place].sum())} of {own[place].size} bear their class's name · "
    )
    return (
        f"{at(Budget(budget, axis, delta))}: {bear}{accuracy_sentence.WHO[found.metric]}"
        f" {percent(interval(found.values(budget)))} of the time"
    )


def _by_seed(found: Scene, place: int, odds: np.ndarray) -> Grid:
    seeds = range(min(ROWS, len(found.draws.seeds)))
    places = prototype_grid.limited(order(found.data.counts))
    tiles = _tiles(found, [[(place, s, c) for c in places] for s in seeds], odds)
    sides = tuple(f"seed {found.draws.seeds[s]}" for s in seeds)
    small = tuple(c in found.exact.minority_classes for c in places)
    return Grid(tuple(found.data.class_names[c] for c in places), sides, tiles, small)


def by_budget(found: Scene) -> Grid:
    """A row a class, a column a budget, the first seed: the same noise against a growing budget."""
    places = prototype_grid.limited(order(found.data.counts))
    columns = range(len(found.draws.budgets))
    tiles = _tiles(found, [[(b, 0, c) for b in columns] for c in places], None)
    heads = tuple(number(b) for b in found.draws.budgets)
    return Grid(heads, tuple(found.data.class_names[c] for c in places), tiles)


Cell = tuple[int, int, int]
"""Budget, seed, class."""


def _tiles(
    found: Scene, cells: Sequence[Sequence[Cell]], odds: np.ndarray | None
) -> tuple[tuple[Tile, ...], ...]:
    rows = np.unique([found.draws.chosen[cell] for line in cells for cell in line])
    pictures = (
        dict(zip(rows.tolist(), found.data.thumbnails("public", rows), strict=True))
        if found.data.thumbnails
        else {}
    )
    names = prototype_choices.public_names(found.data)

    def tile(cell: Cell) -> Tile:
        b, s, c = cell
        row = int(found.draws.chosen[cell])
        name = None if found.data.y_public is None else _name(names, int(found.data.y_public[row]))
        own = found.draws.own is not None and bool(found.draws.own[cell])
        accuracy = found.draws.results[b][s].scores.per_class[c]
        return Tile(
            row, pictures.get(row), name, own, accuracy, None if odds is None else float(odds[s, c])
        )

    return tuple(tuple(tile(cell) for cell in line) for line in cells)


def _name(names: Sequence[str] | None, label: int) -> str:
    return names[label] if names else f"label {label}"


def legend(found: Scene) -> str:
    """What the signs under the pictures mean."""
    own = "✓ it bears the class's name. " if found.draws.own is not None else ""
    return (
        "A row a noise seed, a column a class, largest first; the minority is underlined. Under"
        " each picture: its public label, the share of its class's test records that are right"
        " with this draw (✗ and dimmed: fewer than half), and p, the probability with which it was"
        f" picked. {own}The pictures are what is released; p and the shares are not."
    )


def strip_words(found: Scene, view: View) -> str:
    """What the strip of budgets shows."""
    border = nonsense(found)
    end = (
        f" From {SYMBOLS[view.budget.axis]} = {number(border)} down, over half of the accuracy above"
        " chance is gone."
        if border
        else ""
    )
    return (
        f"← more private · {SYMBOLS[view.budget.axis]} · more accurate →, ∞ without noise; the budget now"
        f" is underlined. Noise seed {view.first_seed} for all columns, so only the budget changes;"
        f" outlined and dimmed: fewer than half of the class right.{end}"
    )


# ---------------------------------------------------------------------------------------- the cards


def cards_row(found: Scene, view: View) -> None:
    """What it promises, what noise costs, who is hurt."""
    with st.container(horizontal=True):
        cards.one(found.now[0], METHODS[METHOD].title, METHOD)
        _card("What it costs", _costs(found, view))
        _card("Who is hurt", _hurt(found))


def _card(title: str, rows: list[tuple[str, str]]) -> None:
    with st.container(border=True, width=300):
        st.html(f'<div class="dp-card-title">{title}</div>')
        st.html(cards.definition(rows))


def _hurt(found: Scene) -> list[tuple[str, str]]:
    small = found.exact.minority_classes
    rest = [c for c in range(found.data.classes) if c not in small]

    def right(classes: Sequence[int]) -> str:
        return f"{100 * np.mean([r.scores.per_class[c] for r in found.now for c in classes]):.0f} %"

    failed = np.mean([[a < 0.5 for a in r.scores.per_class] for r in found.now], axis=0)
    lost = [
        found.data.class_names[c] for c in np.argsort(-failed, kind="stable") if failed[c] >= 0.5
    ]
    rows = [
        (
            "minority",
            (
                f"{right(small)} right: class{'es' if len(small) > 1 else ''}"
                f" {', '.join(found.data.class_names[c] for c in small)}"
            ),
        )
    ]
    rows += [("others", f"{right(rest)} right")] if rest else []
    return [
        *rows,
        ("mostly lost", f"{', '.join(lost) or 'no class'} (under 50 % in half of the draws)"),
    ]


def _costs(found: Scene, view: View) -> list[tuple[str, str]]:
    here = interval(found.values(view.budget.value))
    least, most = float(found.odds.candidates.min()), float(found.odds.candidates.max())
    rows = [
        (
            "right now",
            (
                f"{percent(here)} ({100 * here.low:.0f}–{100 * here.high:.0f}, N = {here.runs})"
                if here.runs > 1
                else percent(here)
            ),
        ),
        ("noiseless choice", f"{100 * found.quiet:.0f} %"),
        ("no privacy, means", f"{100 * getattr(found.exact.scores, found.metric):.0f} %"),
        ("chance", f"{100 * found.chance:.0f} %"),
        ("public pictures", f"{found.odds.public:,}"),
        ("choice in effect", f"among {least:,.0f} (surest class) to {most:,.0f} (least sure)"),
    ]
    return rows
