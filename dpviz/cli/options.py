"""Options that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from dataclasses import MISSING
from typing import Any

from dpviz.types import AXES, DELTA, FACTS, Budget, DpvizError

NAMES = tuple(fact.name for fact in FACTS)


def material(
    parser: argparse.ArgumentParser,
    names: Collection[str] = NAMES,
    required: Collection[str] = ("dataset",),
) -> None:
    """What is read: an option for each of these facts, with the fact's own default and words."""
    for fact in FACTS:
        if fact.name in names:
            parser.add_argument(
                f"--{fact.name.replace('_', '-')}",
                required=fact.name in required,
                default=None if fact.default is MISSING else fact.default,
                help=fact.metadata["help"],
            )


def budget(parser: argparse.ArgumentParser, of: str = "") -> None:
    """Which method, under which budget."""
    parser.add_argument("--method", required=True)
    parser.add_argument("--budget", required=True, help=f"{of}> 0, or inf for no privacy")
    axes = ", ".join(f"{key}: {text}" for key, text in AXES.items())
    parser.add_argument("--axis", default="approx", help=axes)
    delta(parser)


def params(parser: argparse.ArgumentParser) -> None:
    """The method's own settings."""
    parser.add_argument("--param", action="append", default=[], metavar="NAME=VALUE")


def assigned(args: argparse.Namespace) -> tuple[tuple[str, str], ...]:
    """The settings that ``params`` was given, by name."""
    pairs = []
    for text in args.param:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise DpvizError(
                f"--param {text!r} is not of the form NAME=VALUE, such as --param d_min=1.3."
            )
        pairs.append((name, value))
    return tuple(pairs)


def delta(parser: argparse.ArgumentParser) -> None:
    """The delta of a guarantee."""
    parser.add_argument("--delta", default=DELTA)


def wants_json(parser: argparse.ArgumentParser, text: str = "print one JSON object") -> None:
    """Whether a program reads the answer."""
    parser.add_argument("--json", action="store_true", help=text)


def fields(args: argparse.Namespace) -> dict[str, Any]:
    """What ``material`` and ``budget`` asked for, as the fields of a run or a search."""
    facts = {name: getattr(args, name) for name in NAMES}
    return facts | {"method": args.method, "budget": Budget(args.budget, args.axis, args.delta)}
