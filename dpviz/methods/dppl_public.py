"""DPPL-Public: each class picks one public image as its prototype by the exponential mechanism."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.lazy_imports import torch
from dpviz.machine.threads import map_blocks
from dpviz.mechanisms import UTILITY_STEP
from dpviz.methods.components import public_scores
from dpviz.methods.components.privacy_unit import PrivacyUnits, clip_rounding
from dpviz.methods.components.prototypes import cosine_release, require_public
from dpviz.methods.components.public_scores import D_MAX, D_MIN, ROWS, TILE, utilities, window_width
from dpviz.methods.components.worst_neighbours import records
from dpviz.types.audit_case import AuditCase, EventCase
from dpviz.types.budget import Budget
from dpviz.types.dataset import Dataset, Sizes
from dpviz.types.guarantee import Exponential, Plan
from dpviz.types.line_style import ORANGE, LineStyle
from dpviz.types.method import Losses, Method, Query
from dpviz.types.release import Fit, Release

KEY = "dppl-public"
SOURCE = "DPPL (AAAI 2025), Algorithm 1; McSherry & Talwar 2007"
PUBLIC = "the encoder, the public set"
SMALL_BUDGET = Budget(3.0)
"""Of the audit: small enough that the rarer outcome is still seen."""
SMALLER_BUDGET = Budget(2.0)
"""Of the audit of the draws, of which there are more outcomes."""


def selection_plan(
    method: Method,
    source: str,
    sizes: Sizes,
    budget: Budget,
    params: Mapping[str, Any],
    needed: int = 1,
) -> Plan:
    """One exponential mechanism a class; classes are disjoint, so together they cost as much as
    one.
    """
    require_public(method.title, sizes.public, needed)
    width = window_width(params["d_min"], params["d_max"])
    event = Exponential(width, privacy.exponential_epsilon_for(budget))
    return privacy.make_plan(
        method.key, params, budget, {"selection": event}, source=source, public=PUBLIC
    )


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """epsilon of the selection from the budget; sensitivity d_max - d_min on the scores' grid."""
    return selection_plan(METHOD, SOURCE, sizes, budget, params)


def fit(data: Dataset, plans: list[Plan], seeds: list[int]) -> Fit:
    """Draw one public record a class for each plan and seed.

    Guarantee: epsilon-DP under add/remove (monotone utility), so (r - 1 - ln r)-zCDP, r = epsilon /
        (e^epsilon - 1).
    """
    u = class_utilities(data, plans[0])
    columns = []
    for seed in seeds:
        gumbel = mechanisms.standard_gumbel(seed, "selection", u.shape)
        columns.append(
            [mechanisms.exponential(u, p.exponential("selection"), gumbel) for p in plans]
        )
    chosen = np.array(columns).transpose(1, 0, 2)
    releases = [
        [cosine_release(data.public[pick], pick[:, None]) for pick in row] for row in chosen
    ]
    return Fit(releases, {"utilities": u})


def class_utilities(data: Dataset, plan: Plan, before: None = None) -> np.ndarray:
    """What the plan's draws choose by: (C, m)."""
    return utilities(data, plan.params["d_min"], plan.params["d_max"])


def queries(plan: Plan) -> dict[str, Query]:
    """The utilities, of which each class's row makes a choice."""
    return {"selection": Query(class_utilities)}


# -------------------------------------------------------------------------------- losses of records


SINGLE_PRECISION_ERROR = 1e-5
"""Error of ln(Z / Z_-i) in single precision, with room to spare: relative for small ones."""
SMALLEST_NORMAL = float(np.finfo(np.float32).tiny)
"""Below it single precision drops what a picture adds to Z_-i / Z, piece by piece or all of it."""


def selection_losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """epsilon_i = max_j |t c_ij - ln(Z / Z_-i)|, and rho_i that of a range of t (max_j c_ij - min_j
    c_ij). Of a person c sums over the records of a class, and both add up over the classes, each
    of which makes a choice of its own.
    """
    return event_losses(data, plan, plan.exponential("selection"))


def event_losses(
    data: Dataset, plan: Plan, event: Exponential, choosing: np.ndarray | None = None
) -> Losses:
    """The losses of ``selection`` in single precision, rounded up.

    The log-odds of a choice with and without record i are t c_ij - ln(Z / Z_-i): they lie in an
    interval of length t (max c - min c), hence rho.

    Args:
        choosing: (C,) bool, which classes take their choice; None for all.
    """
    units = PrivacyUnits.from_dataset(data, plan)
    shares, (low, high, shift) = _odds(data, plan, event, units)
    slack = SINGLE_PRECISION_ERROR * (high if event.epsilon <= 1 else np.maximum(high, 1.0))
    parts = (high - shift, shift - low, slack, high - low, privacy.bounded_range_rho(high - low))
    taken = np.ones(len(shares)) if choosing is None else choosing[shares.of_class]
    up, down, slack, width, rho = (
        np.bincount(shares.of_whom, taken * part, units.count) for part in parts
    )
    return np.minimum(np.maximum(up, down) + slack, width), rho


@dataclass(frozen=True, eq=False)
class Shares:
    """The records that one who is protected has in one class: (s,) of whom and of which class.

    Attributes:
        rows: (n,) int64, records with those of a share together; starts: (s + 1,) of each there.
    """

    of_whom: np.ndarray
    of_class: np.ndarray
    rows: np.ndarray
    starts: np.ndarray

    @classmethod
    def from_units(cls, y: np.ndarray, units: PrivacyUnits) -> Shares:
        """Shares by class, and within it in the order of whose they are."""
        rows = np.lexsort((units.of_record, y))
        keys = np.stack([y[rows], units.of_record[rows]])
        first = np.flatnonzero(np.any(np.diff(keys, prepend=-1), axis=0))
        return cls(keys[1, first], keys[0, first], rows, np.append(first, len(rows)))

    def __len__(self) -> int:
        """Number of shares."""
        return len(self.of_whom)

    def select(self, chosen: np.ndarray) -> Shares:
        """Those of (s,) bool."""
        counts = np.diff(self.starts)
        return Shares(
            self.of_whom[chosen],
            self.of_class[chosen],
            self.rows[np.repeat(chosen, counts)],
            np.concatenate([[0], np.cumsum(counts[chosen])]),
        )

    def blocks(self) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """Whole shares of one class, of ROWS records together or one share: the class, the records,
        and which share of the block each is of.
        """
        for c in np.unique(self.of_class):
            start, last = np.searchsorted(self.of_class, [c, c + 1])
            while start < last:
                fitting_end = (
                    np.searchsorted(self.starts, self.starts[start] + ROWS, side="right") - 1
                )
                end = min(max(fitting_end, start + 1), last)
                counts = np.diff(self.starts[start : end + 1])
                rows = self.rows[self.starts[start] : self.starts[end]]
                yield int(c), rows, np.repeat(np.arange(end - start), counts)
                start = end


def _odds(
    data: Dataset, plan: Plan, event: Exponential, units: PrivacyUnits
) -> tuple[Shares, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Least and largest sum of t c_ij over the records i of each share, among the public set, and
    ln(Z / Z_-i), each (s,) float64.

    One pass over tiles of the public set, and one more for shares that move the odds too far for
    single precision; nothing of size n x m is held. O(n m d).
    """
    window, t = (plan.params["d_min"], plan.params["d_max"]), event.epsilon / event.sensitivity
    ends = public_scores.steps(window[0]), public_scores.steps(window[1])
    # without record i each weight shrinks by e^(-t c): Z_-i / Z is the mean of that under the
    # selection odds
    odds = torch.from_numpy(
        mechanisms.exponential_probabilities(utilities(data, *window), event).astype(np.float32)
    )
    shares, unit = Shares.from_units(data.y, units), mechanisms.unit_rows(data.x)
    blocks = [
        (c, torch.from_numpy(unit[rows]), torch.from_numpy(share))
        for c, rows, share in shares.blocks()
    ]
    small = event.epsilon <= 1

    def tile(start: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        columns = public_scores.columns(data.public, start)
        parts = [
            _tile_odds(rows, share, columns, odds[c, start : start + TILE], t, ends, small)
            for c, rows, share in blocks
        ]
        low, high, total = (np.concatenate(values) for values in zip(*parts, strict=True))
        return low, high, total

    lows, highs, sums = zip(*map_blocks(tile, range(0, len(data.public), TILE)), strict=True)
    low, high, total = (
        np.min(lows, axis=0),
        np.max(highs, axis=0),
        np.sum(sums, axis=0, dtype=np.float64),
    )
    with np.errstate(divide="ignore"):
        shift = -np.log1p(total) if small else -np.log(total)
    extreme = np.asarray(total * SINGLE_PRECISION_ERROR < SMALLEST_NORMAL * len(data.public))
    if not small and extreme.any():
        shift[extreme] = _far_shift(data, event, shares.select(extreme), window)
    low, high = (clip_rounding(t * end.astype(np.float64), event.epsilon) for end in (low, high))
    return shares, (low, high, np.clip(shift, low, high))


def _tile_odds(
    rows: torch.Tensor,
    share: torch.Tensor,
    columns: torch.Tensor,
    p: torch.Tensor,
    t: float,
    ends: tuple[int, int],
    small: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Least and largest score of each share, summed over its rows, and the sum of p (e^(-t c) -
    1), without the - 1 unless ``small``.
    """
    scores = _share_scores(rows, share, columns, ends)
    low, high = torch.aminmax(scores, dim=1)
    # near 1 the logarithm would lose what e^(-t c) - 1 keeps, near 0 the other way round
    weight = scores.mul_(-t).expm1_() if small else scores.mul_(-t).exp_()
    return low.numpy(), high.numpy(), (weight @ p).numpy()


def _share_scores(
    rows: torch.Tensor, share: torch.Tensor, columns: torch.Tensor, ends: tuple[int, int]
) -> torch.Tensor:
    """Sum of c over the rows of each share, for the pictures of a tile: (shares, k) float32."""
    scores = public_scores.scores(rows, columns).clamp_(*ends).sub_(ends[0])
    if (count := int(share[-1]) + 1) < len(share):
        scores = torch.zeros(count, scores.shape[1]).index_add_(0, share, scores)
    return scores.mul_(UTILITY_STEP)


def _far_shift(
    data: Dataset, event: Exponential, shares: Shares, window: tuple[float, float]
) -> np.ndarray:
    """ln(Z / Z_-i) by logarithms in double precision, which lose nothing however far the odds move:
    (s,) float64.
    """
    logits = mechanisms.exponential_logits(utilities(data, *window), event)
    odds = torch.log_softmax(torch.from_numpy(logits), dim=1)
    t, ends = (
        event.epsilon / event.sensitivity,
        (public_scores.steps(window[0]), public_scores.steps(window[1])),
    )
    unit = mechanisms.unit_rows(data.x)
    blocks = list(shares.blocks())

    def tile(start: int) -> torch.Tensor:
        columns = public_scores.columns(data.public, start)
        parts = []
        for c, rows, share in blocks:
            scores = _share_scores(
                torch.from_numpy(unit[rows]), torch.from_numpy(share), columns, ends
            )
            weights = odds[c, start : start + TILE] - t * scores.double()
            parts.append(torch.logsumexp(weights, dim=1))
        return torch.cat(parts)

    tile_shifts = torch.stack(list(map_blocks(tile, range(0, len(data.public), TILE))))
    return -torch.logsumexp(tile_shifts, dim=0).numpy()


# -------------------------------------------------------------------------------------- audit cases


def selection_case(params: Mapping[str, Any]) -> AuditCase:
    """Two public records; a vote against the first, and one more record that votes for it alone."""
    public = [[1.0, 0.0], [-1.0, 0.0]] * 2
    base, labels = [[-1.0, 0.0], [0.0, 1.0]], [0, 1]
    more, less = records([*base, [1.0, 0.0]], [*labels, 0], public), records(base, labels, public)
    params = {"d_min": 0.0, "d_max": 2.0, **params}
    return AuditCase(params, more, less, _first_chosen, SMALL_BUDGET, 2.0)


def _first_chosen(release: Release, data: Dataset) -> float:
    """Whether it is the first record, which even rows of the public set are."""
    assert release.chosen is not None
    return float(np.min(release.chosen[0] % 2) == 0)


CANDIDATE, OPPOSITE_CANDIDATE = [0.6, 0.8], [-0.6, -0.8]


def selection_event_case(params: Mapping[str, Any], copies: int = 1) -> EventCase:
    """Two classes that choose alike, and in one of them a record more, which votes for the picture
    that they do not choose.

    Args:
        copies: of each of the two pictures.
    """
    public = [CANDIDATE, OPPOSITE_CANDIDATE] * copies
    more = records([OPPOSITE_CANDIDATE, OPPOSITE_CANDIDATE, CANDIDATE], [0, 1, 1], public)
    less = records([OPPOSITE_CANDIDATE, OPPOSITE_CANDIDATE], [0, 1], public)
    params = {"d_min": 0.0, "d_max": 2.0, **params}
    return EventCase(params, more, less, ("selection",), SMALLER_BUDGET, share=2.0)


METHOD = Method(
    key=KEY,
    title="DPPL-Public",
    source=SOURCE,
    summary=(
        "Uses one public image per class, chosen privately for its similarity to the private"
        " images."
    ),
    params=(D_MIN, D_MAX),
    plan=plan,
    fit=fit,
    line_style=LineStyle(ORANGE, "solid", "square"),
    losses=selection_losses,
    queries=queries,
    cases=lambda: [selection_case({})],
    event_cases=lambda: [selection_event_case({})],
    needs_public=True,
)
