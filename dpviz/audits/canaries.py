"""Canaries for audits in one run: records that are included independently with probability 1/2.

Each canary has its own part of the release: a coordinate of the class sum, a feature axis, or a
class. So one data set holds thousands of canaries that barely affect each other. Methods without
such parts have a reason instead.

Source: Steinke, Nasr & Jagielski 2023 (arXiv 2305.08846), whose canaries in the strongest of their
attacks are gradients along an axis each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from dpviz import mechanisms, methods
from dpviz.text import audit as text
from dpviz.types import AuditCase, Dataset, DpvizError, Method, Release


@dataclass(frozen=True)
class Canaries:
    """Canaries; any subset may be in a data set.

    Attributes:
        count: number of canaries, included or not.
        data: ``data(inside)`` contains the canaries ``inside`` (count,) bool and the fixed records.
        scores: ``scores(release)`` (count,) float, larger for canaries that are more likely
            included.
    """

    count: int
    data: Callable[[np.ndarray], Dataset]
    scores: Callable[[Release], np.ndarray]

    def tossed(self, seed: int) -> np.ndarray:
        """Inclusion of each canary by a fair coin: (count,) bool."""
        return mechanisms.standard_uniform(seed, "canaries", (self.count,)) < 0.5


@dataclass(frozen=True)
class Design:
    """How a data set with canaries is built for a method.

    Attributes:
        make: ``make(count)`` gives so many canaries.
        params: settings beside those of the method's own audit case, in which a canary's part is as
            large at every draw as the method lets one record's be.
        case: which of the method's audit cases has the other settings, and is the many runs beside
            the one.
        max_canaries: that the method affords: with an axis each, time and memory grow with their
            square.
    """

    make: Callable[[int], Canaries]
    params: Mapping[str, Any] = field(default_factory=dict)
    case: int = 0
    max_canaries: int = 5_000


def coordinates(count: int) -> Canaries:
    """Two classes; each canary has a coordinate of its class's sum for itself. Scores are the
    weights there.
    """
    d = (count + 1) // 2
    at = np.arange(count)

    def data(inside: np.ndarray) -> Dataset:
        return _records(_units(at[inside] % d, d), at[inside] // d, 2, inside)

    return Canaries(count, data, lambda release: release.weights.ravel()[:count])


def axes(count: int, against: bool = True, shots: bool = False) -> Canaries:
    """Two classes in turn; each canary is a unit vector along an axis of its own, beside a record
    of each class that has no features. Scores are the weights of its class there.

    Args:
        against: less those of the other class, where both are pulled apart.
        shots: one labelled public record of each class as well, along an axis beside all canaries.
    """
    at = np.arange(count)
    y, d = at % 2, count + shots
    public = _units(np.full(2, count), d) * [[1], [-1]] if shots else None

    def data(inside: np.ndarray) -> Dataset:
        x = np.pad(_units(at[inside], d), ((2, 0), (0, 0)))
        return _records(x, np.append([0, 1], y[inside]), 2, inside, public, shots)

    def scores(release: Release) -> np.ndarray:
        own, other = release.weights[y, at], release.weights[1 - y, at]
        return own - other if against else own

    return Canaries(count, data, scores)


def choices(count: int, copies: int = 1) -> Canaries:
    """A class each, which chooses between two public pictures: in it a record votes for the second
    one, and its canary, if it is in, for the first. Scores are whether the first was chosen.

    Args:
        copies: of both pictures in the public set, where several are chosen.
    """
    pictures = np.array([[1.0, 0.0], [-1.0, 0.0]])
    classes = np.arange(count)

    def data(inside: np.ndarray) -> Dataset:
        x = np.concatenate([pictures[1:].repeat(count, 0), pictures[:1].repeat(inside.sum(), 0)])
        y = np.concatenate([classes, classes[inside]])
        return _records(x, y, count, inside, np.tile(pictures, (copies, 1)))

    def scores(release: Release) -> np.ndarray:
        assert release.chosen is not None
        return (release.chosen % 2 == 0).any(axis=1).astype(float)

    return Canaries(count, data, scores)


def _units(at: np.ndarray, d: int) -> np.ndarray:
    """Unit vectors (k, d) float32 along the axes ``at`` (k,)."""
    x = np.zeros((len(at), d), np.float32)
    x[np.arange(len(at)), at] = 1
    return x


def _records(
    x: np.ndarray,
    y: np.ndarray,
    classes: int,
    inside: np.ndarray,
    public: np.ndarray | None = None,
    labelled: bool = False,
) -> Dataset:
    """A data set without a test set to speak of; public records are of one class after another
    where they are labelled.
    """
    one = np.zeros((1, x.shape[1]), np.float32)
    marks = classes, x.shape[1], None if public is None else len(public), labelled
    return Dataset(
        "audit",
        None,
        x.astype(np.float32),
        y,
        one,
        np.zeros(1, np.int64),
        tuple(str(c) for c in range(classes)),
        f"canaries {marks} {np.packbits(inside).tobytes().hex()}",
        None if public is None else public.astype(np.float32),
        np.arange(len(public)) if public is not None and labelled else None,
        public_key=None if public is None else "audit",
    )


AXES = Design(axes)
BESIDE_SHOTS = partial(axes, shots=True)
DESIGNS: dict[str, Design] = {
    "dppl-mean": Design(coordinates),
    "dppl-public": Design(choices),
    "dppl-publick": Design(partial(choices, copies=2), case=1),
    "noisy-gd": AXES,
    "objective": AXES,
    "noisy-sgd": Design(axes, case=1),
    "scaled-probe": AXES,
    # gradients of canaries are as long as the bound, which neither they nor the noise move
    "global-adapt": Design(axes, {"bound": 0.7072, "eta": 0.0, "batch": 10**6, "lr": 100.0}),
    "auto-clip": AXES,
    "dpsgd-f": AXES,
    # steps in any direction from a head of zeros: the shots' few would leave canaries none
    "adamix": Design(
        BESIDE_SHOTS,
        {"rank": 0, "init": "none", "public_use": "none"}
        | {"clip_mode": "fixed", "clip": 0.1, "lr": 1e-4},
    ),
    "ppgd": Design(BESIDE_SHOTS),
    "dp-fc": Design(partial(axes, against=False), max_canaries=300),
}
"""By the method's key."""

NO_DESIGN_REASONS: dict[str, str] = {
    "dppl-mean-projected": text.NO_CANARIES["mapped"],
    "dppl-public-projected": text.NO_CANARIES["public_map"],
    "dppl-mean-trained": text.NO_CANARIES["trained_map"],
    "dppl-auto": text.NO_CANARIES["auto"],
    "dp-ls": text.NO_CANARIES["matrix"],
    "dp-newton": text.NO_CANARIES["matrix_steps"],
    "pate": text.NO_CANARIES["votes"],
    "transfer-pate": text.NO_CANARIES["votes"],
    "prom-pate": text.NO_CANARIES["votes"],
}
"""By key, of private methods without a design."""


def why_not() -> dict[str, str]:
    """Return the reason for each private method without a design, by key."""
    without = [key for key, row in methods.METHODS.items() if row.private and key not in DESIGNS]
    return {key: NO_DESIGN_REASONS.get(key, text.NO_CANARIES["none"]) for key in without}


def design_of(key: str) -> Design:
    """Return the canary design of a method.

    Raises:
        DpvizError: For an unknown method, or a method without a design.
    """
    methods.get(key)
    if key in DESIGNS:
        return DESIGNS[key]
    reason = why_not().get(key, text.NO_CANARIES["not_private"])
    raise DpvizError(f"No audit in one run of {key}. {reason}")


def settings(method: Method) -> tuple[AuditCase, dict[str, Any]]:
    """Audit case for a method's canaries, and the checked settings of both."""
    design = design_of(method.key)
    case = method.cases()[design.case] if method.cases else None
    assert case is not None
    return case, method.check({**case.params, **design.params})
