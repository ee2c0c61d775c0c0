"""Where lines end at the right of a chart over the budget, and where their names stand there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

LEAD, PAST = 0.06, 0.015
"""Decades that stay free before the first budget, and the share of the span past the last one."""
SHORT = 0.02
"""Share of a short span that stays free before the first budget."""


@dataclass(frozen=True)
class Scale:
    """Where the axes of a chart begin and end, in budgets and in what its lines show; ``log``: of
    the upright one.
    """

    low: float
    high: float
    floor: float
    top: float
    log: bool = False

    @property
    def edge(self) -> float:
        """The budget at the plot's right edge, past the last one drawn."""
        return self.high * (self.high / self.low) ** PAST

    @property
    def start(self) -> float:
        """The budget at the plot's left edge."""
        return self.low * 10 ** -min(LEAD, SHORT * math.log10(self.high / self.low))

    def along(self, budget: float) -> float:
        """Where between the first budget, 0, and the last one, 1, a budget stands."""
        return math.log(budget / self.low) / math.log(self.high / self.low)

    def side(self, budget: float) -> str:
        """Which way from a budget words above it stay within the plot."""
        along = self.along(budget)
        return "right" if along < 0.15 else "left" if along > 0.85 else "center"

    def share(self, height: float) -> float:
        """A height as a share of the plot's."""
        if not self.log:
            return (height - self.floor) / (self.top - self.floor)
        return math.log(max(height, self.floor) / self.floor) / math.log(self.top / self.floor)

    def at(self, share: float) -> float:
        """The height at a share of the plot's."""
        if not self.log:
            return self.floor + share * (self.top - self.floor)
        return self.floor * (self.top / self.floor) ** share


def spread_out(wanted: Sequence[float], gap: float) -> list[float]:
    """Places within 0 and 1, each as near as it can be to the one wanted and ``gap`` from the next
    (less where there is no room).
    """
    ranked = sorted(range(len(wanted)), key=lambda i: (wanted[i], -i))
    gap = min(gap, 1 / max(len(ranked) - 1, 1))
    blocks: list[list[float]] = []  # sum and number of those that stand together
    for place, i in enumerate(ranked):
        blocks.append([wanted[i] - gap * place, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] >= blocks[-1][0] / blocks[-1][1]:
            total, count = blocks.pop()
            blocks[-1] = [blocks[-1][0] + total, blocks[-1][1] + count]
    flat = [total / count for total, count in blocks for _ in range(int(count))]
    most = 1 - gap * (len(ranked) - 1)
    found = [0.0] * len(ranked)
    for place, i in enumerate(ranked):
        found[i] = min(max(flat[place], 0.0), most) + gap * place
    return found
