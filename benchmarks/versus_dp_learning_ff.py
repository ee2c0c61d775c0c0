"""Seconds and accuracy beside dp-learning-ff (the DPPL authors' package) and Opacus, on the same
features.

Every line is one release at one rho of zCDP, unit-norm features, cosine or linear rule scored the
same way:

- prototypes: the package's CoinPress means, on features standardised by the public set as dpviz
  does it (its start radius assumes unit variance); dpviz's CoinPress, its noisy sums, and
  DPPL-Public, which the package does not have. The package's features are made ready once and not
  timed; dpviz makes its own, and the public set's mean and spread, on the clock.
- DP-LS: the package's ``dp_least_squares`` with dpviz's noise multiplier and alpha. Its penalty has
  no default: it gets the best of several by test accuracy for each rho. dpviz is shown with its own
  default, which looks at nothing, and, for a comparison of the two solvers, with the best of the
  same penalties. The package's ``fit`` passes the seed as the noise multiplier and its
``calibrate`` reads an attribute that was never set, so the static function is called. - probe:
Opacus with full batches; other ways than ghost clipping run a share of the steps, scaled up.

The packages run one cell at a time. dpviz runs one batch of budgets x ten seeds; its
seconds are given a cell and, as "alone", for a batch of one. Ratios are of CPU seconds, one numeric
thread a call.

    make bench BENCH=benchmarks/versus_dp_learning_ff.py
    python benchmarks/versus_dp_learning_ff.py --features FILE.npz --public FILE.npz --rho 0.1
    --groups DP-LS
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import warnings
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from _common import Cost, cost, default_data, median_cost, package_cost, table, verdict
from _opacus import MODES, train
from dp_learning_ff import LeastSquaresClassifier, give_private_prototypes

from dpviz import methods
from dpviz.methods.components.prototypes import cosine_release
from dpviz.methods.dp_ls import penalty
from dpviz.methods.dppl_mean import COINPRESS_SPLIT
from dpviz.types import Budget, Dataset, Plan, Release, unit_rows

ALONE = "dpviz, DPPL-Public"
"""Shown beside the others; the package has nothing to compare it with."""
SAME = "dpviz, the same look at penalties"
PENALTIES = (0.5, 2, 8, 32)
TURNS, SHORT = 7, 1.0
"""Calls of a batch that takes less than SHORT CPU seconds; their median is reported."""
Cell = Callable[[Dataset, Plan, int], Release]
GROUPS: dict[str, tuple[str, dict[str, Any], int]] = {
    "prototypes": ("dppl-mean", {"form": "coinpress"}, 10),
    "DP-LS": ("dp-ls", {}, 3),
    "probe": ("noisy-gd", {"steps": 100}, 100),
}
"""Of each group: the dpviz method that is planned for the packages too, its params, the target."""


# ------------------------------------------------------------------------------ the packages' cells


def coinpress(data: Dataset, plan: Plan, seed: int) -> Release:
    """dp-learning-ff's private prototypes at the plan's rho."""
    np.random.seed(seed)  # the package draws from numpy's global state
    centre, spread = _public_scale(data)
    rows = _standardised(data)
    steps = [plan.guarantee.rho * share for share in COINPRESS_SPLIT]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        means = give_private_prototypes(rows, data.y, steps)
    return cosine_release(means * spread + centre)


@lru_cache(maxsize=1)
def _standardised(data: Dataset) -> np.ndarray:
    centre, spread = _public_scale(data)
    return (_unit(data) - centre) / spread


@lru_cache(maxsize=1)
def _unit(data: Dataset) -> np.ndarray:
    return unit_rows(data.x)


@lru_cache(maxsize=1)
def _public_scale(data: Dataset) -> tuple[np.ndarray | float, np.ndarray | float]:
    if data.x_public is None:
        return 0.0, 1 / math.sqrt(data.x.shape[1])
    public = unit_rows(data.x_public)
    return public.mean(axis=0), np.maximum(public.std(axis=0), 1e-6)


def least_squares(factor: float) -> Cell:
    """dp-learning-ff's DP-LS with the plan's noise and ``factor`` times its penalty."""

    def cell(data: Dataset, plan: Plan, seed: int) -> Release:
        params, ridge = plan.params, factor * penalty(plan, data.x.shape[1])
        noise = plan.events["all moments"].sigma / params["clip"] ** 2
        fit = LeastSquaresClassifier.dp_least_squares
        return _linear(
            fit(_unit(data), data.y, params["alpha"], ridge, params["clip"], noise, seed)
        )

    return cell


def opacus(mode: str, share: float = 1.0) -> Cell:
    """Opacus's probe in one of its ways, over a share of the steps."""

    def cell(data: Dataset, plan: Plan, seed: int) -> Release:
        event, params = plan.events["gradients"], plan.params
        x, y = torch.from_numpy(_unit(data)), torch.from_numpy(np.array(data.y))
        steps = max(1, round(event.times * share))
        settings = {
            "sigma": event.sigma,
            "clip": params["clip"],
            "lr": params["lr"],  # it divides by the true count, this project by a noisy one
            "steps": steps,
        }
        return _linear(train(x, y, data.classes, **settings, mode=mode, seed=seed))

    return cell


def _linear(weights: np.ndarray) -> Release:
    return Release(weights.astype(np.float32), np.zeros(len(weights), np.float32))


# ---------------------------------------------------------------------------------------- measuring


class Bench:
    """Data, budgets and seeds of one run."""

    def __init__(self, data: Dataset, budgets: list[Budget], seeds: list[int]) -> None:
        """budgets: on the zCDP axis; seeds: of the packages' cells; dpviz runs ten."""
        self.data, self.budgets, self.seeds, self.ours = data, budgets, seeds, list(range(10))

    def plans(self, key: str, params: Mapping) -> list[Plan]:
        """One plan a budget."""
        method = methods.get(key)
        return [method.plan(self.data.sizes, b, method.check(params)) for b in self.budgets]

    def right(self, release: Release) -> float:
        """Accuracy on the test set."""
        return float((release.predict(self.data.x_test) == self.data.y_test).mean())

    def dpviz(self, key: str, params: Mapping) -> tuple[Cost, Cost, list[list[float]]]:
        """Cost of a cell in the batch, cost of a cell alone, accuracies by budget."""
        fit, plans = methods.get(key).fit, self.plans(key, params)
        alone = repeated(lambda: fit(self._unseen(), plans[:1], [99]))
        kept: dict[str, Any] = {}
        batch = repeated(lambda: kept.update(fit=fit(self._unseen(), plans, self.ours)))
        accuracies = [[self.right(r) for r in row] for row in kept["fit"].releases]
        return batch / (len(plans) * len(self.ours)), alone, accuracies

    def penalised(self, key: str) -> list[list[list[float]]]:
        """Accuracies by budget and factor of PENALTIES, at the penalty that the package gets."""
        method, found = methods.get(key), []
        for budget, plan in zip(self.budgets, self.plans(key, {}), strict=True):
            whole = penalty(plan, self.data.x.shape[1]) / plan.params["clip"] ** 2
            others = [
                dict(plan.params) | {"ridge": factor * whole, "noise_ridge": 0.0}
                for factor in PENALTIES
            ]
            plans = [method.plan(self.data.sizes, budget, params) for params in others]
            found.append(
                [
                    [self.right(r) for r in row]
                    for row in method.fit(self.data, plans, self.ours).releases
                ]
            )
        return found

    def _unseen(self) -> Dataset:
        """The data under a name of its own and its public set as an array of its own, so that
        nothing kept in memory answers.
        """
        public = None if self.data.x_public is None else self.data.x_public.view()
        return dataclasses.replace(
            self.data, fingerprint=f"{np.random.default_rng().random()}", public_rows=public
        )

    def package(self, cell: Cell, plans: list[Plan]) -> tuple[Cost, list[list[float]]]:
        """Median cost of a cell, accuracies by budget."""
        costs, accuracies = [], []
        _unit(self.data), _standardised(self.data)  # made ready here, so that it is not timed
        for plan in plans:
            kept: list[Release] = []
            costs += [
                package_cost(lambda s=s, p=plan, kept=kept: kept.append(cell(self.data, p, s)))
                for s in self.seeds
            ]
            accuracies.append([self.right(r) for r in kept])
        return median_cost(costs), accuracies

    def share(self, cell: Cell, plan: Plan, share: float) -> Cost:
        """Cost of a whole cell, from a share of its steps."""
        return package_cost(lambda: cell(self.data, plan, 0)) / share


def repeated(work: Callable[[], object]) -> Cost:
    """What one call takes: the median of TURNS calls where they are short, as the package's figure
    is a median of its cells.
    """
    first = cost(work)
    return (
        first
        if first.cpu > SHORT
        else median_cost([first, *(cost(work) for _ in range(TURNS - 1))])
    )


def mean_se(values: list[float]) -> str:
    """Mean ± standard error."""
    return f"{np.mean(values):.3f} ± {np.std(values, ddof=1) / math.sqrt(len(values)):.3f}"


def below(ours: list[list[float]], theirs: list[list[float]]) -> float:
    """Largest shortfall of ours over the budgets, in standard errors of the difference."""
    gaps = []
    for a, b in zip(ours, theirs, strict=True):
        error = math.sqrt(np.var(a, ddof=1) / len(a) + np.var(b, ddof=1) / len(b))
        gaps.append(float(np.mean(b) - np.mean(a)) / max(error, 1e-3))
    return max(gaps)


# ------------------------------------------------------------------------------------------ running


def compare(bench: Bench, groups: list[str], opacus_modes: list[str], share: float) -> None:
    """Run the groups and print each one's table and verdicts."""
    for group in groups:
        key, params, target = GROUPS[group]
        plans = bench.plans(key, params)
        lines = _ours(bench, group, key, params)
        if group == "probe":
            others = {"Opacus, ghost": bench.package(opacus("ghost"), plans)}
            scaled = {
                f"Opacus, {m}": bench.share(opacus(m, share), plans[-1], share)
                for m in opacus_modes
                if m != "ghost"
            }
        else:
            cells = [coinpress] if group == "prototypes" else [least_squares(f) for f in PENALTIES]
            others, scaled = (
                {"dp-learning-ff": _best([bench.package(cell, plans) for cell in cells])},
                {},
            )
        _print(group, bench, lines, others, scaled)
        for name, (mine, _, accuracies) in lines.items():
            if name == ALONE:
                continue
            for other, (other_cost, theirs) in others.items():
                verdict(f"{name} faster than {other}", other_cost.cpu / mine.cpu, target)
                verdict(
                    f"{name}: largest shortfall in accuracy against {other}, in SE",
                    below(accuracies, theirs),
                    3,
                    is_limit=True,
                )
            for other, other_cost in scaled.items():
                verdict(f"{name} faster than {other}", other_cost.cpu / mine.cpu, target)
        if group == "DP-LS":
            _same_look(bench, key, others["dp-learning-ff"][1])
        print()


def _same_look(bench: Bench, key: str, theirs: list[list[float]]) -> None:
    """Accuracy with the best of the penalties that the package got."""
    mine = [max(choices, key=np.mean) for choices in bench.penalised(key)]
    table([SAME, *(f"ρ = {b.value:g}" for b in bench.budgets)], [["", *map(mean_se, mine)]])
    verdict(f"{SAME}: largest shortfall in accuracy, in SE", below(mine, theirs), 3, is_limit=True)


def _ours(bench: Bench, group: str, key: str, params: Mapping) -> dict[str, tuple]:
    lines = {f"dpviz, {key}": bench.dpviz(key, params)} if group != "prototypes" else {}
    if group == "prototypes":
        lines["dpviz, noisy sums"] = bench.dpviz(key, {})
        lines["dpviz, CoinPress"] = bench.dpviz(key, params)
        if bench.data.x_public is not None:
            lines[ALONE] = bench.dpviz("dppl-public", {})
    return lines


def _best(runs: list[tuple[Cost, list[list[float]]]]) -> tuple[Cost, list[list[float]]]:
    """Median cost, and for each budget the accuracies of the run that did best there."""
    accuracies = [
        max(choices, key=np.mean) for choices in zip(*(acc for _, acc in runs), strict=True)
    ]
    return median_cost([c for c, _ in runs]), accuracies


def _print(group: str, bench: Bench, lines: Mapping, others: Mapping, scaled: Mapping) -> None:
    budgets = [f"ρ = {b.value:g}" for b in bench.budgets]
    rows = [
        [name, *_two(mine), f"{alone.wall:.3f}", *map(mean_se, acc)]
        for name, (mine, alone, acc) in lines.items()
    ]
    rows += [[name, *_two(c), "", *map(mean_se, acc)] for name, (c, acc) in others.items()]
    rows += [[name, *_two(c), "", *["scaled up"] * len(budgets)] for name, c in scaled.items()]
    table([group, "wall s a cell", "CPU s a cell", "alone", *budgets], rows)


def _two(c: Cost) -> tuple[str, str]:
    return f"{c.wall:.4f}", f"{c.cpu:.4f}"


def load(features: str | None, public: str | None) -> Dataset:
    """The default data, or features (and public features) from npz files, one record a row."""
    if features is None:
        return default_data()
    with np.load(features, allow_pickle=False) as file:
        arrays = {name: file[name] for name in ("X_train", "y_train", "X_test", "y_test")}
        extra = file.get("X_public")
    if public is not None:
        with np.load(public, allow_pickle=False) as file:
            extra = file["X_public"]
    y, y_test = arrays["y_train"].astype(np.int64), arrays["y_test"].astype(np.int64)
    return Dataset(
        key="features",
        encoder=None,
        x=arrays["X_train"].astype(np.float32),
        y=y,
        x_test=arrays["X_test"].astype(np.float32),
        y_test=y_test,
        class_names=tuple(map(str, range(int(y.max()) + 1))),
        fingerprint="features",
        public_rows=None if extra is None else extra.astype(np.float32),
    )


def main() -> None:
    """Read the command line and compare."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--features", help="npz with X_train, y_train, X_test, y_test and optional X_public"
    )
    parser.add_argument("--public", help="npz with X_public")
    parser.add_argument("--rho", type=float, nargs="+", default=[0.01, 0.1, 1.0])
    parser.add_argument(
        "--seeds", type=int, default=3, help="cells of the packages a budget, at least 2"
    )
    parser.add_argument(
        "--opacus",
        nargs="*",
        default=list(MODES),
        choices=list(MODES),
        help="ways timed beside ghost clipping",
    )
    parser.add_argument("--groups", nargs="+", default=list(GROUPS), choices=list(GROUPS))
    parser.add_argument(
        "--share",
        type=float,
        default=0.1,
        help="of the steps that ways beside ghost clipping run, scaled up",
    )
    arguments = parser.parse_args()
    data = load(arguments.features, arguments.public)
    public = 0 if data.x_public is None else len(data.x_public)
    print(
        f"{len(data.x)} x {data.x.shape[1]} features, {data.classes} classes, {public} public"
        " records; mean ± SE over seeds\n"
    )
    bench = Bench(data, [Budget(r, "zcdp") for r in arguments.rho], list(range(arguments.seeds)))
    compare(bench, arguments.groups, arguments.opacus, arguments.share)


if __name__ == "__main__":
    main()
