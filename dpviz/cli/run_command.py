"""``run``: run one method with one budget, on one or several noise seeds and data draws."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dpviz.cli import options, public_lines
from dpviz.cli.output import print_json, progress
from dpviz.formatting import large_delta, ratio_reached, subset
from dpviz.run import repeated, result_files
from dpviz.types import MAX_DRAW, MAX_SEED, Result, RunSpec

HELP = "run one method with one budget, on one or several noise seeds and data draws"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add data, budget, seed and output options."""
    options.material(parser)
    options.budget(parser)
    parser.add_argument("--seed", default="0", help="first noise seed (default: %(default)s)")
    parser.add_argument(
        "--seeds", default="1", help="number of noise seeds; prints an interval (default: 1)"
    )
    parser.add_argument(
        "--draws",
        default="1",
        help="number of data draws, from --draw on; the interval covers them (default: 1)",
    )
    options.params(parser)
    options.wants_json(parser)


def command(args: argparse.Namespace) -> None:
    """Run one spec, or several that differ in seed and draw, and print them."""
    from dpviz.methods import get
    from dpviz.run import experiment
    from dpviz.types.checks import check_whole

    get(args.method)
    fields = options.fields(args) | {"params": options.assigned(args)}
    first = RunSpec(**fields, seed=check_whole("Seed", args.seed, 0, MAX_SEED))
    seeds = check_whole("Seeds", args.seeds, 1, min(repeated.MAX_RUNS, MAX_SEED + 1 - first.seed))
    draws = check_whole(
        "Data draws", args.draws, 1, min(repeated.MAX_RUNS, MAX_DRAW + 1 - first.draw)
    )
    specs = [
        replace(first, draw=first.draw + draw, seed=first.seed + seed)
        for draw in range(draws)
        for seed in range(seeds)
    ]
    results = experiment.sweep(specs, progress=progress)
    for note in experiment.prepared(first).notes:
        print(f"note: {result_files.PRIVATE_VIEW}: {note}", file=sys.stderr)
    if args.json:
        is_single = len(results) == 1
        print_json(result_files.as_json(results[0]) if is_single else _summary(results))
    elif len(results) == 1:
        print(_sentence(results[0]))
    else:
        print("\n".join([_sentence(results[0]), *repeated.lines(results)]))
    if not args.json:
        for line in public_lines.lines(results, progress):
            print(line)


def _summary(results: Sequence[Result]) -> dict[str, Any]:
    """The intervals of runs that differ in seed and draw, and each run."""
    runs = [result_files.as_json(result) for result in results]
    return result_files.plain(repeated.summary(results)) | {"runs": runs}


def _sentence(result: Result) -> str:
    s, g = result.scores, result.guarantee
    minority = f"{s.minority:.1%} minority"
    if math.isnan(s.minority):
        minority = "minority not known, since no test record is of its classes"
    warning = large_delta(g, result.protected)
    steps = f" {g.schedule}" if g.schedule else ""
    of_record = "" if g.of_record is None else f" (one record of them: ε = {g.of_record:.4g})"
    return (
        f"{result.spec.method} at {result.spec.budget}, {subset(result.spec)}, seed"
        f" {result.spec.seed}: {s.balanced:.1%} balanced (spends ε ="
        f" {g.epsilon_delta:.4g} at δ = {g.delta:g}, ρ = {g.rho:.4g}; {g.adjacency};"
        f" {g.unit}{of_record};"
        f" public: {g.public}; begins {g.starts}; defaults {g.defaults}).{steps}"
        f" {result_files.REPLAY.capitalize()}."
        f" {result_files.PRIVATE_VIEW}: {minority}; {ratio_reached([result.ratio])}."
    ) + (f" {warning}" if warning else "")
