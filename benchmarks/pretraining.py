"""What pretraining is worth under privacy: ScatterNet, which has learned nothing, beside encoders
that were trained on public images.

    python -m benchmarks.pretraining
    python -m benchmarks.pretraining --dataset FOLDER --encoders scatter-colour lite0-128
    python -m benchmarks.pretraining --pixels cifar10.npz --encoders scatter-colour

Balanced classes, default settings but for ``--param``. Figures are means over noise seeds with half
of their 95% interval, from seeds and test records together. ``--pixels`` names an .npz of pictures
(``x_train``, ``y_train``, ``x_test``, ``y_test``, and ``class_names`` if it has them); they are
written as PNG to a folder that is deleted at the end. What is stored is not computed again.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from benchmarks._tables import plus_minus
from dpviz.experiments import experiment
from dpviz.methods import METHODS
from dpviz.stats import accuracy
from dpviz.types import Budget, DataConfig

PROBE = "noisy-gd"
CEILINGS = ("class-mean", "logistic")


def table(
    dataset: str,
    encoders: Iterable[str],
    epsilons: Iterable[float],
    seeds: int,
    params: dict[str, Any],
) -> str:
    """A row an encoder: methods that are not private, then the private probe at each budget."""
    budgets = [Budget(epsilon) for epsilon in epsilons]
    head = ["encoder", "dimension", *CEILINGS, *(f"probe at ({b.value:g}, 1e-5)" for b in budgets)]
    lines = [f"| {' | '.join(head)} |", f"| --- |{' ---: |' * (len(head) - 1)}"]
    for encoder in encoders:
        material = DataConfig(dataset, encoder, ir=1)
        cells = [_said(material, method, Budget(math.inf), 1, {}) for method in CEILINGS]
        cells += [_said(material, PROBE, budget, seeds, params) for budget in budgets]
        spec = experiment.specs(material, PROBE, budgets[:1], [0])[0]
        data = experiment.prepared(spec)
        lines.append(f"| `{encoder}` | {data.x.shape[1]:,} | {' | '.join(cells)} |")
    count = f"{len(data.x):,} private and {len(data.x_test):,} test records"
    return "\n".join([*lines, "", f"{count}, {seeds} noise seeds."])


def _said(
    material: DataConfig, method: str, budget: Budget, seeds: int, params: dict[str, Any]
) -> str:
    wanted = experiment.specs(material, method, [budget], range(seeds), params)
    return plus_minus(accuracy(experiment.sweep(wanted, progress=_progress), "balanced"))


def _progress(stage: str, completed: int, total: int) -> None:
    print(f"\r{stage}: {completed} of {total}\033[K", end="", file=sys.stderr, flush=True)


def written(pixels: Path, home: Path) -> str:
    """The pictures of an .npz as ``<split>/<class>/<row>.png`` below a folder."""
    with np.load(pixels) as file:
        held = {name.lower(): file[name] for name in file}
    names = held.get("class_names")
    for split in ("train", "test"):
        pairs = zip(held[f"x_{split}"], held[f"y_{split}"], strict=True)
        for row, (picture, label) in enumerate(pairs):
            place = home / split / str(label if names is None else names[label])
            place.mkdir(parents=True, exist_ok=True)
            Image.fromarray(picture).save(place / f"{row:06d}.png")
    return str(home)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="What pretraining is worth under privacy.")
    parser.add_argument("--dataset", default="mnist5k", help="as in `dpviz run`")
    parser.add_argument("--pixels", type=Path, help="an .npz of pictures in place of a data set")
    parser.add_argument("--encoders", nargs="+", default=["scatter", "lite0", "glyphnet"])
    parser.add_argument("--epsilons", nargs="+", type=float, default=[1.0, 3.0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument(
        "--param", nargs="+", default=[], metavar="NAME=VALUE", help="settings of the probe"
    )
    args = parser.parse_args()
    given = {p.name: p.default for p in METHODS[PROBE].params}
    pairs = [pair.partition("=")[::2] for pair in args.param]
    params = {name: type(given[name])(value) for name, value in pairs}
    with tempfile.TemporaryDirectory() as home:
        dataset = written(args.pixels, Path(home)) if args.pixels else args.dataset
        print(table(dataset, args.encoders, args.epsilons, args.seeds, params))


if __name__ == "__main__":
    main()
