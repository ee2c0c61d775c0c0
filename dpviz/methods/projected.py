"""The projection ablation: a linear map trained on public episodes before either DPPL method.

The map is not trained on private records: an episode's loss ties its records together, so there is
no gradient of one record to clip, and the papers do not say what they clip instead. Labelled public
episodes cost nothing. A public set without labels, or with too few, is clustered and the clusters
stand in.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from dpviz import mechanisms
from dpviz.caches import KeyedCache
from dpviz.lazy_imports import torch
from dpviz.machine.threads import map_blocks
from dpviz.methods import dppl_mean, dppl_public
from dpviz.methods.components import public_sets
from dpviz.methods.components.covariance import allow
from dpviz.methods.components.prototypes import require_public
from dpviz.methods.components.worst_neighbours import CROSS
from dpviz.types.audit_case import AuditCase, EventCase
from dpviz.types.budget import Budget
from dpviz.types.dataset import Dataset, Sizes, unit_rows
from dpviz.types.guarantee import Plan
from dpviz.types.line_style import BROWN, PERIWINKLE, LineStyle
from dpviz.types.method import Losses, Method, Param, Query
from dpviz.types.release import Fit, Release

SOURCE = (
    "DPPL (AAAI 2025), projection ablation, with a projection trained on public data; Snell et"
    " al. 2017"
)
WIDTH = Param(
    "width",
    "Projected dimension",
    "Number of dimensions after the projection. At most the feature dimension.",
    32,
    1,
    4096,
    1,
    log=True,
)
EPISODES = Param(
    "episodes",
    "Public episodes",
    "Training steps of the projection, each on some public classes. 0 keeps the initial"
    " projection.",
    200,
    0,
    5000,
    1,
)
WAY, SHOT = 20, 5
"""Classes of an episode; records of a class that make its prototype, and as many that ask."""
TEMPERATURE = 10.0
"""Multiplies cosines: without it a softmax over distances in [0, 2] is too flat to learn from."""
RATE = 0.003
FEWEST = 4


def plan(
    base: Any, key: str, title: str, sizes: Sizes, budget: Budget, params: Mapping[str, Any]
) -> Plan:
    """The plan of the DPPL method on projected features; the map adds no cost."""
    require_public(title, sizes.public, FEWEST)
    allow(key, sizes.d)
    inner = base.plan(dataclasses.replace(sizes, d=min(params["width"], sizes.d)), budget, params)
    public = inner.guarantee.public
    public += ", its labels" if "public set" in public else ", the public set with its labels"
    card = dataclasses.replace(
        inner.guarantee, public=public, source=f"{SOURCE}; {inner.guarantee.source}"
    )
    return dataclasses.replace(inner, method=key, guarantee=card)


def fit(base: Any, data: Dataset, plans: list[Plan], seeds: list[int]) -> Fit:
    """Project, fit the DPPL method, and fold the map into its weights: a linear rule on the
    features again.

    Guarantee: that of the DPPL method; the map is a fixed function of one record.
    """
    matrix = _matrix(data, plans[0])
    inner = base.fit(_projected(data, matrix), plans, seeds)
    return Fit(
        [[_composed(release, matrix) for release in row] for row in inner.releases], inner.trace
    )


def _matrix(data: Dataset, plan: Plan) -> np.ndarray:
    return projection(data.public, data.y_public, plan.params["width"], plan.params["episodes"])


def _projected(data: Dataset, matrix: np.ndarray) -> Dataset:
    """The data with unit rows mapped to (n, p), by exact products: no record's depend on the others
    beside it.
    """
    by = torch.tensor(matrix.T)
    x, x_public = (
        mechanisms.product(torch.tensor(mechanisms.unit_rows(rows)), by).numpy()
        for rows in (data.x, data.public)
    )
    mark = f"{data.fingerprint}-{public_sets.fingerprint(matrix)}"
    return dataclasses.replace(data, x=x, public_rows=x_public, fingerprint=mark)


def queries(base: Any, plan: Plan) -> dict[str, Query]:
    """Those of the DPPL method on the projected features."""

    def on_projected(query: Query) -> Query:
        return Query(
            lambda data, plan, before: query.value(_of_plan(data, plan), plan, before),
            lambda data, plan, rng: query.earlier_releases(_of_plan(data, plan), plan, rng),
            query.scale,
        )

    return {name: on_projected(query) for name, query in base.queries(plan).items()}


def _of_plan(data: Dataset, plan: Plan) -> Dataset:
    return _projected(data, _matrix(data, plan))


def _composed(release: Release, matrix: np.ndarray) -> Release:
    """The rule on projected features (p) as one on features (d). Dividing by the projected norm
    moves no argmax.
    """
    return dataclasses.replace(
        release, weights=(release.weights @ matrix.T).astype(np.float32), normalise=False
    )


# ------------------------------------------------------------------------------------------ the map

_maps: KeyedCache[np.ndarray] = KeyedCache(__name__, 8)


def projection(x: np.ndarray, labels: np.ndarray | None, width: int, episodes: int) -> np.ndarray:
    """Map (d, p) float32, read-only, trained on public records x (m, d) with labels (m,) or None.

    Deterministic in its arguments; the last few are kept. p is at most d.
    """
    key = (public_sets.fingerprint(x, labels), width, episodes)

    def trained() -> np.ndarray:
        (matrix,) = map_blocks(
            lambda public: _train(public, labels, width, episodes), [unit_rows(x)]
        )
        matrix.setflags(write=False)
        return matrix

    return _maps.get_or_compute(key, trained)


def _train(unit: np.ndarray, labels: np.ndarray | None, width: int, episodes: int) -> np.ndarray:
    """Adam on prototypical episodes from the leading directions of the public set."""
    x = torch.from_numpy(np.ascontiguousarray(unit))
    group = public_sets.groups(unit, labels, fewest=2)
    members = [rows for g in range(group.max() + 1) if len(rows := np.flatnonzero(group == g)) >= 2]
    _, directions = torch.linalg.eigh(x.T @ x)
    matrix = directions[:, -min(width, x.shape[1]) :].clone().requires_grad_()
    rng = np.random.default_rng(public_sets.SEED)
    first, second = torch.zeros_like(matrix), torch.zeros_like(matrix)
    for step in range(1, 1 + (episodes if len(members) >= 2 else 0)):
        (gradient,) = torch.autograd.grad(episode_loss(matrix, *_episode(x, members, rng)), matrix)
        with torch.no_grad():
            _adam(matrix, gradient, first, second, step)
    return matrix.detach().numpy()


def _adam(
    x: torch.Tensor, gradient: torch.Tensor, first: torch.Tensor, second: torch.Tensor, step: int
) -> None:
    """One step of Adam in place. torch.optim would load its compiler first: seconds for a training
    of one.
    """
    first.lerp_(gradient, 0.1)
    second.lerp_(gradient * gradient, 0.001)
    x -= RATE * (first / (1 - 0.9**step)) / ((second / (1 - 0.999**step)).sqrt() + 1e-8)


def _episode(
    x: torch.Tensor, members: list[np.ndarray], rng: np.random.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """Support and query (way, shot, d); a small group repeats its records, but not across the two
    halves.
    """
    chosen = rng.choice(len(members), min(WAY, len(members)), replace=False)
    halves: tuple[list, list] = ([], [])
    for rows in (members[c] for c in chosen):
        order = (
            rng.permutation(rows)
            if len(rows) < 50 * SHOT
            else rng.choice(rows, 2 * SHOT, replace=False)
        )
        cut = min(SHOT, len(order) // 2)
        for half, part in zip(halves, (order[:cut], order[cut : 2 * cut]), strict=True):
            half.append(np.resize(part, SHOT))
    return x[torch.from_numpy(np.stack(halves[0]))], x[torch.from_numpy(np.stack(halves[1]))]


def episode_loss(matrix: torch.Tensor, support: torch.Tensor, query: torch.Tensor) -> torch.Tensor:
    """Mean NLL of the queries under softmax of -distance to the prototypes, distances being 1 -
    cosine.
    """
    prototypes = torch.nn.functional.normalize((support @ matrix).mean(1), dim=1)
    asked = torch.nn.functional.normalize(query @ matrix, dim=2)
    logits = TEMPERATURE * (asked @ prototypes.T)
    target = torch.arange(len(logits))[:, None].expand(-1, query.shape[1])
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), target.flatten())


def losses(base: Any, data: Dataset, plan: Plan, seed: int) -> Losses:
    """The formula of the DPPL method on the projected features."""
    return base.METHOD.losses(_of_plan(data, plan), plan, seed)


def _method(
    base: Any,
    title: str,
    summary: str,
    line_style: LineStyle,
    case: Callable[[], AuditCase],
    event_cases: Callable[[], list[EventCase]],
) -> Method:
    key = f"{base.KEY}-projected"
    return Method(
        key=key,
        title=title,
        source=SOURCE,
        summary=summary,
        params=(WIDTH, EPISODES, *base.METHOD.params),
        plan=partial(plan, base, key, title),
        fit=partial(fit, base),
        line_style=line_style,
        losses=partial(losses, base),
        why_no_losses=base.METHOD.why_no_losses,
        queries=partial(queries, base),
        cases=lambda: [case()],
        event_cases=lambda: [_untrained(case) for case in event_cases()],
        needs_public=True,
    )


def _untrained(case: EventCase) -> EventCase:
    return dataclasses.replace(case, params={"episodes": 0, **case.params})


MEAN = _method(
    dppl_mean,
    "DPPL-Mean, projected",
    "DPPL-Mean after a linear projection learned from the labeled public set.",
    LineStyle(PERIWINKLE, "dash", "x"),
    lambda: dppl_mean.sum_case({"episodes": 0}, CROSS),
    lambda: dppl_mean.event_cases(CROSS),
)
PUBLIC = _method(
    dppl_public,
    "DPPL-Public, projected",
    "DPPL-Public after a linear projection learned from the labeled public set.",
    LineStyle(BROWN, "dashdot", "square-x"),
    lambda: dppl_public.selection_case({"episodes": 0}),
    lambda: [dppl_public.selection_event_case({}, FEWEST // 2)],
)
