"""Options shared by several commands."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from dataclasses import MISSING
from typing import Any

from dpviz.types import AXES, DATA_FIELDS, DELTA, Budget, DpvizError
from dpviz.types.budget import LARGEST_DELTA
from dpviz.types.checks import quoted

NAMES = tuple(fact.name for fact in DATA_FIELDS)


def material(
    parser: argparse.ArgumentParser,
    names: Collection[str] = NAMES,
    required: Collection[str] = ("dataset",),
) -> None:
    """Add an option for each of these data settings."""
    for fact in DATA_FIELDS:
        if fact.name in names:
            parser.add_argument(
                f"--{fact.name.replace('_', '-')}",
                required=fact.name in required,
                default=None if fact.default is MISSING else fact.default,
                help=fact.metadata["help"],
            )


def budget(parser: argparse.ArgumentParser, prefix: str = "", required: bool = True) -> None:
    """Add method, budget, axis and delta."""
    parser.add_argument("--method", required=required, help="method; see dpviz list methods")
    parser.add_argument(
        "--budget", required=required, help=f"{prefix}privacy budget above 0, or inf for no privacy"
    )
    axes = ", ".join(f"{key}: {text}" for key, text in AXES.items())
    parser.add_argument("--axis", default="approx", help=f"unit of the budget ({axes})")
    delta(parser)


def params(parser: argparse.ArgumentParser) -> None:
    """Add the settings of a method."""
    parser.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="setting of the method; repeat for several",
    )


def assigned(args: argparse.Namespace) -> tuple[tuple[str, str], ...]:
    """Return the ``--param`` settings as (name, value) pairs."""
    pairs = []
    for text in args.param:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise DpvizError(
                f"--param {quoted(text)} is not NAME=VALUE, such as --param d_min=1.3."
            )
        pairs.append((name, value))
    return tuple(pairs)


def delta(parser: argparse.ArgumentParser) -> None:
    """Add delta."""
    parser.add_argument(
        "--delta",
        default=DELTA,
        help=f"failure probability δ, 0 < δ <= {LARGEST_DELTA:g} (default: %(default)s)",
    )


def wants_json(parser: argparse.ArgumentParser, text: str = "print one JSON object") -> None:
    """Add ``--json``."""
    parser.add_argument("--json", action="store_true", help=text)


def fields(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options of ``material`` and ``budget`` as fields of a run or a search."""
    facts = {name: getattr(args, name) for name in NAMES}
    return facts | {"method": args.method, "budget": Budget(args.budget, args.axis, args.delta)}
