"""``embed``: the features of a data set, made once and kept."""

from __future__ import annotations

import argparse
import sys

from dpviz.cli import options
from dpviz.cli.output import progress

HELP = "turn a data set's images into features, once"
REFUSALS = 20
"""Files left out that are named one by one."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which pictures, by which encoder."""
    options.material(
        parser, ("dataset", "encoder", "public", "classes"), required=("dataset", "encoder")
    )


def command(args: argparse.Namespace) -> None:
    """Fill the cache for one data set and encoder."""
    from dpviz import data
    from dpviz.data import held_aside
    from dpviz.run.result_files import PRIVATE_VIEW

    loaded = data.load(args.dataset, args.encoder, args.public, progress, args.classes)
    loaded.public_made(progress)
    row = data.source(args.dataset, args.classes) if loaded.encoder else None
    for note in row.notes if row else ():
        print(f"note: {PRIVATE_VIEW}: {note}", file=sys.stderr)
    refused = row.refused if row else ()
    for name, reason in refused[:REFUSALS]:
        print(f"left out: {name!a} {reason}", file=sys.stderr)
    if len(refused) > REFUSALS:
        print(f"left out: {len(refused) - REFUSALS} more files", file=sys.stderr)
    public = loaded.sizes.public
    print(
        f"{loaded.key} by {loaded.encoder}: {len(loaded.x)} private, {len(loaded.x_test)} test and "
        f"{public} public records of {loaded.x.shape[1]} features"
    )
    if loaded.held_aside:
        print(f"{held_aside.treated(loaded.held_aside)}.")
