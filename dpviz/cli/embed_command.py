"""``embed``: compute and store the features of a data set."""

from __future__ import annotations

import argparse
import sys

from dpviz.cli import options
from dpviz.cli.output import progress
from dpviz.text import cli as text
from dpviz.text.template import render_text

HELP = text.COMMANDS["embed"]
#: Largest number of skipped files to list.
REFUSALS = 20


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add data set, encoder, public set and classes."""
    options.material(
        parser, ("dataset", "encoder", "public", "classes"), required=("dataset", "encoder")
    )


def command(args: argparse.Namespace) -> None:
    """Store the features of a data set and its public set, and print their numbers."""
    from dpviz import data
    from dpviz.data import held_aside
    from dpviz.experiments.result_files import PRIVATE_VIEW

    loaded = data.load(args.dataset, args.encoder, args.public, progress, args.classes)
    loaded.public_made(progress)
    row = data.source(args.dataset, args.classes) if loaded.encoder else None
    for note in row.notes if row else ():
        print(text.NOTE.format(text=f"{PRIVATE_VIEW}: {note}"), file=sys.stderr)
    refused = row.refused if row else ()
    for name, reason in refused[:REFUSALS]:
        print(render_text(text.EMBED["refused"], name=ascii(name), reason=reason), file=sys.stderr)
    if len(refused) > REFUSALS:
        print(
            render_text(text.EMBED["more_refused"], rest=len(refused) - REFUSALS), file=sys.stderr
        )
    print(
        render_text(
            text.EMBED["records"],
            dataset=loaded.key,
            encoder=str(loaded.encoder),
            private=len(loaded.x),
            test=len(loaded.x_test),
            public=loaded.sizes.public,
        )
    )
    print(render_text(text.EMBED["features"], features=loaded.x.shape[1]))
    if loaded.held_aside:
        print(render_text(text.EMBED["held_aside"], text=held_aside.treated(loaded.held_aside)))
