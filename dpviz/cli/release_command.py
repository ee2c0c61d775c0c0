"""``release``: a file that may leave the room, its noise from the system's entropy."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from dpviz.cli import options
from dpviz.cli.output import print_json, progress
from dpviz.formatting import large_delta, printable
from dpviz.machine.output_files import new_file
from dpviz.types import DpvizError, RunSpec

HELP = "a file that may leave the room: noise from this machine's entropy, never from a seed"


def add_options(parser: argparse.ArgumentParser) -> None:
    """What is released, and where to."""
    options.material(parser)
    options.budget(parser)
    options.params(parser)
    parser.add_argument("--out", type=Path, required=True, help="FILE.npz, which must be new")
    parser.add_argument("--seed", help=argparse.SUPPRESS)
    options.wants_json(parser, "print the file's card as JSON")


def command(args: argparse.Namespace) -> None:
    """Draw a release, write it and say what is promised of it."""
    from dpviz import methods
    from dpviz.audit import method_checks
    from dpviz.run import experiment, release_file, result_files, units

    if args.seed is not None:
        raise DpvizError(
            "A release has no seed: whoever knows a seed knows the noise. Leave out --seed."
        )
    spec = RunSpec(**options.fields(args), params=options.assigned(args))
    plan = release_file.planned(spec)
    # the file is created before the noise is drawn: a second command spends no budget
    with new_file(args.out) as file:
        verdict = method_checks.verdict(methods.get(spec.method), progress)
        ready, card = experiment.prepared(spec), release_file.card(spec, plan, verdict)
        file.write(release_file.write(release_file.draw(ready, plan), card))
    warning = large_delta(plan.guarantee, units.protected(ready, spec.unit))
    if args.json:
        print_json(card | {result_files.PRIVATE: {"delta_above_one_in_n": bool(warning)}})
    else:
        print("\n".join([_sentence(card, args.out), *([warning] if warning else [])]))


def _sentence(card: dict[str, Any], path: Path) -> str:
    guarantee = card["guarantee"]
    word = "proved" if "proved" in guarantee else "not verified"
    proved = guarantee[word]
    lines = [
        f"{printable(str(path))}: {card['method']}, {word} ({proved['notion']}"
        f" {proved['value']:.6g}): ε ="
        f" {proved['epsilon_delta']:.4g} at δ = {proved['delta']:g}, ρ = {proved['rho']:.4g};"
        f" {guarantee['adjacency']}; {guarantee['unit']}.",
        f"Public: {guarantee['public']}. Begins {guarantee['starts']}. Defaults"
        f" {guarantee['defaults']}.",
        "Assumed:",
        *(f"- {text}" for text in guarantee["assumed"]),
    ]
    return "\n".join(lines)
