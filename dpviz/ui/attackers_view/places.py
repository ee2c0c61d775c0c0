"""Places of the Attacks page above its chart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpviz.ui.widgets.late_place import LatePlace


@dataclass(frozen=True)
class Places:
    """Where a page draws: answer, tiles, finding above the chart, progress."""

    answer: Any
    tiles: LatePlace
    finding: LatePlace
    status: Any
