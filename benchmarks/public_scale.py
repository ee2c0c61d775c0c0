"""DPPL-Public's clipped scores towards ImageNet's size: dpviz's tiles beside the paper's formula in
chunked numpy.

On the CPU: 5,000 records, 100,000 public, d = 384, 10 and 100 classes, features in float16. The
formula is sum of clip(1 + x p^T, d_min, d_max) - d_min a class, in numpy, on chunks of public
records that fit in memory; both on one numeric thread a core. Peak memory is that of a process
which does nothing else.

With a GPU also: 50,000 records, 1.28 million public, d = 1280, as in the DPPL paper, which reports
5 s for 10 classes and 34 s for 100 on an A100.

    make bench BENCH=benchmarks/public_scale.py
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch
from _common import cost, package_cost, table, take_turns, verdict

from dpviz.methods.components import fused, public_scores
from dpviz.types import unit_rows

LOW, HIGH = 1.3, 1.9
N, M, D, CHUNK, SHARE, ROUNDS = 5_000, 100_000, 384, 2_000, 20, 2
PAPER = (50_000, 1_280_000, 1280)


def features(n: int, m: int, d: int, classes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Non-negative features in float16, as of a network's last ReLU; labels; a public set."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, classes, n)

    def draw(rows: int) -> np.ndarray:
        out = np.empty((rows, d), np.float16)
        for i in range(0, rows, 5_000):
            out[i : i + 5_000] = np.abs(rng.standard_normal((min(rows - i, 5_000), d), np.float32))
        return out

    return draw(n), y, draw(m)


def formula(x: np.ndarray, y: np.ndarray, classes: int, public: np.ndarray) -> np.ndarray:
    """The paper's sum, class by class, chunk by chunk."""
    rows = unit_rows(x)
    by_class = [rows[y == c] for c in range(classes)]
    out = np.empty((classes, len(public)))
    for i in range(0, len(public), CHUNK):
        columns = unit_rows(public[i : i + CHUNK]).T
        for c, of_class in enumerate(by_class):
            out[c, i : i + CHUNK] = (np.clip(1 + of_class @ columns, LOW, HIGH) - LOW).sum(
                axis=0, dtype=np.float64
            )
    return out


def on_cpu(classes: int) -> float:
    """Print the comparison; returns the ratio of CPU seconds. The formula runs on a part of the
    public set.
    """
    x, y, public = features(N, M, D, classes)
    part = public[: M // SHARE]
    ours = lambda: public_scores.clipped_sums(x, y, classes, public, LOW, HIGH)
    theirs = lambda: formula(x, y, classes, part)
    off = np.abs(ours()[:, : len(part)] - theirs()).max()
    costs = take_turns(
        {
            "dpviz, tiles": lambda: cost(ours),
            "numpy, chunks": lambda: package_cost(theirs) / (1 / SHARE),
        },
        ROUNDS,
    )
    rows = [(name, f"{c.wall:.1f}", f"{c.cpu:.1f}") for name, c in costs.items()]
    table([f"{N:,} x {M:,} x {D}, {classes} classes", "wall s", "CPU s"], rows)
    print(f"largest difference {off:.1e} of sums up to {(HIGH - LOW) * np.bincount(y).max():.0f}\n")
    return costs["numpy, chunks"].cpu / costs["dpviz, tiles"].cpu


def peak(classes: int) -> float:
    """MiB that scoring adds to the peak of a process which holds the features."""
    x, y, public = features(N, M, D, classes)
    public_scores.clipped_sums(x[:100], y[:100], classes, public[:100], LOW, HIGH)
    before = most_held()
    public_scores.clipped_sums(x, y, classes, public, LOW, HIGH)
    return most_held() - before


def most_held() -> float:
    """MiB that this process held at its peak; a child's ``ru_maxrss`` would begin with its
    parent's.
    """
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def on_gpu(classes: int) -> None:
    """Print seconds and peak memory at the paper's size."""
    x, y, public = features(*PAPER, classes)
    ends = public_scores.steps(LOW), public_scores.steps(HIGH)
    arguments = (*public_scores.sorted_by_class(x, y, classes), public, *ends)
    fused.clipped_sums(arguments[0], arguments[1], public[: fused.TILE], *ends)
    torch.cuda.reset_peak_memory_stats()
    seconds = min(cost(lambda: fused.clipped_sums(*arguments)).wall for _ in range(3))
    held = torch.cuda.max_memory_allocated() / 2**30
    size = " x ".join(f"{s:,}" for s in PAPER)
    print(
        f"{torch.cuda.get_device_name()}, CUDA {torch.version.cuda}: {size}, {classes} classes,"
        f" {held:.2f} GiB"
    )
    verdict(f"seconds, {classes} classes", seconds, 0.5, is_limit=True)


def main() -> None:
    """The comparison on the CPU, the memory, and the paper's size where there is a GPU."""
    if len(sys.argv) > 1:
        print(f"{peak(int(sys.argv[1])):.0f}")
        return
    for classes in (10, 100):
        ratio = on_cpu(classes)
        added = subprocess.run(
            [sys.executable, __file__, str(classes)], capture_output=True, text=True, check=True
        ).stdout.strip()
        bound = public_scores.bytes_needed(N, M, D, classes, os.cpu_count()) / 2**20
        print(
            f"memory: scoring added {added} MiB to its process, {bound:.0f} of it arrays at most; n"
            f" x m would be {4 * N * M / 2**20:.0f}"
        )
        verdict(f"times less CPU than the formula in chunked numpy, {classes} classes", ratio, 1)
        if fused.ready():
            on_gpu(classes)
    if not fused.ready():
        print("no GPU here: the paper's size was not measured")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
