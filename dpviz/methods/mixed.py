"""The arithmetic of mixed privacy: a linear head trained on labelled public shots and noisy private gradients.

Heads are (C, d): the transpose of the paper's d x C. Gradients are sums over records, not means.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from scipy.optimize import minimize
from scipy.special import logsumexp

from dpviz import mechanisms
from dpviz.methods.noisy_gd import Problem, softmax_residual_
from dpviz.types import Dataset, DpvizError, Gaussian, unit_rows

QUANTILE = 0.9
"""Of the public gradient norms, which becomes the threshold [paper]."""
STREAM = "adamix"
SEEN = (0.1, 0.5, 0.9)
"""Quantiles of the private gradient norms that the trace keeps."""
TOLERANCE = 1e-5


@dataclass(frozen=True, eq=False)
class Shots:
    """A few labelled public records: x (m, d) float64 of norm 1, y (m,) int64."""

    x: np.ndarray
    y: np.ndarray
    classes: int

    def residual(self, w: np.ndarray) -> np.ndarray:
        """softmax - onehot under a head (C, d): (m, C) float64."""
        return _residual(w, self.x, self.y)


@dataclass(frozen=True, eq=False)
class Task:
    """What every cell of a fit shares.

    Attributes:
        problem: the records that are clipped and noised; shots: public records, or None.
        start, centre: (C, d) float32, first head and what weight decay draws towards.
        params: settings of ``adamix.METHOD``.
    """

    problem: Problem
    shots: Shots | None
    start: torch.Tensor
    centre: torch.Tensor
    params: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Step:
    """What an observer of ``descend`` sees before the update; arrays are live, so copy what is kept.

    Attributes:
        threshold: tau of the step; basis: (d, P) float32 with orthonormal columns, or None for all directions.
        norms: (n,) float32, private gradient norms before clipping; weights: (C, d) float32.
    """

    threshold: float
    basis: np.ndarray | None
    norms: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True, eq=False)
class Path:
    """Step by step (T,) float64, private view but for the first two.

    Attributes:
        threshold: tau; public_energy: share of the public gradient's squared norm that the projection keeps.
        norms: (T, 3) quantiles SEEN of the private gradient norms; clipped: share of records above tau.
        kept: share of the private sum's squared norm that the projection keeps.
        signal, noise: norms of the private sum and of its noise, both after projection.
    """

    threshold: np.ndarray
    public_energy: np.ndarray
    norms: np.ndarray
    clipped: np.ndarray
    kept: np.ndarray
    signal: np.ndarray
    noise: np.ndarray


# ------------------------------------------------------------------------------------- public shots


def few_shots(data: Dataset, shots: int, draw: int) -> Shots:
    """``shots`` labelled public records a class, or all there are, the same for every ``shots`` of a draw.

    Raises:
        DpvizError: if no public record bears the name of a private class.
    """
    x, y = data.labelled_public
    if not len(y):
        name = data.public_key or "none"
        raise DpvizError(f"Public set {name} has no records labelled as private classes; use one that has, such as glyphs.")
    order = mechanisms.generator(draw, "public shots").permutation(len(y))
    rows = np.concatenate([order[y[order] == c][:shots] for c in range(data.classes)])
    return Shots(unit_rows(x[rows]).astype(np.float64), y[rows], data.classes)


def converge(x: np.ndarray, y: np.ndarray, classes: int, decay: float, centre: np.ndarray | None = None) -> np.ndarray:
    """The head (C, d) float32 that minimises sum cross-entropy + decay/2 |w - centre|^2 by L-BFGS in float64.

    The search starts from ``centre``, (C, d) or zero.
    """
    shape, rows = (classes, x.shape[1]), np.arange(len(y))
    middle = np.zeros(shape).ravel() if centre is None else centre.astype(np.float64).ravel()

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        w, away = flat.reshape(shape), flat - middle
        logits = x @ w.T
        total = logsumexp(logits, axis=1)
        residual = np.exp(logits - total[:, None])
        residual[rows, y] -= 1
        value = float(np.sum(total - logits[rows, y])) + decay / 2 * float(away @ away)
        return value, (residual.T @ x).ravel() + decay * away

    options = {"maxiter": 1000, "maxfun": 2000, "gtol": TOLERANCE, "ftol": 1e-12}
    found = minimize(loss, middle, jac=True, method="L-BFGS-B", options=options)
    return found.x.reshape(shape).astype(np.float32)


def prototypes(shots: Shots, beta: float) -> np.ndarray:
    """beta times the unit mean of each class's shots, (C, d) float32; a class without shots has zeros.

    Source: AdaMix 3.3, with pictures of the class's name where a text encoder would read it.
    """
    return beta * unit_rows(mechanisms.class_sums(shots.x, shots.y, shots.classes))


# ------------------------------------------------------------------------------------ private steps


def threshold(norms: np.ndarray, floor: float) -> float:
    """90th percentile of public gradient norms (m,), at least ``floor``: separable shots would drive it to 0."""
    place = QUANTILE * (len(norms) - 1)
    ordered, below = np.sort(norms), int(place)
    above = min(below + 1, len(norms) - 1)
    return max(float(ordered[below] + (place - below) * (ordered[above] - ordered[below])), floor)


def clip_factors(norms: torch.Tensor, most: float | torch.Tensor) -> torch.Tensor:
    """What scales each gradient (..., n) down to norm at most ``most``: bounds what one record adds to the sum."""
    return (most / norms).clamp_(max=1.0)


def basis(gradient: np.ndarray, rank: int) -> tuple[np.ndarray, float]:
    """Top directions of a public gradient (C, d): (d, P) float32, orthonormal, and the share of its squared norm in them.

    P is at most C - 1: softmax gradients sum to zero over the classes, so there are no more directions.
    """
    most = max(1, min(rank, len(gradient) - 1, gradient.shape[1]))
    _, scale, directions = np.linalg.svd(gradient, full_matrices=False)
    energy = scale**2
    return directions[:most].T.astype(np.float32, order="C"), float(energy[:most].sum() / max(energy.sum(), 1e-300))


class Public(NamedTuple):
    """What the shots say at a head: threshold, basis (d, P) or None, gradient (C, d) float32 or None, energy in the basis."""

    threshold: float
    basis: np.ndarray | None = None
    gradient: np.ndarray | None = None
    energy: float = 1.0


def public_step(task: Task, w: np.ndarray) -> Public:
    """What the shots say at a head (C, d), under the task's settings."""
    params = task.params
    if task.shots is None:
        return Public(params["clip"])
    residual = task.shots.residual(w)
    gradient, most, directions, energy = residual.T @ task.shots.x, params["clip"], None, 1.0
    if params["clip_mode"] == "adaptive":
        most = threshold(np.sqrt(np.einsum("mc,mc->m", residual, residual)), params["floor"])
    if params["rank"]:
        directions, energy = basis(gradient, params["rank"])
    return Public(most, directions, gradient.astype(np.float32) if params["public_use"] == "exact" else None, energy)


def descend(
    task: Task, event: Gaussian, seed: int, observe: Callable[[Step], None] | None = None
) -> tuple[np.ndarray, Path]:
    """``descend_together`` of one cell, shown to ``observe`` step by step."""
    return descend_together(task, [event], [seed], observe)[0]


def descend_together(
    task: Task, events: Sequence[Gaussian], seeds: Sequence[int], observe: Callable[[Step], None] | None = None
) -> list[tuple[np.ndarray, Path]]:
    """Noisy gradient descent of stacked cells, those of most steps first; O(T n d C) a cell.

    A gradient is clipped before it is projected, which cannot lengthen it: |U^T clip(g)| <= tau, so noise in
    units of tau is enough. A cell's bits do not depend on the cells beside it.

    Returns:
        Each cell's last head, (C, d) float32, and its path.

    Guarantee: sqrt(T)/sigma-GDP under add/remove; threshold and basis come from public records and from heads
        that are released already.
    """
    onehot, x = task.problem.onehot, task.problem.x
    w, residual = task.start.repeat(len(events), 1, 1), torch.empty(len(events), *onehot.shape)
    noise = [mechanisms.normal_steps(seed, STREAM, tuple(task.start.shape)) for seed in seeds]
    seen: list[list] = [[] for _ in events]
    for step in range(events[0].times):
        going = sum(event.times > step for event in events)
        now, of = w[:going], residual[:going]
        torch.mm(now.view(-1, x.shape[1]), x.T, out=of.view(-1, len(x)))  # x twice, not its copy: half the memory to pass
        softmax_residual_(of, onehot)
        norms = (of * of).sum(1).sqrt_()
        said = [public_step(task, head.numpy()) for head in now]
        if observe:
            observe(Step(said[0].threshold, said[0].basis, norms[0].numpy(), w[0].numpy()))
        of *= clip_factors(norms, torch.tensor([s.threshold for s in said])[:, None])[:, None]
        sums = torch.mm(of.view(-1, len(x)), x).view_as(now)
        for i, public in enumerate(said):
            unit = torch.from_numpy(next(noise[i]))
            seen[i].append(_update(task, now[i], sums[i], public, unit * (events[i].sigma * public.threshold), norms[i].numpy()))
    return [(head, _path(rows)) for head, rows in zip(w.numpy(), seen, strict=True)]


def _update(task: Task, w: torch.Tensor, whole: torch.Tensor, public: Public, noise: torch.Tensor, norms: np.ndarray) -> list:
    """Move a head (C, d) in place by its clipped sum and noise; returns a row of its path.

    Noise of all directions is projected, which is N(0, I) in those of any orthonormal basis and does not change
    with the signs that a decomposition happens to choose.
    """
    signal = whole
    if public.basis is not None:
        u = torch.from_numpy(public.basis)
        signal, noise = (whole @ u) @ u.T, (noise @ u) @ u.T
    gradient = signal + noise + task.params["weight_decay"] * (w - task.centre)
    if public.gradient is not None:
        gradient += torch.from_numpy(public.gradient)
    w -= task.params["lr"] * gradient
    return _seen(public, norms, float(whole.norm()), float(signal.norm()), float(noise.norm()))


def _seen(public: Public, norms: np.ndarray, whole: float, signal: float, noise: float) -> list:
    places = [int(q * (len(norms) - 1)) for q in SEEN]
    middle = np.partition(norms, places)[places]
    kept = signal**2 / whole**2 if whole else 1.0
    return [public.threshold, public.energy, float(np.mean(norms > public.threshold)), kept, signal, noise, *middle]


def _path(seen: list[list]) -> Path:
    columns = np.array(seen, np.float64).reshape(len(seen), -1).T
    most, energy, clipped, kept, signal, noise = columns[:6]
    return Path(most, energy, columns[6:].T, clipped, kept, signal, noise)


def _residual(w: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    logits = x @ w.T.astype(np.float64)
    logits -= logits.max(axis=1, keepdims=True)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=1, keepdims=True)
    logits[np.arange(len(y)), y] -= 1
    return logits
