"""``release``: write a private release to a file, with noise from system entropy."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import Any

from dpviz.cli import options
from dpviz.cli.guarantee_lines import guarantee_lines
from dpviz.cli.output import print_json, progress
from dpviz.formatting import large_delta, number_up, printable
from dpviz.machine.output_files import new_file
from dpviz.text import cli as text
from dpviz.text import registry
from dpviz.text.template import render_text
from dpviz.types import DpvizError, RunSpec

HELP = text.COMMANDS["release"]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add data, budget, method settings and the output file."""
    options.material(parser)
    options.budget(parser)
    options.params(parser)
    parser.add_argument("--out", type=Path, required=True, help=text.RELEASE_HELP["out"])
    parser.add_argument("--registry", type=Path, help=text.RELEASE_HELP["registry"])
    parser.add_argument("--seed", help=argparse.SUPPRESS)
    options.wants_json(parser, text.RELEASE_HELP["json"])


def command(args: argparse.Namespace) -> None:
    """Draw a release, write its file and print its guarantee."""
    from dpviz import methods
    from dpviz.audits import method_checks
    from dpviz.experiments import (
        experiment,
        registry_card,
        registry_file,
        release_file,
        result_files,
        units,
    )

    if args.seed is not None:
        raise DpvizError(
            "A release has no seed, because a known seed reveals the noise. Remove --seed."
        )
    if args.registry is not None:
        if os.path.abspath(args.out) == os.path.abspath(args.registry):
            file_name = printable(str(args.registry))
            raise DpvizError(render_text(registry.SAME_FILE, file=file_name))
        registry_card.check_name(args.registry)
    with options.naming_option({"Budget": "--budget", "Delta": "--delta"}):
        spec = RunSpec(**options.fields(args), params=options.assigned(args))
    plan = release_file.planned(spec)
    # files are created before the noise is drawn: a second command spends no budget
    with ExitStack() as files:
        file = files.enter_context(new_file(args.out))
        draft = (
            files.enter_context(new_file(args.registry, "--registry")) if args.registry else None
        )
        verdict = method_checks.verdict(methods.get(spec.method), progress)
        ready, card = experiment.prepared(spec), release_file.card(spec, plan, verdict)
        if draft:
            entry = registry_card.release_entry(card, args.registry, date.today())
            draft.write(registry_file.write(entry).encode())
        file.write(release_file.write(release_file.draw(ready, plan), card))
    warning = large_delta(plan.guarantee, units.protected(ready, spec.unit))
    if args.json:
        print_json(card | {result_files.PRIVATE: {"delta_above_one_in_n": bool(warning)}})
    else:
        print("\n".join([*_lines(card, args.out), *([warning] if warning else [])]))
    if args.registry:
        line = registry_file.fill_in_text(entry, args.registry)
        print(line, file=sys.stderr if args.json else sys.stdout)


def _lines(card: dict[str, Any], path: Path) -> list[str]:
    guarantee = card["guarantee"]
    proved = "proved" in guarantee
    claim = guarantee["proved" if proved else "not verified"]
    return [
        render_text(
            text.RELEASE["proved" if proved else "unverified"],
            file=printable(str(path)),
            method=card["method"],
            notion=claim["notion"],
            value=number_up(claim["value"], 6),
        ),
        render_text(
            text.RELEASE["guarantee"],
            epsilon=number_up(claim["epsilon_delta"]),
            delta=number_up(claim["delta"]),
            rho=number_up(claim["rho"]),
        ),
        *guarantee_lines(guarantee),
        text.RELEASE["assumed"],
        *(render_text(text.RELEASE["assumption"], text=line) for line in guarantee["assumed"]),
    ]
