"""AdaMix: private training that starts from, and is steered by, a few labelled public pictures.

Every ablation of the paper is a setting; ``adamix_presets`` names them. Defaults are the paper's
protocol (Section 4, "Setting"): σ = 20, T from the budget, λ = 0.01, a start trained on the shots
until convergence, and the full public gradient in each step (Algorithm 2 has no mini-batches). The
paper prints neither the rank P nor a floor of the threshold; those two are choices of this project.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.caches import KeyedCache
from dpviz.lazy_imports import torch
from dpviz.machine.threads import map_blocks, shares
from dpviz.mechanisms import Seed
from dpviz.methods.components import mixed_gradients, public_sets
from dpviz.methods.components.clipped_gradients import Problem, example_heads, gradient_norms
from dpviz.methods.components.mixed_gradients import (
    Task,
    clipped_sums,
    descend_together,
    problems_of,
    prototypes,
    public_step,
)
from dpviz.methods.components.privacy_unit import PrivacyUnits, gaussian, squared_mu
from dpviz.methods.components.public_sets import (
    OF_EACH_CLASS,
    Shots,
    converge,
    draw_shots,
    private_shots,
    share_of,
)
from dpviz.methods.components.worst_neighbours import TURNING, one_more, records
from dpviz.types.audit_case import AuditCase, EventCase
from dpviz.types.budget import Budget
from dpviz.types.checks import DpvizError
from dpviz.types.dataset import Dataset, Sizes
from dpviz.types.guarantee import Gaussian, Plan
from dpviz.types.line_style import GREEN, LineStyle
from dpviz.types.method import Losses, Method, Param, Query
from dpviz.types.release import Fit, Release

KEY = "adamix"
SOURCE = "Golatkar et al. 2022, AdaMix, Algorithm 2; ρ = T/(2σ²) instead of the printed T²/(2σ²)"
SHOTS = Param(
    "shots",
    "Public examples per class",
    "Labeled public images per class. Classes with fewer use all of them.",
    2,
    1,
    100,
    1,
    log=True,
)
DRAW = Param(
    "shots_draw",
    "Example draw",
    "Seed that selects the public examples.",
    0,
    0,
    9999,
    1,
    former="draw",
)
INIT = Param(
    "init",
    "Initial weights",
    "Few-shot: trained on the public examples. Label prototypes: mean of a class's examples."
    " Class names: CLIP text encoder, as in the paper.",
    "few-shot",
    choices=("none", "few-shot", "label-prototypes", "class-names"),
)
BETA = Param(
    "beta",
    "Prototype length β",
    "Length of a label prototype. Paper: 100.",
    100.0,
    0.1,
    1000.0,
    log=True,
)
CLIP_MODE = Param(
    "clip_mode",
    "Clipping threshold τ",
    "Adaptive: 90th percentile of the public gradient norms at each step. Mean-gradient: norm of"
    " the mean public gradient, which the paper finds less robust. Fixed: the clip norm.",
    "adaptive",
    choices=("adaptive", "mean-gradient", "fixed"),
)
CLIP = Param(
    "clip",
    "Clip norm",
    "Threshold in fixed mode. At √2 or more nothing is clipped, because features have norm 1.",
    1.0,
    1e-3,
    1.5,
    log=True,
)
FLOOR = Param(
    "floor",
    "Minimum τ",
    "Lower bound of the adaptive threshold, which falls toward 0 once the examples are fitted.",
    0.01,
    1e-4,
    1.0,
    log=True,
)
RANK = Param(
    "rank",
    "Projection rank P",
    "Number of public gradient directions that private steps may use. At most classes − 1; 0"
    " removes the projection. The paper gives no value. The default suits ten classes; page"
    " Papers uses 30 on Omniglot.",
    9,
    0,
    1000,
    1,
)
SIGMA = Param(
    "sigma",
    "Noise multiplier σ",
    "Noise per step in units of τ. The budget covers T = ⌊2ρσ²⌋ steps.",
    20.0,
    0.1,
    1000.0,
    log=True,
)
MAX_STEPS = Param(
    "max_steps",
    "Maximum steps",
    "Limits the time of a run. If the budget allows more steps, σ decreases instead.",
    5000,
    1,
    50_000,
    1,
    log=True,
)
RATES = (5e-4, 1e-3, 2.5e-3, 5e-3)
"""Learning rates that the paper tries at each budget (Section 4, "Setting")."""
LR = Param(
    "lr",
    "Learning rate η",
    "Step size on the summed gradient. The paper tries 0.0005 to 0.005 and uses the best at each"
    " budget. Tuning it on private data costs budget.",
    RATES[-1],
    1e-5,
    10.0,
    log=True,
)
CELLS = 10
"""Cells stacked into one matrix product, at most."""
DECAY = Param(
    "weight_decay",
    "Weight decay λ",
    "Penalty on the distance from the decay center.",
    0.01,
    1e-4,
    10.0,
    log=True,
)
CENTRE = Param(
    "centre",
    "Decay center",
    "Zero, or the initial weights of private training.",
    "zero",
    choices=("zero", "init"),
)
PUBLIC_USE = Param(
    "public_use",
    "Use of public examples",
    "Exact: every step adds their exact gradient, as in the paper. Private: labeled public"
    f" images are protected too and sampled at rate examples / {OF_EACH_CLASS}. None: they only"
    " set initial weights, threshold and projection.",
    "exact",
    choices=("exact", "private", "none"),
)


STEP_SIZE = Param(
    "step_size",
    "Step size",
    "Constant: the learning rate. Theorem-3: 2/(λ(t + 1)) with λ = τ√(2d/ρ)/D, where d counts"
    " weights. Theorem-3 requires fixed τ, no projection, decay to the initial weights and no"
    " exact examples.",
    "constant",
    choices=("constant", "theorem-3"),
)
DISTANCE = Param(
    "distance",
    "Assumed distance D",
    "Assumed distance from the initial to the best weights. Public, never measured.",
    10.0,
    0.01,
    1e4,
    log=True,
)
ITERATE = Param(
    "iterate",
    "Released weights",
    "Last step, or the average of all steps, where step t has weight 2t/(T(T + 1)).",
    "last",
    choices=("last", "averaged"),
)
Cell = tuple[Plan, Seed]
PRIVATE_SHOTS = "{percent:g}% of the labeled public images, each protected as one image"
THEOREM = {
    "clip_mode": "fixed",
    "clip": 1.42,
    "rank": 0,
    "centre": "init",
    "public_use": "none",
    "step_size": "theorem-3",
    "iterate": "averaged",
}
"""Algorithm 1 as in Theorem 3: the threshold clips nothing, because no gradient exceeds √2."""


# -------------------------------------------------------------------------------------------- plans


def steps(mu: float, sigma: float) -> int:
    """T = floor(2 rho sigma^2) for rho = mu^2/2; the calibration's margin does not count."""
    return math.floor(mu**2 * sigma**2 * (1 + 10 * privacy.PRIVATE_SIDE))


def adapts(params: Mapping[str, Any]) -> bool:
    """Whether start, threshold or directions come from the shots."""
    return (
        params["init"] in ("few-shot", "label-prototypes")
        or params["clip_mode"] != "fixed"
        or params["rank"] > 0
    )


def protects_public(params: Mapping[str, Any]) -> bool:
    """Whether labelled public records count as private."""
    return params["public_use"] == "private"


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """T Gaussian releases of sensitivity 1 and sd sigma, both in units of their step's threshold.

    Raises:
        DpvizError: without a public set where one is used, if private shots would steer the
            training, or for a step size that other settings rule out.
    """
    read = need_texts(sizes, params)
    shots = need_public(sizes, params) if adapts(params) or params["public_use"] == "exact" else 0
    if protects_public(params) and adapts(params):
        raise DpvizError(
            "public_use=private protects the public examples, so they must not guide training."
            " Use init none or class-names, clip_mode fixed and rank 0."
        )
    _check_theorem(params)
    event, why = scheduled(budget, params)
    public = (
        f"the encoder{read}; {shots} labeled public examples per class"
        if shots
        else f"the encoder{read}"
    )
    if protects_public(params):
        public += f"; {PRIVATE_SHOTS.format(percent=100 * share_of(params['shots']))}"
    notes = {
        "steps": event.times,
        "sigma": event.sigma,
        "why": why,
    }
    planned = privacy.make_plan(
        KEY, params, budget, {"gradients": event}, source=SOURCE, public=public, notes=notes
    )
    promise = dataclasses.replace(planned.guarantee, schedule=why)
    return dataclasses.replace(planned, guarantee=promise)


def _check_theorem(params: Mapping[str, Any]) -> None:
    wanted = {name: THEOREM[name] for name in ("clip_mode", "rank", "centre")}
    other = [name for name, value in wanted.items() if params[name] != value]
    other += ["public_use"] if params["public_use"] == "exact" else []
    if params["step_size"] == "theorem-3" and other:
        raise DpvizError(
            "step_size theorem-3 needs clip_mode fixed, rank 0, centre init, and public_use none"
            f" or private. Change {', '.join(other)}."
        )


def need_public(sizes: Sizes, params: Mapping[str, Any]) -> int:
    """Shots of each class.

    Raises:
        DpvizError: if there is no public set to take them from.
    """
    public_sets.need_labels(sizes)
    return params["shots"]


def need_texts(sizes: Sizes, params: Mapping[str, Any]) -> str:
    """What class names add to what is public.

    Raises:
        DpvizError: if they are to be read and the encoder cannot.
    """
    if params["init"] != "class-names":
        return ""
    if not sizes.texts:
        raise DpvizError(
            "This encoder has no text encoder for class names. Use clip-b16, clip-l14 or"
            " clip-h14, or start from label prototypes."
        )
    return " and its text encoder; the class names"


def scheduled(budget: Budget, params: Mapping[str, Any]) -> tuple[Gaussian, str]:
    """The steps that a budget pays for, up to the ceiling, and how they follow in one sentence."""
    mu, most = privacy.mu_for(budget), params["max_steps"]
    wanted = most if mu == math.inf else steps(mu, params["sigma"])
    event = privacy.gaussian(1.0, mu, min(max(wanted, 1), most))
    return event, _step_reason(wanted, most, params["sigma"], event)


def capped(budget: Budget, params: Mapping[str, Any]) -> bool:
    """Whether a finite budget pays for more steps than the ceiling allows."""
    return budget.private and steps(privacy.mu_for(budget), params["sigma"]) > params["max_steps"]


def _step_reason(wanted: int, most: int, asked: float, event: Gaussian) -> str:
    if event.sigma == 0:
        return f"Without privacy: {event.times:,} steps without noise."
    if wanted < 1:
        return (
            f"The budget does not cover one step at σ = {asked:g}, so one step was run at σ ="
            f" {event.sigma:.4g}."
        )
    if wanted > most:
        return (
            f"The budget covers {wanted:,} steps at σ = {asked:g}. The limit is {most:,}, so the"
            f" run used {most:,} steps at σ = {event.sigma:.4g}."
        )
    return f"The budget covers {wanted:,} steps at σ = {event.sigma:.4g}."


# --------------------------------------------------------------------------------------------- fits


def prepare(data: Dataset, params: Mapping[str, Any], problem: Problem | None = None) -> Task:
    """What all cells of a draw share: the records to protect, the shots, the first head and the
    centre of the decay.

    Args:
        problem: the private records, where another draw has made it already.

    Raises:
        DpvizError: if shots are needed and none are there.
    """
    shots = _shots(data, params)
    return _task(data, shots, first_head(data, shots, params), params, problem)


def _task(
    data: Dataset,
    shots: Shots | None,
    head: np.ndarray,
    params: Mapping[str, Any],
    problem: Problem | None = None,
) -> Task:
    start, more, problem = torch.from_numpy(head), None, problem or Problem.from_dataset(data)
    centre = start if params["centre"] == "init" else torch.zeros_like(start)
    if shots is not None and protects_public(params):
        unit = mechanisms.unit_rows(shots.x.astype(np.float32))
        more, shots = Problem.of_rows(unit, shots.y, shots.classes), None
    return Task(problem, more, shots, start, centre, params)


def _shots(data: Dataset, params: Mapping[str, Any]) -> Shots | None:
    if protects_public(params):
        labeled = len(data.labelled_rows[1]) > 0
        return private_shots(data, params["shots"], params["shots_draw"]) if labeled else None
    wanted = adapts(params) or params["public_use"] == "exact" or len(data.labelled_rows[1]) > 0
    return draw_shots(data, params["shots"], params["shots_draw"]) if wanted else None


def first_head(data: Dataset, shots: Shots | None, params: Mapping[str, Any]) -> np.ndarray:
    """(C, d) float32: what training starts from."""
    if params["init"] == "class-names":
        assert data.texts is not None
        return params["beta"] * data.texts()
    if params["init"] == "none" or shots is None:
        return np.zeros((data.classes, data.x.shape[1]), np.float32)
    if params["init"] == "label-prototypes":
        return prototypes(shots, params["beta"])
    decay = params["weight_decay"]
    key = public_sets.fingerprint(shots.x, shots.y), shots.classes, decay
    return _public_heads.get_or_compute(
        key, lambda: converge(shots.x, shots.y, shots.classes, decay)
    )


_public_heads: KeyedCache[np.ndarray] = KeyedCache(__name__, 64)


def fit(data: Dataset, plans: list[Plan], seeds: list[Seed]) -> Fit:
    """One linear head a plan and seed; a cell's bits do not depend on its batch.

    Guarantee: mu-GDP with mu = sqrt(T) / sigma under add/remove.
    """
    return fit_grid(fit_cells, data, plans, seeds)


def fit_grid(
    fit_cells: Callable[[Dataset, Sequence[Cell]], list[Release]],
    data: Dataset,
    plans: list[Plan],
    seeds: list[Seed],
) -> Fit:
    """The fit of every plan and seed by ``fit_cells``."""
    releases = fit_cells(data, [(plan, seed) for plan in plans for seed in seeds])
    rows = range(0, len(releases), len(seeds))
    return Fit([releases[start : start + len(seeds)] for start in rows])


def fit_cells(data: Dataset, cells: Sequence[Cell]) -> list[Release]:
    """The release of each plan and seed, as ``fit``; plans may differ in ``shots_draw`` as well."""
    tasks: dict[int, Task] = {}
    problem = Problem.from_dataset(data)
    for plan, _ in cells:
        draw = plan.params["shots_draw"]
        if draw not in tasks:
            tasks[draw] = prepare(data, plan.params, problem)
    # those of most steps first
    order = sorted(range(len(cells)), key=lambda k: -cells[k][0].gaussian("gradients").times)
    blocks = shares(order, CELLS)

    def descended(block: Sequence[int]) -> np.ndarray:
        plans, seeds = [cells[k][0] for k in block], [cells[k][1] for k in block]
        events = [plan.gaussian("gradients") for plan in plans]
        return descend_together([tasks[plan.params["shots_draw"]] for plan in plans], events, seeds)

    done = map_blocks(descended, blocks)
    heads = dict(zip([k for block in blocks for k in block], np.concatenate(done), strict=True))
    return [head(heads[k]) for k in range(len(cells))]


def path(data: Dataset, plan: Plan, seed: Seed) -> mixed_gradients.Path:
    """What the run of a plan and seed sees, step by step: a private view."""
    task = prepare(data, plan.params)
    return mixed_gradients.descend(task, plan.gaussian("gradients"), seed)[1]


def run_observed(
    data: Dataset, plan: Plan, seed: Seed, observe: Callable[[np.ndarray], None]
) -> np.ndarray:
    """The head (C, d) of a plan and seed; ``observe`` is shown the head before each step."""
    task, event = prepare(data, plan.params), plan.gaussian("gradients")
    return mixed_gradients.descend(task, event, seed, lambda step: observe(step.weights))[0]


def head(w: np.ndarray) -> Release:
    """A linear head (C, d) without a bias."""
    return Release(w, np.zeros(len(w), np.float32))


# ----------------------------------------------------- losses of records, queries, audit cases


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """mu_i^2 = sum over steps of (||clip(g_i) U_t|| / (sigma tau_t))^2, with ||g_i U|| = |p_i -
    e_y| ||U^T x_i||; of a person with the sum of all records' clip(g_i).
    """
    task, event = prepare(data, plan.params), plan.gaussian("gradients")
    units = PrivacyUnits.from_dataset(data, plan)
    total = np.zeros(units.count)

    def observe(step: mixed_gradients.Step) -> None:
        added = gradient_norms(units, step.blocks, task.problem.exact, step.basis)
        total[:] += squared_mu(added, event)

    mixed_gradients.descend(task, event, seed, observe)
    return gaussian(total, plan)


def queries(plan: Plan) -> dict[str, Query]:
    """The clipped gradients' sum, in thresholds, under the head of the step before."""

    def sums(data: Dataset, plan: Plan, head: np.ndarray) -> np.ndarray:
        tasks = [_task(data, _shots(data, plan.params), head, plan.params)]
        return clipped_sums(problems_of(tasks), head[None], public_step(tasks, head[None]))[0]

    return {"gradients": Query(sums, example_heads)}


MIDDLE = Budget(8.0)
"""Of the audit of single events: a thousand runs tell it from half the noise."""


def event_cases() -> list[EventCase]:
    """Cases for the audit of the one event: a record that moves one step, with and without public
    guidance; one that moves two steps in two directions; a labelled public record that is private.
    """
    public, base = [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]] * 2, ([[1.0, 0.0], [0.0, 1.0]], [0, 1])
    alone = {"init": "none", "clip_mode": "fixed", "rank": 0, "clip": 0.1}
    turned = alone | {"public_use": "none", "max_steps": 2, "lr": 4.0}
    private = alone | {"max_steps": 1, "public_use": "private"}
    forms = {"max_steps": 1, "rank": 1}, private
    return [
        *(EventCase(form, *one_more(*base, public), ("gradients",), MIDDLE, 0.4) for form in forms),
        EventCase(turned, *one_more(*TURNING), ("gradients",), MIDDLE, 0.4),
        EventCase(private | {"shots": 6}, *_one_more_public(*base), ("gradients",), MIDDLE, 0.4),
    ]


def _one_more_public(x: list, y: list[int]) -> tuple[Dataset, Dataset]:
    """These records with 37 labelled public records in three classes, and with 36."""
    names, public = ("a", "b", "c"), [[math.cos(i), math.sin(i)] for i in range(36)]
    return records(x, y, [*public, [-0.6, 0.8]], names), records(x, y, public, names)


def contradiction_case(params: Mapping[str, Any]) -> AuditCase:
    """A record that contradicts the shots along their one direction, among records that have no
    gradient.
    """
    public, base, labels = [[1.0, 0.0], [-1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]], [0, 1]
    more, less = records([*base, [1.0, 0.0]], [*labels, 1], public), records(base, labels, public)
    return AuditCase(
        {"max_steps": 2, **params},
        more,
        less,
        lambda release, _: float(release.weights[1, 0] - release.weights[0, 0]),
        share=0.5,
    )


METHOD = Method(
    key=KEY,
    title="AdaMix",
    source=SOURCE,
    summary=(
        "Private linear classifier that starts from a few labeled public images and uses them in"
        " every noisy step."
    ),
    params=(
        SHOTS,
        SIGMA,
        LR,
        RANK,
        CLIP_MODE,
        INIT,
        CLIP,
        FLOOR,
        MAX_STEPS,
        DECAY,
        CENTRE,
        PUBLIC_USE,
        BETA,
        STEP_SIZE,
        DISTANCE,
        ITERATE,
        DRAW,
    ),
    plan=plan,
    fit=fit,
    line_style=LineStyle(GREEN, "solid", "triangle-right"),
    losses=losses,
    queries=queries,
    event_cases=event_cases,
    fit_cells=fit_cells,
    cell_settings=("shots_draw",),
    protects_public=protects_public,
    cases=lambda: [contradiction_case({"rank": 1})],
    needs_public=True,
)
