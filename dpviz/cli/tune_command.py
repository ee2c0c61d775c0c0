"""``tune``: tune the settings of a method with Optuna."""

from __future__ import annotations

import argparse
import dataclasses

from dpviz.cli import options
from dpviz.cli.output import print_json, progress
from dpviz.experiments.result_files import plain
from dpviz.text import cli as text
from dpviz.text.template import render_text
from dpviz.types import Budget

HELP = text.COMMANDS["tune"]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add data, budget and search options."""
    options.material(parser)
    options.budget(parser, "trial_budget", required=False)
    parser.add_argument(
        "--fairly",
        action="store_true",
        help=text.TUNE_HELP["fairly"],
    )
    parser.add_argument("--largest", help=text.TUNE_HELP["largest"])
    parser.add_argument("--trials", default="20", help=text.TUNE_HELP["trials"])
    parser.add_argument("--metric", default="balanced", help=text.TUNE_HELP["metric"])
    parser.add_argument("--sampler", default="tpe", help=text.TUNE_HELP["sampler"])
    parser.add_argument("--count", default="fixed", help=text.TUNE_HELP["count"])
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="NAME",
        help=text.TUNE_HELP["only"],
    )
    parser.add_argument("--seed", default="0", help=text.TUNE_HELP["seed"])
    options.wants_json(parser)


def command(args: argparse.Namespace) -> None:
    """Tune a method and print its best setting and the privacy cost."""
    from dpviz.experiments import tuning, tuning_report
    from dpviz.types.checks import DpvizError, check_whole

    if args.fairly:
        _fairly(args)
        return
    for name in ("method", "budget"):
        if getattr(args, name) is None:
            raise DpvizError(
                f"`tune` needs --{name}. Add it, or use --fairly to tune on public data."
            )
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
    from dpviz.experiments import fair_tuning
    from dpviz.types.checks import check_whole

    search = fair_tuning.FairSearch(
        **{name: getattr(args, name) for name in options.NAMES},
        methods=(args.method,) if args.method else fair_tuning.METHODS,
        largest=args.largest
        and check_whole("Largest class size", args.largest, 1, fair_tuning.MAX_RECORDS),
        delta=Budget(1.0, delta=args.delta).delta,
        seed=check_whole("Seed", args.seed, 0, 3_999),
    )
    result = fair_tuning.run(search, progress)
    if args.json:
        print_json(plain(dataclasses.asdict(result)))
        return
    features = result.features or text.TUNE["original_features"]
    print(render_text(text.TUNE["fair"], public=result.public, trials=result.trials))
    print(render_text(text.TUNE["fair_cost"], features=features))
    for tuned_method in result.tuned:
        params = " ".join(f"--param {name}={value}" for name, value in tuned_method.params)
        print(
            render_text(
                text.TUNE["fair_row"],
                method=tuned_method.key,
                settings=params or text.TUNE["defaults"],
                score=f"{tuned_method.score:.1%}",
                default=f"{tuned_method.default_score:.1%}",
            )
        )
