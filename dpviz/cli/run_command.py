"""``run``: run one method at one budget, on one or several noise seeds and data draws."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dpviz.cli import options, public_lines
from dpviz.cli.guarantee_lines import guarantee_lines
from dpviz.cli.output import print_json, progress
from dpviz.experiments import repeated, result_files
from dpviz.formatting import large_delta, number_up, ratio_reached, subset
from dpviz.text import cli as text
from dpviz.text.template import render_text
from dpviz.types import MAX_DRAW, MAX_SEED, Result, RunSpec

HELP = text.COMMANDS["run"]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add data, budget, seed and output options."""
    options.material(parser)
    options.budget(parser)
    parser.add_argument("--seed", default="0", help=text.RUN_HELP["seed"])
    parser.add_argument("--seeds", default="1", help=text.RUN_HELP["seeds"])
    parser.add_argument("--draws", default="1", help=text.RUN_HELP["draws"])
    options.params(parser)
    options.wants_json(parser)


def command(args: argparse.Namespace) -> None:
    """Run one spec, or several that differ in seed and draw, and print the results."""
    from dpviz.experiments import experiment
    from dpviz.methods import get
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
        print(text.NOTE.format(text=f"{text.PRIVATE_VIEW}: {note}"), file=sys.stderr)
    if args.json:
        is_single = len(results) == 1
        print_json(result_files.as_json(results[0]) if is_single else _summary(results))
    else:
        several = repeated.lines(results) if len(results) > 1 else []
        print("\n".join([*_lines(results[0]), *several]))
    if not args.json:
        for line in public_lines.lines(results, progress):
            print(line)


def _summary(results: Sequence[Result]) -> dict[str, Any]:
    """Return the intervals of runs that differ in seed and draw, and each run."""
    runs = [result_files.as_json(result) for result in results]
    return result_files.plain(repeated.summary(results)) | {"runs": runs}


def _lines(result: Result) -> list[str]:
    """Return the result of one run, its guarantee and the private view, one fact per line."""
    spec, scores, guarantee = result.spec, result.scores, result.guarantee
    lines = [
        render_text(
            text.RUN["result"],
            method=spec.method,
            budget=str(spec.budget),
            data=subset(spec),
            seed=str(spec.seed),
            accuracy=f"{scores.balanced:.1%}",
        ),
        render_text(
            text.RUN["guarantee"],
            epsilon=number_up(guarantee.epsilon_delta),
            delta=number_up(guarantee.delta),
            rho=number_up(guarantee.rho),
        ),
    ]
    if guarantee.of_record is not None:
        lines.append(render_text(text.RUN["record"], epsilon=number_up(guarantee.of_record)))
    lines += guarantee_lines(result_files.reading_of(guarantee))
    if warning := large_delta(guarantee, result.protected):
        lines.append(warning)
    private = text.RUN["untested" if math.isnan(scores.minority) else "private"]
    minority, ratio = f"{scores.minority:.1%}", ratio_reached([result.ratio])
    return [
        *lines,
        text.REPLAY_SENTENCE,
        render_text(private, minority=minority, ratio=ratio),
    ]
