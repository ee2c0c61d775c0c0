"""The main chart of the Many images per person page, and what is said above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.experiments.jobs import Job
from dpviz.plots.settings import RecordsCurve
from dpviz.stats import Interval
from dpviz.text import many_pictures as text
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work, public_runs, rerun_scheduling
from dpviz.ui.many_pictures import answer
from dpviz.ui.many_pictures.answer import Cost, Runs
from dpviz.ui.many_pictures.controls import PersonsView
from dpviz.ui.widgets import charts
from dpviz.ui.widgets.late_place import LatePlace
from dpviz.views import many_pictures_page, public_only


@dataclass(frozen=True)
class Places:
    """Where the page draws: answer, tiles, finding, refusals, progress."""

    answer: page_parts.OneAnswer
    tiles: LatePlace
    finding: LatePlace
    refusals: Any
    status: Any


@dataclass(frozen=True, eq=False)
class ChartState:
    """What the chart shows: results, costs by line, and where the results come from."""

    results: Runs
    costs: list[Cost]
    curve: RecordsCurve
    origin: str


class _Drawing:
    """The chart and what is above it, drawn as far as results are computed."""

    def __init__(self, view: PersonsView, metric: str, key: str, places: Places) -> None:
        self.view, self.metric, self.key, self.places = view, metric, key, places
        self.groups = answer.wanted(view)
        known = long_work.results_in_memory(list(self.groups.values()), long_work.SWEEPS)
        self.results: dict[Any, Any] = dict(answer.finished_runs(known, self.groups))
        self.errors: dict[Any, str] = {}
        self.public: Interval | None = None
        self.picture = page_parts.picture()
        self.chart = charts.Slot(self.picture, key)

    def draw(self, job: Job | None = None) -> tuple[RecordsCurve, list[Cost]]:
        """Draw all that is computed."""
        errors = self.errors | (dict(job.errors) if job else {})
        if job:
            self.results.update(answer.finished_runs(job, self.groups))
        curve = answer.curve(self.results, self.view, self.metric, self.public)
        costs = answer.costs(curve, self.view)
        complete = all(
            name in self.results or group in errors for name, group in self.groups.items()
        )
        private = {(cost.title, "person"): cost.person for cost in costs}
        private |= {(cost.title, "image"): cost.picture for cost in costs}
        better = self.public if public_only.sign(private, self.public) == 1 else None
        page_parts.answer(self.places.answer, *answer.answers(costs, self.view, complete, better))
        sides = answer.sides(costs, self.view)
        guarantee = answer.guarantee(costs, self.results)
        level = detail_level.precise()
        self.places.tiles.tiles(many_pictures_page.tiles(sides, guarantee, self.public, level))
        rows, title = (answer.top(costs).rows, answer.top(costs).title) if costs else ((), "")
        self.places.finding.chart_title(many_pictures_page.finding(level, sides, rows, title))
        self.chart.plot(answer.paired_dots(costs, self.metric, curve.chance, self.public))
        return curve, costs

    def collect(self, key: str, names: Sequence[Any]) -> None:
        """Compute the runs of some lines, and draw them as they come."""
        groups = [self.groups[name] for name in names]
        begin = lambda: self.chart.first(lambda: self.draw(long_work.blank(groups)))
        job = long_work.collect(key, groups, self.places.status, self.draw, begin)
        self.results.update(answer.finished_runs(job, self.groups))
        self.errors.update(job.errors)
        with self.places.refusals.container():
            page_parts.refusals(self.errors.values())


def show(view: PersonsView, metric: str, key: str, places: Places) -> ChartState:
    """Draw the chart, the answer and the tiles; end the page where nothing can be computed."""
    drawing = _Drawing(view, metric, key, places)
    drawing.collect(key, [name for name in drawing.groups if name[1] is None])
    drawing.draw()
    if not drawing.results:
        page_parts.end()
    order = answer.quick_first(drawing.groups, drawing.results, view)
    drawing.collect(f"{key}-persons", order)
    drawing.public = public_runs.alone_accuracy(key, view, metric)
    curve, costs = drawing.draw()
    rerun_scheduling.flush_page()
    template = text.CAPTION if view.seeds > 1 else text.CAPTION_ONE_SEED
    templates = [template]
    found = answer.sides(costs, view)
    if found and found.picked:
        templates.append(text.CAPTION_BEST)
    if costs and any(row.sign == 0 for row in answer.top(costs).rows):
        templates.append(text.CAPTION_DOTTED)
    with drawing.picture:
        page_parts.caption(" ".join(t.fill(detail_level.precise()) for t in templates))
    origin = page_parts.origin([run for runs in drawing.results.values() for run in runs])
    return ChartState(drawing.results, costs, answer.with_pair(curve, costs), origin)
