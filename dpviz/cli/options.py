"""Options that several commands share."""

from __future__ import annotations

import argparse
from typing import Any

from dpviz.types import AXES, DELTA, Budget

FACTS = ("dataset", "encoder", "public", "features", "ir")


def material(parser: argparse.ArgumentParser, dataset: str, features: str) -> None:
    """What is read: data set, encoder, public set, features, imbalance."""
    parser.add_argument("--dataset", required=True, help=dataset)
    parser.add_argument("--encoder", help="an encoder; none with FILE.npz")
    parser.add_argument("--public", help="public set (default: the data set's own)")
    parser.add_argument("--features", default="", help=features)
    parser.add_argument("--ir", default=1.0, help="imbalance ratio, >= 1")


def budget(parser: argparse.ArgumentParser, of: str = "") -> None:
    """Which method, under which budget."""
    parser.add_argument("--method", required=True)
    parser.add_argument("--budget", required=True, help=f"{of}> 0, or inf for no privacy")
    axes = ", ".join(f"{key}: {text}" for key, text in AXES.items())
    parser.add_argument("--axis", default="approx", help=axes)
    delta(parser)


def delta(parser: argparse.ArgumentParser) -> None:
    """The delta of a guarantee."""
    parser.add_argument("--delta", default=DELTA)


def wants_json(parser: argparse.ArgumentParser, text: str = "print one JSON object") -> None:
    """Whether a program reads the answer."""
    parser.add_argument("--json", action="store_true", help=text)


def fields(args: argparse.Namespace) -> dict[str, Any]:
    """What ``material`` and ``budget`` asked for, as the fields of a run or a search."""
    facts = {name: getattr(args, name) for name in FACTS}
    return facts | {"method": args.method, "budget": Budget(args.budget, args.axis, args.delta)}
