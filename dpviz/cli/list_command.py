"""``list``: print the methods, data sets, encoders or deployments."""

from __future__ import annotations

import argparse
import dataclasses
import textwrap
from pathlib import Path
from typing import Any

from dpviz.cli import options
from dpviz.cli.output import print_json
from dpviz.experiments.result_files import plain
from dpviz.formatting import printable
from dpviz.text import cli as text
from dpviz.text import registry
from dpviz.text.template import render_text
from dpviz.types import DpvizError, Param

HELP = text.COMMANDS["list"]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the table and the output format."""
    parser.add_argument(
        "table",
        choices=["methods", "datasets", "encoders", "deployments"],
        help=text.LIST_HELP["table"],
    )
    parser.add_argument("--file", type=Path, help=text.LIST_HELP["file"])
    for name, kinds in registry.KINDS.items():
        parser.add_argument(f"--{name}", choices=list(kinds), help=text.LIST_HELP[name])
    options.wants_json(parser)


def command(args: argparse.Namespace) -> None:
    """Print one table."""
    if args.table == "deployments":
        _print_deployments(args)
        return
    if extra := [name for name in ("file", *registry.KINDS) if getattr(args, name) is not None]:
        raise DpvizError(render_text(text.LIST_DEPLOYMENTS_ONLY, name=extra[0]))
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


def _print_deployments(args: argparse.Namespace) -> None:
    from dpviz.experiments import registry_file
    from dpviz.views import comparable, deployments

    entries: list[Any] = registry_file.read(args.file) if args.file else []
    pairs: list[tuple[Any, Any]]
    pairs = [(deployments.registered(entry), comparable.levels(entry)) for entry in entries]
    pairs = pairs or [(deployment, None) for deployment in deployments.DEPLOYMENTS]
    filters = deployments.Filters(**{name: getattr(args, name) for name in registry.KINDS})
    kept = [pair for pair in pairs if filters.accept(pair[0])]
    notes = deployments.not_comparable([deployment for deployment, _ in kept])
    if args.json:
        rows = [_deployment(deployment, levels) for deployment, levels in kept]
        print_json(plain({"deployments": rows, "notes": notes}))
        return
    for deployment, _ in kept:
        print(
            render_text(
                registry.ROW,
                title=printable(deployment.title),
                guarantee=deployment.figures or registry.NO_VALUE,
                unit=registry.UNITS[deployment.protects],
                adjacency=registry.ADJACENCIES[deployment.neighbors],
                model=registry.MODELS[deployment.model],
            )
        )
    if len(kept) == 1 and kept[0][1]:
        notes += [_level(name, value) for name, value in kept[0][1].items()]
    elif entries:
        notes.append(registry.ONE_ENTRY_LEVELS)
    if notes := notes if kept else [registry.NO_ROWS]:
        print("\n".join(notes))


def _level(name: str, value: str) -> str:
    short = textwrap.shorten(value, registry.MAX_LEVEL, placeholder=" …")
    return render_text(registry.LEVEL, level=registry.LEVELS[name], value=printable(short))


def _deployment(deployment: Any, levels: Any) -> dict[str, Any]:
    kinds = (deployment.protects, deployment.neighbors, deployment.model, deployment.trusted)
    row = dataclasses.asdict(deployment) | {"kinds": dict(zip(registry.KINDS, kinds, strict=True))}
    del row["protects"], row["model"]
    return row | ({"levels": levels} if levels else {})
