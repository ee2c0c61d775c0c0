"""``sweep``: run every combination that a TOML file lists."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dpviz.cli import output, public_lines
from dpviz.formatting import printable
from dpviz.machine.output_files import check_place, write
from dpviz.run import outside_results, result_files
from dpviz.types import MAX_DRAW, DpvizError, Result, RunSpec
from dpviz.types.checks import check_whole

HELP = "run every combination that a TOML file lists, and write a CSV file"
MAX_SETTINGS = 20
"""Settings whose intervals are printed."""
MAX_REASONS = 20
"""Reasons for skipped cells that are printed."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the TOML file, the CSV file and where to compute."""
    parser.add_argument("spec", type=Path, metavar="SWEEP.toml", help="TOML file of the sweep")
    parser.add_argument("--out", type=Path, required=True, help="CSV file to write")
    parser.add_argument(
        "--strict",
        action="store_true",
        help="exit with status 2 before computing if any cell is invalid (default: skip the cell)",
    )
    parser.add_argument("--name", help="title on the page Sweeps (default: name of the TOML file)")
    parser.add_argument(
        "--with",
        dest="outside",
        type=Path,
        metavar="FILE",
        help="CSV file of results from elsewhere; its rows are added and marked",
    )
    parser.add_argument(
        "--results",
        type=Path,
        metavar="FILE",
        help="also write all private results in the form that --with reads",
    )
    parser.add_argument("--owner", default="", help=argparse.SUPPRESS)  # set by the page Sweeps
    parser.add_argument(
        "--scheduler",
        help="Dask scheduler, such as tcp://10.0.0.1:8786, or local for a cluster on this machine",
    )
    parser.add_argument(
        "--draws",
        help="number of data draws, in place of the file's; prints intervals that cover them",
    )
    parser.add_argument(
        "--workers", help="worker processes of the local cluster (default: one per core)"
    )


def command(args: argparse.Namespace) -> None:
    """Run all combinations of a TOML file."""
    from dpviz.run import store_file, sweep_files

    check_place(args.out, args.spec)
    outside_file = outside_results.read(args.outside) if args.outside else None
    if args.results:
        check_place(args.results, args.spec, args.out, *filter(None, [args.outside]))
    text = sweep_files.read(args.spec)
    invalid: Counter[str] = Counter()
    draws = args.draws and check_whole("Data draws", args.draws, 1, MAX_DRAW + 1)
    specs = sweep_files.parse(
        text, printable(str(args.spec)), invalid=None if args.strict else invalid, draws=draws
    )
    names = {name for spec in specs for name in (spec.dataset, spec.public, spec.classes) if name}
    check_place(args.out, *map(Path, names))
    place = args.scheduler or (f"{args.workers} workers" if args.workers else "one process")
    with (
        store_file.waiting_longer(),
        sweep_files.watched(args.name or args.spec.stem, text, place, args.owner) as report_status,
        _batch_runner(args) as run_batches,
    ):

        def progress(stage: str, done: int, total: int) -> None:
            output.progress(stage, done, total)
            report_status(stage, done, total)

        results = _results(specs, progress, run_batches, None if args.strict else invalid)
    outside_rows = outside_results.marked(outside_file) if outside_file else []
    table = result_files.rows_as_csv(
        [result_files.row(result) for result in results]
        + [outside_results.sweep_row(row) for row in outside_rows]
    )
    write(args.out, table.encode(errors="backslashreplace"))
    if args.results:
        rows = [*outside_results.exported(results), *outside_rows]
        write(args.results, outside_results.as_csv(rows).encode(errors="backslashreplace"))
    _intervals(results)
    for line in public_lines.lines(results, output.progress):
        print(line)
    skipped = f"; {_cells(invalid.total())} skipped" if invalid else ""
    print(f"{len(results)} results in {printable(str(args.out))} ({result_files.REPLAY}){skipped}")


def _intervals(results: Sequence[Result]) -> None:
    """Print the intervals of the settings that have several data draws."""
    from dpviz.run import repeated

    groups = [
        group for group in repeated.settings(results).values() if repeated.counts(group)[0] > 1
    ]
    for group in groups[:MAX_SETTINGS]:
        print("\n".join(repeated.lines(group)))
    if len(groups) > MAX_SETTINGS:
        print(f"{len(groups) - MAX_SETTINGS:,} more settings are in the file.")


def _results(
    specs: Sequence[RunSpec], progress: Any, run_batches: Any, invalid: Counter[str] | None
) -> list[Result]:
    """Results of all valid cells; reports the others unless ``invalid`` is None."""
    from dpviz.run import experiment, sweep_files

    if invalid:
        _report(invalid)
    try:
        return experiment.sweep(specs, progress=progress, run_batches=run_batches)
    except DpvizError:
        if invalid is None:
            raise
        valid, newly_invalid = sweep_files.without_invalid(specs)
        if not newly_invalid or not valid:
            raise
        _report(newly_invalid)
        invalid.update(newly_invalid)
        return experiment.sweep(valid, progress=progress, run_batches=run_batches)


def _report(invalid: Counter[str]) -> None:
    for reason, count in invalid.most_common(MAX_REASONS):
        print(f"Skipped {_cells(count)}: {printable(reason)}", file=sys.stderr)
    if len(invalid) > MAX_REASONS:
        print(f"Skipped cells for {len(invalid) - MAX_REASONS} more reasons.", file=sys.stderr)


def _cells(count: int) -> str:
    return f"{count:,} invalid cell{'s' if count > 1 else ''}"


@contextmanager
def _batch_runner(args: argparse.Namespace) -> Iterator[Any]:
    """Yield a function that computes batches; None for this process."""
    if not (args.scheduler or args.workers):
        yield None
        return
    from dpviz.machine import threads
    from dpviz.run import cluster

    workers = threads.all_cores()
    if args.workers is not None:
        workers = check_whole("--workers", args.workers, 1, cluster.MAX_WORKERS)
    with cluster.connected(args.scheduler or cluster.LOCAL, workers) as client:
        yield cluster.batch_runner(client)
