"""Command line: ``python -m dpviz COMMAND``, one of COMMANDS.

Results go to standard output, progress and errors to standard error. Bad input gives a one-line
error and exit status 2. ``--help`` of a command lists its other exit statuses.
"""

from __future__ import annotations

import argparse
import difflib
import os
import sys
import traceback
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from dpviz import __version__
from dpviz.cli import output
from dpviz.machine import interrupts, plugin_loading
from dpviz.text import cli as text
from dpviz.text.template import render_text
from dpviz.types import Cancelled, DpvizError
from dpviz.types.checks import quoted

COMMANDS = (
    *("list", "embed", "run", "release", "audit", "certify", "attack", "pate", "guarantee"),
    *("split", "sweep", "figure", "tune", "studies", "papers", "reproduce", "explorable", "app"),
    "completion",
)

#: How argparse begins a message on options that it does not know.
UNRECOGNIZED = "unrecognized arguments: "
LEVELS = {
    "-q": output.QUIET,
    "--quiet": output.QUIET,
    "-v": output.VERBOSE,
    "--verbose": output.VERBOSE,
}
#: Option of all commands, read before them, since plugins change their tables.
PLUGIN = "--plugin"


class Parser(argparse.ArgumentParser):
    """Argument parser with one-line errors."""

    def error(self, message: str) -> NoReturn:
        """Raise the error instead of printing the usage."""
        message = message.removeprefix("argument ")
        if message.startswith(UNRECOGNIZED):
            name = message.removeprefix(UNRECOGNIZED).split()[0].partition("=")[0]
            known = [option for action in self._options() for option in action.option_strings]
            fields = {"name": quoted(name), "hint": _hint(name, known), "program": self.prog}
            raise DpvizError(render_text(text.UNKNOWN_OPTION, **fields))
        raise DpvizError(f"{message[0].upper()}{message[1:]}. See {self.prog} --help.")

    def _options(self) -> list[argparse.Action]:
        """Return the options of this parser and of its commands."""
        found = list(self._actions)
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                found += [option for sub in action.choices.values() for option in sub._actions]
        return found


def _hint(name: str, known: Iterable[str]) -> str:
    """Return which known name was probably meant, as a sentence, or an empty text."""
    close = difflib.get_close_matches(name, list(known), 1)
    return render_text(text.DID_YOU_MEAN, name=close[0]) if close else ""


def main(argv: list[str] | None = None) -> int:
    """Run one command and return the exit status."""
    output.prepare()
    with output.errors_optional():
        return _run(sys.argv[1:] if argv is None else argv)


def _run(words: Sequence[str]) -> int:
    try:
        with output.checked():
            _check_words(words)
            words = _without_plugins(_without_levels(words))
            if not words:
                parser().print_help()
                return 0
            name = words[0] if words[0] in COMMANDS else None
            if name is None and not words[0].startswith("-"):
                hint = _hint(words[0], COMMANDS)
                fields = {"name": quoted(words[0]), "hint": hint, "commands": ", ".join(COMMANDS)}
                raise DpvizError(render_text(text.UNKNOWN_COMMAND, **fields))
            args = parser(name).parse_args(words)
            return args.command(args) or 0
    except DpvizError as error:
        if output.level == output.VERBOSE:
            traceback.print_exc()
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


def _without_levels(words: Sequence[str]) -> list[str]:
    """Set how much is printed by ``-q`` and ``-v``, and return the other words."""
    for word, level in LEVELS.items():
        if word in words:
            output.set_level(level)
    return [word for word in words if word not in LEVELS]


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
    is_script = Path(next(iter(sys.argv), "")).stem == "dpviz"
    root = Parser(prog="dpviz" if is_script else "python -m dpviz", description=text.PROGRAM)
    root.add_argument("--version", action="version", version=f"dpviz {__version__}")
    root.add_argument("-q", "--quiet", action="store_true", help=text.QUIET_HELP)
    root.add_argument("-v", "--verbose", action="store_true", help=text.VERBOSE_HELP)
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
