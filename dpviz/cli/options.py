"""Options shared by several commands."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING
from typing import Any

from dpviz.text import cli as text
from dpviz.text.template import render_text
from dpviz.types import AXES, DATA_FIELDS, DELTA, Budget, DpvizError
from dpviz.types.budget import LARGEST_DELTA
from dpviz.types.checks import quoted

#: Names of the data settings.
NAMES = tuple(data_field.name for data_field in DATA_FIELDS)


def material(
    parser: argparse.ArgumentParser,
    names: Collection[str] = NAMES,
    required: Collection[str] = ("dataset",),
) -> None:
    """Add an option for each of these data settings."""
    for data_field in DATA_FIELDS:
        if data_field.name in names:
            parser.add_argument(
                f"--{data_field.name.replace('_', '-')}",
                required=data_field.name in required,
                default=None if data_field.default is MISSING else data_field.default,
                help=data_field.metadata["help"],
            )


def budget(
    parser: argparse.ArgumentParser, help_key: str = "budget", required: bool = True
) -> None:
    """Add method, budget, axis and delta.

    Args:
        help_key: of the help of the budget in ``SHARED_HELP``.
    """
    parser.add_argument("--method", required=required, help=text.SHARED_HELP["method"])
    parser.add_argument("--budget", required=required, help=text.SHARED_HELP[help_key])
    parser.add_argument(
        "--axis", default="approx", help=text.SHARED_HELP["axis"].format(axes=axis_names())
    )
    delta(parser)


def axis_names() -> str:
    """Return the keys of the budget axes, each with its title."""
    return ", ".join(f"{key}: {title}" for key, title in AXES.items())


def params(parser: argparse.ArgumentParser) -> None:
    """Add the settings of a method."""
    parser.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=text.SHARED_HELP["param"],
    )


def assigned(args: argparse.Namespace) -> tuple[tuple[str, str], ...]:
    """Return the ``--param`` settings as (name, value) pairs."""
    pairs = []
    for word in args.param:
        name, sign, value = word.partition("=")
        if not sign or not name:
            raise DpvizError(
                f"--param must be NAME=VALUE, such as --param d_min=1.3, got {quoted(word)}."
            )
        pairs.append((name, value))
    return tuple(pairs)


def delta(parser: argparse.ArgumentParser) -> None:
    """Add delta."""
    parser.add_argument(
        "--delta",
        default=DELTA,
        help=text.SHARED_HELP["delta"].format(largest=f"{LARGEST_DELTA:g}"),
    )


def wants_json(parser: argparse.ArgumentParser, help_text: str = text.JSON_HELP) -> None:
    """Add ``--json``."""
    parser.add_argument("--json", action="store_true", help=help_text)


@contextmanager
def naming_option(options: Mapping[str, str]) -> Iterator[None]:
    """Name the option at the end of an error about the range of its value.

    Args:
        options: option by the name of its value, with which the error begins.
    """
    try:
        yield
    except DpvizError as error:
        for name, option in options.items():
            if str(error).startswith(f"{name} must "):
                error.options = render_text(text.CHANGE_OPTION, option=option)
        raise


def fields(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options of ``material`` and ``budget`` as fields of a run or a search."""
    data_settings = {name: getattr(args, name) for name in NAMES}
    return data_settings | {
        "method": args.method,
        "budget": Budget(args.budget, args.axis, args.delta),
    }
