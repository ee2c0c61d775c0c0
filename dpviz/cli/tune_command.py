"""``tune``: tune the settings of a method with Optuna."""

from __future__ import annotations

import argparse
import dataclasses

from dpviz.cli import options
from dpviz.cli.output import print_json, progress
from dpviz.run.result_files import plain
from dpviz.types import Budget

HELP = "tune the settings of a method with Optuna, and print the privacy cost of tuning"

LINE = (
    "Balanced accuracy on the validation part of {public}, {trials} trials per method. Nothing"
    " private was read. Features: {features}."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add data, budget and search options."""
    options.material(parser)
    options.budget(parser, "of each trial; ", required=False)
    parser.add_argument(
        "--fairly",
        action="store_true",
        help="tune all methods, or that of --method, with equal effort on the labeled public set,"
        " at no privacy cost",
    )
    parser.add_argument(
        "--largest",
        help="with --fairly: guess of the records in the largest class"
        " (default: four times its test records)",
    )
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
    from dpviz.types.checks import DpvizError, check_whole

    if args.fairly:
        _fairly(args)
        return
    for name in ("method", "budget"):
        if getattr(args, name) is None:
            raise DpvizError(f"tune needs --{name}; or use --fairly to tune on public data.")
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


def _fairly(args: argparse.Namespace) -> None:
    """Tune methods on the labeled public set and print their best settings."""
    from dpviz.run import fair_tuning
    from dpviz.types.checks import check_whole

    search = fair_tuning.FairSearch(
        **{name: getattr(args, name) for name in options.NAMES},
        methods=(args.method,) if args.method else fair_tuning.METHODS,
        largest=args.largest
        and check_whole("Records in the largest class", args.largest, 1, fair_tuning.MAX_RECORDS),
        delta=Budget(1.0, delta=args.delta).delta,
        seed=check_whole("Seed", args.seed, 0, 3_999),
    )
    tuning = fair_tuning.run(search, progress)
    if args.json:
        print_json(plain(dataclasses.asdict(tuning)))
        return
    print(
        LINE.format(
            public=tuning.public, trials=tuning.trials, features=tuning.features or "as they come"
        )
    )
    for tuned_method in tuning.tuned:
        settings = (
            " ".join(f"--param {name}={value}" for name, value in tuned_method.params) or "defaults"
        )
        scores = (
            f"{100 * tuned_method.score:.1f}%, defaults {100 * tuned_method.default_score:.1f}%"
        )
        print(f"{tuned_method.key}: {settings} ({scores})")
