"""``audit --one-run``: one method audited by single releases with canaries, and by many runs."""

from __future__ import annotations

import argparse
import dataclasses
from typing import TYPE_CHECKING

from dpviz.cli.output import exit_status, print_json, progress
from dpviz.types import AXES, DELTA, Budget, DpvizError

if TYPE_CHECKING:
    from dpviz.audit.one_run import OneRunAudit

COLUMNS = ("audit", "shown ε", "shown ε if Gaussian", "claimed ε", "seconds")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which method, under which budget."""
    parser.add_argument(
        "--one-run",
        action="store_true",
        help="bounds from single releases with 10 to 3,000 canaries beside the bound from many runs"
        " of --method, with the seconds of each, instead",
    )
    parser.add_argument("--method", help="audit this method alone")
    parser.add_argument(
        "--budget", default=8, help="for --one-run and --mistake; > 0 and finite (default: 8)"
    )
    axes = ", ".join(f"{key}: {text}" for key, text in AXES.items())
    parser.add_argument("--axis", default="approx", help=f"for --one-run and --mistake; {axes}")
    parser.add_argument(
        "--delta", help=f"for --one-run and --mistake (default: {DELTA:g}), or for --epsilon"
    )


def show(args: argparse.Namespace) -> int:
    """Audit the method and print the table. Return 1 if a bound is above its claim."""
    from dpviz.audit import QUICK_RUNS, RUNS, canaries, one_run
    from dpviz.run.result_files import plain

    if args.method is None:
        designs = ", ".join(canaries.DESIGNS)
        raise DpvizError(f"--one-run is of one method; add --method and one of {designs}.")
    budget = Budget(args.budget, args.axis, DELTA if args.delta is None else args.delta)
    runs = QUICK_RUNS if args.quick else RUNS
    *_, result = one_run.audit(args.method, budget, runs=runs, progress=progress)
    progress("audited", 1, 1)
    if args.json:
        keys = {"noise_divisor": "less"}
        fields = {keys.get(k, k): value for k, value in dataclasses.asdict(result).items()}
        summary = {"shown": result.epsilon_bound, "holds": not result.caught}
        print_json(plain(fields | summary | {"wrong_with": one_run.SIGNIFICANCE}))
    else:
        _print(result)
    many = 0.0 if result.many is None else result.many.epsilon
    audited = f"{result.method}: audited ε {max(result.epsilon_bound, many):.4g} is above the claim"
    return exit_status([f"{audited} {result.claimed:.4g}"] * result.caught, 1)


def _print(result: OneRunAudit) -> None:
    print("| " + " | ".join(COLUMNS) + " |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for point in result.points:
        gaussian = "" if point.gdp is None else f"{point.gdp:.3g}"
        label = f"one run of `{result.method}`, {point.canaries:,} canaries"
        _row(label, f"{point.approx:.3g}", gaussian, result.claimed, point.seconds)
    if result.many is not None:
        label = f"{result.many.runs:,} runs on each of two neighbours"
        _row(label, f"{result.many.epsilon:.3g}", "", result.claimed, result.many.seconds)
    print(_footer(result))


def _row(label: str, epsilon: str, gaussian: str, claimed: float, seconds: float) -> None:
    print(f"| {label} | {epsilon} | {gaussian} | {claimed:.3g} | {seconds:.2f} |")


def _footer(result: OneRunAudit) -> str:
    """What the numbers are of."""
    from dpviz.audit import CONFIDENCE
    from dpviz.audit.one_run import SIGNIFICANCE

    return (
        f"ε at δ = {result.delta:g}; neighbours: {result.adjacency}. A bound of one run is wrong"
        f" with chance {SIGNIFICANCE:g}, that of many runs with {1 - CONFIDENCE:.3g}."
    )
