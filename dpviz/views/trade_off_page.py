"""Answer, tiles and finding of the Trade-off page, at any budget of its chart."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dpviz import privacy
from dpviz.experiments.jobs import Group
from dpviz.formatting import SYMBOLS, budget_at_level, budget_text, number, shown_difference
from dpviz.methods import METHODS
from dpviz.plots.budget_curves import BudgetCurve, Line
from dpviz.stats import Interval, accuracy, best, difference
from dpviz.text import trade_off as text
from dpviz.text.method_tiles import MEAN_OF_DRAWS
from dpviz.text.template import Text, render, render_text
from dpviz.types import DataConfig, Result
from dpviz.views import public_only
from dpviz.views.equal_leakage import TOLERANCE, EqualLeakage
from dpviz.views.page_as_shown import Tile
from dpviz.views.page_config import PageConfig
from dpviz.views.phrases import (
    RIVAL,
    bounded_range,
    guess_basis,
    guesses,
    score_text,
    title_in_sentence,
    untested,
)


@dataclass(frozen=True)
class Summary:
    """What the page states at a budget.

    Attributes:
        curve: data of the chart; config: data set, encoder and public set.
        rare: names of the smallest classes, none where all have the same size.
        results: runs with noise, noiseless: without it, for the tiles; none: no tiles.
        preliminary: further runs are being computed, so nothing is advised yet.
    """

    curve: BudgetCurve
    config: DataConfig
    rare: Sequence[str]
    results: Sequence[Result] = ()
    noiseless: Sequence[Result] = ()
    preliminary: bool = False
    #: Runs of each method at each budget.
    _runs: dict[tuple[str, float], list[Result]] = field(
        default_factory=lambda: defaultdict(list), init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        for result in self.results:
            self._runs[result.spec.method, result.spec.budget.value].append(result)

    def answer(self, budget: float, precise: bool) -> str:
        """Return the answer at a budget, in Markdown."""
        points = self.curve.points_at(budget)
        if not points:
            return text.ANSWERS["empty"].fill(precise)
        if not any(point.is_measured for point in points.values()):
            return untested(() if precise else self.rare)
        case, fields = self._case(budget, points)
        so_far = f"{case.removesuffix('_here')}_so_far"
        if self.preliminary and so_far in text.ANSWERS:
            case = so_far
        answer = _in_words(text.ANSWERS, case, fields, precise)
        if case not in COMPARED:
            return answer
        return f"{text.COSTS[_cost_case(fields)].fill(precise, **fields)} {answer}"

    def _case(self, budget: float, points: Mapping[str, Interval]) -> tuple[str, dict[str, Any]]:
        top, _ = best(points)
        public, quiet = public_alone(self.curve), self.curve.without_noise(top)
        fields = {
            "method": title_in_sentence(METHODS[top].title),
            "private": points[top],
            "quiet": quiet,
            "public": public,
            "chance": self.curve.chance,
            # the same words for one data draw and for several, each with rare classes of its own
            "group": group_text(self.curve.metric, (), self.config),
            "correct": text.CORRECT[_group_key(self.curve.metric, self.config)],
            "score": text.SCORES[_group_key(self.curve.metric, self.config)],
            "budget": budget_text(self.curve.budget.with_value(budget)),
            "at": budget_at_level(self.curve.budget.with_value(budget), precise=False),
            "lost": shown_difference(quiet, points[top]) if quiet else math.nan,
        }
        direction = public_only.sign(points, public)
        if direction:
            better = "public_better" if direction > 0 else "private_better"
            return (better if points[top].draws else f"{better}_here"), fields
        if direction is not None:
            case = "public_as_good" if public_only.use(points, public) else "public_level"
            return case, fields
        if guesses([points[top]], self.curve.chance):
            return "chance", fields
        return ("best" if quiet else "alone"), fields

    def finding(self, budget: float, precise: bool, equal: EqualLeakage | None = None) -> str:
        """Return the title of the chart.

        At the level Plain the comparison with public images alone at all budgets, where it is
        known; else the one at equal leakage. Preliminary results are not compared there.
        """
        if precise or public_alone(self.curve) is None:
            return self.leakage_finding(budget, precise, equal)
        if self.preliminary:
            return text.FINDINGS["alone"].fill(precise)
        return public_finding(self.curve) or self.leakage_finding(budget, precise, equal)

    def subtitle(self, budget: float, precise: bool, equal: EqualLeakage | None) -> str:
        """Return the comparison at equal leakage where the title of the chart makes another one."""
        leakage = self.leakage_finding(budget, precise, equal)
        return leakage if equal and leakage != self.finding(budget, precise, equal) else ""

    def leakage_finding(self, budget: float, precise: bool, equal: EqualLeakage | None) -> str:
        """Return the comparison at equal leakage, where it is known."""
        points = self.curve.points_at(budget)
        if equal is None or not any(point.is_measured for point in points.values()):
            return text.FINDINGS["alone"].fill(precise)
        case, fields = _compare(equal)
        if self.curve.budget.axis != "guess" and case != "one_seed":
            case, fields = _with_budget(points, equal, self.curve.budget.axis) or (case, fields)
        is_level = case.removesuffix("_here") in ("budget_only", "other_level")
        if is_level and not precise and self._is_weakest(best(points)[0], budget):
            case = "budget_only_weak"
        return _in_words(text.FINDINGS, case, fields, precise)

    def _is_weakest(self, method: str, budget: float) -> bool:
        """Return whether a method allows better attacks than all other private ones at a budget."""
        bounds = {
            key: privacy.success_bound(runs[0].guarantee)
            for (key, at), runs in self._runs.items()
            if at == budget and METHODS[key].private
        }
        own = bounds.pop(method, 0.0)
        return bool(bounds) and own > max(bounds.values()) + TOLERANCE

    def tiles(self, budget: float, precise: bool) -> list[Tile]:
        """Return the tiles at a budget: two accuracies, the attacker's best guess, public only."""
        points = self.curve.points_at(budget)
        if not self.results or not any(point.is_measured for point in points.values()):
            return []
        top, _ = best(points)
        runs = self._runs[top, budget]
        quiet = [r for r in self.noiseless if r.spec.method == top]
        other = "balanced" if self.curve.metric != "balanced" or not self.rare else "minority"
        metrics = [self.curve.metric] + [other] * (other != self.curve.metric)
        draws = len({run.spec.draw for run in runs})
        basis = render_text(MEAN_OF_DRAWS, draws=draws) if draws > 1 else ""
        tiles = [
            replace(self._accuracy_tile(metric, top, runs, quiet, precise), runs=basis)
            for metric in metrics
        ]
        title = METHODS[top].title
        if len(points) > 1 and len(title) <= MAX_TITLE:
            tiles = [replace(tile, aside=title if tile.note else "") for tile in tiles]
        tiles.append(_guess_tile(runs[0], several=len(points) > 1))
        if public := public_alone(self.curve):
            tiles.append(replace(public_tile(public, points, self.preliminary), runs=basis))
        return tiles

    def _accuracy_tile(
        self,
        metric: str,
        method: str,
        runs: Sequence[Result],
        quiet: Sequence[Result],
        precise: bool,
    ) -> Tile:
        points = self.curve.points_at(runs[0].spec.budget.value)
        point = points[method] if metric == self.curve.metric else accuracy(runs, metric)
        note = ""
        if quiet:
            note = render_text(text.TILE_NOTES["quiet"], quiet=accuracy(quiet, metric))
        return Tile(
            text.TILE_LABELS[metric],
            score_text(point, precise),
            note,
            render_text(
                text.TILE_HELP["balanced" if metric == "balanced" else "accuracy"],
                method=title_in_sentence(METHODS[method].title),
                group=group_text(metric, self.rare, self.config),
                interval=point,
            ),
        )


#: Cases of the answer that follow the cost of noise.
COMPARED = (
    *("public_better", "public_better_here", "public_as_good", "public_level"),
    *("private_better", "private_better_here"),
)


def _cost_case(fields: Mapping[str, Any]) -> str:
    """Return the case of the cost of noise: ``cost`` where accuracy is significantly lower."""
    if not fields["quiet"]:
        return "unknown"
    loss = difference(fields["private"], fields["quiet"])
    return "cost" if loss.gap > loss.half and fields["lost"] > 0 else "none"


def _in_words(
    templates: Mapping[str, Text], case: str, fields: Mapping[str, Any], precise: bool
) -> str:
    """A case in words; only the precise ones tell one data draw from several."""
    key = case if precise else case.removesuffix("_here")
    return templates[key].fill(precise, **fields)


def precise(curve: BudgetCurve, config: DataConfig, budget: float, rare: Sequence[str]) -> str:
    """Return the precise answer at a budget, in Markdown."""
    return Summary(curve, config, rare).answer(budget, precise=True)


def plain(curve: BudgetCurve, config: DataConfig, budget: float, rare: Sequence[str]) -> str:
    """Return the plain answer at a budget, in Markdown."""
    return Summary(curve, config, rare).answer(budget, precise=False)


def _guess_tile(run: Result, several: bool) -> Tile:
    """The tile of the best guess; it names its method where several are shown."""
    method, budget = title_in_sentence(METHODS[run.spec.method].title), run.spec.budget
    guess_help = render_text(text.TILE_HELP["guess"], method=method, budget=budget_text(budget))
    return Tile(
        text.TILE_LABELS["guess"],
        render_text("{share:at_most}", share=privacy.success_bound(run.guarantee)),
        METHODS[run.spec.method].title if several else text.TILE_NOTES["chance"],
        f"{guess_help} {bounded_range(run.guarantee, method)}".strip(),
        runs=guess_basis(run.guarantee),
        aside=text.TILE_NOTES["chance"] if several else "",
    )


def public_tile(
    public: Interval, points: Mapping[str, Interval], preliminary: bool = False
) -> Tile:
    """Return the tile of public images alone, with advice where they are the better choice.

    Args:
        points: accuracies of the private methods; preliminary: advise nothing yet.
    """
    case = f"public{public_only.use(points, public)}"
    so_far = f"{case}_so_far"
    return Tile(
        text.TILE_LABELS["public"],
        render_text("{public:percent}", public=public),
        text.TILE_NOTES[so_far if preliminary and so_far in text.TILE_NOTES else case],
        text.TILE_HELP[case],
    )


def below_chance(curve: BudgetCurve) -> str:
    """Return why methods fall below chance on rare classes, in Markdown; "" where none does."""
    if curve.metric != "minority":
        return ""
    limit = curve.chance - MIN_DEFICIT
    below = lambda line: sum(point.mean < limit for point in line.points) >= MIN_BUDGETS
    methods = [_below_chance_at(line, curve, limit) for line in curve.lines if below(line)]
    return render(text.CAPTIONS["below_chance"], methods=methods) if methods else ""


def _below_chance_at(line: Line, curve: BudgetCurve, limit: float) -> str:
    """Return a method with the lowest and the highest budget at which it is below chance."""
    budgets = [
        budget
        for budget, point in zip(line.budgets, line.points, strict=True)
        if point.mean < limit
    ]
    fields = {"symbol": SYMBOLS[curve.budget.axis], "low": budgets[0], "high": budgets[-1]}
    return render_text(text.BELOW_CHANCE_AT, method=line.title, **fields)


def _compare(equal: EqualLeakage) -> tuple[str, dict[str, Any]]:
    """The case of the best method at equal leakage against the linear probe, or the second."""
    top, clear = best(equal.points)
    rival = _rival(equal.points, top)
    fields = {
        "method": title_in_sentence(METHODS[top].title),
        "rival": title_in_sentence(METHODS[rival].title),
        "high": equal.points[top],
        "low": equal.points[rival],
    }
    if min(equal.points[top].runs, equal.points[rival].runs) < 2:
        return "one_seed", fields
    if rival not in clear:
        return "level", fields
    return ("apart" if _has_draws(equal.points, top, rival) else "apart_here"), fields


def _rival(points: Mapping[str, Interval], top: str) -> str:
    """The method that the best one is compared with."""
    others = {key: point for key, point in points.items() if key != top}
    return RIVAL if RIVAL in others else max(others, key=lambda key: others[key].mean)


def _has_draws(points: Mapping[str, Interval], *methods: str) -> bool:
    """Whether these methods ran on several data draws."""
    return all(points[method].draws for method in methods)


def _with_budget(
    points: Mapping[str, Interval], equal: EqualLeakage, axis: str
) -> tuple[str, dict[str, Any]] | None:
    """The case of the best method at equal budget, compared at equal leakage too.

    None where the comparison at equal leakage does not contradict the chart.
    """
    points = {key: point for key, point in points.items() if key in equal.points}
    if len(points) < 2:
        return None
    top, clear = best(points)
    rival = _rival(points, top)
    equal_top, equal_clear = best(equal.points)
    fields = {
        "method": title_in_sentence(METHODS[top].title),
        "rival": title_in_sentence(METHODS[rival].title),
        "other": title_in_sentence(METHODS[equal_top].title),
        "symbol": SYMBOLS[axis],
    }
    if rival not in clear:
        is_same = {equal_top, _rival(equal.points, equal_top)} == {top, rival}
        is_level = is_same and not equal_clear & {top, rival}
        return ("level_both", fields) if is_level else None
    if equal_top not in (top, rival):
        case = "other_apart" if top in equal_clear else "other_level"
    elif (rival if equal_top == top else top) not in equal_clear:
        case = "budget_only"
    else:
        case = "reversed" if equal_top == rival else "both"
    over_draws = _has_draws(points, top, rival) and _has_draws(equal.points, *points)
    return (case if over_draws else f"{case}_here"), fields


def public_finding(curve: BudgetCurve) -> str:
    """Return from which budget on a private method is significantly better than public images.

    Each budget is compared as in the answer at this budget. "" without a comparison.
    """
    public, budgets = public_alone(curve), curve.budgets
    directions = [public_only.sign(curve.points_at(at), public) for at in budgets]
    clear = [direction < 0 for direction in directions if direction is not None]
    if not clear or len(clear) < len(directions):
        return ""
    first = clear.index(True) if any(clear) else len(budgets)
    case = "nowhere" if first == len(budgets) else "from" if first else "everywhere"
    if case == "from" and first == len(budgets) - 1:
        case = "last"
    if not all(clear[first:]):
        case = "between"
    at = budgets[first] if case in ("from", "last") else budgets[-1]
    symbol = SYMBOLS[curve.budget.axis]
    fields = {"symbol": symbol, "budget": f"{symbol} = {number(at)}"}
    return render_text(text.PUBLIC_FINDINGS[case], **fields)


def public_alone(curve: BudgetCurve) -> Interval | None:
    """Accuracy of public data alone, where the chart has it."""
    return next(
        (line.points[0] for line in curve.references if line.method == public_only.KEY), None
    )


def group_text(metric: str, rare: Sequence[str], config: DataConfig) -> str:
    """Whose accuracy a score is: ``images of rare classes (3, 7 and 9)``."""
    if metric == "minority" and rare:
        key = "rare_classes" if config.encoder else "rare_records"
        return render(text.GROUPS[key], classes=rare)
    return text.GROUPS[_group_key(metric, config)]


def _group_key(metric: str, config: DataConfig) -> str:
    """Return the key of a score in ``text.GROUPS`` without names of classes."""
    return "rare" if metric == "minority" else metric + ("" if config.encoder else "_records")


MAX_TITLE = 12
"""Most letters of a method's title that a tile's note has room for."""
MIN_DEFICIT, MIN_BUDGETS = 0.03, 2
"""Accuracy below chance, and budgets where it is, from which on a note says why."""
MIN_GAP = 0.10
"""Balanced accuracy below the relative from which on a method is badly configured."""
_LINEAR = (
    *("noisy-gd", "noisy-sgd", "objective", "adamix", "dpsgd-f", "global-adapt", "auto-clip"),
    *("scaled-probe", "dp-newton", "dp-ls", "dp-fc"),
)
_MEANS = ("dppl-mean", "dppl-mean-projected", "dppl-mean-trained", "dppl-auto")
_CHOSEN = ("dppl-public", "dppl-publick", "dppl-public-projected")
RELATIVES = (
    dict.fromkeys(_LINEAR, ("logistic",))
    | dict.fromkeys(_MEANS, ("class-mean",))
    | dict.fromkeys(_CHOSEN, ("class-mean", "public-reference"))
)
"""Non-private relatives of a method; of several the least accurate that has run counts."""


@dataclass(frozen=True)
class BadlyConfigured:
    """A method and its relative, with balanced accuracies from 0 to 1 without noise."""

    method: str
    accuracy: float
    relative: str
    relative_accuracy: float

    def sentence(self, tuned: bool = False) -> str:
        """The warning; tuned: the settings are tuned already."""
        return render(
            text.BADLY_CONFIGURED["tuned" if tuned else "untuned"],
            method=title_in_sentence(METHODS[self.method].title),
            own=self.accuracy,
            other=METHODS[self.relative].title,
            best=self.relative_accuracy,
        )


def relative_runs(view: PageConfig) -> list[Group]:
    """Runs of the first relative of each method of a view, where no relative is drawn."""
    drawn, missing = set(view.methods), {}
    for key in view.methods:
        relatives = RELATIVES.get(key, ())
        if relatives and drawn.isdisjoint(relatives):
            missing[relatives[0]] = (view.spec(relatives[0]),)
    return list(missing.values())


def find_badly_configured(
    results: Iterable[Result], methods: Sequence[str]
) -> list[BadlyConfigured]:
    """Which of ``methods`` are badly configured, by their noiseless runs among ``results``."""
    scores: dict[str, list[float]] = {}
    for result in results:
        if not result.spec.budget.private:
            scores.setdefault(result.spec.method, []).append(result.scores.balanced)
    mean = {key: float(np.mean(accuracies)) for key, accuracies in scores.items()}
    bad = []
    for key in methods:
        relatives = [(mean[name], name) for name in RELATIVES.get(key, ()) if name in mean]
        if key in mean and relatives and mean[key] < min(relatives)[0] - MIN_GAP:
            bad.append(BadlyConfigured(key, mean[key], min(relatives)[1], min(relatives)[0]))
    return bad
