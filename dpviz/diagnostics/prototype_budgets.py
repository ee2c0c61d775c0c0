"""What settings of the public prototypes do at every budget at once: K, the size of the public set,
which public set.

Accuracies are those of private releases, as ``experiment.run`` gives them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from dpviz import mechanisms
from dpviz.data.imbalance import minority_classes
from dpviz.diagnostics import prototype_choices
from dpviz.diagnostics.prototype_choices import event_of, gumbel, publick, scene, with_budget
from dpviz.experiments import experiment
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods import dppl_publick
from dpviz.stats import Interval, not_best
from dpviz.types import RunSpec, Scores

Lines = dict[str | int, dict[float, list[Scores]]]
"""Scores of the seeds by the value of the setting and by budget."""


def of_ks(
    spec: RunSpec, budgets: Sequence[float], ks: Sequence[int], seeds: Sequence[int]
) -> Iterator[Lines]:
    """DPPL-PublicK with the window of ``spec``, given again after each K."""
    data, _ = scene(spec)
    minority = minority_classes(data.counts, data.draw)
    lines: Lines = {}
    for k in ks:
        plans = [experiment.planned(with_budget(publick(spec, k), b)) for b in budgets]
        with one_numeric_thread():
            rows = dppl_publick.fit(data, plans, list(seeds)).releases
            lines[k] = {
                b: [experiment.score(release, data, minority) for release in row]
                for b, row in zip(budgets, rows, strict=True)
            }
        yield dict(lines)


def of_sizes(
    spec: RunSpec, budgets: Sequence[float], sizes: Sequence[int], seeds: Sequence[int]
) -> Iterator[Lines]:
    """DPPL-Public on some of the public pictures, given again after each size; a seed draws the
    subset, nested in larger ones, and the noise.
    """
    data, u = scene(spec)
    events, minority = (
        [event_of(with_budget(spec, b)) for b in budgets],
        minority_classes(data.counts, data.draw),
    )
    orders = [mechanisms.generator(s, "public subset").permutation(u.shape[1]) for s in seeds]
    lines: Lines = {}
    for size in sizes:
        lines[size] = {b: [] for b in budgets}
        for seed, order in zip(seeds, orders, strict=True):
            rows, noise = order[:size].copy(), gumbel(seed, (len(u), size))
            rows.sort()
            for budget, event in zip(budgets, events, strict=True):
                picks = rows[mechanisms.exponential(u[:, rows], event, noise)]
                lines[size][budget].append(prototype_choices.score(data, picks, minority))
        yield dict(lines)


def of_sets(
    spec: RunSpec, budgets: Sequence[float], sets: Sequence[str], seeds: Sequence[int]
) -> Iterator[Lines]:
    """DPPL-Public with one public set after another, given again after each."""
    lines: Lines = {}
    for key in sets:
        drawn = prototype_choices.draws(dataclasses.replace(spec, public=key), budgets, seeds)
        lines[key] = {b: [r.scores for r in drawn.results_at(b)] for b in budgets}
        yield dict(lines)


def perhaps_best(points: dict[int, Interval]) -> tuple[int, tuple[int, ...]]:
    """The value with the highest mean, and all that are not shown to be worse than the best of
    all: the one best in truth is among them but for a chance of 5%.
    """
    top, worse = not_best(points)
    return top, tuple(sorted(value for value in points if value not in worse))
