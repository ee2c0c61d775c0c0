"""What the exponential mechanism picks from the public set: draws, odds, scores, and what its
settings do.

The draws are those of ``experiment.run``, for the same specs and seeds; everything else here reads
private records without noise and is for the eyes of whoever holds them.
"""

from __future__ import annotations

import dataclasses
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.caches import cached
from dpviz.data.imbalance import minority_classes
from dpviz.experiments import experiment, store
from dpviz.lazy_imports import torch
from dpviz.machine.fair_queue import Progress, no_progress
from dpviz.machine.threads import map_blocks, one_numeric_thread
from dpviz.methods import METHODS, dppl_publick
from dpviz.methods.components.prototypes import cosine_release, require_public
from dpviz.methods.components.public_scores import TILE, utilities
from dpviz.types import Budget, Dataset, Exponential, Result, RunSpec, Scores, unit_rows

BINS = 200
"""Of the score histogram over [0, 2]."""
#: What ``draws`` reports to its ``progress``.
STAGE = "Choosing public images"


def scene(spec: RunSpec) -> tuple[Dataset, np.ndarray]:
    """Data and utilities (C, m) of a DPPL-Public spec, its settings checked.

    Raises:
        DpvizError: for bad settings or a missing public set.
    """
    params = dict(experiment.planned(spec).params)
    data = experiment.prepared(spec)
    require_public(METHODS[spec.method].title, data.sizes.public)
    return data, utilities(data, params["d_min"], params["d_max"])


def event_of(spec: RunSpec) -> Exponential:
    """The draw that a spec plans for."""
    event = experiment.planned(spec).events["selection"]
    assert isinstance(event, Exponential)
    return event


def event_of_record(spec: RunSpec) -> Exponential:
    """The same draw as one record sees it, whomever the promise is to."""
    plan = experiment.planned(spec)
    seen = privacy.scaled_event(plan.exponential("selection"), plan.record_sensitivity_ratio)
    assert isinstance(seen, Exponential)
    return seen


def window(spec: RunSpec) -> tuple[float, float]:
    """(d_min, d_max) of a spec, defaults filled in."""
    settings = METHODS[spec.method].check(dict(spec.params))
    return settings["d_min"], settings["d_max"]


def with_budget(spec: RunSpec, value: float) -> RunSpec:
    """The same spec at another budget on the same axis."""
    return dataclasses.replace(spec, budget=Budget(value, spec.budget.axis, spec.budget.delta))


# --------------------------------------------------------------------------- the public set's names


def public_names(data: Dataset) -> tuple[str, ...] | None:
    """What each public label is called; None without labels or names for them."""
    if data.y_public is None:
        return None
    names = data.class_names if data.public_names is None else data.public_names
    return names if int(data.y_public.max()) < len(names) else None


def own_kind(data: Dataset) -> np.ndarray | None:
    """(C, m) bool: public picture j bears the name of class c; None where no picture bears any
    class's name.
    """
    names = public_names(data)
    if names is None:
        return None
    kinds = np.array([*names, ""])[data.y_public]  # -1: no label
    own = np.array(data.class_names)[:, None] == kinds
    return own if own.any() else None


# -------------------------------------------------------------------------------------------- draws


@dataclass(frozen=True, eq=False)
class Draws:
    """What DPPL-Public draws at each budget and seed.

    Attributes:
        budgets, seeds: of the rows and columns; chosen: (B, S, C) rows of the public set.
        results: ``results[b][s]``, equal to ``experiment.run`` of the same spec but for the
            seconds.
        own: (B, S, C) bool, the picture bears its class's name; None where none could.
    """

    budgets: tuple[float, ...]
    seeds: tuple[int, ...]
    chosen: np.ndarray
    results: tuple[tuple[Result, ...], ...]
    own: np.ndarray | None

    def results_at(self, budget: float) -> tuple[Result, ...]:
        """The seeds' results at one budget."""
        return self.results[self.budgets.index(budget)]

    def values(self, budget: float, metric: str) -> list[float]:
        """The accuracies of the seeds at one budget."""
        return [getattr(r.scores, metric) for r in self.results_at(budget)]

    def with_more(self, more: Draws) -> Draws:
        """These and those of other budgets, in order."""
        budgets, results = self.budgets + more.budgets, self.results + more.results
        places = sorted(range(len(budgets)), key=lambda b: budgets[b])
        return Draws(
            tuple(budgets[b] for b in places),
            self.seeds,
            np.concatenate([self.chosen, more.chosen])[places],
            tuple(results[b] for b in places),
            None if self.own is None else np.concatenate([self.own, more.own])[places],
        )


def draws(
    spec: RunSpec,
    budgets: Sequence[float],
    seeds: Sequence[int],
    progress: Progress = no_progress,
) -> Draws:
    """The draws of DPPL-Public for all budgets and seeds; the budget and seed of ``spec`` do not
    matter.

    Only pictures that no other beats in both utility and noise can win at any budget; there are
    about ln m of them, so further budgets cost next to nothing.
    """
    progress(STAGE, 0, len(seeds))
    data, u = scene(spec)
    at_budget = [with_budget(spec, b) for b in budgets]
    events = [event_of(s) for s in at_budget]
    order, minority = ranking(u), minority_classes(data.counts, data.draw)
    started = time.perf_counter()
    winners: list[np.ndarray] = []
    for seed in seeds:
        progress(STAGE, len(winners), len(seeds))
        winners.append(_winners(u, order, events, seed))
    chosen = np.stack(winners, axis=1)
    with one_numeric_thread():
        # neighbouring budgets often pick the same pictures
        different = {picks.tobytes(): picks for row in chosen for picks in row}
        scored = {key: score(data, picks, minority) for key, picks in different.items()}
    seconds = (time.perf_counter() - started) / (len(budgets) * len(seeds))
    guarantees = [experiment.planned(s).guarantee for s in at_budget]

    def result(b: int, s: int) -> Result:
        spec_of_draw = dataclasses.replace(at_budget[b], seed=seeds[s])
        return Result(
            spec_of_draw,
            scored[chosen[b, s].tobytes()],
            guarantees[b],
            minority,
            data.counts,
            seconds,
            store.versions(),
        )

    results = tuple(tuple(result(b, s) for s in range(len(seeds))) for b in range(len(budgets)))
    kinds = own_kind(data)
    own = None if kinds is None else kinds[np.arange(data.classes), chosen]
    return Draws(tuple(budgets), tuple(seeds), chosen, results, own)


def ranking(u: np.ndarray) -> np.ndarray:
    """(C, m) pictures of each class from the best to the worst, equals in any order; kept for the
    last two.
    """
    for known, order in tuple(_ranked):
        if known is u:
            return order
    order = np.argsort(-u, axis=1)
    _ranked.append((u, order))
    return order


_ranked: deque[tuple[np.ndarray, np.ndarray]] = deque(maxlen=2)


def _winners(
    u: np.ndarray, order: np.ndarray, events: Sequence[Exponential], seed: int
) -> np.ndarray:
    """(events, C) picks of one seed: what ``mechanisms.exponential`` draws from all, drawn from the
    front alone.
    """
    noise = gumbel(seed, u.shape)
    assert noise.values is not None
    picks = np.empty((len(events), len(u)), np.int64)
    for c, ranked in enumerate(order):
        along = noise.values[c, ranked]
        front = np.sort(ranked[along >= np.maximum.accumulate(along)])
        for e, event in enumerate(events):
            picks[e, c] = front[mechanisms.exponential(u[c, front], event, part(noise[c], front))]
    return picks


def part(noise: mechanisms.UnitNoise, picked: np.ndarray) -> mechanisms.UnitNoise:
    """The noise of some of a class's pictures."""
    assert noise.values is not None
    return dataclasses.replace(noise, shape=picked.shape, values=noise.values[picked])


@cached(10)
def gumbel(seed: int, shape: tuple[int, int]) -> mechanisms.UnitNoise:
    """The noise of ``dppl_public.fit`` for a seed."""
    return mechanisms.standard_gumbel(seed, "selection", shape)


def score(data: Dataset, picks: np.ndarray, minority: Sequence[int]) -> Scores:
    """Accuracies where class c is stood for by public picture ``picks[c]``."""
    return experiment.score(cosine_release(data.public[picks]), data, minority)


# --------------------------------------------------------------------------------------------- odds


@dataclass(frozen=True, eq=False)
class Odds:
    """Selection probabilities at one budget.

    Attributes:
        ranks: (R,) from 1 to m, few and evenly spread on a log scale; curve: (C, R) probability of
            the picture at that rank.
        candidates: (C,) exp of the entropy: among as good as how many pictures the class chooses.
        own: (C,) probability of a picture that bears the class's name, or None; public: m.
        probability: (C, m) of each picture.
    """

    ranks: np.ndarray
    curve: np.ndarray
    candidates: np.ndarray
    own: np.ndarray | None
    public: int
    probability: np.ndarray


def odds(spec: RunSpec) -> Odds:
    """Selection probabilities of DPPL-Public."""
    data, u = scene(spec)
    p = mechanisms.exponential_probabilities(u, event_of(spec))
    ranks = np.unique(np.round(np.geomspace(1, p.shape[1], 60)).astype(np.int64))
    curve = np.take_along_axis(p, ranking(u)[:, ranks - 1], axis=1)
    kinds = own_kind(data)
    own = None if kinds is None else (p * kinds).sum(axis=1)
    return Odds(ranks, curve, effective(p), own, p.shape[1], p)


def chances(spec: RunSpec, budgets: Sequence[float], chosen: np.ndarray) -> np.ndarray:
    """(B, S, C) probability of each choice in ``chosen`` (B, S, C), a row a budget."""
    _, u = scene(spec)
    classes = np.arange(len(u))
    tables = (
        mechanisms.exponential_probabilities(u, event_of(with_budget(spec, b))) for b in budgets
    )
    return np.stack([p[classes, rows] for p, rows in zip(tables, chosen, strict=True)])


def effective(p: np.ndarray) -> np.ndarray:
    """exp of the entropy along the last axis: 1 where one picture takes all, m where all are
    alike.
    """
    return np.exp(-(p * np.log(np.maximum(p, 1e-300))).sum(axis=-1))


# ------------------------------------------------------------------------------------------- scores


def histogram(data: Dataset) -> np.ndarray:
    """How many pairs of a record of class c and a public picture score 1 + cos in each bin: (C,
    BINS) int64.
    """
    by_class = [torch.from_numpy(unit_rows(data.x[data.y == c])) for c in range(data.classes)]
    public = torch.from_numpy(unit_rows(data.public))

    def tile(start: int) -> np.ndarray:
        columns = public[start : start + TILE].T.contiguous()
        counts = np.zeros((len(by_class), BINS), np.int64)
        for c, x in enumerate(by_class):
            for rows in x.split(512):
                bins = (
                    torch.mm(rows, columns)
                    .add_(1)
                    .mul_(BINS / 2)
                    .clamp_(0, BINS - 1)
                    .flatten()
                    .to(torch.int32)
                )
                counts[c] += torch.bincount(bins, minlength=BINS).numpy()
        return counts

    return np.sum(map_blocks(tile, range(0, len(public), TILE)), axis=0)


def clipped_shares(counts: np.ndarray, d_min: float, d_max: float) -> np.ndarray:
    """Share of each class's scores below d_min, inside, and above d_max: (C, 3), to the grain of
    the bins.
    """
    low, high = (round(t * BINS / 2) for t in (d_min, d_max))
    parts = [counts[:, :low], counts[:, low:high], counts[:, high:]]
    every = np.maximum(counts.sum(axis=1, keepdims=True), 1)  # 0 of a class without a record
    return np.stack([part.sum(axis=1) for part in parts], axis=1) / every


# ----------------------------------------------------------------- what the settings do to accuracy


def window_map(
    spec: RunSpec, lows: Sequence[float], highs: Sequence[float], seeds: Sequence[int], metric: str
) -> Iterator[np.ndarray]:
    """Mean accuracy over the seeds for each window, given again after each row: (lows, highs), NaN
    where empty.
    """
    data = experiment.prepared(spec)
    minority = minority_classes(data.counts, data.draw)
    grid = np.full((len(lows), len(highs)), np.nan)
    for i, low in enumerate(lows):
        for j, high in enumerate(highs):
            if low < high:
                _, u = scene(with_params(spec, d_min=low, d_max=high))
                event = event_of(with_params(spec, d_min=low, d_max=high))
                picks = [mechanisms.exponential(u, event, gumbel(seed, u.shape)) for seed in seeds]
                grid[i, j] = np.mean([getattr(score(data, p, minority), metric) for p in picks])
        yield grid.copy()


def with_params(spec: RunSpec, **params: float) -> RunSpec:
    """The same spec with other settings of its method."""
    return dataclasses.replace(spec, params=tuple((dict(spec.params) | params).items()))


Curve = dict[int, list[Scores]]
"""Scores of the seeds by the value of the setting."""


def size_curve(spec: RunSpec, sizes: Sequence[int], seeds: Sequence[int]) -> Iterator[Curve]:
    """Accuracy against the size of the public set, given again after each size; seeds draw subsets
    and noise.

    Subsets of a seed are nested, and the whole set gives the numbers of the plain run.
    """
    data, u = scene(spec)
    event, minority, m = event_of(spec), minority_classes(data.counts, data.draw), u.shape[1]
    orders = [mechanisms.generator(seed, "public subset").permutation(m) for seed in seeds]
    scores_by_size: Curve = {}
    for size in sizes:
        scores_by_size[size] = []
        for seed, order in zip(seeds, orders, strict=True):
            rows = np.sort(order[:size])
            picks = rows[mechanisms.exponential(u[:, rows], event, gumbel(seed, (len(u), size)))]
            scores_by_size[size].append(score(data, picks, minority))
        yield dict(scores_by_size)


def k_curve(spec: RunSpec, ks: Sequence[int], seeds: Sequence[int]) -> Iterator[Curve]:
    """Accuracy of DPPL-PublicK against K, with the window and budget of ``spec``, given again after
    each K.
    """
    data, _ = scene(spec)
    minority = minority_classes(data.counts, data.draw)
    scores_by_k: Curve = {}
    for k in ks:
        plan = experiment.planned(publick(spec, k))
        with one_numeric_thread():
            releases = dppl_publick.fit(data, [plan], list(seeds)).releases[0]
            scores_by_k[k] = [experiment.score(release, data, minority) for release in releases]
        yield dict(scores_by_k)


def publick(spec: RunSpec, k: int) -> RunSpec:
    """The DPPL-PublicK spec with the settings of a DPPL-Public spec."""
    return dataclasses.replace(with_params(spec, k=k), method=dppl_publick.KEY)
