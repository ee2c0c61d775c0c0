"""``run``: run one method with one budget and one seed."""

from __future__ import annotations

import argparse
import math
import sys

from dpviz.cli import options
from dpviz.cli.output import print_json, progress
from dpviz.run import result_files
from dpviz.types import MOST_SEED, Result, RunSpec
from dpviz.words import large_delta, subset

HELP = "run one method with one budget and one seed"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add data, budget, seed and output options."""
    options.material(parser)
    options.budget(parser)
    parser.add_argument("--seed", default="0", help="noise seed (default: %(default)s)")
    options.params(parser)
    options.wants_json(parser)


def command(args: argparse.Namespace) -> None:
    """Run one spec and print it."""
    from dpviz.methods import get
    from dpviz.run import experiment
    from dpviz.types.checks import check_whole

    get(args.method)
    fields = options.fields(args) | {"params": options.assigned(args)}
    spec = RunSpec(**fields, seed=check_whole("Seed", args.seed, 0, MOST_SEED))
    result = experiment.sweep([spec], progress=progress)[0]
    for note in experiment.prepared(spec).notes:
        print(f"note: {result_files.PRIVATE_VIEW}: {note}", file=sys.stderr)
    if args.json:
        print_json(result_files.as_json(result))
    else:
        print(_sentence(result))


def _sentence(result: Result) -> str:
    s, g = result.scores, result.guarantee
    minority = f"{s.minority:.1%} minority"
    if math.isnan(s.minority):
        minority = "minority not known, since no test record is of its classes"
    above = large_delta(g, result.protected)
    of_record = "" if g.of_record is None else f" (one record of them: ε = {g.of_record:.4g})"
    return (
        f"{result.spec.method} at {result.spec.budget}, {subset(result.spec)}, seed"
        f" {result.spec.seed}: {s.balanced:.1%} balanced (spends ε ="
        f" {g.epsilon_delta:.4g} at δ = {g.delta:g}, ρ = {g.rho:.4g}; {g.adjacency};"
        f" {g.unit}{of_record};"
        f" public: {g.public}; begins {g.starts}; defaults {g.defaults})."
        f" {result_files.REPLAY.capitalize()}."
        f" {result_files.PRIVATE_VIEW}: {minority}."
    ) + (f" {above}" if above else "")
