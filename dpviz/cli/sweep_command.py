"""``sweep``: run all combinations in a TOML file."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dpviz.cli import output, public_lines
from dpviz.experiments import outside_results, result_files
from dpviz.formatting import printable
from dpviz.machine.output_files import check_place, write
from dpviz.text import cli as text
from dpviz.text.template import render_text
from dpviz.types import MAX_DRAW, DpvizError, Result, RunSpec
from dpviz.types.checks import check_whole

HELP = text.COMMANDS["sweep"]
#: Largest number of settings to print intervals of.
MAX_SETTINGS = 20
#: Largest number of reasons for skipped cells to print.
MAX_REASONS = 20


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the TOML file, the CSV file and the workers."""
    parser.add_argument("spec", type=Path, metavar="SWEEP.toml", help=text.SWEEP_HELP["spec"])
    parser.add_argument("--out", type=Path, required=True, help=text.SWEEP_HELP["out"])
    parser.add_argument(
        "--strict",
        action="store_true",
        help=text.SWEEP_HELP["strict"],
    )
    parser.add_argument("--name", help=text.SWEEP_HELP["name"])
    parser.add_argument(
        "--with",
        dest="outside",
        type=Path,
        metavar="FILE",
        help=text.SWEEP_HELP["with"],
    )
    parser.add_argument(
        "--results",
        type=Path,
        metavar="FILE",
        help=text.SWEEP_HELP["results"],
    )
    parser.add_argument("--owner", default="", help=argparse.SUPPRESS)  # set by the Sweeps page
    for name in ("scheduler", "draws", "workers"):
        parser.add_argument(f"--{name}", help=text.SWEEP_HELP[name])


def command(args: argparse.Namespace) -> None:
    """Run all combinations of a TOML file and write the CSV file."""
    from dpviz.experiments import store_file, sweep_files

    check_place(args.out, args.spec)
    outside_file = outside_results.read(args.outside) if args.outside else None
    if args.results:
        check_place(args.results, args.spec, args.out, *filter(None, [args.outside]))
    content = sweep_files.read(args.spec)
    invalid: Counter[str] = Counter()
    draws = args.draws and check_whole("Data draws", args.draws, 1, MAX_DRAW + 1)
    specs = sweep_files.parse(
        content, printable(str(args.spec)), invalid=None if args.strict else invalid, draws=draws
    )
    names = {name for spec in specs for name in (spec.dataset, spec.public, spec.classes) if name}
    check_place(args.out, *map(Path, names))
    place = args.scheduler or (f"{args.workers} workers" if args.workers else "one process")
    with (
        store_file.waiting_longer(),
        sweep_files.watched(
            args.name or args.spec.stem, content, place, args.owner
        ) as report_status,
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
    print(
        render_text(
            text.SWEEP["written_skipped" if invalid else "written"],
            results=len(results),
            file=printable(str(args.out)),
            purpose=result_files.REPLAY,
            cells=invalid.total(),
        )
    )


def _intervals(results: Sequence[Result]) -> None:
    """Print the intervals of settings with several data draws."""
    from dpviz.experiments import repeated

    groups = [
        group for group in repeated.settings(results).values() if repeated.counts(group)[0] > 1
    ]
    for group in groups[:MAX_SETTINGS]:
        print("\n".join(repeated.lines(group)))
    if len(groups) > MAX_SETTINGS:
        print(render_text(text.SWEEP["more_settings"], rest=len(groups) - MAX_SETTINGS))


def _results(
    specs: Sequence[RunSpec], progress: Any, run_batches: Any, invalid: Counter[str] | None
) -> list[Result]:
    """Return the results of all valid cells; report the others unless ``invalid`` is None."""
    from dpviz.experiments import experiment, sweep_files

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
        fields = {"cells": count, "reason": printable(reason)}
        print(render_text(text.SWEEP["skipped_reason"], **fields), file=sys.stderr)
    if len(invalid) > MAX_REASONS:
        rest = len(invalid) - MAX_REASONS
        print(render_text(text.SWEEP["more_reasons"], rest=rest), file=sys.stderr)


@contextmanager
def _batch_runner(args: argparse.Namespace) -> Iterator[Any]:
    """Yield a function that computes batches on workers, or None for this process."""
    if not (args.scheduler or args.workers):
        yield None
        return
    from dpviz.experiments import cluster
    from dpviz.machine import threads

    workers = threads.all_cores()
    if args.workers is not None:
        workers = check_whole("--workers", args.workers, 1, cluster.MAX_WORKERS)
    with cluster.connected(args.scheduler or cluster.LOCAL, workers) as client:
        yield cluster.batch_runner(client)
