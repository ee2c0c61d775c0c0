"""How far private means lie from the true one: five estimators against budget, dimension, records
and a prior that is wrong.

All are told the same: records spread by 1 in each coordinate about a mean that lies within a
believed radius of a believed centre, which is at zero here. Errors are lengths in units of that
spread. Nothing here is released: errors are measured against a mean that privacy would hide, and
sums are divided by the true number of records for that alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.lazy_imports import special
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods import dppl_mean
from dpviz.methods.components import coinpress, friendly_core
from dpviz.methods.components.prototypes import require_public
from dpviz.stats import Interval, measured
from dpviz.types import Budget, Dataset, DpvizError, Gaussian, Plan
from dpviz.types.line_style import BLUE, BROWN, MAUVE, OLIVE, LineStyle

Seeds = Sequence[int]


@dataclass(frozen=True)
class Setting:
    """What the estimators meet.

    Attributes:
        rho: budget; n, d: records and dimension; centre: how far the mean lies from where it is
            believed to be, in units of sqrt(d); radius: within which it is believed to lie, in the
            same units.
    """

    rho: float = 0.1
    n: int = 500
    d: int = 128
    centre: float = 0.3
    radius: float = 1.0

    @property
    def believed(self) -> float:
        """The believed radius as a length."""
        return self.radius * math.sqrt(self.d)


AXES: dict[str, tuple[float, ...]] = {
    "rho": (1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0, 100.0),
    "d": (8, 32, 128, 512, 1024),
    "n": (20, 50, 100, 200, 500, 1000, 2000),
    "centre": (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0),
    "radius": (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0),
}
"""What may be on the axis, and where it is looked at."""


@dataclass(frozen=True)
class Estimator:
    """One way to a private mean.

    Attributes:
        title, source; look: in the chart; adjacency: what it hides; events: ``events(setting,
            mu)``, what is drawn, from sizes and budget alone; mean: ``mean(x, setting, plan,
            seeds)`` of rows x (n, d) float32 on a grid, (S, d).
    """

    title: str
    look: LineStyle
    adjacency: str
    source: str
    events: Callable[[Setting, float], Mapping[str, Gaussian]]
    mean: Callable[[np.ndarray, Setting, Plan, Seeds], np.ndarray]

    @property
    def public(self) -> str:
        """What is taken as known beside the prior."""
        return "the prior" if self.adjacency == privacy.ADD_REMOVE else "the prior, n"

    def plan(self, setting: Setting) -> Plan:
        """What is drawn, and what it promises."""
        budget = Budget(setting.rho, "zcdp")
        events = self.events(setting, privacy.mu_for(budget))
        return privacy.make_plan(
            self.title,
            {},
            budget,
            events,
            source=self.source,
            adjacency=self.adjacency,
            public=self.public,
        )


# ----------------------------------------------------------------------------------------- the five


def ball(setting: Setting) -> float:
    """Length that records are clipped to: all but 1 in 100 lie within it if the prior is right."""
    return coinpress.clip_radius(setting.believed, coinpress.tail(setting.d))


def box(setting: Setting) -> float:
    """What each coordinate is clipped to: the believed radius spread over all coordinates alike,
    and what all coordinates of a record but 1 in 100 lie within.
    """
    return setting.radius - float(special.ndtri(0.005 / setting.d))


def _ball_sums(x: np.ndarray, setting: Setting, plan: Plan, seeds: Seeds) -> np.ndarray:
    """Sum of records clipped to the ball, and noise; printed: that for a mean of n, times n."""
    (name,), r = plan.events, ball(setting)
    sums = mechanisms.contributions(x, r).sum(axis=0)
    return _noisy(sums, plan.gaussian(name), r, name, seeds) / len(x)


def _box_sums(x: np.ndarray, setting: Setting, plan: Plan, seeds: Seeds) -> np.ndarray:
    """Sum of records clipped coordinate by coordinate: one of them has length box * sqrt(d) at
    most, and rounding moves none beyond it.
    """
    side = box(setting)
    steps = np.rint(np.clip(x.astype(np.float64) / side, -1, 1) / mechanisms.FINE)
    sums = steps.sum(axis=0) * mechanisms.FINE
    return _noisy(sums, plan.gaussian("coordinates"), side, "coordinates", seeds) / len(x)


def _noisy(sums: np.ndarray, event: Gaussian, scale: float, name: str, seeds: Seeds) -> np.ndarray:
    noise = (mechanisms.standard_normal(seed, f"mean {name}", sums.shape) for seed in seeds)
    return np.stack([mechanisms.add_gaussian(sums, event, z, scale) for z in noise])


def _coinpress(x: np.ndarray, setting: Setting, plan: Plan, seeds: Seeds) -> np.ndarray:
    schedule = coinpress.schedule(setting.d, len(x), plan, setting.believed)
    events = [plan.gaussian(name) for name in plan.events]
    shape = (len(events), setting.d)
    noise = [mechanisms.standard_normal(seed, "mean coinpress", shape) for seed in seeds]
    drawn = [[z[step] for step in range(len(events))] for z in noise]
    return coinpress.estimates(coinpress.rows_of(x), [schedule], [events], drawn)[0][0]


def _friendly(x: np.ndarray, setting: Setting, plan: Plan, seeds: Seeds) -> np.ndarray:
    apart = math.sqrt(2) * coinpress.tail(setting.d)
    return friendly_core.estimate(x, apart, plan, seeds)[0]


def _coinpress_events(setting: Setting, mu: float) -> dict[str, Gaussian]:
    shares = enumerate(coinpress.SPLIT, start=1)
    return {f"step {i}": privacy.gaussian(2.0, mu * math.sqrt(s)) for i, s in shares}


ESTIMATORS: dict[str, Estimator] = {
    "sum": Estimator(
        "Noisy sum",
        LineStyle(BLUE, "solid", "circle"),
        privacy.ADD_REMOVE,
        dppl_mean.SOURCES["sum"],
        lambda setting, mu: {"sum": privacy.gaussian(ball(setting), mu)},
        _ball_sums,
    ),
    "printed": Estimator(
        "As printed",
        LineStyle(BLUE, "dot", "circle-open"),
        privacy.REPLACE_IN_CLASS,
        dppl_mean.SOURCES["printed"],
        lambda setting, mu: {"printed": privacy.gaussian(2 * ball(setting), mu)},
        _ball_sums,
    ),
    "coinpress": Estimator(
        "CoinPress",
        LineStyle(MAUVE, "dash", "square"),
        privacy.REPLACE_IN_CLASS,
        "Biswas et al. 2020, three steps, split as in DPPL (first version)",
        _coinpress_events,
        _coinpress,
    ),
    "friendly": Estimator(
        "Friendly core",
        LineStyle(OLIVE, "dashdot", "diamond"),
        privacy.REPLACE_IN_CLASS,
        "based on Tsfadia et al. 2022; steps and proof by dpviz",
        lambda setting, mu: friendly_core.events(setting.n, mu),
        _friendly,
    ),
    "coordinates": Estimator(
        "Per coordinate",
        LineStyle(BROWN, "longdash", "triangle-up"),
        privacy.ADD_REMOVE,
        "Gaussian mechanism on separately clipped coordinates",
        lambda setting, mu: {
            "coordinates": privacy.gaussian(box(setting) * math.sqrt(setting.d), mu)
        },
        _box_sums,
    ),
}
EXACT, PRIOR = "exact", "prior"
"""The mean without noise or clipping; the believed centre, which looks at no record."""


# ------------------------------------------------------------------------------------------ records


@dataclass(frozen=True, eq=False)
class Records:
    """Rows (n, d) float32 on the grid, from the believed centre, and the mean to be found, (d,)."""

    x: np.ndarray
    mean: np.ndarray


def made_up(setting: Setting, seed: int) -> Records:
    """Records of a Gaussian whose mean is known; a seed's direction and records share nothing with
    its noise.
    """
    mean = _away(setting, seed)
    x = (_normal(seed, "records", (setting.n, setting.d)) + mean).astype(np.float32)
    return Records(coinpress.on_grid(x), mean)


def _away(setting: Setting, seed: int) -> np.ndarray:
    """How far the centre is off, in some direction: (d,)."""
    way = _normal(seed, "direction", (setting.d,))
    return way * (setting.centre * math.sqrt(setting.d) / float(np.linalg.norm(way)))


def _normal(seed: int, what: str, shape: tuple[int, ...]) -> np.ndarray:
    """Of made-up records, in a stream of their own."""
    drawn = mechanisms.standard_normal(seed, f"made-up {what}", shape).values
    assert drawn is not None
    return drawn


def of_class(data: Dataset, c: int, setting: Setting, seed: int) -> Records:
    """The first records of a class in units of the public set's spread, pooled to dimension ``d``;
    its public mean is where the centre is believed to be, moved away by ``centre`` more.

    Raises:
        DpvizError: without a public set, or where the class has fewer records or coordinates.
    """
    require_public("A comparison on this data", data.sizes.public)
    members = np.flatnonzero(data.y == c)[: setting.n]
    if len(members) < setting.n or setting.d > data.x.shape[1]:
        raise DpvizError(
            f"The class must have {setting.n} records of {setting.d} coordinates, got"
            f" {len(members)} of {data.x.shape[1]}."
        )
    x = coinpress.standardised(data.x[members], data, data.x.shape[1] // setting.d)
    x = x[:, : setting.d]
    x = coinpress.on_grid((x + _away(setting, seed)).astype(np.float32))
    return Records(x, x.mean(axis=0, dtype=np.float64))


# ------------------------------------------------------------------------------------------- errors

EstimatorErrors = dict[str, dict[float, Interval]]
"""L2 error by estimator and place on the axis."""


def shifted(setting: Setting, axis: str, value: float) -> Setting:
    """The setting with another value on an axis."""
    values: dict[str, Any] = {axis: int(value) if axis in ("n", "d") else float(value)}
    return replace(setting, **values)


@one_numeric_thread()
def errors(
    setting: Setting,
    axis: str,
    seeds: Seeds,
    records: Callable[[Setting, int], Records] = made_up,
    places: Sequence[float] = (),
) -> EstimatorErrors:
    """L2 error of every estimator along an axis, one draw of records and noise a seed.

    Args:
        records: of a setting and seed; places: on the axis, instead of its usual ones. The friendly
            core is left out above its most records.

    Raises:
        DpvizError: as ``records`` does at the setting itself; other places it refuses are left out.
    """
    by_estimator: EstimatorErrors = {}
    for value in sorted({*(places or AXES[axis]), float(getattr(setting, axis))}):
        at = shifted(setting, axis, value)
        try:
            drawn = [records(at, seed) for seed in seeds]
        except DpvizError:
            if at == setting:
                raise
            continue
        for key, error in _errors_at(at, drawn, seeds).items():
            by_estimator.setdefault(key, {})[float(value)] = measured(error)
    return by_estimator


def _errors_at(at: Setting, drawn: Sequence[Records], seeds: Seeds) -> dict[str, list[float]]:
    length = lambda found, one: float(np.linalg.norm(found - one.mean))
    found = {EXACT: [length(one.x.mean(axis=0, dtype=np.float64), one) for one in drawn]}
    found[PRIOR] = [length(np.zeros(at.d), one) for one in drawn]
    for key, estimator in ESTIMATORS.items():
        if key == "friendly" and at.n > friendly_core.MAX_ROWS:
            continue
        plan = estimator.plan(at)
        found[key] = [
            length(estimator.mean(one.x, at, plan, [seed])[0], one)
            for one, seed in zip(drawn, seeds, strict=True)
        ]
    return found


def noise_length(key: str, setting: Setting) -> float:
    """Root mean square length of the noise on the mean of an estimator that adds it once."""
    (event,) = ESTIMATORS[key].plan(setting).events.values()
    assert isinstance(event, Gaussian)
    return event.sigma * math.sqrt(setting.d) / setting.n
