"""``split``: plan a total budget over several releases of the same records."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

from dpviz.cli import options
from dpviz.cli.output import print_json
from dpviz.experiments.result_files import plain
from dpviz.formatting import budget_text, exact
from dpviz.machine.output_files import new_file
from dpviz.text import budget_split as text
from dpviz.text import cli
from dpviz.text.template import render_text
from dpviz.types import DELTA, Budget, DpvizError

HELP = cli.COMMANDS["split"]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add plans, or a total with its releases, and outputs."""
    parser.add_argument("plans", nargs="*", metavar="PLAN.toml", help=cli.SPLIT_HELP["plans"])
    parser.add_argument("--total", help=cli.SPLIT_HELP["total"])
    parser.add_argument("--axis", help=cli.SPLIT_HELP["axis"])
    parser.add_argument("--delta", help=cli.SPLIT_HELP["delta"])
    parser.add_argument(
        "--release",
        action="append",
        default=[],
        metavar="NAME=WEIGHT",
        help=cli.SPLIT_HELP["release"],
    )
    parser.add_argument(
        "--each", action="append", default=[], metavar="NAME=EPSILON", help=cli.SPLIT_HELP["each"]
    )
    parser.add_argument("--out", type=Path, metavar="PLAN.toml", help=cli.SPLIT_HELP["out"])
    options.wants_json(parser)


def command(args: argparse.Namespace) -> None:
    """Print one or more plans, and the sum of several; write one."""
    from dpviz.machine.user_files import read_text
    from dpviz.privacy import budget_split
    from dpviz.views import budget_split_page

    by_total = [v for v in (args.total, args.axis, *args.release) if v is not None]
    delta = DELTA if args.delta is None else args.delta
    ways = sum(map(bool, (args.plans, by_total, args.each)))
    if ways > 1 or (args.plans and args.delta is not None):
        raise DpvizError(text.TWO_PLANS_STATED)
    if args.out is not None and len(args.plans) > 1:
        raise DpvizError(render_text(text.OUT_OF_SEVERAL, count=len(args.plans)))
    if args.plans:
        most = budget_split.MAX_BYTES
        plans = [
            budget_split.from_toml(read_text(Path(name), most, text.FILE_KIND))
            for name in args.plans
        ]
    elif args.each:
        stated = [budget_split_page.share(words) for words in args.each]
        with options.naming_option({"Delta": "--delta"}):
            plans = [budget_split.of_epsilons(stated, delta)]
    elif args.total is None or not args.release:
        raise DpvizError(text.NO_PLAN_STATED)
    else:
        with options.naming_option({"Budget": "--total", "Delta": "--delta"}):
            total = Budget(args.total, args.axis or "approx", delta)
        plans = [
            budget_split.split(total, [budget_split_page.share(words) for words in args.release])
        ]
    deltas = {plan.total.delta for plan in plans}
    delta = min(deltas)
    together = budget_split.combined_epsilon(plans, delta)
    if args.out is not None:
        with new_file(args.out) as file:
            file.write(budget_split.to_toml(plans[0]).encode())
    if args.json:
        found = {
            "plans": [
                dataclasses.asdict(plan) | {"epsilon": plan.epsilon, "added": plan.added}
                for plan in plans
            ],
            "together": {"epsilon": together, "delta": delta},
        }
        print_json(plain(found))
        return
    for plan in plans:
        stated_total = {"budget": budget_text(plan.total, exact), "delta": exact(plan.total.delta)}
        print(render_text(text.TOTAL_LINE, rho=plan.rho, **stated_total))
        for release in plan.releases:
            print(render_text(text.RELEASE_LINE, **dataclasses.asdict(release)))
        print(render_text(text.ADDED_LINE, epsilon=plan.epsilon, added=plan.added))
    if len(plans) > 1:
        template = text.SUM_LINE if len(deltas) == 1 else text.SUM_LINE_SMALLEST
        fields = {"plans": len(plans), "epsilon": together, "delta": exact(delta)}
        print(render_text(template, **fields))
    print(text.READING_LINE)
    if args.out is not None:
        print(render_text(text.WRITTEN_LINE, path=str(args.out)))
