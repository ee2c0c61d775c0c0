"""``run``: one method, one budget, one seed."""

from __future__ import annotations

import argparse

from dpviz.cli import options
from dpviz.cli.output import print_json, progress
from dpviz.run import result_files
from dpviz.types import DpvizError, Result, RunSpec

HELP = "one method, one budget, one seed"


def add_options(parser: argparse.ArgumentParser) -> None:
    """What is run, and how its answer is printed."""
    options.material(parser)
    options.budget(parser)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--param", action="append", default=[], metavar="NAME=VALUE")
    options.wants_json(parser)


def command(args: argparse.Namespace) -> None:
    """Run one spec and print it."""
    from dpviz.methods import get
    from dpviz.run import experiment
    from dpviz.run.sweep_files import whole

    get(args.method)
    params = tuple(_assignment(text) for text in args.param)
    spec = RunSpec(**options.fields(args), params=params, seed=whole("Seed", args.seed))
    result = experiment.sweep([spec], progress=progress)[0]
    if args.json:
        print_json(result_files.as_json(result))
    else:
        print(_sentence(result))


def _assignment(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise DpvizError(
            f"--param {text!r} is not of the form NAME=VALUE, such as --param d_min=1.3."
        )
    return name, value


def _sentence(result: Result) -> str:
    s, g = result.scores, result.guarantee
    return (
        f"{result.spec.method} at {result.spec.budget}, IR {result.spec.ir:g}, seed"
        f" {result.spec.seed}: {s.balanced:.1%} balanced, {s.minority:.1%} minority (spends ε ="
        f" {g.epsilon_delta:.4g} at δ = {g.delta:g}, ρ = {g.rho:.4g}; {g.adjacency}; public:"
        f" {g.public})"
    )
