"""The same runs from a shell: ``python -m dpviz COMMAND``, one of COMMANDS.

Results go to standard output, progress and errors to standard error; bad input is one sentence and
exit status 2. What other statuses a command has, its --help says.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from types import ModuleType

from dpviz.cli import output
from dpviz.types import Cancelled, DpvizError

COMMANDS = (
    *("list", "embed", "run", "release", "audit", "attack", "pate", "sweep", "tune", "papers"),
    *("explorable", "app"),
)


class Parser(argparse.ArgumentParser):
    """argparse whose refusals are one sentence."""

    def error(self, message: str) -> None:
        """Raise instead of printing the usage."""
        raise DpvizError(f"{message[0].upper()}{message[1:]}; see python -m dpviz --help.")


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    words = sys.argv[1:] if argv is None else argv
    try:
        if any(word == "--" or word.endswith("=--") for word in words):
            raise DpvizError("-- alone is no option and no value; leave it out.")
        named = words[0] if words and words[0] in COMMANDS else None
        args = parser(named).parse_args(words)
        output.start_clock()
        status = args.command(args) or 0
    except DpvizError as error:
        output.refuse(error)
        return 2
    except (KeyboardInterrupt, Cancelled):
        print(
            "Stopped; what is done is kept, and the same command goes on from there.",
            file=sys.stderr,
        )
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        status = 0
    return status


def parser(named: str | None = None) -> Parser:
    """All commands and options, or those of the one that is named: a command waits for no imports
    but its own.
    """
    root = Parser(prog="python -m dpviz", description=__doc__.split("\n")[0])
    commands = root.add_subparsers(required=True, metavar="command", parser_class=Parser)
    for name in [named] if named else COMMANDS:
        module = _module(name)
        sub = commands.add_parser(name, help=module.HELP, description=module.HELP)
        module.add_options(sub)
        sub.set_defaults(command=module.command)
    return root


def _module(name: str) -> ModuleType:
    return import_module(f"dpviz.cli.{name}_command")
