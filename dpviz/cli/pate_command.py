"""``pate``: a file of teachers' votes, accounted for."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from dpviz.cli import options
from dpviz.cli.output import print_json, progress
from dpviz.run.result_files import plain
from dpviz.types import Budget, DpvizError, check_range
from dpviz.types.checks import check_whole

HELP = "what a file of teachers' votes costs under Confident-GNMax, by every way to count"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which votes, and the noise they were given."""
    parser.add_argument(
        "--votes",
        required=True,
        help="FILE.npz with one array votes: queries x classes, counts of teachers",
    )
    parser.add_argument(
        "--threshold",
        help="votes the noisy top must reach; left out with --sigma1, every query is answered",
    )
    parser.add_argument("--sigma1", help="noise of the threshold test, in votes")
    parser.add_argument("--sigma2", required=True, help="noise of the votes, in votes")
    parser.add_argument("--queries", help="ask the first N rows only")
    options.delta(parser)
    parser.add_argument(
        "--no-sanitize",
        action="store_true",
        help="leave out the sanitised epsilons, which take longest",
    )
    options.wants_json(parser)


def command(args: argparse.Namespace) -> None:
    """Account for a file of votes."""
    from dpviz.data import limits
    from dpviz.data.readers.vote_counts import read_votes
    from dpviz.privacy import vote_ledger as accounts

    if (args.threshold is None) != (args.sigma1 is None):
        raise DpvizError(
            "--threshold and --sigma1 belong together; give both, or neither to answer every query."
        )
    none = args.threshold is None
    by = accounts.Setting(
        threshold=-math.inf if none else check_range("Threshold", args.threshold, 0, 1e9),
        sigma1=math.inf if none else check_range("sigma1", args.sigma1, 1e-3, 1e9),
        sigma2=check_range("sigma2", args.sigma2, 1e-3, 1e9),
        delta=Budget(1.0, delta=args.delta).delta,
    )
    queries = args.queries
    if queries is not None:
        queries = check_whole("--queries", queries, 1, limits.VOTE_QUERIES)
    votes = read_votes(args.votes, Path(args.votes).name, queries)
    found = accounts.account(
        votes, by, not args.no_sanitize, lambda done, total: progress("sanitising", done, total)
    )
    if args.json:
        print_json(plain(accounts.to_json(found, by)))
    else:
        print(accounts.sentence(found, by))
