"""Estimate of the time left of long work: shown once it is steady, and never growing."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field

MIN_SECONDS, MIN_SHARE = 5.0, 0.1
"""Seconds, and share of the work, before the first estimate."""
STEADY_ESTIMATES, TOLERANCE = 3, 0.2
"""Number of estimates in a row that agree, up to this share of the time left."""
MAX_GAP = 2.0
"""Longest time without progress, in units of the longest one between recent steps."""


@dataclass
class RemainingTime:
    """Time left of one job, from its progress so far."""

    _steps: list[tuple[float, float]] = field(default_factory=list)
    _ends: list[float] = field(default_factory=list)
    _last_answer: float = math.inf

    def update(self, seconds: float, share: float) -> float | None:
        """Return the seconds left; None while the estimate is not steady or would grow.

        Args:
            seconds: since the start; share: of the work that is done.
        """
        if not self._steps:
            self._steps.append((seconds, share))
        elif share > self._steps[-1][1]:
            self._steps.append((seconds, share))
            self._ends.append(self._estimate())
        is_early = seconds - self._steps[0][0] < MIN_SECONDS or share < MIN_SHARE
        if is_early or share >= 1 or not self._is_steady(seconds):
            return None
        left = self._ends[-1] - seconds
        if left <= 0 or left > (1 + TOLERANCE) * self._last_answer:
            return None
        self._last_answer = min(left, self._last_answer)
        return self._last_answer

    def _estimate(self) -> float:
        """Return when the work ends at the rate of the later half of the time so far."""
        (start, _), (now, share) = self._steps[0], self._steps[-1]
        middle = (start + now) / 2
        before, share_before = max(step for step in self._steps if step[0] <= middle)
        return now + (1 - share) * (now - before) / (share - share_before)

    def _is_steady(self, seconds: float) -> bool:
        recent = self._ends[-STEADY_ESTIMATES:]
        if len(recent) < STEADY_ESTIMATES:
            return False
        times = [time for time, _ in self._steps[-STEADY_ESTIMATES - 1 :]]
        gaps = [later - one for one, later in itertools.pairwise(times)]
        if seconds - times[-1] > MAX_GAP * max(gaps):
            return False
        return max(recent) - min(recent) <= TOLERANCE * (recent[-1] - seconds)
