"""The whole first chart from nothing stored: how long a new visitor of a new machine waits, stage
by stage.

Runs in a process of its own with an empty cache folder: imports, drawing the public set, embedding,
fitting the methods that the page shows first at 13 budgets x 5 seeds (references once), building
the figure. CPU seconds are shown beside wall seconds, since
a busy machine stretches the latter: CPU / cores is what an idle one could reach at best.

    make bench BENCH=benchmarks/first_chart.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager

from _common import table, verdict

FIRST = ("dppl-mean", "dppl-public", "noisy-gd", "class-mean", "logistic")
stages: list[tuple[str, float, float]] = []


@contextmanager
def stage(name: str):
    """Note the wall and CPU seconds of what runs inside."""
    wall, cpu = time.perf_counter(), time.process_time()
    yield
    stages.append((name, time.perf_counter() - wall, time.process_time() - cpu))


def first_chart() -> None:
    """Everything once, in a process where nothing of dpviz has run."""
    with stage("imports"):
        from dpviz import data
        from dpviz.run import experiment
        from dpviz.types import Budget
        from dpviz.views.view import View
    view = View(
        "mnist5k",
        "glyphnet",
        ir=50.0,
        budget=Budget(1.0),
        first_seed=0,
        seeds=5,
        methods=FIRST,
    )
    with stage("pictures: private"):
        data.DATASETS[view.dataset].images()
    with stage("pictures: public, drawn"):
        data.DATASETS[data.DEFAULT_PUBLIC].images()
    with stage("embedding"):
        data.load(view.dataset, view.encoder)
    results = []
    for group in view.groups():
        with stage(f"{len(group)} cells: {group[0].method}"):
            results += experiment.sweep(group)
    with stage("figure"):
        draw(view, results)


def draw(view, results) -> None:
    """The Trade-off figure of the results, as the page builds and sends it."""
    import json

    from dpviz.plots import accuracy_by_budget

    shown = accuracy_by_budget.info(results, view.titles, "minority", view.axis, view.delta)
    figure = accuracy_by_budget.figure(shown, view.budget)
    json.dumps(figure) if isinstance(figure, dict) else figure.to_json()


def main() -> None:
    """Run ``first_chart`` in a fresh process with an empty cache, or be that process."""
    if os.environ.get("DPVIZ_FIRST_CHART") != "here":
        with tempfile.TemporaryDirectory() as folder:
            environment = os.environ | {"DPVIZ_CACHE": folder, "DPVIZ_FIRST_CHART": "here"}
            sys.exit(subprocess.run([sys.executable, __file__], env=environment).returncode)
    first_chart()
    total, cpu = (sum(column) for column in list(zip(*stages, strict=True))[1:])
    rows = [
        (name, f"{wall:.2f}", f"{busy:.2f}")
        for name, wall, busy in [*stages, ("in all", total, cpu)]
    ]
    table(["stage", "wall s", "CPU s"], rows)
    print(f"\n{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end")
    verdict("seconds to the first chart", total, 10, most=True)


if __name__ == "__main__":
    main()
