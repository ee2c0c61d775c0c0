"""Stored results of a sweep, its state, and the parts of the Sweeps page above the tabs."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dpviz.experiments import experiment, store, sweep_files, sweep_process
from dpviz.experiments.sweep_files import Status
from dpviz.methods import METHODS
from dpviz.plots.budget_curves import BudgetCurve
from dpviz.stats import accuracy
from dpviz.text import sweeps as text
from dpviz.text.template import render
from dpviz.types import DpvizError, Result, RunSpec
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work, page_caches, session_cost
from dpviz.ui.sweeps import controls
from dpviz.ui.widgets import cards, charts, live_budget, shared_controls
from dpviz.ui.widgets.live_budget import BudgetFrames
from dpviz.views import phrases, public_only, sweeps_page
from dpviz.views.sweeps_page import SweepExample, SweepLines

#: Runs of a sweep that is opened here; larger ones have their CSV.
MAX_CELLS = 20_000
#: Budgets below which stored runs make no example.
MIN_EXAMPLE_BUDGETS = 2


@dataclass(frozen=True)
class Opened:
    """Stored results of a sweep, and the number of its invalid runs by reason."""

    results: tuple[Result, ...] = ()
    invalid: Counter[str] = field(default_factory=Counter)


def opened(status: Status) -> Opened:
    """Return what is stored of a sweep; nothing, with an error, where it cannot be read."""
    try:
        # a running one is read again only when more is done
        beat = 0.0 if status.current_state == "running" else status.beat
        return _opened(status.key, status.done, beat)
    except DpvizError as error:
        page_parts.refusals([str(error)])
        return Opened()


@page_caches.cached(8, "Reading the store")
def _opened(key: str, done: int, beat: float) -> Opened:
    """Read a sweep's results; ``done`` and ``beat`` change when there are more."""
    status = sweep_files.load(key)
    if status is None:
        return Opened()
    invalid: Counter[str] = Counter()
    specs = sweep_files.parse(status.text, status.name, MAX_CELLS, invalid)
    try:
        return Opened(tuple(experiment.stored(specs)), invalid)
    except DpvizError:  # the sweep skipped invalid runs
        valid, newly_invalid = sweep_files.without_invalid(specs)
        return Opened(tuple(experiment.stored(valid)), invalid + newly_invalid)


#: Data set whose stored runs serve as an example, as its features are computed in seconds.
EXAMPLE_DATA = "mnist5k"


@page_caches.cached(8, "Reading the store")
def earlier_runs(content: str, minute: int) -> tuple[Result, ...]:
    """Return the stored runs of a sweep that has not started; ``minute`` lets them age."""
    try:
        specs, _ = sweep_files.without_invalid(sweep_files.parse(content, "", MAX_CELLS, Counter()))
        return tuple(experiment.stored(specs))
    except DpvizError:
        return ()


@page_caches.cached(8, "Reading the store")
def stored_public_run(data_of: RunSpec, minute: int) -> tuple[Result, ...]:
    """Return the run of public images alone on the data of another run, where it is stored."""
    spec = public_only.public_run(data_of)
    try:
        return tuple(experiment.stored([spec])) if spec else ()
    except DpvizError:
        return ()


@page_caches.cached(8)
def run_seconds(dataset: str, encoder: str | None, minute: int) -> dict[str, tuple[float, ...]]:
    """Return the seconds of stored runs on data by method; ``minute`` lets them age."""
    try:
        return store.run_seconds(dataset, encoder)
    except DpvizError:
        return {}


def draw_example(
    results: Sequence[Result], methods: Sequence[str], total: int
) -> SweepExample | None:
    """Draw the stored runs of a sweep that has not started; nothing for too few of them.

    Args:
        methods: keys of all its methods; total: number of its runs.

    Returns:
        What is drawn.
    """
    example = sweeps_page.example_of(results)
    if example is None or len(example.budgets) < MIN_EXAMPLE_BUDGETS:
        return None
    session_cost.count(result.spec for result in example.results)
    public = stored_public_run(example.results[0].spec, int(time.time() / 60))
    if public and public_only.KEY not in example.methods:
        example = sweeps_page.example_of(example.results, public) or example
    precise = detail_level.precise()
    page_parts.chart_title(example.title(precise), subtitle=example.subtitle(precise))
    with page_parts.picture():
        charts.plot(example.curve, "sweeps-example", example.budget, precise)
    template = text.EXAMPLE_CAPTION if len(results) < total else text.EXAMPLE_COMPLETE
    words = render(template, runs=len(results), total=total)
    if missing := [METHODS[key].title for key in methods if key not in example.methods]:
        words += f" {render(text.EXAMPLE_MISSING, methods=missing)}"
    page_parts.caption(f"{words} {limits_text()}")
    return example


def limits_text() -> str:
    """Return where sweeps run and who can see them, in Markdown."""
    return render(text.LIMITS, limit=sweep_process.MAX_CELLS)


def without_sweep(is_unknown: bool) -> tuple[str, str]:
    """Return the answer of the page without a sweep, precise and plain.

    Args:
        is_unknown: whether the link names a sweep.
    """
    words = text.ANSWERS["unknown" if is_unknown else "none"]
    return words.fill(True), words.fill(False)


def draw_empty(status: Status, place: Any) -> None:
    """Draw the answer of a sweep without stored results."""
    case = {"running": "waiting", "failed": "failed"}.get(status.current_state, "unreadable")
    case = "starting" if case == "waiting" and not status.total else case
    fields = {"done": status.done, "total": status.total}
    answers = (text.ANSWERS[case].fill(level, **fields) for level in (True, False))
    page_parts.answer(place, *answers)


@dataclass(frozen=True)
class SweepChart:
    """The sweep that the page shows.

    Attributes:
        lines: results of the main chart; metric: the score; curve: the chart.
    """

    status: Status
    opened: Opened
    lines: SweepLines
    metric: str
    curve: BudgetCurve


@dataclass(frozen=True)
class Places:
    """Places of answer, tiles and finding."""

    answer: Any
    tiles: Any
    finding: Any


def show(key: str, status: Status, found: Opened, metric: str, places: Places) -> SweepChart:
    """Draw answer, tiles and main chart, all at the selected budget.

    Args:
        key: of the page.
    """
    lines = controls.lines(found.results)
    public = public_alone(key, lines)
    titles = lines.titles | {result.spec.method: public_only.TITLE for result in public}
    spec = lines.results[0].spec
    curve = BudgetCurve.from_results([*lines.drawable, *public], titles, metric, spec.budget)
    names = rare(lines)
    skipped = sum(found.invalid.values())
    runs = sweeps_page.runs_tile(
        *(status.name, status.current_state, status.done, status.total, skipped)
    )
    alone = accuracy(public, metric) if public else None
    precise, plain = (
        lambda budget, level=level: sweeps_page.answer(curve, spec, budget, names, level, alone)
        for level in (True, False)
    )
    tiles = lambda budget: sweeps_page.tiles(lines.with_budget(budget), curve, runs, alone)
    finding = lambda budget: sweeps_page.chart_title(curve, spec, budget, detail_level.precise())
    page_parts.answer(places.answer, precise(lines.budget), plain(lines.budget))
    page_parts.tiles(tiles(lines.budget), places.tiles)
    page_parts.chart_title(finding(lines.budget), places.finding)
    with page_parts.picture():
        first_budget, _ = live_budget.first_drawn(key, curve, lines.budget)
        live_budget.follow(
            charts.plot(curve, key, first_budget, detail_level.precise()),
            BudgetFrames(
                key,
                curve.budgets,
                lines.budget,
                precise,
                plain,
                control=controls.BUDGET,
                move=controls.set_budget,
                tiles=lambda budget: page_parts.tiles_html(tiles(budget)),
                finding=finding,
            ),
        )
    page_parts.caption(sweeps_page.chart_caption(curve))
    return SweepChart(status, found, lines, metric, curve)


def public_alone(key: str, lines: SweepLines) -> list[Result]:
    """Return the run of public images alone; [] while computed, and where the sweep has it."""
    spec = public_only.public_run(lines.results[0].spec)
    if spec is None or public_only.KEY in lines.titles:
        return []
    return long_work.late_results(f"{key}-public", (spec,))


def rare(lines: SweepLines) -> tuple[str, ...]:
    """Return the rare classes, by number where the data are gone."""
    first = lines.results[0]
    try:
        names = shared_controls.class_names(first.spec)
    except DpvizError:
        names = tuple(map(str, range(len(first.class_counts))))
    return phrases.rare_class_names(names, first.class_counts, first.spec.draw)


def guarantees(shown: SweepChart) -> None:
    """Draw the guarantee of each method, and its accuracy with and without noise."""
    cards.guarantees(shown.lines.current_runs, shown.lines.titles)
    cards.cost(shown.curve, shown.lines.budget, shown.lines.drawable)


def progress_text(status: Status) -> str:
    """Return name, state and progress of a sweep."""
    state = status.current_state
    if state == "running" and not status.total:
        return render(text.STARTING, sign=text.SIGNS[state], name=status.name)
    return render(
        text.PROGRESS,
        sign=text.SIGNS[state],
        name=status.name,
        state=text.STATES[state],
        done=status.done,
        total=status.total,
    )
