"""docs/measured/speed.md from docs/measured/speed.csv: a plot of times by target, and tables.

python -m benchmarks._speed_page
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from benchmarks import _measured, _plots

#: The command of each group.
COMMANDS = {
    "Start": "make bench BENCH=benchmarks/first_chart.py",
    "Seen move": "make bench BENCH=benchmarks/page_moves.py",
    "Seen move in a tab": "make bench BENCH=benchmarks/page_moves.py",
    "New imbalance ratio": "make bench BENCH=benchmarks/new_moves.py",
    "Random walk": "make bench BENCH=benchmarks/random_walks.py",
    "Dragged budget": "make bench BENCH=benchmarks/drag_frames.py",
    "Image map": "make bench BENCH=benchmarks/image_map_frames.py",
    "Class of 30": "make bench BENCH=benchmarks/room.py",
    "Attack": "make bench BENCH=benchmarks/shadow_fits.py",
    "Faster than published code": (
        'make bench BENCH="benchmarks/versus_dp_learning_ff.py benchmarks/probe_vs_opacus.py'
        ' benchmarks/public_vs_loop.py benchmarks/cluster.py"'
    ),
    "Peak memory": "make bench BENCH=benchmarks/memory.py",
}
AT_LEAST = ("×", "%")
"""Units of metrics whose targets are lower limits."""
COLUMNS = ("metric", "target", "median", "p95", "baseline", "commit")


def value(row: Any) -> float:
    """Return the number that the target limits: the 95th percentile if it was measured."""
    return float(row.median if pd.isna(row.p95) else row.p95)


def missed(row: Any) -> bool:
    """Return whether a metric has a target and misses it."""
    if pd.isna(row.target):
        return False
    is_below = value(row) < row.target
    return is_below if row.unit in AT_LEAST else value(row) > row.target


def tables(rows: pd.DataFrame) -> str:
    """Return a section per group with its command and its table."""
    parts = []
    for group, part in rows.groupby("group", sort=False):
        lines = [f"## {group}", "", "```", COMMANDS[str(group)], "```", ""]
        lines += ["| " + " | ".join(COLUMNS) + " |", "| --- |" + " ---: |" * (len(COLUMNS) - 1)]
        lines += [_line(row) for row in part.itertuples()]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _line(row: Any) -> str:
    unit = row.unit if row.unit == "%" else f" {row.unit}"
    numbers = [
        "–" if pd.isna(number) else f"{number:,g}{unit}"
        for number in (row.target, row.median, row.p95, row.baseline)
    ]
    if missed(row):
        numbers[0] += " (missed)"
    return "| " + " | ".join([row.metric, *numbers, f"`{row.commit}`"]) + " |"


def finding(rows: Iterable[Any]) -> str:
    """Return two sentences: how many targets are met, and which groups miss some."""
    with_target = [row for row in rows if not pd.isna(row.target)]
    failed = [row for row in with_target if missed(row)]
    groups = ", ".join(dict.fromkeys(row.group for row in failed))
    return (
        f"**{len(with_target) - len(failed)} of {len(with_target)} targets are met. Misses are in:"
        f" {groups}.**"
    )


def main() -> None:
    """Write the page and its plot."""
    rows = pd.read_csv(_measured.MEASURED / "speed.csv")
    each = list(rows.itertuples())
    slowest: dict[str, Any] = {}
    for row in (row for row in each if row.unit in ("ms", "s") and not pd.isna(row.target)):
        old = slowest.get(row.group, row)
        slowest[row.group] = max(old, row, key=lambda timed: value(timed) / timed.target)
    _plots.dots(
        "speed",
        [f"{group}: {row.metric}" for group, row in slowest.items()],
        {"time": [value(row) / row.target for row in slowest.values()]},
        "time relative to its target, slowest metric of each group",
        limit=1,
    )
    _measured.put_page("speed", finding(each), tables(rows))


if __name__ == "__main__":
    main()
