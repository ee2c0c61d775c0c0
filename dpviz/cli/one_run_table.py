"""``audit --one-run``: audits of one method by one run with canaries, and by many runs."""

from __future__ import annotations

import argparse
import dataclasses
from typing import TYPE_CHECKING

from dpviz.cli.options import axis_names
from dpviz.cli.output import exit_status, print_json, progress
from dpviz.formatting import number_up
from dpviz.text import cli as text
from dpviz.text.template import render_text
from dpviz.types import DELTA, Budget, DpvizError

if TYPE_CHECKING:
    from dpviz.audits.one_run import OneRunAudit


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the method and its budget."""
    help_texts = text.AUDIT_HELP
    parser.add_argument("--one-run", action="store_true", help=help_texts["one_run"])
    parser.add_argument("--method", help=help_texts["method"])
    parser.add_argument("--budget", default=8, help=help_texts["budget"])
    axes = axis_names()
    parser.add_argument("--axis", default="approx", help=help_texts["axis"].format(axes=axes))
    parser.add_argument("--delta", help=help_texts["delta"].format(delta=f"{DELTA:g}"))


def show(args: argparse.Namespace) -> int:
    """Audit the method and print the table. Return 1 if a bound is above its claim."""
    from dpviz.audits import QUICK_RUNS, RUNS, canaries, one_run
    from dpviz.experiments.result_files import plain

    if args.method is None:
        designs = ", ".join(canaries.DESIGNS)
        raise DpvizError(f"--one-run needs --method. Add --method with one of {designs}.")
    budget = Budget(args.budget, args.axis, DELTA if args.delta is None else args.delta)
    runs = QUICK_RUNS if args.quick else RUNS
    *_, result = one_run.audit(args.method, budget, runs=runs, progress=progress)
    progress(text.PROGRESS["audited"], 1, 1)
    if args.json:
        keys = {"noise_divisor": "less"}
        fields = {keys.get(k, k): value for k, value in dataclasses.asdict(result).items()}
        summary = {"shown": result.epsilon_bound, "holds": not result.caught}
        print_json(plain(fields | summary | {"wrong_with": one_run.SIGNIFICANCE}))
    else:
        _print(result)
    many = 0.0 if result.many is None else result.many.epsilon
    failure = render_text(
        text.AUDIT_FAILURES["one_run"],
        method=result.method,
        audited=f"{max(result.epsilon_bound, many):.4g}",
        claimed=number_up(result.claimed),
    )
    return exit_status([failure] if result.caught else [], 1)


def _print(result: OneRunAudit) -> None:
    print("| " + " | ".join(text.ONE_RUN_COLUMNS) + " |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for point in result.points:
        gaussian = "" if point.gdp is None else f"{point.gdp:.3g}"
        label = render_text(text.ONE_RUN["one"], method=result.method, canaries=point.canaries)
        _row(label, f"{point.approx:.3g}", gaussian, result.claimed, point.seconds)
    if result.many is not None:
        label = render_text(text.ONE_RUN["many"], runs=result.many.runs)
        _row(label, f"{result.many.epsilon:.3g}", "", result.claimed, result.many.seconds)
    print(_footer(result))


def _row(label: str, epsilon: str, gaussian: str, claimed: float, seconds: float) -> None:
    print(f"| {label} | {epsilon} | {gaussian} | {number_up(claimed, 3)} | {seconds:.2f} |")


def _footer(result: OneRunAudit) -> str:
    """Return δ, neighbors and error probabilities of the bounds."""
    from dpviz.audits import CONFIDENCE
    from dpviz.audits.one_run import SIGNIFICANCE

    fields = {"delta": number_up(result.delta), "adjacency": result.adjacency}
    errors = {"one": f"{SIGNIFICANCE:g}", "many": f"{1 - CONFIDENCE:.3g}"}
    lines = (
        render_text(text.ONE_RUN["delta"], **fields),
        render_text(text.ONE_RUN["errors"], **errors),
    )
    return "\n".join(lines)
