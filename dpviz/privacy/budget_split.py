"""A total budget planned over several releases of the same records.

The plan is in zCDP: rho adds up over releases, also if later ones are chosen after seeing earlier
results. Each release gets a share of the total by its weight.

Source: Bun & Steinke 2016, Lemma 2.3 (composition of zCDP).
"""

from __future__ import annotations

import decimal
import itertools
import math
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dpviz.formatting import exact
from dpviz.privacy.convert import allowed_rho, zcdp_epsilon
from dpviz.text import budget_split as text
from dpviz.text.template import render_text
from dpviz.types import DELTA, Budget, DpvizError, check_range
from dpviz.types.checks import quoted

#: Most releases of a plan, characters of a name, and bytes of a file; range of a weight.
MAX_RELEASES, MAX_NAME, MAX_BYTES = 100, 60, 100_000
WEIGHTS = 1e-6, 1e6
#: Significant digits of the rho of a release.
DIGITS = 4
#: Keys of a file, and of each release in it.
KEYS, RELEASE_KEYS = ("total", "axis", "delta", "release"), ("name", "weight", "rho")


@dataclass(frozen=True)
class Share:
    """A release of a plan.

    Attributes:
        name: 1 to ``MAX_NAME`` printable characters.
        weight: share of the total in proportion to those of the other releases, in ``WEIGHTS``.
    """

    name: str
    weight: float = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip() or not self.name.isprintable():
            raise DpvizError(render_text(text.BAD_NAME, name=quoted(self.name)))
        if len(self.name) > MAX_NAME:
            raise DpvizError(render_text(text.LONG_NAME, most=MAX_NAME, length=len(self.name)))
        what = render_text(text.WEIGHT, name=quoted(self.name))
        weight = check_range(what, self.weight, *WEIGHTS)
        object.__setattr__(self, "weight", weight)


@dataclass(frozen=True)
class PlannedRelease:
    """What one release may spend.

    Attributes:
        name: of the release.
        rho: its share of the total, rounded down to ``DIGITS`` digits, so that what is printed can
            be spent; epsilon: of it alone.
        spent: epsilon of all releases up to this one; left: rho that is left after it.
    """

    name: str
    rho: float
    epsilon: float
    spent: float
    left: float


@dataclass(frozen=True)
class BudgetSplit:
    """A plan.

    Attributes:
        total: finite budget of all releases together; all epsilons are at its delta.
        rho: total in zCDP.
        shares: as stated; releases: what each may spend, in the same order.
    """

    total: Budget
    rho: float
    shares: tuple[Share, ...]
    releases: tuple[PlannedRelease, ...]

    @property
    def epsilon(self) -> float:
        """Epsilon of all releases together."""
        return self.releases[-1].spent

    @property
    def added(self) -> float:
        """Sum of the epsilons of each release alone: what simple addition would give."""
        return math.fsum(release.epsilon for release in self.releases)


def split(total: Budget, shares: Sequence[Share]) -> BudgetSplit:
    """Return the plan of a total over releases of the same records.

    Raises:
        DpvizError: for no or too many releases, a name that is used twice, or an infinite total.
    """
    if not 1 <= len(shares) <= MAX_RELEASES:
        raise DpvizError(render_text(text.COUNT, most=MAX_RELEASES, count=len(shares)))
    names = [share.name for share in shares]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise DpvizError(render_text(text.TWICE, name=quoted(twice)))
    if not total.private:
        raise DpvizError(text.INFINITE)
    rho = allowed_rho(total)
    weights = math.fsum(share.weight for share in shares)
    each = [_rounded_down(rho * share.weight / weights) for share in shares]
    releases = []
    for share, own, spent in zip(shares, each, itertools.accumulate(each), strict=True):
        releases.append(
            PlannedRelease(
                share.name,
                own,
                zcdp_epsilon(own, total.delta),
                zcdp_epsilon(spent, total.delta),
                rho - spent,
            )
        )
    return BudgetSplit(total, rho, tuple(shares), tuple(releases))


def of_epsilons(stated: Sequence[Share], delta: float) -> BudgetSplit:
    """Return the plan of releases whose epsilons are known already. Its total is the sum of their
    rhos, rounded down to ``DIGITS`` digits.

    Args:
        stated: releases; ``weight`` of each is its epsilon at ``delta``, when released alone.

    Raises:
        DpvizError: as ``split``.
    """
    rhos = [allowed_rho(Budget(share.weight, "approx", delta)) for share in stated]
    middle = math.sqrt(min(rhos, default=1.0) * max(rhos, default=1.0))
    shares = [Share(share.name, rho / middle) for share, rho in zip(stated, rhos, strict=True)]
    return split(Budget(_rounded_down(math.fsum(rhos)), "zcdp", delta), shares)


def _rounded_down(rho: float) -> float:
    """Return rho with ``DIGITS`` digits, never more than it was."""
    place = decimal.Decimal(rho).adjusted() - DIGITS + 1
    unit = decimal.Decimal(1).scaleb(place)
    rounded = decimal.Decimal(rho).quantize(unit, rounding=decimal.ROUND_FLOOR)
    return float(rounded) if float(rounded) <= rho else float(rounded - unit)


def combined_epsilon(plans: Iterable[BudgetSplit], delta: float) -> float:
    """Return epsilon at ``delta`` of all releases of several plans for the same records.

    It holds for analysts who do not know of each other: nothing keeps their sum below one total.
    """
    spent = [release.rho for plan in plans for release in plan.releases]
    return zcdp_epsilon([*itertools.accumulate(spent)][-1], delta)


def to_toml(plan: BudgetSplit) -> str:
    """Return a plan as a file that ``from_toml`` reads."""
    total = plan.total
    lines = [f"# {text.FILE_NOTE}", f"total = {total.value!r}", f'axis = "{total.axis}"']
    lines.append(f"delta = {total.delta!r}")
    for share, release in zip(plan.shares, plan.releases, strict=True):
        name = share.name.replace("\\", "\\\\").replace('"', '\\"')
        lines += ["", "[[release]]", f'name = "{name}"', f"weight = {share.weight!r}"]
        lines.append(f"rho = {release.rho!r}")
    return "\n".join(lines) + "\n"


def from_toml(content: str) -> BudgetSplit:
    """Return the plan of a file; the ``rho`` of each release is recomputed.

    Raises:
        DpvizError: for a file that is no plan, a value out of range, or a stated ``rho`` that
            differs from the recomputed one.
    """
    if (size := len(content.encode("utf-8", "replace"))) > MAX_BYTES:
        raise DpvizError(render_text(text.LARGE_FILE, size=size, most=MAX_BYTES))
    try:
        raw = tomllib.loads(content)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise DpvizError(render_text(text.NO_TOML, reason=str(error)[:200])) from error
    rows = raw.get("release", [])
    if "total" not in raw or not isinstance(rows, list) or not all(map(_is_table, rows)):
        raise DpvizError(text.NO_PLAN)
    for known, table in ((KEYS, raw), *((RELEASE_KEYS, row) for row in rows)):
        if unknown := next((key for key in table if key not in known), None):
            fields = {"key": quoted(unknown), "known": list(known)}
            raise DpvizError(render_text(text.UNKNOWN_KEY, **fields))
    axis = raw.get("axis", "approx")
    total = Budget(raw["total"], axis if isinstance(axis, str) else "", raw.get("delta", DELTA))
    plan = split(total, [Share(row.get("name", ""), row.get("weight", 1.0)) for row in rows])
    for row, release in zip(rows, plan.releases, strict=True):
        if (stated := row.get("rho", release.rho)) != release.rho:
            fields = {"name": quoted(release.name), "stated": quoted(stated)}
            raise DpvizError(render_text(text.OTHER_RHO, rho=exact(release.rho), **fields))
    return plan


def _is_table(row: object) -> bool:
    return isinstance(row, dict)
