"""Peak memory of whole runs at the papers' size: 50,000 private and 100,000 public records of 1,280
float16 features.

The features are random, which memory does not notice; accuracies would mean nothing and none is
shown. Each case is a process of its own that reads the .npz by its path, runs through
``experiment`` or ``per_instance`` as the shell does,
nothing stored, and tells the most memory it ever held: imports, the features in float32 (819 MB)
    and all.

    make bench BENCH=benchmarks/memory.py
    python benchmarks/memory.py --only dp-ls adamix
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from _common import table, verdict
from public_scale import features

N, M, D, CLASSES, TEST = 50_000, 100_000, 1280, 10, 10_000
LIMIT = 4096
WINDOW = {"d_min": 1.3, "d_max": 1.9}
CASES: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "nothing fitted": [],
    "class-mean": [("class-mean", {})],
    "dppl-mean": [("dppl-mean", {})],
    "dppl-mean, CoinPress": [("dppl-mean", {"form": "coinpress"})],
    "noisy-gd": [("noisy-gd", {})],
    "adamix": [("adamix", {})],
    "dp-ls": [("dp-ls", {})],
    "per-record losses of noisy-gd": [("noisy-gd", {})],
    "dppl-public, then dppl-publick": [("dppl-public", WINDOW), ("dppl-publick", WINDOW)],
    "per-record losses of dppl-public": [("dppl-public", WINDOW)],
}
"""Methods and settings of each case, run one after another: the second of a pair finds the scores
that the first summed.
"""


def write(path: Path) -> None:
    """The file of random features, about 410 MB."""
    x, y, public = features(N, M, D, CLASSES)
    np.savez(
        path,
        X_train=x,
        y_train=y,
        X_test=x[:TEST],
        y_test=y[:TEST],
        X_public=public,
        y_public=np.arange(M) % CLASSES,
    )


def case(label: str, path: str) -> None:
    """Run one case and print its peak in MiB."""
    from dpviz import data
    from dpviz.diagnostics import per_instance
    from dpviz.experiments import experiment
    from dpviz.types import Budget, RunSpec

    if not CASES[label]:
        data.load(path, None)
    for method, params in CASES[label]:
        spec = RunSpec(path, None, method, Budget(1.0, "zcdp"), params=tuple(params.items()))
        (
            per_instance.losses_of(spec)
            if label.startswith("per-record")
            else experiment.sweep([spec], use_store=False)
        )
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


def process(*arguments: str) -> str:
    """What this file prints when called with the arguments; its parent stays small, as a child's
    peak begins at its parent's.
    """
    return subprocess.run(
        [sys.executable, __file__, *arguments], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.strip()


def main() -> None:
    """All cases, or those named."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--only", nargs="+", choices=list(CASES), default=list(CASES), metavar="CASE"
    )
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--case", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.write:
        return write(arguments.write)
    if arguments.case:
        return case(*arguments.case)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/features.npz"
        process("--write", path)
        peaks = {}
        for label in arguments.only:
            peaks[label] = int(process("--case", label, path))
            print(f"{label}: {peaks[label]} MiB", flush=True)
    print()
    table(
        [f"{N:,} + {M:,} x {D}, float16, {os.cpu_count()} cores", "peak MiB"], list(peaks.items())
    )
    verdict("largest peak, MiB", max(peaks.values()), LIMIT, is_limit=True)


if __name__ == "__main__":
    main()
