"""The same runs from a shell: ``python -m dpviz list|embed|run|audit|pate|sweep|tune``.

Results go to standard output, progress and errors to standard error; bad input is one sentence and
exit status 2.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dpviz.run import result_files
from dpviz.types import (
    AXES,
    DELTA,
    Budget,
    Cancelled,
    DpvizError,
    Param,
    Result,
    RunSpec,
    check_range,
)


class Parser(argparse.ArgumentParser):
    """argparse whose refusals are one sentence."""

    def error(self, message: str) -> None:
        """Raise instead of printing the usage."""
        raise DpvizError(f"{message[0].upper()}{message[1:]}; see python -m dpviz --help.")


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    try:
        args = parser().parse_args(argv)
        args.command(args)
    except DpvizError as error:
        print(error, file=sys.stderr)
        return 2
    except (KeyboardInterrupt, Cancelled):
        print(
            "Stopped; what is done is kept, and the same command goes on from there.",
            file=sys.stderr,
        )
        return 130
    except BrokenPipeError:
        sys.stderr.close()
    return 0


def parser() -> Parser:
    """All commands and options."""
    root = Parser(prog="python -m dpviz", description=__doc__.split("\n")[0])
    commands = root.add_subparsers(required=True, metavar="command", parser_class=Parser)

    def command(name: str, function, text: str) -> Parser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(command=function)
        return sub

    listing = command("list", list_table, "what there is to choose from")
    listing.add_argument("table", choices=["methods", "datasets", "encoders"])
    listing.add_argument("--json", action="store_true", help="print JSON")

    embedding = command("embed", embed, "turn a data set's images into features, once")
    embedding.add_argument(
        "--dataset", required=True, help="a data set, or a folder, .zip or .parquet of pictures"
    )
    embedding.add_argument("--encoder", required=True)
    embedding.add_argument("--public", help="public set (default: the data set's own)")

    running = command("run", run, "one method, one budget, one seed")
    running.add_argument(
        "--dataset",
        required=True,
        help=(
            "a data set, FILE.npz with features of your own, or a folder, .zip or .parquet of"
            " pictures"
        ),
    )
    running.add_argument("--encoder", help="an encoder; none with FILE.npz")
    running.add_argument("--public", help="public set (default: the data set's own)")
    running.add_argument("--method", required=True)
    running.add_argument("--budget", required=True, help="> 0, or inf for no privacy")
    running.add_argument(
        "--axis", default="approx", help=", ".join(f"{key}: {text}" for key, text in AXES.items())
    )
    running.add_argument("--delta", default=DELTA)
    running.add_argument("--ir", default=1.0, help="imbalance ratio, >= 1")
    running.add_argument("--seed", default="0")
    running.add_argument(
        "--features",
        default="",
        help="how features are prepared from public data, such as centre=yes,pca=9",
    )
    running.add_argument("--param", action="append", default=[], metavar="NAME=VALUE")
    running.add_argument("--json", action="store_true", help="print one JSON object")

    auditing = command(
        "audit",
        audit,
        "what an attacker tells from each private method's releases, against its claim",
    )
    auditing.add_argument("--quick", action="store_true", help="fewer runs")
    auditing.add_argument("--json", action="store_true", help="print JSON")

    voting = command(
        "pate",
        pate,
        "what a file of teachers' votes costs under Confident-GNMax, by every way to count",
    )
    voting.add_argument(
        "--votes",
        required=True,
        help="FILE.npz with one array votes: queries x classes, counts of teachers",
    )
    voting.add_argument(
        "--threshold",
        help="votes the noisy top must reach; left out with --sigma1, every query is answered",
    )
    voting.add_argument("--sigma1", help="noise of the threshold test, in votes")
    voting.add_argument("--sigma2", required=True, help="noise of the votes, in votes")
    voting.add_argument("--queries", help="ask the first N rows only")
    voting.add_argument("--delta", default=DELTA)
    voting.add_argument(
        "--no-sanitize",
        action="store_true",
        help="leave out the sanitised epsilons, which take longest",
    )
    voting.add_argument("--json", action="store_true", help="print one JSON object")

    sweeping = command("sweep", sweep, "every combination that a TOML file names, to a CSV file")
    sweeping.add_argument("spec", type=Path)
    sweeping.add_argument("--out", type=Path, required=True)
    sweeping.add_argument("--name", help="what the page Sweeps calls it (default: the file's name)")
    sweeping.add_argument(
        "--scheduler",
        help="a Dask scheduler, such as tcp://10.0.0.1:8786, or local: a cluster of this machine",
    )
    sweeping.add_argument(
        "--workers", help="worker processes of the local cluster (default: one a core)"
    )
    tuning = command("tune", tune, "a method's settings by Optuna, with what the choosing costs")
    tuning.add_argument(
        "--dataset", required=True, help="a data set, or FILE.npz with features of your own"
    )
    tuning.add_argument("--encoder", help="an encoder; none with FILE.npz")
    tuning.add_argument("--public", help="public set (default: the data set's own)")
    tuning.add_argument(
        "--features", default="", help="how features are prepared (default: as they come)"
    )
    tuning.add_argument("--method", required=True)
    tuning.add_argument("--budget", required=True, help="of each trial: > 0, or inf for no privacy")
    tuning.add_argument("--axis", default="approx", help="as for run")
    tuning.add_argument("--delta", default=DELTA)
    tuning.add_argument("--ir", default=1.0, help="imbalance ratio, >= 1")
    tuning.add_argument("--trials", default="20", help="how many, or their mean with --count")
    tuning.add_argument("--metric", default="balanced", help="minority, balanced or overall")
    tuning.add_argument(
        "--sampler", default="tpe", help="tpe, or random, which the selection theorems need"
    )
    tuning.add_argument(
        "--count",
        default="fixed",
        help="fixed, geometric, logarithmic or poisson: how the number of trials is drawn",
    )
    tuning.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="NAME",
        help="a setting to move (default: all)",
    )
    tuning.add_argument("--seed", default="0", help="of settings, noise and number")
    tuning.add_argument("--json", action="store_true", help="print one JSON object")
    return root


# ----------------------------------------------------------------------------------------- commands


def list_table(args: argparse.Namespace) -> None:
    """Print one of the tables."""
    rows = {"methods": _methods, "datasets": _datasets, "encoders": _encoders}[args.table]()
    if args.json:
        print(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    width = max(len(row["key"]) for row in rows)
    for row in rows:
        state = f"  ({row['state']})" if row.get("state", "there") != "there" else ""
        print(f"{row['key']:{width}}  {row['title']}{state}")


def _methods() -> list[dict[str, Any]]:
    from dpviz.methods import METHODS

    fields = ("key", "title", "summary", "source", "private", "needs_public")
    return [
        {f: getattr(m, f) for f in fields} | {"params": [_param(p) for p in m.params]}
        for m in METHODS.values()
    ]


def _param(param: Param) -> dict[str, Any]:
    raw = dataclasses.asdict(param)
    return result_files.plain(
        {name: value for name, value in raw.items() if value not in (None, ()) or name == "default"}
    )


def _datasets() -> list[dict[str, Any]]:
    from dpviz.data import DATASETS

    return [_dataset(row) for row in DATASETS.values()]


def _dataset(row: Any) -> dict[str, Any]:
    files = [dataclasses.asdict(archive) for archive in row.archives]
    return _row(row) | {
        "classes": row.classes,
        "state": row.state,
        "where": row.where(),
        "get": row.get(),
        "archives": files,
    }


def _encoders() -> list[dict[str, Any]]:
    from dpviz.encoders import CURATED, ENCODERS

    known = [_row(row) for row in ENCODERS.values()]
    fields = ("key", "title", "source", "trained_on")
    return known + [
        dict(zip(fields, (key, title, f"timm {name}", seen), strict=True))
        for key, (name, title, seen) in CURATED.items()
    ]


def _row(row: Any) -> dict[str, Any]:
    raw = {f.name: getattr(row, f.name) for f in dataclasses.fields(row)}
    return {
        name: value
        for name, value in raw.items()
        if isinstance(value, str | int | float | tuple | None)
    }


REFUSALS = 20
"""Files left out that are named one by one."""


def embed(args: argparse.Namespace) -> None:
    """Fill the cache for one data set and encoder."""
    from dpviz import data

    loaded = data.load(args.dataset, args.encoder, args.public, progress=_progress)
    refused = data.source(args.dataset).refused if loaded.encoder else ()
    for name, reason in refused[:REFUSALS]:
        print(f"left out: {name!a} {reason}", file=sys.stderr)
    if len(refused) > REFUSALS:
        print(f"left out: {len(refused) - REFUSALS} more files", file=sys.stderr)
    public = 0 if loaded.x_public is None else len(loaded.x_public)
    print(
        f"{loaded.key} by {loaded.encoder}: {len(loaded.x)} private, {len(loaded.x_test)} test and "
        f"{public} public records of {loaded.x.shape[1]} features"
    )


def run(args: argparse.Namespace) -> None:
    """Run one spec and print it."""
    from dpviz.methods import get
    from dpviz.run import experiment
    from dpviz.run.sweep_files import whole

    get(args.method)
    spec = RunSpec(
        dataset=args.dataset,
        encoder=args.encoder,
        method=args.method,
        budget=Budget(args.budget, args.axis, args.delta),
        ir=args.ir,
        params=tuple(_assignment(text) for text in args.param),
        seed=whole("Seed", args.seed),
        public=args.public,
        features=args.features,
    )
    result = experiment.sweep([spec], progress=_progress)[0]
    print(
        json.dumps(result_files.as_json(result), indent=2, ensure_ascii=False)
        if args.json
        else _sentence(result)
    )


def sweep(args: argparse.Namespace) -> None:
    """Run all combinations of a TOML file."""
    from dpviz.run import experiment, sweep_files

    if not args.out.parent.is_dir():
        raise DpvizError(
            f"There is no folder {str(args.out.parent)!r} to write {args.out.name} to; make it"
            " first."
        )
    text = sweep_files.read(args.spec)
    wanted = sweep_files.parse(text, str(args.spec))
    where = args.scheduler or (f"{args.workers} workers" if args.workers else "one process")
    with (
        sweep_files.watched(args.name or args.spec.stem, text, where) as tell,
        _spread(args) as spread,
    ):

        def progress(what: str, done: int, total: int) -> None:
            _progress(what, done, total)
            tell(what, done, total)

        results = experiment.sweep(wanted, progress=progress, spread=spread)
    args.out.write_text(result_files.as_csv(results), encoding="utf-8", newline="")
    print(f"{len(results)} results in {args.out}")


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


def tune(args: argparse.Namespace) -> None:
    """Tune a method and print its best setting with what it cost."""
    from dpviz.run import tuning
    from dpviz.run.sweep_files import whole

    search = tuning.Search(
        args.dataset,
        args.encoder,
        args.method,
        Budget(args.budget, args.axis, args.delta),
        trials=whole("Trials", args.trials),
        metric=args.metric,
        ir=args.ir,
        seed=whole("Seed", args.seed),
        public=args.public,
        features=args.features,
        sampler=args.sampler,
        count=args.count,
        only=tuple(args.only),
    )
    found = tuning.run(search, _progress)
    print(
        json.dumps(result_files.plain(tuning.summary(found)), indent=2, ensure_ascii=False)
        if args.json
        else tuning.sentence(found)
    )


def audit(args: argparse.Namespace) -> None:
    """Audit every private method and print the table."""
    from dpviz import audit as audits
    from dpviz.audit import confident_gnmax

    runs = audits.QUICK_RUNS if args.quick else audits.RUNS
    rows = [_audit_row(one) for one in confident_gnmax.audit(runs)]
    for done, found in enumerate(audits.audit_all(runs), start=1):
        rows += [_audit_row(one) for one in found]
        _progress(found[0].method, done, len(audits.private_methods()))
    if args.json:
        print(json.dumps(result_files.plain(rows), indent=2, ensure_ascii=False))
        return
    print(
        "| method | neighbours | claimed ε | audited ε | twin's ε | runs | twin caught |\n| --- |"
        " --- | ---: | ---: | ---: | ---: | --- |"
    )
    for row in rows:
        settings = "".join(f" {name}={value}" for name, value in row["params"].items())
        numbers = (
            f"{row['claimed']:.3g} | {row['audited']:.3g} | {row['twin_audited']:.3g} |"
            f" {row['runs']}"
        )
        print(
            f"| `{row['method']}`{settings} | {row['adjacency']} | {numbers} |"
            f" {'yes' if row['twin_caught'] else 'NO'} |"
        )


def _audit_row(found: Any) -> dict[str, Any]:
    return dataclasses.asdict(found) | {"holds": found.holds, "twin_caught": found.twin_caught}


def pate(args: argparse.Namespace) -> None:
    """Account for a file of votes."""
    from dpviz.data.readers.vote_counts import read_votes
    from dpviz.privacy import ledger as accounts
    from dpviz.run.sweep_files import whole

    if (args.threshold is None) != (args.sigma1 is None):
        raise DpvizError(
            "--threshold and --sigma1 belong together; give both, or neither to answer every query."
        )
    none = args.threshold is None
    by = accounts.Setting(
        threshold=-math.inf if none else check_range("Threshold", args.threshold, 0, 1e9),
        sigma1=math.inf if none else check_range("sigma1", args.sigma1, 1e-3, 1e9),
        sigma2=check_range("sigma2", args.sigma2, 1e-3, 1e9),
        delta=Budget(1.0, delta=args.delta).delta,
    )
    queries = None if args.queries is None else whole("queries", args.queries)
    votes = read_votes(args.votes, Path(args.votes).name, queries)
    found = accounts.account(
        votes, by, not args.no_sanitize, lambda done, total: _progress("sanitising", done, total)
    )
    print(
        json.dumps(result_files.plain(accounts.to_json(found, by)), indent=2, ensure_ascii=False)
        if args.json
        else accounts.sentence(found, by)
    )


# -------------------------------------------------------------------------------------------- input


def _assignment(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise DpvizError(
            f"--param {text!r} is not of the form NAME=VALUE, such as --param d_min=1.3."
        )
    return name, value


def _progress(what: str, done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(
            f"\r{what}: {done} of {total}\033[K",
            end="\n" if done >= total else "",
            file=sys.stderr,
            flush=True,
        )


def _sentence(result: Result) -> str:
    s, g = result.scores, result.guarantee
    return (
        f"{result.spec.method} at {result.spec.budget}, IR {result.spec.ir:g}, seed"
        f" {result.spec.seed}: {s.balanced:.1%} balanced, {s.minority:.1%} minority (spends ε ="
        f" {g.epsilon_delta:.4g} at δ = {g.delta:g}, ρ = {g.rho:.4g}; {g.adjacency}; public:"
        f" {g.public})"
    )
