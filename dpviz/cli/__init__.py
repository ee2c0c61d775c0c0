"""Command line: ``python -m dpviz COMMAND``, one of COMMANDS.

Results go to standard output, progress and errors to standard error. Bad input gives a one-line
error and exit status 2. ``--help`` of a command lists its other exit statuses.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from dpviz import __version__
from dpviz.cli import output
from dpviz.machine import interrupts, plugin_loading
from dpviz.text import cli as text
from dpviz.types import Cancelled, DpvizError
from dpviz.types.checks import quoted

COMMANDS = (
    *("list", "embed", "run", "release", "audit", "certify", "attack", "pate", "sweep", "tune"),
    "papers",
    *("reproduce", "explorable", "app"),
)

#: Option of all commands, read before them, since plugins change their tables.
PLUGIN = "--plugin"


class Parser(argparse.ArgumentParser):
    """Argument parser with one-line errors."""

    def error(self, message: str) -> NoReturn:
        """Raise the error instead of printing the usage."""
        message = message.removeprefix("argument ")
        raise DpvizError(f"{message[0].upper()}{message[1:]}. See {self.prog} --help.")


def main(argv: list[str] | None = None) -> int:
    """Run one command and return the exit status."""
    output.prepare()
    with output.errors_optional():
        return _run(sys.argv[1:] if argv is None else argv)


def _run(words: Sequence[str]) -> int:
    try:
        with output.checked():
            _check_words(words)
            words = _without_plugins(words)
            name = words[0] if words and words[0] in COMMANDS else None
            args = parser(name).parse_args(words)
            return args.command(args) or 0
    except DpvizError as error:
        output.refuse(error)
        return 2
    except BrokenPipeError:
        return 0
    except (Exception, KeyboardInterrupt) as error:
        if not (isinstance(error, Cancelled) or interrupts.caused_by_interrupt(error)):
            raise
        exec("")  # else CPython exits with -2 after a KeyboardInterrupt inside exec()
        print(interrupts.STOP_MESSAGE, file=sys.stderr)
        return interrupts.EXIT_STATUS


def _without_plugins(words: Sequence[str]) -> list[str]:
    """Load the files of ``--plugin``, which may stand anywhere, and return the other words.

    Raises:
        DpvizError: for ``--plugin`` without a file, or a file that is no plugin.
    """
    kept, files, rest = list[str](), list[Path](), iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if name != PLUGIN:
            kept.append(word)
            continue
        path = value if equals else next(rest, "")
        if not path:
            raise DpvizError("--plugin needs the path of a Python file.")
        files.append(Path(path))
    if files:
        plugin_loading.add_files(files)
    return kept


def _check_words(words: Sequence[str]) -> None:
    """Refuse arguments that no file name and no environment variable can hold.

    Raises:
        DpvizError: for a NUL character, a character that cannot be encoded, or a bare ``--``.
    """
    for word in words:
        if word == "--" or word.endswith("=--"):
            raise DpvizError("`--` alone is not an option or a value. Remove it.")
        try:
            encoded = os.fsencode(word)
        except UnicodeEncodeError:
            encoded = b"\0"
        if b"\0" in encoded:
            raise DpvizError(
                f"The argument {quoted(word)} has a character that no file name can contain."
                " Remove it."
            )


def parser(command_name: str | None = None) -> Parser:
    """Return the parser of all commands, or of the named one, which imports only that command."""
    root = Parser(prog="python -m dpviz", description=text.PROGRAM)
    root.add_argument("--version", action="version", version=f"dpviz {__version__}")
    root.add_argument(PLUGIN, metavar="FILE", action="append", help=text.PLUGIN_HELP)
    commands = root.add_subparsers(required=True, metavar="command", parser_class=Parser)
    for name in [command_name] if command_name else COMMANDS:
        module = _module(name)
        sub = commands.add_parser(name, help=module.HELP, description=module.HELP)
        module.add_options(sub)
        sub.set_defaults(command=module.command)
    return root


def _module(name: str) -> ModuleType:
    return import_module(f"dpviz.cli.{name}_command")
