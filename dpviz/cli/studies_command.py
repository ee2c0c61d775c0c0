"""``studies``: the studies of an Optuna storage file, and their trials."""

from __future__ import annotations

import argparse
from pathlib import Path

from dpviz.text import cli
from dpviz.text import optuna_storage as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError

HELP = cli.COMMANDS["studies"]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the storage, the study and the CSV file."""
    parser.add_argument("storage", metavar="FILE", help=text.STUDIES_HELP["storage"])
    parser.add_argument("--study", metavar="NAME", help=text.STUDIES_HELP["study"])
    parser.add_argument("--out", type=Path, metavar="FILE.csv", help=text.STUDIES_HELP["out"])


def command(args: argparse.Namespace) -> None:
    """List the studies of a storage, or print or write the trials of one."""
    from dpviz.experiments import optuna_storage, result_files
    from dpviz.formatting import printable
    from dpviz.machine.output_files import check_place, write
    from dpviz.views import optuna_studies

    if args.out:
        check_place(args.out, Path(args.storage.removeprefix(optuna_storage.URL)))
    studies = optuna_storage.read(args.storage)
    if not studies:
        raise DpvizError(render_text(text.NO_STUDY, file=printable(args.storage)))
    names = [study.name for study in studies]
    if args.study is None:
        if args.out:
            raise DpvizError(render_text(text.OUT_NEEDS_STUDY, names=names))
        for study in studies:
            row = optuna_studies.study_row(study)
            fields = {key: row[text.COLUMNS[key]] for key in text.LINE_FIELDS}
            print(render_text(text.LINE, **fields))
        return
    if args.study not in names:
        raise DpvizError(render_text(text.UNKNOWN_STUDY, name=printable(args.study), names=names))
    study = studies[names.index(args.study)]
    rows = optuna_studies.trial_rows(study)
    table = result_files.rows_as_csv(rows)
    if not args.out:
        print(table, end="")
        return
    write(args.out, table.encode(errors="backslashreplace"))
    print(render_text(text.TRIALS_WRITTEN, trials=len(rows), file=printable(str(args.out))))
