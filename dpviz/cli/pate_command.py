"""``pate``: privacy cost of a file of teacher votes."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from dpviz.cli import options
from dpviz.cli.output import print_json, progress
from dpviz.experiments.result_files import plain
from dpviz.text import cli as text
from dpviz.types import Budget, DpvizError, check_range
from dpviz.types.checks import check_whole

HELP = text.COMMANDS["pate"]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the votes, the noise and the output options."""
    parser.add_argument("--votes", required=True, help=text.PATE_HELP["votes"])
    parser.add_argument("--threshold", help=text.PATE_HELP["threshold"])
    parser.add_argument("--sigma1", help=text.PATE_HELP["sigma1"])
    parser.add_argument("--sigma2", required=True, help=text.PATE_HELP["sigma2"])
    parser.add_argument("--queries", help=text.PATE_HELP["queries"])
    options.delta(parser)
    parser.add_argument("--no-sanitize", action="store_true", help=text.PATE_HELP["no_sanitize"])
    options.wants_json(parser)


def command(args: argparse.Namespace) -> None:
    """Compute the privacy cost of a file of votes."""
    from dpviz.data import limits
    from dpviz.data.readers.vote_counts import read_votes
    from dpviz.privacy import vote_ledger as accounts

    if (args.threshold is None) != (args.sigma1 is None):
        raise DpvizError(
            "--threshold and --sigma1 must be used together. Give both, or neither to answer"
            " every query."
        )
    no_threshold = args.threshold is None
    setting = accounts.Setting(
        threshold=-math.inf if no_threshold else check_range("Threshold", args.threshold, 0, 1e9),
        sigma1=math.inf if no_threshold else check_range("sigma1", args.sigma1, 1e-3, 1e9),
        sigma2=check_range("sigma2", args.sigma2, 1e-3, 1e9),
        delta=Budget(1.0, delta=args.delta).delta,
    )
    queries = args.queries
    if queries is not None:
        queries = check_whole("--queries", queries, 1, limits.VOTE_QUERIES)
    votes = read_votes(args.votes, Path(args.votes).name, queries)
    account = accounts.account(
        votes,
        setting,
        not args.no_sanitize,
        lambda done, total: progress(text.PROGRESS["sanitizing"], done, total),
    )
    if args.json:
        print_json(plain(accounts.to_json(account, setting)))
    else:
        print(accounts.sentence(account, setting))
