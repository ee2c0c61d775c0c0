"""``tune``: tune the settings of a method with Optuna."""

from __future__ import annotations

import argparse

from dpviz.cli import options
from dpviz.cli.output import print_json, progress
from dpviz.run.result_files import plain

HELP = "tune the settings of a method with Optuna, and print the privacy cost of tuning"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add data, budget and search options."""
    options.material(parser)
    options.budget(parser, "of each trial; ")
    parser.add_argument(
        "--trials", default="20", help="number of trials, or its mean with --count (default: 20)"
    )
    parser.add_argument(
        "--metric",
        default="balanced",
        help="accuracy to maximize: balanced, overall, or minority (a private view; no selection"
        " theorem applies)",
    )
    parser.add_argument(
        "--sampler", default="tpe", help="tpe, or random, as the selection theorems require"
    )
    parser.add_argument(
        "--count",
        default="fixed",
        help="distribution of the number of trials: fixed, geometric, logarithmic or poisson",
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="NAME",
        help="setting to tune; repeat for several (default: all)",
    )
    parser.add_argument(
        "--seed", default="0", help="seed of settings, noise and number of trials, 0 to 3999"
    )
    options.wants_json(parser)


def command(args: argparse.Namespace) -> None:
    """Tune a method and print its best setting with what it cost."""
    from dpviz.run import tuning, tuning_report
    from dpviz.types.checks import check_whole

    search = tuning.Search(
        **options.fields(args),
        trials=check_whole("Trials", args.trials, 1, 10_000),
        metric=args.metric,
        seed=check_whole("Seed", args.seed, 0, 3_999),
        sampler=args.sampler,
        count=args.count,
        only=tuple(args.only),
    )
    tuned = tuning.run(search, progress)
    if args.json:
        print_json(plain(tuning_report.summary(tuned)))
    else:
        print(tuning_report.sentence(tuned))
