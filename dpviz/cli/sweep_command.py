"""``sweep``: every combination that a TOML file names."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dpviz.cli import output
from dpviz.run import result_files
from dpviz.words import printable

HELP = "every combination that a TOML file names, to a CSV file"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which file, where to, and who computes."""
    parser.add_argument("spec", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", help="what the page Sweeps calls it (default: the file's name)")
    parser.add_argument("--owner", default="", help=argparse.SUPPRESS)  # given by the page Sweeps
    parser.add_argument(
        "--scheduler",
        help="a Dask scheduler, such as tcp://10.0.0.1:8786, or local: a cluster of this machine",
    )
    parser.add_argument(
        "--workers", help="worker processes of the local cluster (default: one a core)"
    )


def command(args: argparse.Namespace) -> None:
    """Run all combinations of a TOML file."""
    from dpviz.run import experiment, store_file, sweep_files

    output.check_place(args.out)
    text = sweep_files.read(args.spec)
    wanted = sweep_files.parse(text, str(args.spec))
    where = args.scheduler or (f"{args.workers} workers" if args.workers else "one process")
    with (
        store_file.waiting_longer(),
        sweep_files.watched(args.name or args.spec.stem, text, where, args.owner) as tell,
        _spread(args) as spread,
    ):

        def progress(what: str, done: int, total: int) -> None:
            output.progress(what, done, total)
            tell(what, done, total)

        results = experiment.sweep(wanted, progress=progress, spread=spread)
    output.write(args.out, result_files.as_csv(results))
    print(f"{len(results)} results in {printable(str(args.out))} ({result_files.REPLAY})")


@contextmanager
def _spread(args: argparse.Namespace) -> Iterator[Any]:
    """Where batches are computed: None is here, one after another."""
    if not (args.scheduler or args.workers):
        yield None
        return
    from dpviz.machine import threads
    from dpviz.run import cluster, sweep_files

    workers = (
        threads.all_cores() if args.workers is None else sweep_files.whole("workers", args.workers)
    )
    with cluster.connected(args.scheduler or cluster.LOCAL, workers) as client:
        yield cluster.spread(client)
