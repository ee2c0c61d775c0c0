"""``tune``: a method's settings by Optuna."""

from __future__ import annotations

import argparse

from dpviz.cli import options
from dpviz.cli.output import print_json, progress
from dpviz.run.result_files import plain

HELP = "a method's settings by Optuna, with what the choosing costs"


def add_options(parser: argparse.ArgumentParser) -> None:
    """What is tuned, on what, and how."""
    options.material(parser)
    options.budget(parser, "of each trial: ")
    parser.add_argument("--trials", default="20", help="how many, or their mean with --count")
    parser.add_argument(
        "--metric",
        default="balanced",
        help="balanced, overall, or minority, which is a private view and has no price",
    )
    parser.add_argument(
        "--sampler", default="tpe", help="tpe, or random, which the selection theorems need"
    )
    parser.add_argument(
        "--count",
        default="fixed",
        help="fixed, geometric, logarithmic or poisson: how the number of trials is drawn",
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="NAME",
        help="a setting to move (default: all)",
    )
    parser.add_argument("--seed", default="0", help="of settings, noise and number")
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
