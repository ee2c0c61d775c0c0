"""The arithmetic of mixed privacy: a linear head trained on labelled public shots and noisy private
gradients.

Heads are (C, d): the transpose of the paper's d x C. Gradients are sums over records, not means.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dpviz import mechanisms
from dpviz.lazy_imports import torch
from dpviz.mechanisms import Seed
from dpviz.methods.components import convergence
from dpviz.methods.components.clipped_gradients import Block, Problem
from dpviz.methods.components.public_sets import Shots
from dpviz.types import Gaussian, unit_rows

QUANTILE = 0.9
"""Of the public gradient norms, which becomes the threshold [paper]."""
STREAM = "adamix"
NORM_QUANTILES = (0.1, 0.5, 0.9)
"""Quantiles of the private gradient norms that the trace keeps."""


@dataclass(frozen=True, eq=False)
class Task:
    """What every cell of a fit and of one draw of the shots shares.

    Attributes:
        problem: the records that are clipped and noised; extra_shots: shots that are treated as
            those are, if any; shots: public records, or None.
        start, centre: (C, d) float32, first head and what weight decay draws towards.
        params: settings of ``adamix.METHOD``.
    """

    problem: Problem
    extra_shots: Problem | None
    shots: Shots | None
    start: torch.Tensor
    centre: torch.Tensor
    params: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Step:
    """What an observer of ``descend`` sees before the update; arrays are live, so copy what is
    kept.

    Attributes:
        threshold: tau of the step; basis: (d, P) float32 with orthonormal columns, or None for all
            directions.
        norms: (n,) float32, private gradient norms before clipping, then those of shots that are
            treated as private records; weights: (C, d) float32.
        blocks: the private records, clipped to tau.
    """

    threshold: float
    basis: np.ndarray | None
    norms: np.ndarray
    blocks: Sequence[Block]
    weights: np.ndarray


@dataclass(frozen=True, eq=False)
class Path:
    """Step by step (T,) float64, private view but for the first two.

    Attributes:
        threshold: tau; public_energy: share of the public gradient's squared norm that the
            projection keeps.
        norms: (T, 3) quantiles SEEN of the private gradient norms; clipped: share of records above
            tau.
        kept_share: share of the private sum's squared norm that the projection keeps.
        signal, noise: norms of the private sum and of its noise, both after projection.
    """

    threshold: np.ndarray
    public_energy: np.ndarray
    norms: np.ndarray
    clipped: np.ndarray
    kept_share: np.ndarray
    signal: np.ndarray
    noise: np.ndarray


# ------------------------------------------------------------------------------------ public heads


def prototypes(shots: Shots, beta: float) -> np.ndarray:
    """beta times the unit mean of each class's shots, (C, d) float32; a class without shots has
    zeros.

    Source: AdaMix 3.3, with pictures of the class's name where a text encoder would read it.
    """
    return beta * unit_rows(mechanisms.class_sums(shots.x, shots.y, shots.classes))


# ------------------------------------------------------------------------------------ private steps


def thresholds(norms: np.ndarray, floor: float) -> np.ndarray:
    """90th percentile of each head's public gradient norms (k, m): (k,), at least ``floor``;
    separable shots would drive it to 0.
    """
    place = QUANTILE * (norms.shape[1] - 1)
    ordered, lower = np.sort(norms, axis=1), int(place)
    low, high = ordered[:, lower], ordered[:, min(lower + 1, norms.shape[1] - 1)]
    return np.maximum(low + (place - lower) * (high - low), floor)


def bases(gradients: np.ndarray, rank: int) -> tuple[np.ndarray, np.ndarray]:
    """Top directions of public gradients (k, C, d): (k, d, P) float32, orthonormal, and the share
    (k,) of each squared norm in them.

    P is at most C - 1: softmax gradients sum to zero over the classes, so there are no more
    directions.
    """
    rank_limit = max(1, min(rank, gradients.shape[1] - 1, gradients.shape[2]))
    _, scale, directions = np.linalg.svd(gradients, full_matrices=False)
    energy = scale**2
    kept_share = energy[:, :rank_limit].sum(1) / np.maximum(energy.sum(1), 1e-300)
    return directions[:, :rank_limit].transpose(0, 2, 1).astype(np.float32, order="C"), kept_share


class Public(NamedTuple):
    """What the shots say at k heads: thresholds (k,), bases (k, d, P) or None, gradients (k, C, d)
    or None, energy (k,) in the bases.
    """

    thresholds: np.ndarray
    bases: np.ndarray | None
    gradients: np.ndarray | None
    energy: np.ndarray


def public_step(tasks: Sequence[Task], heads: np.ndarray) -> Public:
    """What each task's shots say at its head, heads (k, C, d), under their settings."""
    params, k = tasks[0].params, len(heads)
    threshold, directions, energy = np.full(k, params["clip"], np.float64), None, np.ones(k)
    shots = [task.shots for task in tasks if task.shots is not None]
    if not shots:
        return Public(threshold, None, None, energy)
    residual = residuals(shots, heads)
    gradients = np.stack([rest.T @ one.x for rest, one in zip(residual, shots, strict=True)])
    if params["clip_mode"] == "adaptive":
        threshold = thresholds(
            np.sqrt(np.einsum("kmc,kmc->km", residual, residual)), params["floor"]
        )
    elif params["clip_mode"] == "mean-gradient":
        mean = np.linalg.norm(gradients, axis=(1, 2)) / residual.shape[1]
        threshold = np.maximum(mean, params["floor"])
    if params["rank"]:
        directions, energy = bases(gradients, params["rank"])
    return Public(
        threshold,
        directions,
        gradients.astype(np.float32) if params["public_use"] == "exact" else None,
        energy,
    )


def residuals(shots: Sequence[Shots], heads: np.ndarray) -> np.ndarray:
    """softmax - onehot of each one's shots under its head, heads (k, C, d): (k, m, C) float64."""
    pairs = zip(shots, heads.astype(np.float64), strict=True)
    logits = np.stack([one.x @ head.T for one, head in pairs])
    logits -= logits.max(axis=2, keepdims=True)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=2, keepdims=True)
    for rest, one in zip(logits, shots, strict=True):
        rest[np.arange(len(one.y)), one.y] -= 1
    return logits


def descend(
    task: Task, event: Gaussian, seed: Seed, observe: Callable[[Step], None] | None = None
) -> tuple[np.ndarray, Path]:
    """``descend_together`` of one cell with its path, shown to ``observe`` step by step."""
    seen: list[np.ndarray] = []
    watch = Watch(observe, lambda rows: seen.append(rows[0]))
    return descend_together([task], [event], [seed], watch)[0], _path(seen)


class Watch(NamedTuple):
    """Who looks at the one cell of a descent: at each step before the update, and at what it did,
    a row of each path.
    """

    observe: Callable[[Step], None] | None
    trace: Callable[[np.ndarray], None]


def descend_together(
    tasks: Sequence[Task],
    events: Sequence[Gaussian],
    seeds: Sequence[Seed],
    watch: Watch | None = None,
) -> np.ndarray:
    """Noisy gradient descent of stacked cells, those of most steps first; O(T n d C) a cell.

    A cell's bits do not depend on the cells beside it, nor on who looks.

    Args:
        tasks: of the cells; all of one problem and, but for the draw of the shots, one setting.

    Returns:
        Each cell's last head, or the average of its heads, (cells, C, d) float32.

    Guarantee: sqrt(T)/sigma-GDP under add/remove; threshold and basis come from public records and
        from heads that are released already.
    """
    w, problems = torch.stack([task.start for task in tasks]), problems_of(tasks)
    streams = {s: mechanisms.normal_steps(s, STREAM, tuple(w.shape[1:])) for s in set(seeds)}
    sizes = [step_sizes(tasks[0].params, event, w[0].numel()) for event in events]
    mean = torch.zeros_like(w) if tasks[0].params["iterate"] == "averaged" else None
    for step in range(events[0].times):
        going = sum(event.times > step for event in events)
        draws = {seed: next(streams[seed]) for seed in set(seeds[:going])}
        now = w[:going]
        public = public_step(tasks[:going], now.numpy())
        sums, norms = clipped_sums(problems, now.numpy(), public, watch)
        noisy = np.stack(
            [
                mechanisms.add_gaussian(own, event, draws[seed])
                for own, event, seed in zip(sums, events, seeds, strict=False)
            ]
        )
        if watch:
            watch.trace(_trace_rows(public, norms, sums, noisy))
        if mean is not None:
            mean[:going] += (step + 1) * now
        _update(tasks[:going], now, noisy, public, [size(step) for size in sizes[:going]])
    if mean is None:
        return w.numpy()
    return np.stack(
        [own / (e.times * (e.times + 1) / 2) for own, e in zip(mean.numpy(), events, strict=True)]
    )


def step_sizes(
    params: Mapping[str, Any], event: Gaussian, d: int
) -> Callable[[int], tuple[float, float]]:
    """Step size and decay of each step from 0, for a head of d weights."""
    min_decay = params["weight_decay"]
    if params["step_size"] == "constant":
        return lambda step: (params["lr"], min_decay)
    rho = event.times / (2 * event.sigma**2) if event.sigma else math.inf
    decay = max(convergence.decay(params["clip"], d, rho, params["distance"]), min_decay)
    return lambda step: (2 / (decay * (step + 2)), decay)


def problems_of(tasks: Sequence[Task]) -> list[Problem]:
    """What is clipped and noised: the records that all cells share, and each one's own."""
    more = [task.extra_shots for task in tasks if task.extra_shots is not None]
    return [tasks[0].problem] + ([Problem.of_each(more)] if more else [])


def clipped_sums(
    problems: Sequence[Problem], w: np.ndarray, public: Public, watch: Watch | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """What a step releases of heads w (k, C, d): the sums of clipped gradients in units of each
    head's threshold, (k, C, d) float64. Beside them the norms before clipping, (k, n) float32,
    where somebody looks.
    """
    sums = torch.zeros(w.shape, dtype=torch.float64)
    threshold = torch.from_numpy(public.thresholds.astype(np.float32))[:, None, None]
    basis = None if public.bases is None else public.bases[0]
    norms, blocks = [np.empty((len(w), 0), np.float32)], []
    for problem in problems:
        for block in problem.blocks(w):
            sums += block.clipped_sum(threshold)
            if watch:
                norms.append(block.norms[:, 0, block.is_record].numpy())
            if watch and watch.observe and problem is problems[0]:
                blocks.append(block)
    all_norms = np.concatenate(norms, axis=1)
    if watch and watch.observe:
        watch.observe(Step(float(public.thresholds[0]), basis, all_norms[0], blocks, w[0]))
    return sums.numpy(), all_norms


def _update(
    tasks: Sequence[Task],
    w: torch.Tensor,
    noisy: np.ndarray,
    public: Public,
    sizes: Sequence[tuple[float, float]],
) -> None:
    """Move heads (k, C, d) in place by their noisy sums, each by its own step size and decay.

    All directions have noise and are projected with it, which leaves N(0, I) in those of any
    orthonormal basis and does not change with the signs that a decomposition happens to choose.
    """
    centres = torch.stack([task.centre for task in tasks])
    rates, decays = torch.tensor(sizes, dtype=torch.float32).T[:, :, None, None]
    gradient = _in_bases(noisy, public) + decays * (w - centres)
    if public.gradients is not None:
        gradient += torch.from_numpy(public.gradients)
    w -= rates * gradient


def _in_bases(sums: np.ndarray, public: Public) -> torch.Tensor:
    """Sums (k, C, d) in units of the thresholds as gradients, in the directions of the bases."""
    rows = _gradients(sums, public)
    return rows if public.bases is None else _project(rows, torch.from_numpy(public.bases))


def _gradients(sums: np.ndarray, public: Public) -> torch.Tensor:
    return torch.from_numpy((sums * public.thresholds[:, None, None]).astype(np.float32))


def _project(rows: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """(k, C, d) onto the columns of each u (k, d, P); head by head, so that none depends on how
    many there are.
    """
    return torch.stack([(row @ basis) @ basis.T for row, basis in zip(rows, u, strict=True)])


def _trace_rows(
    public: Public, norms: np.ndarray, sums: np.ndarray, noisy: np.ndarray
) -> np.ndarray:
    """A row of each path, from the norms (k, n) and the sums (k, C, d) of a step."""
    parts = _gradients(sums, public), _in_bases(sums, public), _in_bases(noisy - sums, public)
    whole, signal, noise = (torch.linalg.vector_norm(part, dim=(1, 2)).numpy() for part in parts)
    places = [int(q * (norms.shape[1] - 1)) for q in NORM_QUANTILES]
    middle = np.partition(norms, places, axis=1)[:, places]
    clipped = np.count_nonzero(norms > public.thresholds[:, None], axis=1) / norms.shape[1]
    kept_share = np.divide(signal**2, whole**2, out=np.ones_like(whole), where=whole > 0)
    return np.column_stack(
        [public.thresholds, public.energy, clipped, kept_share, signal, noise, middle]
    )


def _path(seen: list[np.ndarray]) -> Path:
    columns = np.array(seen, np.float64).reshape(len(seen), -1).T
    threshold, energy, clipped, kept_share, signal, noise = columns[:6]
    return Path(threshold, energy, columns[6:].T, clipped, kept_share, signal, noise)
