"""The projection ablation with a map trained on the private records, and the budget split in two.

Of rho the share s goes to the map and the rest to the prototypes, as in the paper. Its episodes are
another matter: the loss of a query is a function of the support's records too, so one record has a
hand in the gradients of many, and what the paper clips it does not say. Here the support is
released once, as noisy class sums of the features, and read from there alone: a query's loss is
then its own, and its gradient can be clipped. The prototypes of the rule are the same sums, mapped,
which costs nothing more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.machine.threads import one_numeric_thread
from dpviz.mechanisms import Seed
from dpviz.methods import projected
from dpviz.methods.components.covariance import allow
from dpviz.methods.components.privacy_unit import PrivacyUnits, gaussian, row_norms, squared_mu
from dpviz.methods.components.prototypes import require_public
from dpviz.methods.components.worst_neighbours import CROSS, first_weight, records
from dpviz.types.audit_case import AuditCase, EventCase
from dpviz.types.budget import Budget
from dpviz.types.dataset import Dataset, Sizes
from dpviz.types.guarantee import Plan
from dpviz.types.line_style import IRIS, LineStyle
from dpviz.types.method import Losses, Method, Param, Query
from dpviz.types.release import Fit, Release

KEY = "dppl-mean-trained"
SOURCE = "DPPL (first version), Appendix C.5, with the support set released as noisy sums"
SPLIT = Param(
    "split",
    "Projection share s",
    "Share of ρ spent on training the projection. The rest is spent on the prototypes.",
    0.3,
    0.1,
    0.9,
    0.05,
)
STEPS = Param(
    "steps", "Projection steps", ("Number of noisy gradient steps."), 20, 1, 500, 1, log=True
)
CLIP = Param("clip", "Clip norm", "L2 bound on one record's gradient.", 1.0, 1e-3, 20.0, log=True)
RATE = Param(
    "rate",
    "Step length",
    "Step length relative to the norm of the projection. The gradient is normalized.",
    0.05,
    1e-6,
    1.0,
    log=True,
    tuned=False,
)
MIN_NORM = 1e-30
GRID = 2.0**-20
"""Of the map where records are multiplied by it."""


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """One release of the class sums and ``steps`` of clipped gradient sums, s of rho for these."""
    require_public(METHOD.title, sizes.public, projected.FEWEST)
    allow(KEY, sizes.d)
    mu, share = privacy.mu_for(budget), params["split"]
    events = {
        "prototypes": privacy.gaussian(1.0, mu * math.sqrt(1 - share)),
        "queries": privacy.gaussian(params["clip"], mu * math.sqrt(share), params["steps"]),
    }
    public = "the encoder, the public set"
    return privacy.make_plan(KEY, params, budget, events, source=SOURCE, public=public)


def fit(data: Dataset, plans: list[Plan], seeds: list[Seed]) -> Fit:
    """Train a map for each plan and seed, and fold it into the rule on the features.

    Guarantee: mu-GDP under add/remove. (1) A record adds a vector of norm 1 at most to the sum of
        its own class: the sums have sensitivity 1. (2) Given the noisy sums and the map so far,
        both released, each record's gradient is a function of that record alone, clipped to
        ``clip``: one more moves a step's sum by that. Which records are support and which are query
        makes no difference: every record is in both, once in the sums and once in each step, and
        pays for both. (3) Steps are of a length that no record sets: no number of records is used.
    """
    unit, start = _unit_rows(data), _start(data, plans[0])
    (sums,) = _class_sums(data, plans[0])
    with one_numeric_thread():
        cells = [[_rule(data.y, unit, start, sums, p, seed) for seed in seeds] for p in plans]
    return Fit(cells)


def _rule(
    y: np.ndarray, unit: np.ndarray, start: np.ndarray, sums: np.ndarray, plan: Plan, seed: Seed
) -> Release:
    sums = _noisy(sums, plan, seed)
    *_, matrix = _trained(y, unit, start, _unit(sums), plan, seed)
    weights = _unit(sums @ matrix) @ matrix.T
    none = np.zeros(len(sums), np.float32)
    return Release(weights.astype(np.float32), none, normalise=False)


def _noisy(sums: np.ndarray, plan: Plan, seed: Seed) -> np.ndarray:
    noise = mechanisms.standard_normal(seed, f"{KEY} sums", sums.shape)
    return mechanisms.add_gaussian(sums, plan.gaussian("prototypes"), noise)


def _unit_rows(data: Dataset) -> np.ndarray:
    """(n, d) float64 on the coarse grid: sums of products with what lies on it too are exact."""
    return mechanisms.unit_rows(data.x).astype(np.float64)


def _start(data: Dataset, plan: Plan) -> np.ndarray:
    """The main directions of the public set: (d, p) float64."""
    width = plan.params["width"]
    return projected.projection(data.public, None, width, 0).astype(np.float64)


def _trained(
    y: np.ndarray,
    unit: np.ndarray,
    start: np.ndarray,
    prototypes: np.ndarray,
    plan: Plan,
    seed: Seed,
) -> Iterator[np.ndarray]:
    """The map (d, p) float64 after each step."""
    event, clip, matrix = plan.gaussian("queries"), plan.params["clip"], start
    length = plan.params["rate"] * float(np.linalg.norm(matrix))
    steps = mechanisms.normal_steps(seed, f"{KEY} queries", matrix.shape)
    for _ in range(event.times):
        sums = unit.T @ residuals(y, unit, matrix, prototypes, clip)
        noisy = mechanisms.add_gaussian(sums, event, next(steps), scale=clip)
        matrix = matrix - noisy * (length / max(float(np.linalg.norm(noisy)), MIN_NORM))
        yield matrix


def residuals(
    y: np.ndarray, unit: np.ndarray, matrix: np.ndarray, prototypes: np.ndarray, clip: float
) -> np.ndarray:
    """Each record's gradient is its unit row times one of these rows, (n, p) float64 on the coarse
    grid, of norm 1 at most: in units of ``clip``.

    The loss is the NLL of softmax(temperature * cosine) in the mapped space, to prototypes (C, d)
    that stand still for the step.
    """
    z, lengths = _mapped(unit, matrix)
    directions, goals = z / lengths, _unit(prototypes @ matrix)
    logits = projected.TEMPERATURE * _product(directions, goals)
    logits -= logits.max(axis=1, keepdims=True)
    wrong = np.exp(logits)
    wrong /= wrong.sum(axis=1, keepdims=True)
    wrong[np.arange(len(y)), y] -= 1
    pull = projected.TEMPERATURE * _product(wrong, goals.T)
    along = np.einsum("ij,ij->i", pull, directions)[:, None]
    return mechanisms.contributions(
        (pull - along * directions) / lengths, clip, mechanisms.BITS
    ).astype(np.float64)


def _mapped(unit: np.ndarray, matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mapped rows (n, p) and their lengths (n, 1), not zero."""
    z = unit @ (np.rint(matrix / GRID) * GRID)  # whole steps: exact, whatever stands beside a row
    return z, np.maximum(np.sqrt(np.einsum("ij,ij->i", z, z)), MIN_NORM)[:, None]


def _product(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """rows (n, a) times others (b, a), transposed, summed in one order whatever stands beside a
    row: (n, b) float64.
    """
    return np.einsum("ia,ba->ib", rows, columns)


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), MIN_NORM)


def _class_sums(data: Dataset, plan: Plan, before: None = None) -> np.ndarray:
    """Sums of unit rows: (1, C, d) float64, exact."""
    rows = mechanisms.contributions(data.x, 0)
    return mechanisms.class_sums(rows, data.y, data.classes)[None]


# ----------------------------------------------------- losses of records, queries, audit cases


def queries(plan: Plan) -> dict[str, Query]:
    """The class sums; the clipped gradients' sum at a map and noisy sums."""

    def sums(data: Dataset, plan: Plan, before: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        unit = _unit_rows(data)
        return (unit.T @ residuals(data.y, unit, *before, plan.params["clip"]))[None]

    return {
        "prototypes": Query(_class_sums),
        "queries": Query(sums, _case_start, lambda plan: plan.params["clip"]),
    }


def _case_start(
    data: Dataset, plan: Plan, rng: np.random.Generator
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Where a step may stand: at the start of the map, and astray."""
    d = data.x.shape[1]
    start = _start(data, plan)
    sums = rng.uniform(-1, 1, (data.classes, d))
    return [(start, _unit(sums)), (rng.uniform(-1, 1, start.shape), _unit(sums[::-1]))]


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """mu_i^2 = (||x_i|| / sigma)^2 of the sums, and of each step (||clip(g_i)|| / sigma)^2."""
    units, unit, clip = PrivacyUnits.from_dataset(data, plan), _unit_rows(data), plan.params["clip"]
    rows = mechanisms.contributions(data.x, 0)
    added = units.by_class(
        row_norms(rows),
        data.y,
        lambda norm_of_unit: float(np.linalg.norm(rows[norm_of_unit].sum(axis=0))),
    )
    total = squared_mu(added, plan.gaussian("prototypes"))
    goals, matrix = _unit(_noisy(_class_sums(data, plan)[0], plan, seed)), _start(data, plan)
    for after in _trained(data.y, unit, matrix, goals, plan, seed):
        parts = residuals(data.y, unit, matrix, goals, clip)
        norms = clip * row_norms(parts) * row_norms(unit)
        norm_of_unit = lambda rows_of_unit, parts=parts: (
            clip * float(np.linalg.norm(unit[rows_of_unit].T @ parts[rows_of_unit]))
        )
        total = total + squared_mu(units.map_units(norms, norm_of_unit), plan.gaussian("queries"))
        matrix = after
    return gaussian(total, plan)


def _case() -> AuditCase:
    """One more record across ten others, with a map that hardly moves and little spent on it."""
    base, labels = [[0.0, 1.0]] * 10 + [[1.0, 0.0]], [0] * 10 + [1]
    more = records([*base, [1.0, 0.0]], [*labels, 0], CROSS)
    still = {"split": 0.1, "steps": 1, "rate": 1e-6}
    return AuditCase(still, more, records(base, labels, CROSS), first_weight)


def event_cases() -> list[EventCase]:
    """One more record along neither axis, nearer to the other class than to its own, among records
    so well placed that their gradients are next to nothing.
    """
    x, y = [[1.0, 0.0], [0.0, 1.0]] * 20, [0, 1] * 20
    more, less = records([*x, [0.6, 0.8]], [*y, 0], CROSS), records(x, y, CROSS)
    one = {"steps": 1, "clip": 0.5, "split": 0.1}
    return [EventCase(one, more, less, ("prototypes", "queries"), share=0.6)]


METHOD = Method(
    key=KEY,
    title="DPPL-Mean, map trained privately",
    source=SOURCE,
    summary=(
        "DPPL-Mean after a linear projection learned from private data with part of the budget."
    ),
    params=(SPLIT, projected.WIDTH, STEPS, CLIP, RATE),
    plan=plan,
    fit=fit,
    line_style=LineStyle(IRIS, "dot", "cross"),
    losses=losses,
    queries=queries,
    cases=lambda: [_case()],
    event_cases=event_cases,
    needs_public=True,
)
