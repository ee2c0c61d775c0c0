"""``list``: print the methods, data sets or encoders."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

from dpviz.cli import options
from dpviz.cli.output import print_json
from dpviz.experiments.result_files import plain
from dpviz.text import cli as text
from dpviz.text.template import render_text
from dpviz.types import Param

HELP = text.COMMANDS["list"]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the table and the output format."""
    parser.add_argument(
        "table", choices=["methods", "datasets", "encoders"], help=text.LIST_HELP["table"]
    )
    options.wants_json(parser)


def command(args: argparse.Namespace) -> None:
    """Print one table."""
    import dpviz.methods  # noqa: F401  (loads plugins, which extend all three tables)
    from dpviz.data.source import STATES

    rows = {"methods": _methods, "datasets": _datasets, "encoders": _encoders}[args.table]()
    if args.json:
        print_json(rows)
        return
    width = max(len(row["key"]) for row in rows)
    for row in rows:
        state = row.get("state", "there")
        template = text.LIST_ROW if state == "there" else text.LIST_ROW_STATE
        fields = {"key": row["key"].ljust(width + 1), "title": row["title"]}
        print(render_text(template, **fields, state=STATES.get(state, state)))


def _methods() -> list[dict[str, Any]]:
    from dpviz.methods import METHODS

    fields = ("key", "title", "summary", "source", "private", "needs_public")
    return [
        {f: getattr(m, f) for f in fields} | {"params": [_param(p) for p in m.params]}
        for m in METHODS.values()
    ]


def _param(param: Param) -> dict[str, Any]:
    raw = dataclasses.asdict(param)
    return plain(
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
        "where": row.location(),
        "get": row.get(),
        "archives": files,
    }


def _encoders() -> list[dict[str, Any]]:
    from dpviz.encoders import ENCODERS, availability

    return [
        (_row(ENCODERS[row["key"]]) if row["key"] in ENCODERS else {}) | row
        for row in availability.known_encoders()
    ]


#: Keys of the JSON output, where they differ from the fields' names.
JSON_KEYS = {"read_names": "named"}


def _row(row: Any) -> dict[str, Any]:
    raw = {JSON_KEYS.get(f.name, f.name): getattr(row, f.name) for f in dataclasses.fields(row)}
    return {
        name: value
        for name, value in raw.items()
        if isinstance(value, str | int | float | tuple | None)
    }
