"""``completion``: print a script that completes commands and options in a shell."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from dpviz.text import cli as text

HELP = text.COMMANDS["completion"]
BASH = """\
_dpviz() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" command="${{COMP_WORDS[1]}}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="{commands}"
  else
    case "$command" in
{cases}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [ "${{#COMPREPLY[@]}}" -eq 0 ]; then COMPREPLY=($(compgen -f -- "$word")); fi
}}
complete -F _dpviz dpviz
"""
ZSH = "autoload -Uz bashcompinit && bashcompinit\n"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the shell."""
    parser.add_argument("shell", choices=("bash", "zsh"), help=text.COMPLETION_HELP)


def command(args: argparse.Namespace) -> None:
    """Print the script."""
    from dpviz.cli import COMMANDS, parser

    cases = "\n".join(
        f'      {name}) words="{" ".join(_words(parser(name)))}" ;;' for name in COMMANDS
    )
    print(
        (ZSH if args.shell == "zsh" else "") + BASH.format(commands=" ".join(COMMANDS), cases=cases)
    )


def _words(root: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the options and fixed values of the one command of a parser."""
    for action in root._actions:
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                for option in sub._actions:
                    if option.help != argparse.SUPPRESS:
                        yield from option.option_strings
                        yield from option.choices or ()
