"""CoinPress taken apart: its schedule for any start, why a radius grows, and one class's run step
by step.

``schedule`` and ``judge`` see sizes and the budget alone. ``walk`` reads private records without
noise.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms
from dpviz.experiments import experiment
from dpviz.methods import dppl_mean
from dpviz.methods.components import coinpress
from dpviz.types import Budget, Dataset, Gaussian, Plan, RunSpec

WORDS = {
    "converges": "converges",
    "recovers": "recovers",
    "few": "diverges: too few records for this dimension",
    "tight": "grows: the start radius is smaller than these records can estimate",
    "loose": "start radius too large",
}
MAX_DRAWN_RECORDS = 300
"""Most records in the drawing of a step."""


@dataclass(frozen=True)
class Step:
    """One step: radius before, clip radius, noise sd, radius after, and the records it takes to
    shrink at all.

    Attributes:
        needed: gamma * sigma; with no more records than this, the radius grows whatever it is.
    """

    r: float
    clip: float
    sd: float
    r_next: float
    gamma: float
    needed: float

    @property
    def grows(self) -> bool:
        """True where the step ends with a larger ball than it began with."""
        return self.r_next > self.r


@dataclass(frozen=True)
class Schedule:
    """All steps for one class of ``n`` records in ``d`` dimensions; no record is read."""

    n: int
    d: int
    steps: tuple[Step, ...]

    @property
    def radii(self) -> tuple[float, ...]:
        """The start radius and the radius after each step."""
        return (self.steps[0].r, *(s.r_next for s in self.steps))


@dataclass(frozen=True)
class Verdict:
    """What became of the radius: a key of ``WORDS``, the step that decided it (from 1) and a
    sentence.
    """

    kind: str
    step: int
    reason: str

    @property
    def diverges(self) -> bool:
        """True where the last ball is larger than the one assumed before any record was read."""
        return self.kind in ("few", "tight")


def plan(spec: RunSpec, budget: Budget | None = None) -> Plan:
    """CoinPress's plan with the other settings of ``spec``; a missing public set does not matter to
    it.
    """
    sizes = experiment.prepared(spec).sizes
    params = dppl_mean.METHOD.check(dict(spec.params) | {"form": "coinpress"})
    request = dataclasses.replace(
        spec, budget=budget or spec.budget, params=tuple(params.items()), method=dppl_mean.KEY
    )
    return experiment.plan_with(request, dataclasses.replace(sizes, public=max(1, sizes.public)))


def width(spec: RunSpec) -> int:
    """Dimension after pooling."""
    return experiment.prepared(spec).x.shape[1] // dict(spec.params).get("k_pool", 1)


def schedule(d: int, n: int, plan: Plan, start: float = 1.0) -> Schedule:
    """The schedule of a class of ``n`` records from a start radius of ``start`` times sqrt(d)."""
    raw = coinpress.schedule(d, n, plan, start * math.sqrt(d))
    steps = [
        Step(**values, needed=values["gamma"] * event.sigma)
        for values, event in zip(raw, plan.events.values(), strict=True)
        if isinstance(event, Gaussian)
    ]
    return Schedule(n, d, tuple(steps))


def judge(run: Schedule) -> Verdict:
    """Whether the radius shrank, and if not, why.

    With b = (gamma sigma / n)^2 a step takes r to sqrt(gamma^2/n + b (r^2 + 6r + gamma^2)). Where b
    >= 1 that is
    above r for every r: no start helps, records are missing. Where b < 1 it grows only from below a
    fixed point, never from above. So a start radius that is too large only wastes steps.
    """
    grew = [i for i, step in enumerate(run.steps) if step.grows]
    if not grew:
        return _shrank(run)
    i = next((j for j in grew if run.n <= run.steps[j].needed), grew[0])
    step = run.steps[i]
    reason = f"at step {i + 1} γ√(1/n + sd²) = {_short(step.r_next)} exceeds r = {_short(step.r)}"
    if run.radii[-1] <= run.radii[0]:
        return Verdict(
            "recovers",
            i + 1,
            f"{reason}. The last step has most of the budget and reaches {_short(run.radii[-1])}.",
        )
    if run.n <= step.needed:
        need = (
            f"a class needs more than {math.floor(step.needed):,} records at this budget, and"
            f" this class has {run.n:,}"
        )
        return Verdict(
            "few",
            i + 1,
            f"too few records for {run.d} dimensions: {reason}. The radius grows from any start,"
            f" because {need}.",
        )
    return Verdict(
        "tight",
        i + 1,
        (f"the start radius is too small for {run.n:,} records at this budget: {reason}."),
    )


def _shrank(run: Schedule) -> Verdict:
    last = run.steps[-1]
    if last.clip > 2 * last.gamma:
        excess = (
            f"the last clip radius is {_short(last.clip)}, {last.clip / last.gamma:.1f} times a"
            " typical record's norm γ"
        )
        return Verdict(
            "loose",
            len(run.steps),
            f"start radius too large: {excess}, so the noise is too large by the same factor.",
        )
    return Verdict(
        "converges",
        len(run.steps),
        f"the radius shrinks at every step, from {_short(run.radii[0])} to"
        f" {_short(run.radii[-1])}.",
    )


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


# ------------------------------------------------------------------------------------ private views


@dataclass(frozen=True)
class Moment:
    """One step as it happened, with true lengths; everything here is private.

    Attributes:
        step: of the schedule; clipped: share of records beyond the clip radius.
        norm: of the new estimate; records: distances of at most MAX_DRAWN_RECORDS records from the
            old estimate.
        truth: distance of the exact mean from the old estimate; mean_shift: how far the clipped
            mean lies from it.
        noise: length of the noise added; error: distance of the new estimate from the exact mean.
    """

    step: Step
    clipped: float
    norm: float
    records: tuple[float, ...]
    truth: float
    mean_shift: float
    noise: float
    error: float


def standardised(data: Dataset, k: int) -> np.ndarray:
    """Pooled unit features in units of the public set's spread, as CoinPress sees them: (n, d //
    k).
    """
    return coinpress.standardised(data.x, data, k)


def walk(x: np.ndarray, run: Schedule, noise: np.ndarray) -> tuple[Moment, ...]:
    """One class's run: x (n, d) standardised records, noise (steps, d) standard normal."""
    estimate, exact, moments = np.zeros(x.shape[1]), x.mean(axis=0), []
    for step, unit_noise in zip(run.steps, noise, strict=True):
        offset = x - estimate
        lengths = np.linalg.norm(offset, axis=1)
        shrinkage = np.minimum(1, step.clip / np.maximum(lengths, 1e-30))
        moved = (offset * shrinkage[:, None]).mean(axis=0)
        fresh = estimate + moved + step.sd * unit_noise
        shown = lengths[np.linspace(0, len(x) - 1, min(MAX_DRAWN_RECORDS, len(x))).astype(int)]
        far = (
            np.linalg.norm(v)
            for v in (fresh, exact - estimate, moved, step.sd * unit_noise, fresh - exact)
        )
        norm, truth, *rest = map(float, far)
        moments.append(
            Moment(
                step, float(np.mean(lengths > step.clip)), norm, tuple(shown.tolist()), truth, *rest
            )
        )
        estimate = fresh
    return tuple(moments)


def noise(data: Dataset, d: int, seed: int) -> np.ndarray:
    """The noise that ``dppl_mean.fit`` draws for this seed: (steps, C, d)."""
    shape = (len(coinpress.SPLIT), data.classes, d)
    values = mechanisms.standard_normal(seed, dppl_mean.KEY, shape).values
    assert values is not None
    return values


def by_budget(
    spec: RunSpec, budgets: tuple[Budget, ...], c: int, start: float = 1.0
) -> list[tuple[Schedule, tuple[Moment, ...]]]:
    """Schedule and walk of class ``c`` at each budget; no walk without a public set."""
    data, d = experiment.prepared(spec), width(spec)
    runs = [schedule(d, data.counts[c], plan(spec, b), start) for b in budgets]
    if not data.has_public:
        return [(run, ()) for run in runs]
    x, z = standardised(data, data.x.shape[1] // d)[data.y == c], noise(data, d, spec.seed)[:, c]
    return [(run, walk(x, run, z)) for run in runs]


def by_class(spec: RunSpec, start: float = 1.0) -> list[tuple[Schedule, tuple[Moment, ...]]]:
    """Schedule and walk of every class at the budget of ``spec``."""
    data, d, planned = experiment.prepared(spec), width(spec), plan(spec)
    runs = [schedule(d, n, planned, start) for n in data.counts]
    if not data.has_public:
        return [(run, ()) for run in runs]
    x, z = standardised(data, data.x.shape[1] // d), noise(data, d, spec.seed)
    return [(run, walk(x[data.y == c], run, z[:, c])) for c, run in enumerate(runs)]
