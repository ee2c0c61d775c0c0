"""How CPU seconds and memory of each method grow with private records, dimensions, public records
and classes: a table and a chart, one fit at a time.

    make bench BENCH=benchmarks/growth.py                  print the table
    python -m benchmarks.growth --write                    put table and chart into docs/measured
    python -m benchmarks.growth --only dp-ls --axes records --most 5

Features are random, which the time of a fit hardly notices; accuracies would mean nothing and none
is shown. Each method and axis is a process of its own, on one numeric thread; a size
at which a fit would take more than MOST seconds of CPU is said not to have been tried. What a
method prepares of the data is part of its fit. Memory is the most that the process held during the
fit beyond what it held before, the data among it. The exponent is the slope between the last two
sizes: 1 is linear, below 1 a fixed part still counts.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from benchmarks._measured import MEASURED
from dpviz import methods
from dpviz.machine.threads import limited_cores, one_numeric_thread
from dpviz.types import Budget, Dataset, DpvizError, Head
from dpviz.types.line_style import line_style

USUAL = {"records": 4_000, "dimensions": 64, "public records": 10_000, "classes": 10}
AXES = {
    "records": (1_000, 10_000, 100_000, 1_000_000),
    "dimensions": (64, 256, 1_024, 2_048),
    "public records": (1_000, 10_000, 100_000, 1_000_000),
    "classes": (2, 10, 100, 1_000),
}
TEST, SOURCE_CLASSES = 1_000, 100
MOST = 100.0
"""CPU seconds of a fit beyond which a size is not tried, told from the size before as if linear."""
FLOOR = 0.02
"""Seconds below which a fit says nothing about its growth."""
LINEAR = 1.15
"""An exponent that still passes for linear."""


class Cell(NamedTuple):
    """One fit: CPU seconds and MiB beyond the data, or why there is none."""

    seconds: float = math.nan
    mib: float = math.nan
    why: str = ""


def data(sizes: dict[str, int], draw_number: int) -> Dataset:
    """Random features of these sizes, a labelled public set and an encoder's own classifier."""
    rng, d, classes = np.random.default_rng(draw_number), sizes["dimensions"], sizes["classes"]
    draw = lambda rows: np.abs(rng.standard_normal((rows, d), np.float32))
    head = Head(draw(SOURCE_CLASSES), np.zeros(SOURCE_CLASSES, np.float32))
    n, m = sizes["records"], sizes["public records"]
    return Dataset(
        "random",
        None,
        draw(n),
        np.arange(n) % classes,
        draw(TEST),
        np.arange(TEST) % classes,
        tuple(map(str, range(classes))),
        f"{draw_number} {sizes}",
        draw(m),
        np.arange(m) % classes,
        "random",
        rows=np.arange(n),
        head=lambda: head,
    )


def measured(key: str, sizes: dict[str, int], draw_number: int) -> Cell:
    """One fit of a method with its defaults."""
    method, dataset = methods.get(key), data(sizes, draw_number)
    try:
        plan = method.plan(dataset.sizes, Budget(1.0, "zcdp"), method.check({}))
    except DpvizError as error:
        return Cell(why=str(error))
    gc.collect()
    held_mib = forget_peak()
    started = time.process_time()
    with one_numeric_thread(), limited_cores(1):
        method.fit(dataset, [plan], [0])
    return Cell(time.process_time() - started, peak() - held_mib)


def forget_peak() -> float:
    """Begin a new peak of this process's memory (Linux); returns what it holds, in MiB."""
    Path("/proc/self/clear_refs").write_text("5")
    return _status("VmRSS")


def peak() -> float:
    """The most MiB held since."""
    return _status("VmHWM")


def _status(name: str) -> float:
    match = re.search(rf"^{name}:\s*(\d+)", Path("/proc/self/status").read_text(), re.MULTILINE)
    assert match
    return int(match[1]) / 1024


def along(key: str, axis: str, max_seconds: float) -> None:
    """Print the cells of a method along an axis, one a line."""
    measured(key, USUAL, 0)  # imports and first calls, on other data, so that nothing kept serves
    previous_size, seconds = 1, 0.0
    for size in AXES[axis]:
        if (expected := seconds * size / previous_size) > max_seconds:
            cell = Cell(why=f"not tried: {expected:.0f} s expected")
        else:
            cell = measured(key, USUAL | {axis: size}, 1)
        print(json.dumps(cell), flush=True)
        if cell.why:
            break
        previous_size, seconds = size, cell.seconds


def cells(key: str, axis: str, max_seconds: float) -> list[Cell]:
    """As ``along``, measured in a process of its own that finds nothing kept on disk."""
    words = [
        sys.executable,
        "-m",
        "benchmarks.growth",
        "--along",
        key,
        axis,
        "--most",
        str(max_seconds),
    ]
    with TemporaryDirectory() as empty:
        environment = os.environ | {"DPVIZ_CACHE": empty}
        ran = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False, env=environment)
    output = ran.stdout
    measured_cells = [
        Cell(*json.loads(line)) for line in output.splitlines() if line.startswith("[")
    ]
    beyond = Cell(
        why=measured_cells[-1].why
        if measured_cells and measured_cells[-1].why
        else "did not finish"
    )
    return measured_cells + [beyond] * (len(AXES[axis]) - len(measured_cells))


def exponent(axis: str, row: list[Cell]) -> float:
    """Slope of log seconds over log size between the last two sizes that say something."""
    points = [(s, c.seconds) for s, c in zip(AXES[axis], row, strict=True) if c.seconds > FLOOR]
    if len(points) < 2:
        return math.nan
    (a, first), (b, last) = points[-2:]
    return math.log(last / first) / math.log(b / a)


def shown(cell: Cell) -> str:
    """Seconds and MiB, or why not."""
    return cell.why or f"{cell.seconds:.2g} s, {max(cell.mib, 0):,.0f} MiB"


def tables(results: dict[tuple[str, str], list[Cell]]) -> str:
    """A table an axis, in Markdown."""
    text = []
    for axis in dict.fromkeys(axis for _, axis in results):
        head = ["method", *(f"{size:,}" for size in AXES[axis]), "exponent"]
        rows = [
            [f"`{key}`", *map(shown, row), _exponent_words(exponent(axis, row))]
            for (key, its), row in results.items()
            if its == axis
        ]
        lines = ["| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows]]
        usual = ", ".join(f"{size:,} {name}" for name, size in USUAL.items() if name != axis)
        text.append(f"### {axis.capitalize()}\n\nBeside {usual}.\n\n" + "\n".join(lines))
    return "\n\n".join(text)


def _exponent_words(value: float) -> str:
    if math.isnan(value):
        return "too quick to tell"
    return f"**{value:.2f}**" if value > LINEAR else f"{value:.2f}"


def answer(results: dict[tuple[str, str], list[Cell]]) -> str:
    """What the tables show, in a sentence."""
    steep = {
        f"`{key}` in {axis} ({value:.2f})"
        for (key, axis), row in results.items()
        if (value := exponent(axis, row)) > LINEAR
    }
    records = [
        value
        for (_, axis), row in results.items()
        if axis == "records" and not math.isnan(value := exponent(axis, row))
    ]
    if not records:
        return f"**Worse than linear: {', '.join(sorted(steep)) or 'none'}.**"
    summary = f"Of {len(records)} methods whose time tells, {sum(v <= LINEAR for v in records)}"
    return (
        f"**{summary} grow at most linearly in records. Worse than linear:"
        f" {', '.join(sorted(steep)) or 'none'}.**"
    )


def chart(results: dict[tuple[str, str], list[Cell]], path: Path) -> None:
    """Seconds over size, a panel an axis and a line a method."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    styles = {"solid": "-", "dash": "--", "dot": ":", "dashdot": "-."}
    axes = list(dict.fromkeys(axis for _, axis in results))
    size = (4 + 4 * len(axes), 5)
    figure, (panels,) = pyplot.subplots(1, len(axes), figsize=size, sharey=True, squeeze=False)
    for panel, axis in zip(panels, axes, strict=True):
        panel.set(xscale="log", yscale="log", xlabel=axis, title=f"against {axis}")
        panel.grid(alpha=0.3)
        for (key, its), row in results.items():
            points = [(s, c.seconds) for s, c in zip(AXES[axis], row, strict=True) if not c.why]
            if its == axis and points:
                style = line_style(key)
                panel.plot(
                    *zip(*points, strict=True),
                    color=style.colour,
                    linestyle=styles.get(style.dash, "-"),
                    marker="o",
                    markersize=3,
                    label=methods.get(key).title,
                )
    panels[0].set_ylabel("CPU seconds of a fit")
    handles, labels = panels[0].get_legend_handles_labels()
    columns = 1 + len(axes)
    figure.legend(handles, labels, loc="lower center", ncol=columns, fontsize=8, frameon=False)
    figure.tight_layout(rect=(0, 0.02 + 0.04 * -(-len(labels) // columns), 1, 1))
    figure.savefig(path, dpi=80)


def write(results: dict[tuple[str, str], list[Cell]]) -> None:
    """Replace what stands between the marks of docs/measured/growth.md, and its chart."""
    path = MEASURED / "growth.md"
    head, rest = path.read_text(encoding="utf-8").split("<!-- figures -->")
    tail = rest.split("<!-- end -->")[1]
    text = f"{answer(results)}\n\n{tables(results)}"
    whole = f"{head}<!-- figures -->\n\n{text}\n\n<!-- end -->{tail}"
    path.write_text(whole, encoding="utf-8")
    chart(results, MEASURED / "growth.png")


def main() -> None:
    """All methods along all axes, or those named."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--only", nargs="+", choices=list(methods.METHODS), metavar="METHOD")
    parser.add_argument("--axes", nargs="+", choices=list(AXES), default=list(AXES))
    parser.add_argument("--most", type=float, default=MOST, help="CPU seconds of a fit")
    parser.add_argument("--write", action="store_true", help="into docs/measured")
    parser.add_argument("--along", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.along:
        key, axis = arguments.along
        return along(key, axis, arguments.most)
    results: dict[tuple[str, str], list[Cell]] = {}
    for axis in arguments.axes:
        for key in arguments.only or list(methods.METHODS):
            results[key, axis] = cells(key, axis, arguments.most)
            print(f"{axis}, {key}: {'; '.join(map(shown, results[key, axis]))}", file=sys.stderr)
    print(f"{answer(results)}\n\n{tables(results)}")
    if arguments.write:
        write(results)


if __name__ == "__main__":
    main()
